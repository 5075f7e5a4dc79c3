// rung:    strided
// idea:    words of neighbouring items lie STRIDE apart in local memory, so that min(STRIDE, 32) of a warp's meet in a bank
// tune:    STRIDE = 1 in 1 2 4 8 16 32
// group:   256
// groups:  n / 1024
// args:    in, out

// Where word `j` of 1024 lies.
#define PLACE(j) (((j)*STRIDE & 1023) | ((j)*STRIDE >> 10))

__kernel void bank_conflicts(__global const ELEMENT *restrict in, __global ELEMENT *restrict out)
{
    local_array ELEMENT words[1024];
    uint item = (uint)get_local_id(0);
    for (uint k = 0; k < 1024; k += 256)
        words[PLACE(item + k)] = in[get_group_id(0) * 1024 + item + k];
    barrier(CLK_LOCAL_MEM_FENCE); // all words are stored before any is read

    ELEMENT sum = 0;
    for (int round = 0; round < 8; round++) {
#pragma unroll
        for (uint k = 0; k < 32; k++)
            sum = sum * 3 + words[PLACE(item) ^ PLACE(k * 32)];
        barrier(CLK_LOCAL_MEM_FENCE); // or the compiler would keep all words in registers for the next round
    }
    out[get_global_id(0)] = sum;
}
