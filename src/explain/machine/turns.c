#include "explain/machine/turns.h"

#include <stdlib.h>
#include <string.h>

enum {
    SEEN = 1 << 14,       /* a power of two */
    SEEN_MOST = SEEN / 2, /* executions of blocks of one warp; above it, lanes are taken to keep together */
};

static void divide(struct turns *turns, const bool *begins)
{
    const struct explain_kernel *kernel = turns->kernel;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        turns->block_of[i] = i == 0 || begins[i] ? i : turns->block_of[i - 1];
        turns->loop_at[i] = -1;
        turns->more[i] = 1;
    }
    for (size_t l = 0; l < kernel->loop_count; l++)
        turns->loop_at[kernel->loops[l].first] = (int)l;
}

bool turns_make(struct turns *turns, const struct explain_kernel *kernel, const bool *begins)
{
    size_t count = kernel->instruction_count + 1;
    *turns = (struct turns){.kernel = kernel};
    turns->block_of = calloc(count, sizeof *turns->block_of);
    turns->loop_at = calloc(count, sizeof *turns->loop_at);
    turns->round = calloc(kernel->loop_count + 1, sizeof *turns->round);
    turns->of_lane = calloc(count, sizeof *turns->of_lane);
    turns->touched = calloc(count, sizeof *turns->touched);
    turns->of_one = calloc(count, sizeof *turns->of_one);
    turns->of_all = calloc(count, sizeof *turns->of_all);
    turns->more = calloc(count, sizeof *turns->more);
    turns->seen = calloc(SEEN, sizeof *turns->seen);
    bool is_made = turns->block_of && turns->loop_at && turns->round && turns->of_lane && turns->touched &&
                   turns->of_one && turns->of_all && turns->more && turns->seen;
    if (is_made)
        divide(turns, begins);
    return is_made;
}

void turns_free(struct turns *turns)
{
    free(turns->block_of);
    free(turns->loop_at);
    free(turns->round);
    free(turns->of_lane);
    free(turns->touched);
    free(turns->of_one);
    free(turns->of_all);
    free(turns->more);
    free(turns->seen);
}

void turns_begin_warp(struct turns *turns)
{
    size_t bytes = turns->kernel->instruction_count * sizeof *turns->of_one;
    memset(turns->of_one, 0, bytes);
    memset(turns->of_all, 0, bytes);
    if (turns->seen_count > SEEN / 4) { /* emptying it for each warp would take longer than the warp */
        memset(turns->seen, 0, SEEN * sizeof *turns->seen);
        turns->seen_count = 0;
    }
    turns->seen_before = turns->seen_count;
    turns->warp++;
}

void turns_begin_lane(struct turns *turns)
{
    while (turns->touched_count > 0)
        turns->of_lane[turns->touched[--turns->touched_count]] = 0;
    memset(turns->round, 0, turns->kernel->loop_count * sizeof *turns->round);
    turns->before = SIZE_MAX;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* The block's execution, by the rounds of the loops around it; never 0. */
static uint64_t name_of(const struct turns *turns, size_t block)
{
    uint64_t name = mix(mix(0, turns->warp), block);
    for (int loop = turns->kernel->instructions[block].loop; loop >= 0; loop = turns->kernel->loops[loop].parent)
        name = mix(mix(name, (uint64_t)loop), turns->round[loop]);
    return name | 1;
}

static bool is_full(const struct turns *turns)
{
    return turns->seen_count - turns->seen_before >= SEEN_MOST;
}

/* False where it was seen before. */
static bool is_new(struct turns *turns, uint64_t name)
{
    size_t at = (size_t)(name >> 20) & (SEEN - 1);
    for (; turns->seen[at]; at = (at + 1) & (SEEN - 1))
        if (turns->seen[at] == name)
            return false;
    turns->seen[at] = name;
    turns->seen_count++;
    return true;
}

void turns_step(struct turns *turns, size_t instruction)
{
    int loop = turns->loop_at[instruction];
    if (loop >= 0) {
        const struct explain_loop *one = &turns->kernel->loops[loop];
        bool goes_on = turns->before >= one->first && turns->before <= one->last;
        turns->round[loop] = goes_on ? turns->round[loop] + 1 : 0;
    }
    if (turns->block_of[instruction] == instruction && !is_full(turns)) {
        if (turns->of_lane[instruction] == 0)
            turns->touched[turns->touched_count++] = instruction;
        turns->of_lane[instruction]++;
        turns->of_all[instruction] += is_new(turns, name_of(turns, instruction));
    }
    turns->before = instruction;
}

void turns_end_lane(struct turns *turns)
{
    for (size_t t = 0; t < turns->touched_count; t++) {
        size_t i = turns->touched[t];
        if (turns->of_lane[i] > turns->of_one[i])
            turns->of_one[i] = turns->of_lane[i];
    }
}

void turns_end_warp(struct turns *turns)
{
    for (size_t i = 0; i < turns->kernel->instruction_count; i++)
        turns->more[i] =
            !is_full(turns) && turns->of_all[i] > turns->of_one[i] ? turns->of_all[i] / turns->of_one[i] : 1;
}

double turns_of(const struct turns *turns, size_t instruction)
{
    return turns->more[turns->block_of[instruction]];
}
