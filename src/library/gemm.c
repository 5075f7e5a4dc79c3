/* uskor_gemm, uskor_gemm_batched: products of the caller's own matrices. */
#include <math.h>
#include <stdint.h>

#include "base/size.h"
#include "library/call.h"
#include "library/context.h"
#include "library/number.h"
#include "library/overlap.h"

#define SIDE_MAXIMUM ((size_t)1 << 31)

/* The fields of the kernel, in its order. */
enum field { M, N, K, ALPHA, BETA, TRANSA, TRANSB, LDA_PAD, LDB_PAD, LDC_PAD, INPUT, BATCH, RESULT, FIELDS };

struct arguments {
    enum uskor_number type, c_type;
    bool transpose_a, transpose_b;
    size_t m, n, k, lda, ldb, ldc, batch;
    double alpha, beta;
};

/* A matrix as stored: `columns` of the `pitch` elements of each row are its own. */
struct matrix {
    const char *name;
    size_t rows, columns, pitch, element_bytes;
};

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static size_t field(const struct plan_key *key, enum field which)
{
    return (size_t)key->values[which].size;
}

static struct matrix matrix_of(const struct plan_key *key, enum plan_array which)
{
    const bool ta = field(key, TRANSA), tb = field(key, TRANSB);
    const size_t m = field(key, M), n = field(key, N), k = field(key, K), batch = field(key, BATCH);
    const size_t bytes = element_info((enum element_type)key->type)->bytes;
    if (which == PLAN_FIRST)
        return (struct matrix){"A", batch * (ta ? k : m), ta ? m : k, (ta ? m : k) + field(key, LDA_PAD), bytes};
    if (which == PLAN_SECOND)
        return (struct matrix){"B", batch * (tb ? n : k), tb ? k : n, (tb ? k : n) + field(key, LDB_PAD), bytes};
    return (struct matrix){"C", batch * m, n, n + field(key, LDC_PAD), field(key, RESULT) ? sizeof(float) : bytes};
}

/* From the first element to behind the last one; sizes have been checked. */
static size_t span_of(const struct matrix *matrix)
{
    return matrix->rows && matrix->columns
               ? ((matrix->rows - 1) * matrix->pitch + matrix->columns) * matrix->element_bytes
               : 0;
}

static enum status check_array(const struct matrix *matrix, const void *data, struct error *error)
{
    if (span_of(matrix) > 0 && !data)
        return fail(error, STATUS_INVALID, "gemm: %s is NULL", matrix->name);
    if ((uintptr_t)data % matrix->element_bytes != 0)
        return fail(error, STATUS_INVALID, "gemm: %s is not at a multiple of its elements' %zu bytes", matrix->name,
                    matrix->element_bytes);
    return STATUS_OK;
}

/* With alpha = 0 no element of A and B is read. */
static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const struct matrix a = matrix_of(key, PLAN_FIRST), b = matrix_of(key, PLAN_SECOND),
                        c = matrix_of(key, PLAN_TARGET);
    if (key->is_empty)
        return STATUS_OK;
    enum status status = check_array(&c, arrays->target, error);
    if (status != STATUS_OK || key->values[ALPHA].real == 0)
        return status;
    status = check_array(&a, arrays->first, error);
    if (status == STATUS_OK)
        status = check_array(&b, arrays->second, error);
    if (status == STATUS_OK && (overlaps(arrays->target, span_of(&c), arrays->first, span_of(&a)) ||
                                overlaps(arrays->target, span_of(&c), arrays->second, span_of(&b))))
        status = fail(error, STATUS_INVALID, "gemm: C overlaps A or B");
    return status;
}

static size_t tail(const struct plan_key *key, enum plan_array which)
{
    const struct matrix matrix = matrix_of(key, which);
    return matrix.rows ? (matrix.pitch - matrix.columns) * matrix.element_bytes : 0;
}

static const struct operation operation = {"matmul",     FIELDS, 3, {PLAN_FIRST, PLAN_SECOND, PLAN_TARGET},
                                           check_arrays, tail};

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

static enum status check_side(const char *name, size_t side, struct error *error)
{
    return side <= SIDE_MAXIMUM
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "gemm: %s of %zu; at most %zu is possible", name, side, SIDE_MAXIMUM);
}

/* Whether the matrix fits in memory, and its rows in its leading dimension. */
static enum status check_matrix(const struct matrix *matrix, size_t pitch, struct error *error)
{
    size_t bytes;
    if (pitch < matrix->columns || pitch - matrix->columns > SIDE_MAXIMUM)
        return fail(error, STATUS_INVALID, "gemm: a leading dimension of %zu for rows of %zu elements of %s", pitch,
                    matrix->columns, matrix->name);
    if (!size_multiply(matrix->rows, pitch, &bytes) || !size_multiply(bytes, matrix->element_bytes, &bytes) ||
        bytes > PTRDIFF_MAX)
        return fail(error, STATUS_INVALID, "gemm: %zu rows of %zu elements of %s fit in no memory", matrix->rows, pitch,
                    matrix->name);
    return STATUS_OK;
}

