/* What a core does with each instruction of copied code: its inputs and outputs, its unit, its latency, and where it
 * leads. */
#pragma once

#include "architectures/cores.h"
#include "explain/cache/code_copy.h"

enum core_unit {
    CORE_LOADS,
    CORE_STORES,
    CORE_ACCESSES, /* loads and stores of vectors */
    CORE_FLOATS,
    CORE_ADDITIONS,
    CORE_SHUFFLES,
    CORE_INTEGERS,
    CORE_VECTORS,
    CORE_DIVIDER,
    CORE_CONVERTER, /* between integers and floats */
    CORE_BRANCHES,
    CORE_UNITS, /* none */
};

enum { CORE_VECTOR_REGISTERS = 16, CORE_FLAGS = CORE_VECTOR_REGISTERS + 32, CORE_REGISTERS };

struct core_step {
    signed char sources[5], addresses[3], target;        /* registers by number; -1: none */
    bool sets_flags, loads, stores, is_vector, is_fused; /* is_fused: issued together with the branch behind it */
    enum core_unit unit;
    enum x86_flow flow;
    float clocks;     /* from its inputs to its output, without the load */
    float busy;       /* share of a clock in which its unit is taken */
    float stored;     /* … in which the store's unit is taken */
    float operations; /* micro-ops issued; 0: skipped */
    uint64_t fetched; /* the block of code that it is fetched with, by number */
    size_t to;        /* where a branch or a call leads; the next one where it leads out of the copied code */
    bool has_record;  /* its access is in the trace */
    unsigned bytes;   /* … */
};

/* One instruction; `to`, `has_record` stay unset. False for what the core passes over (nop). */
bool core_step_of(const struct x86_instruction *one, const struct cpu_core *core, struct core_step *step);

/* All instructions of the copy; the caller frees the array. NULL when memory is out. */
struct core_step *core_steps_make(const struct code_copy *copy, const struct cpu_core *core);
