/* Kernels that run at once: launches from several queues. */
#include <stdlib.h>

#include "explain/effects/effect_kernel.h"
#include "kernels/argument_value.h"
#include "kernels/rung_header.h"

#define LAUNCHES 16 /* must match concurrent-kernels.cl, as must the items and steps */
#define ITEMS 64
#define STEPS 4096

static int describe(const struct problem *problem, struct array arrays[KERNEL_ARRAYS_MAX])
{
    effect_describe_two(problem, arrays);
    arrays[1].cols = (size_t)LAUNCHES * ITEMS;
    return 2;
}

static uint64_t expected(const void *context, size_t index)
{
    uint32_t x = ((const uint32_t *)context)[index];
    for (int step = 0; step < STEPS; step++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    return x;
}

EFFECT_CHECK(1, expected)

static struct cost cost(const struct problem *problem)
{
    (void)problem;
    return (struct cost){.bytes_read = 4.0 * LAUNCHES * ITEMS,
                         .bytes_written = 4.0 * LAUNCHES * ITEMS,
                         .operations = 6.0 * LAUNCHES * ITEMS * STEPS,
                         .read_streams = 1,
                         .write_streams = 1};
}

/* Beside the state of a plain device rung, as in kernels/resize/texture.c. */
struct state {
    void *launches;
    struct queue *queues[LAUNCHES];
    struct event *begin, *ends[LAUNCHES];
    size_t count;
};

static void release(struct state *state)
{
    for (size_t q = 0; q < state->count; q++) {
        event_destroy(state->ends[q]);
        queue_destroy(state->queues[q]);
    }
    event_destroy(state->begin);
    free(state);
}

static enum status prepare(struct run *run, struct error *error)
{
    struct state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = event_create_untimed(run->device, &state->begin, error);
    state->count = (size_t)run_parameter(run, "QUEUES");
    for (size_t q = 0; status == STATUS_OK && q < state->count; q++) {
        status = queue_create(run->device, &state->queues[q], error);
        if (status == STATUS_OK)
            status = event_create_untimed(run->device, &state->ends[q], error);
    }
    if (status == STATUS_OK)
        status = device_rung_prepare(run, error);
    if (status != STATUS_OK) {
        release(state);
        return status;
    }
    state->launches = run->state;
    run->state = state;
    return STATUS_OK;
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    run->state = state->launches;
    device_rung_finish(run);
    release(state);
}

static enum status launch_in(struct run *plain, size_t queue, size_t queues, struct error *error)
{
    struct launch launch = *device_rung_ready(plain);
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    enum status status = STATUS_OK;
    for (size_t i = 0; i < launch.argument_count; i++)
        arguments[i] = launch.arguments[i];
    launch.arguments = arguments;
    for (size_t l = queue; status == STATUS_OK && l < LAUNCHES; l += queues) {
        arguments[2] = argument_long(l);
        status = program_launch(device_rung_program(plain), &launch, error);
    }
    return status;
}

/* The queues begin when the device's own has come so far, and it goes on when all of them have ended. */
static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    struct run plain = *run;
    struct error ignored;
    plain.state = state->launches;
    enum status status = event_record(state->begin, error);
    for (size_t q = 0; status == STATUS_OK && q < state->count; q++) {
        status = queue_select(run->device, state->queues[q], error);
        if (status == STATUS_OK)
            status = queue_wait(state->begin, error);
        if (status == STATUS_OK)
            status = launch_in(&plain, q, state->count, error);
        if (status == STATUS_OK)
            status = event_record(state->ends[q], error);
    }
    enum status back = queue_select(run->device, NULL, status == STATUS_OK ? error : &ignored);
    status = status == STATUS_OK ? back : status;
    for (size_t q = 0; status == STATUS_OK && q < state->count; q++)
        status = queue_wait(state->ends[q], error);
    return status;
}

static const struct rung host_half = {.prepare = prepare, .finish = finish, .enqueue = enqueue};
static const struct ladder_row rows[] = {{&host_half, "explain/effects/concurrent-kernels.cl", ""}};

const struct effect effect_concurrent_kernels = {
    .name = "concurrent-kernels",
    .title = N_("kernels that run at once"),
    .lesson = N_("One queue runs its kernels one after the other, and a kernel of one group leaves all multiprocessors "
                 "but one idle. Independent small kernels belong into queues of their own (CUDA: streams)."),
    .axis = N_("queues that the kernels are launched from"),
    .parameter = "QUEUES",
    .kernel = &(const struct kernel){EFFECT_KERNEL("concurrent_kernels", rows), .describe = describe, .check = check,
                                     .cost = cost},
    .size = 1 << 14,
    .size_cpu = 1 << 14,
    .is_not_predicted = true,
};
