#include <math.h>

#include "explain/cause.h"

#define SHARE 0.15        /* of the time: a resource that takes less is no cause */
#define LANES_WELL 0.85   /* of a warp: no divergence */
#define FILLED_WARPS 8    /* on a multiprocessor: fewer leave it idle */
#define BARRIERS_LEAST 4  /* in a warp */
#define GROUP_WORK 4      /* groups that one would do the work of */
#define DIVISION_LEFT 0.2 /* of the instructions of a line that divides */
#define REGISTERS_MOST 255

static const struct explain_kernel *kernel_at(const struct cause_search *search, size_t kernel)
{
    return &search->explanation->compiled.kernels[kernel];
}

static double executed(const struct explain_kernel *kernel, size_t i)
{
    return kernel->executed ? kernel->executed[i] : !kernel->instructions[i].is_slow_path;
}

typedef bool (*instruction_test)(const struct explain_kernel *kernel, size_t instruction);

static bool is_fp64(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].class == CODE_FP64;
}

static bool is_of_stack(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].space == CODE_STACK;
}

static bool is_division(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].is_division;
}

static bool is_barrier(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].is_barrier;
}

static bool is_special(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].pipe == PIPE_XU;
}

static bool is_global_load(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].class == CODE_LOAD && kernel->instructions[i].space == CODE_GLOBAL;
}

static bool is_in_loop(const struct explain_kernel *kernel, size_t i)
{
    return kernel->instructions[i].loop >= 0;
}

static double lanes_of_warp(const struct explain_kernel *kernel)
{
    size_t items = explain_kernel_items(kernel);
    return items < 32 ? (double)items : 32;
}

/* The share of a warp's lanes that execute it; 1: unknown. */
static double part_of_lanes(const struct explain_kernel *kernel, size_t i)
{
    if (!kernel->lanes || !kernel->executed || kernel->executed[i] <= 0)
        return 1;
    return fmin(1, kernel->lanes[i] / kernel->executed[i] / lanes_of_warp(kernel));
}

static bool is_divergent(const struct explain_kernel *kernel, size_t i)
{
    return part_of_lanes(kernel, i) < LANES_WELL;
}

/* The line with most executions of such instructions, and how many there are of all lines. 0: of no line. */
static int line_of(const struct explain_kernel *kernel, instruction_test test, double *all)
{
    double most = 0;
    int line = 0;
    *all = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        double sum = 0;
        *all += test(kernel, i) ? executed(kernel, i) : 0;
        for (size_t o = i; test(kernel, i) && o < kernel->instruction_count; o++)
            if (test(kernel, o) && kernel->instructions[o].line == kernel->instructions[i].line)
                sum += executed(kernel, o);
        if (sum > most && kernel->instructions[i].line > 0) {
            most = sum;
            line = kernel->instructions[i].line;
        }
    }
    return line;
}

static struct explain_cause *add(struct cause_search *search, enum explain_cause_kind kind, size_t kernel, int line,
                                 double before, double after)
{
    struct explain_cause *cause = cause_add(search, kind, kernel);
    if (cause) {
        cause->line = line;
        cause->before = before;
        cause->after = after;
    }
    return cause;
}

/* ---- what instructions show ---- */

static void find_fp64(struct cause_search *search, size_t k)
{
    double all;
    int line = line_of(kernel_at(search, k), is_fp64, &all);
    if (all > 0 && search->request->problem->type != ELEMENT_F64)
        add(search, CAUSE_FP64, k, line, all, 0);
}

static bool calls(const struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].is_call && !kernel->instructions[i].is_slow_path && executed(kernel, i) > 0)
            return true;
    return false;
}

static void find_own_memory(struct cause_search *search, size_t k)
{
    const struct explain_kernel *kernel = kernel_at(search, k);
    double all;
    int line = line_of(kernel, is_of_stack, &all);
    if (all == 0)
        return;
    if (kernel->spill_store_bytes > 0)
        add(search, CAUSE_SPILLS, k, line, kernel->spill_store_bytes, kernel->registers);
    else
        add(search, calls(kernel) ? CAUSE_RECURSION : CAUSE_LOCAL_ARRAY, k, line, kernel->stack_bytes, 0);
}

static void find_divergence(struct cause_search *search, size_t k)
{
    const struct explain_kernel *kernel = kernel_at(search, k);
    double all = 0, used = 0, divergent;
    for (size_t i = 0; kernel->executed && i < kernel->instruction_count; i++) {
        all += kernel->executed[i];
        used += kernel->executed[i] * part_of_lanes(kernel, i);
    }
    int line = line_of(kernel, is_divergent, &divergent);
    if (all > 0 && used < LANES_WELL * all)
        add(search, CAUSE_DIVERGENCE, k, line, 100 * used / all, 100);
}

