/* The launches: clear the counts, count all digits, then one sweep per digit, to and fro between the array and scratch
 * memory. Sweeps of a digit that all keys share end at once. In the array itself an even number of them takes part, so
 * that the last one writes the array; every width has an even number of digits. Elements that lie elsewhere
 * (run.origin) are read there by the counting and by the first sweep. Keys with values, or with the places of elements
 * whose order alone is wanted, go to and fro within scratch memory: the first sweep reads, the last one writes the
 * caller's arrays. With LEADING sweeps of the lowest digits may end at once, too; then runs of keys that the others do
 * not tell apart are sorted. The sweeps behind that end at once unless a run is too long. */
#include <stdio.h>

#include "kernels/sort/device_sort.h"

#define DIGITS 256
/* Enough blocks to fill every multiprocessor with threads, and few enough that adding up their counts is cheap. */
#define COUNTING_BLOCKS_PER_UNIT 4
#define COUNTED_PER_THREAD 16
#define LOOKED_AT_PER_THREAD 4 /* EACH of leading_digits.cuh */

/* Scratch memory: the keys, or twice keys and values; then the program's struct Control, then a word for each digit of
 * each tile of each pass, and one for each tile. */
struct chunk_layout {
    size_t passes, tiles;
    size_t second_at;
    size_t control_at, control_bytes;
    size_t bytes;
};

