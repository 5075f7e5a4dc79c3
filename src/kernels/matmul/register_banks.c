/* The host half of the FP32 rung on the ordinary units. op(A) and op(B) are packed into panels in the order in which
 * the product reads them. Persistent groups then multiply the panels. */
#include <stdlib.h>

#include "kernels/argument_value.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/sizes.h"
#include "kernels/rung_header.h"

/* The same as in panels.cuh and register_banks.cu. */
#define LINES 128u
#define DEPTH 32u
#define PACKERS 256u
#define FLAGS 1024u
#define EARLY 16u /* stages packed before the product begins */
#define GROUPS_PER_UNIT 2u
#define REGIONS 2u

enum { PACK_ARGUMENTS = 9, MULTIPLY_ARGUMENTS = 14 };

struct panels {
    size_t tiles, stages; /* of 128 rows of op(A) and columns of op(B); of 32 deep */
    size_t early;         /* number of stages packed before the product; the others are packed during it */
    size_t sums;          /* bytes before the flags and sums that groups exchange */
    size_t bytes;
};

struct state {
    struct program *program;
    struct launch pack, multiply;
    struct argument_value pack_arguments[PACK_ARGUMENTS], multiply_arguments[MULTIPLY_ARGUMENTS];
};

static struct argument_value array(const struct buffer *buffer)
{
    return (struct argument_value){ARGUMENT_BUFFER, {.buffer = buffer}};
}

/* Two groups for each multiprocessor, as the registers allow; each has a flag for each region. */
static size_t groups_of(const struct device *device)
{
    size_t groups = (size_t)GROUPS_PER_UNIT * device->properties.units;
    return groups == 0 ? 1 : groups < FLAGS / REGIONS ? groups : FLAGS / REGIONS;
}

static struct panels panels_of(const struct product *p, size_t groups)
{
    struct panels panels = {
        .tiles = divide_up(p->m, LINES) + divide_up(p->n, LINES),
        .stages = divide_up(product_depth(p), DEPTH),
    };
    if (panels.stages == 0)
        panels.stages = 1;
    /* If each group begins with a whole tile, it needs the stages in their order. */
    size_t tiles = divide_up(p->m, LINES) * divide_up(p->n, LINES);
    panels.early = tiles < 2 * groups || panels.stages < EARLY ? panels.stages : EARLY;
    panels.sums = 4 * (divide_up(FLAGS + 1 + panels.stages, 32) * 32 + panels.tiles * panels.stages * LINES * DEPTH);
    panels.bytes = panels.sums + REGIONS * groups * 4 * LINES * LINES;
    return panels;
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (state)
        program_discard(state->program);
    free(state);
    run->state = NULL;
}

/* Prepares the constant arguments; the buffers change from run to run. */
static enum status describe(struct run *run, struct state *state, struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    struct panels panels = panels_of(&p, groups_of(run->device));
    size_t depth = product_depth(&p);
    const struct argument_value sizes[] = {argument_long(panels.early), argument_long(p.m),   argument_long(p.n),
                                           argument_long(depth),        argument_long(p.lda), argument_long(p.ldb)};
    const struct argument_value rest[] = {
        argument_long(panels.early), argument_long(panels.sums), argument_long(p.m),     argument_long(p.n),
        argument_long(depth),        argument_float(p.alpha),    argument_float(p.beta), argument_long(p.lda),
        argument_long(p.ldb),        argument_long(p.ldc),
    };
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        state->pack_arguments[3 + i] = sizes[i];
    for (size_t i = 0; i < COUNT_OF(rest); i++)
        state->multiply_arguments[4 + i] = rest[i];
    state->pack = (struct launch){
        .entry = "pack",
        .rank = 1,
        .group = {PACKERS, 1, 1},
        .groups = {panels.tiles * panels.early, 1, 1},
        .arguments = state->pack_arguments,
        .argument_count = PACK_ARGUMENTS,
    };
    enum status status = device_rung_shape(run, &state->multiply, error);
    state->multiply.arguments = state->multiply_arguments;
    state->multiply.argument_count = MULTIPLY_ARGUMENTS;
    if (state->multiply.groups[0] > 0) /* persistent groups, which share the tiles */
        state->multiply.groups[0] = groups_of(run->device);
    else
        state->pack.groups[0] = 0;
    return status;
}

static enum status prepare(struct run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    enum status status = describe(run, state, error);
    if (status == STATUS_OK)
        status = device_rung_build(run, &state->program, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    for (int i = 0; i < 3; i++)
        state->multiply_arguments[i] = array(&run->buffers[i]);
    state->pack_arguments[0] = array(&run->buffers[0]);
    state->pack_arguments[1] = array(&run->buffers[1]);
    state->pack_arguments[2] = state->multiply_arguments[3] = array(run->scratch);
    enum status status = program_launch(state->program, &state->pack, error);
    return status == STATUS_OK ? program_launch(state->program, &state->multiply, error) : status;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)parameters;
    struct product p = product_of(problem, NULL, NULL, NULL);
    return panels_of(&p, groups_of(device)).bytes;
}

const struct rung matmul_register_banks = {
    .backends = BACKEND_CUDA,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
