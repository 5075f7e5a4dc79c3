#include "explain/machine/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"
#include "explain/machine/look_back.h"
#include "explain/memory/sample.h"

enum {
    STEPS = 3000000,            /* of all warps of a launch: a fifth of a second */
    STEPS_OF_STRATA = 24000000, /* … where each kind of group has one at least: a second */
    STEPS_MOST = 100000000,     /* bound for long threads: some seconds */
    GROUPS_MOST = 1024,
    PROBES_MOST = 256,
    SEED = 20,
    SYSTEM_BYTES = 1024,  /* of shared memory, from 8.0 on: the group's begins behind them */
    STACK_OF_CALLS = 8192 /* bytes of an item's stack, where functions call each other */
};

struct counting {
    const struct machine_request *request;
    struct explain_kernel *kernel;
    struct machine_code code;
    struct machine_constants constants;
    struct machine_memory memory;
    struct machine_warp **warps; /* of a group */
    size_t warp_count;
    uint32_t *of_warps; /* executions of each instruction by each warp of the group */
    uint64_t *of_lanes; /* … by its lanes together */
    struct machine_store shared;
    struct machine_places places;
    double groups;    /* of the launch */
    size_t turn;      /* steps of a warp before the others have theirs */
    bool *is_unknown; /* instructions that hung on loaded data */
    bool *is_way_out; /* ends of the kernel inside a loop */
    double steps, steps_most;
    bool is_endless; /* the launch exceeded its steps */
};

/* ---- a launch's constants: shapes, the stack, arguments ---- */

static size_t stack_bytes(const struct counting *counting)
{
    bool calls = false;
    for (size_t i = 0; i < counting->kernel->instruction_count; i++)
        calls |= counting->kernel->instructions[i].is_call;
    return ((size_t)counting->kernel->stack_bytes + 15) / 16 * 16 + (calls ? STACK_OF_CALLS : 64);
}

static void put(struct machine_constants *constants, size_t at, const void *value, size_t bytes)
{
    if (at + bytes <= sizeof constants->bytes)
        memcpy(constants->bytes + at, value, bytes);
}

static void fill_constants(struct counting *counting)
{
    const struct machine_request *request = counting->request;
    const struct recorded_launch *launch = request->launch;
    struct machine_constants *constants = &counting->constants;
    for (size_t i = 0; i < 3; i++) {
        uint32_t group = (uint32_t)launch->group[i], groups = (uint32_t)launch->groups[i];
        put(constants, 4 * i, &group, 4);
        put(constants, 12 + 4 * i, &groups, 4);
    }
    uint32_t stack = (uint32_t)stack_bytes(counting); /* it grows downwards */
    put(constants, 0x28, &stack, 4);
    size_t at = request->constant_offset;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct recorded_argument *argument = &launch->arguments[i];
        const size_t alignment = size_least(argument->bytes, 64); /* of tile maps */
        at = (at + alignment - 1) / alignment * alignment;
        put(constants, at, &argument->value, size_least(argument->bytes, sizeof argument->value));
        at += argument->bytes;
    }
}

/* Arrays whose contents the launch finds; others are not known. */
static bool fill_memory(struct counting *counting)
{
    const struct machine_request *request = counting->request;
    for (size_t i = 0; i < request->buffer_count; i++)
        if (!machine_memory_add(&counting->memory, &request->buffers[i]))
            return false;
    for (size_t i = 0; i < request->launch->argument_count; i++) {
        const struct recorded_argument *argument = &request->launch->arguments[i];
        struct machine_buffer buffer = {.address = argument->value, .bytes = argument->array_bytes};
        if (argument->array_bytes > 0 && !machine_memory_add(&counting->memory, &buffer))
            return false;
    }
    return true;
}

/* ---- branches on loaded values ---- */

/* Whether the code between two instructions ends the kernel, and does nothing that takes time. */
static bool is_early_end(const struct counting *counting, size_t from, size_t to)
{
    const struct explain_instruction *instructions = counting->kernel->instructions;
    for (size_t i = from; i < to; i++)
        if (instructions[i].is_barrier || instructions[i].loop != instructions[from].loop)
            return false;
    const struct machine_instruction *last = &counting->code.instructions[to - 1];
    return to > from && strcmp(last->opcode, "EXIT") == 0 && !last->is_guarded;
}

