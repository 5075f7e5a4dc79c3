/* One thread's part of cpu_streams, for each instruction set. */
#pragma once

#include "backends/cpu/cpu.h"

/* Bytes from `from` to `to` (multiples of 64) of every array. */
typedef uint64_t streams_part(const char *const *sources, int read_count, char *const *targets, int write_count,
                              size_t from, size_t to);

/* Ordinary stores, and stores that pass the caches by. */
streams_part *streams_part_plain(enum cpu_isa isa);
streams_part *streams_part_streaming(enum cpu_isa isa);
