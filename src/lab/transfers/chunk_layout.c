#include "lab/transfers/chunk_layout.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/part.h"

static bool is_input(const struct array *array)
{
    return array->direction != ARRAY_OUT;
}

static bool is_output(const struct array *array)
{
    return array->direction != ARRAY_IN && !array->interim;
}

static size_t round_up(size_t bytes)
{
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

/* The whole problem as a single part. */
static void take_whole(const struct chunk_layout *layout, struct job_part *part)
{
    for (int i = 0; i < layout->array_count; i++) {
        part->arrays[i].count = 1;
        part->arrays[i].pieces[0] = (struct job_piece){.width = layout->arrays[i].bytes, .rows = 1};
    }
}

static enum status cut(struct chunk_layout *layout, struct error *error)
{
    const struct kernel *kernel = layout->problem->kernel;
    char reason[256];
    int count;
    for (size_t p = 0; p < layout->count; p++) {
        struct laid_part *laid = &layout->parts[p];
        laid->part.problem = *layout->problem;
        const char *refusal = NULL;
        if (layout->count == 1)
            take_whole(layout, &laid->part);
        else if (kernel->split)
            refusal = kernel->split(layout->problem, p, layout->count, &laid->part, reason, sizeof reason);
        else
            refusal = "nobody has said how its job is cut";
        if (refusal)
            return fail(error, STATUS_UNAVAILABLE, "%s is not cut into %zu parts: %s", kernel->name, layout->count,
                        refusal);
        enum status status = kernel_describe(&laid->part.problem, laid->arrays, &count, error);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Finds the bytes at the part's end that the first part's beginning already provides, beyond those already present. */
static void find_again(struct chunk_layout *layout, size_t p, int array)
{
    struct laid_part *laid = &layout->parts[p];
    size_t wrapped = laid->part.arrays[array].wrapped, own = laid->arrays[array].bytes - laid->skip[array];
    if (wrapped == 0 || wrapped > layout->parts[0].arrays[array].bytes)
        return;
    laid->again[array] = wrapped < own ? wrapped : own;
    laid->again_from[array] = layout->parts[0].at[array] + wrapped - laid->again[array];
}

/* Start of the part's array in its stream's memory: behind the previous part, or over the bytes that both share, if a
 * view may begin there. */
static void place(struct chunk_layout *layout, size_t p, int array, size_t *end)
{
    struct laid_part *laid = &layout->parts[p];
    size_t shared = laid->part.arrays[array].shared, bytes = laid->arrays[array].bytes;
    const struct laid_part *before = p > 0 ? &layout->parts[p - 1] : NULL;
    size_t end_before = before ? before->at[array] + before->arrays[array].bytes : 0;
    if (before && shared > 0 && shared <= bytes && end_before >= shared &&
        (end_before - shared) % BUFFER_ALIGNMENT == 0) {
        laid->at[array] = end_before - shared;
        laid->skip[array] = shared;
        find_again(layout, p, array);
    } else {
        laid->at[array] = round_up(*end);
    }
    *end = laid->at[array] + bytes > *end ? laid->at[array] + bytes : *end;
}

/* Finds how many parts back share inputs with this one: a part's own bytes may be fewer than those it shares. */
static void find_needed(struct chunk_layout *layout, size_t p)
{
    struct laid_part *laid = &layout->parts[p];
    for (int i = 0; i < layout->array_count; i++)
        for (size_t back = 1; laid->skip[i] && back <= p; back++) {
            const struct laid_part *before = &layout->parts[p - back];
            if (before->at[i] + before->arrays[i].bytes <= laid->at[i])
                break;
            laid->after = back > laid->after ? back : laid->after;
        }
}

static enum status allocate(struct chunk_layout *layout, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < layout->array_count; i++) {
        size_t end = 0;
        for (size_t p = 0; p < layout->count; p++)
            place(layout, p, i, &end);
        status = buffer_allocate(layout->device, end, &layout->lanes[i], error);
        for (size_t p = 0; status == STATUS_OK && p < layout->count; p++)
            status = buffer_view(&layout->lanes[i], layout->parts[p].at[i], layout->parts[p].arrays[i].bytes,
                                 &layout->parts[p].views[i], error);
    }
    for (size_t p = 0; p < layout->count; p++)
        find_needed(layout, p);
    return status;
}

enum status chunk_layout_create(const struct problem *problem, struct device *device, size_t count,
                                struct chunk_layout *layout, struct error *error)
{
    *layout = (struct chunk_layout){.device = device, .problem = problem, .count = count};
    layout->parts = calloc(count, sizeof *layout->parts);
    if (!layout->parts)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu parts", count);
    enum status status = kernel_describe(problem, layout->arrays, &layout->array_count, error);
    if (status == STATUS_OK)
        status = cut(layout, error);
    if (status == STATUS_OK)
        status = allocate(layout, error);
    if (status != STATUS_OK)
        chunk_layout_destroy(layout);
    return status;
}

void chunk_layout_destroy(struct chunk_layout *layout)
{
    for (size_t p = 0; layout->parts && p < layout->count; p++)
        for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
            buffer_release(&layout->parts[p].views[i]);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        buffer_release(&layout->lanes[i]);
    free(layout->parts);
    memset(layout, 0, sizeof *layout);
}

/* ---- what travels --------------------------------------------------------------------------------------------- */

/* The piece between two places of the part. Shared bytes are contiguous. */
static struct job_piece between(const struct job_piece *piece, size_t from, size_t to)
{
    struct job_piece rest = *piece;
    if (rest.rows != 1)
        return rest;
    size_t begin = rest.part_offset > from ? rest.part_offset : from;
    size_t end = rest.part_offset + rest.width < to ? rest.part_offset + rest.width : to;
    rest.whole_offset += begin - rest.part_offset;
    rest.part_offset = begin;
    rest.width = end > begin ? end - begin : 0;
    return rest;
}

/* The bytes of an input's piece that are copied. */
static struct job_piece travelling(const struct laid_part *laid, int array, int piece)
{
    return between(&laid->part.arrays[array].pieces[piece], laid->skip[array],
                   laid->arrays[array].bytes - laid->again[array]);
}

static bool joins(const struct chunk_layout *layout)
{
    return layout->count > 1 && layout->problem->kernel->join;
}

size_t chunk_layout_bytes(const struct chunk_layout *layout, bool to_device)
{
    size_t bytes = 0;
    for (size_t p = 0; p < layout->count; p++)
        for (int i = 0; i < layout->array_count; i++) {
            const struct laid_part *laid = &layout->parts[p];
            if (to_device ? !is_input(&layout->arrays[i]) : !is_output(&layout->arrays[i]))
                continue;
            if (!to_device && joins(layout))
                bytes += laid->arrays[i].bytes;
            for (int k = 0; k < laid->part.arrays[i].count && !(joins(layout) && !to_device); k++) {
                struct job_piece rest = to_device ? travelling(laid, i, k) : laid->part.arrays[i].pieces[k];
                bytes += rest.width * rest.rows;
            }
        }
    return bytes;
}

static struct transfer transfer_of(const struct job_piece *piece, void *host)
{
    return (struct transfer){
        .offset = piece->part_offset,
        .pitch = piece->part_pitch,
        .host = (char *)host + piece->whole_offset,
        .host_pitch = piece->whole_pitch,
        .width = piece->width,
        .rows = piece->rows,
    };
}

static enum chunk_layout_rectangles rectangles_of(const struct job_piece *piece)
{
    if (piece->rows == 1)
        return LAYOUT_WITHOUT_GAPS;
    return piece->width < part_row_bytes(piece->whole_pitch) ? LAYOUT_SHORT_ROWS : LAYOUT_LONG_ROWS;
}

enum chunk_layout_rectangles chunk_layout_rectangles(const struct chunk_layout *layout)
{
    enum chunk_layout_rectangles worst = LAYOUT_WITHOUT_GAPS;
    for (size_t p = 0; p < layout->count; p++)
        for (int i = 0; i < layout->array_count; i++)
            for (int k = 0; k < layout->parts[p].part.arrays[i].count; k++) {
                enum chunk_layout_rectangles own = rectangles_of(&layout->parts[p].part.arrays[i].pieces[k]);
                worst = own > worst ? own : worst;
            }
    return worst;
}

bool chunk_layout_needs_first(const struct chunk_layout *layout, size_t part)
{
    bool needs = false;
    for (int i = 0; i < layout->array_count; i++)
        needs = needs || layout->parts[part].again[i] > 0;
    return needs;
}

enum status chunk_layout_send(const struct chunk_layout *layout, size_t part, struct host_arrays from,
                              struct error *error)
{
    const struct laid_part *laid = &layout->parts[part];
    enum status status = STATUS_OK;
    for (int i = 0; i < layout->array_count; i++) {
        for (int k = 0; is_input(&layout->arrays[i]) && status == STATUS_OK && k < laid->part.arrays[i].count; k++) {
            struct job_piece rest = travelling(laid, i, k);
            struct transfer transfer = transfer_of(&rest, from.data[i]);
            status = buffer_send(&laid->views[i], &transfer, error);
        }
        size_t again = laid->again[i], end = laid->at[i] + laid->arrays[i].bytes;
        if (status == STATUS_OK && again)
            status = buffer_copy(&layout->lanes[i], end - again, &layout->lanes[i], laid->again_from[i], again, error);
    }
    return status;
}

/* Start of a part's outputs among all outputs that are to be joined. */
static size_t joined_at(const struct chunk_layout *layout, size_t part, int array)
{
    size_t at = 0;
    for (int i = 0; i < array; i++)
        at += is_output(&layout->arrays[i]) ? round_up(layout->lanes[i].bytes) : 0;
    return at + layout->parts[part].at[array];
}

enum status chunk_layout_receive(const struct chunk_layout *layout, size_t part, struct host_arrays to, void *joined,
                                 struct error *error)
{
    const struct laid_part *laid = &layout->parts[part];
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < layout->array_count; i++) {
        if (!is_output(&layout->arrays[i]))
            continue;
        if (joins(layout)) {
            struct transfer whole = {
                .host = (char *)joined + joined_at(layout, part, i), .width = laid->arrays[i].bytes, .rows = 1};
            status = buffer_receive(&laid->views[i], &whole, error);
            continue;
        }
        for (int k = 0; status == STATUS_OK && k < laid->part.arrays[i].count; k++) {
            struct transfer transfer = transfer_of(&laid->part.arrays[i].pieces[k], to.data[i]);
            status = buffer_receive(&laid->views[i], &transfer, error);
        }
    }
    return status;
}

size_t chunk_layout_joined_bytes(const struct chunk_layout *layout)
{
    size_t bytes = 0;
    for (int i = 0; joins(layout) && i < layout->array_count; i++)
        bytes += is_output(&layout->arrays[i]) ? round_up(layout->lanes[i].bytes) : 0;
    return bytes;
}

enum status chunk_layout_join(const struct chunk_layout *layout, void *joined, struct host_arrays whole,
                              struct error *error)
{
    if (!joins(layout))
        return STATUS_OK;
    struct host_arrays *parts = calloc(layout->count, sizeof *parts);
    if (!parts)
        return fail(error, STATUS_UNAVAILABLE, "no memory to join %zu parts", layout->count);
    for (size_t p = 0; p < layout->count; p++)
        for (int i = 0; i < layout->array_count; i++)
            if (is_output(&layout->arrays[i]))
                parts[p].data[i] = (char *)joined + joined_at(layout, p, i);
    layout->problem->kernel->join(layout->problem, parts, layout->count, whole);
    free(parts);
    return STATUS_OK;
}
