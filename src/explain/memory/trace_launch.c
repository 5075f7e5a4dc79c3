/* A launch on the trace device: a sample of its groups is recorded. If later launches read its results, the other
 * groups run, too, without a record. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/unpredictable.h"
#include "explain/memory/crash_guard.h"
#include "explain/memory/data_effect.h"
#include "explain/memory/group.h"
#include "explain/memory/sample.h"
#include "explain/memory/silent.h"
#include "explain/memory/trace_device.h"

enum {
    FIRST_SAMPLE = 27,  /* least number of traced groups */
    RACE_LAUNCHES = 64, /* launches checked for races */
    RACE_GROUPS = 2,    /* groups of each of those launches */
    SAMPLE_SEED = 20,
    EVENT_LANES = 1, /* recorded accesses that take as long as an event of a warp */
    WINDOWS = 8,     /* of neighbouring groups, where a sample would tell nothing of memory partitions */
    WINDOW = 256,    /* groups: more than any GPU of 1.x has at once (30 multiprocessors of 8) */
};

struct tracing {
    struct trace_device *device;
    const struct launch *launch;
    struct group_runner runner;
    size_t total;        /* number of groups */
    unsigned char *done; /* for each group: whether it ran */
    size_t race_groups;
    enum data_effect effect;
    uint64_t group_events; /* of warps, in a busy group */
};

/* A buffer has its slot of the arena for itself, so what lies in a slot's second half is before the next slot's. */
static enum status explain_outside(const struct tracing *tracing, struct error *error)
{
    const uint64_t *sizes = tracing->device->arena.slot_bytes;
    const char *name = tracing->runner.program->name, *entry = tracing->launch->entry;
    const uint64_t slot = (uint64_t)1 << SLOT_BITS, at = tracing->runner.fault_at, into = at & (slot - 1);
    if (at & NO_SLOT)
        return fail(error, STATUS_FAILED, "%s: %s touches memory beyond its arrays (address 0x%llx)", name, entry,
                    (unsigned long long)(at & ~(uint64_t)NO_SLOT));
    if (into >= slot / 2)
        return fail(error, STATUS_FAILED, "%s: %s touches memory beyond its array (%llu bytes before it)", name, entry,
                    (unsigned long long)(slot - into));
    return fail(error, STATUS_FAILED, "%s: %s touches memory beyond its array (byte %llu of %llu)", name, entry,
                (unsigned long long)into, (unsigned long long)sizes[at >> SLOT_BITS]);
}

static enum status explain_crash(const struct tracing *tracing, struct error *error)
{
    const char *name = tracing->runner.program->name, *entry = tracing->launch->entry;
    switch (tracing->runner.fault_signal) {
    case SIGFPE:
        return fail(error, STATUS_FAILED, "%s: %s divides an integer by zero", name, entry);
    case SIGSEGV:
    case SIGBUS:
        return fail(error, STATUS_FAILED, "%s: %s needs more than %zu KiB of stack for an item, and is not traced",
                    name, entry, GROUP_STACK_BYTES >> 10);
    default:
        return fail(error, STATUS_FAILED, "%s: %s aborts", name, entry);
    }
}

static enum status explain_fault(const struct tracing *tracing, struct error *error)
{
    const char *name = tracing->runner.program->name, *entry = tracing->launch->entry;
    switch (tracing->runner.fault) {
    case GROUP_OUTSIDE:
        return explain_outside(tracing, error);
    case GROUP_CRASHES:
        return explain_crash(tracing, error);
    case GROUP_ENDLESS:
        return fail(error, STATUS_FAILED, "%s: a group of %s makes too many accesses to be traced, or does not end",
                    name, entry);
    case GROUP_NO_MEMORY:
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    case GROUP_OK:
        break;
    }
    return STATUS_OK;
}

/* ---- arguments -------------------------------------------------------------------------------------------------- */

static unsigned long slot_of(const struct argument_value *value)
{
    unsigned long slot = 0;
    switch (value->kind) {
    case ARGUMENT_BUFFER:
        return value->buffer->native;
    case ARGUMENT_INT:
        memcpy(&slot, &value->int_value, sizeof value->int_value);
        break;
    case ARGUMENT_LONG:
        memcpy(&slot, &value->long_value, sizeof value->long_value);
        break;
    case ARGUMENT_FLOAT:
        memcpy(&slot, &value->float_value, sizeof value->float_value);
        break;
    case ARGUMENT_DOUBLE:
        memcpy(&slot, &value->double_value, sizeof value->double_value);
        break;
    case ARGUMENT_TEXTURE:
        return value->texture->native;
    case ARGUMENT_TILES: /* the trace device makes none */
        break;
    }
    return slot;
}

