// rung:    grid
// idea:    ITEMS items share all words: each takes one in every ITEMS
// tune:    ITEMS = 4096 in 1024 4096 16384 65536 262144 1048576
// group:   256
// groups:  ITEMS / 256
// args:    in, out, n

__kernel void items(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, long n)
{
    for (size_t i = get_global_id(0); i < n; i += get_global_size(0))
        out[i] = in[i] + 1;
}
