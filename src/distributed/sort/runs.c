#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/size.h"
#include "distributed/local_run.h"
#include "distributed/sort/sort.h"
#include "kernels/sort/order.h"

#define SEARCHERS 1024 /* of find_cuts: 256 bins, four runs at once */
#define GROUP 256
#define ITEMS 15
#define TILE ((size_t)GROUP * ITEMS)

struct runs {
    struct carrier carrier;
    enum runs_joined joined;
    size_t element;
    struct key_order order;
    struct local_run sorts[GROUP_MAX];
    struct program *programs[GROUP_MAX];
    struct buffer table, ranks, cuts;                  /* on device 0 */
    struct buffer starts[GROUP_MAX];                   /* of the tiles of a merge */
    int64_t cut[GROUP_MAX + 1][GROUP_MAX];             /* [device][run]: beginning of the device's part of the run */
    int64_t keys_at[GROUP_MAX], scratch_at[GROUP_MAX]; /* addresses */
};

static size_t keys_of(const struct problem *problem, size_t index, size_t count)
{
    return keys_begin(problem, count, index + 1) - keys_begin(problem, count, index);
}

static size_t half_scratch(const struct problem *problem, size_t index, size_t count)
{
    size_t bytes = keys_of(problem, index, count) * element_info(problem->type)->bytes;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

size_t runs_scratch(const struct problem *problem, size_t index, size_t count)
{
    return 2 * half_scratch(problem, index, count);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status make_programs(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    const char *const defines[] = {runs->element == 8 ? "ELEMENT_BYTES=8" : "ELEMENT_BYTES=4",
                                   runs->element == 8 ? "ELEMENT=ulong" : "ELEMENT=uint", "TILE=3840", "GROUP=256",
                                   "ITEMS=15"};
    const struct embedded_file *file = embedded_find("distributed/sort/runs.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++) {
        size_t tiles = keys_of(run->problem, i, run->group->count) / TILE + 2;
        status = program_build(run->group->devices[i], &source, &runs->programs[i], error);
        if (status == STATUS_OK)
            status = buffer_allocate(run->group->devices[i], tiles * sizeof(int64_t), &runs->starts[i], error);
    }
    return status;
}

/* Allocates the operands and the result of find_cuts. */
static enum status make_table(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    struct device *first = run->group->devices[0];
    size_t count = run->group->count;
    int64_t table[2 * GROUP_MAX] = {0}, ranks[GROUP_MAX] = {0};
    enum status status = buffer_allocate(first, sizeof table, &runs->table, error);
    if (status == STATUS_OK)
        status = buffer_allocate(first, sizeof ranks, &runs->ranks, error);
    if (status == STATUS_OK)
        status = buffer_allocate(first, sizeof(int64_t) * GROUP_MAX * GROUP_MAX, &runs->cuts, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = group_address(run->group, i, &run->buffers[i][0], &runs->keys_at[i], error);
        if (status == STATUS_OK)
            status = group_address(run->group, i, &run->scratch[i], &runs->scratch_at[i], error);
        table[i] = runs->keys_at[i];
        table[count + i] = (int64_t)keys_of(run->problem, i, count);
        runs->cut[count][i] = table[count + i];
        ranks[i] = (int64_t)keys_begin(run->problem, count, i + 1);
    }
    if (status == STATUS_OK)
        status = buffer_write(&runs->table, 0, table, sizeof table, error);
    return status == STATUS_OK ? buffer_write(&runs->ranks, 0, ranks, sizeof ranks, error) : status;
}

static enum status make_sort(struct device_run *run, size_t index, struct error *error)
{
    struct runs *runs = run->state;
    struct problem local = *run->problem;
    size_t keys = keys_of(run->problem, index, run->group->count);
    problem_set_size(&local, "n", (int64_t)keys);
    enum status status =
        keys ? local_run_make(&runs->sorts[index], &local, run->group->devices[index], run->buffers[index], error)
             : STATUS_OK;
    if (status == STATUS_OK && keys)
        snprintf(run->detail, sizeof run->detail, "%s", runs->sorts[index].prepared.run.rung->name);
    return status;
}

enum status runs_prepare(struct device_run *run, enum carrier_kind kind, enum runs_joined joined, struct error *error)
{
    struct runs *runs = run->state = calloc(1, sizeof *runs);
    if (!runs)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    runs->joined = joined;
    runs->element = element_info(run->problem->type)->bytes;
    runs->order = key_order(run->problem->type);
    enum status status = carrier_create(&runs->carrier, kind, run, error);
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_sort(run, i, error);
    if (status == STATUS_OK)
        status = make_programs(run, error);
    return status == STATUS_OK ? make_table(run, error) : status;
}

void runs_finish(struct device_run *run)
{
    struct runs *runs = run->state;
    for (size_t i = 0; runs && i < GROUP_MAX; i++) {
        local_run_finish(&runs->sorts[i]);
        program_discard(runs->programs[i]);
        buffer_release(&runs->starts[i]);
    }
    if (runs) {
        carrier_destroy(&runs->carrier);
        buffer_release(&runs->table);
        buffer_release(&runs->ranks);
        buffer_release(&runs->cuts);
    }
    free(runs);
    run->state = NULL;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static struct argument_value key_argument(const struct runs *runs, uint64_t value)
{
    return runs->element == 8 ? (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)value}}
                              : (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)(uint32_t)value}};
}

