/* The CPU's limit of arithmetic: multiply-adds from registers with every thread. Without an instruction that fuses the
 * two, they are two. */

#include "backends/cpu/cpu.h"
#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"

/* Below this a second thread costs more than it computes. */
#define PARALLEL_FROM 1e6

/* Does `steps` times a variant's chains of vectors of multiply-adds; returns something of all of them. */
typedef double multiply_add_part(long steps);

struct variant {
    multiply_add_part *part;
    int lanes, chains;
    enum cpu_isa isa;
};

/* x becomes x/2 + 1, which stays near 2. The barrier in the loop tells the compiler nothing but that x is used. Every
 * loop over the chains is unrolled whole: one index known at run time only, and they would all live in memory. */
#define DEFINE_PART(name, CHAINS, attribute, vector, scalar, set, fused, keep)                              \
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

/* Two units with a latency of 4 to 5 cycles are busy with 10 to 12 chains, which 16 registers hold beside the two
 * constants; the four units of ARM's large cores, with 32 registers, need 16 and more. Which is best is tried. */
DEFINE_PART(base_f32_12, 12, , four_floats, float, SET_FOUR, FUSE_FOUR, KEEP_BASE)
DEFINE_PART(base_f64_12, 12, , two_doubles, double, SET_TWO, FUSE_TWO, KEEP_BASE)
#if defined(__aarch64__)
DEFINE_PART(base_f32_20, 20, , four_floats, float, SET_FOUR, FUSE_FOUR, KEEP_BASE)
DEFINE_PART(base_f64_20, 20, , two_doubles, double, SET_TWO, FUSE_TWO, KEEP_BASE)
#endif

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))
#define AVX512 __attribute__((target("avx512f")))
#define DEFINE_X86(chains)                                                                             \
    DEFINE_PART(avx2_f32_##chains, chains, AVX2, __m256, float, _mm256_set1_ps, _mm256_fmadd_ps, "+x") \
    DEFINE_PART(avx2_f64_##chains, chains, AVX2, __m256d, double, _mm256_set1_pd, _mm256_fmadd_pd, "+x")
DEFINE_X86(10)
DEFINE_X86(12)
DEFINE_X86(14)
#define DEFINE_WIDE(chains)                                                                                \
    DEFINE_PART(avx512_f32_##chains, chains, AVX512, __m512, float, _mm512_set1_ps, _mm512_fmadd_ps, "+v") \
    DEFINE_PART(avx512_f64_##chains, chains, AVX512, __m512d, double, _mm512_set1_pd, _mm512_fmadd_pd, "+v")
DEFINE_WIDE(12)
DEFINE_WIDE(16)
DEFINE_WIDE(24)
#endif

/* By double or not; the first of what a processor can run is the one without a search. */
static const struct variant variants[][2] = {
#if defined(__x86_64__)
    {{avx512_f32_12, 16, 12, CPU_ISA_AVX512}, {avx512_f64_12, 8, 12, CPU_ISA_AVX512}},
    {{avx512_f32_16, 16, 16, CPU_ISA_AVX512}, {avx512_f64_16, 8, 16, CPU_ISA_AVX512}},
    {{avx512_f32_24, 16, 24, CPU_ISA_AVX512}, {avx512_f64_24, 8, 24, CPU_ISA_AVX512}},
    {{avx2_f32_12, 8, 12, CPU_ISA_AVX2}, {avx2_f64_12, 4, 12, CPU_ISA_AVX2}},
    {{avx2_f32_10, 8, 10, CPU_ISA_AVX2}, {avx2_f64_10, 4, 10, CPU_ISA_AVX2}},
    {{avx2_f32_14, 8, 14, CPU_ISA_AVX2}, {avx2_f64_14, 4, 14, CPU_ISA_AVX2}},
#elif defined(__aarch64__)
    {{base_f32_20, 4, 20, CPU_ISA_BASE}, {base_f64_20, 2, 20, CPU_ISA_BASE}},
#endif
    {{base_f32_12, 4, 12, CPU_ISA_BASE}, {base_f64_12, 2, 12, CPU_ISA_BASE}},
};

/* The place in the table of a processor's `index`th variant, each on all threads and then on one; false behind the
 * last. */
static bool find_variant(size_t index, size_t *place, bool *serial)
{
    const enum cpu_isa most = cpu_isa();
    for (size_t i = 0, seen = 0; i < COUNT_OF(variants); i++) {
        if (variants[i][0].isa > most)
            continue;
        if (index / 2 == seen++) {
            *place = i;
            *serial = index % 2;
            return true;
        }
    }
    return false;
}

size_t cpu_multiply_add_variants(void)
{
    size_t count = 0, place;
    bool serial;
    while (find_variant(count, &place, &serial))
        count++;
    return count;
}

const char *cpu_multiply_add_name(size_t index, char *text, size_t size)
{
    size_t place = 0;
    bool serial = false;
    find_variant(index, &place, &serial);
    const struct variant *variant = &variants[place][0];
    if (serial)
        return explain(text, size, "%d chains of %d floats, one thread", variant->chains, variant->lanes);
    return explain(text, size, "%d chains of %d floats", variant->chains, variant->lanes);
}

struct job {
    multiply_add_part *part;
    long steps;
    double sums[POOL_THREADS_MOST];
};

static void do_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    struct job *job = context;
    job->sums[index] = job->part(job->steps);
}

double cpu_multiply_add_by(size_t index, double count, bool is_double)
{
    size_t place = 0;
    bool serial = false;
    find_variant(index, &place, &serial);
    const struct variant variant = variants[place][is_double];
    const double steps = count / (variant.chains * variant.lanes);
    const size_t threads = serial ? 1 : pool_threads();
    struct job job;
    job.part = variant.part;
    job.steps = (long)(steps / (double)threads) + 1;
    double sum = 0;
    parallel_for(threads, threads, do_part, &job);
    for (size_t i = 0; i < threads; i++)
        sum += job.sums[i];
    return sum;
}

double cpu_multiply_add(double count, bool is_double)
{
    return cpu_multiply_add_by(count < PARALLEL_FROM, count, is_double);
}
