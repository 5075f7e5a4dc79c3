/* Parts are bands of the input's rows, which lie together; each makes a block of the output's columns, whose rows are
 * far apart: that copy is one of rectangles. */
#include "kernels/part.h"
#include "kernels/transpose/transpose.h"

/* Rectangles travel faster when their rows begin at lines, so rows are dealt out by so many where there are enough. */
#define ROWS_TOGETHER 64

/* Where part `index` of the rows begins. */
static size_t begin_of(size_t rows, size_t count, size_t index)
{
    size_t together = rows / count >= ROWS_TOGETHER ? ROWS_TOGETHER : 1;
    return index == count ? rows : part_begin(rows / together, count, index) * together;
}

const char *transpose_split(const struct problem *problem, size_t index, size_t count, struct job_part *part,
                            char *reason, size_t size)
{
    size_t rows = (size_t)problem_size(problem, "rows"), cols = (size_t)problem_size(problem, "cols");
    size_t bytes = element_info(problem->type)->bytes;
    if (part_refuses(rows, "rows", count, reason, size))
        return reason;
    size_t from = begin_of(rows, count, index), height = begin_of(rows, count, index + 1) - from;
    problem_set_size(&part->problem, "rows", (int64_t)height);
    part_add_bytes(part, 0, from * cols * bytes, 0, height * cols * bytes);
    part_add(part, 1,
             (struct job_piece){.whole_offset = from * bytes,
                                .whole_pitch = rows * bytes,
                                .part_pitch = height * bytes,
                                .width = height * bytes,
                                .rows = cols});
    return NULL;
}