static size_t round_up(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Of a value, or of an element's place, that moves with its key. */
static size_t moved_bytes(const struct problem *problem)
{
    return sort_is_argsort(problem) ? sizeof(uint32_t) : sort_value_bytes(problem);
}

static struct chunk_layout layout_of(const struct problem *problem, size_t tile)
{
    const size_t count = (size_t)problem_size(problem, "n"), moved = moved_bytes(problem);
    struct chunk_layout layout = {.passes = element_info(problem->type)->bytes};
    layout.tiles = (count + tile - 1) / tile;
    layout.second_at = round_up((count + 1) * (layout.passes + moved));
    layout.control_at = moved ? 2 * layout.second_at : layout.second_at;
    layout.control_bytes = (layout.passes * (DIGITS + 2) + 6) * sizeof(uint32_t);
    layout.control_bytes = (layout.control_bytes + 15) / 16 * 16;
    layout.bytes = layout.control_at + layout.control_bytes +
                   (layout.passes * layout.tiles * DIGITS + round_up(layout.tiles)) * sizeof(uint32_t);
    return layout;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    return layout_of(problem, (size_t)(parameters->values[0] * parameters->values[1])).bytes; /* THREADS * ITEMS */
}

static enum status count_digits(struct run *run, const struct chunk_layout *layout, struct error *error)
{
    const bool is_in_place = !run->origin && !sort_is_argsort(run->problem);
    struct argument_value arguments[] = {argument_buffer(sort_source(run)),
                                         argument_buffer(run->scratch),
                                         {0},
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(run->arrays[0].cols),
                                         argument_long(layout->control_at),
                                         argument_int(is_in_place)};
    size_t threads = (size_t)run_parameter(run, "THREADS");
    size_t blocks = (run->arrays[0].cols + threads * COUNTED_PER_THREAD - 1) / (threads * COUNTED_PER_THREAD);
    size_t most = (size_t)run->device->properties.units * COUNTING_BLOCKS_PER_UNIT;
    order_arguments(run, arguments + 2);
    arguments[2 + ORDER_ARGUMENTS] = order_most(run);
    enum status status = buffer_fill(run->scratch, layout->control_at, 0, layout->control_bytes, error);
    if (status != STATUS_OK)
        return status;
    return sort_launch(run, "histograms", false, (blocks < most ? blocks : most) * threads, arguments,
                       COUNT_OF(arguments), error);
}

static enum status sweep(struct run *run, const struct chunk_layout *layout, size_t pass, bool again,
                         struct error *error)
{
    const bool is_in_place = again && !sort_is_argsort(run->problem);
    struct argument_value arguments[] = {argument_buffer(is_in_place ? &run->buffers[0] : sort_source(run)),
                                         argument_buffer(&run->buffers[0]),
                                         argument_buffer(run->scratch),
                                         {0},
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(run->arrays[0].cols),
                                         argument_long(layout->control_at),
                                         argument_int(pass),
                                         argument_long(layout->second_at),
                                         argument_buffer(&run->buffers[run->array_count - 1]),
                                         argument_int(again)};
    order_arguments(run, arguments + 3);
    arguments[3 + ORDER_ARGUMENTS] = order_most(run);
    return sort_launch(run, "sweep", true, layout->tiles * (size_t)run_parameter(run, "THREADS"), arguments,
                       COUNT_OF(arguments), error);
}

/* A launch in the sorted array. */
static enum status launch_behind(struct run *run, const char *entry, size_t items, const struct chunk_layout *layout,
                                 struct error *error)
{
    struct argument_value arguments[] = {argument_buffer(&run->buffers[0]),
                                         argument_buffer(run->scratch),
                                         {0},
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(run->arrays[0].cols),
                                         argument_long(layout->control_at),
                                         argument_long(layout->second_at),
                                         argument_buffer(&run->buffers[run->array_count - 1])};
    struct launch launch = *device_rung_ready(run);
    order_arguments(run, arguments + 2);
    arguments[2 + ORDER_ARGUMENTS] = order_most(run);
    launch.entry = entry;
    launch.follows = true;
    launch.local_bytes = 0; /* no tile */
    launch.groups[0] = (items + launch.group[0] - 1) / launch.group[0];
    launch.arguments = arguments;
    launch.argument_count = COUNT_OF(arguments);
    return program_launch(device_rung_program(run), &launch, error);
}

/* Fewer than two elements are in order, and distinct; the one's index is 0. */
static enum status enqueue_few(struct run *run, struct error *error)
{
    enum status status = STATUS_OK;
    if (sort_is_argsort(run->problem) || sort_is_unique(run->problem))
        status = buffer_fill(&run->buffers[1], 0, 0, run->buffers[1].bytes, error);
    if (status == STATUS_OK && sort_is_unique(run->problem) && run->arrays[0].cols > 0)
        status = buffer_fill(&run->buffers[1], 0, 1, 1, error);
    return status == STATUS_OK && !sort_is_argsort(run->problem) ? sort_nothing(run, error) : status;
}

/* Of keys that the leading digits do not tell apart. */
static enum status sort_runs(struct run *run, const struct chunk_layout *layout, struct error *error)
{
    const size_t items = (run->arrays[0].cols + LOOKED_AT_PER_THREAD - 1) / LOOKED_AT_PER_THREAD;
    enum status status = launch_behind(run, "sort_runs", items, layout, error);
    for (size_t pass = 0; pass < layout->passes && status == STATUS_OK; pass++)
        status = sweep(run, layout, pass, true, error);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    size_t tile = (size_t)(run_parameter(run, "THREADS") * run_parameter(run, "ITEMS"));
    struct chunk_layout layout = layout_of(run->problem, tile);
    if (run->arrays[0].cols < 2)
        return enqueue_few(run, error);
    enum status status = count_digits(run, &layout, error);
    for (size_t pass = 0; pass < layout.passes && status == STATUS_OK; pass++)
        status = sweep(run, &layout, pass, false, error);
    if (run_parameter(run, "LEADING") && status == STATUS_OK)
        status = sort_runs(run, &layout, error);
    return status == STATUS_OK && sort_is_unique(run->problem)
               ? launch_behind(run, "distinct", layout.tiles * (size_t)run_parameter(run, "THREADS"), &layout, error)
               : status;
}

const struct rung sort_onesweep = {.takes_origin = true, .scratch = scratch, .load = digits_load, .enqueue = enqueue};
