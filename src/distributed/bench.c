#include "distributed/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/translation.h"
#include "distributed/same_bits.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 50
#define RUNGS_MAX 16
#define WARM_UPS 2

/* One rung of the comparison. */
struct contestant {
    const struct device_rung *rung;
    struct device_run run;
    size_t measurement;
    double spent; /* ns */
    bool prepared, active;
};

/* The comparison with one number of devices. */
struct contest {
    const struct device_ladder *ladder;
    const struct problem *problem;
    struct device_group group;
    struct dataset *data;
    struct placement placement;
    struct reference_bits bits; /* for ladders whose rungs must all give these bits */
    struct nccl *nccl;
    struct error why_no_nccl;
    struct contestant contestants[RUNGS_MAX];
    size_t count;
    struct measurement_list *list;
};

/* Probes write to scratch memory only: there is no result to verify. */
static bool is_probe(const struct device_rung *rung)
{
    return rung == &link_probe || rung == &parts_probe;
}

/* ---- measurements --------------------------------------------------------------------------------------------- */

static struct measurement *describe(const struct contest *contest, const struct device_rung *rung)
{
    struct measurement *made = measurement_list_add(contest->list);
    if (!made)
        return NULL;
    snprintf(made->kernel, sizeof made->kernel, "%s", contest->problem->kernel->name);
    problem_text(contest->problem, made->problem);
    snprintf(made->rung, sizeof made->rung, "%s", rung->name);
    snprintf(made->idea, sizeof made->idea, "%s", rung->idea);
    snprintf(made->parameters, sizeof made->parameters, "devices=%zu", contest->group.count);
    describe_device(made, contest->group.devices[0]);
    snprintf(made->device, sizeof made->device, "%s", contest->group.name);
    describe_work(made, contest->problem);
    made->kind = is_probe(rung) ? MEASURED_PROBE : MEASURED_DEVICE;
    made->batch = 1;
    return made;
}

/* ---- one rung ------------------------------------------------------------------------------------------------- */

static enum status refuse(const struct contest *contest, const struct device_rung *rung, struct error *error)
{
    if ((rung->needs & NEEDS_PEERS) && !contest->group.has_peers)
        return fail(error, STATUS_UNAVAILABLE, "%s", contest->group.why_no_peers.text);
    if ((rung->needs & NEEDS_NCCL) && !contest->nccl)
        return fail(error, STATUS_UNAVAILABLE, "%s", contest->why_no_nccl.text);
    return STATUS_OK;
}

static enum status run_once(struct contestant *one, double *nanoseconds, struct error *error)
{
    int64_t start = clock_now();
    enum status status = one->rung->enqueue(&one->run, error);
    enum status finished = group_synchronize(one->run.group, status == STATUS_OK ? error : NULL);
    *nanoseconds = (double)(clock_now() - start);
    return status != STATUS_OK ? status : finished;
}

static enum status verify(struct contest *contest, struct contestant *one, double *worst, struct error *error)
{
    double nanoseconds;
    enum status status = placement_poison(&contest->placement, error);
    if (status == STATUS_OK && !is_probe(one->rung)) /* a part's inputs are in scratch memory, which is poisoned */
        status = run_once(one, &nanoseconds, error);
    if (status == STATUS_OK && !is_probe(one->rung))
        status = placement_judge(&contest->placement, one->run.bound, worst, error);
    if (status == STATUS_OK && !is_probe(one->rung) && contest->bits.data) {
        status = reference_bits_compare(&contest->bits, contest->data, error);
        snprintf(one->run.detail, sizeof one->run.detail, "%s", N_("the bits of one device"));
    }
    return status;
}

static void conclude(struct contest *contest, struct contestant *one, enum status status, const struct error *why)
{
    one->active = false;
    if (status != STATUS_OK)
        conclude_measurement(&contest->list->items[one->measurement], verdict_of(status), why->text);
}

