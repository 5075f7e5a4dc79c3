#include "kernels/part.h"

#include "base/message.h"

/* In quarters of a part: all but the last two count four, those two and one. */
static size_t quarters_before(size_t count, size_t index)
{
    return index + 2 <= count ? 4 * index : index < count ? 4 * count - 6 : 4 * count - 5;
}

size_t part_begin_tapered(size_t units, size_t count, size_t index)
{
    size_t all = count > 2 ? quarters_before(count, count) : 0;
    if (all == 0 || units / all == 0)
        return part_begin(units, count, index);
    size_t before = quarters_before(count, index);
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

const char *part_refuses(size_t units, const char *format, size_t count, char *reason, size_t size)
{
    if (units >= count)
        return NULL;
    return explain(reason, size, format, units, count);
}

const char *part_never(const char *why, char *reason, size_t size)
{
    explain(reason, size, "%s", why);
    return reason;
}