static void find_instructions(struct cause_search *search, size_t k)
{
    const struct explain_kernel *kernel = kernel_at(search, k);
    const struct explain_model *model = &search->explanation->model;
    double all, warps = explain_kernel_warps(kernel);
    int line = line_of(kernel, is_division, &all);
    if (all > 0)
        add(search, CAUSE_DIVISION, k, line, all, 0);
    line = line_of(kernel, is_barrier, &all);
    if (kernel->executed && all >= BARRIERS_LEAST * warps)
        add(search, CAUSE_BARRIERS, k, line, all / warps, 1);
    line = line_of(kernel, is_special, &all);
    if (model->ns[RESOURCE_SPECIAL] > SHARE * model->predicted_ns)
        add(search, CAUSE_SPECIAL, k, line, all, all / 2);
}

/* ---- what the launch's shape and the model's times show ---- */

static void find_shape(struct cause_search *search, size_t k)
{
    const struct explain_kernel *kernel = kernel_at(search, k);
    const struct explain_model *model = &search->explanation->model;
    const struct explain_occupancy *occupancy =
        search->explanation->occupancies ? &search->explanation->occupancies[k] : NULL;
    double units = fmax(1, search->request->target->units), warps = ceil((double)explain_kernel_items(kernel) / 32);
    double filled = explain_kernel_groups(kernel) * warps / units, waits = model->ns[RESOURCE_LATENCY], all;
    bool is_few = filled < FILLED_WARPS || (explain_kernel_items(kernel) < 32 && filled < 2 * FILLED_WARPS);
    if (k != model->longest)
        return;
    if (is_few)
        add(search, CAUSE_FEW_ITEMS, k, 0, explain_kernel_groups(kernel) * (double)explain_kernel_items(kernel),
            units * FILLED_WARPS * 32);
    if (occupancy && occupancy->warps > 0 && 2 * occupancy->warps <= occupancy->warps_max && !is_few)
        add(search, CAUSE_OCCUPANCY, k, 0, occupancy->warps, occupancy->warps_max);
    if (waits > SHARE * model->predicted_ns) {
        int line = line_of(kernel, is_global_load, &all);
        add(search, CAUSE_CHAIN, k, line > 0 ? line : line_of(kernel, is_in_loop, &all), 1, 2);
    }
    if (model->ns[RESOURCE_GROUPS] > SHARE * model->predicted_ns)
        add(search, CAUSE_GROUPS, k, 0, explain_kernel_groups(kernel),
            ceil(explain_kernel_groups(kernel) / GROUP_WORK));
    if (model->ns[RESOURCE_TAIL] > 0 && !is_few)
        add(search, CAUSE_TAIL, k, 0, explain_kernel_groups(kernel), 0);
    if (search->explanation->compiled.kernel_count > 1 || kernel->launches > 1 ||
        model->ns[RESOURCE_LAUNCH] > model->predicted_ns / 2) /* what one launch takes, every kernel needs */
        add(search, CAUSE_LAUNCH, k, 0, model->ns[RESOURCE_LAUNCH], 0);
}

void causes_of_code(struct cause_search *search)
{
    for (size_t k = 0; k < search->explanation->compiled.kernel_count; k++) {
        if (kernel_at(search, k)->is_disassembled) {
            find_fp64(search, k);
            find_own_memory(search, k);
            find_divergence(search, k);
            find_instructions(search, k);
        }
        find_shape(search, k);
    }
}

/* ---- remedies ---- */

static void scale_all(struct explain_kernel *kernel, instruction_test test, double times)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (test(kernel, i))
            what_if_scale(kernel, i, times);
}

static bool divides_at(const struct explain_kernel *kernel, int line)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].line == line && kernel->instructions[i].is_division)
            return true;
    return false;
}

static void divide_less(struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        enum code_class class = kernel->instructions[i].class;
        bool is_of_division =
            class == CODE_INTEGER || class == CODE_CONVERT || class == CODE_SPECIAL || class == CODE_MOVE;
        if (is_of_division && divides_at(kernel, kernel->instructions[i].line))
            what_if_scale(kernel, i, DIVISION_LEFT);
    }
}

