/* uskor_gemm, uskor_gemm_batched: products of the caller's own matrices. */
#include <math.h>
#include <stdbool.h>

#include "base/size.h"
#include "kernels/matmul/fields.h"
#include "library/call.h"
#include "library/context.h"
#include "library/number.h"
#include "library/strided.h"

#define SIDE_MAXIMUM ((size_t)1 << 31)

struct arguments {
    enum uskor_number type, c_type;
    bool transpose_a, transpose_b;
    size_t m, n, k, lda, ldb, ldc, batch;
    double alpha, beta;
    bool is_strided; /* else the matrices of a batch follow one another */
    size_t steps[3]; /* of A, B and C */
    unsigned flags;
};

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static size_t field(const struct plan_key *key, enum field which)
{
    return (size_t)key->values[which].size;
}

/* The matrices as they are stored. */
static struct strided matrices_of(const struct plan_key *key, enum plan_array which)
{
    const bool ta = field(key, TRANSA), tb = field(key, TRANSB);
    const size_t m = field(key, M), n = field(key, N), k = field(key, K);
    const size_t bytes = element_info((enum element_type)key->type)->bytes, i = which == PLAN_TARGET ? 2 : which;
    struct strided matrices = {.function = "gemm", .element_bytes = bytes, .batch = field(key, BATCH)};
    if (which == PLAN_FIRST)
        matrices.name = "A", matrices.rows = ta ? k : m, matrices.columns = ta ? m : k;
    else if (which == PLAN_SECOND)
        matrices.name = "B", matrices.rows = tb ? n : k, matrices.columns = tb ? k : n;
    else
        matrices.name = "C", matrices.rows = m, matrices.columns = n;
    if (which == PLAN_TARGET && field(key, RESULT))
        matrices.element_bytes = sizeof(float);
    matrices.pitch = matrices.columns + field(key, LDA_PAD + i);
    matrices.step = key->values[STEP_A + i].size < 0 ? matrices.rows * matrices.pitch : field(key, STEP_A + i);
    return matrices;
}

/* With alpha = 0 no element of A and B is read. */
static enum status check_arrays(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    if (key->is_empty)
        return STATUS_OK;
    const struct strided a = matrices_of(key, PLAN_FIRST), b = matrices_of(key, PLAN_SECOND),
                         c = matrices_of(key, PLAN_TARGET);
    enum status status = strided_check(&c, arrays->target, c.element_bytes, error);
    if (status != STATUS_OK || key->values[ALPHA].real == 0)
        return status;
    status = strided_check(&a, arrays->first, a.element_bytes, error);
    if (status == STATUS_OK)
        status = strided_check(&b, arrays->second, b.element_bytes, error);
    if (status == STATUS_OK)
        status = strided_apart(&c, arrays->target, &a, arrays->first, error);
    if (status == STATUS_OK)
        status = strided_apart(&c, arrays->target, &b, arrays->second, error);
    return status;
}

