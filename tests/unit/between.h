/* Asserts that an unsigned number is within bounds, both included. cmocka 2 has deprecated assert_in_range, and cmocka
 * 1 has nothing else. To be included behind cmocka.h. */
#pragma once

#include <inttypes.h>

static inline void between(uintmax_t value, uintmax_t least, uintmax_t most, const char *text, const char *file,
                           int line)
{
    if (value >= least && value <= most)
        return;
    print_error("%s is %" PRIuMAX ", not within %" PRIuMAX " and %" PRIuMAX "\n", text, value, least, most);
    _fail(file, line);
}

#define assert_between(value, least, most) \
    between((uintmax_t)(value), (uintmax_t)(least), (uintmax_t)(most), #value, __FILE__, __LINE__)
