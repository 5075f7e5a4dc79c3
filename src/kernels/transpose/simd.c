#include "kernels/transpose/simd.h"

#include "backends/cpu/cpu.h"
#include "base/pool.h"

#define LINE 64 /* bytes, of the caches */

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

/* The columns are dealt to the threads, as each column is a run of the output; where there are too few, the rows too.
 */
static struct part part_of(const struct transposition *t, size_t thread, size_t threads)
{
    size_t side = LINE / t->bytes, groups = t->cols / side + 1;
    size_t across = groups < threads ? groups : threads, down = threads / across;
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

/* Bytes below which another thread costs more time than it saves. */
#define THREAD_BYTES 65536.0

struct job {
    struct transposition t;
    void (*turn)(const struct transposition *, struct part);
    size_t parts;
};

static void turn_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct job *job = context;
    const struct part part = part_of(&job->t, index, job->parts);
    if (part.row < part.rows_end && part.col < part.cols_end)
        job->turn(&job->t, part);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const size_t bytes = run->arrays[0].bytes, threads = pool_threads_for((double)bytes, THREAD_BYTES);
    /* Arrays that fit the caches are written with ordinary stores: both arrays, with as much room again for other data.
     */
    const bool keeps = bytes <= cpu_cache_bytes() / 4;
    struct job job = {transposition_of(run), keeps ? level()->keep : level()->stream, threads};
    if (threads == 1)
        job.turn(&job.t, (struct part){0, job.t.rows, 0, job.t.cols});
    else
        parallel_for(threads, threads, turn_part, &job);
    return STATUS_OK;
}

const struct rung transpose_simd = {
    .name = "simd",
    .idea = "tiles transposed in registers; streaming stores write whole lines while the next rows are prefetched",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .rests_soon = true,
    .enqueue = enqueue,
};