/* A branch with an unknown condition: a waiting loop is left, a skipped function call is a rare case, and other code is
 * executed. A kernel is not left early, but for one that is launched as a fallback. */
static bool is_taken(const struct counting *counting, size_t from, size_t to)
{
    const struct explain_instruction *instructions = counting->kernel->instructions;
    int loop = instructions[from].loop;
    if (loop >= 0 && (to < counting->kernel->loops[loop].first || to > counting->kernel->loops[loop].last))
        return true;
    if (is_early_end(counting, from + 1, to))
        return !counting->request->launch->is_fallback;
    for (size_t i = from + 1; i < to; i++)
        if (instructions[i].is_call)
            return true;
    return strcmp(counting->code.instructions[to].opcode, "EXIT") == 0 && counting->request->launch->is_fallback;
}

static void decide_branches(struct counting *counting)
{
    for (size_t i = 0; i < counting->code.count; i++) {
        size_t to = machine_target(&counting->code.instructions[i]);
        if (strcmp(counting->code.instructions[i].opcode, "EXIT") == 0) {
            counting->code.instructions[i].is_taken_unknown = counting->request->launch->is_fallback;
            counting->is_way_out[i] = counting->kernel->instructions[i].loop >= 0;
        } else if (to < counting->code.count)
            counting->code.instructions[i].is_taken_unknown = is_taken(counting, i, to);
    }
}

/* ---- one warp, one group ---- */

static void begin_warp(struct counting *counting, size_t index, const size_t group[3])
{
    struct machine_warp *warp = counting->warps[index];
    const size_t *shape = counting->request->launch->group;
    size_t items = shape[0] * shape[1] * shape[2], first = MACHINE_LANES * index, count = items - first;
    machine_warp_begin(warp, count >= MACHINE_LANES ? MACHINE_ALL : (1u << count) - 1);
    warp->number = (unsigned)index;
    warp->code = &counting->code;
    warp->constants = &counting->constants;
    warp->shared = &counting->shared;
    warp->memory = &counting->memory;
    for (unsigned l = 0; l < MACHINE_LANES; l++) {
        size_t item = first + l;
        warp->item[0][l] = (uint32_t)(item % shape[0]);
        warp->item[1][l] = (uint32_t)(item / shape[0] % shape[1]);
        warp->item[2][l] = (uint32_t)(item / shape[0] / shape[1]);
    }
    for (size_t i = 0; i < 3; i++)
        warp->group[i] = (uint32_t)group[i];
}

#define TURN 50000       /* steps of a warp before the others have their turn: it may wait for them */
#define TURN_OF_RIVALS 1 /* … where warps try again until no other was faster (ATOMS.CAST) */

/* Runs a warp until it waits for others. `weight` is 0 where its accesses are of no interest. */
static void run_warp(struct counting *counting, size_t index, double weight)
{
    struct machine_warp *warp = counting->warps[index];
    uint32_t *executed = counting->of_warps + index * (counting->code.count + 1);
    for (size_t turn = 0; turn < counting->turn && machine_warp_can_run(warp); turn++) {
        size_t at = machine_warp_next(warp);
        if (at >= counting->code.count) {
            machine_step(warp);
            continue;
        }
        if (weight > 0 && counting->places.place_of[at] >= 0)
            machine_places_add(&counting->places, warp, at, executed[at], weight);
        if (counting->is_way_out[at]) /* of a loop: after one round */
            counting->code.instructions[at].is_taken_unknown = executed[at] > 0;
        counting->of_lanes[at] += (uint32_t)__builtin_popcount(warp->fragments[warp->current].lanes);
        warp->hit_unknown = false;
        machine_step(warp);
        counting->is_unknown[at] |= warp->hit_unknown;
        counting->kernel->is_decided_by_data |= warp->hit_unknown;
        executed[at]++;
        if (++counting->steps > counting->steps_most) {
            counting->is_endless = true;
            return;
        }
    }
}

