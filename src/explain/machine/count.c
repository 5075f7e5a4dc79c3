#include "explain/machine/count.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"
#include "explain/machine/look_back.h"
#include "explain/machine/places.h"
#include "explain/machine/thread.h"
#include "explain/machine/turns.h"
#include "explain/memory/sample.h"

enum {
    STEPS = 12000000, /* for all threads of a launch: a third of a second */
    STEPS_OF_THREAD = 1000000,
    STEPS_MOST = 8 * STEPS, /* bound if threads do more than the first one */
    GROUPS_MOST = 1024,
    PROBES_MOST = 256,
    SEED = 20,
    SYSTEM_BYTES = 1024, /* of shared memory, from 8.0 on: the group's begins behind them */
};

struct counting {
    const struct machine_request *request;
    struct explain_kernel *kernel;
    struct machine_code code;
    struct machine_constants constants;
    struct machine_thread *thread; /* large, so that one is reused for all */
    struct machine_shared shared;
    struct machine_places places;
    struct turns turns;
    double *of_lane, *of_warp, longest_steps;
    size_t *touched, touched_count; /* instructions that of_lane counts: most lanes execute few of them */
    bool *is_unknown;               /* instructions that hung on loaded data */
    bool *is_way_out;               /* ends of the kernel inside a loop */
    double steps;
    bool is_endless; /* a thread or the launch exceeded its steps: an instruction was misinterpreted */
};

/* ---- a launch's constants: shapes, the stack, arguments ---- */

static void put(struct machine_constants *constants, size_t at, const void *value, size_t bytes)
{
    if (at + bytes <= sizeof constants->bytes)
        memcpy(constants->bytes + at, value, bytes);
}

static void fill_constants(const struct machine_request *request, struct machine_constants *constants)
{
    const struct recorded_launch *launch = request->launch;
    memset(constants, 0, sizeof *constants);
    for (size_t i = 0; i < 3; i++) {
        uint32_t group = (uint32_t)launch->group[i], groups = (uint32_t)launch->groups[i];
        put(constants, 4 * i, &group, 4);
        put(constants, 12 + 4 * i, &groups, 4);
    }
    uint32_t stack = 4 * MACHINE_STACK_WORDS - 256; /* the stack grows downwards */
    put(constants, 0x28, &stack, 4);
    size_t at = request->constant_offset;
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct recorded_argument *argument = &launch->arguments[i];
        at = (at + argument->bytes - 1) / argument->bytes * argument->bytes;
        put(constants, at, &argument->value, argument->bytes);
        at += argument->bytes;
    }
}

/* ---- branches on loaded values ---- */

static size_t target_of(const struct machine_instruction *instruction)
{
    for (size_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_LABEL)
            return instruction->operands[i].value;
    return SIZE_MAX;
}

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
        size_t to = target_of(&counting->code.instructions[i]);
        if (strcmp(counting->code.instructions[i].opcode, "EXIT") == 0) {
            counting->code.instructions[i].is_taken_unknown = counting->request->launch->is_fallback;
            counting->is_way_out[i] = counting->kernel->instructions[i].loop >= 0;
        } else if (to < counting->code.count)
            counting->code.instructions[i].is_taken_unknown = is_taken(counting, i, to);
    }
}

/* ---- one lane, one warp, one group ---- */

static void begin_thread(struct counting *counting, const size_t group[3], size_t item)
{
    struct machine_thread *thread = counting->thread;
    const size_t *shape = counting->request->launch->group;
    *thread = (struct machine_thread){
        .code = &counting->code, .constants = &counting->constants, .shared = &counting->shared};
    thread->lane = (unsigned)(item % 32);
    thread->item[0] = (uint32_t)(item % shape[0]);
    thread->item[1] = (uint32_t)(item / shape[0] % shape[1]);
    thread->item[2] = (uint32_t)(item / shape[0] / shape[1]);
    for (size_t i = 0; i < 3; i++)
        thread->group[i] = (uint32_t)group[i];
}

