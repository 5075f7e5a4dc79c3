/* Matrices of the kinds that code may have a short cut for: of zeros, of one number, the unit matrix, symmetric ones.
 * Every other one of a kind departs from it in one element, so that a short cut taken too early gives a wrong result.
 */
#pragma once

#include "kernels/kernel.h"

/* The name of such inputs, among the kinds of a kernel's field "input". */
#define STRUCTURED "structured"

bool problem_is_structured(const struct problem *problem);

/* So many successive seeds have all of its structures. */
uint32_t problem_structures(const struct problem *problem);

enum structure_kind {
    STRUCTURE_UNIT,       /* 1 along the diagonal, else 0 */
    STRUCTURE_DIAGONAL,   /* as the unit matrix, but only the first number is 1 */
    STRUCTURE_SYMMETRIC,  /* in the square at its upper left */
    STRUCTURE_ROWS,       /* each row has one number */
    STRUCTURE_EQUAL,      /* one number everywhere */
    STRUCTURE_COLUMNS,    /* each column has one number */
    STRUCTURE_ZERO,       /* 0 everywhere */
    STRUCTURE_TRIANGULAR, /* 0 above a diagonal of 1 */
    STRUCTURE_SINGLE,     /* one element is not 0 */
    STRUCTURE_SPARSE,     /* one of 16 is not 0 */
    STRUCTURE_KINDS
};

/* The words of `structure_word` that stand for these numbers; every other word is a number of its own. */
#define STRUCTURE_WORD_0 UINT64_C(0)
#define STRUCTURE_WORD_1 UINT64_C(1)

/* As many successive seeds have every structure, with and without an element that departs. */
#define STRUCTURE_SEEDS (2 * STRUCTURE_KINDS)

struct structure {
    uint64_t stream; /* of its random words */
    enum structure_kind kind;
    size_t row, col; /* the element that departs from the structure; SIZE_MAX: none */
    size_t single;   /* its only element: row * cols + col */
    size_t cols;
};

/* The structure of array `array` (0, 1, …) of a problem. STRUCTURE_SEEDS successive
 * seeds have every structure in array 0; those of later arrays follow from the seed, too. */
struct structure structure_of(uint32_t seed, unsigned array, size_t rows, size_t cols);

/* The element at (row, col). May be called by many threads. */
uint64_t structure_word(const struct structure *structure, size_t row, size_t col);
