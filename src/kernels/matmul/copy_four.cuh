// Asynchronous copies of single floats to shared memory.

static __device__ __forceinline__ uint shared_address(const float *place)
{
    return (uint)__cvta_generic_to_shared(place);
}

// Copies a float, or writes 0 where none exists.
static __device__ __forceinline__ void copy_four(uint to, const float *from, bool exists)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(exists ? 4 : 0));
}
