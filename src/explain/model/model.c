#include "explain/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"

#define WARP 32
#define BANKS_BYTES 128 /* of a pass over the banks; of 16 banks: half of it */
/* A load from global memory: the guides name 400 to 800 clocks (4.2, section 5.2.3). */
#define LATENCY_CLOCKS 600
/* Between the starts of two small launches in one queue. */
#define LAUNCH_NS 2000

const char *const explain_resource_keys[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] = "dram",       [RESOURCE_L2] = "l2",         [RESOURCE_SHARED] = "shared",
    [RESOURCE_FMA] = "fma",         [RESOURCE_FP64] = "fp64",     [RESOURCE_TENSOR] = "tensor",
    [RESOURCE_INTEGER] = "integer", [RESOURCE_ISSUE] = "issue",   [RESOURCE_LATENCY] = "latency",
    [RESOURCE_TAIL] = "tail",       [RESOURCE_LAUNCH] = "launch",
};

const char *const explain_resource_titles[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] = N_("DRAM"),
    [RESOURCE_L2] = N_("L2"),
    [RESOURCE_SHARED] = N_("local memory"),
    [RESOURCE_FMA] = N_("float arithmetic"),
    [RESOURCE_FP64] = N_("double precision"),
    [RESOURCE_TENSOR] = N_("tensor cores"),
    [RESOURCE_INTEGER] = N_("integer arithmetic"),
    [RESOURCE_ISSUE] = N_("instruction issue"),
    [RESOURCE_LATENCY] = N_("memory latency"),
    [RESOURCE_TAIL] = N_("tail wave"),
    [RESOURCE_LAUNCH] = N_("launches"),
};

/* Integer additions in a clock on one multiprocessor: the guides' table of arithmetic throughput (10: table 3; 13.0:
 * section 5.4.1). */
