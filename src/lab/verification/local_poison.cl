// Fills local memory, which keeps its values from one launch to the next. A word that never occurs would be stored:
// without that a compiler could drop the others.

__kernel group_shape(ITEMS, 1, 1) void fill_local(__global int *restrict sink, int word, int at)
{
    local_array int words[WORDS];
    for (int i = get_local_id(0); i < WORDS; i += ITEMS)
        words[i] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (words[at + get_local_id(0)] != word)
        sink[0] = word;
}
