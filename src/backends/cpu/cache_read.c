/* Reading what a cache holds, again and again, with every thread: the cache's bandwidth. */
#include <omp.h>

#include "backends/cpu/cpu.h"

#define LINE ((size_t)64)
#define STEP CPU_READ_UNIT

/* Reads `bytes` bytes `passes` times. */
typedef void read_part(const char *memory, size_t bytes, long passes);

#if defined(__x86_64__)
#include <immintrin.h>

/* Keeps a load whose value is not used: the compiler neither removes it nor adds anything. */
#define DEFINE_READ(suffix, instructions, vector, load, keep)                                                      \
    __attribute__((target(instructions))) static void read_##suffix(const char *memory, size_t bytes, long passes) \
    {                                                                                                              \
        enum { COUNT = STEP / sizeof(vector) };                                                                    \
        for (long pass = 0; pass < passes; pass++)                                                                 \
            for (size_t i = 0; i < bytes; i += STEP)                                                               \
                _Pragma("GCC unroll 64") for (size_t k = 0; k < COUNT; k++)                                        \
                {                                                                                                  \
                    vector word = load((const void *)(memory + i + k * sizeof(vector)));                           \
                    __asm__ volatile("" : : keep(word));                                                           \
                }                                                                                                  \
    }

DEFINE_READ(avx512, "avx512f", __m512i, _mm512_load_si512, "v")
DEFINE_READ(avx2, "avx2", __m256i, _mm256_load_si256, "x")
DEFINE_READ(sse2, "sse2", __m128i, _mm_load_si128, "x")

static read_part *choose(void)
{
    enum cpu_isa isa = cpu_isa();
    return isa == CPU_ISA_AVX512 ? read_avx512 : isa == CPU_ISA_AVX2 ? read_avx2 : read_sse2;
}
#else
/* Whatever vectors of 16 bytes the machine has. */
typedef uint64_t two_words __attribute__((vector_size(16)));
#if defined(__aarch64__)
#define KEEP "w"
#else
#define KEEP "m"
#endif

static void read_words(const char *memory, size_t bytes, long passes)
{
    for (long pass = 0; pass < passes; pass++)
        for (size_t i = 0; i < bytes; i += STEP)
            _Pragma("GCC unroll 64") for (size_t k = 0; k < STEP / sizeof(two_words); k++)
            {
                two_words word = *(const two_words *)(const void *)(memory + i + k * sizeof word);
                __asm__ volatile("" : : KEEP(word));
            }
}

static read_part *choose(void)
{
    return read_words;
}
#endif

void cpu_read_again(const void *memory, size_t bytes, long passes)
{
    read_part *part = choose();
#pragma omp parallel
    part((const char *)memory + (size_t)omp_get_thread_num() * bytes, bytes, passes);
}

/* Two registers, as some processors add constants before the unit for it is reached. */
uint64_t cpu_add_in_turn(long count)
{
    uint64_t all = 0;
#pragma omp parallel reduction(^ : all)
    {
        uint64_t sum = 0, one = 1;
        for (long i = 0; i < count; i += CPU_ADDS_UNIT)
            _Pragma("GCC unroll 64") for (int k = 0; k < CPU_ADDS_UNIT; k++)
            {
                sum += one;
                __asm__ volatile("" : "+r"(sum), "+r"(one));
            }
        all ^= sum;
    }
    return all;
}

#define SUMS 6 /* as many as a core can add to in a clock, and more */

/* One unit of cpu_issue. */
static void issue_unit(uint32_t sums[SUMS])
{
#if defined __x86_64__
#define ADD_TWO_MOVE(one, other, to) "add $1, %" one "\n\tadd $1, %" other "\n\tmovaps %%xmm0, %%" to "\n\t"
#define TEN                        \
    ADD_TWO_MOVE("0", "1", "xmm1") \
    ADD_TWO_MOVE("2", "3", "xmm2") ADD_TWO_MOVE("4", "5", "xmm3") "movaps %%xmm0, %%xmm4\n\t"
    __asm__ volatile(TEN TEN TEN TEN TEN TEN TEN TEN
                     : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3]), "+r"(sums[4]), "+r"(sums[5])
                     :
                     : "xmm1", "xmm2", "xmm3", "xmm4", "cc");
#else
    _Pragma("GCC unroll 80") for (int k = 0; k < CPU_ISSUE_UNIT; k++)
    {
        sums[k % SUMS]++;
        __asm__ volatile("" : "+r"(sums[k % SUMS]));
    }
#endif
}

void cpu_issue(long count)
{
#pragma omp parallel
    {
        uint32_t sums[SUMS] = {0};
        for (long i = 0; i < count; i += CPU_ISSUE_UNIT)
            issue_unit(sums);
    }
}
