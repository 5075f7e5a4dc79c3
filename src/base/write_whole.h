/* All bytes of a block into a file: write() may take a part of them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False where they do not all fit or the file cannot be written; errno says why. */
bool write_whole(int descriptor, const void *data, size_t bytes);
