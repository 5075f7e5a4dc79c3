/* Sorting of items of one or two bytes, by counting their values. */
#pragma once

#include "base/message.h"
#include "files/npy_header.h"

/* Writes the layout's items in ascending order: integers, or halves with -0 before +0 and NaNs last; all keep their
 * bits and their byte order. Counts the result again: STATUS_FAILED, without a message, where it differs;
 * STATUS_UNAVAILABLE where memory is out. */
enum status sort_narrow(const struct npy_layout *layout, const void *source, void *target, struct error *error);
