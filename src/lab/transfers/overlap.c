#include "lab/transfers/overlap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/under_way.h"
#include "base/unpredictable.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"
#include "lab/bench/watch.h"
#include "lab/transfers/overlap_job.h"

#define LEAST_SAMPLES 3
#define MOST_SAMPLES 30
#define AUDITED_ONE_IN 8 /* one sample in 8 is audited */

struct overlap_options overlap_defaults(void)
{
    return (struct overlap_options){
        .queues = {1, 2, 4, 8, OVERLAP_BY_PHASE}, .queues_count = 5, .memory = MEMORY_PINNED, .seconds = 0.5};
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

static enum status prepare(struct job *job, const struct overrides *overrides, struct error *error)
{
    unsigned most = 3; /* one for each phase */
    for (size_t q = 0; q < job->options->queues_count; q++)
        most = job->options->queues[q] > most ? job->options->queues[q] : most;
    struct device *device = job->candidate->device;
    if (memory_kind_is_shared(job->options->memory))
        return fail(error, STATUS_INVALID, "%s memory is not copied: there is nothing to overlap",
                    memory_kind_name(job->options->memory));
    /* The whole job and the partitioned job have separate arrays, and both may be pinned. */
    enum status status = memory_need_check(job->problem, job->candidate, 1, 2, error);
    if (status == STATUS_OK)
        status = chunk_layout_create(job->problem, device, 1, &job->whole, error);
    if (status == STATUS_OK)
        status = partition_job(&job->whole, job->options->parts, &job->cut, error);
    if (status == STATUS_OK)
        status = job_streams_create(&job->whole, 2, job->candidate, overrides, &job->whole_lanes, error);
    if (status == STATUS_OK)
        status = job_streams_create(&job->cut, most, job->candidate, overrides, &job->cut_lanes, error);
    if (status == STATUS_OK)
        status = dataset_create(job->problem, &job->data, error);
    return status == STATUS_OK ? job_take_memory(job, error) : status;
}

/* ---- forms ---------------------------------------------------------------------------------------------------- */

static bool is_by_phase(const struct form *form)
{
    return form->in_parts && form->queues == OVERLAP_BY_PHASE;
}

static enum status add_measurement(struct job *job, struct form *form, struct error *error)
{
    struct measurement *measurement = measurement_list_add(job->list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    form->measurement = job->list->count - 1;
    describe_measurement(measurement, job->problem, job->candidate, form->ceiling && !form->both_ways);
    char problem[PROBLEM_TEXT_MAX];
    snprintf(measurement->kernel, sizeof measurement->kernel, "overlap");
    snprintf(measurement->problem, sizeof measurement->problem, "overlap:%s", problem_text(job->problem, problem));
    text_append(measurement->parameters, sizeof measurement->parameters, "%smemory=%s",
                measurement->parameters[0] ? " " : "", memory_kind_name(job->options->memory));
    measurement->batch = 1;
    if (form->ceiling)
        snprintf(measurement->rung, sizeof measurement->rung, "%s", form->ceiling);
    else
        text_append(measurement->parameters, sizeof measurement->parameters, " queues=%u%s parts=%zu",
                    is_by_phase(form) ? 3 : form->queues, is_by_phase(form) ? " by=phase" : "",
                    form->in_parts ? job->cut.count : 1);
    return STATUS_OK;
}

static enum status add_timeline(struct job *job, struct form *form, struct error *error)
{
    struct timeline_list *list = job->timelines;
    struct timeline *items = reallocarray(list->items, list->count + 1, sizeof *items);
    if (items)
        list->items = items;
    struct timeline_part *parts = items ? calloc(job->cut.count, sizeof *parts) : NULL;
    if (!parts)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a timeline of %zu parts", job->cut.count);
    form->timeline = list->count;
    list->items[list->count++] = (struct timeline){.measurement = form->measurement,
                                                   .queues = is_by_phase(form) ? 3 : form->queues,
                                                   .by_phase = is_by_phase(form),
                                                   .count = job->cut.count,
                                                   .parts = parts};
    return STATUS_OK;
}

static enum status list_forms(struct job *job, struct error *error)
{
    struct form forms[OVERLAP_KINDS_MAX] = {
        {.ceiling = "copy-in", .phases = LANES_IN, .queues = 1},
        {.ceiling = "compute", .phases = LANES_COMPUTE, .queues = 1},
        {.ceiling = "copy-out", .phases = LANES_OUT, .queues = 1},
        {.ceiling = "both-ways", .both_ways = true, .queues = 2},
        {.phases = LANES_ALL, .queues = 1},
    };
    int count = 5;
    for (size_t q = 0; q < job->options->queues_count; q++)
        forms[count++] = (struct form){.phases = LANES_ALL, .queues = job->options->queues[q], .in_parts = true};
    enum status status = STATUS_OK;
    for (int f = 0; status == STATUS_OK && f < count; f++) {
        status = add_measurement(job, &forms[f], error);
        if (status == STATUS_OK && forms[f].in_parts)
            status = add_timeline(job, &forms[f], error);
        forms[f].active = true;
        job->forms[f] = forms[f];
        job->form_count = f + 1;
    }
    return status;
}

static enum status run_form(struct job *job, const struct form *form, double *nanoseconds, struct error *error)
{
    struct job_streams *lanes = form->in_parts ? &job->cut_lanes : &job->whole_lanes;
    int64_t start = clock_now();
    enum status status =
        form->both_ways ? job_streams_both_ways(lanes, job->from, job->to, job->joined, error)
                        : job_streams_pass(lanes, form->queues, form->phases, job->from, job->to, job->joined, error);
    *nanoseconds = (double)(clock_now() - start);
    return status;
}

/* ---- verifying ------------------------------------------------------------------------------------------------ */

/* Single phases produce no result to judge; the job is judged whenever phases are timed beside it. */
static enum status verify(struct job *job, const struct form *form, struct error *error)
{
    double nanoseconds;
    if (form->ceiling)
        return run_form(job, form, &nanoseconds, error);
    enum status status = job_spoil(job, form->in_parts ? &job->cut : &job->whole, error);
    if (status == STATUS_OK)
        status = run_form(job, form, &nanoseconds, error);
    if (status == STATUS_OK)
        status = job_judge(job, form, error);
    return dataset_tell_seed(&job->data, status, error);
}

/* Audits one more run, made as the timed ones are. */
static enum status audit(struct job *job, const struct form *form, struct error *error)
{
    double nanoseconds = 0;
    enum status status = form->ceiling ? STATUS_OK : job_refresh(job, error);
    if (status == STATUS_OK && !form->ceiling)
        status = run_form(job, form, &nanoseconds, error);
    if (status == STATUS_OK && !form->ceiling)
        status = job_judge(job, form, error);
    return status == STATUS_OK ? status : fail_in(error, status, "in a timed run");
}

static void verify_all(struct job *job, enum status (*look)(struct job *, const struct form *, struct error *))
{
    for (int f = 0; f < job->form_count && !interrupt_requested(); f++) {
        struct error why;
        struct form *form = &job->forms[f];
        if (job_measured(job, form)->verdict != VERDICT_PASS)
            continue;
        enum status status = look(job, form, &why);
        if (status != STATUS_OK)
            conclude_measurement(job_measured(job, form), verdict_of(status), why.text);
        form->active = status == STATUS_OK;
    }
}

/* ---- timing --------------------------------------------------------------------------------------------------- */

static enum status visit(struct job *job, struct form *form, uint32_t round, struct error *error)
{
    struct measurement *measurement = job_measured(job, form);
    double nanoseconds = 0;
    enum status status = form->ceiling ? STATUS_OK : job_refresh(job, error);
    if (status == STATUS_OK)
        status = run_form(job, form, &nanoseconds, error);
    if (status == STATUS_OK && (!samples_add(&measurement->phases[PHASE_COMPUTE], nanoseconds, round) ||
                                !samples_add(&measurement->phases[PHASE_END_TO_END], nanoseconds, round)))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    if (status == STATUS_OK && !form->ceiling && unpredictable_below(AUDITED_ONE_IN) == 0) {
        status = job_judge(job, form, error);
        status = status == STATUS_OK ? status : fail_in(error, status, "in a timed run");
    }
    size_t count = measurement->phases[PHASE_COMPUTE].count;
    form->spent += nanoseconds;
    form->active = status == STATUS_OK && count < MOST_SAMPLES &&
                   (count < LEAST_SAMPLES || form->spent < job->options->seconds * 1e9);
    return status;
}

/* Times every form in every round, until the slowest form has used its time. */
static void hold_rounds(struct job *job)
{
    int left = 1;
    for (uint32_t round = 0; left > 0 && !interrupt_requested(); round++) {
        left = 0;
        for (int f = 0; f < job->form_count && !interrupt_requested(); f++) {
            struct form *form = &job->forms[f];
            struct error why;
            if (job->options->progress)
                job->options->progress(job->options->progress_context, form->ceiling ? form->ceiling : "parts",
                                       0.2 + 0.6 * form->spent / (job->options->seconds * 1e9 + form->spent));
            enum status status = form->active ? visit(job, form, round, &why) : STATUS_OK;
            if (status != STATUS_OK)
                conclude_measurement(job_measured(job, form), status == STATUS_FAILED ? VERDICT_FAIL : VERDICT_ERROR,
                                     why.text);
            left += form->active;
        }
    }
}

/* Records timestamps in separate runs, after the samples, because timed events cost time. */
static void draw_all(struct job *job)
{
    for (int f = 0; f < job->form_count && !interrupt_requested(); f++) {
        struct error why;
        const struct form *form = &job->forms[f];
        if (!form->in_parts || job_measured(job, form)->verdict != VERDICT_PASS)
            continue;
        struct timeline_part *parts = job->timelines->items[form->timeline].parts;
        if (job_streams_timeline(&job->cut_lanes, form->queues, job->from, job->to, job->joined, parts, &why) !=
            STATUS_OK)
            conclude_measurement(job_measured(job, form), VERDICT_ERROR, why.text);
    }
}

static void conclude_all(struct job *job)
{
    for (int f = 0; f < job->form_count; f++) {
        struct measurement *measurement = job_measured(job, &job->forms[f]);
        if (measurement->verdict == VERDICT_PASS && !measurement->phases[PHASE_COMPUTE].count)
            conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
        const struct measurement *ceiling = measurement_ceiling(job->list, measurement);
        if (measurement->kind != MEASURED_PROBE && ceiling)
            snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", ceiling->rung);
    }
}

bool overlap_prefers(const struct rung *rung, const struct device *device)
{
    bool has = false;
    for (size_t i = 0; i < rung->tunable_count; i++)
        has = has || strcmp(rung->tunables[i].name, OVERLAP_TUNABLE) == 0;
    return has && !device->properties.is_cpu;
}

/* A part's data are read from the device's caches once. A rung with a tunable for that case gets it, unless the user
 * set it. */
static struct overrides with_once(const struct overrides *overrides)
{
    struct overrides own = *overrides;
    struct error ignored;
    for (size_t i = 0; i < own.count; i++)
        if (strcmp(own.items[i].name, OVERLAP_TUNABLE) == 0)
            return own;
    overrides_add(&own, OVERLAP_TUNABLE "=1", &ignored); /* no room: the tunable keeps its value */
    return own;
}

enum status lab_overlap(const struct problem *problem, const struct candidate *candidate,
                        const struct overrides *overrides, const struct overlap_options *options,
                        struct measurement_list *list, struct timeline_list *timelines, struct error *error)
{
    struct overrides once = with_once(overrides);
    struct candidate own;
    struct job job = {.problem = problem, .candidate = &own, .options = options, .list = list, .timelines = timelines};
    struct error why;
    struct floating_scope floating;
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = candidate_make(candidate->device, candidate->rung, problem, &once, &own, error);
    if (status != STATUS_OK)
        return status;
    floating_scope_begin(&floating);
    watch_begin(&own, problem);
    enum status prepared = prepare(&job, &once, &why);
    if (prepared == STATUS_INVALID) {
        status = fail(error, prepared, "%s", why.text);
    } else if (prepared != STATUS_OK) {
        struct form none = {.phases = LANES_ALL};
        status = add_measurement(&job, &none, error);
        if (status == STATUS_OK)
            conclude_measurement(job_measured(&job, &none), verdict_of(prepared), why.text);
    } else {
        status = list_forms(&job, error);
        if (status == STATUS_OK) {
            verify_all(&job, verify);
            hold_rounds(&job);
            draw_all(&job);
            verify_all(&job, audit);
            dataset_renew(&job.data);
            job_bring_inputs(&job);
            verify_all(&job, verify);
            conclude_all(&job);
        }
    }
    job_give_back(&job);
    under_way_end();
    floating_scope_end(&floating);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
