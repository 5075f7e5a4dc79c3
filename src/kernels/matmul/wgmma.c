/* The host half of the rungs of wgmma.cuh: their plan, and what they tell the copy engine. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "kernels/argument_value.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/matmul.h"
#include "kernels/matmul/sizes.h"
#include "kernels/rung_header.h"

/* As in wgmma.cuh. */
#define LOW 128 /* rows of the lower tiles */
#define DEPTH 64
#define ROW 128 /* bytes */
#define ITEMS 384
#define STORE_ROWS 16
#define LOCAL_MOST 232448
#define STAGES_HIGH 4 /* of tiles of three warpgroups, at least: AHEAD and HELD */
#define STAGES_MOST 8
#define ROWS_TOGETHER 16 /* of tiles, at most: measured */

#define ALIGNMENT 16       /* of rows, for the copy engine */
#define COPY_COLS 2048     /* of a group of align_rows */
#define COPY_GROUPS_EACH 8 /* resident on a multiprocessor */
#define SIDE_MOST 0x7fffff00

struct plan {
    struct wgmma_tile tile;
    size_t stages, grouped;
    size_t groups, local_bytes;
    bool is_paced;
};

/* A matrix as stored, and its aligned copy. */
struct operand {
    size_t rows, cols, ld;
    bool is_copied;
    size_t aligned, offset, bytes; /* elements from row to row; where in scratch memory */
};

enum { A, B, C, MATRICES };
enum { NUMBERS = 6, PROGRESS = MATRICES + 1 + NUMBERS, EPOCH, ARGUMENTS, COPY_ARGUMENTS = 14 };

struct state {
    struct program *program;
    struct operand operands[C];
    struct tile_map maps[MATRICES];
    uintptr_t mapped[MATRICES]; /* the addresses that the maps are of; 0: not made */
    unsigned box_rows[MATRICES];
    bool is_paced;
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

static size_t local_bytes(struct wgmma_tile tile, size_t stages)
{
    return stages * ((tile.rows + tile.columns) * ROW + 16) + 1024;
}

static size_t stages_most(struct wgmma_tile tile)
{
    size_t stages = STAGES_MOST;
    while (local_bytes(tile, stages) > LOCAL_MOST)
        stages--;
    return stages;
}

/* Whether what all groups fetch for a tile exceeds the second-level cache: then they begin their tiles together. */
static bool is_paced(const struct product *p, const struct device *device)
{
    const double results = (double)units_of(device) * LOW * 256, cache = (double)device->properties.cache_bytes;
    return cache > 0 && 4 * sqrt(results) * (double)p->k > cache && (double)p->m * (double)p->n > 2 * results;
}

/* Rows of tiles that run together: what they read of A stays in the second-level cache, with room for B. On an H200 of
 * 50 MB 16 rows are as good as 8 at k = 8192 (795 and 791 TFLOP/s), at 16384 they take 67 MB (772 and 797). Groups that
 * begin their tiles together need not keep them: there 16 are as good. */
static size_t rows_together(const struct product *p, const struct device *device, bool paced)
{
    const uint64_t cache = device->properties.cache_bytes;
    size_t rows = ROWS_TOGETHER;
    while (!paced && rows > 1 && cache > 0 && (uint64_t)rows * LOW * p->k * 2 > cache)
        rows /= 2;
    return rows;
}

/* The wished tile of a rung; 0: any. */
static struct wgmma_tile wish_of(bool persistent, const struct parameters *parameters)
{
    const int64_t *values = parameters->values;
    if (!persistent)
        return (struct wgmma_tile){LOW, (size_t)values[0], 1};
    return (struct wgmma_tile){(size_t)values[4], (size_t)values[0], (size_t)values[2]};
}

static struct plan plan_of(const struct rung *rung, const struct problem *problem, const struct device *device,
                           const struct parameters *parameters)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const size_t units = units_of(device);
    const int64_t *values = parameters->values;
    const struct wgmma_tile tile = wgmma_tile_of(&p, units, wish_of(is_persistent(rung), parameters));
    struct plan plan = {
        .tile = tile, .stages = (size_t)values[1], .is_paced = is_persistent(rung) && is_paced(&p, device)};
    plan.grouped = (size_t)values[is_persistent(rung) ? 3 : 2];
    if (plan.stages == 0)
        plan.stages = stages_most(tile);
    if (plan.grouped == 0)
        plan.grouped = divide_up(rows_together(&p, device, plan.is_paced) * LOW, tile.rows * wgmma_down(tile.cluster));
    const size_t clusters = wgmma_clusters(&p, tile), resident = wgmma_resident(units, tile.cluster);
    plan.groups = (is_persistent(rung) ? size_least(clusters, resident) : clusters) * tile.cluster;
    plan.local_bytes = local_bytes(tile, plan.stages);
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

/* Scratch memory begins with what groups say of their progress. */
static void operands_of(const struct product *p, const struct device *device, struct operand operands[C])
{
    operands[A] = operand_of(p, A);
    operands[B] = operand_of(p, B);
    operands[A].offset = is_paced(p, device) ? round_up(units_of(device) * sizeof(uint64_t), BUFFER_ALIGNMENT) : 0;
    operands[B].offset = operands[A].offset + round_up(operands[A].bytes, BUFFER_ALIGNMENT);
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)parameters;
    const struct product p = product_of(problem, NULL, NULL, NULL);
    struct operand operands[C];
    operands_of(&p, device, operands);
    return operands[B].offset + operands[B].bytes;
}

