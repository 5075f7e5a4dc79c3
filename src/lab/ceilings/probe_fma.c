#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "base/clock.h"
#include "base/embedded.h"
#include "base/size.h"
#include "base/translation.h"
#include "lab/bench/rest.h"
#include "lab/ceilings/probes.h"
#include "lab/ceilings/strategy_search.h"

/* As in fma.cl. Eight chains in each resident warp of a GPU hide its latency many times over. */
#define CHAINS 8
#define UNROLL 16
#define GROUP_ITEMS 256
#define RESIDENT_ITEMS 2048 /* where the device does not report it */
/* Each step computes x/2 + 1, which stays near 2. */
#define FACTOR 0.5
#define ADDEND 1.0

#define SHORT_TRIAL 4e6 /* multiply-adds */
#define LONG_TRIAL 6e7
#define TRIAL_NS 20e3
#define SEARCH_NS 20e6

#define VECTOR_BYTES 64 /* of a CPU behind OpenCL; its compiler splits wider vectors where necessary */

struct fma_state {
    double operations;
    bool is_double;
    size_t variant; /* the CPU's fastest variant */
    int lanes;      /* vector width of the device's program */
    int unroll, items;
    struct buffer sink;
    struct program *program;
    struct argument_value arguments[4];
    struct launch launch;
};

static bool is_double(const struct problem *problem)
{
    return problem->type == ELEMENT_F64 || problem->type == ELEMENT_C128;
}

static void fma_finish(struct run *run)
{
    struct fma_state *state = run->state;
    if (!state)
        return;
    program_discard(state->program);
    buffer_release(&state->sink);
    free(state);
    run->state = NULL;
}

static struct argument_value real(const struct problem *problem, double value)
{
    if (is_double(problem))
        return (struct argument_value){ARGUMENT_DOUBLE, {.double_value = value}};
    return (struct argument_value){ARGUMENT_FLOAT, {.float_value = (float)value}};
}

/* A probe must not do more operations than a small problem has: it would not be its ceiling. */
static void fit_small(struct fma_state *state)
{
    const double steps = state->operations / (2.0 * CHAINS * state->lanes);
    state->unroll = (int)fmin(UNROLL, fmax(1, floor(steps / GROUP_ITEMS)));
    state->items = (int)fmin(GROUP_ITEMS, fmax(1, floor(steps / state->unroll)));
}

/* As many items as are resident at once, or fewer: one group more would start only after the others have ended. The
 * iterations make up the operations, and the groups are as many as those iterations need. */
static void describe_launch(const struct run *run, struct fma_state *state)
{
    const struct device_properties *properties = &run->device->properties;
    double resident =
        (double)properties->units * (properties->items_per_unit ? properties->items_per_unit : RESIDENT_ITEMS);
    double steps = state->operations / (2.0 * CHAINS * state->unroll * state->lanes);
    double iterations = resident > 0 ? fmax(1, ceil(steps / resident)) : 1;
    double groups = steps / iterations / state->items;
    state->arguments[0] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->sink}};
    state->arguments[1] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)iterations}};
    state->arguments[2] = real(run->problem, FACTOR);
    state->arguments[3] = real(run->problem, ADDEND);
    state->launch = (struct launch){
        .entry = "fma_peak",
        .rank = 1,
        .group = {(size_t)state->items, 1, 1},
        .groups = {groups < 1 ? 1 : (size_t)(groups + 0.5), 1, 1},
        .arguments = state->arguments,
        .argument_count = COUNT_OF(state->arguments),
    };
}

static enum status build(const struct run *run, struct fma_state *state, struct error *error)
{
    const char *scalar = is_double(run->problem) ? "double" : "float";
    char defines[6][32];
    snprintf(defines[0], sizeof defines[0], "CHAINS=%d", CHAINS);
    snprintf(defines[1], sizeof defines[1], "UNROLL=%d", state->unroll);
    snprintf(defines[2], sizeof defines[2], "LANES=%d", state->lanes);
    snprintf(defines[3], sizeof defines[3], "SCALAR=%s", scalar);
    if (state->lanes > 1)
        snprintf(defines[4], sizeof defines[4], "NUMBER=%s%d", scalar, state->lanes);
    else
        snprintf(defines[4], sizeof defines[4], "NUMBER=%s", scalar);
    snprintf(defines[5], sizeof defines[5], "GROUP_X=%d", state->items);
    const char *const list[] = {defines[0], defines[1], defines[2], defines[3], defines[4], defines[5]};
    const bool is_opengl = run->device->backend->kind == BACKEND_OPENGL;
    const struct embedded_file *file = embedded_find(is_opengl ? "lab/ceilings/fma.glsl" : "lab/ceilings/fma.cl");
    struct program_source source = {file->path, file->text, is_opengl ? LANGUAGE_GLSL : LANGUAGE_OPENCL_C, list,
                                    COUNT_OF(list)};
    enum status status = buffer_allocate(run->device, sizeof(double), &state->sink, error);
    if (status == STATUS_OK)
        status = program_build(run->device, &source, &state->program, error);
    return status;
}

/* A part of a long run is as conclusive. */
static double try_variant(void *context, size_t variant, int whole)
{
    const struct fma_state *state = context;
    const double count = fmin(state->operations / 2, whole ? LONG_TRIAL : SHORT_TRIAL);
    int64_t begun = clock_now();
    int runs = 0;
    do {
        cpu_multiply_add_by(variant, count, state->is_double);
        runs++;
    } while ((double)(clock_now() - begun) < TRIAL_NS);
    return (double)(clock_now() - begun) / runs;
}

static void search(struct run *run, struct fma_state *state)
{
    const struct strategy_trial trial = {cpu_multiply_add_variants(), try_variant, state, SEARCH_NS};
    wait_until_at_rest();
    state->variant = strategy_search(&trial);
    cpu_multiply_add_name(state->variant, run->detail, sizeof run->detail);
}

static enum status fma_prepare(struct run *run, struct error *error)
{
    struct fma_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    state->operations = run->problem->kernel->cost(run->problem).operations;
    state->is_double = is_double(run->problem);
    if (run->device->backend->kind == BACKEND_CPU) {
        search(run, state);
        return STATUS_OK;
    }
    bool is_cpu = run->device->properties.is_cpu && run->device->backend->kind != BACKEND_OPENGL;
    state->lanes = !is_cpu ? 1 : is_double(run->problem) ? VECTOR_BYTES / 8 : VECTOR_BYTES / 4;
    fit_small(state);
    describe_launch(run, state);
    enum status status = build(run, state, error);
    if (status != STATUS_OK)
        fma_finish(run);
    return status;
}

static enum status fma_enqueue(struct run *run, struct error *error)
{
    struct fma_state *state = run->state;
    if (state->program)
        return program_launch(state->program, &state->launch, error);
    cpu_multiply_add_by(state->variant, state->operations / 2, state->is_double);
    return STATUS_OK;
}

const struct rung probe_fma = {
    .name = "fma",
    .idea = N_("as many multiplications with addition, from registers, and nothing else: the ceiling"),
    .kind = RUNG_VENDOR,
    .takes = TAKES_ALL,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA | BACKEND_OPENGL,
    .prepare = fma_prepare,
    .finish = fma_finish,
    .enqueue = fma_enqueue,
};

void ceiling_fma_search(struct run *run)
{
    struct fma_state *state = run->state;
    if (!state->program)
        search(run, state);
}