/* Only one rung at a time has scratch memory, so a rung is prepared again for each of its turns. */
static enum status begin_turn(struct contest *contest, struct contestant *one, struct error *error)
{
    one->run = (struct device_run){.nccl = contest->nccl};
    enum status status = placement_prepare(&contest->placement, one->rung, &one->run, error);
    if (status == STATUS_OK)
        status = one->rung->prepare(&one->run, error);
    one->prepared = true;
    return status;
}

static void end_turn(struct contestant *one)
{
    if (one->prepared)
        one->rung->finish(&one->run);
    one->prepared = false;
}

static enum status sample(struct contest *contest, struct contestant *one, uint32_t round, struct error *error)
{
    double nanoseconds = 0;
    enum status status = placement_restore(&contest->placement, error);
    if (status == STATUS_OK)
        status = run_once(one, &nanoseconds, error);
    if (status == STATUS_OK &&
        !samples_add(&contest->list->items[one->measurement].phases[PHASE_COMPUTE], nanoseconds, round))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    one->spent += nanoseconds;
    return status;
}

/* Takes one turn: uncounted warm-up runs, then some samples. */
static void take_turn(struct contest *contest, struct contestant *one, uint32_t round, double seconds)
{
    struct error why;
    double ignored;
    enum status status = begin_turn(contest, one, &why);
    for (int i = 0; status == STATUS_OK && i < WARM_UPS; i++) {
        status = placement_restore(&contest->placement, &why);
        if (status == STATUS_OK)
            status = run_once(one, &ignored, &why);
    }
    const struct samples *samples = &contest->list->items[one->measurement].phases[PHASE_COMPUTE];
    double until = one->spent + seconds * 1e9;
    size_t least = samples->count + LEAST_SAMPLES, most = samples->count + MOST_SAMPLES / 2;
    while (status == STATUS_OK && !interrupt_requested() && samples->count < most &&
           (samples->count < least || one->spent < until))
        status = sample(contest, one, round, &why);
    end_turn(one);
    if (status != STATUS_OK)
        conclude(contest, one, status, &why);
}

/* Judges a rung before the timing and, on other inputs, after it. */
static void judge(struct contest *contest, struct contestant *one, const char *when)
{
    struct error why;
    double worst = 0;
    enum status status = refuse(contest, one->rung, &why);
    if (status == STATUS_OK)
        status = begin_turn(contest, one, &why);
    if (status == STATUS_OK)
        status = verify(contest, one, &worst, &why);
    struct measurement *measurement = &contest->list->items[one->measurement];
    if (status == STATUS_OK && one->run.detail[0])
        snprintf(measurement->detail, sizeof measurement->detail, "%s", one->run.detail);
    end_turn(one);
    measurement->worst_error = worst > measurement->worst_error ? worst : measurement->worst_error;
    one->active = status == STATUS_OK;
    if (status != STATUS_OK && *when)
        fail_in(&why, status, "%s", when);
    if (status != STATUS_OK)
        conclude(contest, one, status, &why);
}

/* ---- one number of devices ------------------------------------------------------------------------------------ */

static bool is_chosen(const struct device_bench *how, const char *name)
{
    for (size_t i = 0; i < how->rung_name_count; i++)
        if (strcmp(how->rung_names[i], name) == 0)
            return true;
    return how->rung_name_count == 0;
}

static enum status enter(struct contest *contest, const struct device_rung *rung, struct error *error)
{
    if (contest->count == RUNGS_MAX || !describe(contest, rung))
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    contest->contestants[contest->count++] = (struct contestant){.rung = rung, .measurement = contest->list->count - 1};
    return STATUS_OK;
}

static enum status enter_all(struct contest *contest, const struct device_bench *how, struct error *error)
{
    const struct device_ladder *ladder = contest->ladder;
    if (contest->group.count == 1)
        return enter(contest, &one_device, error);
    enum status status = STATUS_OK;
    if (contest->group.has_peers && ladder->link_bytes &&
        ladder->link_bytes(contest->problem, contest->group.count) > 0)
        status = enter(contest, &link_probe, error);
    if (status == STATUS_OK)
        status = enter(contest, &parts_probe, error);
    for (size_t r = 0; status == STATUS_OK && r < ladder->rung_count; r++)
        if (is_chosen(how, ladder->rungs[r]->name))
            status = enter(contest, ladder->rungs[r], error);
    return status;
}

