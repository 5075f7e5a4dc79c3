#include "kernels/matmul/tensor_planes.h"
#include "kernels/argument_value.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/sizes.h"

#include <stdio.h>

#include "base/embedded.h"
#include "kernels/rung_header.h"

/* The same as in planes.cuh, planes_bfloat16.cu and planes_float16.cu. */
#define HEADER 1024
#define PARTS 32
#define LINE_WORDS (7 + PARTS)
#define BLOCK_LINES 32
#define BLOCK_DEPTH 64
#define BLOCK_ITEMS 256
#define DEEP 4
#define ALONG_LINES 8
#define ACROSS_LINES 128
#define LEAST_GROUPS 64u /* minimum number of groups that clear */

enum { SCALES_EPOCH = 11, PLAINLY = 11, SPLIT_EPOCH = 12 }; /* indices of arguments */

#define FALLBACK_GROUPS 1056u /* eight for each multiprocessor of the largest GPU: usually they return at once */

/* Part of a line along memory that one group searches for the largest magnitude. */
#define STRETCH 1024

struct argument_value tensor_buffer(const struct buffer *buffer)
{
    return (struct argument_value){ARGUMENT_BUFFER, {.buffer = buffer}};
}

struct tensor_planes tensor_planes_of(const struct problem *problem, size_t tile_n, enum tensor_parts parts,
                                      size_t groups)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    struct tensor_planes planes = {
        .lines_a = divide_up(p.m, TENSOR_TILE_M) * TENSOR_TILE_M,
        .lines_b = divide_up(p.n, tile_n) * tile_n,
        .depth = product_depth(&p),
    };
    size_t lines = planes.lines_a + planes.lines_b, deep = most(1, divide_up(planes.depth, BLOCK_DEPTH)) * BLOCK_DEPTH;
    planes.planes = divide_up(4 * (HEADER + LINE_WORDS * lines), 1024) * 1024;
    planes.sums = planes.planes + 6 * lines * deep;
    planes.bytes = planes.sums + (parts == TENSOR_FLOAT16 ? groups * 4 * TENSOR_TILE_M * tile_n : 0);
    return planes;
}

static enum status build(const struct run *run, size_t tile_n, enum tensor_parts parts, bool fallback,
                         struct program **program, struct error *error)
{
    char tile[32], transa[16], transb[16], kept[16], only[16];
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    size_t groups_of_eight = divide_up(product_depth(&p), (size_t)BLOCK_ITEMS * 8);
    snprintf(tile, sizeof tile, "TILE_N=%d", (int)tile_n);
    snprintf(transa, sizeof transa, "TRANSA=%d", p.transa);
    snprintf(transb, sizeof transb, "TRANSB=%d", p.transb);
    snprintf(kept, sizeof kept, "KEPT=%d", groups_of_eight <= 2 ? 2 : groups_of_eight <= 4 ? 4 : 8);
    snprintf(only, sizeof only, "FALLBACK=%d", fallback);
    const char *const defines[] = {tile, transa, transb, kept, only};
    const struct embedded_file *file = embedded_find(parts == TENSOR_FLOAT16 ? "kernels/matmul/planes_float16.cu"
                                                                             : "kernels/matmul/planes_bfloat16.cu");
    struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
    return program_build(run->device, &source, program, error);
}

/* Number of find_scales's groups for one matrix. `stretches` applies to lines along memory; it is 0 if split_halves
 * searches these. */
static size_t groups_for_scales(size_t lines, bool along, size_t stretches)
{
    return along ? lines / ALONG_LINES * stretches : divide_up(lines, ACROSS_LINES) * PARTS;
}

static size_t groups_for_halves(size_t lines, size_t depth, bool along)
{
    return along ? lines : lines / BLOCK_DEPTH * divide_up(most(1, divide_up(depth, BLOCK_DEPTH)), DEEP);
}

static void describe_scales(const struct product *p, const struct tensor_planes *planes, enum tensor_parts parts,
                            struct tensor_split *split)
{
    size_t stretches = parts == TENSOR_FLOAT16 ? 0 : most(1, size_least(planes->depth / STRETCH, PARTS));
    size_t groups = groups_for_scales(planes->lines_a, !p->transa, stretches) +
                    groups_for_scales(planes->lines_b, p->transb, stretches);
    const struct argument_value arguments[] = {argument_long(p->m),
                                               argument_long(p->n),
                                               argument_long(planes->depth),
                                               argument_long(p->lda),
                                               argument_long(p->ldb),
                                               argument_long(planes->lines_a),
                                               argument_long(planes->lines_b),
                                               argument_long(stretches)};
    bool halves = parts == TENSOR_FLOAT16;
    for (size_t i = 0; i < COUNT_OF(arguments); i++)
        split->scales_arguments[3 + i] = arguments[i];
    split->scales = (struct launch){
        .entry = halves ? "find_scales" : "find_scales_in_need",
        .rank = 1,
        .group = {BLOCK_ITEMS, 1, 1},
        .groups = {most(groups, LEAST_GROUPS), 1, 1},
        .arguments = split->scales_arguments,
        .argument_count = SCALES_EPOCH + !halves,
    };
}