/* All warps wait: those at the barrier that most have come to go on. */
static bool release(struct counting *counting, size_t count)
{
    int most = 0;
    unsigned chosen = 0;
    for (size_t w = 0; w < count; w++) {
        unsigned barrier = 0, other = 0;
        int lanes = 0;
        if (!machine_warp_waiting(counting->warps[w], &barrier))
            continue;
        for (size_t k = 0; k < count; k++) {
            other = barrier;
            uint32_t waiting = machine_warp_waiting(counting->warps[k], &other);
            lanes += other == barrier ? __builtin_popcount(waiting) : 0;
        }
        if (lanes > most) {
            most = lanes;
            chosen = barrier;
        }
    }
    for (size_t w = 0; w < count; w++)
        machine_warp_release(counting->warps[w], chosen);
    return most > 0;
}

/* Runs warps [first, last) of a group to their ends. */
static void run_warps(struct counting *counting, const size_t group[3], size_t first, size_t last, double weight)
{
    memset(counting->of_warps, 0, counting->warp_count * (counting->code.count + 1) * sizeof *counting->of_warps);
    memset(counting->of_lanes, 0, (counting->code.count + 1) * sizeof *counting->of_lanes);
    memset(counting->shared.is_known, 0, counting->shared.count * sizeof *counting->shared.is_known);
    for (size_t w = 0; w < counting->warp_count; w++) {
        begin_warp(counting, w, group);
        if (w < first || w >= last)
            counting->warps[w]->fragment_count = 0;
    }
    for (bool goes_on = true; goes_on && !counting->is_endless;) {
        double before = counting->steps;
        for (size_t w = first; w < last && !counting->is_endless; w++)
            run_warp(counting, w, weight);
        goes_on = counting->steps > before || release(counting, counting->warp_count);
    }
}

static void run_group(struct counting *counting, const struct sampled_group *group)
{
    size_t count = counting->code.count;
    double weight = group->weight * (double)counting->request->launch->count;
    double most = 0;
    const uint32_t *longest = counting->of_warps;
    machine_places_begin_group(&counting->places);
    run_warps(counting, group->group, 0, counting->warp_count, weight);
    for (size_t w = 0; w < counting->warp_count; w++) {
        const uint32_t *executed = counting->of_warps + w * (count + 1);
        double steps = 0;
        for (size_t i = 0; i < count; i++) {
            counting->kernel->executed[i] += weight * executed[i];
            steps += executed[i];
        }
        longest = steps > most ? executed : longest;
        most = fmax(most, steps);
    }
    for (size_t i = 0; i < count; i++) {
        counting->kernel->longest[i] += group->weight / counting->groups * longest[i];
        counting->kernel->lanes[i] += weight * (double)counting->of_lanes[i];
    }
}

/* ---- sampled groups ---- */

/* Adds the executions of each loop, and behind them those outside of loops, by one warp of each group. */
static void probe(struct counting *counting, const struct sampled_group *list, size_t count, double *of_loops)
{
    const struct explain_kernel *kernel = counting->kernel;
    size_t middle = counting->warp_count / 2;
    for (size_t g = 0; g < count && !counting->is_endless; g++) {
        run_warps(counting, list[g].group, middle, middle + 1, 0);
        const uint32_t *executed = counting->of_warps + middle * (counting->code.count + 1);
        for (size_t i = 0; i < counting->code.count; i++) {
            int loop = kernel->instructions[i].loop;
            of_loops[loop < 0 ? kernel->loop_count : (size_t)loop] += list[g].weight * executed[i];
        }
    }
}

/* The sampled groups are few where threads are long, and may be no mean of all: of a kernel that cuts a grid into slabs
 * the last slab's groups go round less often. So one warp is run in them and in many more groups, and each loop's
 * executions are multiplied by what these say (a ratio estimate). */
