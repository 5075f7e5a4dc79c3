#include "cli/commands/rank_parts.h"

#include <stdlib.h>
#include <string.h>

#define TILE 32 /* elements along each side of what is turned at once */

void items_swap(void *data, size_t count, size_t bytes)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        unsigned char *item = (unsigned char *)data + i * bytes;
        for (size_t low = 0, high = bytes - 1; low < high; low++, high--) {
            const unsigned char byte = item[low];
            item[low] = item[high];
            item[high] = byte;
        }
    }
}

/* target[j][i] = source[i][j], of rows × cols elements of the source. */
static void turn(char *target, const char *source, size_t rows, size_t cols, size_t bytes)
{
#pragma omp parallel for schedule(static)
    for (size_t row = 0; row < rows; row += TILE)
        for (size_t col = 0; col < cols; col += TILE)
            for (size_t i = row; i < rows && i < row + TILE; i++)
                for (size_t j = col; j < cols && j < col + TILE; j++)
                    memcpy(target + (j * rows + i) * bytes, source + (i * cols + j) * bytes, bytes);
}

typedef enum status move_bytes(void *file, const char *path, size_t offset, void *data, size_t bytes,
                               struct error *error);

static enum status write_bytes(void *file, const char *path, size_t offset, void *data, size_t bytes,
                               struct error *error)
{
    return ranks_file_write(file, path, offset, data, bytes, error);
}

/* A rectangle of a matrix with `pitch` columns, row by row, or at once where rows follow each other. */
static enum status move(void *file, const char *path, size_t offset, struct place place, size_t pitch, size_t bytes,
                        char *data, move_bytes *each, struct error *error)
{
    size_t width = place.cols * bytes, rows = place.rows;
    enum status status = STATUS_OK;
    if (place.cols == pitch && rows > 0) {
        width *= rows;
        rows = 1;
    }
    for (size_t row = 0; status == STATUS_OK && width > 0 && row < rows; row++)
        status = each(file, path, offset + ((place.row + row) * pitch + place.col) * bytes, data + row * width, width,
                      error);
    return status;
}

static struct place own_place(const struct method_run *run, int array)
{
    return run->method->place(run->problem, &run->arrays[array], array, run->ranks.rank, run->ranks.count);
}

static enum status read_turned(const struct method_run *run, const struct rank_input *input, void *file,
                               const char *path, struct error *error)
{
    const struct array *array = &run->arrays[input->array];
    const struct place place = own_place(run, input->array);
    const struct place stored = {.row = place.col, .rows = place.cols, .col = place.row, .cols = place.rows};
    const size_t bytes = element_info(array->type)->bytes;
    void *memory;
    enum status status = method_allocate(&memory, place.rows * place.cols * bytes, error);
    if (status == STATUS_OK)
        status = move(file, path, input->file.offset, stored, array->rows, bytes, memory, ranks_file_read, error);
    if (status == STATUS_OK)
        turn(run->parts[input->array], memory, stored.rows, stored.cols, bytes);
    free(memory);
    return status;
}

enum status rank_part_read(const struct method_run *run, const struct rank_input *input, const char *path,
                           struct error *error)
{
    const struct array *array = &run->arrays[input->array];
    const struct place place = own_place(run, input->array);
    const size_t bytes = element_info(array->type)->bytes;
    void *file = NULL;
    enum status status = ranks_file_open(path, false, &file, error);
    if (status != STATUS_OK)
        return status;
    status = input->turned ? read_turned(run, input, file, path, error)
                           : move(file, path, input->file.offset, place, array->cols, bytes, run->parts[input->array],
                                  ranks_file_read, error);
    ranks_file_close(file, path, NULL);
    if (input->swapped)
        items_swap(run->parts[input->array], place.rows * place.cols, bytes);
    return status;
}

enum status rank_part_write(const struct method_run *run, int array, void *file, const char *path, size_t offset,
                            bool swaps, struct error *error)
{
    const struct place place = own_place(run, array);
    const size_t bytes = element_info(run->arrays[array].type)->bytes;
    if (swaps)
        items_swap(run->parts[array], place.rows * place.cols, bytes);
    return move(file, path, offset, place, run->arrays[array].cols, bytes, run->parts[array], write_bytes, error);
}

const void *rank_input_whole(const struct method_run *run, const struct rank_input *input, void **memory)
{
    const struct array *array = &run->arrays[input->array];
    const size_t bytes = element_info(array->type)->bytes;
    *memory = NULL;
    if (!input->turned && !input->swapped)
        return input->file.data;
    *memory = malloc(array->bytes > 0 ? array->bytes : 1);
    if (!*memory)
        return NULL;
    if (input->turned)
        turn(*memory, input->file.data, array->cols, array->rows, bytes);
    else
        memcpy(*memory, input->file.data, array->bytes);
    if (input->swapped)
        items_swap(*memory, array->rows * array->cols, bytes);
    return *memory;
}
