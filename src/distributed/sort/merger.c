#include "distributed/sort/merger.h"

#include "base/embedded.h"
#include "base/size.h"

#define GROUP 256
#define ITEMS 19
#define TILE ((size_t)GROUP * ITEMS)

enum status merger_make(struct merger *merger, struct device *device, enum element_type type, size_t most,
                        struct error *error)
{
    *merger = (struct merger){.element = element_info(type)->bytes, .order = key_order(type)};
    const bool is_wide = merger->element == 8;
    const char *const defines[] = {is_wide ? "ELEMENT_BYTES=8" : "ELEMENT_BYTES=4",
                                   is_wide ? "ELEMENT=ulong" : "ELEMENT=uint", "TILE=4864", "GROUP=256", "ITEMS=19"};
    const struct embedded_file *file = embedded_find("distributed/sort/runs.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = program_build(device, &source, &merger->program, error);
    return status == STATUS_OK ? buffer_allocate(device, (most / TILE + 2) * sizeof(int64_t), &merger->starts, error)
                               : status;
}

void merger_free(struct merger *merger)
{
    program_discard(merger->program);
    buffer_release(&merger->starts);
    *merger = (struct merger){0};
}

void merger_order_arguments(const struct merger *merger, struct argument_value *arguments)
{
    const uint64_t values[MERGER_ORDER_ARGUMENTS] = {merger->order.negative, merger->order.always, merger->order.below};
    for (int i = 0; i < MERGER_ORDER_ARGUMENTS; i++)
        arguments[i] = merger->element == 8
                           ? (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)values[i]}}
                           : (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)(uint32_t)values[i]}};
}

static struct argument_value number(int64_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = value}};
}

/* Merges two runs into the memory at `to`. */
static enum status merge_two(const struct merger *merger, const struct sorted_run pair[2], int64_t to,
                             struct error *error)
{
    const size_t tiles = (pair[0].keys + pair[1].keys + TILE - 1) / TILE;
    const struct argument_value starts = {ARGUMENT_BUFFER, {.buffer = &merger->starts}};
    struct argument_value begins[6 + MERGER_ORDER_ARGUMENTS], merges[6 + MERGER_ORDER_ARGUMENTS];
    const struct argument_value runs[] = {number(pair[0].at), number((int64_t)pair[0].keys), number(pair[1].at),
                                          number((int64_t)pair[1].keys)};
    for (size_t i = 0; i < COUNT_OF(runs); i++)
        begins[i] = merges[i] = runs[i];
    begins[4] = starts, begins[5] = number((int64_t)tiles);
    merges[4] = number(to), merges[5] = starts;
    merger_order_arguments(merger, &begins[6]);
    merger_order_arguments(merger, &merges[6]);
    struct launch launch = {.entry = "find_starts",
                            .rank = 1,
                            .group = {GROUP, 1, 1},
                            .groups = {(tiles + 1 + GROUP - 1) / GROUP, 1, 1},
                            .arguments = begins,
                            .argument_count = COUNT_OF(begins)};
    if (tiles == 0)
        return STATUS_OK;
    enum status status = program_launch(merger->program, &launch, error);
    launch.entry = "merge";
    launch.groups[0] = tiles;
    launch.arguments = merges;
    return status == STATUS_OK ? program_launch(merger->program, &launch, error) : status;
}

/* Merges pairs of neighbouring runs into the memory at `to`. */
static enum status merge_round(const struct merger *merger, struct sorted_run *runs, size_t count, int64_t to,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i += 2) {
        const struct sorted_run none = {0}, pair[2] = {runs[i], i + 1 < count ? runs[i + 1] : none};
        status = merge_two(merger, pair, to, error);
        runs[i / 2] = (struct sorted_run){to, pair[0].keys + pair[1].keys};
        to += (int64_t)(runs[i / 2].keys * merger->element);
    }
    return status;
}

enum status merger_merge(const struct merger *merger, struct sorted_run *runs, size_t count, const int64_t rooms[2],
                         int64_t result, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t round = 0; status == STATUS_OK && (round == 0 || count > 1); round++, count = (count + 1) / 2)
        status = merge_round(merger, runs, count, count <= 2 ? result : rooms[round % 2], error);
    return status;
}