static const char *supports_tile(const struct problem *problem, struct wgmma_tile wish, size_t stages, char *reason,
                                 size_t size)
{
    const struct product p = product_of(problem, NULL, NULL, NULL);
    const double tiles = (double)divide_up(p.m, LOW) * (double)divide_up(p.n, 64);
    if (p.m > SIDE_MOST || p.n > SIDE_MOST || p.k > SIDE_MOST || tiles > 0x1p30)
        return explain(reason, size, "counts rows, columns and tiles in 32 bits");
    if (stages > 0 && (wish.rows == 0 || wish.columns == 0))
        return explain(reason, size, "STAGES goes with TILE_M and TILE_N");
    if (stages > 0 && stages > stages_most(wish))
        return explain(reason, size, "%zu stages of tiles of %zu x %zu need more shared memory than a group has",
                       stages, wish.rows, wish.columns);
    if (stages > 0 && stages < STAGES_HIGH && wish.rows > LOW)
        return explain(reason, size, "tiles of %zu rows take at least %d stages", wish.rows, STAGES_HIGH);
    return NULL;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device;
    return supports_tile(problem, wish_of(false, parameters), (size_t)parameters->values[1], reason, size);
}

static const char *supports_persistent(const struct problem *problem, const struct device *device,
                                       const struct parameters *parameters, char *reason, size_t size)
{
    (void)device;
    return supports_tile(problem, wish_of(true, parameters), (size_t)parameters->values[1], reason, size);
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
                   {"TILE_N", plan->tile.columns},
                   {"STAGES", plan->stages},
                   {"GROUPED", plan->grouped},
                   {"WHOLE_STORE", stores_whole(p)},
                   {"CLUSTER", plan->tile.cluster},
                   {"TILE_M", plan->tile.rows}};
    char text[COUNT_OF(numbers)][32];
    const char *defines[COUNT_OF(numbers)];
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        snprintf(text[i], sizeof text[i], "%s=%zu", numbers[i].name, numbers[i].value);
        defines[i] = text[i];
    }
    const struct device_source *file = run->rung->source;
    const size_t count = COUNT_OF(numbers) - (is_persistent(run->rung) ? 0 : 2); /* wgmma.cu defines the last ones */
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

static void describe(const struct plan *plan, const struct product *p, const struct device *device, struct state *state)
{
    const struct argument_value numbers[NUMBERS] = {
        argument_long(p->m),      argument_long(p->n),     argument_long(product_depth(p)),
        argument_float(p->alpha), argument_float(p->beta), argument_long(p->ldc)};
    operands_of(p, device, state->operands);
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
    state->arguments[PROGRESS] = state->arguments[EPOCH] = argument_long(0);
    describe_copy(units_of(device), state);
    const struct wgmma_tile tile = plan->tile;
    state->box_rows[A] = (unsigned)((p->transa ? DEPTH : tile.rows) / wgmma_across(tile.cluster));
    state->box_rows[B] = (unsigned)((p->transb ? tile.columns : DEPTH) / wgmma_down(tile.cluster));
    state->box_rows[C] = STORE_ROWS;
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
    *state = (struct state){.program = NULL, .is_paced = plan.is_paced};
    describe(&plan, &p, run->device, state);
    snprintf(run->detail, sizeof run->detail, "tiles of %zu x %zu, %zu stages, clusters of %zu", plan.tile.rows,
             plan.tile.columns, plan.stages, plan.tile.cluster);
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
    if (state->is_paced) {
        state->arguments[PROGRESS] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = run->scratch}};
        state->arguments[EPOCH] = (struct argument_value){ARGUMENT_LONG, {.long_value = arrivals_epoch()}};
    }
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
    .supports = supports_persistent,
    .scratch = scratch,
    .prepare = prepare,
    .finish = finish,
    .enqueue = enqueue,
};