static void run_thread(struct counting *counting, bool records)
{
    struct machine_thread *thread = counting->thread;
    size_t steps = 0;
    while (counting->touched_count > 0)
        counting->of_lane[counting->touched[--counting->touched_count]] = 0;
    if (records)
        turns_begin_lane(&counting->turns);
    while (!thread->is_done && thread->next < counting->code.count) {
        size_t at = thread->next;
        /* Addresses are read before the step: a load may overwrite its address register. */
        struct machine_thread *before = thread;
        const struct machine_instruction *instruction = &counting->code.instructions[at];
        bool is_access = records && machine_places_wants(&counting->places, at);
        uint64_t addresses[2];
        unsigned known = is_access ? machine_places_of(before, instruction, addresses) : 0;
        thread->hit_unknown = false;
        if (counting->is_way_out[at]) /* of a loop: after one round */
            counting->code.instructions[at].is_taken_unknown = counting->of_lane[at] > 0;
        machine_step(thread);
        if (records)
            turns_step(&counting->turns, at);
        counting->is_unknown[at] |= thread->hit_unknown;
        counting->kernel->is_decided_by_data |= thread->hit_unknown;
        if (counting->of_lane[at] == 0)
            counting->touched[counting->touched_count++] = at;
        counting->of_lane[at] += 1;
        if (is_access && thread->was_executed)
            machine_places_add(&counting->places, at, (size_t)counting->of_lane[at] - 1, thread->lane, known,
                               addresses);
        if (++steps == STEPS_OF_THREAD || counting->steps + (double)steps > STEPS_MOST) {
            counting->is_endless = true;
            break;
        }
    }
    if (records)
        turns_end_lane(&counting->turns);
    counting->steps += (double)steps;
}

/* A warp executes an instruction as often as the lane that executes it most, and more often where its lanes take turns.
 * Warps that do not run all their lanes take turns as the last one that does. */
static void run_lanes(struct counting *counting, const struct sampled_group *group, size_t warp, bool is_whole)
{
    const size_t *shape = counting->request->launch->group;
    size_t items = shape[0] * shape[1] * shape[2], first = 32 * warp;
    memset(counting->of_warp, 0, counting->code.count * sizeof *counting->of_warp);
    machine_places_begin_warp(&counting->places);
    if (is_whole)
        turns_begin_warp(&counting->turns);
    for (size_t lane = 0; lane < 32 && first + lane < items; lane++) {
        if (!is_whole && lane != 0 && lane != 16 && lane != 31) /* both ends may lie in a halo */
            continue;
        begin_thread(counting, group->group, first + lane);
        run_thread(counting, is_whole);
        for (size_t t = 0; t < counting->touched_count; t++) {
            size_t i = counting->touched[t];
            if (counting->of_lane[i] > counting->of_warp[i])
                counting->of_warp[i] = counting->of_lane[i];
        }
    }
    if (is_whole)
        turns_end_warp(&counting->turns);
}

/* A warp in a role of its own (one that copies for the others) runs all its lanes, whatever they cost. */
static void run_warp(struct counting *counting, const struct sampled_group *group, size_t warp, bool is_whole)
{
    size_t count = counting->code.count;
    run_lanes(counting, group, warp, is_whole);
    if (!is_whole && machine_places_lack(&counting->places, counting->of_warp)) {
        is_whole = true;
        run_lanes(counting, group, warp, is_whole);
    }
    double steps = 0, launches = (double)counting->request->launch->count;
    for (size_t i = 0; i < count; i++) {
        double times = counting->of_warp[i] * turns_of(&counting->turns, i);
        counting->kernel->executed[i] += group->weight * launches * times;
        steps += times;
    }
    if (steps > counting->longest_steps) {
        counting->longest_steps = steps;
        for (size_t i = 0; i < count; i++)
            counting->kernel->longest[i] = counting->of_warp[i] * turns_of(&counting->turns, i);
    }
    if (is_whole)
        machine_places_end_warp(&counting->places, counting->of_warp, group->weight * launches);
    else
        machine_places_pass(&counting->places, counting->of_warp, group->weight * launches);
}

