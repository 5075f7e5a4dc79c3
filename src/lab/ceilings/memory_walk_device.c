#include "lab/ceilings/memory_walk_device.h"

#include <stdio.h>

#include "base/embedded.h"
#include "base/message.h"
#include "base/size.h"

#define WORD_BYTES 16
#define TRIAL_NS 200e3 /* a queue this full hides the first launch's way to the device */
#define TRIAL_RUNS_MOST 64

/* Accesses under way in an item, and items of a group. Measured on an H200: one array of 28 GiB read 4705 GB/s with 8,
 * 4714 with 16; in groups of 128 4717 with 16; two of 4 GiB read and one written 4383 with 1 of each, 4346 with 2, 4306
 * with 4, 4277 with 8: large arrays want few, and what fits a cache wants more. Groups that stay and walk on with a
 * stride are slower everywhere (4100 … 4560). */
struct shape {
    int unroll;
    uint32_t items;
};

static const struct shape shapes_writing[] = {{1, 256}, {4, 256}, {2, 512}, {8, 128}, {1, 1024}};
static const struct shape shapes_reading[] = {{16, 128}, {8, 256}, {4, 512}, {4, 256}, {2, 1024}};
/* Of a processor: words that its one item walks. */
static const struct shape shapes_alone[] = {{1024, 1}, {16384, 1}, {128, 1}};

static enum status build(struct walk *walk, const struct shape *shape, struct walk_variant *variant,
                         struct error *error)
{
    char reads[32], writes[32], each[32];
    const bool alone = walk->device->properties.is_cpu;
    const int unroll = !alone && !walk->writes && walk->reads > 1 ? shape->unroll / 2 : shape->unroll;
    snprintf(reads, sizeof reads, "READS=%d", walk->reads);
    snprintf(writes, sizeof writes, "WRITES=%d", walk->writes);
    snprintf(each, sizeof each, "%s=%d", alone ? "STRETCH" : "UNROLL", unroll);
    const char *const defines[] = {reads, writes, each};
    const struct embedded_file *file = embedded_find("lab/ceilings/streams.cl");
    struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    const size_t bytes = walk->reads ? walk->sources[0].bytes : walk->targets[0].bytes;
    const size_t words = bytes / WORD_BYTES, per_group = (size_t)shape->items * (size_t)unroll;
    variant->launch = (struct launch){
        .entry = "streams",
        .rank = 1,
        .group = {shape->items, 1, 1},
        .groups = {(words + per_group - 1) / per_group, 1, 1},
        .arguments = walk->arguments,
        .argument_count = COUNT_OF(walk->arguments),
    };
    if (alone)
        explain(variant->name, sizeof variant->name, "a kernel, %d words each item", unroll);
    else
        explain(variant->name, sizeof variant->name, "a kernel, %d accesses in each of %u items", unroll, shape->items);
    enum status status = launch_check(walk->device, &variant->launch, error);
    return status == STATUS_OK ? program_build(walk->device, &source, &variant->program, error) : status;
}

static void fill_arguments(struct walk *walk)
{
    struct argument_value *arguments = walk->arguments;
    const size_t bytes = walk->reads ? walk->sources[0].bytes : walk->targets[0].bytes;
    for (int i = 0; i < WALK_READS_MAX; i++)
        arguments[i] =
            (struct argument_value){ARGUMENT_BUFFER, {.buffer = i < walk->reads ? &walk->sources[i] : &walk->unused}};
    for (int i = 0; i < WALK_WRITES_MAX; i++)
        arguments[WALK_READS_MAX + i] =
            (struct argument_value){ARGUMENT_BUFFER, {.buffer = i < walk->writes ? &walk->targets[i] : &walk->unused}};
    arguments[WALK_READS_MAX + WALK_WRITES_MAX] =
        (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)(bytes / WORD_BYTES)}};
}

enum status walk_build_variants(struct walk *walk, struct error *error)
{
    const bool alone = walk->device->properties.is_cpu;
    const struct shape *shapes = alone ? shapes_alone : walk->writes ? shapes_writing : shapes_reading;
    const size_t count = alone ? COUNT_OF(shapes_alone) : COUNT_OF(shapes_writing);
    enum status status = STATUS_UNAVAILABLE;
    fill_arguments(walk);
    if (walk->reads == 1 && walk->writes == 1) {
        struct walk_variant *own = &walk->variants[walk->variant_count++];
        explain(own->name, sizeof own->name, "the device's own copy");
    }
    for (size_t i = 0; i < count && walk->variant_count < WALK_VARIANTS_MAX; i++) {
        status = build(walk, &shapes[i], &walk->variants[walk->variant_count], error);
        walk->variant_count += status == STATUS_OK;
    }
    return walk->variant_count ? STATUS_OK : status;
}

void walk_discard_variants(struct walk *walk)
{
    for (size_t i = 0; i < walk->variant_count; i++)
        program_discard(walk->variants[i].program);
}

enum status walk_enqueue_variant(struct walk *walk, size_t variant, struct error *error)
{
    const struct walk_variant *chosen = &walk->variants[variant];
    if (chosen->program)
        return program_launch(chosen->program, &chosen->launch, error);
    return buffer_copy(&walk->targets[0], 0, &walk->sources[0], 0, walk->sources[0].bytes, error);
}

/* So many runs between two marks. */
static double time_runs(struct walk *walk, size_t variant, int runs, struct event *from, struct event *to)
{
    struct error why;
    double nanoseconds;
    enum status status = event_record(from, &why);
    for (int i = 0; status == STATUS_OK && i < runs; i++)
        status = walk_enqueue_variant(walk, variant, &why);
    if (status == STATUS_OK)
        status = event_record(to, &why);
    if (status == STATUS_OK)
        status = event_elapsed(from, to, &nanoseconds, &why);
    return status == STATUS_OK ? nanoseconds / runs : -1;
}

double walk_time_variant(struct walk *walk, size_t variant)
{
    struct event *from = NULL, *to = NULL;
    struct error why;
    double nanoseconds = -1;
    if (event_create(walk->device, &from, &why) == STATUS_OK && event_create(walk->device, &to, &why) == STATUS_OK) {
        nanoseconds = time_runs(walk, variant, 1, from, to);
        double runs = nanoseconds > 0 ? TRIAL_NS / nanoseconds : 1;
        if (runs > 1)
            nanoseconds = time_runs(walk, variant, runs < TRIAL_RUNS_MOST ? (int)runs + 1 : TRIAL_RUNS_MOST, from, to);
    }
    event_destroy(from);
    event_destroy(to);
    return nanoseconds;
}
