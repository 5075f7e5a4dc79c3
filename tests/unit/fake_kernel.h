/* A kernel that does nothing, with a field of every kind, for tests of what kernels share. A test that includes this
 * brings its own list of kernels. */
#pragma once

#include "base/size.h"
#include "kernels/kernel.h"

static const char *const mix_modes[] = {"plain", "mirrored", "transposed", NULL};

static const struct problem_field mix_fields[] = {
    {.name = "rows", .kind = FIELD_SIZE, .initial = 64, .minimum = 0, .maximum = INT64_MAX},
    {.name = "cols", .kind = FIELD_SIZE, .initial = 48, .minimum = 1, .maximum = INT64_MAX},
    {.name = "alpha", .kind = FIELD_REAL, .initial_real = 1},
    {.name = "mode", .kind = FIELD_CHOICE, .initial = 0, .choices = mix_modes},
};

static const enum element_type mix_types[] = {ELEMENT_F32, ELEMENT_F64, ELEMENT_U8};

static int mix_describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    size_t rows = (size_t)problem_size(problem, "rows"), cols = (size_t)problem_size(problem, "cols");
    arrays[0] = (struct array){.name = "a", .direction = ARRAY_IN, .type = problem->type, .rows = rows, .cols = cols};
    arrays[1] = (struct array){.name = "b", .direction = ARRAY_IN, .type = ELEMENT_U32, .rows = 1, .cols = cols};
    arrays[2] = (struct array){.name = "out", .direction = ARRAY_OUT, .type = problem->type, .rows = 1, .cols = rows};
    return 3;
}

static const char *const mix_shape[] = {"rows", "cols", NULL};

#define MIX_MEMBERS                                                                                                   \
    .fields = mix_fields, .field_count = COUNT_OF(mix_fields), .types = mix_types, .type_count = COUNT_OF(mix_types), \
    .shape = mix_shape, .describe = mix_describe

static const struct kernel kernel_mix = {.name = "mix", .title = "mixes", MIX_MEMBERS};
