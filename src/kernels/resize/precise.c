/* Channels of any type, interpolated in double: exact for integers of 16 bits wherever weights are multiples of 2^-16,
 * rounded once for floats. */
#include "backends/cpu/cpu.h"
#include "kernels/resize/passes.h"

/* Where a column of the target comes from: two elements of a row, the first of each pixel's, and the second's weight.
 * Where that is 0, they are one: what lies there does not count, even if it is not finite. */
struct column {
    int32_t left, right;
    double weight;
};

static void find_columns(const struct resizing *r, void *columns)
{
    for (int64_t col = 0; col < r->out_width; col++) {
        const struct place place = place_of(col, r->width, r->out_width);
        ((struct column *)columns)[col] = (struct column){
            .left = (int32_t)(place.low * r->channels),
            .right = (int32_t)((place.weight > 0 ? place.high : place.low) * r->channels),
            .weight = (double)place.weight / (double)(2 * r->out_width),
        };
    }
}

/* ---- the arithmetic, once for each type of channels and each instruction set ---------------------------------------
 */

#define EACH static inline __attribute__((always_inline))

EACH double between(double a, double b, double weight)
{
    return a * (1 - weight) + b * weight;
}

/* Rounded, halves up; floats as they are. */
#define ROUND_uint8_t(x) ((uint8_t)((x) + 0.5))
#define ROUND_uint16_t(x) ((uint16_t)((x) + 0.5))
#define ROUND_float(x) ((float)(x))

/* For every i < count: of two rows of the target's channels; and of the source's. With a weight of 0 only the upper row
 * is read. */
typedef void blend_rows(void *out, const double *upper, const double *lower, double weight, int64_t count);
typedef void mix_rows(double *mixed, const void *upper, const void *lower, double weight, int64_t count);
typedef void widen_row(double *wide, const void *row, const struct column *columns, int64_t count, int64_t channels);
typedef void take_columns(void *out, const double *mixed, const struct column *columns, int64_t count,
                          int64_t channels);

struct arithmetic {
    blend_rows *blend;
    mix_rows *mix;
    widen_row *widen;
    take_columns *take;
};

#define CALL_FOR_CHANNELS(channels, function, ...) \
    do {                                           \
        if ((channels) == 1)                       \
            function(__VA_ARGS__, 1);              \
        else if ((channels) == 2)                  \
            function(__VA_ARGS__, 2);              \
        else if ((channels) == 3)                  \
            function(__VA_ARGS__, 3);              \
        else                                       \
            function(__VA_ARGS__, 4);              \
    } while (0)