/* ---- sampled groups and warps ---- */

static void forget_shared(struct counting *counting)
{
    for (size_t i = 0; i < counting->shared.count; i++)
        counting->shared.words[i].is_known = false;
}

static void run_group(struct counting *counting, const struct sampled_group *group, double budget)
{
    const size_t *shape = counting->request->launch->group;
    size_t warps = (shape[0] * shape[1] * shape[2] + 31) / 32;
    double before = counting->steps;
    forget_shared(counting);
    machine_places_begin_group(&counting->places);
    for (size_t w = 0; w < warps; w++) {
        /* The first warp runs all its lanes. Other warps do so while the budget lasts. */
        double used = counting->steps - before, of_warp = w > 0 ? used / (double)w : 0;
        run_warp(counting, group, w, w == 0 || used + of_warp <= budget);
    }
}

/* Adds the executions of each loop, and behind them those outside of loops, by one thread of each group. */
static void probe(struct counting *counting, const struct sampled_group *list, size_t count, double *of_loops)
{
    const size_t *shape = counting->request->launch->group;
    const struct explain_kernel *kernel = counting->kernel;
    for (size_t g = 0; g < count && !counting->is_endless; g++) {
        forget_shared(counting); /* another group's words */
        begin_thread(counting, list[g].group, shape[0] * shape[1] * shape[2] / 2);
        run_thread(counting, false);
        for (size_t t = 0; t < counting->touched_count; t++) {
            int loop = kernel->instructions[counting->touched[t]].loop;
            of_loops[loop < 0 ? kernel->loop_count : (size_t)loop] +=
                list[g].weight * counting->of_lane[counting->touched[t]];
        }
    }
}

/* The sampled groups are few where threads are long, and may be no mean of all: of a kernel that cuts a grid into slabs
 * the last slab's groups go round less often. So one thread is run in them and in many more groups, and each loop's
 * executions are multiplied by what these say (a ratio estimate). */
static void weigh_loops(struct counting *counting, const struct sampled_group *list, size_t count, double of_thread)
{
    const struct recorded_launch *launch = counting->request->launch;
    const struct explain_kernel *kernel = counting->kernel;
    const bool is_decided = kernel->is_decided_by_data;
    double wanted = fmin(PROBES_MOST, STEPS / 4.0 / fmax(of_thread, 1));
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
            machine_places_weigh(&counting->places, i, ratio);
        }
    }
    counting->kernel->is_decided_by_data = is_decided; /* a thread alone lacks what the others store */
    counting->is_unknown = kept;
    counting->is_endless = false;
    free(is_unknown);
    free(probes);
    free(ours);
    free(theirs);
}

static enum status run_groups(struct counting *counting, struct error *error)
{
    const struct recorded_launch *launch = counting->request->launch;
    const struct sampled_group first = {{0, 0, 0}, 0};
    size_t count, warps = (launch->group[0] * launch->group[1] * launch->group[2] + 31) / 32;
    begin_thread(counting, first.group, 0);
    run_thread(counting, false);
    double of_thread = counting->steps, of_group = 32 * of_thread * (double)warps;
    double wanted = STEPS / (of_group > 1 ? of_group : 1);
    size_t groups = wanted < 1 ? 1 : wanted > GROUPS_MOST ? GROUPS_MOST : (size_t)wanted;
    struct sampled_group *list = sample_groups(launch->groups, groups, SEED, &count);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its threads", launch->entry);
    counting->steps = 0;
    for (size_t i = 0; i < count && !counting->is_endless; i++)
        run_group(counting, &list[i], (STEPS - counting->steps) / (double)(count - i));
    if (!counting->is_endless)
        weigh_loops(counting, list, count, of_thread);
    free(list);
    return counting->is_endless ? fail(error, STATUS_UNAVAILABLE, "%s: a loop that does not end", launch->entry)
                                : STATUS_OK;
}

