#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "base/embedded.h"
#include "base/size.h"
#include "base/translation.h"
#include "lab/limit.h"

/* As fma.cl has it; 8 chains in each of a GPU's resident warps hide its latency many times over. */
#define CHAINS 8
#define UNROLL 16
#define GROUP_ITEMS 256
#define RESIDENT_ITEMS 2048 /* of a multiprocessor that does not tell */
/* Each step makes x into x/2 + 1, which stays near 2. */
#define FACTOR 0.5
#define ADDEND 1.0

#define VECTOR_BYTES 64 /* of a CPU behind OpenCL; its compilers make narrower ones of them where need be */

struct fma_state {
    double operations;
    int lanes; /* numbers in one multiply-add of the device's program */
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

/* As many items as the device holds, or fewer: a group more than that would begin when the others have ended. So many
 * iterations that they make up the operations, and as many groups as those iterations need. */
static void describe_launch(const struct run *run, struct fma_state *state)
{
    const struct device_properties *properties = &run->device->properties;
    double resident =
        (double)properties->units * (properties->items_per_unit ? properties->items_per_unit : RESIDENT_ITEMS);
    double steps = state->operations / (2.0 * CHAINS * UNROLL * state->lanes);
    double iterations = resident > 0 ? fmax(1, ceil(steps / resident)) : 1;
    double groups = steps / iterations / GROUP_ITEMS;
    state->arguments[0] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->sink}};
    state->arguments[1] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)iterations}};
    state->arguments[2] = real(run->problem, FACTOR);
    state->arguments[3] = real(run->problem, ADDEND);
    state->launch = (struct launch){
        .entry = "fma_peak",
        .rank = 1,
        .group = {GROUP_ITEMS, 1, 1},
        .groups = {groups < 1 ? 1 : (size_t)(groups + 0.5), 1, 1},
        .arguments = state->arguments,
        .argument_count = COUNT_OF(state->arguments),
    };
}

static enum status build(const struct run *run, struct fma_state *state, struct error *error)
{
    const char *scalar = is_double(run->problem) ? "double" : "float";
    char defines[5][32];
    snprintf(defines[0], sizeof defines[0], "CHAINS=%d", CHAINS);
    snprintf(defines[1], sizeof defines[1], "UNROLL=%d", UNROLL);
    snprintf(defines[2], sizeof defines[2], "LANES=%d", state->lanes);
    snprintf(defines[3], sizeof defines[3], "SCALAR=%s", scalar);
    if (state->lanes > 1)
        snprintf(defines[4], sizeof defines[4], "NUMBER=%s%d", scalar, state->lanes);
    else
        snprintf(defines[4], sizeof defines[4], "NUMBER=%s", scalar);
    const char *const list[] = {defines[0], defines[1], defines[2], defines[3], defines[4]};
    const struct embedded_file *file = embedded_find("lab/fma.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, list, COUNT_OF(list)};
    enum status status = buffer_allocate(run->device, sizeof(double), &state->sink, error);
    if (status == STATUS_OK)
        status = program_build(run->device, &source, &state->program, error);
    return status;
}

static enum status fma_prepare(struct run *run, struct error *error)
{
    struct fma_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    state->operations = run->problem->kernel->cost(run->problem).operations;
    if (run->device->backend->kind == BACKEND_CPU)
        return STATUS_OK;
    bool is_cpu = run->device->properties.is_cpu;
    state->lanes = !is_cpu ? 1 : is_double(run->problem) ? VECTOR_BYTES / 8 : VECTOR_BYTES / 4;
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
    cpu_multiply_add(state->operations / 2, is_double(run->problem));
    return STATUS_OK;
}

const struct rung limit_fma = {
    .name = "fma",
    .idea = N_("as many multiplications with addition, from registers, and nothing else: the limit"),
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = fma_prepare,
    .finish = fma_finish,
    .enqueue = fma_enqueue,
};
