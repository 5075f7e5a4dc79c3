#include "kernels/transpose/check.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "kernels/transpose/transpose.h"

#define CHECK_TILE 64 /* elements along each side: two lines of the caches or more, even for bytes */

/* The number of wrong elements, and the smallest index into the output. */
struct findings {
    size_t wrong, first;
};

/* Writes the tile of the input that begins at (row, col), transposed, into `expected`: one row per column. */
static FOR_EACH_SIZE void expect(const struct transposition *t, size_t row, size_t col, size_t height, size_t width,
                                 unsigned char *expected, size_t bytes)
{
    for (size_t i = 0; i < height; i++)
        for (size_t j = 0; j < width; j++)
            memcpy(expected + (j * CHECK_TILE + i) * bytes, t->in + ((row + i) * t->cols + col + j) * bytes, bytes);
}

static struct findings check_tile(const struct transposition *t, size_t row, size_t col)
{
    unsigned char expected[CHECK_TILE * CHECK_TILE * 16];
    size_t height = t->rows - row < CHECK_TILE ? t->rows - row : CHECK_TILE;
    size_t width = t->cols - col < CHECK_TILE ? t->cols - col : CHECK_TILE;
    CALL_FOR_SIZE(t->bytes, expect, t, row, col, height, width, expected);

    struct findings findings = {.wrong = 0, .first = SIZE_MAX};
    for (size_t j = 0; j < width; j++) {
        size_t at = (col + j) * t->rows + row;
        struct comparison comparison;
        comparator_compare_bits(t->out + at * t->bytes, expected + j * CHECK_TILE * t->bytes, height, t->bytes,
                                &comparison);
        if (comparison.wrong > 0 && findings.first == SIZE_MAX)
            findings.first = at + comparison.first_wrong;
        findings.wrong += comparison.wrong;
    }
    return findings;
}

static struct findings check_all(const struct transposition *t)
{
    size_t wrong = 0, first = SIZE_MAX;
    size_t tiles_down = t->rows / CHECK_TILE + (t->rows % CHECK_TILE != 0);
    size_t tiles_across = t->cols / CHECK_TILE + (t->cols % CHECK_TILE != 0);
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : wrong) reduction(min : first)
    for (size_t down = 0; down < tiles_down; down++)
        for (size_t across = 0; across < tiles_across; across++) {
            struct findings tile = check_tile(t, down * CHECK_TILE, across * CHECK_TILE);
            wrong += tile.wrong;
            first = tile.first < first ? tile.first : first;
        }
    return (struct findings){wrong, first};
}

/* An output that holds one byte over and over was poisoned and never written. */
static bool untouched(const unsigned char *data, size_t bytes)
{
    return bytes > 1 && memcmp(data, data + 1, bytes - 1) == 0;
}

/* The expected and the actual element; in bits where both print alike, as NaNs do. */
static void describe_first(const struct transposition *t, enum element_type type, const struct findings *findings,
                           struct check_result *result)
{
    const size_t right = findings->first % t->rows * t->cols + findings->first / t->rows;
    char expected[ELEMENT_TEXT_BYTES], actual[ELEMENT_TEXT_BYTES];
    element_text(type, t->in, right, expected);
    element_text(type, t->out, findings->first, actual);
    if (strcmp(expected, actual) == 0) {
        element_bits_text(type, t->in, right, expected);
        element_bits_text(type, t->out, findings->first, actual);
    }
    explain(result->reason, sizeof result->reason,
            "%zu of %zu elements are wrong, the first at %s: expected %s, got %s", findings->wrong, t->rows * t->cols,
            result->where, expected, actual);
}

void transpose_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                     struct host_arrays output, struct check_result *result)
{
    struct transposition t = {
        .in = input.data[0],
        .out = output.data[1],
        .rows = arrays[0].rows,
        .cols = arrays[0].cols,
        .bytes = element_info(problem->type)->bytes,
    };
    struct findings findings = check_all(&t);
    *result = (struct check_result){.passed = findings.wrong == 0, .worst = (double)findings.wrong};
    if (result->passed)
        return;
    snprintf(result->where, sizeof result->where, "[%zu][%zu]", findings.first / t.rows, findings.first % t.rows);
    if (untouched(t.out, arrays[1].bytes))
        explain(result->reason, sizeof result->reason, "%zu of %zu elements are wrong, the first at %s%s",
                findings.wrong, t.rows * t.cols, result->where, N_(": the output was never written"));
    else
        describe_first(&t, problem->type, &findings, result);
}
