/* The vectorised quicksort, for processors with AVX-512. */
#include <stdbool.h>
#include <stdio.h>

#include "backends/cpu/cpu.h"
#include "kernels/sort/sort.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi,bmi2,popcnt")))
#define INLINE inline __attribute__((always_inline)) TARGET

/* A range of fewer keys is not worth a task. */
#define TASK_LEAST ((size_t)1 << 14)

#define HEAP_SORT(name, KEY)                                                             \
    static void name(KEY *keys, size_t count)                                            \
    {                                                                                    \
        size_t unsorted = count, root = count / 2;                                       \
        while (unsorted > 1) {                                                           \
            if (root > 0) {                                                              \
                root--; /* still making the heap */                                      \
            } else {                                                                     \
                KEY greatest = keys[0];                                                  \
                keys[0] = keys[--unsorted];                                              \
                keys[unsorted] = greatest;                                               \
            }                                                                            \
            for (size_t at = root, child; (child = 2 * at + 1) < unsorted; at = child) { \
                child += child + 1 < unsorted && keys[child + 1] > keys[child];          \
                if (keys[child] <= keys[at])                                             \
                    break;                                                               \
                KEY key = keys[at];                                                      \
                keys[at] = keys[child];                                                  \
                keys[child] = key;                                                       \
            }                                                                            \
        }                                                                                \
    }
HEAP_SORT(heap_sort_32, uint32_t)
HEAP_SORT(heap_sort_64, uint64_t)

static INLINE __m512i lane_numbers_32(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

static INLINE __m512i lane_numbers_64(void)
{
    return _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
}

#define KEY uint32_t
#define SIGNED int32_t
#define LANES 16
#define MASK __mmask16
#define NAME(x) x##_32
#define OP(x) _mm512_##x##_epi32
#define OPU(x) _mm512_##x##_epu32
#define OPU_MASK(x) _mm512_##x##_epu32_mask
#define OP_STORE(address, v) _mm512_storeu_si512(address, v)
#include "kernels/sort/simd.inc"
#undef KEY
#undef SIGNED
#undef LANES
#undef MASK
#undef NAME
#undef OP
#undef OPU
#undef OPU_MASK

#define KEY uint64_t
#define SIGNED int64_t
#define LANES 8
#define MASK __mmask8
#define NAME(x) x##_64
#define OP(x) _mm512_##x##_epi64
#define OPU(x) _mm512_##x##_epu64
#define OPU_MASK(x) _mm512_##x##_epu64_mask
#include "kernels/sort/simd.inc"

static void sort(const struct sorting *sorting)
{
    int depth = 8;
    for (size_t count = sorting->count; count > 0; count /= 2)
        depth += 2;
#pragma omp parallel if (sorting->count >= 2 * TASK_LEAST)
#pragma omp single
    {
        if (sorting->bytes == 4)
            quicksort_32(sorting->data, sorting->count, &sorting->order, true, depth);
        else
            quicksort_64(sorting->data, sorting->count, &sorting->order, true, depth);
    }
}
#else
static void sort(const struct sorting *sorting)
{
    (void)sorting; /* refused before */
}
#endif

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    if (cpu_isa() == CPU_ISA_AVX512)
        return NULL;
    snprintf(reason, size, "needs AVX-512, and there is %s", cpu_isa_name(cpu_isa()));
    return reason;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    sort(&sorting);
    return STATUS_OK;
}

const struct rung sort_simd = {
    .name = "simd",
    .idea = "quicksort, 64 bytes at a time: vectors are split by the pivot in registers, and what is short is sorted "
            "there; a task for each half",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};