#define KEY_ARGUMENTS(runs)                                                               \
    key_argument(runs, (runs)->order.negative), key_argument(runs, (runs)->order.always), \
        key_argument(runs, (runs)->order.below)

/* Finds the cuts on device 0 and reads them on the host, which waits for all devices' sorts. */
static enum status find_cuts(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count;
    const struct argument_value arguments[] = {{ARGUMENT_BUFFER, {.buffer = &runs->table}},
                                               {ARGUMENT_BUFFER, {.buffer = &runs->ranks}},
                                               {ARGUMENT_BUFFER, {.buffer = &runs->cuts}},
                                               {ARGUMENT_INT, {.int_value = (int32_t)count}},
                                               KEY_ARGUMENTS(runs)};
    const struct launch launch = {.entry = "find_cuts",
                                  .rank = 1,
                                  .group = {SEARCHERS, 1, 1},
                                  .groups = {count - 1, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    int64_t found[GROUP_MAX * GROUP_MAX];
    enum status status = program_launch(runs->programs[0], &launch, error);
    if (status == STATUS_OK && count > 1)
        status = buffer_read(&runs->cuts, 0, found, (count - 1) * count * sizeof *found, error);
    for (size_t d = 1; status == STATUS_OK && d < count; d++)
        for (size_t i = 0; i < count; i++)
            runs->cut[d][i] = found[(d - 1) * count + i];
    return status;
}

/* Copies each device's part of each run into its scratch memory, one after another. */
static enum status exchange(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = carrier_begin(&runs->carrier, i, error);
    for (size_t step = 0; step < count; step++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++) {
            size_t to = (from + step) % count, before = 0;
            for (size_t i = 0; i < from; i++)
                before += (size_t)(runs->cut[to + 1][i] - runs->cut[to][i]);
            const struct peer_copy copy = {.source = &run->buffers[from][0],
                                           .target = &run->scratch[to],
                                           .source_offset = (size_t)runs->cut[to][from] * runs->element,
                                           .target_offset = before * runs->element,
                                           .width =
                                               (size_t)(runs->cut[to + 1][from] - runs->cut[to][from]) * runs->element,
                                           .rows = 1};
            status = carrier_copy(&runs->carrier, from, to, &copy, error);
        }
    return status == STATUS_OK ? carrier_join(&runs->carrier, error) : status;
}

/* A sorted run: its address and its number of keys. */
struct sorted_run {
    int64_t at;
    size_t keys;
};

/* Merges two runs into `to`, from key `begin` on. */
static enum status merge_two(struct device_run *run, size_t index, const struct sorted_run pair[2],
                             const struct buffer *to, size_t begin, struct error *error)
{
    struct runs *runs = run->state;
    size_t tiles = (pair[0].keys + pair[1].keys + TILE - 1) / TILE;
#define PAIR                                                                                             \
    {ARGUMENT_LONG, {.long_value = pair[0].at}}, {ARGUMENT_LONG, {.long_value = (int64_t)pair[0].keys}}, \
        {ARGUMENT_LONG, {.long_value = pair[1].at}},                                                     \
    {                                                                                                    \
        ARGUMENT_LONG,                                                                                   \
        {                                                                                                \
            .long_value = (int64_t)pair[1].keys                                                          \
        }                                                                                                \
    }
    const struct argument_value begins[] = {PAIR,
                                            {ARGUMENT_BUFFER, {.buffer = &runs->starts[index]}},
                                            {ARGUMENT_LONG, {.long_value = (int64_t)tiles}},
                                            KEY_ARGUMENTS(runs)};
    const struct argument_value merges[] = {PAIR,
                                            {ARGUMENT_BUFFER, {.buffer = to}},
                                            {ARGUMENT_LONG, {.long_value = (int64_t)begin}},
                                            {ARGUMENT_BUFFER, {.buffer = &runs->starts[index]}},
                                            KEY_ARGUMENTS(runs)};
#undef PAIR
    struct launch launch = {.entry = "find_starts",
                            .rank = 1,
                            .group = {GROUP, 1, 1},
                            .groups = {(tiles + 1 + GROUP - 1) / GROUP, 1, 1},
                            .arguments = begins,
                            .argument_count = COUNT_OF(begins)};
    if (tiles == 0)
        return STATUS_OK;
    enum status status = program_launch(runs->programs[index], &launch, error);
    launch.entry = "merge";
    launch.groups[0] = tiles;
    launch.arguments = merges;
    launch.argument_count = COUNT_OF(merges);
    return status == STATUS_OK ? program_launch(runs->programs[index], &launch, error) : status;
}

/* Merges pairs of neighbouring runs into `to`, which is at `address`: half as many runs remain. */
static enum status merge_round(struct device_run *run, size_t index, struct sorted_run *sorted, size_t *left,
                               const struct buffer *to, int64_t address, struct error *error)
{
    const struct runs *runs = run->state;
    size_t begin = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < *left; i += 2) {
        const struct sorted_run none = {0};
        const struct sorted_run pair[2] = {sorted[i], i + 1 < *left ? sorted[i + 1] : none};
        status = merge_two(run, index, pair, to, begin, error);
        sorted[i / 2] = (struct sorted_run){address + (int64_t)(begin * runs->element), pair[0].keys + pair[1].keys};
        begin += pair[0].keys + pair[1].keys;
    }
    *left = (*left + 1) / 2;
    return status;
}

/* Merges in rounds until one run remains, in the array. The rounds alternate between both halves of the scratch memory;
 * the first one writes half `side`. */
static enum status merge_all(struct device_run *run, size_t index, struct sorted_run *sorted, size_t left, size_t side,
                             struct error *error)
{
    struct runs *runs = run->state;
    size_t half = half_scratch(run->problem, index, run->group->count), bytes = run->buffers[index][0].bytes;
    struct buffer halves[2] = {{0}};
    enum status status = buffer_view(&run->scratch[index], 0, bytes, &halves[0], error);
    if (status == STATUS_OK)
        status = buffer_view(&run->scratch[index], half, bytes, &halves[1], error);
    for (; status == STATUS_OK && left > 1; side = 1 - side) {
        bool last = left == 2;
        status = merge_round(run, index, sorted, &left, last ? &run->buffers[index][0] : &halves[side],
                             last ? runs->keys_at[index] : runs->scratch_at[index] + (int64_t)(side * half), error);
    }
    buffer_release(&halves[0]);
    buffer_release(&halves[1]);
    return status;
}

/* Merges the received runs, which lie one after another in the first half of the scratch memory. */
static enum status merge_received(struct device_run *run, size_t index, struct error *error)
{
    const struct runs *runs = run->state;
    struct sorted_run sorted[GROUP_MAX];
    int64_t at = runs->scratch_at[index];
    for (size_t i = 0; i < run->group->count; i++) {
        sorted[i] = (struct sorted_run){at, (size_t)(runs->cut[index + 1][i] - runs->cut[index][i])};
        at += (int64_t)(sorted[i].keys * runs->element);
    }
    return merge_all(run, index, sorted, run->group->count, 1, error);
}

/* Merges without an exchange: the first round reads the runs in place, also in the peers' memory. Each device begins
 * with its own run, then that of the next device: so no two devices read one peer at a time. The arrays can be
 * overwritten once all devices have read them. */
static enum status merge_in_place(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    struct sorted_run sorted[GROUP_MAX][GROUP_MAX];
    size_t count = run->group->count, left = count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        for (size_t turn = 0; turn < count; turn++) {
            size_t r = (i + turn) % count;
            sorted[i][turn] = (struct sorted_run){runs->keys_at[r] + runs->cut[i][r] * (int64_t)runs->element,
                                                  (size_t)(runs->cut[i + 1][r] - runs->cut[i][r])};
        }
        left = count;
        status = merge_round(run, i, sorted[i], &left, &run->scratch[i], runs->scratch_at[i], error);
    }
    if (status == STATUS_OK)
        status = group_barrier(run->group, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = left > 1 ? merge_all(run, i, sorted[i], left, 1, error)
                          : buffer_copy(&run->buffers[i][0], 0, &run->scratch[i], 0, run->buffers[i][0].bytes, error);
    return status;
}

static enum status sort_again(struct device_run *run, size_t index, struct error *error)
{
    struct runs *runs = run->state;
    enum status status =
        buffer_copy(&run->buffers[index][0], 0, &run->scratch[index], 0, run->buffers[index][0].bytes, error);
    return status == STATUS_OK ? local_run_enqueue(&runs->sorts[index], error) : status;
}

enum status runs_enqueue(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = local_run_enqueue(&runs->sorts[i], error);
    if (status == STATUS_OK)
        status = group_barrier(run->group, error);
    if (status == STATUS_OK)
        status = find_cuts(run, error);
    if (status == STATUS_OK && runs->joined == RUNS_MERGED_IN_PLACE)
        return merge_in_place(run, error);
    if (status == STATUS_OK)
        status = exchange(run, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = runs->joined == RUNS_MERGED && count > 1 ? merge_received(run, i, error) : sort_again(run, i, error);
    return status;
}
