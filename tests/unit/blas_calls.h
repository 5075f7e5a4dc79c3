/* Calls of libuskor-blas.so by any of its names, and what they must give. Numbers are small integers, so that sums in
 * any order are exact and results are compared bit for bit. Integers of 32 bits have rubbish in the upper half of their
 * register or memory, which nobody may look at. */
#pragma once

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "blas/names.h"

#define GAP -77 /* behind each line; is to stay */

struct blas_problem {
    size_t slot;
    bool by_rows, transa, transb, upper;
    int64_t m, n, k, pad, batch, incx, incy;
    double alpha, beta;
    uint32_t word; /* of the numbers */
};

static inline int bits_of(size_t slot)
{
    static const int bits[] = {
#define OF_FAMILY(family, width, ...) [FAMILY_##family] = width,
        BLAS_FAMILIES(OF_FAMILY)};
    return bits[blas_family(slot)];
}

static inline uint32_t random_word(uint32_t *word)
{
    *word = *word * 1664525 + 1013904223;
    return *word >> 8;
}

/* An integer as a caller leaves it. */
static inline int64_t wide(size_t slot, int64_t value)
{
    return bits_of(slot) == 64 ? value : (int64_t)(UINT64_C(0xA5A5A5A5) << 32 | (uint32_t)value);
}

static inline double get(size_t slot, const void *data, int64_t index)
{
    return blas_real(slot) == REAL_DOUBLE ? ((const double *)data)[index] : (double)((const float *)data)[index];
}

static inline void put(size_t slot, void *data, int64_t index, double value)
{
    if (blas_real(slot) == REAL_DOUBLE)
        ((double *)data)[index] = value;
    else
        ((float *)data)[index] = (float)value;
}

static inline size_t real_bytes(size_t slot)
{
    return blas_real(slot) == REAL_DOUBLE ? sizeof(double) : sizeof(float);
}

/* A stored matrix: lines are rows, or columns where the arrays are by columns. */
struct stored {
    int64_t lines, length, pitch;
    void *data;
};

static inline struct stored store(const struct blas_problem *p, int64_t rows, int64_t columns, uint32_t *word)
{
    struct stored s = {p->by_rows ? rows : columns, p->by_rows ? columns : rows, 0, NULL};
    s.pitch = (s.length > 1 ? s.length : 1) + p->pad;
    s.data = calloc((size_t)(s.lines * s.pitch * p->batch + 1), real_bytes(p->slot));
    for (int64_t i = 0; s.data && i < s.lines * s.pitch * p->batch; i++)
        put(p->slot, s.data, i, i % s.pitch < s.length ? (double)(random_word(word) % 9) - 4 : GAP);
    return s;
}

/* Where element [i][j] of matrix `index` is. */
static inline int64_t at(const struct blas_problem *p, const struct stored *s, int64_t index, int64_t i, int64_t j)
{
    return index * s->lines * s->pitch + (p->by_rows ? i * s->pitch + j : j * s->pitch + i);
}

/* ---- gemm and its batches ---------------------------------------------------------------------------------------- */

#define ORDER(p) ((p)->by_rows ? 101 : 102)
#define TRANS(flag) (111 + (flag))
#define LETTER(flag) (&"NTnC"[flag])

