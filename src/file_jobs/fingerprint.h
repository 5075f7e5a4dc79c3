/* A check of a transpose that reads each matrix once, in order.
 *
 * The fingerprint of a matrix A is the sum over all i, j of x[i] * y[j] * A[i][j] modulo 2^64, where x and y are fixed
 * vectors of odd random 32-bit integers and elements are unsigned words. The transpose of A, seen with the roles of x
 * and y exchanged, has the same fingerprint; any one wrong element changes it, and other differences go unnoticed about
 * once in 2^31 (Freivalds' check of a matrix product by random vectors, 1979). Fingerprints of parts add up. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A rectangle of a row-major matrix. */
struct rectangle {
    const void *data;  /* its first element, of any alignment */
    size_t row_bytes;  /* from one row to the next */
    size_t row, col;   /* of its first element in the whole matrix */
    size_t rows, cols; /* its size */
    size_t element_bytes;
    bool transposed; /* rows are y's, columns are x's */
};

/* One thread's work; sum the results of rectangles that cover the matrix, modulo 2^64. */
uint64_t fingerprint(const struct rectangle *rectangle);

/* The same, by as many threads as OpenMP would use. */
uint64_t fingerprint_parallel(const struct rectangle *rectangle);
