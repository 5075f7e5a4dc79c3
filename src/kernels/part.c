#include "kernels/part.h"

#include <stdio.h>

#define TAPER 3 /* parts */
#define WHOLE ((size_t)1 << TAPER)

/* How many eighths of a part come before part `index`. */
static size_t eighths_before(size_t count, size_t index)
{
    size_t full = count - TAPER, eighths = (index < full ? index : full) * WHOLE;
    for (size_t i = full; i < index; i++)
        eighths += WHOLE >> (i - full + 1);
    return eighths;
}

size_t part_begin_tapered(size_t units, size_t count, size_t index)
{
    if (count <= TAPER)
        return part_begin(units, count, index);
    size_t all = eighths_before(count, count), before = eighths_before(count, index);
    if (units / all == 0)
        return part_begin(units, count, index);
    return units / all * before + units % all * before / all;
}

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