static int integers_per_clock(int compute)
{
    static const int rows[][2] = {{120, 64}, {100, 64}, {70, 64}, {61, 128}, {60, 64},
                                  {50, 128}, {30, 160}, {21, 48}, {20, 32},  {10, 8}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (compute >= rows[i][0])
            return rows[i][1];
    return 0;
}

/* ---- counts ---- */

/* What all warps execute, and how often they wait for a load. */
static double count_executed(const struct model_request *request, struct explain_model *model, bool *is_known)
{
    double waits = 0;
    *is_known = request->compiled->kernel_count > 0;
    for (size_t k = 0; k < request->compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &request->compiled->kernels[k];
        double *rounds = calloc(kernel->loop_count + 1, sizeof *rounds);
        if (!kernel->is_disassembled || !rounds) {
            *is_known = false;
            free(rounds);
            continue;
        }
        double warps = explain_rounds(kernel, request->trace, explain_kernel_share(request->compiled, k), rounds);
        for (size_t i = 0; i < kernel->instruction_count; i++) {
            const struct explain_instruction *instruction = &kernel->instructions[i];
            double times = instruction->is_slow_path ? 0 : instruction->loop < 0 ? warps : rounds[instruction->loop];
            model->executed[instruction->class] += times;
            waits += instruction->waits * times;
        }
        free(rounds);
    }
    return waits;
}

static void count_moved(const struct explain_trace *trace, double *bytes, double *passes)
{
    *bytes = *passes = 0;
    for (size_t i = 0; i < trace->access_count; i++) {
        const struct explain_access *access = &trace->accesses[i];
        if (access->space == EXPLAIN_GLOBAL)
            *bytes += access->counts[0].bytes_moved;
        else
            *passes += access->counts[0].transactions;
    }
}

/* ---- times ---- */

static void set(struct explain_model *model, enum explain_resource resource, double work, double rate)
{
    if (rate <= 0)
        return;
    model->ns[resource] = work / rate;
    model->is_known[resource] = true;
}

static void time_memory(const struct model_request *request, struct explain_model *model)
{
    const struct explain_target *target = request->target;
    struct cost cost = request->problem->kernel->cost(request->problem);
    double passes;
    model->operations = cost.operations;
    model->dram_bytes = cost.bytes_read + cost.bytes_written; /* of all passes */
    double dram = cost.bytes_written > 0.01 * cost.bytes_read ? target->ceilings[EXPLAIN_DRAM_COPY]
                                                              : target->ceilings[EXPLAIN_DRAM_READ];
    set(model, RESOURCE_DRAM, model->dram_bytes, dram);
    count_moved(request->trace, &model->moved_bytes, &passes);
    if (request->trace->access_count > 0) {
        set(model, RESOURCE_L2, model->moved_bytes, target->ceilings[EXPLAIN_L2_READ]);
        set(model, RESOURCE_SHARED, passes * (target->compute < 20 ? BANKS_BYTES / 2 : BANKS_BYTES),
            target->ceilings[EXPLAIN_LOCAL_READ]);
    }
    double bytes = model->moved_bytes > 0 ? model->moved_bytes : model->dram_bytes;
    model->intensity = bytes > 0 ? model->operations / bytes : 0;
    model->balance = dram > 0 ? target->ceilings[EXPLAIN_FMA_F32] / dram : 0;
}

static double resident_warps(const struct model_request *request)
{
    double most = 0, warps = 0;
    for (size_t k = 0; request->occupancies && k < request->compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &request->compiled->kernels[k];
        double work = (double)kernel->launches * (double)kernel->groups[0] * (double)kernel->groups[1] *
                      (double)kernel->groups[2];
        if (work >= most) {
            most = work;
            warps = request->occupancies[k].warps;
        }
    }
    return warps;
}

static void time_arithmetic(const struct model_request *request, struct explain_model *model)
{
    const struct explain_target *target = request->target;
    const double *executed = model->executed, *ceilings = target->ceilings;
    bool is_known;
    double waits = count_executed(request, model, &is_known), all = 0;
    double clocks = target->units * ceilings[EXPLAIN_CLOCK]; /* of all multiprocessors, in a nanosecond */
    if (request->rung->tensor_products > 0)
        set(model, RESOURCE_TENSOR, model->operations * request->rung->tensor_products, ceilings[EXPLAIN_TENSOR_BF16]);
    if (!is_known)
        return;
    for (int class = 0; class < CODE_CLASSES; class ++)
        all += executed[class];
    double schedulers = target->capability ? target->capability->figures[CAPABILITY_SCHEDULERS].value : 0;
    set(model, RESOURCE_FMA, (executed[CODE_FMA] + executed[CODE_FLOAT]) * 2 * WARP, ceilings[EXPLAIN_FMA_F32]);
    set(model, RESOURCE_FP64, executed[CODE_FP64] * 2 * WARP, ceilings[EXPLAIN_FMA_F64]);
    set(model, RESOURCE_INTEGER, executed[CODE_INTEGER] * WARP, clocks * integers_per_clock(target->compute));
    set(model, RESOURCE_ISSUE, all, clocks * schedulers);
    set(model, RESOURCE_LATENCY, waits * LATENCY_CLOCKS, clocks * resident_warps(request));
}

/* A host rung: its least operations and bytes against what the processor can do. */
static void time_host(const struct model_request *request, struct explain_model *model)
{
    bool is_wide = request->problem->type == ELEMENT_F64;
    enum explain_resource resource = is_wide ? RESOURCE_FP64 : RESOURCE_FMA;
    set(model, resource, model->operations, request->target->ceilings[is_wide ? EXPLAIN_FMA_F64 : EXPLAIN_FMA_F32]);
}

/* Multiprocessors that have nothing left to do while the last groups run: what they compute takes so much longer. */
static void time_ends(const struct model_request *request, struct explain_model *model)
{
    static const enum explain_resource of_units[] = {RESOURCE_SHARED, RESOURCE_FMA,   RESOURCE_FP64,
                                                     RESOURCE_TENSOR, RESOURCE_ISSUE, RESOURCE_INTEGER,
                                                     RESOURCE_LATENCY};
    double longest = 0, weight = 0, efficiency = 0, launches = 0;
    for (size_t i = 0; i < sizeof of_units / sizeof *of_units; i++)
        longest = fmax(longest, model->ns[of_units[i]]);
    for (size_t k = 0; k < request->compiled->kernel_count; k++) {
        const struct explain_kernel *kernel = &request->compiled->kernels[k];
        double share = (double)kernel->launches * (double)kernel->groups[0] * (double)kernel->groups[1] *
                       (double)kernel->groups[2];
        launches += (double)kernel->launches;
        if (!request->occupancies || request->occupancies[k].efficiency == 0)
            continue;
        weight += share;
        efficiency += share * request->occupancies[k].efficiency;
    }
    if (weight > 0)
        set(model, RESOURCE_TAIL, longest * (weight / efficiency - 1), 1);
    if (launches > 0)
        set(model, RESOURCE_LAUNCH, launches * LAUNCH_NS, 1);
}

static void choose(struct explain_model *model)
{
    double longest = 0;
    for (int r = 0; r < RESOURCE_TAIL; r++)
        longest = fmax(longest, model->ns[r]);
    model->predicted_ns = longest > 0 ? longest + model->ns[RESOURCE_TAIL] + model->ns[RESOURCE_LAUNCH] : 0;
    for (int r = 0; r < EXPLAIN_RESOURCES; r++) {
        if (model->ns[r] <= 0)
            continue;
        int at = model->bound_count < 3 ? model->bound_count++ : 3;
        for (; at > 0 && model->ns[model->bound_by[at - 1]] < model->ns[r]; at--)
            if (at < 3)
                model->bound_by[at] = model->bound_by[at - 1];
        if (at < 3)
            model->bound_by[at] = (enum explain_resource)r;
    }
}

void explain_model_make(const struct model_request *request, struct explain_model *model)
{
    *model = (struct explain_model){.bound_count = 0};
    time_memory(request, model);
    if (request->rung->kind == RUNG_DEVICE) {
        time_arithmetic(request, model);
        time_ends(request, model);
    } else {
        time_host(request, model);
    }
    choose(model);
}
