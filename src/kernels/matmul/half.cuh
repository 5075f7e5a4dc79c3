// Elements of 16 bits in CUDA C: ELEMENT_HALF is 16 for f16 and 8 for bf16. They are loaded and stored as their bits.

typedef ushort element;

#if ELEMENT_HALF == 16
#define PTX_TYPE "f16"
#else
#define PTX_TYPE "bf16"
#endif

#if RESULT
typedef float outcome; // of type f32
#else
typedef element outcome;
#endif

static __device__ __forceinline__ element narrow(float value)
{
    element number;
#if ELEMENT_HALF == 16
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(number) : "f"(value));
#elif __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(number) : "f"(value));
#else
    const uint bits = __float_as_uint(value);
    number = (bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
#endif
    return number;
}

static __device__ __forceinline__ float widen(element number)
{
#if ELEMENT_HALF == 16
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(number));
    return value;
#else
    return __uint_as_float((uint)number << 16);
#endif
}

// The matrices of a product, as the header's `args` gives them.
struct matrices {
    const element *a, *b;
    outcome *c;
    long m, n, k;
    float alpha, beta;
    long lda, ldb, ldc;
};

static __device__ __forceinline__ void put(const matrices &of, long row, long col, float sum)
{
    outcome *to = of.c + row * of.ldc + col;
    float value = of.alpha * sum;
    if (row >= of.m || col >= of.n)
        return;
#if RESULT
    *to = of.beta == 0 ? value : value + of.beta * *to;
#else
    *to = narrow(of.beta == 0 ? value : value + of.beta * widen(*to));
#endif
}

// Two neighbouring columns, the first of them even: together where C lets it.
static __device__ __forceinline__ void put_pair(const matrices &of, long row, long col, float first, float second)
{
    outcome *to = of.c + row * of.ldc + col;
    if (RESULT || of.beta != 0 || row >= of.m || col + 1 >= of.n || (ulong)to % 4 != 0) {
        put(of, row, col, first);
        put(of, row, col + 1, second);
        return;
    }
    *(uint *)to = narrow(of.alpha * first) | (uint)narrow(of.alpha * second) << 16;
}

// GROUPED rows of tiles run together, to share the L2 cache.
#ifndef GROUPED
#define GROUPED 8
#endif
struct place {
    int row, col;
};
static __device__ __forceinline__ place place_of(int tile, int tiles_m, int tiles_n)
{
    const int above = tile / (GROUPED * tiles_n) * GROUPED, inside = tile % (GROUPED * tiles_n);
    const int height = min(GROUPED, tiles_m - above);
    return {above + inside % height, inside / height};
}