#define DEFINE(isa, attributes, element)                                                                               \
    attributes static void blend_##element##_##isa(void *out, const double *upper, const double *lower, double weight, \
                                                   int64_t count)                                                      \
    {                                                                                                                  \
        element *restrict to = out;                                                                                    \
        if (weight == 0)                                                                                               \
            _Pragma("omp simd") for (int64_t i = 0; i < count; i++) to[i] = ROUND_##element(upper[i]);                 \
        else                                                                                                           \
            _Pragma("omp simd") for (int64_t i = 0; i < count; i++) to[i] =                                            \
                ROUND_##element(between(upper[i], lower[i], weight));                                                  \
    }                                                                                                                  \
                                                                                                                       \
    attributes static void mix_##element##_##isa(double *restrict mixed, const void *upper, const void *lower,         \
                                                 double weight, int64_t count)                                         \
    {                                                                                                                  \
        const element *u = upper, *l = lower;                                                                          \
        if (weight == 0)                                                                                               \
            _Pragma("omp simd") for (int64_t i = 0; i < count; i++) mixed[i] = (double)u[i];                           \
        else                                                                                                           \
            _Pragma("omp simd") for (int64_t i = 0; i < count; i++) mixed[i] =                                         \
                between((double)u[i], (double)l[i], weight);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    EACH attributes void widen_each_##element##_##isa(double *restrict wide, const element *restrict row,              \
                                                      const struct column *restrict columns, int64_t count,            \
                                                      const int channels)                                              \
    {                                                                                                                  \
        for (int64_t col = 0; col < count; col++)                                                                      \
            for (int c = 0; c < channels; c++) {                                                                       \
                const double a = (double)row[columns[col].left + c], b = (double)row[columns[col].right + c];          \
                wide[col * channels + c] = columns[col].weight == 0 ? a : between(a, b, columns[col].weight);          \
            }                                                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    attributes static void widen_##element##_##isa(double *wide, const void *row, const struct column *columns,        \
                                                   int64_t count, int64_t channels)                                    \
    {                                                                                                                  \
        CALL_FOR_CHANNELS(channels, widen_each_##element##_##isa, wide, row, columns, count);                          \
    }                                                                                                                  \
                                                                                                                       \
    EACH attributes void take_each_##element##_##isa(element *restrict out, const double *restrict mixed,              \
                                                     const struct column *restrict columns, int64_t count,             \
                                                     const int channels)                                               \
    {                                                                                                                  \
        for (int64_t col = 0; col < count; col++)                                                                      \
            for (int c = 0; c < channels; c++) {                                                                       \
                const double a = mixed[columns[col].left + c], b = mixed[columns[col].right + c];                      \
                const double x = columns[col].weight == 0 ? a : between(a, b, columns[col].weight);                    \
                out[col * channels + c] = ROUND_##element(x);                                                          \
            }                                                                                                          \
    }                                                                                                                  \
                                                                                                                       \
    attributes static void take_##element##_##isa(void *out, const double *mixed, const struct column *columns,        \
                                                  int64_t count, int64_t channels)                                     \
    {                                                                                                                  \
        CALL_FOR_CHANNELS(channels, take_each_##element##_##isa, out, mixed, columns, count);                          \
    }

#define DEFINE_ALL(isa, attributes)   \
    DEFINE(isa, attributes, uint8_t)  \
    DEFINE(isa, attributes, uint16_t) \
    DEFINE(isa, attributes, float)
#define OF_TYPE(isa, element)                                                                           \
    {                                                                                                   \
        blend_##element##_##isa, mix_##element##_##isa, widen_##element##_##isa, take_##element##_##isa \
    }
#define ROW(isa)                                                           \
    {                                                                      \
        OF_TYPE(isa, uint8_t), OF_TYPE(isa, uint16_t), OF_TYPE(isa, float) \
    }

DEFINE_ALL(base, )
#ifdef __x86_64__
DEFINE_ALL(avx2, __attribute__((target("avx2"))))
DEFINE_ALL(avx512, __attribute__((target("avx512f,avx512bw,avx512vl,avx2"))))
#endif

static const struct arithmetic *arithmetic_for(enum element_type type)
{
    static const struct arithmetic all[][3] = {
        [CPU_ISA_BASE] = ROW(base),
        [CPU_ISA_NEON] = ROW(base),
#ifdef __x86_64__
        [CPU_ISA_AVX2] = ROW(avx2),
        [CPU_ISA_AVX512] = ROW(avx512),
#endif
    };
    return &all[cpu_isa()][type == ELEMENT_U8 ? 0 : type == ELEMENT_U16 ? 1 : 2];
}

/* ---- the passes ---------------------------------------------------------------------------------------------------
 */

static double weight_of(struct place place, const struct resizing *r)
{
    return (double)place.weight / (double)(2 * r->out_height);
}

static void widen(const struct resizing *r, void *wide, const uint8_t *row, const void *columns)
{
    arithmetic_for(r->type)->widen(wide, row, columns, r->out_width, r->channels);
}

static void blend(const struct resizing *r, uint8_t *out, const void *upper, const void *lower, struct place place,
                  bool streams)
{
    (void)streams;
    arithmetic_for(r->type)->blend(out, upper, lower, weight_of(place, r), r->out_width * r->channels);
}

static void mix(const struct resizing *r, void *mixed, const uint8_t *upper, const uint8_t *lower, struct place place)
{
    arithmetic_for(r->type)->mix(mixed, upper, lower, weight_of(place, r), r->width * r->channels);
}

static void take(const struct resizing *r, uint8_t *out, const void *mixed, const void *columns)
{
    arithmetic_for(r->type)->take(out, mixed, columns, r->out_width, r->channels);
}

static const struct passes passes = {sizeof(struct column), sizeof(double), find_columns, widen, blend, mix, take};

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return passes_scratch(&passes, problem);
}

/* As in simd.c: a column's place; a row; a pixel that is widened, blended, mixed, taken. */
static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    const double across = (double)r.out_width, columns = 8 * across;
    return passes_shrink(&r) ? passes_load(&r, threads, columns, 9 + 0.9 * (double)r.width + 3.5 * across, 0)
                             : passes_load(&r, threads, columns, 9 + 0.6 * across, 3.5 * across);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    passes_run(&passes, run);
    return STATUS_OK;
}

const struct rung resize_precise = {
    .name = "precise",
    .idea = "bytes, integers of 16 bits and floats, any number of channels: two passes in double, rounded once",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = TAKES_ALL,
    .rests_soon = true,
    .scratch = scratch,
    .load = load,
    .enqueue = enqueue,
};
