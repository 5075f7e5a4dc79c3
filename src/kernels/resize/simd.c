#include "kernels/resize/simd.h"

#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "backends/cpu/cpu.h"
#include "base/pool.h"
#include "base/size.h"
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

/* A picture shared out among threads: a piece is some neighbouring rows of the target (of the source where that is
 * doubled). Each thread has memory of its own. */
struct chunk_layout;
struct sharing {
    const struct resizing *r;
    const struct simd_level *simd;
    bool streaming;
    int64_t rows;
    size_t pieces;
    const struct column *columns;
    const struct chunk_layout *layout;
    char *memory;
};

/* Bytes of the target below which another thread costs more time than it saves. */
#define THREAD_BYTES 65536.0
/* Pieces for each thread: few, as each begins with rows of the source that the one before has made, too. */
#define PIECES_PER_THREAD 4
#define PIECE_ROWS 32

static size_t threads_for(const struct resizing *r)
{
    return pool_threads_for((double)(r->out_width * r->out_height * CHANNELS), THREAD_BYTES);
}

static size_t pieces_for(int64_t rows, size_t threads)
{
    return threads == 1 ? 1 : size_least(PIECES_PER_THREAD * threads, threads + (size_t)rows / PIECE_ROWS);
}

static int64_t piece_begin(const struct sharing *sharing, size_t index)
{
    return (int64_t)pool_part((size_t)sharing->rows, sharing->pieces, index);
}

static void double_rows(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct sharing *sharing = context;
    const struct resizing *r = sharing->r;
    const int64_t row_bytes = r->width * CHANNELS, out_row_bytes = r->out_width * CHANNELS;
    const int64_t end = piece_begin(sharing, index + 1);
    for (int64_t row = piece_begin(sharing, index); row < end; row++) {
        const uint8_t *near = r->in + row * row_bytes;
        const uint8_t *above = row > 0 ? near - row_bytes : near;
        const uint8_t *below = row + 1 < r->height ? near + row_bytes : near;
        uint8_t *out = r->out + 2 * row * out_row_bytes;
        sharing->simd->double_row(out, near, above, r->width, sharing->streaming);
        sharing->simd->double_row(out + out_row_bytes, near, below, r->width, sharing->streaming);
    }
    settle();
}

static void enqueue_doubled(const struct resizing *r)
{
    const size_t threads = threads_for(r);
    struct sharing sharing = {
        .r = r, .simd = level(), .streaming = streams(r), .rows = r->height, .pieces = pieces_for(r->height, threads)};
    parallel_for(sharing.pieces, threads, double_rows, &sharing);
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
    return layout.columns_bytes + pool_threads() * 2 * layout.row_bytes;
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
static void widen(const struct sharing *sharing, int64_t row, int16_t *wide)
{
    const struct resizing *r = sharing->r;
    const uint8_t *source = r->in + row * r->width * CHANNELS;
    if (r->width > 1) {
        sharing->simd->widen_row(wide, source, sharing->columns, r->out_width);
        return;
    }
    for (int64_t i = 0; i < r->out_width * CHANNELS; i++)
        wide[i] = (int16_t)(source[i % CHANNELS] << WIDE_BITS);
}

static void need_rows(const struct sharing *sharing, struct place place, struct widened *widened)
{
    if (widened->row[1] == place.low) {
        struct widened old = *widened;
        *widened = (struct widened){{old.row[1], old.row[0]}, {old.data[1], old.data[0]}};
    }
    const int64_t wanted[2] = {place.low, place.high};
    for (int i = 0; i < 2; i++)
        if (widened->row[i] != wanted[i]) {
            widen(sharing, wanted[i], widened->data[i]);
            widened->row[i] = wanted[i];
        }
}

static char *own_memory(const struct sharing *sharing, size_t thread)
{
    return sharing->memory + thread * 2 * sharing->layout->row_bytes;
}

/* Growing: a row is widened once and used until the target has passed it. */
static void grow(void *context, size_t index, size_t thread)
{
    const struct sharing *sharing = context;
    const struct resizing *r = sharing->r;
    char *own = own_memory(sharing, thread);
    struct widened widened = {{-1, -1},
                              {(int16_t *)(void *)own, (int16_t *)(void *)(own + sharing->layout->row_bytes)}};
    const int64_t end = piece_begin(sharing, index + 1);
    for (int64_t row = piece_begin(sharing, index); row < end; row++) {
        struct place place = place_of(row, r->height, r->out_height);
        need_rows(sharing, place, &widened);
        sharing->simd->blend_rows(r->out + row * r->out_width * CHANNELS, widened.data[0], widened.data[1],
                                  weight_of(place, r->out_height), r->out_width * CHANNELS, sharing->streaming);
    }
    settle();
}

/* Shrinking: most rows are used once, so they are mixed first and the columns taken once instead of twice. */
static void shrink(void *context, size_t index, size_t thread)
{
    const struct sharing *sharing = context;
    const struct resizing *r = sharing->r;
    int16_t *mixed = (int16_t *)(void *)own_memory(sharing, thread);
    const int64_t row_bytes = r->width * CHANNELS, end = piece_begin(sharing, index + 1);
    for (int64_t row = piece_begin(sharing, index); row < end; row++) {
        struct place place = place_of(row, r->height, r->out_height);
        sharing->simd->mix_rows(mixed, r->in + place.low * row_bytes, r->in + place.high * row_bytes,
                                weight_of(place, r->out_height), row_bytes);
        sharing->simd->take_columns(r->out + row * r->out_width * CHANNELS, mixed, sharing->columns, r->out_width);
    }
    settle();
}

static void enqueue_any(const struct run *run, const struct resizing *r)
{
    const struct chunk_layout layout = layout_of(run->problem);
    struct column *columns = run->scratch->host;
    /* As many threads at most as scratch memory was taken for. */
    const size_t room = (run->scratch->bytes - layout.columns_bytes) / (2 * layout.row_bytes);
    const size_t threads = size_least(threads_for(r), room);
    struct sharing sharing = {.r = r,
                              .simd = level(),
                              .streaming = streams(r),
                              .rows = r->out_height,
                              .pieces = pieces_for(r->out_height, threads),
                              .columns = columns,
                              .layout = &layout,
                              .memory = (char *)run->scratch->host + layout.columns_bytes};
    if (r->width > 1)
        find_columns(r, columns);
    const bool shrinks = r->out_height < r->height && r->width > 1;
    parallel_for(sharing.pieces, threads, shrinks ? shrink : grow, &sharing);
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
    .rests_soon = true,
    .scratch = scratch,
    .enqueue = enqueue,
};
