// Functions for a cluster of CLUSTER groups: its groups run at the same time and can read each other's shared memory.

#if CLUSTER == 0
#undef CLUSTER
#define CLUSTER 1
#endif

static __device__ __forceinline__ void wait_for_cluster()
{
    if (CLUSTER > 1)
        asm volatile("barrier.cluster.arrive.release.aligned;\n"
                     "barrier.cluster.wait.acquire.aligned;" ::
                         : "memory");
    else
        __syncthreads();
}

// The float at the same shared-memory address in the cluster's group `rank`.
static __device__ __forceinline__ float read_neighbour(const float *address, int rank)
{
    float value;
    asm volatile("{.reg .b32 there; mapa.shared::cluster.u32 there, %1, %2; ld.shared::cluster.f32 %0, [there];}"
                 : "=f"(value)
                 : "r"((uint)__cvta_generic_to_shared(address)), "r"(rank));
    return value;
}