static void skip_all(struct contest *contest, enum status status, const struct error *why)
{
    for (size_t c = 0; c < contest->count; c++)
        conclude(contest, &contest->contestants[c], status, why);
}

/* Finds the reference bits: the result of the ladder's first rung on the first device alone. */
static enum status find_bits(struct contest *contest, struct error *error)
{
    struct contest *alone = calloc(1, sizeof *alone);
    struct contestant one = {.rung = contest->ladder->rungs[0]};
    double ignored;
    if (!alone)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    *alone = (struct contest){.ladder = contest->ladder, .problem = contest->problem, .data = contest->data};
    alone->group = group_first(&contest->group, 1);
    enum status status = placement_create(alone->ladder, &alone->group, alone->data, &alone->placement, error);
    if (status == STATUS_OK)
        status = begin_turn(alone, &one, error);
    if (status == STATUS_OK)
        status = run_once(&one, &ignored, error);
    if (status == STATUS_OK)
        status = reference_bits_take(&one.run, contest->data, &contest->bits, error);
    end_turn(&one);
    placement_destroy(&alone->placement);
    free(alone);
    return status;
}

static enum status begin_inputs(struct contest *contest, struct error *error)
{
    enum status status = placement_upload(&contest->placement, error);
    return status == STATUS_OK && contest->ladder->same_bits && contest->group.count > 1 ? find_bits(contest, error)
                                                                                         : status;
}

static void hold(struct contest *contest, const struct device_bench *how)
{
    struct error why;
    enum status status = begin_inputs(contest, &why);
    if (status != STATUS_OK)
        skip_all(contest, status, &why);
    if (status != STATUS_OK)
        return;
    for (size_t c = 0; c < contest->count; c++)
        judge(contest, &contest->contestants[c], "");
    for (uint32_t round = 0; round < 2 && how->seconds > 0; round++)
        for (size_t c = 0; c < contest->count && !interrupt_requested(); c++)
            if (contest->contestants[c].active)
                take_turn(contest, &contest->contestants[c], round, how->seconds / 2);
    dataset_renew(contest->data);
    status = begin_inputs(contest, &why);
    if (status != STATUS_OK)
        skip_all(contest, status, &why);
    for (size_t c = 0; status == STATUS_OK && c < contest->count; c++)
        if (contest->contestants[c].active)
            judge(contest, &contest->contestants[c], "after the timing");
}

/* The model of bench.h; 0 where a measurement that it needs is missing. `one`: the index of one device's. */
static double predict(const struct contest *contest, const struct measurement_list *list, size_t index, size_t one)
{
    const struct device_rung *rung = NULL;
    size_t count = contest->group.count;
    double links = 0;
    for (size_t c = 0; c < contest->count; c++) {
        const struct contestant *contestant = &contest->contestants[c];
        if (contestant->measurement == index)
            rung = contestant->rung;
        if (contestant->rung == &link_probe)
            links = measurement_summary(&list->items[contestant->measurement], PHASE_COMPUTE).median;
    }
    double alone = measurement_summary(&list->items[one], PHASE_COMPUTE).median;
    bool needs_links = contest->ladder->link_bytes && contest->ladder->link_bytes(contest->problem, count) > 0;
    if (count == 1 || !rung || is_probe(rung) || !rung->needs || /* host memory is no link of the model */
        alone <= 0 || (needs_links && links <= 0))
        return 0;
    /* Weak scaling: one device's problem was smaller than this one. */
    double grown = list->items[index].work / list->items[one].work;
    double share = rung->work ? rung->work(contest->problem, count) : 1.0 / (double)count;
    double work = alone * grown * share;
    return !rung->overlaps ? work + links : work > links ? work : links;
}

