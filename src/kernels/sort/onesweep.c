/* The launches: clear the counts, count all digits, then one sweep per digit, to and fro between the array and scratch
 * memory. Every width has an even number of digits, so that the last sweep writes the array. Elements that lie
 * elsewhere (run.origin) are read there by the counting and by the first sweep. */
#include "kernels/sort/device_sort.h"

#define DIGITS 256
/* Enough blocks to fill every multiprocessor with threads, and few enough that adding up their counts is cheap. */
#define COUNTING_BLOCKS_PER_UNIT 4
#define COUNTED_PER_THREAD 16

/* Scratch memory: the keys, then the program's struct Control, then a word for each digit of each tile of each pass. */
struct chunk_layout {
    size_t passes, tiles;
    size_t control_at, control_bytes;
    size_t bytes;
};

static struct chunk_layout layout_of(const struct problem *problem, size_t tile)
{
    size_t count = (size_t)problem_size(problem, "n");
    struct chunk_layout layout = {.passes = element_info(problem->type)->bytes};
    layout.tiles = (count + tile - 1) / tile;
    layout.control_at = (count * layout.passes + 255) / 256 * 256;
    layout.control_bytes = (layout.passes * DIGITS + layout.passes + 1) * sizeof(uint32_t);
    layout.control_bytes = (layout.control_bytes + 15) / 16 * 16;
    layout.bytes = layout.control_at + layout.control_bytes + layout.passes * layout.tiles * DIGITS * sizeof(uint32_t);
    return layout;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    return layout_of(problem, (size_t)(parameters->values[0] * parameters->values[1])).bytes; /* THREADS * ITEMS */
}

/* Where the unsorted elements are. */
static const struct buffer *unsorted(const struct run *run)
{
    return run->origin ? run->origin : &run->buffers[0];
}

static enum status count_digits(struct run *run, const struct chunk_layout *layout, struct error *error)
{
    struct argument_value arguments[] = {
        argument_buffer(unsorted(run)),     argument_buffer(run->scratch),    {0}, {0}, {0},
        argument_long(run->arrays[0].cols), argument_long(layout->control_at)};
    size_t threads = (size_t)run_parameter(run, "THREADS");
    size_t blocks = (run->arrays[0].cols + threads * COUNTED_PER_THREAD - 1) / (threads * COUNTED_PER_THREAD);
    size_t most = (size_t)run->device->properties.units * COUNTING_BLOCKS_PER_UNIT;
    order_arguments(run, arguments + 2);
    enum status status = buffer_fill(run->scratch, layout->control_at, 0, layout->control_bytes, error);
    if (status != STATUS_OK)
        return status;
    return sort_launch(run, "histograms", (blocks < most ? blocks : most) * threads, arguments, COUNT_OF(arguments),
                       error);
}

static enum status sweep(struct run *run, const struct chunk_layout *layout, size_t pass, struct error *error)
{
    const struct buffer *places[] = {&run->buffers[0], run->scratch};
    const char *entry = pass == 0 ? "sweep_first" : pass + 1 == layout->passes ? "sweep_last" : "sweep_middle";
    struct argument_value arguments[] = {argument_buffer(pass == 0 ? unsorted(run) : places[pass % 2]),
                                         argument_buffer(places[1 - pass % 2]),
                                         argument_buffer(run->scratch),
                                         {0},
                                         {0},
                                         {0},
                                         argument_long(run->arrays[0].cols),
                                         argument_long(layout->control_at),
                                         {.kind = ARGUMENT_INT, .int_value = (int32_t)pass}};
    order_arguments(run, arguments + 3);
    return sort_launch(run, entry, layout->tiles * (size_t)run_parameter(run, "THREADS"), arguments,
                       COUNT_OF(arguments), error);
}

static enum status enqueue(struct run *run, struct error *error)
{
    size_t tile = (size_t)(run_parameter(run, "THREADS") * run_parameter(run, "ITEMS"));
    struct chunk_layout layout = layout_of(run->problem, tile);
    if (run->arrays[0].cols < 2)
        return STATUS_OK;
    enum status status = count_digits(run, &layout, error);
    for (size_t pass = 0; pass < layout.passes && status == STATUS_OK; pass++)
        status = sweep(run, &layout, pass, error);
    return status;
}

const struct rung sort_onesweep = {.takes_origin = true, .scratch = scratch, .enqueue = enqueue};
