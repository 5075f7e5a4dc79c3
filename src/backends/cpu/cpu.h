/* Machine properties for CPU rungs: caches and instruction sets (isa.h); and the lab's probes, whose threads are the
 * pool's (base/pool.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backends/cpu/isa.h"
#include "base/status.h"

/* Bytes of the last-level cache: what cpu_cache_find has found, else an estimate that costs nothing. */
size_t cpu_cache_bytes(void);

/* Finds them, once: measured where the machine reports more than can be ours (backends/cpu/cache_size.h, some 100 ms,
 * by three processes); a guess of 32 MiB when it reports none. */
void cpu_cache_find(void);

/* One data cache: its bytes, how many processors of ours share it, its ways and bytes of a line (0: not reported).
 * False when there is none of that level (from 1), or the system does not report it. */
struct cpu_cache {
    size_t bytes;
    int sharers;
    int ways, line;
};
bool cpu_cache_level(int level, struct cpu_cache *cache);

/* Bytes of a core's own cache, the second-level one; 0 when the system does not report it. Read once. */
size_t cpu_own_cache_bytes(void);

/* Copies with all threads (base/pool.h), with streaming stores where that pays: the copy whose rate is
 * the CPU's ceiling for kernels that read one stream and write one. The arrays do not overlap. */
void cpu_stream_copy(void *target, const void *source, size_t bytes);

/* Most arrays on either side of cpu_streams. */
#define CPU_STREAMS_MAX 8

/* Walks `read_count` arrays and writes `write_count` others, `bytes` bytes each, side by side with as many threads as
 * there are: each line written is the exclusive or of the lines read. Its rate is the ceiling for kernels with
 * as many streams. No arrays overlap; all are aligned to 64 bytes. Returns the exclusive or of all that was read, so
 * that no read can be left out. */
uint64_t cpu_streams(const void *const *sources, int read_count, void *const *targets, int write_count, size_t bytes);

struct device;
struct buffer;

/* Opens the cpu device as device_open does, in some microseconds: of its properties only those are there that rungs and
 * allocations need. */
enum status cpu_open_bare(struct device **device, struct error *error);

/* Makes a buffer of the cpu device out of the caller's memory: of any alignment, valid as long as it is,
 * not freed by buffer_release. */
void cpu_wrap(struct device *device, void *memory, size_t bytes, struct buffer *buffer);

/* Does `count` multiply-adds of floats (or doubles) from registers, with all threads: its rate
 * is the ceiling for kernels that compute. The result depends on all of them, so that none can be optimised away. */
double cpu_multiply_add(double count, bool is_double);

/* The same in several ways, of which the fastest is the ceiling: how many there are (each instruction set, numbers of
 * chains, all threads or one), the name of one, and one run of it. */
size_t cpu_multiply_add_variants(void);
const char *cpu_multiply_add_name(size_t index, char *text, size_t size);
double cpu_multiply_add_by(size_t index, double count, bool is_double);

/* Each of OpenMP's threads reads `bytes` bytes (a multiple of CPU_READ_UNIT) `passes` times, the first from `memory`
 * (aligned to 64 bytes) on, the next from `bytes` behind it: the bandwidth of the cache that holds them. */
#define CPU_READ_UNIT 1024
void cpu_read_again(const void *memory, size_t bytes, long passes);

/* Each of OpenMP's threads does `count` integer additions (rounded up to CPU_ADDS_UNIT) that wait for each other, one
 * clock cycle each on every processor of today: its rate is the clock. Returns something of all of them. */
#define CPU_ADDS_UNIT 32
uint64_t cpu_add_in_turn(long count);

/* Each of OpenMP's threads executes `count` instructions (rounded up to CPU_ISSUE_UNIT) that wait for nothing:
 * additions to six registers and, on x86-64, moves of vector registers, which need no unit. */
#define CPU_ISSUE_UNIT 80
void cpu_issue(long count);
