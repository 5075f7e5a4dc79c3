/* The parts of the check of a matrix product (check.c combines them). */
#pragma once

#include "kernels/matmul/matmul.h"

/* The largest magnitude in each row of op(A), in each column of op(B) and in each row of C as it was; NaN and infinity
 * do not count, and what the product does not read is 0. */
struct ranges {
    double *rows, *cols, *old;
    double largest;   /* of all rows and columns */
    bool are_special; /* A or B contains NaN or infinity */
};

/* The subject of a check: the requested product, C before (NULL when it was not filled, and then not read) and after
 * the rung. */
struct trial {
    struct product product; /* one of a batch; its c is not used */
    const void *before, *after;
    double operations; /* of the whole batch: they decide how it is checked */
    struct ranges ranges;
    bool own_data; /* kernel.h */
    /* No order of operations rounds anything: all terms are multiples of one power of two and their magnitudes add up
     * to fewer of it than a mantissa counts. Elements of A, B and C as it was, alpha, beta and results are then
     * integers times two to the power of these. */
    bool exact;
    struct observations {
        int a, b, old, alpha, beta, result;
    } units;
};

/* A stored matrix. */
struct matrix {
    const void *data;
    enum element_type type;
    size_t rows, cols, stride;
};
static inline struct matrix matrix_a(const struct product *p)
{
    return (struct matrix){p->a, p->type, p->transa ? p->k : p->m, p->transa ? p->m : p->k, p->lda};
}
static inline struct matrix matrix_b(const struct product *p)
{
    return (struct matrix){p->b, p->type, p->transb ? p->n : p->k, p->transb ? p->k : p->n, p->ldb};
}
/* C as it was, or as it is. */
static inline struct matrix matrix_c(const struct product *p, const void *data)
{
    return (struct matrix){data, p->result, p->m, p->n, p->ldc};
}

/* Rows or columns to look at: index[0 … count), ascending; or all 0 … count when index is NULL. */
struct lines {
    const size_t *index;
    size_t count;
};

#define CHECK_SEEN_BITS 4096

/* The findings. The first wrong element is the one with the smallest product, then row, then column; `where` of the
 * worst too. */
struct findings {
    size_t compared, wrong;
    size_t first_product, worst_product;
    size_t first_row, first_col; /* meaningful when wrong > 0 */
    double first_actual;         /* that element, */
    double first_expected;       /* what it should be, */
    double first_allowed;        /* and how far off it might be */
    double worst;                /* in units of what is allowed */
    size_t worst_row, worst_col;
    /* With the signature of tf32 (check_exact): sums over the elements of error², error·t and t², where t is the error
     * that rounding the inputs to tf32 would make. */
    double error_error, error_rounding, rounding_rounding;
    size_t rounded;                      /* how many elements these sums are over */
    uint64_t seen[CHECK_SEEN_BITS / 64]; /* a bit for each value of t, by its hash: equal rows say nothing new */
};

/* Products of more operations are judged by random vectors. Only tests change it. */
extern double check_exact_operations;

/* λ: how many times the expected error an element's error may be. An element's rounding error is close to normal; the
 * largest of 10^8 of them is at 5.7 standard deviations of 0.4 each, and a walk's length varies by some times. */
#define CHECK_MARGIN 8.0

/* The type of sums, and of alpha and beta. */
static inline enum element_type type_of_sums(const struct product *product)
{
    return product->high ? ELEMENT_F64 : element_is_half(product->type) ? ELEMENT_F32 : product->type;
}

/* u: half of the distance from 1 to the next number. */
static inline double unit_roundoff(enum element_type type)
{
    return element_epsilon(type);
}

/* Element `index` of an array. */
static inline double element_at(const void *data, enum element_type type, size_t index)
{
    return type == ELEMENT_F32 ? (double)((const float *)data)[index] : element_number(type, data, index);
}

/* Whether results are rounded once more than their sums. */
static inline bool rounds_results(const struct product *product)
{
    return product->result != type_of_sums(product);
}

/* The exponent of the smallest subnormal number, and of the power of two beyond the largest number. */
static inline int least_exponent(enum element_type type)
{
    return type == ELEMENT_F64 ? -1074 : type == ELEMENT_F32 ? -149 : type == ELEMENT_BF16 ? -133 : -24;
}
static inline int beyond_exponent(enum element_type type)
{
    return type == ELEMENT_F64 ? 1024 : type == ELEMENT_F16 ? 16 : 128;
}

/* Lengths of the walks that rounding errors make (tolerance.c): of one element, or the roots of the sums of
 * squares of a row's or column's. */
struct walk {
    double terms;   /* sqrt(Σ (a b)²), */
    double product; /* and |Σ a b|, both divided by 2^scale */
    double old;     /* |beta·C| as it was */
    int scale;
    double factor;   /* the largest magnitude among the lines' elements of A and B */
    size_t elements; /* how many of C */
};

/* How far off a right element may be, or the sum of a line's elements with random signs. The one tolerance of the
 * check.
 */
double check_tolerance(const struct trial *trial, struct walk walk);

/* Finds trial->exact and trial->units. */
void check_find_units(struct trial *trial);

/* Of an exact product: the first row of C that differs; m when there is none. Products with random vectors in integers
 * modulo 2^64 (check_integers.c). STATUS_UNAVAILABLE when memory is out. */
enum status check_integers(const struct trial *trial, size_t *row);

/* Finds them, in memory of their own (check_ranges_free, after a failure too). STATUS_UNAVAILABLE when memory is out.
 */
enum status check_ranges(const struct trial *trial, struct ranges *ranges);
void check_ranges_free(struct ranges *ranges);

/* The power of two that a row (or column) is divided by, so that squares of its products fit a double: 0 for nearly all
 * rows, and for all floats. `largest` is its entry in ranges. */
int check_scale(double largest);

/* Whether terms whose magnitudes add up to terms · 2^exponent may overflow the product's type on the way: then an
 * infinity, or a NaN of two of them, is as right as any other result. `old`: the magnitude that beta meets. */
bool check_may_overflow(const struct trial *trial, size_t row, double terms, int exponent, double old);

/* Whether that infinity, or NaN, can come from the element's terms where they overflow: those above 0 may become one
 * infinity and those below 0 the other, and NaN needs both. An infinity among the terms counts like one that they
 * become; no order makes the other one of it. */
bool check_overflow_is_right(const struct trial *trial, size_t row, size_t col, double actual);

/* Marks the rows and columns that random vectors cannot judge, as squares would leave a double or results the type. */
void check_mark_extremes(const struct trial *trial, bool *rows, bool *cols);

/* Judges each element at those rows and columns of C against a product in double, adding to `findings`.
 * `signature`: also compares the errors with those of tf32. */
void check_exact(const struct trial *trial, struct lines rows, struct lines cols, bool signature,
                 struct findings *findings);

/* Adds the findings about other elements, of the same product or of another. */
void check_merge(struct findings *all, const struct findings *one);

/* Whether the errors that check_exact saw are those of inputs rounded to tf32. */
bool check_looks_like_tf32(const struct findings *findings);

/* Judges all of C but those rows and columns by products with random vectors on both sides. Returns true when they
 * agree; else `*line` is a row (or a column: *is_row) that does not. `findings` gets the worst error, and NaN and
 * infinities are counted as wrong. STATUS_UNAVAILABLE when memory is out. */
enum status check_vectors(const struct trial *trial, const bool *skip_row, const bool *skip_col, bool *agree,
                          size_t *line, bool *is_row, struct findings *findings);
