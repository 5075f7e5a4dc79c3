/* Three launches for each 4 bits, to and fro between the array and scratch memory. Every width has an even number of
 * digits, so that the last pass writes the array. */
#include "kernels/sort/device_sort.h"

#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)

struct chunk_layout {
    size_t passes, groups;
    size_t counts_at, bytes; /* in scratch memory: the keys, then a count for each digit of each group */
};

static struct chunk_layout layout_of(const struct problem *problem, const struct parameters *parameters)
{
    size_t count = (size_t)problem_size(problem, "n"), bytes = element_info(problem->type)->bytes;
    size_t tile = (size_t)(parameters->values[0] * parameters->values[1]); /* GROUP * ITEMS */
    struct chunk_layout layout = {.passes = 8 * bytes / DIGIT_BITS, .groups = (count + tile - 1) / tile};
    layout.counts_at = (count * bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
    layout.bytes = layout.counts_at + layout.groups * DIGITS * sizeof(uint32_t);
    return layout;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device;
    return layout_of(problem, parameters).bytes;
}

/* The buffers of a pass. */
struct pass {
    const struct buffer *source, *target, *counts;
    struct argument_value shift, from_bits, to_bits;
};

static enum status do_pass(struct run *run, const struct chunk_layout *layout, const struct pass *pass,
                           struct error *error)
{
    size_t count = run->arrays[0].cols, items = layout->groups * (size_t)run_parameter(run, "GROUP");
    struct argument_value counting[] = {argument_buffer(pass->source),
                                        argument_buffer(pass->counts),
                                        {0},
                                        {0},
                                        {0},
                                        argument_long(count),
                                        pass->shift,
                                        pass->from_bits};
    struct argument_value summing[] = {argument_buffer(pass->counts), argument_long(layout->groups * DIGITS)};
    struct argument_value moving[] = {argument_buffer(pass->source),
                                      argument_buffer(pass->target),
                                      argument_buffer(pass->counts),
                                      {0},
                                      {0},
                                      {0},
                                      argument_long(count),
                                      pass->shift,
                                      pass->from_bits,
                                      pass->to_bits};
    order_arguments(run, counting + 2);
    order_arguments(run, moving + 3);
    enum status status = sort_launch(run, "count_digits", false, items, counting, COUNT_OF(counting), error);
    if (status == STATUS_OK)
        status = sort_launch(run, "sum_up", false, 1, summing, COUNT_OF(summing), error);
    if (status == STATUS_OK)
        status = sort_launch(run, "move", false, items, moving, COUNT_OF(moving), error);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct chunk_layout layout = layout_of(run->problem, &run->parameters);
    struct buffer counts;
    if (run->arrays[0].cols < 2)
        return STATUS_OK;
    enum status status = buffer_view(run->scratch, layout.counts_at, layout.bytes - layout.counts_at, &counts, error);
    if (status != STATUS_OK)
        return status;
    const struct buffer *places[] = {&run->buffers[0], run->scratch};
    for (size_t i = 0; i < layout.passes && status == STATUS_OK; i++) {
        struct pass pass = {.source = places[i % 2],
                            .target = places[1 - i % 2],
                            .counts = &counts,
                            .shift = argument_int(i * DIGIT_BITS),
                            .from_bits = argument_int(i == 0),
                            .to_bits = argument_int(i + 1 == layout.passes)};
        status = do_pass(run, &layout, &pass, error);
    }
    buffer_release(&counts);
    return status;
}

const struct rung sort_radix_local = {.scratch = scratch, .load = digits_load, .enqueue = enqueue};
