/* How ranks divide the wave's field: a grid of ranks, each with a block of points. */
#pragma once

#include "distributed/ranks/method.h"

/* The axes, in the order of memory: x runs fastest. */
enum wave_axis { WAVE_Z, WAVE_Y, WAVE_X, WAVE_AXES };

/* The points of a field, and the ranks along each axis; rank = (z · ranks along y + y) · ranks along x + x. */
struct wave_blocks {
    size_t points[WAVE_AXES];
    int ranks[WAVE_AXES];
};

/* Points begin … begin + size - 1 along each axis; without any where a size is 0. */
struct wave_box {
    size_t begin[WAVE_AXES], size[WAVE_AXES];
};

/* Slabs along z. Each has at least WAVE_REACH planes, so that a halo comes from one rank; ranks beyond have none. */
struct wave_blocks wave_slabs(const struct problem *problem, int count);

/* The grid of all ranks whose largest block has the least surface; of equal ones that with more ranks along z, then y.
 * Along a divided axis each block has at least WAVE_REACH points. No such grid: that of the largest smaller number of
 * ranks. */
struct wave_blocks wave_grid_of_ranks(const struct problem *problem, int count);

/* The number of ranks that have a block. */
int wave_blocks_count(const struct wave_blocks *blocks);

struct wave_box wave_block_of(const struct wave_blocks *blocks, int rank);

/* The points along an axis of the largest block; the points of its face across the axis. */
double wave_largest_side(const struct wave_blocks *blocks, enum wave_axis axis);
double wave_largest_face(const struct wave_blocks *blocks, enum wave_axis axis);

/* The rank `step` places on along an axis, across the periodic boundary. */
int wave_neighbour(const struct wave_blocks *blocks, int rank, enum wave_axis axis, int step);

/* A block as rows of the field's array, which has nz · ny rows of nx points; and back. */
struct place wave_place(const struct wave_blocks *blocks, int rank);
struct wave_box wave_box_of_place(const struct problem *problem, struct place place);

/* A rank's field: its block of points, and the halos around it; and boxes of it, one after another in memory. */

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
