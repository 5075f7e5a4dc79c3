/* Sizes that come from users: every sum and product is checked before it is used. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* *result = a * b (a + b); false, and *result untouched, when that does not fit. */
static inline bool size_multiply(size_t a, size_t b, size_t *result)
{
    size_t value;
    if (__builtin_mul_overflow(a, b, &value))
        return false;
    *result = value;
    return true;
}

static inline bool size_add(size_t a, size_t b, size_t *result)
{
    size_t value;
    if (__builtin_add_overflow(a, b, &value))
        return false;
    *result = value;
    return true;
}

static inline size_t size_least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
