/* Blocks: a block of the source is gathered from its rows into memory, transposed there, and scattered to the rows of
 * the target. Its sides are chosen so that the pieces of rows are long in both files: a piece of a few pages is read
 * and written with little waste, where one element per row would cost a page each. Pages are dropped as soon as they
 * are done with, and the next block is fetched while one is at work. */
#include "file_jobs/transpose_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "file_jobs/fingerprint.h"

#define PAGE ((size_t)4096)
#define COPY_CHUNK ((size_t)64 << 20)
#define PIECE ((size_t)1 << 20)
/* More gains nothing: pieces of rows are 64 KiB and longer then. */
#define BLOCK_MOST ((size_t)1 << 30)
/* Rows that one thread gathers or scatters before it drops their pages. */
#define ROWS_AT_ONCE 16

static size_t divide_up(size_t a, size_t b)
{
    return a / b + (a % b != 0);
}

/* ---- nothing to rearrange --------------------------------------------------------------------------------- */

/* A matrix in Fortran order is its transpose in C order; and a single row or column is only named differently. */
static bool same_bytes(const struct npy_layout *layout)
{
    return layout->fortran || layout->shape[0] <= 1 || layout->shape[1] <= 1;
}

static bool copy_piece(char *target, const char *source, size_t bytes)
{
    memcpy(target, source, bytes);
    return memcmp(target, source, bytes) == 0;
}

static enum status copy(const struct transpose_file *job, struct error *error)
{
    const struct npy_array *source = job->source;
    const struct npy_writer *target = job->target;
    bool same = true;
    size_t bytes = source->layout.bytes;
    for (size_t done = 0; done < bytes; done += COPY_CHUNK) {
        size_t chunk = size_least(COPY_CHUNK, bytes - done);
        mapping_want(&source->mapping, source->offset + done + chunk, COPY_CHUNK);
#pragma omp parallel for schedule(static) reduction(&& : same)
        for (size_t at = done; at < done + chunk; at += PIECE)
            same = copy_piece((char *)target->data + at, (const char *)source->data + at,
                              size_least(PIECE, done + chunk - at)) &&
                   same;
        mapping_drop(&source->mapping, source->offset + done, chunk);
        mapping_drop(&target->mapping, target->offset + done, chunk);
        job->progress(job->progress_context, (double)(done + chunk) / (double)bytes);
    }
    job->passed(job->passed_context, N_("reading, computing and checking"));
    return same ? STATUS_OK : fail(error, STATUS_FAILED, "%s: the copy differs", output_path(target->output));
}

/* ---- a matrix, or a block of one -------------------------------------------------------------------------- */

static enum status run(const struct transpose_file *job, void *target, const void *source, size_t rows, size_t cols,
                       struct error *error)
{
    static const enum status words[] = {
        [USKOR_OK] = STATUS_OK,           [USKOR_FAILED] = STATUS_FAILED,
        [USKOR_INVALID] = STATUS_INVALID, [USKOR_UNAVAILABLE] = STATUS_UNAVAILABLE,
        [USKOR_SYSTEM] = STATUS_SYSTEM,
    };
    enum uskor_status done = uskor_transpose(job->context, target, source, rows, cols, job->source->layout.item_bytes);
    return done == USKOR_OK ? STATUS_OK : fail(error, words[done], "%s", uskor_message(job->context));
}

/* A part of the source (of the target: `transposed`), in its file. */
static struct rectangle part_of(const struct transpose_file *job, bool transposed, size_t row, size_t col, size_t rows,
                                size_t cols)
{
    const struct npy_layout *layout = transposed ? &job->target->layout : &job->source->layout;
    const char *data = transposed ? job->target->data : job->source->data;
    size_t row_bytes = layout->shape[1] * layout->item_bytes;
    return (struct rectangle){
        .data = data + row * row_bytes + col * layout->item_bytes,
        .row_bytes = row_bytes,
        .row = row,
        .col = col,
        .rows = rows,
        .cols = cols,
        .element_bytes = layout->item_bytes,
        .transposed = transposed,
    };
}

static enum status judge(const struct transpose_file *job, uint64_t before, uint64_t after, struct error *error)
{
    if (before == after)
        return STATUS_OK;
    return fail(error, STATUS_FAILED, "%s: the result is wrong (rung %s on %s); nothing was written",
                output_path(job->target->output), uskor_rung(job->context), uskor_device(job->context));
}

static enum status transpose_whole(const struct transpose_file *job, struct error *error)
{
    size_t rows = job->source->layout.shape[0], cols = job->source->layout.shape[1];
    mapping_want(&job->source->mapping, 0, job->source->mapping.bytes);
    mapping_fault_in(&job->target->mapping);
    mapping_fault_in(&job->source->mapping);
    job->passed(job->passed_context, N_("reading"));
    enum status status = run(job, job->target->data, job->source->data, rows, cols, error);
    if (status != STATUS_OK)
        return status;
    job->passed(job->passed_context, N_("computing"));
    const size_t *result = job->target->layout.shape;
    struct rectangle before = part_of(job, false, 0, 0, rows, cols);
    struct rectangle after = part_of(job, true, 0, 0, result[0], result[1]);
    status = judge(job, fingerprint_parallel(&before), fingerprint_parallel(&after), error);
    job->passed(job->passed_context, N_("checking"));
    return status;
}

/* ---- blocks ----------------------------------------------------------------------------------------------- */

struct blocks {
    size_t rows, cols;   /* of a block */
    size_t down, across; /* how many there are */
    char *gathered, *transposed;
};

