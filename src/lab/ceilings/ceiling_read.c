/* The probes that read a cache or local memory repeatedly. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cpu/cpu.h"
#include "base/embedded.h"
#include "base/size.h"
#include "lab/ceilings/ceiling.h"
#include "lab/ceilings/probes.h"

#define WORD_BYTES 16
#define GROUP_ITEMS 256
#define RESIDENT_ITEMS 2048 /* where the device does not report it */

/* cache_read.cl: 16 KiB per group and pass. The stride is odd, and large compared with the resident chunks. */
#define CACHE_UNROLL 4
#define CACHE_STRIDE 7919
/* local_read.cl: 16 KiB of local memory per group, so that a full multiprocessor's groups fit. */
#define LOCAL_UNROLL 8
#define LOCAL_SPACING 64

struct read_state {
    struct buffer source, sink;
    struct program *program;
    struct argument_value arguments[4];
    struct launch launch;
    size_t set; /* on the CPU: bytes that each thread reads */
    long passes;
};

static void read_finish(struct run *run)
{
    struct read_state *state = run->state;
    if (!state)
        return;
    program_discard(state->program);
    buffer_release(&state->source);
    buffer_release(&state->sink);
    free(state);
    run->state = NULL;
}

static enum status build(const struct run *run, struct read_state *state, const char *path, const char *const *defines,
                         size_t count, struct error *error)
{
    const struct embedded_file *file = embedded_find(path);
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, count};
    enum status status = buffer_allocate(run->device, WORD_BYTES, &state->sink, error);
    if (status == STATUS_OK)
        status = program_build(run->device, &source, &state->program, error);
    return status;
}

/* Shapes the launch: as many groups as are resident at once, and as many passes (hundreds) as the bytes need. */
static void shape(const struct run *run, struct read_state *state, const char *entry, double bytes_a_pass,
                  size_t argument_count)
{
    const struct device_properties *properties = &run->device->properties;
    double items =
        (double)properties->units * (properties->items_per_unit ? properties->items_per_unit : RESIDENT_ITEMS);
    double groups = fmax(1, floor(items / GROUP_ITEMS));
    struct cost cost = run->problem->kernel->cost(run->problem);
    state->passes = (long)fmax(1, round(cost.bytes_read / (groups * GROUP_ITEMS * bytes_a_pass)));
    state->launch = (struct launch){
        .entry = entry,
        .rank = 1,
        .group = {GROUP_ITEMS, 1, 1},
        .groups = {(size_t)groups, 1, 1},
        .arguments = state->arguments,
        .argument_count = argument_count,
    };
}

static enum status prepare_gpu_cache(struct run *run, struct read_state *state, struct error *error)
{
    char unroll[32], stride[32];
    snprintf(unroll, sizeof unroll, "UNROLL=%d", CACHE_UNROLL);
    snprintf(stride, sizeof stride, "STRIDE=%d", CACHE_STRIDE);
    const char *const defines[] = {unroll, stride};
    size_t bytes = (size_t)problem_size(run->problem, "bytes");
    enum status status = buffer_allocate(run->device, bytes, &state->source, error);
    if (status == STATUS_OK)
        status = noise_fill(&state->source, error);
    if (status == STATUS_OK)
        status = build(run, state, "lab/ceilings/cache_read.cl", defines, COUNT_OF(defines), error);
    shape(run, state, "cache_read", CACHE_UNROLL * WORD_BYTES, 4);
    state->arguments[0] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->source}};
    state->arguments[1] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->sink}};
    state->arguments[2] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)(bytes / WORD_BYTES)}};
    state->arguments[3] = (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)state->passes}};
    return status;
}

static enum status prepare_cpu_cache(struct run *run, struct read_state *state, struct error *error)
{
    int64_t threads = problem_size(run->problem, "threads"), bytes = problem_size(run->problem, "bytes");
    state->set = (size_t)(bytes / (threads > 0 ? threads : 1));
    state->passes = (long)problem_size(run->problem, "times");
    enum status status = buffer_allocate(run->device, (size_t)bytes, &state->source, error);
    return status == STATUS_OK ? noise_fill(&state->source, error) : status;
}

static enum status cache_prepare(struct run *run, struct error *error)
{
    struct read_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = run->device->backend->kind == BACKEND_CPU ? prepare_cpu_cache(run, state, error)
                                                                   : prepare_gpu_cache(run, state, error);
    if (status != STATUS_OK)
        read_finish(run);
    return status;
}

static enum status read_enqueue(struct run *run, struct error *error)
{
    struct read_state *state = run->state;
    if (state->program)
        return program_launch(state->program, &state->launch, error);
    cpu_read_again(state->source.host, state->set, state->passes);
    return STATUS_OK;
}

const struct rung ceiling_cache = {
    .name = "cache",
    .idea = "what a cache holds, read over and over",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU | BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = cache_prepare,
    .finish = read_finish,
    .enqueue = read_enqueue,
};

static enum status local_prepare(struct run *run, struct error *error)
{
    struct read_state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    char unroll[32], spacing[32];
    snprintf(unroll, sizeof unroll, "UNROLL=%d", LOCAL_UNROLL);
    snprintf(spacing, sizeof spacing, "SPACING=%d", LOCAL_SPACING);
    const char *const defines[] = {unroll, spacing};
    enum status status = build(run, state, "lab/ceilings/local_read.cl", defines, COUNT_OF(defines), error);
    shape(run, state, "local_read", LOCAL_UNROLL * WORD_BYTES, 2);
    state->arguments[0] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &state->sink}};
    state->arguments[1] = (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)state->passes}};
    if (status != STATUS_OK)
        read_finish(run);
    return status;
}

const struct rung ceiling_local = {
    .name = "local",
    .idea = "every group's local memory, read over and over",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_OPENCL | BACKEND_CUDA,
    .prepare = local_prepare,
    .finish = read_finish,
    .enqueue = read_enqueue,
};

static enum status clock_enqueue(struct run *run, struct error *error)
{
    (void)error;
    cpu_add_in_turn((long)problem_size(run->problem, "times"));
    return STATUS_OK;
}

const struct rung ceiling_clock = {
    .name = "clock",
    .idea = "additions that wait for each other",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .enqueue = clock_enqueue,
};

static enum status issue_enqueue(struct run *run, struct error *error)
{
    (void)error;
    cpu_issue((long)problem_size(run->problem, "times"));
    return STATUS_OK;
}

const struct rung ceiling_issue = {
    .name = "issue",
    .idea = "additions and moves of registers that wait for nothing",
    .kind = RUNG_VENDOR,
    .backends = BACKEND_CPU,
    .enqueue = issue_enqueue,
};