static void describe_split(const struct product *p, const struct tensor_planes *planes, enum tensor_parts parts,
                           struct tensor_split *split)
{
    bool halves = parts == TENSOR_FLOAT16;
    size_t blocks = (planes->lines_a + planes->lines_b) / BLOCK_LINES * most(1, divide_up(planes->depth, BLOCK_DEPTH));
    size_t groups = halves ? groups_for_halves(planes->lines_a, planes->depth, !p->transa) +
                                 groups_for_halves(planes->lines_b, planes->depth, p->transb)
                           : blocks;
    const struct argument_value arguments[] = {
        argument_long(planes->planes),  argument_long(p->m),           argument_long(p->n),
        argument_long(planes->depth),   argument_long(p->lda),         argument_long(p->ldb),
        argument_long(planes->lines_a), argument_long(planes->lines_b)};
    for (size_t i = 0; i < COUNT_OF(arguments); i++)
        split->split_arguments[3 + i] = arguments[i];
    split->split = (struct launch){
        .entry = halves ? "split_halves" : "split_planes",
        .rank = 1,
        .group = {BLOCK_ITEMS, 1, 1},
        .groups = {halves ? groups : size_least(groups, FALLBACK_GROUPS), 1, 1},
        .arguments = split->split_arguments,
        .argument_count = halves ? PLAINLY : SPLIT_EPOCH + 1,
    };
    split->split_arguments[PLAINLY] = argument_long(0);
    split->split_arguments[SPLIT_EPOCH] = argument_long(0);
    memcpy(split->plain_arguments, split->split_arguments, sizeof split->plain_arguments);
    split->plain_arguments[PLAINLY] = argument_long(1);
    split->plain = split->split;
    split->plain.groups[0] = groups;
    split->plain.arguments = split->plain_arguments;
}

enum status tensor_split_prepare(const struct run *run, const struct tensor_planes *planes, size_t tile_n,
                                 enum tensor_parts parts, bool fallback, struct tensor_split *split,
                                 struct error *error)
{
    struct product p = product_of(run->problem, NULL, NULL, NULL);
    describe_scales(&p, planes, parts, split);
    split->settles = parts == TENSOR_BFLOAT16;
    split->settle_arguments[1] = argument_long(planes->lines_a + planes->lines_b);
    split->settle = (struct launch){
        .entry = "settle_scales",
        .rank = 1,
        .group = {BLOCK_ITEMS, 1, 1},
        .groups = {divide_up(planes->lines_a + planes->lines_b, BLOCK_ITEMS), 1, 1},
        .arguments = split->settle_arguments,
        .argument_count = COUNT_OF(split->settle_arguments),
    };
    describe_split(&p, planes, parts, split);
    split->scales.is_fallback = split->settles;
    split->split.is_fallback = split->settles || fallback;
    return build(run, tile_n, parts, fallback, &split->program, error);
}

static void set_arrays(const struct run *run, struct argument_value *arguments)
{
    arguments[0] = tensor_buffer(&run->buffers[0]);
    arguments[1] = tensor_buffer(&run->buffers[1]);
    arguments[2] = tensor_buffer(run->scratch);
}

/* Splits without scales, which suffices while numbers are in range; only the device knows whether the rest is
 * requested. */
static enum status enqueue_plain(const struct run *run, struct tensor_split *split, struct error *error)
{
    const struct argument_value epoch = {ARGUMENT_LONG, {.long_value = arrivals_epoch()}};
    set_arrays(run, split->plain_arguments);
    split->plain_arguments[SPLIT_EPOCH] = split->split_arguments[SPLIT_EPOCH] = epoch;
    split->scales_arguments[SCALES_EPOCH] = split->settle_arguments[2] = epoch;
    return program_launch(split->program, &split->plain, error);
}

enum status tensor_split_enqueue(const struct run *run, struct tensor_split *split, bool with_scales,
                                 struct error *error)
{
    set_arrays(run, split->scales_arguments);
    set_arrays(run, split->split_arguments);
    split->settle_arguments[0] = tensor_buffer(run->scratch);
    bool settles = with_scales && split->settles;
    enum status status = settles ? enqueue_plain(run, split, error) : STATUS_OK;
    if (status == STATUS_OK && with_scales)
        status = program_launch(split->program, &split->scales, error);
    if (status == STATUS_OK && settles)
        status = program_launch(split->program, &split->settle, error);
    return status == STATUS_OK ? program_launch(split->program, &split->split, error) : status;
}

size_t tensor_product_arguments(const struct problem *problem, const struct tensor_planes *planes, bool with_sums,
                                struct argument_value *arguments)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    size_t count = 0;
    arguments[count++] = argument_long(planes->planes);
    if (with_sums)
        arguments[count++] = argument_long(planes->sums);
    const struct argument_value rest[] = {argument_long(p.m),
                                          argument_long(p.n),
                                          argument_long(planes->depth),
                                          argument_float(p.alpha),
                                          argument_float(p.beta),
                                          argument_long(p.lda),
                                          argument_long(p.ldb),
                                          argument_long(p.ldc),
                                          argument_long(planes->lines_a),
                                          argument_long(planes->lines_b)};
    for (size_t i = 0; i < COUNT_OF(rest); i++)
        arguments[count++] = rest[i];
    return count;
}
