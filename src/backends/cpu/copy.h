/* One thread's part of cpu_stream_copy, for each instruction set. */
#pragma once

#include <stddef.h>

#include "backends/cpu/cpu.h"

typedef void copy_part(char *target, const char *source, size_t bytes);

/* memcpy: stays in the caches when it fits. */
copy_part copy_part_plain;

/* The one that passes the caches by, for this instruction set; copy_part_plain when there is none. */
copy_part *copy_part_streaming(enum cpu_isa isa);
