/* The addresses that the lanes of a warp load from and store to, instruction by instruction, and what they count by the
 * rules of the architecture (explain/memory/rules.h). */
#ifndef USKOR_EXPLAIN_MACHINE_PLACES_H
#define USKOR_EXPLAIN_MACHINE_PLACES_H

#include "explain/machine/thread.h"
#include "explain/memory/footprint.h"
#include "explain/memory/rules.h"

struct machine_request;
struct explain_kernel;
struct memory_place; /* one instruction's accesses to one space */

struct machine_places {
    const struct machine_request *request;
    const struct explain_kernel *kernel;
    struct memory_rules rules;
    struct memory_place *places;
    size_t count;
    int *place_of;                   /* of each instruction: its first place; -1: none */
    struct footprint loaded, stored; /* by the group */
};

bool machine_places_make(struct machine_places *places, const struct machine_request *request,
                         const struct explain_kernel *kernel);
void machine_places_free(struct machine_places *places); /* zeroed is fine */

/* Whether an instruction goes to memory. */
bool machine_places_wants(const struct machine_places *places, size_t instruction);

/* The addresses that an instruction names, its own and the one it copies to or from; returns a bit for each that is
 * known. */
unsigned machine_places_of(const struct machine_thread *thread, const struct machine_instruction *instruction,
                           uint64_t addresses[2]);

void machine_places_begin_group(struct machine_places *places);
void machine_places_begin_warp(struct machine_places *places);
/* A lane's execution of an instruction, its `time`th in this warp. Times beyond those that are remembered count as
 * these do. */
void machine_places_add(struct machine_places *places, size_t instruction, size_t time, unsigned lane, unsigned known,
                        const uint64_t addresses[2]);
/* All lanes of a warp have run; `executed` is how often the warp executed each instruction. */
void machine_places_end_warp(struct machine_places *places, const double *executed, double weight);
/* Whether the warp went to a place that no warp before had shown. */
bool machine_places_lack(const struct machine_places *places, const double *executed);
/* Another warp of which not all lanes ran: its executions count as those that were looked at. */
void machine_places_pass(struct machine_places *places, const double *executed, double weight);

/* All executions of an instruction so far count so many times. */
void machine_places_weigh(struct machine_places *places, size_t instruction, double times);

/* Fills kernel->accesses. False when memory is out. */
bool machine_places_results(const struct machine_places *places, struct explain_kernel *kernel);

#endif
