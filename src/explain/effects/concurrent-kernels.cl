// rung:    kernels
// idea:    16 kernels of one group each, from QUEUES queues in turn
// tune:    QUEUES = 1 in 1 2 4 8 16
// group:   64
// groups:  1
// args:    in, out, long(0)

__kernel void concurrent_kernels(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, long launch)
{
    size_t i = launch * 64 + get_local_id(0);
    ELEMENT x = in[i];
    for (int step = 0; step < 4096; step++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[i] = x;
}
