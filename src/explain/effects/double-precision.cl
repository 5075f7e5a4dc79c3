// rung:    mixed
// idea:    64 multiply-adds of each number, DOUBLES of them in double precision
// tune:    DOUBLES = 0 in 0 1 2 4 8 16 32 64
// group:   256
// groups:  n / 256
// args:    in, out, float(1), float(3), double(1), double(3)
// needs:   double

__kernel void double_precision(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, float factor,
                               float addend, double wide_factor, double wide_addend)
{
    size_t i = get_global_id(0);
    double wide = in[i];
#pragma unroll
    for (int k = 0; k < DOUBLES; k++)
        wide = mad(wide, wide_factor, wide_addend);
    float narrow = (float)wide;
#pragma unroll
    for (int k = DOUBLES; k < 64; k++)
        narrow = mad(narrow, factor, addend);
    out[i] = narrow;
}