#define GEMM_CALL(REAL)                                                                                                \
    static inline void call_gemm_##REAL(void *f, const struct blas_problem *p, const struct stored *a,                 \
                                        const struct stored *b, const struct stored *c)                                \
    {                                                                                                                  \
        const size_t s = p->slot;                                                                                      \
        const REAL alpha = (REAL)p->alpha, beta = (REAL)p->beta;                                                       \
        const int64_t m = wide(s, p->m), n = wide(s, p->n), k = wide(s, p->k), lda = wide(s, a->pitch),                \
                      ldb = wide(s, b->pitch), ldc = wide(s, c->pitch), sa = wide(s, a->lines * a->pitch),             \
                      sb = wide(s, b->lines * b->pitch), sc = wide(s, c->lines * c->pitch), batch = wide(s, p->batch); \
        const bool strided = blas_routine(s) == ROUTINE_GEMM_BATCH_STRIDED;                                            \
        typedef const int64_t *I;                                                                                      \
        typedef const void *V;                                                                                         \
        if (blas_form(s) == FORM_FORTRAN && strided)                                                                   \
            ((void (*)(const char *, const char *, I, I, I, const REAL *, V, I, I, V, I, I, const REAL *, void *, I,   \
                       I, I))f)(LETTER(p->transa), LETTER(p->transb), &m, &n, &k, &alpha, a->data, &lda, &sa, b->data, \
                                &ldb, &sb, &beta, c->data, &ldc, &sc, &batch);                                         \
        else if (blas_form(s) == FORM_FORTRAN)                                                                         \
            ((void (*)(const char *, const char *, I, I, I, const REAL *, V, I, V, I, const REAL *, void *, I, size_t, \
                       size_t))f)(LETTER(p->transa), LETTER(p->transb), &m, &n, &k, &alpha, a->data, &lda, b->data,    \
                                  &ldb, &beta, c->data, &ldc, 1, 1);                                                   \
        else if (strided)                                                                                              \
            ((void (*)(int, int, int, int64_t, int64_t, int64_t, REAL, V, int64_t, int64_t, V, int64_t, int64_t, REAL, \
                       void *, int64_t, int64_t, int64_t))f)(ORDER(p), TRANS(p->transa), TRANS(p->transb), m, n, k,    \
                                                             alpha, a->data, lda, sa, b->data, ldb, sb, beta, c->data, \
                                                             ldc, sc, batch);                                          \
        else                                                                                                           \
            ((void (*)(int, int, int, int64_t, int64_t, int64_t, REAL, V, int64_t, V, int64_t, REAL, void *,           \
                       int64_t))f)(ORDER(p), TRANS(p->transa), TRANS(p->transb), m, n, k, alpha, a->data, lda,         \
                                   b->data, ldb, beta, c->data, ldc);                                                  \
    }
GEMM_CALL(float)
GEMM_CALL(double)

/* One group of all products, and before it one of none. */
#define GROUP_CALL(REAL, INT)                                                                                     \
    static inline void call_groups_##REAL##_##INT(void *f, const struct blas_problem *p, const struct stored *a,  \
                                                  const struct stored *b, const struct stored *c)                 \
    {                                                                                                             \
        const REAL alpha[] = {9, (REAL)p->alpha}, beta[] = {9, (REAL)p->beta};                                    \
        const INT m[] = {3, (INT)p->m}, n[] = {3, (INT)p->n}, k[] = {3, (INT)p->k}, sizes[] = {0, (INT)p->batch}; \
        const INT lda[] = {3, (INT)a->pitch}, ldb[] = {3, (INT)b->pitch}, ldc[] = {3, (INT)c->pitch}, two = 2;    \
        const int ta[] = {111, TRANS(p->transa)}, tb[] = {111, TRANS(p->transb)};                                 \
        const char la[] = {'N', *LETTER(p->transa)}, lb[] = {'N', *LETTER(p->transb)};                            \
        void *as[64], *bs[64], *cs[64];                                                                           \
        for (int64_t i = 0; i < p->batch; i++) {                                                                  \
            as[i] = (REAL *)a->data + i * a->lines * a->pitch;                                                    \
            bs[i] = (REAL *)b->data + i * b->lines * b->pitch;                                                    \
            cs[i] = (REAL *)c->data + i * c->lines * c->pitch;                                                    \
        }                                                                                                         \
        typedef const INT *I;                                                                                     \
        typedef const REAL *R;                                                                                    \
        if (blas_form(p->slot) == FORM_FORTRAN)                                                                   \
            ((void (*)(const char *, const char *, I, I, I, R, void **, I, void **, I, R, void **, I, I, I))f)(   \
                la, lb, m, n, k, alpha, as, lda, bs, ldb, beta, cs, ldc, &two, sizes);                            \
        else                                                                                                      \
            ((void (*)(int, const int *, const int *, I, I, I, R, void **, I, void **, I, R, void **, I, int64_t, \
                       I))f)(ORDER(p), ta, tb, m, n, k, alpha, as, lda, bs, ldb, beta, cs, ldc, wide(p->slot, 2), \
                             sizes);                                                                              \
    }
