/* The host half of the rungs of wgmma.cuh: their plan, and what they tell the copy engine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "kernels/argument_value.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/sizes.h"
#include "kernels/rung_header.h"

/* As in wgmma.cuh. */
#define TILE_M 128
#define DEPTH 64
#define ROW 128 /* bytes */
#define ITEMS 384
#define WARPS 8
#define STORE (16 * ROW) /* bytes, twice for each warp */
#define LOCAL_MOST 232448
#define STAGES_MOST 8
#define ROWS_TOGETHER 16 /* of tiles, at most: measured */

#define ALIGNMENT 16       /* of rows, for the copy engine */
#define COPY_COLS 2048     /* of a group of align_rows */
#define COPY_GROUPS_EACH 8 /* resident on a multiprocessor */
#define SIDE_MOST 0x7fffff00

struct plan {
    size_t tile_n, stages, cluster, grouped;
    size_t clusters; /* of tiles: `cluster` tiles of neighbouring rows */
    size_t groups, local_bytes;
};

/* A matrix as stored, and its aligned copy. */
struct operand {
    size_t rows, cols, ld;
    bool is_copied;
    size_t aligned, offset, bytes; /* elements from row to row; where in scratch memory */
};

enum { A, B, C, MATRICES };
enum { NUMBERS = 6, ARGUMENTS = MATRICES + 1 + NUMBERS, COPY_ARGUMENTS = 14 };

struct state {
    struct program *program;
    struct operand operands[C];
    struct tile_map maps[MATRICES];
    uintptr_t mapped[MATRICES]; /* the addresses that the maps are of; 0: not made */
    unsigned box_rows[MATRICES];
    struct launch launch, copy;
    struct argument_value arguments[ARGUMENTS], copy_arguments[COPY_ARGUMENTS];
};

static bool is_persistent(const struct rung *rung)
{
    return strcmp(rung->name, "wgmma-persistent") == 0;
}