static enum status check_entry(const struct traced_program *program, const struct launch *launch, traced_entry *enter,
                               struct error *error)
{
    *enter = traced_program_function(program, launch->entry, false);
    if (!*enter)
        return fail(error, STATUS_INVALID, "%s: there is no kernel function called %s", program->name, launch->entry);
    int wanted = (*enter)(NULL);
    if (wanted != (int)launch->argument_count)
        return fail(error, STATUS_INVALID, "%s: %s takes %d arguments, and %zu are given", program->name, launch->entry,
                    wanted, launch->argument_count);
    return STATUS_OK;
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

static size_t index_of(const struct launch *launch, const size_t group[3])
{
    return (group[2] * launch->groups[1] + group[1]) * launch->groups[0] + group[0];
}

static enum status run_group(struct tracing *tracing, const size_t group[3], struct error *error)
{
    return group_run(&tracing->runner, group, true) == GROUP_OK ? STATUS_OK : explain_fault(tracing, error);
}

static enum status record(struct tracing *tracing, const struct sampled_group *group, struct error *error)
{
    struct trace_device *device = tracing->device;
    unsigned char *done = &tracing->done[index_of(tracing->launch, group->group)];
    if (*done)
        return STATUS_OK;
    *done = 1;
    tally_begin_group(device->tally, index_of(tracing->launch, group->group), group->weight);
    bool for_races =
        device->order != EXPLAIN_SAMPLE || (device->launches_run < RACE_LAUNCHES && tracing->race_groups < RACE_GROUPS);
    tracing->runner.races = for_races ? device->races : NULL;
    tracing->race_groups++;
    device->totals.groups_recorded++;
    return run_group(tracing, group->group, error);
}

/* The number of groups within the launch's share of the budget, at `accesses` per group. */
static size_t groups_affordable(const struct tracing *tracing, uint64_t accesses)
{
    const struct trace_device *device = tracing->device;
    const size_t *group = tracing->launch->group;
    double items = (double)tracing->total * (double)(group[0] * group[1] * group[2]);
    double share = (double)device->budget.accesses * items / (double)device->totals.items;
    double wanted = accesses ? share / (double)accesses : (double)tracing->total;
    if (wanted >= (double)tracing->total)
        return tracing->total;
    return wanted < FIRST_SAMPLE ? FIRST_SAMPLE : (size_t)wanted;
}

/* Neighbouring groups share the memory partitions. They count for nothing else. */
static enum status record_windows(struct tracing *tracing, uint64_t accesses, struct error *error)
{
    const struct launch *launch = tracing->launch;
    uint64_t recorded = tracing->device->totals.groups_recorded;
    size_t spare = groups_affordable(tracing, accesses) / WINDOW, windows = spare < WINDOWS ? spare : WINDOWS;
    enum status status = STATUS_OK;
    for (size_t w = 0; w < windows && status == STATUS_OK; w++) {
        size_t first = tracing->total / windows * w;
        for (size_t i = first; i < first + WINDOW && i < tracing->total && status == STATUS_OK; i++) {
            const struct sampled_group one = sample_group(launch->groups, i, 0);
            status = record(tracing, &one, error);
        }
    }
    tracing->device->totals.groups_recorded = recorded;
    return status;
}

/* A run in the middle of the launch, from a multiple of its length. */
static enum status record_run(struct tracing *tracing, int dimension, struct error *error)
{
    const size_t *groups = tracing->launch->groups;
    size_t at[3] = {groups[0] / 2, groups[1] / 2, groups[2] / 2};
    size_t run = groups[dimension] < REVISIT_RUN ? groups[dimension] : REVISIT_RUN;
    size_t first = at[dimension] / run * run;
    enum status status = STATUS_OK;
    if (first + run > groups[dimension])
        first -= run;
    tally_begin_run(tracing->device->tally, dimension, run);
    for (size_t i = first; i < first + run && status == STATUS_OK; i++) {
        at[dimension] = i;
        tally_begin_group(tracing->device->tally, 0, 0);
        status = run_group(tracing, at, error);
    }
    return status;
}

/* Which sectors neighbouring groups share. Launches whose groups are few or long are left out: these runs would take
 * more than a tenth of the trace. They come before the sample, which writes the same results. */
static enum status record_revisits(struct tracing *tracing, uint64_t accesses, struct error *error)
{
    const struct launch *launch = tracing->launch;
    struct tally *tally = tracing->device->tally;
    enum status status = STATUS_OK;
    tracing->runner.races = NULL;
    if (tracing->effect == DATA_DECIDES || groups_affordable(tracing, accesses) < (size_t)10 * 3 * REVISIT_RUN ||
        !tally_begin_revisits(tally, launch))
        return STATUS_OK;
    for (int d = 0; d < 3 && status == STATUS_OK; d++)
        if (launch->groups[d] > 1)
            status = record_run(tracing, d, error);
    tally_end_revisits(tally);
    return status;
}

/* Loops without accesses take time, too. Ordinary kernels have fewer events than this counts. */
static uint64_t cost_of(const struct tracing *tracing, uint64_t accesses)
{
    uint64_t events = tracing->group_events * EVENT_LANES;
    return events > accesses ? events : accesses;
}

/* The first group represents itself in every sample. It is traced before the others, to learn the number of accesses
 * per group. */
static enum status record_sample(struct tracing *tracing, struct error *error)
{
    const struct sampled_group first = {{0, 0, 0}, 1};
    uint64_t before = tally_recorded(tracing->device->tally);
    enum status status = record(tracing, &first, error);
    if (status != STATUS_OK)
        return status;
    uint64_t accesses = cost_of(tracing, tally_recorded(tracing->device->tally) - before);
    size_t count, wanted = groups_affordable(tracing, accesses);
    struct sampled_group *list = sample_groups(tracing->launch->groups, wanted, SAMPLE_SEED, &count);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = record(tracing, &list[i], error);
    free(list);
    if (status == STATUS_OK && count < tracing->total && tally_partitions(tracing->device->tally)->partitions > 0)
        status = record_windows(tracing, accesses, error);
    return status == STATUS_OK && count < tracing->total ? record_revisits(tracing, accesses, error) : status;
}

static void link_memory(struct trace_device *device, struct trace_link *link)
{
    link->arena = (unsigned long)device->arena.base;
    memcpy(link->slot_bytes, device->arena.slot_bytes, sizeof link->slot_bytes);
}

static bool is_whole(const struct tracing *tracing)
{
    size_t i = 0;
    while (i < tracing->total && tracing->done[i])
        i++;
    return i == tracing->total;
}

/* Complete results are needed only if data affect control flow or addresses. Otherwise later launches may read
 * zeros. */
static bool needs_all_data(const struct tracing *tracing, enum data_effect effect)
{
    const struct trace_device *device = tracing->device;
    return effect == DATA_DECIDES && device->launches_run + 1 < device->totals.launches;
}

static bool is_affordable(const struct trace_device *device)
{
    return device->totals.items <= device->budget.silent_items;
}

static enum status complete_data(struct tracing *tracing, enum data_effect effect, struct error *error)
{
    struct trace_device *device = tracing->device;
    if (effect == DATA_DECIDES)
        device->totals.data_decides = true;
    if (!needs_all_data(tracing, effect) || is_whole(tracing))
        return STATUS_OK;
    if (is_affordable(device)) {
        struct traced_program *program = tracing->runner.program;
        enum status status = traced_program_silence(program, error);
        if (status != STATUS_OK)
            return status;
        link_memory(device, program->silent_link);
        return silent_run(&device->crew, &tracing->runner, tracing->launch, tracing->done, error);
    }
    device->totals.saw_all_data = false;
    return STATUS_OK;
}

/* Compiles what runs the other groups while a sample is recorded. The program that needs it tells of failures. */
static void *silence(void *data)
{
    struct error why;
    (void)traced_program_silence(data, &why);
    return NULL;
}

/* Nothing forks beside the thread. */
static enum status record_beside_compiler(struct tracing *tracing, struct error *error)
{
    struct traced_program *program = tracing->runner.program;
    pthread_t compiler;
    bool is_started = !program->silent_link && pthread_create(&compiler, NULL, silence, program) == 0;
    enum status status = record_sample(tracing, error);
    if (is_started)
        pthread_join(compiler, NULL);
    return status;
}

static void note_barriers(const struct tracing *tracing)
{
    struct trace_device *device = tracing->device;
    if (tracing->runner.barrier_missed && !device->totals.barrier_missed) {
        device->totals.barrier_missed = true;
        snprintf(device->totals.barrier_entry, sizeof device->totals.barrier_entry, "%s", tracing->launch->entry);
    }
    device->launches_run++;
}

/* The groups' numbers in that order, malloc'ed; NULL when memory is out. */
static size_t *in_order(enum explain_order order, size_t total)
{
    size_t *groups = malloc((total + 1) * sizeof *groups);
    for (size_t i = 0; groups && i < total; i++)
        groups[i] = order == EXPLAIN_BACKWARD ? total - 1 - i : i;
    for (size_t left = order == EXPLAIN_SHUFFLED && groups ? total : 0; left > 1; left--) {
        const size_t drawn = unpredictable_below(left), last = groups[left - 1];
        groups[left - 1] = groups[drawn];
        groups[drawn] = last;
    }
    return groups;
}

/* Every group once. */
static enum status run_in_order(struct tracing *tracing, struct error *error)
{
    const enum explain_order order = tracing->device->order;
    struct clashes of_items = {.writes = NULL}, of_groups = {.writes = NULL};
    size_t *groups = in_order(order, tracing->total);
    struct crash_guard guard;
    enum status status = STATUS_OK;
    if (!groups)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    tracing->runner.is_backward = order == EXPLAIN_BACKWARD;
    tracing->runner.turn = order == EXPLAIN_BACKWARD   ? WARP_LANES - 1
                           : order == EXPLAIN_SHUFFLED ? (unsigned)unpredictable_below(WARP_LANES)
                                                       : 0;
    tracing->runner.of_items = order == EXPLAIN_OTHER_VALUES ? &of_items : NULL;
    tracing->runner.of_groups = &of_groups;
    crash_guard_begin(&guard);
    for (size_t i = 0; status == STATUS_OK && i < tracing->total; i++) {
        const struct sampled_group one = sample_group(tracing->launch->groups, groups[i], 1);
        status = record(tracing, &one, error);
        clashes_settle(&of_groups, groups[i]);
    }
    crash_guard_end(&guard);
    clashes_swap(&of_groups);
    clashes_free(&of_groups);
    clashes_free(&of_items);
    tracing->runner.of_items = tracing->runner.of_groups = NULL;
    note_barriers(tracing);
    free(groups);
    return status;
}

static enum status run(struct tracing *tracing, struct error *error)
{
    struct trace_device *device = tracing->device;
    enum data_effect effect = data_effect_of(&tracing->runner, tracing->launch, &device->arena, &tracing->group_events);
    tracing->effect = effect;
    if (effect == DATA_ENDLESS) {
        tracing->runner.fault = GROUP_ENDLESS;
        return explain_fault(tracing, error);
    }
    bool compiles = needs_all_data(tracing, effect) && is_affordable(tracing->device);
    struct crash_guard guard;
    crash_guard_begin(&guard);
    enum status status = compiles ? record_beside_compiler(tracing, error) : record_sample(tracing, error);
    crash_guard_end(&guard);
    if (status == STATUS_OK && effect == DATA_CRASH) /* in a group that is not in the sample */
        status = fail(error, STATUS_FAILED, "%s: %s crashes", tracing->runner.program->name, tracing->launch->entry);
    if (status == STATUS_OK)
        status = complete_data(tracing, effect, error);
    note_barriers(tracing);
    return status;
}

static enum status count_launch(struct trace_device *device, const struct launch *launch, size_t total)
{
    device->totals.launches++;
    device->totals.groups += total;
    device->totals.items += total * launch->group[0] * launch->group[1] * launch->group[2];
    return STATUS_OK;
}

/* Launches of the same group shape take the same stacks. */
static bool take_stacks(struct group_runner *kept, struct group_runner *runner)
{
    if (!kept->stacks || memcmp(kept->local_size, runner->local_size, sizeof kept->local_size) != 0) {
        group_runner_free(kept);
        memcpy(kept->local_size, runner->local_size, sizeof kept->local_size);
        if (!group_runner_make(kept))
            return false;
    }
    runner->stacks = kept->stacks;
    runner->items = kept->items;
    runner->lanes = kept->lanes;
    runner->item_count = kept->item_count;
    return true;
}

enum status trace_launch(struct program *program, const struct launch *launch, struct error *error)
{
    struct trace_device *device = (struct trace_device *)program->device;
    struct traced_program *traced = (struct traced_program *)program;
    struct tracing tracing = {.device = device, .launch = launch, .total = 1};
    unsigned long slots[KERNEL_PARAMETERS_MAX];
    for (int i = 0; i < 3; i++)
        tracing.total *= launch->groups[i];
    if (tracing.total == 0)
        return STATUS_OK;
    if (device->mode == TRACE_COUNT)
        return count_launch(device, launch, tracing.total);
    struct group_runner *runner = &tracing.runner;
    *runner = (struct group_runner){.program = traced, .link = traced->link, .slots = slots, .tally = device->tally};
    enum status status = check_entry(traced, launch, &runner->enter, error);
    for (size_t i = 0; i < launch->argument_count && i < COUNT_OF(slots); i++)
        slots[i] = slot_of(&launch->arguments[i]);
    if (status != STATUS_OK)
        return status;
    memcpy(runner->local_size, launch->group, sizeof runner->local_size);
    for (int i = 0; i < 3; i++) {
        runner->place.local_size[i] = launch->group[i];
        runner->place.groups[i] = launch->groups[i];
    }
    link_memory(device, traced->link);
    tally_begin_launch(device->tally, traced, launch);
    tracing.done = calloc(tracing.total, 1);
    if (!tracing.done || !take_stacks(&device->stacks, runner)) {
        runner->fault = GROUP_NO_MEMORY;
        status = explain_fault(&tracing, error);
    } else {
        status = device->order == EXPLAIN_SAMPLE ? run(&tracing, error) : run_in_order(&tracing, error);
    }
    free(tracing.done);
    return status;
}
