#include "kernels/resize/simd.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "backends/cpu/cpu.h"
#include "kernels/resize/resize.h"

#define LINE 64 /* bytes; what threads write apart from each other */

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

/* Streaming stores pass by the caches: the better way once the target does not fit there anyway. */
static bool streams(const struct resizing *r)
{
    return (size_t)(r->out_width * r->out_height * CHANNELS) > cpu_cache_bytes() / 2;
}

/* Streaming stores are not ordered with others. */
static void settle(void)
{
#ifdef __x86_64__
    _mm_sfence();
#endif
}

/* ---- doubling ------------------------------------------------------------------------------------------------- */

static void enqueue_doubled(const struct resizing *r)
{
    const struct simd_level *simd = level();
    const int64_t row_bytes = r->width * CHANNELS, out_row_bytes = r->out_width * CHANNELS;
    const bool streaming = streams(r);
#pragma omp parallel
    {
#pragma omp for schedule(static)
        for (int64_t row = 0; row < r->height; row++) {
            const uint8_t *near = r->in + row * row_bytes;
            const uint8_t *above = row > 0 ? near - row_bytes : near;
            const uint8_t *below = row + 1 < r->height ? near + row_bytes : near;
            uint8_t *out = r->out + 2 * row * out_row_bytes;
            simd->double_row(out, near, above, r->width, streaming);
            simd->double_row(out + out_row_bytes, near, below, r->width, streaming);
        }
        settle();
    }
}

/* ---- any size ------------------------------------------------------------------------------------------------- */

/* Scratch memory: the columns, then for each thread two widened rows, or a mixed one. */
struct chunk_layout {
    size_t columns_bytes, row_bytes;
};

static size_t round_up(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static struct chunk_layout layout_of(const struct problem *problem)
{
    size_t width = (size_t)problem_size(problem, "out_width"), in_width = (size_t)problem_size(problem, "width");
    size_t longer = width > in_width ? width : in_width;
    return (struct chunk_layout){round_up(width * sizeof(struct column)),
                                 round_up(longer * CHANNELS * sizeof(int16_t))};
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    struct chunk_layout layout = layout_of(problem);
    return layout.columns_bytes + (size_t)omp_get_max_threads() * 2 * layout.row_bytes;
}

static int weight_of(struct place place, int64_t out_size)
{
    return (int)(((place.weight << WEIGHT_BITS) + out_size) / (2 * out_size));
}

/* Always two neighbours: the last pixel is the right one of the last two. */
static void find_columns(const struct resizing *r, struct column *columns)
{
    for (int64_t col = 0; col < r->out_width; col++) {
        struct place place = place_of(col, r->width, r->out_width);
        int right = weight_of(place, r->out_width);
        if (place.low == r->width - 1) {
            place.low = r->width - 2;
            right = 1 << WEIGHT_BITS;
        }
        columns[col] = (struct column){
            .offset = (int32_t)(place.low * CHANNELS),
            .left = (int16_t)((1 << WEIGHT_BITS) - right),
            .right = (int16_t)right,
        };
    }
}

/* The two rows of the source that a thread has widened. */
struct widened {
    int64_t row[2];
    int16_t *data[2];
};

/* A picture of one column is the same in every column. */
static void widen(const struct resizing *r, const struct column *columns, int64_t row, int16_t *wide)
{
    const uint8_t *source = r->in + row * r->width * CHANNELS;
    if (r->width > 1) {
        level()->widen_row(wide, source, columns, r->out_width);
        return;
    }
    for (int64_t i = 0; i < r->out_width * CHANNELS; i++)
        wide[i] = (int16_t)(source[i % CHANNELS] << WIDE_BITS);
}

static void need_rows(const struct resizing *r, const struct column *columns, struct place place,
                      struct widened *widened)
{
    if (widened->row[1] == place.low) {
        struct widened old = *widened;
        *widened = (struct widened){{old.row[1], old.row[0]}, {old.data[1], old.data[0]}};
    }
    const int64_t wanted[2] = {place.low, place.high};
    for (int i = 0; i < 2; i++)
        if (widened->row[i] != wanted[i]) {
            widen(r, columns, wanted[i], widened->data[i]);
            widened->row[i] = wanted[i];
        }
}

/* Growing: a row is widened once and used until the target has passed it. */
static void grow(const struct resizing *r, const struct column *columns, const struct chunk_layout *layout, char *own)
{
    const bool streaming = streams(r);
    struct widened widened = {{-1, -1}, {(int16_t *)(void *)own, (int16_t *)(void *)(own + layout->row_bytes)}};
#pragma omp for schedule(static)
    for (int64_t row = 0; row < r->out_height; row++) {
        struct place place = place_of(row, r->height, r->out_height);
        need_rows(r, columns, place, &widened);
        level()->blend_rows(r->out + row * r->out_width * CHANNELS, widened.data[0], widened.data[1],
                            weight_of(place, r->out_height), r->out_width * CHANNELS, streaming);
    }
}

/* Shrinking: most rows are used once, so they are mixed first and the columns taken once instead of twice. */
static void shrink(const struct resizing *r, const struct column *columns, char *own)
{
    int16_t *mixed = (int16_t *)(void *)own;
    const int64_t row_bytes = r->width * CHANNELS;
#pragma omp for schedule(static)
    for (int64_t row = 0; row < r->out_height; row++) {
        struct place place = place_of(row, r->height, r->out_height);
        level()->mix_rows(mixed, r->in + place.low * row_bytes, r->in + place.high * row_bytes,
                          weight_of(place, r->out_height), row_bytes);
        level()->take_columns(r->out + row * r->out_width * CHANNELS, mixed, columns, r->out_width);
    }
}

/* As many as scratch memory was taken for. */
static int threads_of(const struct run *run, const struct chunk_layout *layout)
{
    return (int)((run->scratch->bytes - layout->columns_bytes) / (2 * layout->row_bytes));
}

static void enqueue_any(const struct run *run, const struct resizing *r)
{
    struct chunk_layout layout = layout_of(run->problem);
    char *scratch_memory = run->scratch->host;
    struct column *columns = (struct column *)(void *)scratch_memory;
    const bool shrinks = r->out_height < r->height && r->width > 1;
    if (r->width > 1)
        find_columns(r, columns);
#pragma omp parallel num_threads(threads_of(run, &layout))
    {
        char *own = scratch_memory + layout.columns_bytes + (size_t)omp_get_thread_num() * 2 * layout.row_bytes;
        if (shrinks)
            shrink(r, columns, own);
        else
            grow(r, columns, &layout, own);
        settle();
    }
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct resizing r = resizing_of(run);
    if (resizing_doubles(&r))
        enqueue_doubled(&r);
    else
        enqueue_any(run, &r);
    return STATUS_OK;
}

const struct rung resize_simd = {
    .name = "simd",
    .idea = "integers, 64 bytes at a time: doubling in one pass of 9:3:3:1, other sizes in two; streaming stores",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .scratch = scratch,
    .enqueue = enqueue,
};
