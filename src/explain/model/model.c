#include "explain/model/model.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "explain/model/cpu_time.h"
#include "explain/model/kernel_time.h"
#include "explain/model/look_back.h"

/* A launch on an idle device, from one event to the next, and a back-to-back launch
 * (results/h200/explain-latencies.txt: 4.6 us for the first). */
#define FIRST_LAUNCH_NS 4600
#define LAUNCH_NS 2000
/* A small copy between a rung's launches, from the device and to it, for which the host waits: the latency of 1 KiB of
 * pageable memory (results/h200/bandwidth.txt). */
#define READ_NS 7200
#define WRITE_NS 6530

const char *const explain_resource_keys[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] = "dram",       [RESOURCE_L2] = "l2",         [RESOURCE_ATOMICS] = "atomics",
    [RESOURCE_L1] = "l1",           [RESOURCE_SHARED] = "shared", [RESOURCE_FMA] = "fma",
    [RESOURCE_FP64] = "fp64",       [RESOURCE_TENSOR] = "tensor", [RESOURCE_INTEGER] = "integer",
    [RESOURCE_SPECIAL] = "special", [RESOURCE_ISSUE] = "issue",   [RESOURCE_LATENCY] = "latency",
    [RESOURCE_GROUPS] = "groups",   [RESOURCE_L3] = "l3",         [RESOURCE_PAGES] = "pages",
    [RESOURCE_TAIL] = "tail",       [RESOURCE_LAUNCH] = "launch", [RESOURCE_CAMPING] = "partitions",
};

const char *const explain_resource_titles[EXPLAIN_RESOURCES] = {
    [RESOURCE_DRAM] = N_("DRAM"),
    [RESOURCE_CAMPING] = N_("memory partitions"),
    [RESOURCE_L2] = N_("L2"),
    [RESOURCE_ATOMICS] = N_("atomic operations"),
    [RESOURCE_L3] = N_("L3"),
    [RESOURCE_L1] = N_("L1"),
    [RESOURCE_SHARED] = N_("local memory"),
    [RESOURCE_FMA] = N_("float arithmetic"),
    [RESOURCE_FP64] = N_("double precision"),
    [RESOURCE_TENSOR] = N_("tensor cores"),
    [RESOURCE_INTEGER] = N_("integer arithmetic"),
    [RESOURCE_SPECIAL] = N_("special functions"),
    [RESOURCE_ISSUE] = N_("instruction issue"),
    [RESOURCE_PAGES] = N_("address translation"),
    [RESOURCE_LATENCY] = N_("memory latency"),
    [RESOURCE_GROUPS] = N_("group starts"),
    [RESOURCE_TAIL] = N_("tail wave"),
    [RESOURCE_LAUNCH] = N_("launches"),
};

/* ---- one kernel ---- */

/* The groups that share memory partitions. The registers of code that stands in for 1.x do not limit them: addresses of
 * 1.x have 32 bits, and its compilers needed fewer. */
static double neighbours(const struct explain_compiled *compiled, const struct explain_kernel *kernel,
                         const struct explain_occupancy *occupancy, double units)
{
    if (!compiled->stands_in[0] || !occupancy)
        return explain_groups_at_once(kernel, occupancy, units);
    struct explain_occupancy most = *occupancy;
    most.groups = INT_MAX;
    for (int limit = 0; limit < OCCUPANCY_IMPOSSIBLE; limit++)
        if (limit != OCCUPANCY_BY_REGISTERS && most.by[limit] < most.groups)
            most.groups = most.by[limit];
    return explain_groups_at_once(kernel, &most, units);
}

static double l2_of(const struct explain_target *target)
{
    double cache = (double)target->properties.cache_bytes;
    if (cache == 0 && target->gpu && figure_is_known(target->gpu->figures[GPU_L2]))
        cache = target->gpu->figures[GPU_L2].value * 1024;
    return cache;
}