/* Conversions to and from double stand in the lines that compute with doubles. */
static void use_floats(struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        struct explain_instruction *one = &kernel->instructions[i];
        bool is_beside = false;
        for (size_t o = 0; o < kernel->instruction_count && one->class == CODE_CONVERT; o++)
            is_beside |= kernel->instructions[o].line == one->line && kernel->instructions[o].pipe == PIPE_FP64;
        if (is_beside)
            what_if_scale(kernel, i, 0);
    }
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].class == CODE_FP64) {
            kernel->instructions[i].class = CODE_FLOAT;
            kernel->instructions[i].pipe = PIPE_FMA;
            kernel->instructions[i].control = (struct code_control){.stall = 4, .result = -1, .read = -1};
        }
}

static void keep_in_registers(struct what_if *what_if, const struct explain_cause *cause)
{
    struct explain_kernel *kernel = &what_if->compiled.kernels[cause->kernel];
    scale_all(kernel, is_of_stack, 0);
    for (size_t a = 0; a < what_if->trace.access_count; a++)
        if (what_if->trace.accesses[a].space == EXPLAIN_OWN &&
            explain_is_access_of(&what_if->trace.accesses[a], kernel))
            what_if_thin(&what_if->trace.accesses[a], 0);
    kernel->stack_bytes = 0;
    if (cause->kind != CAUSE_SPILLS || !what_if->occupancies)
        return;
    int registers = kernel->registers + kernel->spill_store_bytes / 4;
    struct occupancy_request request = {.compute = what_if->request->target->compute,
                                        .items = explain_kernel_items(kernel),
                                        .registers = registers < REGISTERS_MOST ? registers : REGISTERS_MOST,
                                        .shared_bytes = (size_t)kernel->shared_bytes,
                                        .groups = (size_t)explain_kernel_groups(kernel),
                                        .units = what_if->request->target->units};
    struct explain_occupancy occupancy;
    if (occupancy_of(&request, &occupancy) && occupancy.groups > 0)
        what_if->occupancies[cause->kernel] = occupancy;
}

/* The same work by more items: each does a part of it, and all multiprocessors have some. */
static void spread(struct what_if *what_if, struct explain_kernel *kernel)
{
    double units = fmax(1, what_if->request->target->units), warps = ceil((double)explain_kernel_items(kernel) / 32);
    double lanes = explain_kernel_items(kernel) < 32 ? 32.0 / (double)explain_kernel_items(kernel) : 1;
    double times = fmax(1, units * FILLED_WARPS / (explain_kernel_groups(kernel) * warps));
    for (size_t i = 0; kernel->executed && i < kernel->instruction_count; i++) {
        kernel->longest[i] /= times * lanes;
        kernel->executed[i] /= lanes;
    }
    kernel->groups[0] = (size_t)ceil((double)kernel->groups[0] * times);
}

static void join_groups(struct explain_kernel *kernel)
{
    kernel->groups[0] = (kernel->groups[0] + GROUP_WORK - 1) / GROUP_WORK;
    for (size_t i = 0; kernel->executed && i < kernel->instruction_count; i++)
        kernel->longest[i] *= GROUP_WORK;
}

/* A warp has half as long to wait. */
static void halve_waits(struct explain_kernel *kernel)
{
    for (size_t i = 0; kernel->executed && i < kernel->instruction_count; i++)
        kernel->longest[i] /= 2;
}

void cause_remedy_code(struct what_if *what_if, const struct explain_cause *cause)
{
    struct explain_kernel *kernel = &what_if->compiled.kernels[cause->kernel];
    switch (cause->kind) {
    case CAUSE_FP64:
        use_floats(kernel);
        break;
    case CAUSE_SPILLS:
    case CAUSE_LOCAL_ARRAY:
    case CAUSE_RECURSION:
        keep_in_registers(what_if, cause);
        break;
    case CAUSE_DIVERGENCE:
        for (size_t i = 0; i < kernel->instruction_count; i++)
            what_if_scale(kernel, i, fmax(part_of_lanes(kernel, i), 1e-3));
        break;
    case CAUSE_DIVISION:
        divide_less(kernel);
        break;
    case CAUSE_BARRIERS:
        scale_all(kernel, is_barrier, 1 / cause->before);
        break;
    case CAUSE_SPECIAL:
        scale_all(kernel, is_special, 0.5);
        break;
    case CAUSE_OCCUPANCY:
        what_if->occupancies[cause->kernel].groups =
            (int)(what_if->occupancies[cause->kernel].groups * cause->after / cause->before);
        break;
    case CAUSE_FEW_ITEMS:
        spread(what_if, kernel);
        break;
    case CAUSE_CHAIN:
        halve_waits(kernel);
        break;
    case CAUSE_GROUPS:
        join_groups(kernel);
        break;
    default:
        break;
    }
}
