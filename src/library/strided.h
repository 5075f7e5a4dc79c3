/* An argument of the library's that is not one block: a batch of matrices whose rows have gaps between them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* `batch` matrices, `step` elements apart, of `rows` rows, `pitch` elements apart. Of a row `columns` elements are the
 * matrix's. Names are for messages: "gemm", "A". */
struct strided {
    const char *function, *name;
    size_t rows, columns, pitch, element_bytes;
    size_t batch, step; /* step is of no matter where batch is 1 */
};

/* The largest gap behind a row, in elements: kernels' fields for it end there. */
#define STRIDED_GAP_MOST ((size_t)1 << 31)

/* STATUS_INVALID where rows are longer than the pitch, or all of it fits in no memory; of a target (is_written) where
 * its matrices overlap: they follow one another, or lie side by side in the same rows. */
enum status strided_measure(const struct strided *array, bool is_written, struct error *error);

/* Bytes from the first element to behind the last one, of an array that has been measured. */
size_t strided_span(const struct strided *array);

/* STATUS_INVALID where memory is needed and `data` is NULL, or elements of `alignment` bytes are misaligned (1: any
 * address will do). */
enum status strided_check(const struct strided *array, const void *data, size_t alignment, struct error *error);

/* STATUS_INVALID where the arrays overlap. */
enum status strided_apart(const struct strided *a, const void *a_data, const struct strided *b, const void *b_data,
                          struct error *error);
