#include "kernels/part.h"

#include <stdio.h>

void part_add(struct job_part *part, int array, struct job_piece piece)
{
    if (piece.width == 0 || piece.rows == 0)
        return;
    part->arrays[array].pieces[part->arrays[array].count++] = piece;
}

void part_add_bytes(struct job_part *part, int array, size_t whole_offset, size_t part_offset, size_t bytes)
{
    part_add(part, array,
             (struct job_piece){.whole_offset = whole_offset, .part_offset = part_offset, .width = bytes, .rows = 1});
}

const char *part_refuses(size_t units, const char *what, size_t count, char *reason, size_t size)
{
    if (units >= count)
        return NULL;
    snprintf(reason, size, "%zu %s make no %zu parts", units, what, count);
    return reason;
}

const char *part_never(const char *why, char *reason, size_t size)
{
    snprintf(reason, size, "%s", why);
    return reason;
}
