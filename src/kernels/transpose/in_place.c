/* In the matrix's own memory. A square one: tiles that mirror each other change places. Any other, without gaps: three
 * passes that permute rows or columns, each within itself, so that scratch memory is a row or a few columns for each
 * thread (B. Catanzaro, A. Keller, M. Garland, A Decomposition for In-place Matrix Transposition, 2014). */
#include <stdbool.h>
#include <string.h>

#include "base/message.h"
#include "base/pool.h"
#include "base/size.h"
#include "kernels/transpose/simd.h"

#define LINE 64
#define TILE_BYTES ((size_t)16384)
#define THREAD_BYTES 65536.0

/* One matrix of rows × cols elements. `a` and `b`: the sides divided by their greatest common divisor. */
struct job {
    unsigned char *data;
    size_t rows, cols, bytes, pitch; /* pitch and step in bytes */
    size_t batch, step;
    size_t a, b;
    size_t side;  /* of a tile */
    size_t width; /* columns that are permuted at once */
    char *scratch;
    size_t scratch_bytes; /* of a thread */
};

static size_t common_divisor(size_t a, size_t b)
{
    while (b > 0) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static size_t square_root(size_t square)
{
    size_t root = 1;
    while ((root + 1) * (root + 1) <= square)
        root++;
    return root;
}

static struct job job_of(const struct problem *problem, void *data, char *scratch)
{
    const struct transposition t = transposition_at(problem, data, data, 0);
    const struct transpose_layouts layouts = transpose_layouts_of(problem);
    struct job job = {.data = data,
                      .rows = t.rows,
                      .cols = t.cols,
                      .bytes = t.bytes,
                      .pitch = t.in_pitch,
                      .batch = layouts.in.batch,
                      .step = layouts.in.step * element_info(problem->type)->bytes,
                      .scratch = scratch};
    const size_t divisor = common_divisor(t.rows, t.cols);
    job.a = divisor ? t.rows / divisor : 0;
    job.b = divisor ? t.cols / divisor : 0;
    job.side = square_root(TILE_BYTES / t.bytes + 1);
    if (job.side * t.bytes >= LINE && LINE % t.bytes == 0)
        job.side -= job.side % (LINE / t.bytes);
    job.width = size_least(t.cols, t.bytes < LINE ? LINE / t.bytes : 1);
    const size_t row = t.cols * t.bytes, columns = t.rows * job.width * t.bytes;
    job.scratch_bytes = t.rows == t.cols ? job.side * job.side * t.bytes : row > columns ? row : columns;
    job.scratch_bytes = (job.scratch_bytes + LINE) / LINE * LINE;
    return job;
}

/* ---- square -------------------------------------------------------------------------------------------------------
 */

/* The tile at (row, col) gets the transpose of what is at `from`. */
static void put_tile(const struct job *job, size_t row, size_t col, const void *from, size_t pitch)
{
    const size_t height = size_least(job->side, job->rows - row), width = size_least(job->side, job->rows - col);
    const struct transposition t = {
        from, job->data + row * job->pitch + col * job->bytes, width, height, job->bytes, pitch, job->pitch};
    transpose_keep(&t, (struct part){0, width, 0, height});
}

static void copy_tile(const struct job *job, size_t row, size_t col, char *to)
{
    const size_t height = size_least(job->side, job->rows - row), width = size_least(job->side, job->rows - col);
    for (size_t i = 0; i < height; i++)
        memcpy(to + i * width * job->bytes, job->data + (row + i) * job->pitch + col * job->bytes, width * job->bytes);
}

/* A row of tiles, from the diagonal on. */
static void swap_tiles(void *context, size_t index, size_t thread)
{
    const struct job *job = context;
    char *own = job->scratch + thread * job->scratch_bytes;
    const size_t row = index * job->side;
    for (size_t col = row; col < job->rows; col += job->side) {
        const size_t width = size_least(job->side, job->rows - col) * job->bytes;
        copy_tile(job, row, col, own);
        if (col > row)
            put_tile(job, row, col, job->data + col * job->pitch + row * job->bytes, job->pitch);
        put_tile(job, col, row, own, width);
    }
}

/* ---- any other ----------------------------------------------------------------------------------------------------
 */

#define WIDTH_MOST 64

/* Some columns, each gathered within itself: its row i comes from row (base(i) + shift(column)) mod rows. */
static inline __attribute__((always_inline)) void gather(const struct job *job, size_t index, size_t thread,
                                                         bool rotates)
{
    unsigned char *own = (unsigned char *)job->scratch + thread * job->scratch_bytes;
    const size_t first = index * job->width, width = size_least(job->width, job->cols - first), bytes = job->bytes;
    size_t shift[WIDTH_MOST];
    for (size_t col = 0; col < width; col++)
        shift[col] = (rotates ? (first + col) / job->b : first + col) % job->rows;
    for (size_t row = 0; row < job->rows; row++) {
        const size_t base = rotates ? row : (row * job->cols - row / job->a) % job->rows;
        for (size_t col = 0; col < width; col++) {
            const size_t sum = base + shift[col], from = sum < job->rows ? sum : sum - job->rows;
            memcpy(own + (row * width + col) * bytes, job->data + from * job->pitch + (first + col) * bytes, bytes);
        }
    }
    for (size_t row = 0; row < job->rows; row++)
        memcpy(job->data + row * job->pitch + first * bytes, own + row * width * bytes, width * bytes);
}

static void rotate_columns(void *context, size_t index, size_t thread)
{
    gather(context, index, thread, true);
}

static void shuffle_columns(void *context, size_t index, size_t thread)
{
    gather(context, index, thread, false);
}

/* Its element `col` goes to ((index + col / b) mod rows + col * rows) mod cols. */
static void shuffle_row(void *context, size_t index, size_t thread)
{
    const struct job *job = context;
    unsigned char *own = (unsigned char *)job->scratch + thread * job->scratch_bytes;
    unsigned char *row = job->data + index * job->pitch;
    const size_t cols = job->cols, step = job->rows % cols;
    for (size_t col = 0, walked = 0; col < cols;) {
        const size_t base = (index + col / job->b) % job->rows % cols, end = col + job->b;
        for (; col < end; col++) {
            const size_t sum = base + walked, to = sum < cols ? sum : sum - cols;
            memcpy(own + to * job->bytes, row + col * job->bytes, job->bytes);
            walked = walked + step < cols ? walked + step : walked + step - cols;
        }
    }
    memcpy(row, own, cols * job->bytes);
}

/* ---- a matrix, a batch --------------------------------------------------------------------------------------------
 */

/* All pieces of a pass: in this thread alone where others have matrices of their own. */
static void do_pass(struct job *job, size_t pieces, size_t threads, size_t thread, pool_piece *piece)
{
    if (threads > 1)
        parallel_for(pieces, threads, piece, job);
    else
        for (size_t i = 0; i < pieces; i++)
            piece(job, i, thread);
}

static void turn(struct job *job, size_t threads, size_t thread)
{
    const size_t groups = (job->cols + job->width - 1) / job->width;
    if (job->rows == job->cols) {
        do_pass(job, (job->rows + job->side - 1) / job->side, threads, thread, swap_tiles);
        return;
    }
    if (job->rows <= 1 || job->cols <= 1)
        return;
    if (job->b < job->cols) /* the sides have a common divisor */
        do_pass(job, groups, threads, thread, rotate_columns);
    do_pass(job, job->rows, threads, thread, shuffle_row);
    do_pass(job, groups, threads, thread, shuffle_columns);
}

static void turn_matrix(void *context, size_t index, size_t thread)
{
    struct job job = *(const struct job *)context;
    job.data += index * job.step;
    turn(&job, 1, thread);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct job job = job_of(run->problem, run->buffers[0].host, run->scratch->host);
    const double bytes = (double)job.batch * (double)job.rows * (double)job.cols * (double)job.bytes;
    const size_t room = run->scratch->bytes / job.scratch_bytes;
    const size_t threads = size_least(pool_threads_for(bytes, THREAD_BYTES), room);
    if (bytes == 0)
        return STATUS_OK;
    if (job.batch >= threads) {
        parallel_for(job.batch, threads, turn_matrix, &job);
        return STATUS_OK;
    }
    for (size_t i = 0; i < job.batch; i++, job.data += job.step)
        turn(&job, threads, 0);
    return STATUS_OK;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    return pool_threads() * job_of(problem, NULL, NULL).scratch_bytes;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    return transpose_is_in_place(problem) ? NULL : explain(reason, size, "transposes a matrix in its own memory");
}

const struct rung transpose_in_place = {
    .name = "in-place",
    .idea = "in the matrix's own memory: mirrored tiles change places; where it is not square rows and columns are "
            "permuted, each within itself",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = TAKES_ALL,
    .rests_soon = true,
    .supports = supports,
    .scratch = scratch,
    .enqueue = enqueue,
};