/* Each traced array counts once. A repeated rung finds all of them in L2 if they fit together. */
static bool fits_l2(const struct model_request *request)
{
    const struct explain_trace *trace = request->trace;
    double bytes = 0, cache = l2_of(request->target);
    for (size_t a = 0; a < trace->access_count; a++) {
        bool is_new = trace->accesses[a].space == EXPLAIN_GLOBAL;
        for (size_t b = 0; b < a && is_new; b++)
            is_new = trace->accesses[b].space != EXPLAIN_GLOBAL ||
                     strcmp(trace->accesses[b].array, trace->accesses[a].array) != 0;
        bytes += is_new ? trace->accesses[a].array_bytes : 0;
    }
    return bytes > 0 && bytes <= cache;
}

/* Instructions of a class: executed ones where they are known, else those in the code. */
static double count_of(const struct explain_kernel *kernel, enum code_class class)
{
    double sum = 0;
    if (!kernel->executed)
        return kernel->counts[class];
    for (size_t i = 0; i < kernel->instruction_count; i++)
        sum += kernel->instructions[i].class == class ? kernel->executed[i] : 0;
    return sum;
}

static size_t main_kernel(const struct explain_compiled *compiled, enum code_class class)
{
    size_t most = 0;
    for (size_t k = 1; k < compiled->kernel_count; k++)
        if (count_of(&compiled->kernels[k], class) > count_of(&compiled->kernels[most], class))
            most = k;
    return most;
}

/* The main kernel alone is charged with tensor operations and, without a trace, with the problem's least bytes. */
static void add_untraced(const struct model_request *request, size_t k, struct kernel_time_request *one)
{
    struct cost cost = request->problem->kernel->cost(request->problem);
    enum code_class class = request->rung->tensor_products > 0 ? CODE_TENSOR : CODE_FMA;
    if (k != main_kernel(request->compiled, class))
        return;
    if (request->rung->tensor_products > 0)
        one->tensor_operations = cost.operations * request->rung->tensor_products;
    if (request->trace->access_count == 0)
        one->least_bytes = cost.bytes_read + cost.bytes_written;
}

static void add_kernel(const struct model_request *request, size_t k, struct explain_model *model)
{
    const struct explain_kernel *kernel = &request->compiled->kernels[k];
    const struct explain_occupancy *occupancy = request->occupancies ? &request->occupancies[k] : NULL;
    double units = request->target->units > 0 ? request->target->units : 1, groups = explain_kernel_groups(kernel);
    double busiest = ceil(groups / units), resident = occupancy && occupancy->groups > 0 ? occupancy->groups : 1;
    struct kernel_work work;
    struct kernel_time time;
    struct kernel_time_request one = {.target = request->target,
                                      .kernel = kernel,
                                      .trace = request->trace,
                                      .share = explain_kernel_share(request->compiled, k),
                                      .groups = groups * (double)kernel->launches,
                                      .rounds = busiest * (double)kernel->launches,
                                      .together = fmin(busiest, resident),
                                      .stretch = groups > 0 ? busiest * units / groups : 1,
                                      .l2_cache = l2_of(request->target),
                                      .fits_l2 = fits_l2(request)};
    double operations = request->rung->tensor_products > 0 ? 0 : model->operations;
    double at_once = explain_groups_at_once(kernel, occupancy, units);
    explain_share_dram(&one, request->trace);
    if (explain_kernel_work(request->compiled, k, request->trace, operations, at_once, &work))
        one.work = &work;
    one.imbalance = partition_imbalance(&request->trace->partitions, kernel->name,
                                        neighbours(request->compiled, kernel, occupancy, units));
    add_untraced(request, k, &one);
    explain_kernel_time(&one, &time);
    for (int r = 0; r < EXPLAIN_RESOURCES; r++) {
        model->ns[r] += time.ns[r];
        model->is_known[r] |= time.is_known[r];
    }
    model->stack.loaded += time.stack.loaded;
    model->stack.stored += time.stack.stored;
    model->stack.l2 += time.stack.l2;
    model->stack.dram += time.stack.dram;
    for (int class = 0; one.work && class < CODE_CLASSES; class ++)
        model->executed[class] += work.executed[class];
    model->predicted_ns += time.all_ns;
    if (time.all_ns > model->longest_ns) {
        model->longest = k;
        model->longest_ns = time.all_ns;
    }
    model->dram_bytes += one.least_bytes > 0 ? one.least_bytes : time.dram_bytes;
    model->ns[RESOURCE_LAUNCH] += (double)kernel->launches * LAUNCH_NS;
    model->is_known[RESOURCE_LAUNCH] = true;
}