static size_t tail(const struct plan_key *key, enum plan_array which)
{
    const struct strided matrices = matrices_of(key, which);
    return matrices.rows && matrices.batch ? (matrices.pitch - matrices.columns) * matrices.element_bytes : 0;
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

static enum status check_types(const struct arguments *a, enum element_type *type, enum element_type *c_type,
                               struct error *error)
{
    *type = number_element(a->type);
    *c_type = number_element(a->c_type);
    if (*type != ELEMENT_F32 && *type != ELEMENT_F64 && *type != ELEMENT_F16 && *type != ELEMENT_BF16)
        return fail(error, STATUS_INVALID, "gemm: no such type of elements; float32, float64, float16, bfloat16 are");
    if (*c_type != *type && !(element_is_half(*type) && *c_type == ELEMENT_F32))
        return fail(error, STATUS_INVALID, "gemm: C has the type of A and B, or is float32 where these are halves");
    if (a->flags & USKOR_HIGH_ACCURACY && *type == ELEMENT_F64)
        return fail(error, STATUS_INVALID, "gemm: the sums of float64 have no higher accuracy");
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
    if (status == STATUS_OK && a->flags & ~(USKOR_SAME_BITS | USKOR_HIGH_ACCURACY))
        status = fail(error, STATUS_INVALID,
                      "gemm: no such flags: %#x; USKOR_SAME_BITS and USKOR_HIGH_ACCURACY are possible", a->flags);
    if (status == STATUS_OK && !(isfinite(a->alpha) && isfinite(a->beta)))
        status = fail(error, STATUS_INVALID, "gemm: alpha and beta are finite numbers");
    return status;
}

/* The gaps of the matrices, which are looked at even where these are empty. */
static enum status set_gaps(const struct arguments *a, struct plan_key *key, struct error *error)
{
    static const enum plan_array arrays[] = {PLAN_FIRST, PLAN_SECOND, PLAN_TARGET};
    const size_t pitches[] = {a->lda, a->ldb, a->ldc};
    for (size_t i = 0; i < COUNT_OF(arrays); i++) {
        struct strided matrices = matrices_of(key, arrays[i]);
        const bool fits = size_multiply(matrices.rows, pitches[i], &matrices.step);
        const size_t following = matrices.step;
        matrices.pitch = pitches[i];
        if (a->is_strided)
            matrices.step = a->steps[i];
        enum status status = strided_measure(&matrices, arrays[i] == PLAN_TARGET, error);
        if (status != STATUS_OK)
            return status;
        key->values[LDA_PAD + i].size = (int64_t)(matrices.pitch - matrices.columns);
        key->values[STEP_A + i].size =
            a->batch <= 1 || (fits && matrices.step == following) ? -1 : (int64_t)matrices.step;
    }
    return STATUS_OK;
}

/* All that can be wrong with types, sizes and factors. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    enum element_type type, c_type;
    enum status status = check_types(a, &type, &c_type, error);
    if (status == STATUS_OK)
        status = check_sides(a, error);
    if (status != STATUS_OK)
        return status;
    const union field_value values[FIELDS] = {
        [M] = {(int64_t)a->m},
        [N] = {(int64_t)a->n},
        [K] = {(int64_t)a->k},
        [ALPHA] = {.real = a->alpha},
        [BETA] = {.real = a->beta},
        [TRANSA] = {a->transpose_a},
        [TRANSB] = {a->transpose_b},
        [BATCH] = {(int64_t)a->batch},
        [RESULT] = {c_type != type},
        [STEP_A] = {-1},
        [STEP_B] = {-1},
        [STEP_C] = {-1},
        [PRECISION] = {(a->flags & USKOR_HIGH_ACCURACY) != 0},
    };
    const bool is_empty = a->m == 0 || a->n == 0 || a->batch == 0;
    *key = plan_key(&operation, type, is_empty, values);
    key->keeps_rung = (a->flags & USKOR_SAME_BITS) != 0;
    return set_gaps(a, key, error);
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

/* Of the functions' parameters, which have these names; what is behind is set apart. */
#define ARGUMENTS(type_of_c, count, ...)                                                                              \
    {                                                                                                                 \
        .type = type, .c_type = type_of_c, .transpose_a = transpose_a != 0, .transpose_b = transpose_b != 0, .m = m,  \
        .n = n, .k = k, .lda = lda, .ldb = ldb, .ldc = ldc, .batch = count, .alpha = alpha, .beta = beta, __VA_ARGS__ \
    }

enum uskor_status uskor_gemm(struct uskor *context, enum uskor_number type, int transpose_a, int transpose_b, size_t m,
                             size_t n, size_t k, double alpha, const void *a, size_t lda, const void *b, size_t ldb,
                             double beta, void *c, size_t ldc)
{
    const struct arguments arguments = ARGUMENTS(type, 1);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = c, .first = a, .second = b});
}

enum uskor_status uskor_gemm_batched(struct uskor *context, enum uskor_number type, enum uskor_number c_type,
                                     int transpose_a, int transpose_b, size_t m, size_t n, size_t k, double alpha,
                                     const void *a, size_t lda, const void *b, size_t ldb, double beta, void *c,
                                     size_t ldc, size_t batch)
{
    const struct arguments arguments = ARGUMENTS(c_type, batch);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = c, .first = a, .second = b});
}

enum uskor_status uskor_plan_gemm(struct uskor *context, struct uskor_plan **plan, enum uskor_number type,
                                  enum uskor_number c_type, int transpose_a, int transpose_b, size_t m, size_t n,
                                  size_t k, double alpha, size_t lda, size_t ldb, double beta, size_t ldc, size_t batch)
{
    const struct arguments arguments = ARGUMENTS(c_type, batch);
    return call_plan(context, plan, make_key, &arguments);
}

enum uskor_status uskor_gemm_strided(struct uskor *context, enum uskor_number type, enum uskor_number c_type,
                                     int transpose_a, int transpose_b, size_t m, size_t n, size_t k, double alpha,
                                     const void *a, size_t lda, size_t step_a, const void *b, size_t ldb, size_t step_b,
                                     double beta, void *c, size_t ldc, size_t step_c, size_t batch, unsigned flags)
{
    const struct arguments arguments =
        ARGUMENTS(c_type, batch, .is_strided = true, .steps = {step_a, step_b, step_c}, .flags = flags);
    return call_run(context, make_key, &arguments, (struct plan_arrays){.target = c, .first = a, .second = b});
}

enum uskor_status uskor_plan_gemm_strided(struct uskor *context, struct uskor_plan **plan, enum uskor_number type,
                                          enum uskor_number c_type, int transpose_a, int transpose_b, size_t m,
                                          size_t n, size_t k, double alpha, size_t lda, size_t step_a, size_t ldb,
                                          size_t step_b, double beta, size_t ldc, size_t step_c, size_t batch,
                                          unsigned flags)
{
    const struct arguments arguments =
        ARGUMENTS(c_type, batch, .is_strided = true, .steps = {step_a, step_b, step_c}, .flags = flags);
    return call_plan(context, plan, make_key, &arguments);
}
