#include "kernels/resize/inputs.h"

#include <string.h>

#include "base/random.h"
#include "kernels/resize/resize.h"
#include "kernels/structure.h"

enum input { INPUT_RANDOM, INPUT_CONSTANT, INPUT_GRADIENT, INPUT_CHECKERBOARD, INPUT_DOTS, INPUT_STRUCTURED };

/* Random bytes are the hardest picture: neighbours differ by up to 255, which an error of a weight is multiplied with.
 */
static void fill_random(const struct problem *problem, unsigned char *data, size_t bytes)
{
    size_t words = bytes / sizeof(uint64_t), rest = bytes % sizeof(uint64_t);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < words; i++) {
        uint64_t word = random_word(problem->seed, i);
        memcpy(data + i * sizeof word, &word, sizeof word);
    }
    uint64_t last = random_word(problem->seed, words);
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

/* By the seed the channels are alike (a grey picture), or alpha alone differs and is 255 (an opaque one), or each has a
 * structure of its own. */
static void fill_structured(const struct problem *problem, unsigned char *data, int64_t rows, int64_t cols)
{
    const unsigned turn = problem->seed / STRUCTURE_KINDS % 3;
    struct structure structures[CHANNELS];
    for (unsigned c = 0; c < CHANNELS; c++)
        structures[c] = structure_of(problem->seed, turn == 2 ? c : 0, (size_t)rows, (size_t)cols);
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++)
            for (int c = 0; c < CHANNELS; c++) {
                uint64_t word = structure_word(&structures[c], (size_t)row, (size_t)col);
                if (word == STRUCTURE_WORD_1 || (turn == 1 && c == CHANNELS - 1))
                    word = 255;
                data[(row * cols + col) * CHANNELS + c] = (unsigned char)(word == 255 ? 255 : word >> 40);
            }
}

void resize_fill(const struct problem *problem, const struct array *arrays, struct host_arrays host)
{
    unsigned char *data = host.data[0];
    enum input input = (enum input)problem_size(problem, "input");
    int64_t rows = (int64_t)arrays[0].rows, cols = (int64_t)arrays[0].cols / CHANNELS;
    if (input == INPUT_RANDOM) {
        fill_random(problem, data, arrays[0].bytes);
        return;
    }
    if (input == INPUT_STRUCTURED) {
        fill_structured(problem, data, rows, cols);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < rows; row++)
        for (int64_t col = 0; col < cols; col++)
            for (int c = 0; c < CHANNELS; c++)
                data[(row * cols + col) * CHANNELS + c] = channel(input, problem->seed, row, col, c);
}
