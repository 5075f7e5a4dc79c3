#include "kernels/resize/simd.h"

#include "backends/cpu/cpu.h"
#include "base/pool.h"
#include "kernels/resize/passes.h"

static const struct simd_level *level(void)
{
    static const struct simd_level *const levels[] = {
        [CPU_ISA_BASE] = &resize_simd_base,
        [CPU_ISA_NEON] = &resize_simd_base,
#ifdef __x86_64__
        [CPU_ISA_AVX2] = &resize_simd_avx2,
        [CPU_ISA_AVX512] = &resize_simd_avx512,
#endif
    };
    return levels[cpu_isa()];
}

/* ---- doubling ------------------------------------------------------------------------------------------------- */

/* A piece is some neighbouring rows of the source. */
struct doubling {
    struct resizing r;
    bool streaming;
    size_t pieces;
};

static void double_rows(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct doubling *doubling = context;
    const struct resizing *r = &doubling->r;
    const int64_t end = (int64_t)pool_part((size_t)r->height, doubling->pieces, index + 1);
    for (int64_t row = (int64_t)pool_part((size_t)r->height, doubling->pieces, index); row < end; row++) {
        const uint8_t *near = r->in + row * r->in_pitch;
        const uint8_t *above = row > 0 ? near - r->in_pitch : near;
        const uint8_t *below = row + 1 < r->height ? near + r->in_pitch : near;
        uint8_t *out = r->out + 2 * row * r->out_pitch;
        level()->double_row(out, near, above, r->width, doubling->streaming);
        level()->double_row(out + r->out_pitch, near, below, r->width, doubling->streaming);
    }
    resize_settle();
}

static void enqueue_doubled(const struct resizing *r)
{
    const size_t threads = resize_threads(r, pool_threads());
    struct doubling doubling = {*r, resize_streams(r), resize_pieces(r->height, threads)};
    parallel_for(doubling.pieces, threads, double_rows, &doubling);
}

/* ---- any size ------------------------------------------------------------------------------------------------- */

static int weight_of(struct place place, int64_t out_size)
{
    return (int)(((place.weight << WEIGHT_BITS) + out_size) / (2 * out_size));
}

/* Always two neighbours: the last pixel is the right one of the last two. A picture of one column is the same in every
 * column, and needs none. */
static void find_columns(const struct resizing *r, void *columns)
{
    for (int64_t col = 0; r->width > 1 && col < r->out_width; col++) {
        struct place place = place_of(col, r->width, r->out_width);
        int right = weight_of(place, r->out_width);
        if (place.low == r->width - 1) {
            place.low = r->width - 2;
            right = 1 << WEIGHT_BITS;
        }
        ((struct column *)columns)[col] = (struct column){
            .offset = (int32_t)(place.low * r->channels),
            .left = (int16_t)((1 << WEIGHT_BITS) - right),
            .right = (int16_t)right,
        };
    }
}

static void widen(const struct resizing *r, void *wide, const uint8_t *row, const void *columns)
{
    if (r->width == 1)
        for (int64_t i = 0; i < r->out_width * r->channels; i++)
            ((int16_t *)wide)[i] = (int16_t)(row[i % r->channels] << WIDE_BITS);
    else if (r->channels == CHANNELS)
        level()->widen_row(wide, row, columns, r->out_width);
    else
        resize_widen_row(wide, row, columns, r->out_width, r->channels);
}

static void blend(const struct resizing *r, uint8_t *out, const void *upper, const void *lower, struct place place,
                  bool streams)
{
    level()->blend_rows(out, upper, lower, weight_of(place, r->out_height), r->out_width * r->channels, streams);
}

static void mix(const struct resizing *r, void *mixed, const uint8_t *upper, const uint8_t *lower, struct place place)
{
    level()->mix_rows(mixed, upper, lower, weight_of(place, r->out_height), r->width * r->channels);
}