static void time_kernels(const struct model_request *request, struct explain_model *model)
{
    for (size_t k = 0; k < request->compiled->kernel_count; k++)
        add_kernel(request, k, model);
    if (model->ns[RESOURCE_CAMPING] > 0) {
        model->partitions = request->trace->partitions.partitions;
        model->partition_imbalance = model->ns[RESOURCE_CAMPING] / model->ns[RESOURCE_DRAM];
    }
    if (model->predicted_ns > 0) {
        model->ns[RESOURCE_LAUNCH] += FIRST_LAUNCH_NS - LAUNCH_NS;
        model->ns[RESOURCE_LAUNCH] +=
            (double)request->compiled->reads * READ_NS + (double)request->compiled->writes * WRITE_NS;
        model->predicted_ns += model->ns[RESOURCE_LAUNCH];
    } else { /* no rate is known: launches alone tell nothing */
        model->ns[RESOURCE_LAUNCH] = 0;
        model->is_known[RESOURCE_LAUNCH] = false;
    }
}

/* ---- a host rung: its least operations and bytes against the processor's rates ---- */

static void set(struct explain_model *model, enum explain_resource resource, double work, double rate)
{
    if (rate <= 0)
        return;
    model->ns[resource] = work / rate;
    model->is_known[resource] = true;
    if (resource != RESOURCE_LAUNCH)
        model->predicted_ns = fmax(model->predicted_ns, model->ns[resource]);
}

static void time_least(const struct model_request *request, const struct cost *cost, struct explain_model *model)
{
    const double *ceilings = request->target->ceilings;
    bool is_wide = request->problem->type == ELEMENT_F64, writes = cost->bytes_written > 0.01 * cost->bytes_read;
    model->dram_bytes = cost->bytes_read + cost->bytes_written;
    set(model, RESOURCE_DRAM, model->dram_bytes, ceilings[writes ? EXPLAIN_DRAM_COPY : EXPLAIN_DRAM_READ]);
    if (request->rung->kind == RUNG_HOST)
        set(model, is_wide ? RESOURCE_FP64 : RESOURCE_FMA, model->operations,
            ceilings[is_wide ? EXPLAIN_FMA_F64 : EXPLAIN_FMA_F32]);
}

/* ---- all ---- */

static void sum_up(const struct model_request *request, struct explain_model *model)
{
    const double *ceilings = request->target->ceilings;
    for (size_t i = 0; i < request->trace->access_count; i++)
        if (request->trace->accesses[i].space == EXPLAIN_GLOBAL)
            model->moved_bytes += request->trace->accesses[i].counts[0].bytes_moved;
    double bytes = model->moved_bytes > 0 ? model->moved_bytes : model->dram_bytes;
    double dram = ceilings[ceilings[EXPLAIN_DRAM_COPY] > 0 ? EXPLAIN_DRAM_COPY : EXPLAIN_DRAM_READ];
    model->intensity = bytes > 0 ? model->operations / bytes : 0;
    model->balance = dram > 0 ? ceilings[EXPLAIN_FMA_F32] / dram : 0;
}

static void choose(struct explain_model *model)
{
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
    struct cost cost = request->problem->kernel->cost(request->problem);
    *model = (struct explain_model){.operations = cost.operations, .units = request->target->units};
    if (request->rung->kind == RUNG_DEVICE && request->compiled->kernel_count > 0 && request->target->compute > 0)
        time_kernels(request, model);
    else if (request->caches && request->caches->site_count > 0)
        explain_cpu_time(request, model);
    else
        time_least(request, &cost, model);
    sum_up(request, model);
    choose(model);
}