/* Near squares, whole pages wide and high where the matrix is larger than that and there is memory for it. */
static void choose_shape(const struct npy_layout *layout, size_t block_bytes, struct blocks *blocks)
{
    size_t rows = layout->shape[0], cols = layout->shape[1];
    size_t elements = block_bytes / layout->item_bytes, unit = PAGE / layout->item_bytes;
    while (unit > 1 && unit * unit > elements)
        unit /= 2;
    size_t side = unit;
    while ((side + unit) * (side + unit) <= elements)
        side += unit;
    blocks->rows = size_least(rows, side);
    blocks->cols = size_least(cols, side);
    if (blocks->cols == cols)
        blocks->rows = size_least(rows, elements / cols);
    else if (blocks->rows == rows)
        blocks->cols = size_least(cols, elements / rows);
    blocks->down = divide_up(rows, blocks->rows);
    blocks->across = divide_up(cols, blocks->cols);
}

/* Block `index`, down the source first: so along the rows of the target, where one block's pieces continue the last's.
 */
static struct rectangle block_at(const struct transpose_file *job, const struct blocks *blocks, size_t index)
{
    const size_t *shape = job->source->layout.shape;
    size_t row = index % blocks->down * blocks->rows, col = index / blocks->down * blocks->cols;
    return part_of(job, false, row, col, size_least(blocks->rows, shape[0] - row),
                   size_least(blocks->cols, shape[1] - col));
}

static size_t offset_in(const struct mapping *mapping, const void *data)
{
    return (size_t)((const char *)data - (const char *)mapping->data);
}

static void want(const struct mapping *mapping, const struct rectangle *part)
{
    size_t width = part->cols * part->element_bytes, offset = offset_in(mapping, part->data);
    if (width == part->row_bytes) {
        mapping_want(mapping, offset, part->rows * width);
        return;
    }
    for (size_t row = 0; row < part->rows; row++)
        mapping_want(mapping, offset + row * part->row_bytes, width);
}

/* Copies a part of a mapped file to or from `packed`, where its rows follow each other; adds up its fingerprint as the
 * file has it; drops its pages. */
static uint64_t move(const struct mapping *mapping, const struct rectangle *part, char *packed, bool to_file)
{
    uint64_t total = 0;
    size_t width = part->cols * part->element_bytes;
#pragma omp parallel for schedule(dynamic) reduction(+ : total)
    for (size_t first = 0; first < part->rows; first += ROWS_AT_ONCE) {
        struct rectangle few = *part;
        size_t offset = offset_in(mapping, part->data) + first * part->row_bytes;
        few.data = (char *)mapping->data + offset;
        few.row += first;
        few.rows = size_least(ROWS_AT_ONCE, part->rows - first);
        for (size_t row = 0; row < few.rows; row++) {
            char *in_file = (char *)mapping->data + offset + row * part->row_bytes;
            char *in_memory = packed + (first + row) * width;
            memcpy(to_file ? in_file : in_memory, to_file ? in_memory : in_file, width);
        }
        total += fingerprint(&few);
        mapping_drop(mapping, offset, (few.rows - 1) * part->row_bytes + width);
    }
    return total;
}

static enum status walk(const struct transpose_file *job, const struct blocks *blocks, struct error *error)
{
    size_t count = blocks->down * blocks->across;
    uint64_t before = 0, after = 0;
    struct rectangle block = block_at(job, blocks, 0);
    want(&job->source->mapping, &block);
    for (size_t i = 0; i < count; i++) {
        before += move(&job->source->mapping, &block, blocks->gathered, false);
        struct rectangle next = block_at(job, blocks, i + 1 < count ? i + 1 : i);
        if (i + 1 < count)
            want(&job->source->mapping, &next);
        enum status status = run(job, blocks->transposed, blocks->gathered, block.rows, block.cols, error);
        if (status != STATUS_OK)
            return status;
        struct rectangle result = part_of(job, true, block.col, block.row, block.cols, block.rows);
        after += move(&job->target->mapping, &result, blocks->transposed, true);
        block = next;
        job->progress(job->progress_context, (double)(i + 1) / (double)count);
    }
    job->passed(job->passed_context, N_("reading, computing and checking"));
    return judge(job, before, after, error);
}

static enum status transpose_blocks(const struct transpose_file *job, size_t block_bytes, struct error *error)
{
    struct blocks blocks = {0};
    choose_shape(&job->source->layout, block_bytes, &blocks);
    size_t bytes = divide_up(blocks.rows * blocks.cols * job->source->layout.item_bytes, PAGE) * PAGE;
    blocks.gathered = aligned_alloc(PAGE, bytes);
    blocks.transposed = aligned_alloc(PAGE, bytes);
    mapping_scattered(&job->source->mapping);
    mapping_scattered(&job->target->mapping);
    enum status status = blocks.gathered && blocks.transposed
                             ? walk(job, &blocks, error)
                             : fail(error, STATUS_UNAVAILABLE, "no memory for a block; give less with --memory");
    free(blocks.transposed);
    free(blocks.gathered);
    return status;
}

enum status transpose_file(const struct transpose_file *job, struct error *error)
{
    size_t bytes = job->source->layout.bytes;
    size_t device = job->device_bytes ? job->device_bytes : bytes;
    if (bytes == 0)
        return STATUS_OK;
    if (same_bytes(&job->source->layout))
        return copy(job, error);
    if (bytes <= job->memory_bytes / 2 && bytes <= device)
        return transpose_whole(job, error);
    /* A block is in memory four times: gathered, transposed, and in the pages of both files. */
    return transpose_blocks(job, size_least(size_least(job->memory_bytes / 4, BLOCK_MOST), device), error);
}
