#include "kernels/transpose/simd.h"

#include <math.h>

#include "backends/cpu/cpu.h"
#include "base/pool.h"
#include "base/size.h"

#define LINE 64 /* bytes, of the caches */
#define LANE 16 /* of vectors: the least sides of what they transpose */

static const struct simd_level *level(void)
{
    static const struct simd_level *const levels[] = {
        [CPU_ISA_BASE] = &transpose_simd_base,
        [CPU_ISA_NEON] = &transpose_simd_base,
#ifdef __x86_64__
        [CPU_ISA_AVX2] = &transpose_simd_avx2,
        [CPU_ISA_AVX512] = &transpose_simd_avx512,
#endif
    };
    return levels[cpu_isa()];
}

/* Where part `index` of `count` begins among `size`, in whole steps. */
static size_t beginning(size_t size, size_t step, size_t index, size_t count)
{
    size_t steps = size / step + (size % step != 0);
    size_t at = (steps / count * index + steps % count * index / count) * step;
    return at < size ? at : size;
}

/* A block's, in elements: a line. */
static size_t side_of(const struct transposition *t)
{
    return t->bytes < LINE ? LINE / t->bytes : 1;
}

/* So many that none is thinner than a block, where the whole is not: such parts are copied element by element. */
static size_t parts_along(size_t size, size_t side, size_t most)
{
    const size_t blocks = size / side > 0 ? size / side : 1;
    return blocks < most ? blocks : most;
}

/* The columns are dealt to the threads, as each column is a run of the output; where there are too few, the rows too.
 */
static struct part part_of(const struct transposition *t, size_t thread, size_t threads)
{
    const size_t side = side_of(t), across = parts_along(t->cols, side, threads),
                 down = parts_along(t->rows, side, threads / across);
    size_t i = thread / across, j = thread % across;
    if (i >= down) /* one too many */
        return (struct part){0, 0, 0, 0};
    return (struct part){
        beginning(t->rows, side, i, down),
        beginning(t->rows, side, i + 1, down),
        beginning(t->cols, side, j, across),
        beginning(t->cols, side, j + 1, across),
    };
}

/* ---- elements of other sizes --------------------------------------------------------------------------------------
 */

#define PIECE 16 /* elements along each side: few lines at a time, each used whole */

static inline __attribute__((always_inline)) void copy_elements(const struct transposition *t, struct part part,
                                                                size_t bytes)
{
    const struct transposition own = *t;
    for (size_t i = part.row; i < part.rows_end; i += PIECE)
        for (size_t j = part.col; j < part.cols_end; j += PIECE)
            for (size_t col = j; col < part.cols_end && col < j + PIECE; col++)
                for (size_t row = i; row < part.rows_end && row < i + PIECE; row++)
                    memcpy(own.out + col * own.out_pitch + row * bytes, own.in + row * own.in_pitch + col * bytes,
                           bytes);
}

/* Three bytes, halves, words and doubles: pixels and points. */
static void copy_part(const struct transposition *t, struct part part)
{
    switch (t->bytes) {
    case 3:
        return copy_elements(t, part, 3);
    case 6:
        return copy_elements(t, part, 6);
    case 12:
        return copy_elements(t, part, 12);
    case 24:
        return copy_elements(t, part, 24);
    default:
        return copy_elements(t, part, t->bytes);
    }
}

void transpose_keep(const struct transposition *t, struct part part)
{
    if (transpose_has_size(t->bytes))
        level()->keep(t, part);
    else
        copy_part(t, part);
}

/* ---- the rung -----------------------------------------------------------------------------------------------------
 */

/* Bytes below which another thread costs more time than it saves. */
#define THREAD_BYTES 65536.0
#define PIECES_PER_THREAD 8
#define FEW 4 /* rows or columns */

/* A matrix is `parts` pieces; or a piece is several matrices of the batch. */
struct job {
    const struct run *run;
    void (*turn)(const struct transposition *, struct part);
    size_t batch, parts, pieces;
};

static struct transposition matrix_at(const struct job *job, size_t index)
{
    return transposition_at(job->run->problem, job->run->buffers[0].host, job->run->buffers[1].host, index);
}

static void turn_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct job *job = context;
    const struct transposition t = matrix_at(job, index / job->parts);
    const struct part part = part_of(&t, index % job->parts, job->parts);
    if (part.row < part.rows_end && part.col < part.cols_end)
        job->turn(&t, part);
}

