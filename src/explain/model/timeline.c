#include "explain/model/timeline.h"

#include <math.h>
#include <string.h>

#include "explain/model/look_back_rounds.h"

enum { SCOREBOARDS = 6 };

struct clock {
    double now, ready[SCOREBOARDS];
};

/* The share of a line's loaded bytes that hits L1: sectors that the group touched before. */
static double share_in_l1(const struct explain_trace *trace, int line)
{
    double moved = 0, first = 0;
    for (size_t a = 0; a < trace->access_count; a++)
        if (trace->accesses[a].space == EXPLAIN_GLOBAL && trace->accesses[a].operation == EXPLAIN_LOAD &&
            trace->accesses[a].line == line) {
            moved += trace->accesses[a].counts[0].bytes_moved;
            first += trace->accesses[a].first_bytes;
        }
    return moved > 0 ? fmax(0, 1 - first / moved) : 0;
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
    if (instruction->class == CODE_LOAD && (instruction->space == CODE_GLOBAL || instruction->space == CODE_STACK)) {
        double hits = instruction->space == CODE_STACK ? 1 : share_in_l1(trace, instruction->line);
        return hits * latencies->l1 + (1 - hits) * latencies->global;
    }
    if (instruction->class == CODE_LOAD)
        return instruction->space == CODE_IMAGE ? latencies->texture : latencies->shared;
    if (instruction->class == CODE_ATOMIC)
        return instruction->space == CODE_SHARED ? latencies->shared : latencies->atomic;
    return latencies->unit;
}

static void issue(struct clock *clock, const struct explain_kernel *kernel,
                  const struct explain_instruction *instruction, const struct explain_trace *trace,
                  const struct latencies *latencies)
{
    const struct code_control *control = &instruction->control;
    for (int i = 0; i < SCOREBOARDS; i++)
        if (control->wait >> i & 1)
            clock->now = fmax(clock->now, clock->ready[i]);
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