GROUP_CALL(float, int32_t)
GROUP_CALL(float, int64_t)
GROUP_CALL(double, int32_t)
GROUP_CALL(double, int64_t)

static inline void call_product(void *f, const struct blas_problem *p, const struct stored *a, const struct stored *b,
                                const struct stored *c)
{
    const bool is_double = blas_real(p->slot) == REAL_DOUBLE, is_wide = bits_of(p->slot) == 64;
    if (blas_routine(p->slot) == ROUTINE_GEMM_BATCH)
        (is_double ? is_wide ? call_groups_double_int64_t : call_groups_double_int32_t
         : is_wide ? call_groups_float_int64_t
                   : call_groups_float_int32_t)(f, p, a, b, c);
    else
        (is_double ? call_gemm_double : call_gemm_float)(f, p, a, b, c);
}

/* op(A)·op(B) at [i][j], in double. */
static inline double sum_at(const struct blas_problem *p, const struct stored *a, const struct stored *b, int64_t index,
                            int64_t i, int64_t j)
{
    double sum = 0;
    for (int64_t l = 0; l < p->k; l++)
        sum += get(p->slot, a->data, p->transa ? at(p, a, index, l, i) : at(p, a, index, i, l)) *
               get(p->slot, b->data, p->transb ? at(p, b, index, j, l) : at(p, b, index, l, j));
    return sum;
}

/* NaN stands in C where beta is 0: nobody reads it. */
static inline void hide(const struct blas_problem *p, struct stored *c)
{
    for (int64_t i = 0; p->beta == 0 && i < c->lines * c->pitch * p->batch; i++)
        if (i % c->pitch < c->length)
            put(p->slot, c->data, i, NAN);
}

static inline bool same(size_t slot, const void *a, const void *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(get(slot, a, i) == get(slot, b, i)) && !(isnan(get(slot, a, i)) && isnan(get(slot, b, i))))
            return false;
    return true;
}

static inline void *copy_of(const struct blas_problem *p, const struct stored *s)
{
    const size_t bytes = (size_t)(s->lines * s->pitch * p->batch + 1) * real_bytes(p->slot);
    void *copy = malloc(bytes);
    return copy ? memcpy(copy, s->data, bytes) : NULL;
}

/* Whether `f`, a function with the problem's name, gives what it must. */
static inline bool product_is_right(void *f, const struct blas_problem *p)
{
    uint32_t word = p->word;
    struct stored a = store(p, p->transa ? p->k : p->m, p->transa ? p->m : p->k, &word);
    struct stored b = store(p, p->transb ? p->n : p->k, p->transb ? p->k : p->n, &word);
    struct stored c = store(p, p->m, p->n, &word);
    hide(p, &c);
    void *expected = copy_of(p, &c);
    for (int64_t index = 0; index < p->batch; index++)
        for (int64_t i = 0; i < p->m; i++)
            for (int64_t j = 0; j < p->n; j++) {
                const int64_t place = at(p, &c, index, i, j);
                const double old = p->beta == 0 ? 0 : p->beta * get(p->slot, c.data, place);
                put(p->slot, expected, place, p->alpha * sum_at(p, &a, &b, index, i, j) + old);
            }
    call_product(f, p, &a, &b, &c);
    const bool right = same(p->slot, expected, c.data, c.lines * c.pitch * p->batch);
    free(a.data), free(b.data), free(c.data), free(expected);
    return right;
}

/* ---- syrk -------------------------------------------------------------------------------------------------------- */