static enum status check_types(const struct arguments *a, enum element_type *type, enum element_type *c_type,
                               struct error *error)
{
    *type = number_element(a->type);
    *c_type = number_element(a->c_type);
    if (*type != ELEMENT_F32 && *type != ELEMENT_F64 && *type != ELEMENT_F16 && *type != ELEMENT_BF16)
        return fail(error, STATUS_INVALID, "gemm: no such type of elements; float32, float64, float16, bfloat16 are");
    if (*c_type != *type && !(element_is_half(*type) && *c_type == ELEMENT_F32))
        return fail(error, STATUS_INVALID, "gemm: C has the type of A and B, or is float32 where these are halves");
    return STATUS_OK;
}

static enum status check_sides(const struct arguments *a, struct error *error)
{
    const struct {
        const char *name;
        size_t side;
    } sides[] = {{"m", a->m}, {"n", a->n}, {"k", a->k}, {"a batch", a->batch}};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(sides); i++)
        status = check_side(sides[i].name, sides[i].side, error);
    if (status == STATUS_OK && !(isfinite(a->alpha) && isfinite(a->beta)))
        status = fail(error, STATUS_INVALID, "gemm: alpha and beta are finite numbers");
    return status;
}

/* All that can be wrong with types, sizes and factors. Leading dimensions are looked at even where a matrix is empty.
 */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    enum element_type type, c_type;
    enum status status = check_types(a, &type, &c_type, error);
    if (status == STATUS_OK)
        status = check_sides(a, error);
    if (status != STATUS_OK)
        return status;
    union field_value values[FIELDS] = {
        [M] = {(int64_t)a->m},        [N] = {(int64_t)a->n},         [K] = {(int64_t)a->k},
        [ALPHA] = {.real = a->alpha}, [BETA] = {.real = a->beta},    [TRANSA] = {a->transpose_a},
        [TRANSB] = {a->transpose_b},  [BATCH] = {(int64_t)a->batch}, [RESULT] = {c_type != type},
    };
    const bool is_empty = a->m == 0 || a->n == 0 || a->batch == 0;
    *key = plan_key(&operation, type, is_empty, values);
    static const enum plan_array arrays[] = {PLAN_FIRST, PLAN_SECOND, PLAN_TARGET};
    const size_t pitches[] = {a->lda, a->ldb, a->ldc};
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        const struct matrix matrix = matrix_of(key, arrays[i]);
        if ((status = check_matrix(&matrix, pitches[i], error)) != STATUS_OK)
            return status;
        key->values[LDA_PAD + i].size = (int64_t)(pitches[i] - matrix.columns);
    }
    return STATUS_OK;
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

enum uskor_status uskor_gemm(struct uskor *context, enum uskor_number type, int transpose_a, int transpose_b, size_t m,
                             size_t n, size_t k, double alpha, const void *a, size_t lda, const void *b, size_t ldb,
                             double beta, void *c, size_t ldc)
{
    const struct arguments arguments = {type,  type, transpose_a != 0, transpose_b != 0, m, n, k, lda, ldb, ldc, 1,
                                        alpha, beta};
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = c, .first = a, .second = b});
}

enum uskor_status uskor_gemm_batched(struct uskor *context, enum uskor_number type, enum uskor_number c_type,
                                     int transpose_a, int transpose_b, size_t m, size_t n, size_t k, double alpha,
                                     const void *a, size_t lda, const void *b, size_t ldb, double beta, void *c,
                                     size_t ldc, size_t batch)
{
    const struct arguments arguments = {
        type, c_type, transpose_a != 0, transpose_b != 0, m, n, k, lda, ldb, ldc, batch, alpha, beta};
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = c, .first = a, .second = b});
}

enum uskor_status uskor_plan_gemm(struct uskor *context, struct uskor_plan **plan, enum uskor_number type,
                                  enum uskor_number c_type, int transpose_a, int transpose_b, size_t m, size_t n,
                                  size_t k, double alpha, size_t lda, size_t ldb, double beta, size_t ldc, size_t batch)
{
    const struct arguments arguments = {
        type, c_type, transpose_a != 0, transpose_b != 0, m, n, k, lda, ldb, ldc, batch, alpha, beta};
    return call_plan(context, plan, make_key, &arguments);
}
