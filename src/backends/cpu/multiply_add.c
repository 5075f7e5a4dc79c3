/* The CPU's limit of arithmetic: multiply-adds from registers with every thread. Without an instruction that fuses the
 * two, they are two. */
#include <omp.h>

#include "backends/cpu/cpu.h"

/* Two units with a latency of 4 to 5 cycles are busy with 12 chains, which 16 registers hold beside the two constants;
 * the four units of ARM's large cores, with 32 registers, need 16. */
#if defined(__aarch64__)
#define CHAINS 20
#else
#define CHAINS 12
#endif
/* Below this a second thread costs more than it computes. */
#define PARALLEL_FROM 1e6

/* Does `steps` times CHAINS vectors of multiply-adds; returns something of all of them. */
typedef double multiply_add_part(long steps);

struct variant {
    multiply_add_part *part;
    int lanes;
};

/* x becomes x/2 + 1, which stays near 2. The barrier in the loop tells the compiler nothing but that x is used. Every
 * loop over the chains is unrolled whole: one index known at run time only, and they would all live in memory. */
#define DEFINE_PART(name, attribute, vector, scalar, set, fused, keep)                                      \
    attribute static double name(long steps)                                                                \
    {                                                                                                       \
        vector chains[CHAINS], factor = set((scalar)0.5), addend = set(1);                                  \
        _Pragma("GCC unroll 32") for (int c = 0; c < CHAINS; c++) chains[c] = set((scalar)c);               \
        for (long i = 0; i < steps; i++) {                                                                  \
            _Pragma("GCC unroll 32") for (int c = 0; c < CHAINS; c++)                                       \
            {                                                                                               \
                chains[c] = fused(chains[c], factor, addend);                                               \
                __asm__ volatile("" : keep(chains[c]));                                                     \
            }                                                                                               \
        }                                                                                                   \
        double sum = 0;                                                                                     \
        _Pragma("GCC unroll 32") for (int c = 0; c < CHAINS; c++) sum += (double)((scalar *)&chains[c])[0]; \
        return sum;                                                                                         \
    }

/* Whatever vectors of 16 bytes the machine has as a matter of course. */
typedef float four_floats __attribute__((vector_size(16)));
typedef double two_doubles __attribute__((vector_size(16)));
#define SET_FOUR(x) ((four_floats){x, x, x, x})
#define SET_TWO(x) ((two_doubles){x, x})

#if defined(__aarch64__)
#include <arm_neon.h>
#define KEEP_BASE "+w"
#define FUSE_FOUR(x, factor, addend) \
    (four_floats) vfmaq_f32((float32x4_t)(addend), (float32x4_t)(x), (float32x4_t)(factor))
#define FUSE_TWO(x, factor, addend) \
    (two_doubles) vfmaq_f64((float64x2_t)(addend), (float64x2_t)(x), (float64x2_t)(factor))
#elif defined(__x86_64__)
#include <immintrin.h>
#define KEEP_BASE "+x"
#define FUSE_FOUR(x, factor, addend) (x) * (factor) + (addend)
#define FUSE_TWO(x, factor, addend) (x) * (factor) + (addend)
#else
#define KEEP_BASE "+m"
#define FUSE_FOUR(x, factor, addend) (x) * (factor) + (addend)
#define FUSE_TWO(x, factor, addend) (x) * (factor) + (addend)
#endif

DEFINE_PART(base_f32, , four_floats, float, SET_FOUR, FUSE_FOUR, KEEP_BASE)
DEFINE_PART(base_f64, , two_doubles, double, SET_TWO, FUSE_TWO, KEEP_BASE)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
DEFINE_PART(avx2_f32, AVX2, __m256, float, _mm256_set1_ps, _mm256_fmadd_ps, "+x")
DEFINE_PART(avx2_f64, AVX2, __m256d, double, _mm256_set1_pd, _mm256_fmadd_pd, "+x")
DEFINE_PART(avx512_f32, AVX512, __m512, float, _mm512_set1_ps, _mm512_fmadd_ps, "+v")
DEFINE_PART(avx512_f64, AVX512, __m512d, double, _mm512_set1_pd, _mm512_fmadd_pd, "+v")
#endif

static struct variant choose(bool is_double)
{
    switch (cpu_isa()) {
#if defined(__x86_64__)
    case CPU_ISA_AVX512:
        return is_double ? (struct variant){avx512_f64, 8} : (struct variant){avx512_f32, 16};
    case CPU_ISA_AVX2:
        return is_double ? (struct variant){avx2_f64, 4} : (struct variant){avx2_f32, 8};
#endif
    default:
        return is_double ? (struct variant){base_f64, 2} : (struct variant){base_f32, 4};
    }
}

double cpu_multiply_add(double count, bool is_double)
{
    struct variant variant = choose(is_double);
    double steps = count / (CHAINS * variant.lanes), sum = 0;
#pragma omp parallel if (count >= PARALLEL_FROM) reduction(+ : sum)
    sum += variant.part((long)(steps / omp_get_num_threads()) + 1);
    return sum;
}
