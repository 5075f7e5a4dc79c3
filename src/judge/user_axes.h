/* Which axis of the index space a textbook kernel takes for its rows. */
#pragma once

#include "judge/user_kernel.h"

/* Where the kernel compares its first index (get_global_id(0), blockIdx.x) with the size of the second axis of
 * `groups`, writes the groups with the two axes exchanged, at most `size` bytes, and returns true. `arguments` are
 * those of user_meaning_arguments(). */
bool user_axes_exchange(const char *text, const struct user_kernel *kernel, const char *arguments, const char *groups,
                        char *exchanged, size_t size);
