#include "explain/model/timeline.h"

#include <math.h>

#include "explain/model/look_back.h"
#include "explain/model/model.h"

enum { SCOREBOARDS = 6 };

struct clock {
    double now, ready[SCOREBOARDS];
    double multiplied; /* when the tensor cores have ended the products so far */
};

/* Shares of a line's loaded bytes: in L1, as sectors that the warp touched before; of the others, in DRAM. What another
 * warp of the group touches at the same time is on its way for both. False when nothing was loaded there. */
static bool shares_of(const struct explain_kernel *kernel, const struct explain_trace *trace, int line, double *in_l1,
                      double *in_dram)
{
    double moved = 0, first = 0, awaited = 0, dram = 0;
    for (size_t a = 0; a < trace->access_count; a++)
        if (trace->accesses[a].space == EXPLAIN_GLOBAL && trace->accesses[a].operation == EXPLAIN_LOAD &&
            trace->accesses[a].line == line && explain_is_access_of(&trace->accesses[a], kernel)) {
            moved += trace->accesses[a].counts[0].bytes_moved;
            first += trace->accesses[a].first_bytes;
            awaited += fmax(trace->accesses[a].first_bytes, trace->accesses[a].awaited_bytes);
            dram += trace->accesses[a].first_bytes * trace->accesses[a].dram_share;
        }
    *in_l1 = moved > 0 ? fmax(0, 1 - awaited / moved) : 0;
    *in_dram = first > 0 ? dram / first : 1;
    return moved > 0;
}

/* A load of which machine code shows that its predicate is false in all lanes takes no time. */
static double latency_of_load(const struct explain_kernel *kernel, const struct explain_instruction *instruction,
                              const struct explain_trace *trace, const struct latencies *latencies)
{
    double in_l1, in_dram;
    bool is_seen = shares_of(kernel, trace, instruction->line, &in_l1, &in_dram);
    if (!is_seen && trace->is_of_code && !instruction->is_at_unknown)
        return 0;
    return in_l1 * latencies->l1 + (1 - in_l1) * (latencies->l2 + in_dram * (latencies->dram - latencies->l2));
}

/* Whether the loop writes back what others see at once. */
static bool stores_strongly(const struct explain_kernel *kernel, int loop)
{
    for (size_t i = 0; loop >= 0 && i < kernel->instruction_count; i++)
        if (kernel->instructions[i].loop == loop && kernel->instructions[i].class == CODE_STORE &&
            kernel->instructions[i].is_strong)
            return true;
    return false;
}

static double latency_of(const struct explain_kernel *kernel, const struct explain_instruction *instruction,
                         const struct explain_trace *trace, const struct latencies *latencies)
{
    if (instruction->class == CODE_LOAD && instruction->is_strong && stores_strongly(kernel, instruction->loop))
        return latencies->strong;
    if (instruction->class == CODE_LOAD && instruction->is_coherent && kernel_looks_back(kernel, instruction->loop))
        return latencies->published;
    if (instruction->class == CODE_LOAD && instruction->space == CODE_GLOBAL)
        return latency_of_load(kernel, instruction, trace, latencies);
    if (instruction->class == CODE_LOAD && instruction->space == CODE_STACK)
        return latencies->l1;
    if (instruction->class == CODE_LOAD)
        return instruction->space == CODE_IMAGE ? latencies->texture : latencies->shared;
    if (instruction->class == CODE_ATOMIC)
        return instruction->space == CODE_SHARED ? latencies->shared : latencies->atomic;
    return latencies->unit;
}

static bool has_barrier(const struct explain_kernel *kernel, int loop)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].loop == loop && kernel->instructions[i].is_barrier)
            return true;
    return false;
}

/* Clocks of a matrix product. The group's warps share the tensor cores: all of them wait for all products where a
 * barrier keeps them in step. */
static double clocks_of_product(const struct explain_kernel *kernel, const struct explain_instruction *instruction,
                                const struct latencies *latencies)
{
    size_t i = (size_t)(instruction - kernel->instructions);
    double groups = explain_kernel_groups(kernel) * (double)kernel->launches;
    double warps = 1;
    double rate = instruction->is_of_a_warp ? latencies->warp_products / 4 : latencies->products;
    if (kernel->longest && kernel->longest[i] > 0 && has_barrier(kernel, instruction->loop))
        warps = fmax(1, kernel->executed[i] / (kernel->longest[i] * groups) / 4);
    return instruction->products * warps / rate;
}

/* A warp waits until the product before has ended, as the tensor cores have no queue of them. */
static void multiply(struct clock *clock, const struct explain_kernel *kernel,
                     const struct explain_instruction *instruction, const struct latencies *latencies)
{
    clock->now = fmax(clock->now, clock->multiplied);
    clock->multiplied = clock->now + clocks_of_product(kernel, instruction, latencies);
}

static void issue(struct clock *clock, const struct explain_kernel *kernel,
                  const struct explain_instruction *instruction, const struct explain_trace *trace,
                  const struct latencies *latencies)
{
    const struct code_control *control = &instruction->control;
    for (int i = 0; i < SCOREBOARDS; i++)
        if (control->wait >> i & 1)
            clock->now = fmax(clock->now, clock->ready[i]);
    if (instruction->products > 0)
        multiply(clock, kernel, instruction, latencies);
    if (instruction->is_awaiting)
        clock->now = fmax(clock->now, clock->multiplied);
    if (control->result >= 0)
        clock->ready[control->result] =
            fmax(clock->ready[control->result], clock->now + latency_of(kernel, instruction, trace, latencies));
    if (control->read >= 0)
        clock->ready[control->read] = fmax(clock->ready[control->read], clock->now + latencies->unit);
    clock->now += fmax(control->stall, 1);
    if (instruction->class == CODE_BARRIER && instruction->is_barrier)
        clock->now += latencies->barrier;
}

/* The instructions directly in `loop`, without those of inner loops; `loop` -1: outside all loops. */
static void run_through(struct clock *clock, const struct explain_kernel *kernel, int loop, const double *parts,
                        const struct explain_trace *trace, const struct latencies *latencies)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].loop == loop && parts[i] >= 0.5)
            issue(clock, kernel, &kernel->instructions[i], trace, latencies);
}

double timeline_of_warp(const struct explain_kernel *kernel, const struct explain_trace *trace, const double *rounds,
                        const double *parts, double warps, const struct latencies *latencies)
{
    struct clock clock = {.now = 0};
    if (kernel->instruction_count == 0 || kernel->instructions[0].control.stall == 0 || warps <= 0)
        return 0;
    run_through(&clock, kernel, -1, parts, trace, latencies);
    double all = clock.now;
    for (size_t l = 0; l < kernel->loop_count; l++) {
        clock = (struct clock){.now = 0};
        run_through(&clock, kernel, (int)l, parts, trace, latencies);
        double once = clock.now;
        run_through(&clock, kernel, (int)l, parts, trace, latencies);
        all += rounds[l] / warps * (clock.now - once);
    }
    return all;
}
