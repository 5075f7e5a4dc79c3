/* The calls of a BLAS, as all families and forms have them: integers of 64 bits, one order of arguments. Each function
 * returns whether the call is done; else the caller passes it on, and blas_next has the function. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "blas/choice.h"
#include "blas/names.h"

#define BLAS_API __attribute__((visibility("default")))

/* CBLAS's numbers; Fortran's arrays are ORDER_COLUMNS. */
enum blas_order { ORDER_ROWS = 101, ORDER_COLUMNS = 102 };
/* Of an argument such as 'T' or CblasTrans. Conjugation is of no matter. */
enum blas_flag { FLAG_NO = 0, FLAG_YES = 1, FLAG_WRONG = -1 };

/* C = alpha·op(A)·op(B) + beta·C; batches have `batch` of them, so many elements apart. */
struct blas_gemm {
    size_t slot;
    int order; /* enum blas_order, or wrong */
    enum blas_flag transa, transb;
    int64_t m, n, k, lda, ldb, ldc;
    double alpha, beta;
    const void *a, *b;
    void *c;
    int64_t batch, step_a, step_b, step_c;
};

/* Arrays with an entry for each group, and of matrices with one for each product. */
struct blas_groups {
    size_t slot;
    int bits; /* of an integer */
    int order;
    const void *transa, *transb; /* chars, or CBLAS's ints */
    const void *m, *n, *k, *alpha, *lda, *ldb, *beta, *ldc, *sizes;
    const void *const *a, *const *b;
    void *const *c;
    int64_t count;
};

/* C = alpha·A·A' + beta·C, or A'·A, in one triangle. */
struct blas_syrk {
    size_t slot;
    int order;
    enum blas_flag upper, trans;
    int64_t n, k, lda, ldc;
    double alpha, beta;
    const void *a;
    void *c;
};

/* y = alpha·op(A)·x + beta·y. */
struct blas_gemv {
    size_t slot;
    int order;
    enum blas_flag trans;
    int64_t m, n, lda, incx, incy;
    double alpha, beta;
    const void *a, *x;
    void *y;
};

struct blas_dot {
    size_t slot;
    int64_t n, incx, incy;
    const void *x, *y;
};

/* B = alpha·op(A); in place where b is NULL. */
struct blas_copy {
    size_t slot;
    int order;
    enum blas_flag trans;
    int64_t rows, cols, lda, ldb;
    double alpha;
    const void *a;
    void *b;
};

struct packed_product;

bool blas_gemm(const struct blas_gemm *call);
/* A call that a small product was made of (blas/small.h). Its order and its flags, numbers or letters, may be others.
 */
void blas_gemm_again(size_t slot, unsigned turns, int order, int ta, int tb, const struct packed_product *made);
bool blas_gemm_strided(const struct blas_gemm *call);
bool blas_gemm_groups(const struct blas_groups *call);
bool blas_syrk(const struct blas_syrk *call);
bool blas_gemv(const struct blas_gemv *call);
bool blas_dot(const struct blas_dot *call, double *result);
bool blas_copy(const struct blas_copy *call);

/* An argument such as 112 (CblasTrans) or T. */
static inline enum blas_flag blas_flag_of_number(int value)
{
    return value == 111 ? FLAG_NO : value == 112 || value == 113 ? FLAG_YES : FLAG_WRONG;
}

static inline enum blas_flag blas_flag_of_letter(char letter)
{
    const char upper = (char)(letter & ~0x20);
    return upper == 'N' ? FLAG_NO : upper == 'T' || upper == 'C' ? FLAG_YES : FLAG_WRONG;
}

/* The form of a product as the choice sees it: by rows, 2 where A is transposed, 1 where B is. */
static inline int blas_form_of(const struct blas_gemm *c)
{
    return c->order == ORDER_ROWS ? c->transa * 2 + c->transb : c->transb * 2 + c->transa;
}

/* A right product on USKOR_BLAS_DEVICE; false where that is not possible. */
bool blas_product_on_device(const struct blas_gemm *call);

/* Computes a right product here, whatever its size: of one product, `batch` and steps are not looked at. */
void blas_product(const struct blas_gemm *call);

/* What every call begins with: finds the function beneath. Returns whether the call is passed on without a further
 * look: argument number `wrong` is not right (0: all are), or the family is refused. Where nothing is beneath, a wrong
 * argument is reported to the program's xerbla_ or cblas_xerbla, and the call is done. */
bool blas_passes_on(size_t slot, int wrong, bool *is_done);

/* 0, or the position of the first wrong argument as the reference BLAS counts them. */
int blas_check_gemm(const struct blas_gemm *call);