static size_t units_of(const struct device *device)
{
    return device->properties.units ? device->properties.units : 1;
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

static size_t stage_bytes(size_t tile_n)
{
    return (TILE_M + tile_n) * ROW;
}

static size_t local_bytes(size_t tile_n, size_t stages)
{
    return stages * (stage_bytes(tile_n) + 16) + (size_t)2 * WARPS * STORE + 1024;
}

static size_t stages_most(size_t tile_n)
{
    size_t stages = STAGES_MOST;
    while (local_bytes(tile_n, stages) > LOCAL_MOST)
        stages--;
    return stages;
}

/* Rows of tiles that run together: what they read of A stays in the second-level cache, with room for B. On an H200 of
 * 50 MB 16 rows are as good as 8 at k = 8192 (795 and 791 TFLOP/s), at 16384 they take 67 MB (772 and 797). */
static size_t rows_together(const struct product *p, const struct device *device)
{
    const uint64_t cache = device->properties.cache_bytes;
    size_t rows = ROWS_TOGETHER;
    while (rows > 1 && cache > 0 && (uint64_t)rows * TILE_M * p->k * 2 > cache)
        rows /= 2;
    return rows;
}

static struct plan plan_of(const struct rung *rung, const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const size_t units = units_of(device);
    const int64_t *values = parameters->values;
    struct plan plan = {.tile_n = (size_t)values[0], .stages = (size_t)values[1], .cluster = 1};
    plan.grouped = (size_t)values[is_persistent(rung) ? 3 : 2];
    if (is_persistent(rung)) {
        const struct wgmma_tile wish = {(size_t)values[0], (size_t)values[2]}, tile = wgmma_tile_of(&p, units, wish);
        plan.tile_n = tile.columns;
        plan.cluster = tile.cluster;
    }
    if (plan.stages == 0)
        plan.stages = stages_most(plan.tile_n);
    if (plan.grouped == 0)
        plan.grouped = divide_up(rows_together(&p, device), plan.cluster);
    plan.clusters = divide_up(p.m, TILE_M * plan.cluster) * divide_up(p.n, plan.tile_n);
    plan.groups =
        (is_persistent(rung) ? size_least(plan.clusters, units / plan.cluster) : plan.clusters) * plan.cluster;
    plan.local_bytes = local_bytes(plan.tile_n, plan.stages);
    return plan;
}

static struct operand operand_of(const struct product *p, int which)
{
    const bool turned = which == A ? p->transa : p->transb;
    const size_t high = which == A ? p->m : p->k, wide = which == A ? p->k : p->n, ld = which == A ? p->lda : p->ldb;
    struct operand operand = {.rows = turned ? wide : high, .cols = turned ? high : wide, .ld = ld};
    const size_t bytes = element_info(p->type)->bytes;
    operand.is_copied = ld * bytes % ALIGNMENT != 0 && product_depth(p) > 0;
    operand.aligned = operand.is_copied ? divide_up(operand.cols, ROW / bytes) * (ROW / bytes) : ld;
    operand.bytes = operand.is_copied ? operand.rows * operand.aligned * bytes : 0;
    return operand;
}

static void operands_of(const struct product *p, struct operand operands[C])
{
    operands[A] = operand_of(p, A);
    operands[B] = operand_of(p, B);
    operands[B].offset = divide_up(operands[A].bytes, BUFFER_ALIGNMENT) * BUFFER_ALIGNMENT;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    struct operand operands[C];
    operands_of(&p, operands);
    return operands[B].offset + operands[B].bytes;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const int64_t tile_n = parameters->values[0], stages = parameters->values[1];
    const double tiles = (double)divide_up(p.m, TILE_M) * (double)divide_up(p.n, 64);
    if (p.m > SIDE_MOST || p.n > SIDE_MOST || p.k > SIDE_MOST || tiles > 0x1p30)
        return explain(reason, size, "counts rows, columns and tiles in 32 bits");
    if (tile_n > 0 && stages > 0 && (size_t)stages > stages_most((size_t)tile_n))
        return explain(reason, size, "%ld stages of tiles of %d x %ld need more shared memory than a group has",
                       (long)stages, TILE_M, (long)tile_n);
    return NULL;
}

/* Half of 64 columns is less than the copy engine's box. */
static const char *supports_clusters(const struct problem *problem, const struct device *device,
                                     const struct parameters *parameters, char *reason, size_t size)
{
    if (parameters->values[0] % 128 != 0 && parameters->values[2] == 2)
        return explain(reason, size, "a pair of groups shares 128 or 256 columns, not %ld",
                       (long)parameters->values[0]);
    if (parameters->values[0] == 0 && parameters->values[2] == 2)
        return explain(reason, size, "CLUSTER=2 goes with a TILE_N of 128 or 256");
    return supports(problem, device, parameters, reason, size);
}

/* ---- the launches ----------------------------------------------------------------------------------------------- */

static bool stores_whole(const struct product *p)
{
    return p->beta == 0 && p->ldc * element_info(p->result)->bytes % ALIGNMENT == 0;
}

static enum status build(const struct run *run, const struct plan *plan, const struct product *p,
                         struct program **program, struct error *error)
{
    const struct {
        const char *name;
        size_t value;
    } numbers[] = {{"ELEMENT_HALF", p->type == ELEMENT_F16 ? 16 : 8},
                   {"RESULT", p->result != p->type},
                   {"TRANSA", p->transa},
                   {"TRANSB", p->transb},
                   {"TILE_N", plan->tile_n},
                   {"STAGES", plan->stages},
                   {"GROUPED", plan->grouped},
                   {"WHOLE_STORE", stores_whole(p)},
                   {"CLUSTER", plan->cluster}};
    char text[COUNT_OF(numbers)][32];
    const char *defines[COUNT_OF(numbers)];
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        snprintf(text[i], sizeof text[i], "%s=%zu", numbers[i].name, numbers[i].value);
        defines[i] = text[i];
    }
    const struct device_source *file = run->rung->source;
    const size_t count = COUNT_OF(numbers) - !is_persistent(run->rung); /* CLUSTER is last */
    const struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, count};
    return program_build(run->device, &source, program, error);
}

/* One launch copies both matrices, or one of them: as many groups as are resident at once, or fewer. */
static void describe_copy(size_t units, struct state *state)
{
    size_t groups[C], rows = 1, count = 3;
    for (int i = 0; i < C; i++) {
        const struct operand *operand = &state->operands[i];
        groups[i] = operand->is_copied ? divide_up(operand->cols, COPY_COLS) : 0;
        rows = operand->is_copied && operand->rows > rows ? operand->rows : rows;
    }
    state->copy_arguments[count++] = argument_long(groups[A]);
    for (int i = 0; i < C; i++) {
        const struct operand *operand = &state->operands[i];
        const size_t numbers[] = {operand->offset, operand->rows, operand->cols, operand->ld, operand->aligned};
        for (size_t n = 0; n < COUNT_OF(numbers); n++)
            state->copy_arguments[count++] = argument_long(numbers[n]);
    }
    const size_t across = groups[A] + groups[B], down = across ? divide_up(units * COPY_GROUPS_EACH, across) : 0;
    state->copy = (struct launch){
        .entry = "align_rows",
        .rank = 2,
        .group = {256, 1, 1},
        .groups = {across, size_least(down, rows), 1},
        .arguments = state->copy_arguments,
        .argument_count = COPY_ARGUMENTS,
    };
}

