/* What the lanes of a warp load from and store to, instruction by instruction, counted by the rules of the architecture
 * (explain/memory/rules.h). */
#pragma once

#include "explain/compiled/recorder.h"
#include "explain/machine/contention.h"
#include "explain/machine/warp.h"
#include "explain/memory/footprint.h"
#include "explain/memory/rules.h"

struct explain_kernel;
struct memory_place; /* one instruction's accesses to one space */

/* The launch whose threads are executed from their machine code. */
struct machine_request {
    const char *listing;                  /* nvdisasm's */
    const char *source;                   /* the program's, for the arguments' names */
    const struct recorded_launch *launch; /* its arguments are those of the first of its kind */
    size_t constant_offset;               /* of the arguments in the first constant bank */
    int compute;                          /* 90 for 9.0 */
    const struct machine_buffer *buffers; /* whose contents are known; others' are not */
    size_t buffer_count;
};

struct machine_places {
    const struct machine_request *request;
    const struct explain_kernel *kernel;
    struct memory_rules rules;
    struct memory_place *places;
    size_t count;
    int *place_of;                   /* of each instruction: its first place; -1: none */
    struct footprint loaded, stored; /* by the group */
    struct footprint by_warps;       /* loaded by each of its warps */
    const void *stored_by; /* the warp of the last store to global memory, its first sector and their number */
    uint64_t stored_sector;
    unsigned stored_count;
    struct contention addresses, slices; /* of atomic operations on global memory */
};

bool machine_places_make(struct machine_places *places, const struct machine_request *request,
                         const struct explain_kernel *kernel);
void machine_places_free(struct machine_places *places); /* zeroed is fine */

void machine_places_begin_group(struct machine_places *places);
/* The warp is about to execute the instruction, for the `time`th time. Not all later ones are looked at. */
void machine_places_add(struct machine_places *places, const struct machine_warp *warp, size_t instruction, size_t time,
                        double weight);

/* All executions of an instruction so far count so many times. */
void machine_places_weigh(struct machine_places *places, size_t instruction, double times);

/* Whether an address was not known. */
bool machine_places_lack(const struct machine_places *places);

/* Fills kernel->accesses. False when memory is out. */
bool machine_places_results(const struct machine_places *places, const struct machine_code *code,
                            struct explain_kernel *kernel);
