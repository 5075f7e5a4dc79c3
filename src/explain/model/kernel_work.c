#include <stdlib.h>

#include "explain/model/model.h"
#include "explain/model/timeline.h"

bool explain_kernel_work(const struct explain_kernel *kernel, const struct explain_trace *trace,
                         struct kernel_work *work)
{
    *work = (struct kernel_work){.warps = 0};
    double *rounds = calloc(kernel->loop_count + 1, sizeof *rounds);
    if (!kernel->is_disassembled || !rounds) {
        free(rounds);
        return false;
    }
    work->warps = explain_rounds(kernel, trace, rounds);
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        double times = instruction->is_slow_path ? 0
                       : instruction->loop < 0   ? work->warps
                                                 : rounds[instruction->loop];
        work->executed[instruction->class] += times;
        work->pipes[instruction->pipe] += times;
        work->issued += times;
        work->barriers += times * instruction->is_barrier;
    }
    struct latencies l2 = {.global = 270, .l1 = 38, .shared = 30, .texture = 400, .atomic = 300, .unit = 20, .barrier = 20}, dram = l2;
    dram.global = 650;
    work->alone_l2 = timeline_of_warp(kernel, trace, rounds, work->warps, &l2);
    work->alone_dram = timeline_of_warp(kernel, trace, rounds, work->warps, &dram);
    free(rounds);
    return true;
}
