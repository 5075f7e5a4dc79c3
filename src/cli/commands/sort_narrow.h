/* Sorting of items of one or two bytes, by counting their values. */
#pragma once

#include "files/npy_header.h"

/* Writes the layout's items in ascending order: integers, or halves with -0 before +0 and NaNs last; all keep their
 * bits and their byte order. Counts the result again: false where it differs, or memory is out. */
bool sort_narrow(const struct npy_layout *layout, const void *source, void *target);
