#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "base/worth_threads.h"
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
            memcpy(expected + (j * CHECK_TILE + i) * bytes, t->in + (row + i) * t->in_pitch + (col + j) * bytes, bytes);
}

static struct findings check_tile(const struct transposition *t, size_t row, size_t col)
{
    unsigned char expected[CHECK_TILE * CHECK_TILE * 16];
    size_t height = t->rows - row < CHECK_TILE ? t->rows - row : CHECK_TILE;
    size_t width = t->cols - col < CHECK_TILE ? t->cols - col : CHECK_TILE;
    CALL_FOR_SIZE(t->bytes, expect, t, row, col, height, width, expected);

    struct findings findings = {.wrong = 0, .first = SIZE_MAX};
    for (size_t j = 0; j < width; j++) {
        const size_t at = (col + j) * t->rows + row; /* without the gaps between rows */
        struct comparison comparison;
        comparator_compare_bits(t->out + (col + j) * t->out_pitch + row * t->bytes,
                                expected + j * CHECK_TILE * t->bytes, height, t->bytes, &comparison);
        if (comparison.wrong > 0 && findings.first == SIZE_MAX)
            findings.first = at + comparison.first_wrong;
        findings.wrong += comparison.wrong;
    }
    return findings;
}

/* Elements of any size. */
static struct findings check_elements(const struct transposition *t)
{
    size_t wrong = 0, first = SIZE_MAX;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(t->rows * t->cols))
    for (size_t col = 0; col < t->cols; col++)
        for (size_t row = 0; row < t->rows; row++)
            if (memcmp(t->out + col * t->out_pitch + row * t->bytes, t->in + row * t->in_pitch + col * t->bytes,
                       t->bytes) != 0) {
                wrong++;
                first = col * t->rows + row < first ? col * t->rows + row : first;
            }
    return (struct findings){wrong, first};
}

