#include <stdlib.h>

#include "explain/model/look_back.h"
#include "explain/model/model.h"
#include "explain/model/timeline.h"

#include <string.h>

/* Clocks of a volatile load after a store to the same word, on a multiprocessor whose warps all do that:
 * results/h200/explain-latencies.txt, "volatile add", from 32 warps on. One warp alone takes 306. */
#define STRONG_CLOCKS 1583

/* Multiply-adds of a multiprocessor's tensor cores per clock: 965 and 649 TFLOP/s of an H200's 132 at 1980 MHz
 * (src/lab/ceilings/tensor.cu). */
#define GROUP_PRODUCTS 1846
#define WARP_PRODUCTS 1242

/* For a product without a trace: the loop with most multiply-adds runs until the problem's multiply-adds are done. */
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

/* The rung's kernel with most multiply-adds in its code. */
static bool is_longest(const struct explain_compiled *compiled, size_t index)
{
    for (size_t k = 0; k < compiled->kernel_count; k++)
        if (compiled->kernels[k].counts[CODE_FMA] > compiled->kernels[index].counts[CODE_FMA])
            return false;
    return true;
}

/* Counts from executed machine code are exact if no branch depends on data. Without a trace they are the best
 * available. */
static bool is_executed(const struct explain_kernel *kernel, const struct explain_trace *trace)
{
    return kernel->executed && (!kernel->is_decided_by_data || trace->access_count == 0 || trace->is_of_code);
}

/* A loop's rounds are the executions of its most executed instruction. Its other instructions run in a share of the
 * rounds. */
static void share_out(const struct explain_kernel *kernel, const double *executed, double warps, double *rounds,
                      double *parts)
{
    memset(rounds, 0, kernel->loop_count * sizeof *rounds);
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        int loop = kernel->instructions[i].loop;
        if (loop >= 0 && executed[i] > rounds[loop])
            rounds[loop] = executed[i];
    }
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        int loop = kernel->instructions[i].loop;
        double most = loop >= 0 ? rounds[loop] : warps;
        parts[i] = most > 0 ? executed[i] / most : 0;
    }
}

static void count_instructions(const struct explain_kernel *kernel, const double *rounds, const double *parts,
                               struct kernel_work *work)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        double times = parts[i] * (instruction->loop < 0 ? work->warps : rounds[instruction->loop]);
        work->executed[instruction->class] += times;
        work->pipes[instruction->pipe] += times;
        work->issued += times;
        work->barriers += times * instruction->is_barrier;
        if (instruction->space == CODE_STACK && instruction->class == CODE_LOAD)
            work->stack_loaded += times * 32 * instruction->bits / 8;
        if (instruction->space == CODE_STACK && instruction->class == CODE_STORE)
            work->stack_stored += times * 32 * instruction->bits / 8;
    }
}

/* Multiplies the rounds of look-backs. */
static void look_back(const struct explain_kernel *kernel, double times, double *rounds)
{
    for (size_t l = 0; l < kernel->loop_count; l++)
        rounds[l] *= kernel_looks_back(kernel, (int)l) ? times : 1;
}

static void time_alone(const struct explain_kernel *kernel, const struct explain_trace *trace, double *rounds,
                       double *parts, double at_once, struct kernel_work *work)
{
    struct latencies l2 = {.l1 = 40,
                           .l2 = 282,
                           .dram = 282,
                           .shared = 29,
                           .texture = 400,
                           .atomic = 300,
                           .unit = 20,
                           .barrier = 29,
                           .strong = STRONG_CLOCKS,
                           .published = 282,
                           .products = GROUP_PRODUCTS,
                           .warp_products = WARP_PRODUCTS},
                     dram = l2;
    dram.dram = 690;
    double warps = work->warps, last = look_back_last(at_once);
    look_back(kernel, last / look_back_mean(at_once), rounds); /* the last group's */
    /* Warps may differ in work, as in warp-specialised CUDA C++: the slowest warp ends the group. */
    if (is_executed(kernel, trace)) {
        warps = 1;
        share_out(kernel, kernel->longest, 1, rounds, parts);
        look_back(kernel, last, rounds);
    }
    work->alone_l2 = timeline_of_warp(kernel, trace, rounds, parts, warps, &l2);
    work->alone_dram = timeline_of_warp(kernel, trace, rounds, parts, warps, &dram);
}

bool explain_kernel_work(const struct explain_compiled *compiled, size_t index, const struct explain_trace *trace,
                         double operations, double at_once, struct kernel_work *work)
{
    const struct explain_kernel *kernel = &compiled->kernels[index];
    *work = (struct kernel_work){.warps = explain_kernel_warps(kernel)};
    double *rounds = calloc(kernel->loop_count + 1, sizeof *rounds);
    double *parts = calloc(kernel->instruction_count + 1, sizeof *parts);
    bool is_known = kernel->is_disassembled && rounds && parts;
    if (is_known && is_executed(kernel, trace)) {
        share_out(kernel, kernel->executed, work->warps, rounds, parts);
        look_back(kernel, look_back_mean(at_once), rounds); /* they were executed for one group after another */
    } else if (is_known) {
        double share = explain_kernel_share(compiled, index);
        explain_rounds(kernel, trace, share, rounds);
        if (trace->access_count == 0 && operations > 0 && is_longest(compiled, index))
            rounds_of_operations(kernel, operations, rounds);
        explain_parts(kernel, trace, share, work->warps, rounds, parts);
    }
    if (is_known) {
        count_instructions(kernel, rounds, parts, work);
        time_alone(kernel, trace, rounds, parts, at_once, work);
    }
    free(rounds);
    free(parts);
    return is_known;
}