static enum status bench_on(const struct device_ladder *ladder, const struct problem *problem, struct dataset *data,
                            const struct device_group *group, const struct device_bench *how, size_t one,
                            struct measurement_list *list, struct error *error)
{
    struct contest *contest = calloc(1, sizeof *contest);
    size_t first = list->count;
    struct error why;
    char reason[256];
    if (!contest)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    *contest = (struct contest){.ladder = ladder, .problem = problem, .group = *group, .data = data, .list = list};
    enum status status = enter_all(contest, how, error);
    if (status == STATUS_OK) {
        const char *refused = group->count > 1 ? problem_field_refused(problem, "") : NULL;
        if (!refused && ladder->refuses && group->count > 1)
            refused = ladder->refuses(problem, group->count, reason, sizeof reason);
        enum status placed = refused ? fail(&why, STATUS_UNAVAILABLE, "%s", refused)
                                     : placement_create(ladder, &contest->group, data, &contest->placement, &why);
        if (placed == STATUS_OK && group->count > 1)
            nccl_open(&contest->group, &contest->nccl, &contest->why_no_nccl);
        if (placed == STATUS_OK)
            hold(contest, how);
        else
            skip_all(contest, placed, &why);
        nccl_close(contest->nccl);
        placement_destroy(&contest->placement);
        reference_bits_free(&contest->bits);
    }
    for (size_t i = first; i < list->count; i++) {
        struct measurement *made = &list->items[i];
        snprintf(made->ceiling, sizeof made->ceiling, "%s", made->kind == MEASURED_PROBE ? "" : link_probe.name);
        made->predicted = predict(contest, list, i, one);
        if (how->finished)
            how->finished(how->finished_context, made);
    }
    free(contest);
    return status;
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */

static enum status check_names(const struct device_ladder *ladder, const struct device_bench *how, struct error *error)
{
    const char *names[RUNGS_MAX];
    for (size_t r = 0; r < ladder->rung_count; r++)
        names[r] = ladder->rungs[r]->name;
    for (size_t i = 0; i < how->rung_name_count; i++) {
        bool known = false;
        for (size_t r = 0; r < ladder->rung_count; r++)
            known = known || strcmp(names[r], how->rung_names[i]) == 0;
        const char *closest = known ? NULL : text_closest(how->rung_names[i], names, ladder->rung_count);
        if (!known)
            return fail(error, STATUS_INVALID, "%s has no rung '%.60s' over devices; did you mean '%s'?",
                        ladder->kernel->name, how->rung_names[i], closest ? closest : names[0]);
    }
    return STATUS_OK;
}

/* 1, 2, 4, …, and all devices. */
static size_t next_count(size_t count, size_t all)
{
    return count == all ? 0 : 2 * count < all ? 2 * count : all;
}

enum status device_bench(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, const struct device_bench *how,
                         struct measurement_list *list, struct error *error)
{
    struct dataset data = {0};
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = check_names(ladder, how, error);
    const size_t one = list->count;
    for (size_t count = 1; status == STATUS_OK && count; count = next_count(count, group->count)) {
        struct problem sized = *problem;
        struct device_group first = group_first(group, count);
        if (how->weak)
            device_ladder_grow(ladder, &sized, count);
        if (interrupt_requested())
            status = fail(error, STATUS_INTERRUPTED, "interrupted");
        if (status == STATUS_OK && how->progress)
            how->progress(how->progress_context, first.name, (double)(count - 1) / (double)group->count);
        if (status == STATUS_OK && (how->weak || count == 1)) {
            dataset_destroy(&data);
            status = dataset_create(&sized, &data, error);
        }
        if (status == STATUS_OK)
            status = bench_on(ladder, &sized, &data, &first, how, one, list, error);
    }
    dataset_destroy(&data);
    return status;
}

enum status device_check(const struct device_ladder *ladder, const struct problem *problem,
                         const struct device_group *group, struct measurement_list *list, struct error *error)
{
    const struct device_bench how = {.seconds = 0};
    struct dataset data;
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &data, error);
    if (status != STATUS_OK)
        return status;
    status = bench_on(ladder, problem, &data, group, &how, list->count, list, error);
    dataset_destroy(&data);
    return status;
}
