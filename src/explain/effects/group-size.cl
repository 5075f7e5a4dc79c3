// rung:    groups
// idea:    one item for each word, GROUP of them in a group
// tune:    GROUP = 256 in 1 2 4 8 16 32 64 128 256 512 1024
// group:   GROUP
// groups:  n / GROUP
// args:    in, out

__kernel void group_size(__global const ELEMENT *restrict in, __global ELEMENT *restrict out)
{
    size_t i = get_global_id(0);
    out[i] = in[i] + 1;
}