static struct findings check_all(const struct transposition *t)
{
    size_t wrong = 0, first = SIZE_MAX;
    size_t tiles_down = t->rows / CHECK_TILE + (t->rows % CHECK_TILE != 0);
    size_t tiles_across = t->cols / CHECK_TILE + (t->cols % CHECK_TILE != 0);
#pragma omp parallel for collapse(2) schedule(static) reduction(+ : wrong) reduction(min : first) if (is_worth_threads(t->rows * t->cols))
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

/* The expected and the actual element (of several numbers the first that differs); in bits where both print alike, as
 * NaNs do. */
static void describe_first(const struct transposition *t, enum element_type type, const struct findings *findings,
                           size_t elements, struct check_result *result)
{
    const size_t col = findings->first / t->rows, row = findings->first % t->rows, bytes = element_info(type)->bytes;
    const unsigned char *right = t->in + row * t->in_pitch + col * t->bytes;
    const unsigned char *got = t->out + col * t->out_pitch + row * t->bytes;
    char expected[ELEMENT_TEXT_BYTES], actual[ELEMENT_TEXT_BYTES];
    size_t number = 0;
    while (number + 1 < t->bytes / bytes && memcmp(right + number * bytes, got + number * bytes, bytes) == 0)
        number++;
    element_text(type, right, number, expected);
    element_text(type, got, number, actual);
    if (strcmp(expected, actual) == 0) {
        element_bits_text(type, right, number, expected);
        element_bits_text(type, got, number, actual);
    }
    explain(result->reason, sizeof result->reason,
            "%zu of %zu elements are wrong, the first at %s: expected %s, got %s", findings->wrong, elements,
            result->where, expected, actual);
}

#define GUESSED_MOST ((size_t)1 << 20) /* elements */

/* Whether the output at (col, row) is the input at (row + down, col + across), where that is within it, everywhere. */
static bool is_moved(const struct transposition *t, long down, long across)
{
    size_t looked = 0;
    for (size_t col = 0; col < t->cols; col++)
        for (size_t row = 0; row < t->rows; row++) {
            const size_t from_row = row + (size_t)down, from_col = col + (size_t)across;
            if (from_row >= t->rows || from_col >= t->cols)
                continue; /* also what would be negative */
            looked++;
            if (memcmp(t->out + col * t->out_pitch + row * t->bytes,
                       t->in + from_row * t->in_pitch + from_col * t->bytes, t->bytes) != 0)
                return false;
        }
    return looked > 0 && looked * 2 >= t->rows * t->cols;
}

/* The input as it lies, without gaps between rows. */
static bool is_copied(const struct transposition *t)
{
    return t->in_pitch == t->cols * t->bytes && t->out_pitch == t->rows * t->bytes &&
           memcmp(t->in, t->out, t->rows * t->cols * t->bytes) == 0;
}

/* Whether all of row `at` of the input is missing in the output. */
static bool is_row_wrong(const struct transposition *t, size_t at)
{
    for (size_t col = 0; col < t->cols; col++)
        if (memcmp(t->out + col * t->out_pitch + at * t->bytes, t->in + at * t->in_pitch + col * t->bytes, t->bytes) ==
            0)
            return false;
    return true;
}

static bool is_col_wrong(const struct transposition *t, size_t at)
{
    for (size_t row = 0; row < t->rows; row++)
        if (memcmp(t->out + at * t->out_pitch + row * t->bytes, t->in + row * t->in_pitch + at * t->bytes, t->bytes) ==
            0)
            return false;
    return true;
}

/* Rows, or columns, at the input's end that are all wrong. */
static size_t wrong_end(const struct transposition *t, size_t count,
                        bool is_wrong(const struct transposition *, size_t))
{
    size_t wrong = 0;
    while (wrong < count && is_wrong(t, count - 1 - wrong))
        wrong++;
    return wrong;
}

/* What the mistake looks like, where it looks like one of the usual ones. */
static void guess(const struct transposition *t, const struct findings *findings, struct check_result *result)
{
    if (t->rows * t->cols > GUESSED_MOST || (t->rows < 2 && t->cols < 2) || (t->in == t->out))
        return;
    const size_t rows = wrong_end(t, t->rows, is_row_wrong), cols = wrong_end(t, t->cols, is_col_wrong);
    if (is_copied(t))
        explain_more(result->reason, sizeof result->reason, "; it looks like the input, not transposed");
    else if (is_moved(t, -1, 0) || is_moved(t, 1, 0))
        explain_more(result->reason, sizeof result->reason, "; it looks transposed, but off by one row");
    else if (is_moved(t, 0, -1) || is_moved(t, 0, 1))
        explain_more(result->reason, sizeof result->reason, "; it looks transposed, but off by one column");
    else if (rows < t->rows && rows > 0 && findings->wrong == rows * t->cols)
        explain_more(result->reason, sizeof result->reason, "; only the last %zu rows of the input are missing", rows);
    else if (cols < t->cols && cols > 0 && findings->wrong == cols * t->rows)
        explain_more(result->reason, sizeof result->reason, "; only the last %zu columns of the input are missing",
                     cols);
}

/* The first matrix with a wrong element is named, where there are several. */
static void judge(const struct problem *problem, struct host_arrays input, struct host_arrays output, size_t out_bytes,
                  struct check_result *result)
{
    const struct transpose_layouts layouts = transpose_layouts_of(problem);
    void *out = output.data[transpose_is_in_place(problem) ? 0 : 1];
    const size_t batch = layouts.in.batch, elements = batch * layouts.in.rows * layouts.out.rows;
    struct findings all = {0, SIZE_MAX};
    struct transposition first = {0};
    for (size_t i = 0; i < batch; i++) {
        const struct transposition t = transposition_at(problem, input.data[0], out, i);
        const struct findings one = problem->values[TRANSPOSE_GROUP].size > 1 ? check_elements(&t) : check_all(&t);
        if (one.wrong > 0 && all.wrong == 0) {
            const size_t col = one.first / t.rows, row = one.first % t.rows;
            first = t;
            all.first = one.first;
            if (batch > 1)
                snprintf(result->where, sizeof result->where, "[%zu][%zu][%zu]", i, col, row);
            else
                snprintf(result->where, sizeof result->where, "[%zu][%zu]", col, row);
        }
        all.wrong += one.wrong;
    }
    result->passed = all.wrong == 0;
    result->worst = (double)all.wrong;
    if (result->passed)
        return;
    if (untouched(out, out_bytes))
        explain(result->reason, sizeof result->reason, "%zu of %zu elements are wrong, the first at %s%s", all.wrong,
                elements, result->where, N_(": the output was never written"));
    else
        describe_first(&first, problem->type, &all, elements, result);
    if (batch == 1)
        guess(&first, &all, result);
}

void transpose_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                     struct host_arrays output, struct check_result *result)
{
    const struct transpose_layouts layouts = transpose_layouts_of(problem);
    const size_t which = transpose_is_in_place(problem) ? 0 : 1;
    *result = (struct check_result){.passed = false};
    judge(problem, input, output, arrays[which].bytes, result);
    if (result->passed)
        layout_check_gaps(&layouts.out, input.data[which], output.data[which], element_info(problem->type)->bytes,
                          arrays[which].name, result);
}