static void take(const struct resizing *r, uint8_t *out, const void *mixed, const void *columns)
{
    if (r->channels == CHANNELS)
        level()->take_columns(out, mixed, columns, r->out_width);
    else
        resize_take_columns(out, mixed, columns, r->out_width, r->channels);
}

static const struct passes passes = {sizeof(struct column), sizeof(int16_t), find_columns, widen, blend, mix, take};

/* ---- the rung ------------------------------------------------------------------------------------------------- */

static bool is_doubled(const struct resizing *r)
{
    return r->channels == CHANNELS && resizing_doubles(r);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    return is_doubled(&r) ? 0 : passes_scratch(&passes, problem);
}

/* ---- what its time grows with -------------------------------------------------------------------------------------
 * Nanoseconds, about, of a Zen 5: least squares over the times of 68 problems, to 6 % in the median.
 */

#define CALL 100.0
#define COLUMN 5.0 /* its place and weight */
#define ROW 10.0
#define IN_VECTORS 0.06 /* a byte that is blended, and one that is not */
#define ALONE 0.8
#define PIXEL 0.5 /* a pixel that is widened, and one behind the last vector */
#define PIXEL_ALONE 7.0
#define TAKEN 0.5
#define TAKEN_ALONE 1.5
#define MIXED 0.08 /* a byte, and one behind the last vector */
#define MIXED_ALONE 1.0
#define DOUBLED 0.3 /* a pixel of the source */
#define DOUBLED_ALONE 6.0

static int64_t vector_bytes(void)
{
    return cpu_isa() == CPU_ISA_AVX512 ? 64 : 32;
}

/* Of `bytes` bytes of which `whole` fit a step. */
static double in_steps(int64_t size, int64_t step, double together, double alone)
{
    return together * (double)(size - size % step) + alone * (double)(size % step);
}

/* A target's row: blended bytes up to the first whole line, and behind the last vector, are so one by one. The mean
 * over the rows, which begin anywhere in a line. */
#define PLACES 16
static double blended(int64_t bytes)
{
    double sum = 0;
    for (int64_t row = 0; row < PLACES; row++) {
        const int64_t before = (64 - row * bytes % 64) % 64, first = before < bytes ? before : bytes;
        sum += ALONE * (double)first + in_steps(bytes - first, vector_bytes(), IN_VECTORS, ALONE);
    }
    return sum / PLACES;
}

/* Both rows of the target from one of the source. */
static double doubled(int64_t width)
{
    const int64_t step = vector_bytes() / CHANNELS;
    double sum = 0;
    for (int64_t row = 0; row < PLACES; row++) {
        const int64_t first = resize_first_aligned((const uint8_t *)(uintptr_t)(row * width * 2 * CHANNELS % 64), width,
                                                   64),
                      steps = first + 1 < width ? (width - 1 - first) / step : 0;
        sum += DOUBLED * (double)(steps * step) + DOUBLED_ALONE * (double)(width - steps * step);
    }
    return sum / PLACES;
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    if (is_doubled(&r))
        return CALL + passes_load(&r, threads, 0, ROW + doubled(r.width), 0);
    const double alone = CALL + COLUMN * (double)r.out_width;
    if (passes_shrink(&r))
        return passes_load(&r, threads, alone,
                           ROW + in_steps(r.width * r.channels, 16, MIXED, MIXED_ALONE) +
                               in_steps(r.out_width, 4, TAKEN, TAKEN_ALONE),
                           0);
    return passes_load(&r, threads, alone, ROW + blended(r.out_width * r.channels),
                       in_steps(r.out_width, 4, PIXEL, PIXEL_ALONE));
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct resizing r = resizing_of(run);
    if (is_doubled(&r))
        enqueue_doubled(&r);
    else
        passes_run(&passes, run);
    return STATUS_OK;
}

const struct rung resize_simd = {
    .name = "simd",
    .idea = "integers, 64 bytes at a time: doubling in one pass of 9:3:3:1, other sizes in two; streaming stores",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "channels in_pad out_pad",
    .rests_soon = true,
    .scratch = scratch,
    .load = load,
    .enqueue = enqueue,
};
