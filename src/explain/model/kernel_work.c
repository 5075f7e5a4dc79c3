#include <stdlib.h>

#include "explain/model/model.h"
#include "explain/model/timeline.h"

#include <string.h>

double explain_kernel_share(const struct explain_compiled *compiled, size_t kernel)
{
    const struct explain_kernel *one = &compiled->kernels[kernel];
    double all = 0;
    for (size_t k = 0; k < compiled->kernel_count; k++)
        if (strcmp(compiled->kernels[k].name, one->name) == 0 && strcmp(compiled->kernels[k].file, one->file) == 0)
            all += explain_kernel_warps(&compiled->kernels[k]);
    return all > 0 ? explain_kernel_warps(one) / all : 0;
}

/* Of a product that was not traced: the loop with most multiply-adds goes round until the problem's are done. */
static void rounds_of_operations(const struct explain_kernel *kernel, double operations, double *rounds)
{
    double *counts = calloc(kernel->loop_count + 1, sizeof *counts);
    size_t most = 0;
    for (size_t i = 0; counts && i < kernel->instruction_count; i++)
        if (kernel->instructions[i].loop >= 0 && kernel->instructions[i].class == CODE_FMA)
            counts[kernel->instructions[i].loop]++;
    for (size_t l = 1; counts && l < kernel->loop_count; l++)
        if (counts[l] > counts[most])
            most = l;
    if (counts && kernel->loop_count > 0 && counts[most] >= 32)
        rounds[most] = operations / 2 / 32 / counts[most];
    free(counts);
}

/* Of a rung's kernels the one with most multiply-adds in its code. */
static bool is_longest(const struct explain_compiled *compiled, size_t index)
{
    for (size_t k = 0; k < compiled->kernel_count; k++)
        if (compiled->kernels[k].counts[CODE_FMA] > compiled->kernels[index].counts[CODE_FMA])
            return false;
    return true;
}

bool explain_kernel_work(const struct explain_compiled *compiled, size_t index, const struct explain_trace *trace,
                         double operations, struct kernel_work *work)
{
    const struct explain_kernel *kernel = &compiled->kernels[index];
    *work = (struct kernel_work){.warps = 0};
    double *rounds = calloc(kernel->loop_count + 1, sizeof *rounds);
    double *parts = calloc(kernel->instruction_count + 1, sizeof *parts);
    if (!kernel->is_disassembled || !rounds || !parts) {
        free(rounds);
        free(parts);
        return false;
    }
    double share = explain_kernel_share(compiled, index);
    work->warps = explain_rounds(kernel, trace, share, rounds);
    if (trace->access_count == 0 && operations > 0 && is_longest(compiled, index))
        rounds_of_operations(kernel, operations, rounds);
    explain_parts(kernel, trace, share, work->warps, rounds, parts);
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        double times = parts[i] * (instruction->loop < 0 ? work->warps : rounds[instruction->loop]);
        work->executed[instruction->class] += times;
        work->pipes[instruction->pipe] += times;
        work->issued += times;
        work->barriers += times * instruction->is_barrier;
    }
    struct latencies
        l2 = {.global = 282, .l1 = 40, .shared = 29, .texture = 400, .atomic = 300, .unit = 20, .barrier = 29},
        dram = l2;
    dram.global = 690;
    work->alone_l2 = timeline_of_warp(kernel, trace, rounds, work->warps, &l2);
    work->alone_dram = timeline_of_warp(kernel, trace, rounds, work->warps, &dram);
    free(rounds);
    free(parts);
    return true;
}