#define SYRK_CALL(REAL)                                                                                               \
    static inline void call_syrk_##REAL(void *f, const struct blas_problem *p, const struct stored *a,                \
                                        const struct stored *c)                                                       \
    {                                                                                                                 \
        const size_t s = p->slot;                                                                                     \
        const REAL alpha = (REAL)p->alpha, beta = (REAL)p->beta;                                                      \
        const int64_t n = wide(s, p->n), k = wide(s, p->k), lda = wide(s, a->pitch), ldc = wide(s, c->pitch);         \
        typedef const int64_t *I;                                                                                     \
        if (blas_form(s) == FORM_FORTRAN)                                                                             \
            ((void (*)(const char *, const char *, I, I, const REAL *, const void *, I, const REAL *, void *, I,      \
                       size_t, size_t))f)(&"Lu"[p->upper], LETTER(p->transa), &n, &k, &alpha, a -> data, &lda, &beta, \
                                          c -> data, &ldc, 1, 1);                                                     \
        else                                                                                                          \
            ((void (*)(int, int, int, int64_t, int64_t, REAL, const void *, int64_t, REAL, void *, int64_t))f)(       \
                ORDER(p), p->upper ? 121 : 122, TRANS(p->transa), n, k, alpha, a->data, lda, beta, c->data, ldc);     \
    }
SYRK_CALL(float)
SYRK_CALL(double)

static inline bool syrk_is_right(void *f, const struct blas_problem *given)
{
    struct blas_problem one = *given, *p = &one;
    p->batch = 1;
    p->m = p->n;
    p->transb = !p->transa; /* of the same array */
    uint32_t word = p->word;
    struct stored a = store(p, p->transa ? p->k : p->n, p->transa ? p->n : p->k, &word),
                  c = store(p, p->n, p->n, &word);
    hide(p, &c);
    void *expected = copy_of(p, &c);
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j < p->n; j++)
            if (i == j || (j > i) == p->upper) {
                const int64_t place = at(p, &c, 0, i, j);
                const double old = p->beta == 0 ? 0 : p->beta * get(p->slot, c.data, place);
                put(p->slot, expected, place, p->alpha * sum_at(p, &a, &a, 0, i, j) + old);
            }
    (blas_real(p->slot) == REAL_DOUBLE ? call_syrk_double : call_syrk_float)(f, p, &a, &c);
    const bool right = same(p->slot, expected, c.data, c.lines * c.pitch);
    free(a.data), free(c.data), free(expected);
    return right;
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static inline void *store_vector(size_t slot, int64_t count, int64_t step, uint32_t *word)
{
    const int64_t all = count * (step < 0 ? -step : step) + 2;
    void *data = calloc((size_t)all, real_bytes(slot));
    for (int64_t i = 0; data && i < all; i++)
        put(slot, data, i, (double)(random_word(word) % 9) - 4);
    return data;
}

static inline int64_t place_in(int64_t index, int64_t count, int64_t step)
{
    return (step < 0 ? (1 - count) * step : 0) + index * step;
}

#define VECTOR_CALLS(REAL)                                                                                            \
    static inline void call_gemv_##REAL(void *f, const struct blas_problem *p, const struct stored *a, const void *x, \
                                        void *y)                                                                      \
    {                                                                                                                 \
        const size_t s = p->slot;                                                                                     \
        const REAL alpha = (REAL)p->alpha, beta = (REAL)p->beta;                                                      \
        const int64_t m = wide(s, p->m), n = wide(s, p->n), lda = wide(s, a->pitch), incx = wide(s, p->incx),         \
                      incy = wide(s, p->incy);                                                                        \
        typedef const int64_t *I;                                                                                     \
        if (blas_form(s) == FORM_FORTRAN)                                                                             \
            ((void (*)(const char *, I, I, const REAL *, const void *, I, const void *, I, const REAL *, void *, I,   \
                       size_t))f)(LETTER(p->transa), &m, &n, &alpha, a->data, &lda, x, &incx, &beta, y, &incy, 1);    \
        else                                                                                                          \
            ((void (*)(int, int, int64_t, int64_t, REAL, const void *, int64_t, const void *, int64_t, REAL, void *,  \
                       int64_t))f)(ORDER(p), TRANS(p->transa), m, n, alpha, a->data, lda, x, incx, beta, y, incy);    \
    }                                                                                                                 \
    static inline double call_dot_##REAL(void *f, const struct blas_problem *p, const void *x, const void *y)         \
    {                                                                                                                 \
        const size_t s = p->slot;                                                                                     \
        const int64_t n = wide(s, p->n), incx = wide(s, p->incx), incy = wide(s, p->incy);                            \
        typedef const int64_t *I;                                                                                     \
        if (blas_form(s) == FORM_FORTRAN)                                                                             \
            return (double)((REAL(*)(I, const void *, I, const void *, I))f)(&n, x, &incx, y, &incy);                 \
        return (double)((REAL(*)(int64_t, const void *, int64_t, const void *, int64_t))f)(n, x, incx, y, incy);      \
    }
