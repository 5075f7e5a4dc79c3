/* Lanes of a warp that take turns: lanes that take different branches, or the same branch in different rounds of a
 * loop, execute them one after another. Lanes are run one by one here, so each execution of a block of instructions is
 * remembered by the rounds of the loops around it, and counted once for all lanes of the warp. */
#ifndef USKOR_EXPLAIN_MACHINE_TURNS_H
#define USKOR_EXPLAIN_MACHINE_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/compiled/compiled.h"

struct turns {
    const struct explain_kernel *kernel;
    size_t *block_of;                  /* the first instruction of each instruction's block */
    int *loop_at;                      /* of each instruction: the loop that begins there, or -1 */
    uint32_t *round;                   /* of each loop, for the lane that runs */
    size_t before;                     /* the instruction before the next */
    double *of_lane, *of_one, *of_all; /* executions of each block: of the lane, most of a lane, of the warp */
    size_t *touched, touched_count;    /* blocks that of_lane counts */
    double *more;                      /* of_all / of_one, of the last warp */
    uint64_t *seen;                    /* executions of this warp, and of some before it */
    size_t seen_count, seen_before;
    uint64_t warp;
};

/* `begins` says of each instruction whether a block begins there: at branches' targets and behind branches. False when
 * out of memory. turns_free is called in both cases. */
bool turns_make(struct turns *turns, const struct explain_kernel *kernel, const bool *begins);
void turns_free(struct turns *turns);

void turns_begin_warp(struct turns *turns);
void turns_begin_lane(struct turns *turns);
void turns_step(struct turns *turns, size_t instruction);
void turns_end_lane(struct turns *turns);
void turns_end_warp(struct turns *turns);

/* How many times as often as its busiest lane the last warp executed an instruction: 1 where its lanes kept together.
 */
double turns_of(const struct turns *turns, size_t instruction);

#endif
