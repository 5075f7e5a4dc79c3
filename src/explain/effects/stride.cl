// rung:    strided
// idea:    neighbouring items take words that lie STRIDE apart; every word is taken once
// tune:    STRIDE = 1 in 1 2 4 8 16 32 64
// group:   256, 1
// groups:  n / STRIDE / 256, STRIDE
// args:    in, out, int(STRIDE)

__kernel void stride(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, int stride)
{
    size_t word = get_global_id(0) * stride + get_group_id(1);
    out[word] = in[word] + 1;
}