VECTOR_CALLS(float)
VECTOR_CALLS(double)

static inline bool gemv_is_right(void *f, const struct blas_problem *given)
{
    struct blas_problem one = *given, *p = &one;
    p->batch = 1;
    const size_t s = p->slot;
    const int64_t rows = p->transa ? p->n : p->m, depth = p->transa ? p->m : p->n;
    uint32_t word = p->word;
    struct stored a = store(p, p->m, p->n, &word);
    void *x = store_vector(s, depth, p->incx, &word), *y = store_vector(s, rows, p->incy, &word);
    struct stored of_y = {1, rows * (int64_t)llabs(p->incy) + 1, rows * (int64_t)llabs(p->incy) + 1, y};
    for (int64_t i = 0; p->beta == 0 && i < rows; i++)
        put(s, y, place_in(i, rows, p->incy), NAN);
    void *expected = copy_of(p, &of_y);
    for (int64_t i = 0; rows > 0 && depth > 0 && i < rows; i++) {
        double sum = 0;
        for (int64_t l = 0; l < depth; l++)
            sum += get(s, a.data, p->transa ? at(p, &a, 0, l, i) : at(p, &a, 0, i, l)) *
                   get(s, x, place_in(l, depth, p->incx));
        const int64_t place = place_in(i, rows, p->incy);
        put(s, expected, place, p->alpha * sum + (p->beta == 0 ? 0 : p->beta * get(s, y, place)));
    }
    (blas_real(s) == REAL_DOUBLE ? call_gemv_double : call_gemv_float)(f, p, &a, x, y);
    const bool right = same(s, expected, y, of_y.length);
    free(a.data), free(x), free(y), free(expected);
    return right;
}

static inline bool dot_is_right(void *f, const struct blas_problem *p)
{
    uint32_t word = p->word;
    void *x = store_vector(p->slot, p->n, p->incx, &word), *y = store_vector(p->slot, p->n, p->incy, &word);
    double sum = 0;
    for (int64_t i = 0; i < p->n; i++)
        sum += get(p->slot, x, place_in(i, p->n, p->incx)) * get(p->slot, y, place_in(i, p->n, p->incy));
    const double found = (blas_real(p->slot) == REAL_DOUBLE ? call_dot_double : call_dot_float)(f, p, x, y);
    free(x), free(y);
    return found == sum;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

#define COPY_CALL(REAL)                                                                                                \
    static inline void call_copy_##REAL(void *f, const struct blas_problem *p, void *a, int64_t lda_, void *b,         \
                                        int64_t ldb_)                                                                  \
    {                                                                                                                  \
        const size_t s = p->slot;                                                                                      \
        const REAL alpha = (REAL)p->alpha;                                                                             \
        const int64_t rows = wide(s, p->m), cols = wide(s, p->n), lda = wide(s, lda_), ldb = wide(s, ldb_);            \
        typedef const int64_t *I;                                                                                      \
        const char *order = p->by_rows ? "R" : "c";                                                                    \
        if (blas_form(s) == FORM_FORTRAN && b)                                                                         \
            ((void (*)(const char *, const char *, I, I, const REAL *, void *, I, void *, I))f)(                       \
                order, LETTER(p->transa), &rows, &cols, &alpha, a, &lda, b, &ldb);                                     \
        else if (blas_form(s) == FORM_FORTRAN)                                                                         \
            ((void (*)(const char *, const char *, I, I, const REAL *, void *, I, I))f)(                               \
                order, LETTER(p->transa), &rows, &cols, &alpha, a, &lda, &ldb);                                        \
        else if (b)                                                                                                    \
            ((void (*)(int, int, int64_t, int64_t, REAL, void *, int64_t, void *, int64_t))f)(                         \
                ORDER(p), TRANS(p->transa), rows, cols, alpha, a, lda, b, ldb);                                        \
        else                                                                                                           \
            ((void (*)(int, int, int64_t, int64_t, REAL, void *, int64_t, int64_t))f)(ORDER(p), TRANS(p->transa),      \
                                                                                      rows, cols, alpha, a, lda, ldb); \
    }
