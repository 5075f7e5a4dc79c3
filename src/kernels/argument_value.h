/* Arguments of a launch from a size and from a factor, for host halves of rungs. */
#pragma once

#include <stddef.h>

#include "backends/backend.h"

static inline struct argument_value argument_long(size_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)value}};
}

static inline struct argument_value argument_float(double value)
{
    return (struct argument_value){ARGUMENT_FLOAT, {.float_value = (float)value}};
}
