/* A vector of points of one step, for code whose text is compiled for each instruction set. */
#pragma once

#include "kernels/wave/row.h"
#include "kernels/wave/vectors.h"

/* Defines, for a set with vectors of LENGTH floats, struct by_<suffix> (the weights), load_<suffix> (from any address)
 * and point_<suffix>: the new value of `here`, between its neighbours along x and with the sums of those along y and z
 * at distances 1 and 2. Neighbours along x are put together from the vectors to the left and right, which are loaded
 * anyway: loads that cross a cache line cost twice. Sums are short chains of multiply-adds, which leaves the adders and
 * the multipliers about the same work. */
#define DEFINE_STENCIL(suffix, attributes, LENGTH, multiply_add)                                         \
    DEFINE_VECTOR(suffix, LENGTH)                                                                        \
    struct by_##suffix {                                                                                 \
        vector_##suffix centre, near, far;                                                               \
    };                                                                                                   \
    attributes FOR_EACH_SET struct by_##suffix by_##suffix(const struct wave_row_weights *weights)       \
    {                                                                                                    \
        struct by_##suffix by = {{0}, {0}, {0}};                                                         \
        by.centre += weights->centre, by.near += weights->near, by.far += weights->far;                  \
        return by;                                                                                       \
    }                                                                                                    \
    attributes FOR_EACH_SET vector_##suffix load_##suffix(const float *from)                             \
    {                                                                                                    \
        return *(const loose_##suffix *)(const void *)from;                                              \
    }                                                                                                    \
    attributes FOR_EACH_SET vector_##suffix point_##suffix(                                              \
        const struct by_##suffix *by, vector_##suffix left, vector_##suffix here, vector_##suffix right, \
        vector_##suffix before, vector_##suffix near_y, vector_##suffix far_y, vector_##suffix near_z,   \
        vector_##suffix far_z)                                                                           \
    {                                                                                                    \
        vector_##suffix near_x = SHIFT(LENGTH, left, here, LENGTH - 1) + SHIFT(LENGTH, here, right, 1);  \
        vector_##suffix far_x = SHIFT(LENGTH, left, here, LENGTH - 2) + SHIFT(LENGTH, here, right, 2);   \
        vector_##suffix near = multiply_add(by->centre, here, -before), far = far_x * by->far;           \
        near = multiply_add(by->near, near_x, near);                                                     \
        near = multiply_add(by->near, near_y, near);                                                     \
        far = multiply_add(by->far, far_y, far);                                                         \
        near = multiply_add(by->near, near_z, near);                                                     \
        far = multiply_add(by->far, far_z, far);                                                         \
        return near + far;                                                                               \
    }