static void describe(const struct plan *plan, const struct product *p, size_t units, struct state *state)
{
    const struct argument_value numbers[NUMBERS] = {
        argument_long(p->m),      argument_long(p->n),     argument_long(product_depth(p)),
        argument_float(p->alpha), argument_float(p->beta), argument_long(p->ldc)};
    operands_of(p, state->operands);
    for (size_t i = 0; i < MATRICES; i++)
        state->arguments[i] = (struct argument_value){ARGUMENT_TILES, {.tiles = &state->maps[i]}};
    for (size_t i = 0; i < NUMBERS; i++)
        state->arguments[MATRICES + 1 + i] = numbers[i];
    state->launch = (struct launch){
        .entry = "matmul",
        .rank = 1,
        .group = {ITEMS, 1, 1},
        .groups = {plan->groups, 1, 1},
        .local_bytes = plan->local_bytes,
        .arguments = state->arguments,
        .argument_count = ARGUMENTS,
    };
    describe_copy(units, state);
    state->box_rows[A] = p->transa ? DEPTH : TILE_M;
    state->box_rows[B] = p->transb ? (unsigned)(plan->tile_n / plan->cluster) : DEPTH;
    state->box_rows[C] = STORE / ROW;
}

static void finish(struct run *run)
{
    struct state *state = run->state;
    if (state)
        program_discard(state->program);
    free(state);
    run->state = NULL;
}

static enum status prepare(struct run *run, struct error *error)
{
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    const struct plan plan = plan_of(run->rung, run->problem, run->device, &run->parameters);
    struct state *state = run->state = aligned_alloc(_Alignof(struct state), sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the launches");
    *state = (struct state){.program = NULL};
    describe(&plan, &p, units_of(run->device), state);
    snprintf(run->detail, sizeof run->detail, "tiles of %d x %zu, %zu stages, clusters of %zu", TILE_M, plan.tile_n,
             plan.stages, plan.cluster);
    enum status status = build(run, &plan, &p, &state->program, error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

/* Makes a map when its matrix lies elsewhere than last time. */
static enum status map(struct state *state, int index, const struct buffer *buffer, const struct tile_map_shape *shape,
                       struct error *error)
{
    if (state->mapped[index] == buffer->native)
        return STATUS_OK;
    enum status status = tile_map_make(buffer, shape, &state->maps[index], error);
    state->mapped[index] = status == STATUS_OK ? buffer->native : 0;
    return status;
}

static enum status map_operand(const struct run *run, struct state *state, const struct product *p, int which,
                               struct error *error)
{
    const struct operand *operand = &state->operands[which];
    const struct tile_map_shape shape = {.type = p->type,
                                         .offset = operand->is_copied ? operand->offset : 0,
                                         .rows = operand->rows,
                                         .cols = operand->cols,
                                         .row_bytes = operand->aligned * element_info(p->type)->bytes,
                                         .box_rows = state->box_rows[which]};
    return map(state, which, operand->is_copied ? run->scratch : &run->buffers[which], &shape, error);
}

static enum status make_maps(const struct run *run, struct state *state, const struct product *p, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < C && status == STATUS_OK && product_depth(p) > 0; i++)
        status = map_operand(run, state, p, i, error);
    const struct tile_map_shape shape = {.type = p->result,
                                         .rows = p->m,
                                         .cols = p->n,
                                         .row_bytes = p->ldc * element_info(p->result)->bytes,
                                         .box_rows = state->box_rows[C]};
    if (status == STATUS_OK && stores_whole(p))
        status = map(state, C, &run->buffers[C], &shape, error);
    return status;
}

static enum status copy(const struct run *run, struct state *state, struct error *error)
{
    if (state->copy.groups[0] == 0)
        return STATUS_OK;
    for (int i = 0; i < C; i++)
        state->copy_arguments[i] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &run->buffers[i]}};
    state->copy_arguments[C] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = run->scratch}};
    return program_launch(state->program, &state->copy, error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct state *state = run->state;
    const struct product p = product_of(run->problem, NULL, NULL, NULL);
    if (p.m == 0 || p.n == 0)
        return STATUS_OK;
    enum status status = make_maps(run, state, &p, error);
    if (status == STATUS_OK)
        status = copy(run, state, error);
    state->arguments[MATRICES] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = &run->buffers[C]}};
    return status == STATUS_OK ? program_launch(state->program, &state->launch, error) : status;
}

const struct rung matmul_wgmma = {
    .backends = BACKEND_CUDA,
    .supports = supports,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};

const struct rung matmul_wgmma_persistent = {
    .backends = BACKEND_CUDA,
    .supports = supports_clusters,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
