/* A rank's field: its block of points, and the halos around it; and boxes of it, one after another in memory. */
#pragma once

#include "distributed/ranks/wave_blocks.h"

struct halo_field {
    float *points;
    size_t size[WAVE_AXES];
};

size_t wave_box_points(const struct wave_box *box);

/* Whether the box lies in one piece in the field. */
bool wave_box_is_contiguous(const struct halo_field *field, const struct wave_box *box);

/* The box in the field, which starts there. */
float *halo_field_at(const struct halo_field *field, const struct wave_box *box);

/* Copies a box of the field to `packed`, and back. */
void wave_pack(const struct halo_field *field, const struct wave_box *box, float *packed);
void wave_unpack(const struct halo_field *field, const struct wave_box *box, const float *packed);

/* Where the points of a box are in one piece: in the field itself, or copied to `packed`. */
float *wave_in_one_piece(const struct halo_field *field, const struct wave_box *box, float *packed);
