/* Arrays of a caller's that must lie apart. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool overlaps(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t first = (uintptr_t)a, second = (uintptr_t)b;
    return first < second ? second - first < a_bytes : first - second < b_bytes;
}
