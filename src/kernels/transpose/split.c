/* Parts are tiles: a tile of the input becomes one of the output. Where it is as wide as the input its rows lie
 * together there, and where it is as high, in the output; otherwise they are apart, and the copy is one of rectangles.
 * How many tiles there are side by side, and how many one above another, is what makes those copies fastest. */

#include "base/message.h"
#include "kernels/part.h"
#include "kernels/transpose/transpose.h"

/* Copies are faster when a rectangle's rows begin at cache lines, so elements are divided in multiples of this where
 * there are enough. */
#define TOGETHER 64

struct tiles {
    size_t down, across;
};

/* The first row (or column) of part `index`. */
static size_t begin_of(size_t units, size_t count, size_t index)
{
    size_t together = units / count >= TOGETHER ? TOGETHER : 1;
    return index == count ? units : part_begin(units / together, count, index) * together;
}

/* Dimensionless penalty for short rows of a copy: nothing where there are no gaps, little where the rows are as
 * long as they should be. It is not the sum of both sides' lengths that counts, but the shorter one: hence the square.
 */
static double cost_of_rows(size_t units, size_t count, size_t element_bytes)
{
    size_t row_bytes = units / count * element_bytes;
    double shortness = (double)part_row_bytes(units * element_bytes) / (double)row_bytes;
    return count == 1 ? 0 : shortness * shortness;
}

/* Of the ways to make `count` tiles the one with the longest rows on both sides; the output's count a little more, as
 * copies to the host suffer more from short ones. Tiles of no elements are none. */
static struct tiles tiles_of(size_t rows, size_t cols, size_t element_bytes, size_t count)
{
    struct tiles best = {0};
    double least = 0;
    for (size_t down = 1; down <= count; down++) {
        size_t across = count / down;
        if (count % down != 0 || down > rows || across > cols)
            continue;
        double cost = 1.1 * cost_of_rows(rows, down, element_bytes) + cost_of_rows(cols, across, element_bytes);
        if (best.down == 0 || cost < least) {
            best = (struct tiles){down, across};
            least = cost;
        }
    }
    return best;
}

/* The rectangle of a matrix with rows of `pitch` bytes, which is all that there is in the tile's array. */
static struct job_piece rectangle(size_t offset, size_t pitch, size_t width, size_t rows)
{
    if (width == pitch)
        return (struct job_piece){.whole_offset = offset, .width = width * rows, .rows = 1};
    return (struct job_piece){
        .whole_offset = offset, .whole_pitch = pitch, .part_pitch = width, .width = width, .rows = rows};
}

const char *transpose_split(const struct problem *problem, size_t index, size_t count, struct job_part *part,
                            char *reason, size_t size)
{
    size_t rows = (size_t)problem_size(problem, "rows"), cols = (size_t)problem_size(problem, "cols");
    size_t bytes = element_info(problem->type)->bytes;
    for (size_t i = TRANSPOSE_IN_PAD; i < problem->kernel->field_count; i++)
        if (problem->values[i].size != problem->kernel->fields[i].initial)
            return part_never(N_("only one matrix without gaps is cut, of elements of one number"), reason, size);
    struct tiles tiles = tiles_of(rows, cols, bytes, count);
    if (tiles.down == 0) {
        explain(reason, size, "%zu rows and %zu columns make no %zu parts", rows, cols, count);
        return reason;
    }
    size_t down = index / tiles.across, across = index % tiles.across;
    size_t row = begin_of(rows, tiles.down, down), height = begin_of(rows, tiles.down, down + 1) - row;
    size_t col = begin_of(cols, tiles.across, across), width = begin_of(cols, tiles.across, across + 1) - col;
    problem_set_size(&part->problem, "rows", (int64_t)height);
    problem_set_size(&part->problem, "cols", (int64_t)width);
    part_add(part, 0, rectangle((row * cols + col) * bytes, cols * bytes, width * bytes, height));
    part_add(part, 1, rectangle((col * rows + row) * bytes, rows * bytes, height * bytes, width));
    return NULL;
}
