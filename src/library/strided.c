#include "library/strided.h"

#include <stdint.h>

#include "base/size.h"
#include "library/overlap.h"

/* Whether no element belongs to two matrices, of which each has `matrix` elements with all of its gaps. */
static bool is_apart(const struct strided *array, size_t matrix)
{
    const size_t gap = array->pitch - array->columns;
    size_t side_by_side;
    if (array->batch <= 1 || array->rows == 0 || array->columns == 0 || array->step >= matrix - gap)
        return true;
    return array->step >= array->columns && size_multiply(array->batch - 1, array->step, &side_by_side) &&
           side_by_side <= gap;
}

enum status strided_measure(const struct strided *array, bool is_written, struct error *error)
{
    size_t matrix, bytes = 0;
    if (array->pitch < array->columns || array->pitch - array->columns > STRIDED_GAP_MOST)
        return fail(error, STATUS_INVALID, "%s: a pitch of %zu for rows of %zu elements of %s", array->function,
                    array->pitch, array->columns, array->name);
    const bool fits = size_multiply(array->rows, array->pitch, &matrix) &&
                      size_multiply(array->batch > 1 ? array->batch - 1 : 0, array->step, &bytes) &&
                      size_add(bytes, matrix, &bytes) && size_multiply(bytes, array->element_bytes, &bytes);
    if (!fits || bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "%s: %zu rows of %zu elements of %zu bytes of %s fit in no memory",
                    array->function, array->rows, array->pitch, array->element_bytes, array->name);
    if (is_written && !is_apart(array, matrix))
        return fail(error, STATUS_INVALID, "%s: with a step of %zu the matrices of %s overlap", array->function,
                    array->step, array->name);
    return STATUS_OK;
}

size_t strided_span(const struct strided *array)
{
    if (array->rows == 0 || array->columns == 0 || array->batch == 0)
        return 0;
    return ((array->batch - 1) * (array->batch > 1 ? array->step : 0) + (array->rows - 1) * array->pitch +
            array->columns) *
           array->element_bytes;
}

enum status strided_check(const struct strided *array, const void *data, size_t alignment, struct error *error)
{
    if (strided_span(array) > 0 && !data)
        return fail(error, STATUS_INVALID, "%s: %s is NULL", array->function, array->name);
    if ((uintptr_t)data % alignment != 0)
        return fail(error, STATUS_INVALID, "%s: %s is not at a multiple of its elements' %zu bytes", array->function,
                    array->name, alignment);
    return STATUS_OK;
}

enum status strided_apart(const struct strided *a, const void *a_data, const struct strided *b, const void *b_data,
                          struct error *error)
{
    if (!overlaps(a_data, strided_span(a), b_data, strided_span(b)))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: %s and %s overlap", a->function, a->name, b->name);
}
