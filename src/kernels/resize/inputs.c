#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/worth_threads.h"
#include "kernels/resize/resize.h"
#include "kernels/structure.h"

enum input { INPUT_RANDOM, INPUT_CONSTANT, INPUT_GRADIENT, INPUT_CHECKERBOARD, INPUT_DOTS, INPUT_STRUCTURED };

/* Random bytes are the hardest picture: neighbours differ by up to 255, which an error of a weight is multiplied with.
 */
static void fill_random(uint64_t seed, unsigned char *data, size_t bytes)
{
    size_t words = bytes / sizeof(uint64_t), rest = bytes % sizeof(uint64_t);
#pragma omp parallel for schedule(static) if (is_worth_threads(words))
    for (size_t i = 0; i < words; i++) {
        uint64_t word = random_word(seed, i);
        memcpy(data + i * sizeof word, &word, sizeof word);
    }
    uint64_t last = random_word(seed, words);
    if (rest != 0)
        memcpy(data + words * sizeof last, &last, rest);
}

/* Channel c of the pixel at (row, col). */
static unsigned char channel(enum input input, uint32_t seed, int64_t row, int64_t col, int c)
{
    static const unsigned char colour[CHANNELS] = {1, 128, 254, 77};
    switch (input) {
    case INPUT_CONSTANT:
        return (unsigned char)(colour[c] + (unsigned char)(random_word(seed, (uint64_t)c) % 2));
    case INPUT_GRADIENT: /* channels rise and fall at different rates, along both sides */
        return (unsigned char)((long)(c + 1) * col + (long)(3 * c + 2) * row + 60L * c);
    case INPUT_CHECKERBOARD: /* alpha against the colours, green and blue in rows and columns */
        return ((c == 1 ? row : c == 2 ? col : row + col + (c == 3)) & 1) != 0 ? 255 : 0;
    default: /* 1 in 16 is bright, 1 in 16 dark, in each channel for itself */
        switch (random_word(seed, ((uint64_t)row << 32) + (uint64_t)col * CHANNELS + (uint64_t)c) % 16) {
        case 0:
            return 255;
        case 1:
            return 0;
        default:
            return colour[c];
        }
    }
}

/* A byte as a number of the picture's type, with the whole range of that: bytes are repeated, and floats have fractions
 * beside it. Of floats 255 and 0 in pictures of single pixels are infinite and as large as can be. */
static void put(const struct resizing *r, uint8_t *row, int64_t index, unsigned char byte, enum input input)
{
    if (r->type == ELEMENT_U8)
        row[index] = byte;
    else if (r->type == ELEMENT_U16)
        ((uint16_t *)(void *)row)[index] = (uint16_t)(byte * 257u);
    else if (input == INPUT_DOTS && (byte == 0 || byte == 255))
        ((float *)(void *)row)[index] = byte ? INFINITY : -FLT_MAX;
    else
        ((float *)(void *)row)[index] = (float)byte / 3;
}

/* By the seed the channels are alike (a grey picture), or the last alone differs and is 255 (an opaque one), or each
 * has a structure of its own. */
static void fill_structured(const struct problem *problem, const struct resizing *r, uint8_t *data)
{
    const unsigned turn = problem->seed / STRUCTURE_KINDS % 3;
    struct structure structures[CHANNELS];
    for (unsigned c = 0; c < CHANNELS; c++)
        structures[c] = structure_of(problem->seed, turn == 2 ? c : 0, (size_t)r->height, (size_t)r->width);
#pragma omp parallel for schedule(static) if (is_worth_threads((size_t)(r->height * r->width)))
    for (int64_t row = 0; row < r->height; row++)
        for (int64_t col = 0; col < r->width; col++)
            for (int64_t c = 0; c < r->channels; c++) {
                uint64_t word = structure_word(&structures[c], (size_t)row, (size_t)col);
                if (word == STRUCTURE_WORD_1 || (turn == 1 && r->channels > 1 && c == r->channels - 1))
                    word = 255;
                put(r, data + row * r->in_pitch, col * r->channels + c, (unsigned char)(word == 255 ? 255 : word >> 40),
                    INPUT_STRUCTURED);
            }
}

/* Any bits; of floats the gaps are NaN then and all numbers of many magnitudes. */
static void fill_floats(const struct problem *problem, const struct resizing *r, float *data, int64_t length)
{
#pragma omp parallel for schedule(static) if (is_worth_threads((size_t)(r->height * length)))
    for (int64_t i = 0; i < r->height * length; i++) {
        const uint64_t word = random_word(problem->seed, (uint64_t)i);
        const bool is_gap = i % length >= r->width * r->channels;
        data[i] = is_gap ? NAN : ldexpf((float)(int32_t)(word >> 32), (int)(word % 16) - 40);
    }
}

/* Gaps are random, so that a picture that depends on them is a wrong one. */
void resize_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    const enum input input = (enum input)problem->values[RESIZE_INPUT].size;
    const struct resizing r = resizing_of_problem(problem, host.data[0], host.data[1]);
    unsigned char *data = host.data[0];
    if (arrays[1].direction == ARRAY_INOUT)
        fill_random(problem->seed + 1, host.data[1], arrays[1].bytes);
    if (r.type == ELEMENT_F32)
        fill_floats(problem, &r, host.data[0], (int64_t)arrays[0].cols);
    else if (input == INPUT_RANDOM || problem->values[RESIZE_IN_PAD].size)
        fill_random(problem->seed, data, arrays[0].bytes);
    if (input == INPUT_STRUCTURED)
        fill_structured(problem, &r, data);
    if (input == INPUT_RANDOM || input == INPUT_STRUCTURED)
        return;
#pragma omp parallel for schedule(static) if (is_worth_threads((size_t)(r.height * r.width)))
    for (int64_t row = 0; row < r.height; row++)
        for (int64_t col = 0; col < r.width; col++)
            for (int c = 0; c < r.channels; c++)
                put(&r, data + row * r.in_pitch, col * r.channels + c, channel(input, problem->seed, row, col, c),
                    input);
}
