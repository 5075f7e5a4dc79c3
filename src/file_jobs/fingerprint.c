#include "file_jobs/fingerprint.h"

#include <string.h>

#include "base/size.h"

/* Elements of 8 and 16 bytes are 2 and 4 words of 32 bits, each with a weight of its own: a weight times a word then
 * fits in 64 bits, which is one fast multiplication everywhere. */
#define WORDS_MOST 4
/* Words of a row that are worked on at once: their weights stay in the first-level cache. */
#define SEGMENT 4096
/* Sums that run side by side; a multiple of WORDS_MOST, so that lane l holds word l % words of its elements. */
#define LANES 8

/* SplitMix64 (Steele, Lea and Flood, 2014) at a given index, made odd. */
static uint32_t weight(uint64_t index)
{
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) | 1);
}

/* x[i] applies to a whole element, y[j] to each of its words. */
static uint32_t x_weight(size_t i)
{
    return weight((uint64_t)i | (uint64_t)1 << 63);
}

static uint32_t y_weight(size_t j, size_t word)
{
    return weight((uint64_t)j * WORDS_MOST + word);
}

/* sums[l] += weights[t] * words[t] for every t with t % LANES == l. */
#define DEFINE_ADD(name, type)                                                                         \
    static void name(const unsigned char *data, const uint32_t *weights, size_t count, uint64_t *sums) \
    {                                                                                                  \
        uint64_t lanes[LANES] = {0};                                                                   \
        size_t t = 0;                                                                                  \
        for (; t + LANES <= count; t += LANES) {                                                       \
            type words[LANES];                                                                         \
            memcpy(words, data + t * sizeof(type), sizeof words);                                      \
            for (size_t l = 0; l < LANES; l++)                                                         \
                lanes[l] += (uint64_t)weights[t + l] * words[l];                                       \
        }                                                                                              \
        for (; t < count; t++) {                                                                       \
            type word;                                                                                 \
            memcpy(&word, data + t * sizeof word, sizeof word);                                        \
            lanes[t % LANES] += (uint64_t)weights[t] * word;                                           \
        }                                                                                              \
        memcpy(sums, lanes, sizeof lanes);                                                             \
    }

DEFINE_ADD(add_u8, uint8_t)
DEFINE_ADD(add_u16, uint16_t)
DEFINE_ADD(add_u32, uint32_t)

/* The weights along a row for `count` words from word 0 of column `col`. */
static void weigh(const struct rectangle *rectangle, size_t col, size_t words, size_t count, uint32_t *weights)
{
    for (size_t t = 0; t < count; t += words, col++) {
        uint32_t shared = rectangle->transposed ? x_weight(col) : 0;
        for (size_t word = 0; word < words; word++)
            weights[t + word] = rectangle->transposed ? shared : y_weight(col, word);
    }
}

/* The contribution of one row's sums to the fingerprint. */
static uint64_t close_row(const struct rectangle *rectangle, size_t row, size_t words, const uint64_t *sums)
{
    uint64_t total = 0;
    for (size_t l = 0; l < LANES; l++)
        total += rectangle->transposed ? y_weight(row, l % words) * sums[l] : sums[l];
    return rectangle->transposed ? total : x_weight(row) * total;
}

uint64_t fingerprint(const struct rectangle *rectangle)
{
    size_t bytes = rectangle->element_bytes;
    size_t words = bytes > 4 ? bytes / 4 : 1;
    size_t segment = SEGMENT / words;
    uint32_t weights[SEGMENT];
    uint64_t total = 0;
    for (size_t col = 0; col < rectangle->cols; col += segment) {
        size_t count = (rectangle->cols - col < segment ? rectangle->cols - col : segment) * words;
        weigh(rectangle, rectangle->col + col, words, count, weights);
        for (size_t row = 0; row < rectangle->rows; row++) {
            const unsigned char *data =
                (const unsigned char *)rectangle->data + row * rectangle->row_bytes + col * bytes;
            uint64_t sums[LANES];
            (bytes == 1 ? add_u8 : bytes == 2 ? add_u16 : add_u32)(data, weights, count, sums);
            total += close_row(rectangle, rectangle->row + row, words, sums);
        }
    }
    return total;
}

uint64_t fingerprint_parallel(const struct rectangle *rectangle)
{
    /* Parts of some 256 KiB: many enough for every thread, large enough that the weights are soon paid for. */
    size_t width = SEGMENT, height = 64;
    size_t across = rectangle->cols / width + (rectangle->cols % width != 0);
    size_t down = rectangle->rows / height + (rectangle->rows % height != 0);
    uint64_t total = 0;
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : total)
    for (size_t i = 0; i < down; i++)
        for (size_t j = 0; j < across; j++) {
            struct rectangle part = *rectangle;
            part.row += i * height;
            part.col += j * width;
            part.rows = size_least(height, rectangle->rows - i * height);
            part.cols = size_least(width, rectangle->cols - j * width);
            part.data = (const unsigned char *)rectangle->data + i * height * rectangle->row_bytes +
                        j * width * rectangle->element_bytes;
            total += fingerprint(&part);
        }
    return total;
}
