/* Nothing is copied and nothing is waited for: the first pass over a slab reads the neighbours' planes where they lie,
 * in the memory of the peers. Inputs stay as they are during a run. Passes of two steps (the rungs temporal and
 * temporal-async, compiled with SLABS) need four more planes at each end for every pass that follows: a device computes
 * these, too, into fields of its own that are longer by so much. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "distributed/local_run.h"
#include "distributed/wave/wave.h"
#include "kernels/rung_header.h"
#include "kernels/wave/wave.h"

#define PASS_REACH ((size_t)2 * WAVE_REACH)
#define PAIR_MOST 2
/* Measured on two H200: a pass over 520 planes in 4 layers, 2056 in 16 is as long as without peers. */
#define TRIM_PERCENT 250

/* The arguments of the kernel: temporal.cl. */
enum { BEFORE, HERE, FIRST, SECOND, FIELDS };
enum {
    WANTED = 2 * FIELDS,
    NX,
    NY,
    NZ,
    WEIGHTS,
    Z_FIRST = WEIGHTS + 3,
    Z_END,
    DEPTH,
    TRIM,
    BEFORE_LOW,
    BEFORE_HIGH,
    HERE_LOW,
    HERE_HIGH,
    ARGUMENTS
};

/* One device's slab. */
struct slab {
    struct local_run longer; /* of the longest field: its scratch memory and its launch are used, it is not run */
    struct program *program; /* its rung's with SLABS */
    size_t planes;
    size_t strips, layers;        /* of groups: in a layer of the launch, and along z */
    int64_t away[WAVE_RESULT][2]; /* planes below and above in elements of the array: [array][0: below] */
};

struct slabs {
    struct slab_shape shape;
    struct slab slabs[GROUP_MAX];
};

static void finish(struct device_run *run)
{
    struct slabs *slabs = run->state;
    for (size_t i = 0; slabs && i < GROUP_MAX; i++) {
        program_discard(slabs->slabs[i].program);
        local_run_finish(&slabs->slabs[i].longer);
    }
    free(slabs);
    run->state = NULL;
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

/* The rung that serves the problem if it is one of the two, otherwise the first of them that can. */
static enum status choose(const struct problem *problem, struct device *device, struct rung_choice *choice,
                          struct error *error)
{
    static const char *const names[] = {"temporal-async", "temporal"};
    char reason[256];
    const char *why = "";
    enum status status = choose_rung(problem, device, NULL, choice, error);
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(names); i++)
        if (strcmp(choice->rung->name, names[i]) == 0)
            return STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(names); i++) {
        choice->rung = rung_by_name(problem->kernel, names[i], error);
        status = choice->rung ? rung_defaults(choice->rung, problem, &choice->parameters, error) : STATUS_FAILED;
        if (status != STATUS_OK)
            return status;
        why = rung_refuses(choice->rung, problem, device, &choice->parameters, reason, sizeof reason);
        if (!why)
            return STATUS_OK;
    }
    return status == STATUS_OK ? fail(error, STATUS_UNAVAILABLE, "%s: %s", names[1], why) : status;
}

/* Compiles the rung's file with SLABS. */
static enum status build(struct slab *slab, struct error *error)
{
    const struct run *local = &slab->longer.prepared.run;
    const struct device_source *source = local->rung->source;
    char **defines = NULL;
    size_t count = 0;
    enum status status = device_rung_defines(local->rung, local->problem, &local->parameters, &defines, &count, error);
    const char **all = status == STATUS_OK ? calloc(count + 1, sizeof *all) : NULL;
    if (status == STATUS_OK && !all)
        status = fail(error, STATUS_UNAVAILABLE, "no memory");
    if (status == STATUS_OK) {
        memcpy(all, defines, count * sizeof *all);
        all[count] = "SLABS=1";
        const struct source_text text = device_source_for(source, local->device);
        const struct program_source program = {text.path, text.text, text.language, all, count + 1};
        status = program_build(local->device, &program, &slab->program, error);
    }
    free(all);
    device_rung_defines_free(defines, count);
    return status;
}

/* How far the neighbours' planes are from where they would be in the device's own array. */
static enum status find_neighbours(struct device_run *run, size_t index, struct error *error)
{
    struct slabs *slabs = run->state;
    struct slab *slab = &slabs->slabs[index];
    size_t count = run->group->count, below = (index + count - 1) % count, above = (index + 1) % count;
    size_t plane = slabs->shape.plane, element = element_info(run->problem->type)->bytes;
    size_t planes_below = run->buffers[below][0].bytes / plane;
    enum status status = STATUS_OK;
    for (size_t f = WAVE_PREVIOUS; status == STATUS_OK && f <= WAVE_CURRENT; f++) {
        int64_t own = 0, low = 0, high = 0;
        status = group_address(run->group, index, &run->buffers[index][f], &own, error);
        if (status == STATUS_OK)
            status = group_address(run->group, below, &run->buffers[below][f], &low, error);
        if (status == STATUS_OK)
            status = group_address(run->group, above, &run->buffers[above][f], &high, error);
        slab->away[f][0] = (low + (int64_t)(planes_below * plane) - own) / (int64_t)element;
        slab->away[f][1] = (high - (int64_t)(slab->planes * plane) - own) / (int64_t)element;
    }
    return status;
}