/* ---- all ---- */

/* Where blocks begin: at targets, and behind whatever has a target or ends. The caller frees it; NULL: no memory. */
static bool *blocks_of(const struct machine_code *code)
{
    bool *begins = calloc(code->count + 1, sizeof *begins);
    for (size_t i = 0; begins && i < code->count; i++) {
        size_t to = target_of(&code->instructions[i]);
        bool is_end = strcmp(code->instructions[i].opcode, "EXIT") == 0;
        if (to < code->count)
            begins[to] = true;
        if (to < code->count || is_end)
            begins[i + 1] = true;
    }
    return begins;
}

static bool prepare(struct counting *counting)
{
    size_t count = counting->code.count + 1;
    struct explain_kernel *kernel = counting->kernel;
    counting->thread = malloc(sizeof *counting->thread);
    counting->of_lane = calloc(count, sizeof *counting->of_lane);
    counting->of_warp = calloc(count, sizeof *counting->of_warp);
    counting->touched = calloc(count, sizeof *counting->touched);
    counting->is_unknown = calloc(count, sizeof *counting->is_unknown);
    counting->is_way_out = calloc(count, sizeof *counting->is_way_out);
    kernel->executed = calloc(count, sizeof *kernel->executed);
    kernel->longest = calloc(count, sizeof *kernel->longest);
    bool *begins = blocks_of(&counting->code), has_turns = begins && turns_make(&counting->turns, kernel, begins);
    free(begins);
    counting->shared.count = (size_t)(kernel->shared_bytes + SYSTEM_BYTES) / 4;
    counting->shared.words = calloc(counting->shared.count, sizeof *counting->shared.words);
    fill_constants(counting->request, &counting->constants);
    machine_bind(&counting->code);
    if (counting->is_way_out)
        decide_branches(counting);
    return has_turns && counting->thread && counting->of_lane && counting->of_warp && counting->touched &&
           counting->is_unknown && counting->is_way_out && counting->shared.words && kernel->executed &&
           kernel->longest && machine_places_make(&counting->places, counting->request, kernel);
}

static void forget(struct explain_kernel *kernel)
{
    free(kernel->executed);
    free(kernel->longest);
    free(kernel->accesses);
    kernel->executed = kernel->longest = NULL;
    kernel->accesses = NULL;
    kernel->access_count = 0;
    kernel->is_decided_by_data = false;
}

enum status machine_count(const struct machine_request *request, struct explain_kernel *kernel, struct error *error)
{
    struct counting counting = {.request = request, .kernel = kernel};
    enum status status =
        machine_code_read(request->listing, kernel->name, kernel->instruction_count, &counting.code, error);
    if (status == STATUS_OK && counting.code.count != kernel->instruction_count)
        status = fail(error, STATUS_INVALID, "%s: its instructions are not those that were counted", kernel->name);
    if (status == STATUS_OK && !prepare(&counting))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its threads", kernel->name);
    if (status == STATUS_OK)
        status = run_groups(&counting, error);
    if (status == STATUS_OK && !machine_places_results(&counting.places, kernel))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its accesses", kernel->name);
    if (status == STATUS_OK)
        machine_mark_look_backs(&counting.code, counting.is_unknown, kernel);
    else
        forget(kernel);
    machine_places_free(&counting.places);
    turns_free(&counting.turns);
    free(counting.code.instructions);
    free(counting.thread);
    free(counting.of_lane);
    free(counting.of_warp);
    free(counting.touched);
    free(counting.is_unknown);
    free(counting.is_way_out);
    free(counting.shared.words);
    return status;
}