static void turn_matrices(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct job *job = context;
    const size_t end = pool_part(job->batch, job->pieces, index + 1);
    struct transposition t = matrix_at(job, pool_part(job->batch, job->pieces, index));
    const struct transpose_layouts layouts = transpose_layouts_of(job->run->problem);
    const size_t bytes = element_info(job->run->problem->type)->bytes;
    for (size_t i = pool_part(job->batch, job->pieces, index); i < end; i++) {
        job->turn(&t, (struct part){0, t.rows, 0, t.cols});
        t.in += layouts.in.step * bytes;
        t.out += layouts.out.step * bytes;
    }
}

/* Of an array, above which it does not fit the caches: both arrays, with as much room again for other data. Where a
 * core's own cache is large, as in Intel's servers, the last level beyond it is slow: written there, arrays of 5 to 36
 * MB took twice as long as past all caches. */
#define OWN_CACHE_LARGE ((size_t)2 << 20)
static size_t cached_bytes(void)
{
    const size_t own = cpu_own_cache_bytes(), last = cpu_cache_bytes() / 4;
    return own >= OWN_CACHE_LARGE ? size_least(own, last) : last;
}

/* Streaming stores are for arrays that do not fit the caches. A few rows or columns are read and written in order
 * anyway. */
static bool streams(const struct transposition *t, size_t bytes)
{
    return bytes > cached_bytes() && t->rows > FEW && t->cols > FEW && transpose_has_size(t->bytes) &&
           t->in_pitch % t->bytes == 0 && t->out_pitch % t->bytes == 0;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const struct transposition t = transposition_of(run);
    const size_t batch = (size_t)run->problem->values[TRANSPOSE_BATCH].size, bytes = batch * t.rows * t.cols * t.bytes;
    const size_t threads = pool_threads_for((double)bytes, THREAD_BYTES);
    struct job job = {run, streams(&t, bytes) ? level()->stream : transpose_keep, batch, 1, 1};
    if (bytes == 0)
        return STATUS_OK;
    if (threads == 1 && batch == 1) {
        job.turn(&t, (struct part){0, t.rows, 0, t.cols});
    } else if (batch >= threads) {
        job.pieces = size_least(batch, PIECES_PER_THREAD * threads);
        parallel_for(job.pieces, threads, turn_matrices, &job);
    } else {
        job.parts = (threads + batch - 1) / batch;
        parallel_for(batch * job.parts, threads, turn_part, &job);
    }
    return STATUS_OK;
}

/* ---- what its time grows with -------------------------------------------------------------------------------------
 */

#define ALONE 12.0 /* an element that is copied alone takes as long as so many bytes in vectors */

/* Bytes, of whole blocks, or of whole lanes where the part is thinner: the last ones lie over those before. */
static double part_load(const struct transposition *t, struct part part)
{
    const size_t rows = part.rows_end - part.row, cols = part.cols_end - part.col, side = side_of(t),
                 lane = LANE / t->bytes;
    if (!transpose_has_size(t->bytes) || rows < lane || cols < lane)
        return ALONE * (double)rows * (double)cols;
    const size_t step = rows < side || cols < side ? lane : side;
    const size_t whole_rows = (rows + step - 1) / step * step, whole_cols = (cols + step - 1) / step * step;
    return (double)whole_rows * (double)whole_cols * (double)t->bytes;
}

/* Of the busiest thread. */
static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters;
    unsigned char none;
    const struct transposition t = transposition_at(problem, &none, &none, 0);
    const size_t batch = (size_t)problem->values[TRANSPOSE_BATCH].size;
    const size_t count = pool_threads_worth((double)(batch * t.rows * t.cols * t.bytes), THREAD_BYTES, (size_t)threads);
    const size_t parts = batch >= count ? 1 : (count + batch - 1) / batch;
    double most = 0;
    for (size_t i = 0; i < parts; i++)
        most = fmax(most, part_load(&t, parts == 1 ? (struct part){0, t.rows, 0, t.cols} : part_of(&t, i, parts)));
    return most * ceil((double)(batch * parts) / (double)count);
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    return transpose_is_in_place(problem) ? explain(reason, size, "needs a target apart from the source") : NULL;
}

const struct rung transpose_simd = {
    .name = "simd",
    .idea = "tiles transposed in registers; streaming stores write whole lines while the next rows are prefetched",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = TAKES_ALL,
    .rests_soon = true,
    .supports = supports,
    .load = load,
    .enqueue = enqueue,
};
