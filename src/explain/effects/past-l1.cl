// rung:    past-l1
// idea:    the same by loads that go to L2 (-dlcm=cg); on other GPUs than NVIDIA's ordinary ones
// tune:    KIB = 16 in 4 16 32 64 128 256
// group:   256
// groups:  n / 4096
// args:    in, out, int(min(n, KIB * 256) - 1), int(0)

#if defined(__NV_CL_C_VERSION) || defined(__CUDA_ARCH__)
#define LOAD_PAST_L1(value, address) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(address))
#else
#define LOAD_PAST_L1(value, address) value = *(address)
#endif

__kernel void cached_loads(__global const ELEMENT *restrict in, __global ELEMENT *restrict out, int mask, int nothing)
{
    ELEMENT sum = 0;
    for (uint i = (uint)get_local_id(0); i < 65536u; i += 256) {
        ELEMENT word;
        LOAD_PAST_L1(word, in + (i & mask));
        sum += word;
    }
    out[get_global_id(0)] = in[get_global_id(0)] + 1 + (sum & (ELEMENT)nothing);
}
