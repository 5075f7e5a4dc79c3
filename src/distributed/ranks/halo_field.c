#include "distributed/ranks/wave_blocks.h"

#include <string.h>

#include "kernels/wave/wave.h"

#define POINTS_FOR_THREADS ((size_t)1 << 15) /* fewer are copied sooner than threads begin */

size_t wave_box_points(const struct wave_box *box)
{
    return box->size[WAVE_Z] * box->size[WAVE_Y] * box->size[WAVE_X];
}

bool wave_box_is_contiguous(const struct halo_field *field, const struct wave_box *box)
{
    const bool has_whole_rows = box->size[WAVE_X] == field->size[WAVE_X];
    return has_whole_rows && (box->size[WAVE_Y] == field->size[WAVE_Y] || box->size[WAVE_Z] == 1);
}

float *halo_field_at(const struct halo_field *field, const struct wave_box *box)
{
    return field->points + (box->begin[WAVE_Z] * field->size[WAVE_Y] + box->begin[WAVE_Y]) * field->size[WAVE_X] +
           box->begin[WAVE_X];
}

/* A call of memcpy for the few points of a row across x would take longer than they do. */
static inline void copy_row(float *to, const float *from, size_t points)
{
    if (points == WAVE_REACH)
        memcpy(to, from, WAVE_REACH * sizeof *to);
    else
        memcpy(to, from, points * sizeof *to);
}

static void copy_box(const struct halo_field *field, const struct wave_box *box, float *packed, bool to_field)
{
    float *first = halo_field_at(field, box);
    const size_t width = box->size[WAVE_X], rows = box->size[WAVE_Y], pitch = field->size[WAVE_X];
    if (wave_box_is_contiguous(field, box)) {
        memcpy(to_field ? first : packed, to_field ? packed : first, wave_box_points(box) * sizeof *packed);
        return;
    }
#pragma omp parallel for schedule(static) if (wave_box_points(box) >= POINTS_FOR_THREADS)
    for (size_t z = 0; z < box->size[WAVE_Z]; z++)
        for (size_t y = 0; y < rows; y++) {
            float *at = first + (z * field->size[WAVE_Y] + y) * pitch, *own = packed + (z * rows + y) * width;
            copy_row(to_field ? at : own, to_field ? own : at, width);
        }
}

void wave_pack(const struct halo_field *field, const struct wave_box *box, float *packed)
{
    copy_box(field, box, packed, false);
}

void wave_unpack(const struct halo_field *field, const struct wave_box *box, const float *packed)
{
    copy_box(field, box, (float *)packed, true);
}

float *wave_in_one_piece(const struct halo_field *field, const struct wave_box *box, float *packed)
{
    if (wave_box_is_contiguous(field, box))
        return halo_field_at(field, box);
    wave_pack(field, box, packed);
    return packed;
}
