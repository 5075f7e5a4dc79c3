// Copies words of 16 bytes between two addresses, either of which may be in a peer's memory.

#define WORD WORD_OF(16)

__kernel group_shape(GROUP, 1, 1) void move_words(ulong source, ulong target, long words)
{
    __global const WORD *from = (__global const WORD *)source;
    __global WORD *to = (__global WORD *)target;
    const long step = (long)get_num_groups(0) * GROUP * UNROLL;
    long word = (long)get_group_id(0) * GROUP * UNROLL + get_local_id(0);
    for (; word + (UNROLL - 1) * GROUP < words; word += step) {
        WORD moved[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            moved[k] = from[word + k * GROUP];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            to[word + k * GROUP] = moved[k];
    }
    for (int k = 0; k < UNROLL; k++)
        if (word + k * GROUP < words)
            to[word + k * GROUP] = from[word + k * GROUP];
}
