/* The architectures' tables in every form. `only` NULL: all of them. All return false when the stream could not be
 * written. */
#pragma once

#include <stdio.h>

#include "architectures/architectures.h"

bool architectures_print(FILE *stream);
/* One compute capability, a figure a line with its source, and its GPUs. */
bool architecture_print(FILE *stream, const struct capability *only);
bool architectures_json(FILE *stream, const struct capability *only);
bool architectures_csv(FILE *stream, const struct capability *only);
