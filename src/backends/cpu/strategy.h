/* Strategies of moving bytes on a CPU. No single one is the fastest on every machine, at every size and on every number
 * of threads: the ceiling of memory is the best of them (lab/ceilings/strategy_search.h finds it). */
#pragma once

#include "backends/cpu/cpu.h"

enum cpu_mover {
    CPU_MOVER_LIBRARY,   /* memcpy; one array read and one written */
    CPU_MOVER_STRING,    /* rep movsb (x86-64); the same */
    CPU_MOVER_ORDINARY,  /* vector loads and ordinary stores */
    CPU_MOVER_STREAMING, /* vector loads and non-temporal stores */
};

struct cpu_strategy {
    enum cpu_mover mover;
    enum cpu_isa isa; /* of the vectors */
    int streams;      /* places of each array walked side by side, 1 … 8 */
    int ahead;        /* bytes prefetched ahead of each of them; 0: none */
    bool serial;      /* on one thread, however many there are */
};

/* The strategies for `reads` arrays read and `writes` written, `bytes` bytes each: those that this processor can run,
 * the most promising first; returns how many, at most CPU_STRATEGIES_MAX. Of arrays so small that a prefetch would
 * reach behind them, fewer. */
#define CPU_STRATEGIES_MAX 64
size_t cpu_strategies(int reads, int writes, size_t bytes, struct cpu_strategy strategies[CPU_STRATEGIES_MAX]);

/* "4 streams, non-temporal AVX2 stores, prefetch 3 KiB ahead". Returns `text`. */
const char *cpu_strategy_name(const struct cpu_strategy *strategy, int reads, int writes, char *text, size_t size);

/* Reads every byte of `read_count` arrays and writes every byte of `write_count` others, `bytes` bytes each, with as
 * many threads as there are: each byte written is the exclusive or of those read at its place, so that one array
 * read and one written is a copy. No arrays overlap. They may have any alignment; where several are written, all have
 * the same within a cache line. Nothing is returned: no load is left out. */
void cpu_walk(const struct cpu_strategy *strategy, const void *const *sources, int read_count, void *const *targets,
              int write_count, size_t bytes);

/* ---- one thread's part (strategy_part.c) ---- */

#define CPU_WALK_LINE ((size_t)64)
#define CPU_WALK_STEP (4 * CPU_WALK_LINE) /* of each stream in turn */

/* One thread's share of the arrays: `bytes` (a multiple of CPU_WALK_LINE) of every array from the places given on; the
 * targets are aligned to lines. */
struct cpu_walk_part {
    const char *sources[CPU_STREAMS_MAX];
    char *targets[CPU_STREAMS_MAX];
    int read_count, write_count;
    size_t bytes;
    int streams, ahead;
};
typedef void cpu_walk_function(const struct cpu_walk_part *part);

/* The inner loop for those vectors and stores. */
cpu_walk_function *cpu_walk_part_for(enum cpu_isa isa, bool streaming);

/* rep movsb; memcpy where there is none. */
void cpu_string_move(void *target, const void *source, size_t bytes);
bool cpu_has_string_move(void);