static enum status make_slab(struct device_run *run, size_t index, struct error *error)
{
    struct slabs *slabs = run->state;
    struct slab *slab = &slabs->slabs[index];
    struct problem longer = *run->problem;
    struct rung_choice choice;
    slab->planes = run->buffers[index][0].bytes / slabs->shape.plane;
    size_t planes = slab->planes + 2 * (slabs->shape.reach - PASS_REACH);
    problem_set_size(&longer, "nz", (int64_t)planes);
    enum status status = choose(&longer, run->group->devices[index], &choice, error);
    if (status == STATUS_OK)
        status = local_run_make_chosen(&slab->longer, &longer, run->group->devices[index], run->buffers[index], &choice,
                                       error);
    if (status != STATUS_OK)
        return status;
    snprintf(run->detail, sizeof run->detail, "%s", choice.rung->name);
    size_t usual = (size_t)run_parameter(&slab->longer.prepared.run, "DEPTH"), layers = (planes + usual / 2) / usual;
    const struct launch *launch = device_rung_ready(&slab->longer.prepared.run);
    slab->strips = launch->groups[1] / ((planes + usual - 1) / usual);
    slab->layers = layers > 0 ? layers : 1;
    status = build(slab, error);
    return status == STATUS_OK ? find_neighbours(run, index, error) : status;
}

static enum status prepare(struct device_run *run, struct error *error)
{
    struct slabs *slabs = run->state = calloc(1, sizeof *slabs);
    if (!slabs)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    slabs->shape = slab_shape_of(run->problem);
    if (slabs->shape.reach < PASS_REACH || slabs->shape.reach % PASS_REACH != 0)
        return fail(error, STATUS_UNAVAILABLE, "the steps come in pairs and their number is odd, or 0");
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = make_slab(run, i, error);
    return status;
}

/* ---- running -------------------------------------------------------------------------------------------------- */

static void set_field(struct argument_value *arguments, size_t field, const struct buffer *buffer, size_t offset)
{
    arguments[2 * field] = (struct argument_value){ARGUMENT_BUFFER, {.buffer = buffer}};
    arguments[2 * field + 1] = (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)offset}};
}

static struct argument_value number(int64_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = value}};
}

static struct argument_value integer(int64_t value)
{
    return (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)value}};
}

/* Shares the planes of a pass out to layers of groups, evenly in time. The first and the last layer read `away` planes
 * each from a peer's memory and wait for them, as long as TRIM_PERCENT of so many planes take: they get fewer. */
static void share_planes(const struct slab *slab, size_t planes, size_t away, struct argument_value *arguments)
{
    size_t trim = away * TRIM_PERCENT / 100, even = planes / slab->layers;
    trim = slab->layers < 3 ? 0 : size_least(trim, even / 4);
    arguments[DEPTH] = integer((int64_t)((planes + 2 * trim + slab->layers - 1) / slab->layers));
    arguments[TRIM] = integer((int64_t)trim);
}

/* Enqueues one pass: from the arrays, or from the pair of fields that the pass before has left in scratch memory. */
static enum status run_pass(struct device_run *run, size_t index, size_t pass, struct error *error)
{
    struct slabs *slabs = run->state;
    struct slab *slab = &slabs->slabs[index];
    const struct buffer *arrays = run->buffers[index], *scratch = &slab->longer.scratch;
    size_t passes = slabs->shape.reach / PASS_REACH, after = passes - 1 - pass;
    size_t points = slabs->shape.plane / element_info(run->problem->type)->bytes; /* of a plane */
    size_t margin = (passes - 1) * PASS_REACH, field = (slab->planes + 2 * margin) * points;
    struct launch launch = *device_rung_ready(&slab->longer.prepared.run);
    struct argument_value arguments[ARGUMENTS];
    memcpy(arguments, launch.arguments, Z_FIRST * sizeof arguments[0]);
    for (size_t f = BEFORE; f <= HERE; f++) {
        size_t from = (pass + 1) % PAIR_MOST * 2 * field + f * field + margin * points;
        set_field(arguments, f, pass == 0 ? &arrays[f] : scratch, pass == 0 ? 0 : from);
        for (size_t side = 0; side < 2; side++)
            arguments[BEFORE_LOW + 2 * f + side] = number(pass == 0 ? slab->away[f][side] : 0);
    }
    for (size_t f = FIRST; f <= SECOND; f++) {
        size_t to = pass % PAIR_MOST * 2 * field + (f - FIRST) * field + margin * points;
        set_field(arguments, f, after == 0 ? &arrays[WAVE_RESULT] : scratch, after == 0 ? 0 : to);
    }
    int64_t low = -(int64_t)(after * PASS_REACH), end = (int64_t)(slab->planes + after * PASS_REACH);
    arguments[WANTED].int_value = after > 0;
    arguments[NZ].int_value = (int32_t)slab->planes;
    arguments[Z_FIRST] = integer(low);
    arguments[Z_END] = integer(end);
    share_planes(slab, (size_t)(end - low), pass == 0 ? after * PASS_REACH + WAVE_REACH * 2 : 0, arguments);
    launch.groups[1] = slab->strips * slab->layers;
    launch.arguments = arguments;
    launch.argument_count = ARGUMENTS;
    return program_launch(slab->program, &launch, error);
}

/* The first pass begins on all devices before the second is enqueued. */
static enum status enqueue(struct device_run *run, struct error *error)
{
    const struct slabs *slabs = run->state;
    enum status status = STATUS_OK;
    for (size_t pass = 0; pass < slabs->shape.reach / PASS_REACH; pass++)
        for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
            status = run_pass(run, i, pass, error);
    return status;
}

const struct device_rung wave_peer_loads = {
    .name = "peer-loads",
    .idea =
        N_("the first pass of two steps reads the neighbours' planes where they lie, in a peer's memory; no copies"),
    .needs = NEEDS_PEERS,
    .overlaps = true,
    .prepare = prepare,
    .enqueue = enqueue,
    .finish = finish,
};
