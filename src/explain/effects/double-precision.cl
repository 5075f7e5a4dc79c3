// rung:    mixed
// idea:    16 times 64 multiply-adds of each number, DOUBLES of 64 in double precision
// tune:    DOUBLES = 0 in 0 1 2 4 8 16 32 64
// group:   256
// groups:  n / 256
// args:    in, out, float(1), double(1), float(3)
// needs:   double

__kernel void double_precision(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, float factor,
                               double wide_factor, float addend)
{
    local_array float addends[16];
    size_t i = get_global_id(0);
    if (get_local_id(0) < 16)
        addends[get_local_id(0)] = addend;
    barrier(CLK_LOCAL_MEM_FENCE); // all addends are stored before any is read

    float narrow = in[i];
    for (int round = 0; round < 16; round++) {
        float term = addends[round];
        double wide = narrow, wide_term = term;
#pragma unroll
        for (int k = 0; k < DOUBLES; k++)
            wide = mad(wide, wide_factor, wide_term);
        narrow = (float)wide;
#pragma unroll
        for (int k = DOUBLES; k < 64; k++)
            narrow = mad(narrow, factor, term);
    }
    out[i] = narrow;
}