static void weigh_loops(struct counting *counting, const struct sampled_group *list, size_t count, double of_warp)
{
    const struct recorded_launch *launch = counting->request->launch;
    const struct explain_kernel *kernel = counting->kernel;
    const bool is_decided = kernel->is_decided_by_data;
    double wanted = fmin(PROBES_MOST, STEPS / 2.0 / fmax(of_warp, 1));
    size_t more = 0, loops = kernel->loop_count + 1;
    struct sampled_group *probes =
        wanted > (double)count ? sample_groups(launch->groups, (size_t)wanted, SEED, &more) : NULL;
    double *ours = calloc(loops, sizeof *ours), *theirs = calloc(loops, sizeof *theirs);
    bool *is_unknown = calloc(counting->code.count + 1, sizeof *is_unknown), *kept = counting->is_unknown;
    if (probes && ours && theirs && is_unknown && more > count) {
        counting->steps = 0;
        counting->is_unknown = is_unknown;
        probe(counting, list, count, ours);
        probe(counting, probes, more, theirs);
        for (size_t i = 0; i < counting->code.count && !counting->is_endless; i++) {
            size_t loop = kernel->instructions[i].loop < 0 ? loops - 1 : (size_t)kernel->instructions[i].loop;
            double ratio = ours[loop] > 0 && theirs[loop] > 0 ? theirs[loop] / ours[loop] : 1;
            counting->kernel->executed[i] *= ratio;
            counting->kernel->lanes[i] *= ratio;
            machine_places_weigh(&counting->places, i, ratio);
        }
    }
    counting->kernel->is_decided_by_data = is_decided; /* a warp alone lacks what the others store */
    counting->is_unknown = kept;
    counting->is_endless = false;
    free(is_unknown);
    free(probes);
    free(ours);
    free(theirs);
}

static int by_weight(const void *a, const void *b)
{
    double one = ((const struct sampled_group *)a)->weight, other = ((const struct sampled_group *)b)->weight;
    return (one < other) - (one > other);
}

/* Groups of long threads: as many strata as there are steps for, the largest first, stand for the others. */
static size_t shorten(struct sampled_group *list, size_t count, size_t most)
{
    double all = 0, kept = 0;
    if (count <= most)
        return count;
    qsort(list, count, sizeof *list, by_weight);
    for (size_t i = 0; i < count; i++) {
        all += list[i].weight;
        kept += i < most ? list[i].weight : 0;
    }
    for (size_t i = 0; i < most; i++)
        list[i].weight *= all / kept;
    return most;
}

static enum status run_groups(struct counting *counting, struct error *error)
{
    const struct recorded_launch *launch = counting->request->launch;
    size_t count, middle[3];
    for (size_t i = 0; i < 3; i++)
        middle[i] = launch->groups[i] / 2;
    /* How long a group is, by one that is not counted: by all its warps, unless one alone is long. */
    bool is_decided = counting->kernel->is_decided_by_data;
    run_warps(counting, middle, counting->warp_count / 2, counting->warp_count / 2 + 1, 0);
    double of_warp = fmax(counting->steps, 1), of_group = of_warp * (double)counting->warp_count;
    if (of_group < STEPS && !counting->is_endless) {
        run_warps(counting, middle, 0, counting->warp_count, 0);
        of_group = fmax(of_group, counting->steps - of_warp);
    }
    machine_memory_restore(&counting->memory);
    counting->kernel->is_decided_by_data = is_decided;
    memset(counting->is_unknown, 0, counting->code.count * sizeof *counting->is_unknown);
    double wanted = STEPS / of_group;
    size_t groups = wanted < 1 ? 1 : wanted > GROUPS_MOST ? GROUPS_MOST : (size_t)wanted;
    struct sampled_group *list = counting->is_endless ? NULL : sample_groups(launch->groups, groups, SEED, &count);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "%s: a loop that does not end", launch->entry);
    counting->steps = 0;
    double most = fmax(1, STEPS_OF_STRATA / of_group);
    count = shorten(list, count, most > (double)count ? count : (size_t)most);
    for (size_t i = 0; i < count && !counting->is_endless; i++)
        run_group(counting, &list[i]);
    if (!counting->is_endless)
        weigh_loops(counting, list, count, of_warp);
    free(list);
    return counting->is_endless ? fail(error, STATUS_UNAVAILABLE, "%s: a loop that does not end", launch->entry)
                                : STATUS_OK;
}

/* ---- all ---- */

static bool make_store(struct machine_store *store, size_t words)
{
    store->words = calloc(words + 1, sizeof *store->words);
    store->is_known = calloc(words + 1, sizeof *store->is_known);
    store->count = words;
    return store->words && store->is_known;
}

