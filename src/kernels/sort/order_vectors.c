/* Words of 64 bits are split until a part is small. Then each of them becomes a narrow word of 32 bits: its leading
 * bits above its number in the part. Twice as many of these fit a vector. */
#include "kernels/sort/order_vectors.h"

#include "base/size.h"
#include "kernels/sort/simd.h"

static const struct key_order as_they_are;

/* Splits may be bad a few times more than good ones take. */
static struct sort_range range_of(void *keys, size_t count)
{
    return (struct sort_range){.keys = keys, .count = count, .depth = 8 + 2 * (int)bits_of(count)};
}

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512vl")))
#define LANES 8

bool vectors_sort_words(void)
{
    return sort_level() == &sort_level_avx512;
}

/* The leading bits of each word's distance from the least one, from `shift` on, above the word's number. */
static TARGET void narrow_words(const uint64_t *words, size_t count, uint64_t least, unsigned shift,
                                unsigned number_bits, uint32_t *narrow)
{
    const __m512i from = _mm512_set1_epi64((int64_t)least);
    const __m128i down = _mm_cvtsi32_si128((int)shift), up = _mm_cvtsi32_si128((int)number_bits);
    __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const __m512i distance = _mm512_sub_epi64(_mm512_loadu_si512(words + i), from);
        const __m256i leading = _mm256_sll_epi32(_mm512_cvtepi64_epi32(_mm512_srl_epi64(distance, down)), up);
        _mm256_storeu_si256((void *)(narrow + i), _mm256_or_si256(leading, numbers));
        numbers = _mm256_add_epi32(numbers, _mm256_set1_epi32(LANES));
    }
    for (; i < count; i++)
        narrow[i] = (uint32_t)((words[i] - least) >> shift) << number_bits | (uint32_t)i;
}

/* The words that narrow ones number, in their order; returns whether they ascend. */
static TARGET bool collect_words(const uint64_t *words, const uint32_t *narrow, size_t count, unsigned number_bits,
                                 uint64_t *target)
{
    const uint32_t mask = (UINT32_C(1) << number_bits) - 1;
    __m512i before = _mm512_setzero_si512();
    unsigned wrong = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const __m256i numbers =
            _mm256_and_si256(_mm256_loadu_si256((const void *)(narrow + i)), _mm256_set1_epi32((int)mask));
        const __m512i here = _mm512_i32gather_epi64(numbers, words, sizeof *words);
        _mm512_storeu_si512(target + i, here);
        wrong |= _mm512_cmplt_epu64_mask(here, _mm512_alignr_epi64(here, before, LANES - 1));
        before = here;
    }
    for (; i < count; i++) {
        target[i] = words[narrow[i] & mask];
        wrong |= i > 0 && target[i] < target[i - 1];
    }
    return !wrong;
}

bool sort_by_vectors(const uint64_t *words, size_t count, uint64_t least, unsigned *lowest_bit, unsigned bits,
                     uint32_t *narrow, uint64_t *target)
{
    const unsigned number_bits = bits_of(count - 1), kept = (unsigned)size_least(bits, 32 - number_bits);
    *lowest_bit += bits - kept;
    narrow_words(words, count, least, *lowest_bit, number_bits, narrow);
    sort_level()->sort(range_of(narrow, count), &as_they_are, sizeof *narrow);
    return collect_words(words, narrow, count, number_bits, target);
}
#else
bool vectors_sort_words(void)
{
    return false;
}

bool sort_by_vectors(const uint64_t *words, size_t count, uint64_t least, unsigned *lowest_bit, unsigned bits,
                     uint32_t *narrow, uint64_t *target)
{
    (void)words, (void)count, (void)least, (void)lowest_bit, (void)bits, (void)narrow, (void)target;
    return false;
}
#endif

struct sort_range words_to_split(uint64_t *words, size_t count)
{
    return range_of(words, count);
}

void split_by_vectors(struct sort_range range, struct sort_range parts[2])
{
    sort_level()->split(range, &as_they_are, sizeof(uint64_t), parts);
}
