// rung:    stack
// idea:    the same array, its indices known only when it runs: it lies in memory, at any size
// tune:    WORDS = 16 in 8 16 32 64 128 256
// group:   256
// groups:  n / 256
// args:    in, table, out, int(0)

__kernel void private_arrays(__global const ELEMENT *restrict in, __global const ELEMENT *restrict table,
                             __global ELEMENT *restrict out, int shift)
{
    local_array ELEMENT terms[16];
    size_t i = get_global_id(0);
    if (get_local_id(0) < 16)
        terms[get_local_id(0)] = table[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); // all terms are stored before any is read

    ELEMENT x = in[i], sum = 0;
    for (uint first = 0; first < 256; first += WORDS) {
        ELEMENT words[WORDS];
#pragma unroll 1
        for (uint k = 0; k < WORDS; k++)
            words[(k + shift) % WORDS] = x ^ (first + k);
#pragma unroll 1
        for (int round = 0; round < 4; round++) {
            ELEMENT term = terms[round];
#pragma unroll 1
            for (uint k = 0; k < WORDS; k++)
                words[(k + shift) % WORDS] = words[(k + shift) % WORDS] * 1664525u + term;
        }
#pragma unroll 1
        for (uint k = 0; k < WORDS; k++)
            sum += words[(k + shift) % WORDS];
    }
    out[i] = sum;
}
