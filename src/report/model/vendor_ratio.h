/* A ladder's best rung against the vendor's library. */
#pragma once

#include <stddef.h>

#include "report/model/view.h"

/* "1.2× openblas": how many times as fast as the fastest library the fastest rung of our own is; "ours: naive 0.55×"
 * where the library is faster; empty where there is only one of the two. Returns `text`. */
const char *ladder_against_vendor(const struct ladder *ladder, char *text, size_t size);
