#include "backends/cpu/copy.h"

#include <stdint.h>
#include <string.h>

void copy_part_plain(char *target, const char *source, size_t bytes)
{
    memcpy(target, source, bytes);
}

#if defined(__x86_64__)
#include <immintrin.h>

/* Copies with memcpy up to the first multiple of `line` in target; returns how many bytes that took. */
static size_t align_target(char *target, const char *source, size_t bytes, size_t line)
{
    size_t head = (size_t)(-(uintptr_t)target % line);
    if (head > bytes)
        head = bytes;
    memcpy(target, source, head);
    return head;
}

__attribute__((target("avx512f"))) static void copy_part_avx512(char *target, const char *source, size_t bytes)
{
    size_t i = align_target(target, source, bytes, 64);
    for (; i + 256 <= bytes; i += 256) {
        __m512i a = _mm512_loadu_si512(source + i), b = _mm512_loadu_si512(source + i + 64);
        __m512i c = _mm512_loadu_si512(source + i + 128), d = _mm512_loadu_si512(source + i + 192);
        _mm512_stream_si512((__m512i *)(target + i), a);
        _mm512_stream_si512((__m512i *)(target + i + 64), b);
        _mm512_stream_si512((__m512i *)(target + i + 128), c);
        _mm512_stream_si512((__m512i *)(target + i + 192), d);
    }
    _mm_sfence();
    memcpy(target + i, source + i, bytes - i);
}

__attribute__((target("avx2"))) static void copy_part_avx2(char *target, const char *source, size_t bytes)
{
    size_t i = align_target(target, source, bytes, 64);
    for (; i + 128 <= bytes; i += 128) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(source + i));
        __m256i b = _mm256_loadu_si256((const __m256i *)(source + i + 32));
        __m256i c = _mm256_loadu_si256((const __m256i *)(source + i + 64));
        __m256i d = _mm256_loadu_si256((const __m256i *)(source + i + 96));
        _mm256_stream_si256((__m256i *)(target + i), a);
        _mm256_stream_si256((__m256i *)(target + i + 32), b);
        _mm256_stream_si256((__m256i *)(target + i + 64), c);
        _mm256_stream_si256((__m256i *)(target + i + 96), d);
    }
    _mm_sfence();
    memcpy(target + i, source + i, bytes - i);
}

copy_part *copy_part_streaming(enum cpu_isa isa)
{
    switch (isa) {
    case CPU_ISA_AVX512:
        return copy_part_avx512;
    case CPU_ISA_AVX2:
        return copy_part_avx2;
    default:
        return copy_part_plain;
    }
}
#else
/* glibc's memcpy is what aarch64 has: its own streaming stores are only a hint, which memcpy gives where it pays. */
copy_part *copy_part_streaming(enum cpu_isa isa)
{
    (void)isa;
    return copy_part_plain;
}
#endif
