// rung:    through-l1
// idea:    a group reads KIB KiB again and again, by loads that L1 keeps (-dlcm=ca)
// tune:    KIB = 16 in 4 16 32 64 128 256
// group:   256
// groups:  n / 4096
// args:    in, out, int(min(n, KIB * 256) - 1), int(0)

__kernel void cached_loads(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, int mask, int nothing)
{
    ELEMENT sum = 0;
    for (uint i = (uint)get_local_id(0); i < 65536u; i += 256)
        sum += in[i & mask];
    out[get_global_id(0)] = in[get_global_id(0)] + 1 + (sum & (ELEMENT)nothing);
}