COPY_CALL(float)
COPY_CALL(double)

static inline bool copy_is_right(void *f, const struct blas_problem *given)
{
    struct blas_problem one = *given, *p = &one;
    p->batch = 1;
    const size_t s = p->slot;
    const bool in_place = blas_routine(s) == ROUTINE_IMATCOPY;
    uint32_t word = p->word;
    if (in_place) /* lines follow one another, so that both matrices fit in the array */
        p->pad = 0, p->m += p->m == 0, p->n += p->n == 0;
    struct stored a = store(p, p->m, p->n, &word),
                  b = store(p, p->transa ? p->n : p->m, p->transa ? p->m : p->n, &word);
    void *expected = copy_of(p, &b);
    for (int64_t i = 0; i < p->m; i++)
        for (int64_t j = 0; j < p->n; j++)
            put(s, expected, p->transa ? at(p, &b, 0, j, i) : at(p, &b, 0, i, j),
                p->alpha * get(s, a.data, at(p, &a, 0, i, j)));
    (blas_real(s) == REAL_DOUBLE ? call_copy_double : call_copy_float)(f, p, a.data, a.pitch, in_place ? NULL : b.data,
                                                                       b.pitch);
    const bool right = same(s, expected, in_place ? a.data : b.data, b.lines * b.pitch);
    free(a.data), free(b.data), free(expected);
    return right;
}

/* ---- any name ---------------------------------------------------------------------------------------------------- */

/* A random problem of the name; sides are at most `side`. */
static inline struct blas_problem random_problem(size_t slot, uint32_t side, uint32_t *word)
{
    static const double alphas[] = {1, 1, 0, -2, 0.5}, betas[] = {0, 0, 1, -1};
    static const int64_t steps[] = {1, 1, 2, -1, -3};
    struct blas_problem p = {
        .slot = slot,
        .by_rows = (blas_form(slot) == FORM_CBLAS || blas_routine(slot) >= ROUTINE_OMATCOPY) && random_word(word) % 2,
        .transa = random_word(word) % 2,
        .transb = random_word(word) % 2,
        .upper = random_word(word) % 2,
        .m = random_word(word) % (side + 1),
        .n = random_word(word) % (side + 1),
        .k = random_word(word) % (side + 1),
        .pad = random_word(word) % 3,
        .batch = 1,
        .incx = steps[random_word(word) % 5],
        .incy = steps[random_word(word) % 5],
        .alpha = alphas[random_word(word) % 5],
        .beta = betas[random_word(word) % 4],
    };
    if (blas_routine(slot) == ROUTINE_GEMM_BATCH || blas_routine(slot) == ROUTINE_GEMM_BATCH_STRIDED)
        p.batch = random_word(word) % 6;
    if (blas_routine(slot) >=
        ROUTINE_OMATCOPY) { /* OpenBLAS 0.3.21 refuses 0, and writes behind its copy with alpha 0 */
        p.alpha += p.alpha == 0;
        p.m += p.m == 0;
        p.n += p.n == 0;
    }
    p.word = random_word(word);
    return p;
}

static inline bool call_is_right(void *f, const struct blas_problem *p)
{
    static bool (*const checks[])(void *, const struct blas_problem *) = {
        [ROUTINE_GEMM] = product_is_right,  [ROUTINE_GEMM_BATCH] = product_is_right,
        [ROUTINE_SYRK] = syrk_is_right,     [ROUTINE_GEMM_BATCH_STRIDED] = product_is_right,
        [ROUTINE_GEMV] = gemv_is_right,     [ROUTINE_DOT] = dot_is_right,
        [ROUTINE_OMATCOPY] = copy_is_right, [ROUTINE_IMATCOPY] = copy_is_right,
    };
    return checks[blas_routine(p->slot)](f, p);
}
