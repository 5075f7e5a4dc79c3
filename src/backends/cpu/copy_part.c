/* Streaming copies: whole lines pass the caches by on their way out.
 *
 * Measured on two cores of an AMD EPYC (Zen 4), arrays of 64 … 512 MiB, both directions counted, medians of
 * interleaved rounds. With both cores on one die, which share its link to memory (and on two):
 *   memcpy, one part for each thread          36 (46) GB/s
 *   a plain OpenMP loop                       39 (62)
 *   streaming stores, no prefetch             47 (80)
 *   streaming stores, prefetch 3 KiB ahead    54 (89)      what is used here
 * Less alike, and dropped: prefetch 512 bytes ahead (80) or into L2 (71); one or sixteen lines an iteration in
 * place of four; two to eight pages walked side by side (57 … 73); blocks of 2 … 16 KiB fetched first, then written
 * (60 … 83); pages dealt to the threads in turn (34) in place of one part each. 32-byte and 64-byte stores are equal.
 */
#include "backends/cpu/copy.h"

#include <string.h>

void copy_part_plain(char *target, const char *source, size_t bytes)
{
    memcpy(target, source, bytes);
}

#if defined(__x86_64__)
#include <immintrin.h>
#include <stdint.h>

#define LINE ((size_t)64)
#define STEP (4 * LINE)
#define AHEAD ((size_t)3072)

/* Copies with memcpy up to the first whole line of the target; returns how many bytes that took. */
static size_t align_target(char *target, const char *source, size_t bytes)
{
    size_t head = (size_t)(-(uintptr_t)target % LINE);
    if (head > bytes)
        head = bytes;
    memcpy(target, source, head);
    return head;
}

/* A prefetch past the end is harmless: it never faults. The fence makes the streamed lines visible before the threads
 * meet. */
#define DEFINE_COPY(suffix, instructions, vector, load, stream)                                            \
    __attribute__((target(instructions))) static void copy_part_##suffix(char *target, const char *source, \
                                                                         size_t bytes)                     \
    {                                                                                                      \
        enum { COUNT = STEP / sizeof(vector) };                                                            \
        size_t i = align_target(target, source, bytes);                                                    \
        for (; bytes - i >= STEP; i += STEP) {                                                             \
            vector words[COUNT];                                                                           \
            for (size_t line = 0; line < STEP; line += LINE)                                               \
                _mm_prefetch(source + i + line + AHEAD, _MM_HINT_NTA);                                     \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < COUNT; k++) words[k] =                         \
                load((const void *)(source + i + k * sizeof(vector)));                                     \
            _Pragma("GCC unroll 16") for (size_t k = 0; k < COUNT; k++)                                    \
                stream((void *)(target + i + k * sizeof(vector)), words[k]);                               \
        }                                                                                                  \
        _mm_sfence();                                                                                      \
        memcpy(target + i, source + i, bytes - i);                                                         \
    }

DEFINE_COPY(avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512)
DEFINE_COPY(avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256)
DEFINE_COPY(sse2, "sse2", __m128i, _mm_loadu_si128, _mm_stream_si128)

copy_part *copy_part_streaming(enum cpu_isa isa)
{
    switch (isa) {
    case CPU_ISA_AVX512:
        return copy_part_avx512;
    case CPU_ISA_AVX2:
        return copy_part_avx2;
    default:
        return copy_part_sse2;
    }
}
#else
/* On aarch64 a streaming store is only a hint to the same store, and glibc's memcpy is tuned for each processor. */
copy_part *copy_part_streaming(enum cpu_isa isa)
{
    (void)isa;
    return copy_part_plain;
}
#endif
