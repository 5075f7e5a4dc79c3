#include "lab/transfers/chunk_layout.h"

#include "base/size.h"

/* Default size of a part. Its copies must take long compared with the cost of starting them (3 µs a copy on an H200).
 * It must be a small share of a large job: one direction idles during the first part's upload and the last part's
 * download. Measured on an H200: parts of 32 MiB are best for 1 to 4 GiB. */
#define PART_BYTES 24e6
#define PARTS_LEAST 4
#define PARTS_MANY 32
#define LARGE_PART_BYTES 33554432.0
#define PARTS_MOST 128
/* Default size of a rectangular part. A job of rectangles sends as much as it fetches: one direction idles until the
 * first part has arrived, and after the last is sent. Its parts are therefore smaller, while their rows stay long. */
#define RECTANGLE_PART_BYTES 4e6

static double bytes_of(const struct chunk_layout *whole)
{
    size_t in = chunk_layout_bytes(whole, true), out = chunk_layout_bytes(whole, false);
    return (double)(in > out ? in : out);
}

static size_t default_parts(double bytes)
{
    double parts = bytes / PART_BYTES;
    if (parts > PARTS_MANY)
        parts = bytes / LARGE_PART_BYTES > PARTS_MANY ? bytes / LARGE_PART_BYTES : PARTS_MANY;
    return parts < PARTS_LEAST ? PARTS_LEAST : parts > PARTS_MOST ? PARTS_MOST : (size_t)parts;
}

/* Cuts into as many rectangles as still have long rows. */
static enum status cut_rectangles(const struct chunk_layout *whole, struct chunk_layout *cut, struct error *error)
{
    static const size_t counts[] = {PARTS_MOST, 96, 64, 48, PARTS_MANY, 24, 20, 16, 12, 9, 8, 6, PARTS_LEAST};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(counts); i++) {
        bool is_last = counts[i] == PARTS_LEAST;
        double least_bytes = counts[i] > PARTS_MANY ? LARGE_PART_BYTES : RECTANGLE_PART_BYTES;
        if (bytes_of(whole) / (double)counts[i] < least_bytes && !is_last)
            continue;
        chunk_layout_destroy(cut);
        status = chunk_layout_create(whole->problem, whole->device, counts[i], cut, error);
        if (status == STATUS_UNAVAILABLE && !is_last)
            status = STATUS_OK; /* 5 × 5 elements, for example, have no 12 parts */
        else if (status == STATUS_OK && chunk_layout_rectangles(cut) != LAYOUT_SHORT_ROWS)
            return STATUS_OK;
    }
    return status;
}

enum status partition_job(const struct chunk_layout *whole, size_t parts, struct chunk_layout *cut, struct error *error)
{
    if (parts)
        return chunk_layout_create(whole->problem, whole->device, parts, cut, error);
    parts = default_parts(bytes_of(whole));
    enum status status = chunk_layout_create(whole->problem, whole->device, parts, cut, error);
    for (; status == STATUS_UNAVAILABLE && parts > 2; parts--)
        status = chunk_layout_create(whole->problem, whole->device, parts - 1, cut, error);
    bool is_for_rectangles = status == STATUS_OK && cut->count >= PARTS_LEAST;
    if (is_for_rectangles && chunk_layout_rectangles(cut) != LAYOUT_WITHOUT_GAPS)
        return cut_rectangles(whole, cut, error);
    return status;
}
