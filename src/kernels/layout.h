/* Where a batch of matrices lies in an array that has gaps: behind rows, and between matrices. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/message.h"
#include "kernels/kernel.h"

/* `batch` matrices, `step` elements apart, of `rows` rows, `pitch` elements apart, of `cols` elements. Matrices follow
 * one another, or lie side by side in the same rows: then the step is shorter than a matrix, and all of them fit in the
 * pitch. Of inputs any step is possible; with 0 one matrix serves all. */
struct layout {
    size_t rows, cols, pitch, batch, step;
};

/* A field's value for a step: the elements of a matrix with its gaps where it is negative. */
static inline size_t layout_step(int64_t field, size_t rows, size_t pitch)
{
    return field < 0 ? rows * pitch : (size_t)field;
}

static inline size_t layout_elements(const struct layout *layout)
{
    return layout->batch ? (layout->batch - 1) * layout->step + layout->rows * layout->pitch : 0;
}

/* Whether each matrix ends before the next one begins. */
static inline bool layout_follows(const struct layout *layout)
{
    return layout->batch <= 1 || layout->rows == 0 || layout->step >= (layout->rows - 1) * layout->pitch + layout->cols;
}

/* Whether no element belongs to two matrices: what an output has to be. */
static inline bool layout_is_apart(const struct layout *layout)
{
    return layout_follows(layout) ||
           (layout->step >= layout->cols && (layout->batch - 1) * layout->step + layout->cols <= layout->pitch);
}

/* The first element of matrix `matrix`'s row `row`. */
static inline size_t layout_row(const struct layout *layout, size_t matrix, size_t row)
{
    return matrix * layout->step + row * layout->pitch;
}

static inline bool layout_has_gaps(const struct layout *layout)
{
    return layout_elements(layout) != layout->batch * layout->rows * layout->cols;
}

/* An output's elements that belong to no matrix: the first of the array's rows, counted over all matrices, before which
 * or behind which one differs; SIZE_MAX: none. */
static inline size_t layout_changed_gap(const struct layout *layout, const void *before, const void *after,
                                        size_t element_bytes)
{
    const bool follows = layout_follows(layout);
    const size_t count = layout->batch * layout->rows, inner = follows ? layout->rows : layout->batch;
    size_t end = 0; /* of the row before */
    for (size_t i = 0; layout_has_gaps(layout) && i <= count; i++) {
        const size_t matrix = follows ? i / inner : i % inner, row = follows ? i % inner : i / inner;
        const size_t begin = i < count ? layout_row(layout, matrix, row) : layout_elements(layout);
        const size_t at = end * element_bytes;
        if (memcmp((const char *)before + at, (const char *)after + at, (begin - end) * element_bytes) != 0)
            return i > 0 ? i - 1 : 0;
        end = begin + layout->cols;
    }
    return SIZE_MAX;
}

/* Fails the result of an output whose gaps were changed. */
static inline void layout_check_gaps(const struct layout *layout, const void *before, const void *after,
                                     size_t element_bytes, const char *array, struct check_result *result)
{
    const size_t row = layout_changed_gap(layout, before, after, element_bytes);
    if (row == SIZE_MAX)
        return;
    result->passed = false;
    result->worst = 1;
    explain(result->reason, sizeof result->reason, "the padding behind row %zu of %s was changed", row, array);
}
