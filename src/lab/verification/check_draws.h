/* Problems drawn at random, beyond a kernel's edge cases: sizes, flags and kinds of inputs that nobody thought of
 * together. */
#ifndef USKOR_LAB_VERIFICATION_CHECK_DRAWS_H
#define USKOR_LAB_VERIFICATION_CHECK_DRAWS_H

#include "kernels/kernel.h"

/* How much a drawn problem may take. */
enum draw_extent {
    DRAW_LIGHT,  /* up to 128 KiB: the CPU computes it in an instant */
    DRAW_MEDIUM, /* up to 8 MiB and 2·10^8 operations */
};

/* Draws problem `index` of the stream of `seed`: its type, its seed and every field. Sizes are uniform in their
 * logarithm; three of four are powers of two, their neighbours, or multiples of smaller powers. Returns false when no
 * problem that the kernel accepts was found. */
bool check_draw(const struct kernel *kernel, uint32_t seed, size_t index, enum draw_extent extent,
                struct problem *problem);

#endif
