#include "kernels/resize/passes.h"

#include <math.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "backends/cpu/cpu.h"
#include "base/pool.h"
#include "base/size.h"

#define LINE 64 /* bytes; what threads write apart from each other */

bool resize_streams(const struct resizing *r)
{
    return (size_t)(r->out_height * r->out_pitch) > cpu_cache_bytes() / 2;
}

void resize_settle(void)
{
#ifdef __x86_64__
    _mm_sfence();
#endif
}

/* ---- threads ------------------------------------------------------------------------------------------------------
 */

/* Bytes of the target below which another thread costs more time than it saves. */
#define THREAD_BYTES 65536.0
/* Pieces for each thread: few, as each begins with rows of the source that the one before has made, too. */
#define PIECES_PER_THREAD 4
#define PIECE_ROWS 32

size_t resize_threads(const struct resizing *r, size_t most)
{
    return pool_threads_worth((double)(r->out_height * r->out_pitch), THREAD_BYTES, most);
}

size_t resize_pieces(int64_t rows, size_t threads)
{
    return threads == 1 ? 1 : size_least(PIECES_PER_THREAD * threads, threads + (size_t)rows / PIECE_ROWS);
}

/* ---- scratch memory: the columns, then for each thread two widened rows, or a mixed one ----------------------------
 */

struct layout {
    size_t columns_bytes, row_bytes;
};

static size_t round_up(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static struct layout layout_of(const struct passes *passes, const struct resizing *r)
{
    const size_t longer = (size_t)(r->out_width > r->width ? r->out_width : r->width);
    return (struct layout){round_up((size_t)r->out_width * passes->column_bytes),
                           round_up(longer * (size_t)r->channels * passes->wide_bytes)};
}

size_t passes_scratch(const struct passes *passes, const struct problem *problem)
{
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    const struct layout layout = layout_of(passes, &r);
    return layout.columns_bytes + pool_threads() * 2 * layout.row_bytes;
}

/* ---- the passes ---------------------------------------------------------------------------------------------------
 */

/* A piece is some neighbouring rows of the target. Each thread has memory of its own. */
struct sharing {
    const struct resizing *r;
    const struct passes *passes;
    bool streaming;
    size_t pieces;
    struct layout layout;
    char *columns, *memory;
};

static int64_t piece_begin(const struct sharing *sharing, size_t index)
{
    return (int64_t)pool_part((size_t)sharing->r->out_height, sharing->pieces, index);
}

static char *own_memory(const struct sharing *sharing, size_t thread)
{
    return sharing->memory + thread * 2 * sharing->layout.row_bytes;
}

static const uint8_t *in_row(const struct resizing *r, int64_t row)
{
    return r->in + row * r->in_pitch;
}

/* The two rows of the source that a thread has widened. */
struct widened {
    int64_t row[2];
    void *data[2];
};

static void need_rows(const struct sharing *sharing, struct place place, struct widened *widened)
{
    if (widened->row[1] == place.low) {
        struct widened old = *widened;
        *widened = (struct widened){{old.row[1], old.row[0]}, {old.data[1], old.data[0]}};
    }
    const int64_t wanted[2] = {place.low, place.high};
    for (int i = 0; i < 2; i++)
        if (widened->row[i] != wanted[i]) {
            sharing->passes->widen(sharing->r, widened->data[i], in_row(sharing->r, wanted[i]), sharing->columns);
            widened->row[i] = wanted[i];
        }
}

/* Growing: a row is widened once and used until the target has passed it. */
static void grow(void *context, size_t index, size_t thread)
{
    const struct sharing *sharing = context;
    const struct resizing *r = sharing->r;
    char *own = own_memory(sharing, thread);
    struct widened widened = {{-1, -1}, {own, own + sharing->layout.row_bytes}};
    const int64_t end = piece_begin(sharing, index + 1);
    for (int64_t row = piece_begin(sharing, index); row < end; row++) {
        const struct place place = place_of(row, r->height, r->out_height);
        need_rows(sharing, place, &widened);
        sharing->passes->blend(r, r->out + row * r->out_pitch, widened.data[0], widened.data[1], place,
                               sharing->streaming);
    }
    resize_settle();
}

/* Shrinking: most rows are used once, so they are mixed first and the columns taken once instead of twice. */
static void shrink(void *context, size_t index, size_t thread)
{
    const struct sharing *sharing = context;
    const struct resizing *r = sharing->r;
    char *mixed = own_memory(sharing, thread);
    const int64_t end = piece_begin(sharing, index + 1);
    for (int64_t row = piece_begin(sharing, index); row < end; row++) {
        const struct place place = place_of(row, r->height, r->out_height);
        sharing->passes->mix(r, mixed, in_row(r, place.low), in_row(r, place.high), place);
        sharing->passes->take(r, r->out + row * r->out_pitch, mixed, sharing->columns);
    }
    resize_settle();
}

void passes_run(const struct passes *passes, const struct run *run)
{
    const struct resizing r = resizing_of(run);
    const struct layout layout = layout_of(passes, &r);
    char *memory = run->scratch->host;
    /* As many threads at most as scratch memory was taken for. */
    const size_t room = (run->scratch->bytes - layout.columns_bytes) / (2 * layout.row_bytes);
    const size_t threads = size_least(resize_threads(&r, pool_threads()), room);
    struct sharing sharing = {.r = &r,
                              .passes = passes,
                              .streaming = resize_streams(&r),
                              .pieces = resize_pieces(r.out_height, threads),
                              .layout = layout,
                              .columns = memory,
                              .memory = memory + layout.columns_bytes};
    passes->find_columns(&r, memory);
    parallel_for(sharing.pieces, threads, passes_shrink(&r) ? shrink : grow, &sharing);
}

bool passes_shrink(const struct resizing *r)
{
    return r->out_height < r->height && r->width > 1;
}

double passes_load(const struct resizing *r, int threads, double alone, double row, double widened)
{
    const double rows = (double)r->out_height, source = fmin(2 * rows, (double)r->height);
    return alone + (rows * row + source * widened) / (double)resize_threads(r, (size_t)threads);
}