static bool make_warps(struct counting *counting)
{
    const size_t *shape = counting->request->launch->group;
    size_t stack = stack_bytes(counting) / 4 * MACHINE_LANES;
    counting->warp_count = (shape[0] * shape[1] * shape[2] + MACHINE_LANES - 1) / MACHINE_LANES;
    counting->of_warps = calloc(counting->warp_count * (counting->code.count + 1), sizeof *counting->of_warps);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    counting->warps = calloc(counting->warp_count + 1, sizeof *counting->warps);
    for (size_t w = 0; counting->warps && w < counting->warp_count; w++) {
        counting->warps[w] = calloc(1, sizeof *counting->warps[w]);
        if (!counting->warps[w] || !make_store(&counting->warps[w]->stacks, stack))
            return false;
    }
    return counting->of_warps && counting->warps;
}

static bool prepare(struct counting *counting)
{
    size_t count = counting->code.count + 1;
    struct explain_kernel *kernel = counting->kernel;
    counting->steps_most = STEPS_MOST;
    counting->turn = TURN;
    for (size_t i = 0; i < counting->code.count; i++)
        if (machine_has_word(&counting->code.instructions[i], "CAST"))
            counting->turn = TURN_OF_RIVALS;
    for (size_t i = 0; i < 3; i++)
        counting->groups = fmax(counting->groups, 1) * (double)counting->request->launch->groups[i];
    counting->is_unknown = calloc(count, sizeof *counting->is_unknown);
    counting->is_way_out = calloc(count, sizeof *counting->is_way_out);
    kernel->executed = calloc(count, sizeof *kernel->executed);
    kernel->longest = calloc(count, sizeof *kernel->longest);
    kernel->lanes = calloc(count, sizeof *kernel->lanes);
    counting->of_lanes = calloc(count, sizeof *counting->of_lanes);
    fill_constants(counting);
    machine_bind(&counting->code);
    if (counting->is_way_out)
        decide_branches(counting);
    return counting->is_unknown && counting->is_way_out && kernel->executed && kernel->longest && kernel->lanes &&
           counting->of_lanes && make_warps(counting) &&
           make_store(&counting->shared, (size_t)(kernel->shared_bytes + SYSTEM_BYTES) / 4) && fill_memory(counting) &&
           machine_places_make(&counting->places, counting->request, kernel);
}

static void release_all(struct counting *counting)
{
    for (size_t w = 0; counting->warps && w < counting->warp_count; w++) {
        if (counting->warps[w]) {
            free(counting->warps[w]->stacks.words);
            free(counting->warps[w]->stacks.is_known);
        }
        free(counting->warps[w]);
    }
    free(counting->warps);
    free(counting->of_warps);
    free(counting->of_lanes);
    machine_places_free(&counting->places);
    machine_memory_free(&counting->memory);
    free(counting->code.instructions);
    free(counting->is_unknown);
    free(counting->is_way_out);
    free(counting->shared.words);
    free(counting->shared.is_known);
}

void machine_forget_counts(struct explain_kernel *kernel)
{
    free(kernel->executed);
    free(kernel->longest);
    free(kernel->lanes);
    free(kernel->accesses);
    kernel->executed = kernel->longest = kernel->lanes = NULL;
    kernel->accesses = NULL;
    kernel->access_count = 0;
    kernel->is_decided_by_data = kernel->lacks_addresses = false;
}

enum status machine_count(const struct machine_request *request, struct explain_kernel *kernel, struct error *error)
{
    struct counting counting = {.request = request, .kernel = kernel};
    enum status status = machine_code_read(request->listing, kernel->name, kernel->file, &counting.code, error);
    if (status == STATUS_OK && counting.code.count != kernel->instruction_count)
        status = fail(error, STATUS_INVALID, "%s: its instructions are not those that were counted", kernel->name);
    if (status == STATUS_OK && !prepare(&counting))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its threads", kernel->name);
    if (status == STATUS_OK)
        status = run_groups(&counting, error);
    if (status == STATUS_OK && !machine_places_results(&counting.places, &counting.code, kernel))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its accesses", kernel->name);
    if (status == STATUS_OK) {
        kernel->lacks_addresses = machine_places_lack(&counting.places);
        machine_mark_look_backs(&counting.code, counting.is_unknown, kernel);
    } else
        machine_forget_counts(kernel);
    release_all(&counting);
    return status;
}
