/* Problems drawn at random, beyond a kernel's edge cases: sizes, flags and kinds of inputs that nobody thought of
 * together. */
#pragma once

#include "lab/bench/candidate.h"

/* How much a drawn problem may take. */
enum draw_extent {
    DRAW_LIGHT,  /* up to 128 KiB: the CPU computes it in an instant */
    DRAW_MEDIUM, /* up to 8 MiB and 2·10^8 operations */
};

/* Draws problem `index` of the stream of `seed`: its type, its seed and every field. Sizes are uniform in their
 * logarithm; three of four are powers of two, their neighbours, or multiples of smaller powers. Every twelfth
 * problem has structured inputs (kernels/structure.h). Returns false when no
 * problem that the kernel accepts was found. */
bool check_draw(const struct kernel *kernel, uint32_t seed, size_t index, enum draw_extent extent,
                struct problem *problem);

/* Whether the field is a side: of the shape, or derived from it. */
bool check_draw_is_side(const struct kernel *kernel, const struct problem_field *field);

/* A rung of a user's, of one type, with the tunables that the user set (may be NULL). */
struct draw_target {
    const struct kernel *kernel;
    const struct rung *rung;
    struct device *device;
    const struct overrides *set;
    enum element_type type;
};

/* The same for one rung: the problem has its type, and the rung does not refuse it. As a textbook's kernel serves
 * little else, some attempts have all fields but the sides and the kind of inputs at their defaults: every second one
 * of a third of the problems, and later ones of all. */
bool check_draw_served(const struct draw_target *target, uint32_t seed, size_t index, enum draw_extent extent,
                       struct problem *problem);
