#include "lab/protocols/protocol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/protocols/whole_program.h"
#include "lab/transfers/memory_kinds.h"
#include "publications/measured.h"

/* How long a step of a protocol will take, before it has run: from what is known of it, or of smaller problems. */
#define BUILD_SECONDS 0.3     /* compiling */
#define CHECK_NS_OF_A_BYTE 4  /* making the data, and looking at every element twice */
#define OTHER_RUNS 4          /* a check before, one after, and the warm-up */
#define LEAST_RUNS 5          /* lab_bench takes no fewer unless they take four times its time */
#define PLAYED_GPU_FACTOR 100 /* a processor that plays a GPU, against a publication's GPU */
#define NS_OF_AN_OPERATION 1  /* of a rung that nothing is known of */
#define NS_OF_A_PLAYED_OPERATION 4

/* Work that grows as the time does: operations, or bytes where nothing is computed. */
static double cost_of(const struct problem *problem)
{
    struct cost cost = problem->kernel->cost(problem);
    return fmax(cost.operations, cost.bytes_read + cost.bytes_written);
}

/* The cost at another size over the cost at the step's own. */
static double cost_ratio(const struct protocol_step *step, int64_t size)
{
    char text[PROBLEM_TEXT_MAX];
    struct problem other;
    if (size == step->size || !fill_size(step->run->problem, size, text, sizeof text) ||
        problem_parse(text, &other, NULL) != STATUS_OK)
        return 1;
    double own = cost_of(&step->problem), cost = cost_of(&other);
    return own > 0 && cost > 0 ? cost / own : 1;
}

/* The time of one run in ns, from the measurement at the nearest size; 0 when there is none. */
static double from_measurements(const struct protocol_step *step, const struct measurement_list *list, bool whole)
{
    const struct publication_run *run = step->run;
    double nearest = 0, time = 0;
    for (size_t i = 0; list && i < (run->size_count ? run->size_count : 1); i++) {
        int64_t size = run->size_count ? run->sizes[i] : 0;
        struct mean mean = measured_mean(list, run, size, NULL, step->candidate.device->id, whole);
        double ratio = cost_ratio(step, size), distance = fabs(log(ratio));
        if (mean.value > 0 && (time <= 0 || distance < nearest)) {
            nearest = distance;
            time = mean.value / ratio;
        }
    }
    return time;
}

/* A processor that plays a GPU. */
static bool plays_gpu(const struct device *device)
{
    return technology_of_device(device->id) != TECHNOLOGY_CPU && device->properties.is_cpu;
}

static double from_operations(const struct protocol_step *step)
{
    const struct device *device = step->candidate.device;
    uint32_t units = device->properties.units ? device->properties.units : 1;
    return (plays_gpu(device) ? NS_OF_A_PLAYED_OPERATION : NS_OF_AN_OPERATION) * cost_of(&step->problem) / units;
}

static double from_publication(const struct publication *publication, const struct protocol_step *step)
{
    const struct publication_run *run = step->run;
    enum technology technology = technology_of_device(step->candidate.device->id);
    double nearest = 0, time = 0;
    for (size_t i = 0; i < (run->size_count ? run->size_count : 1); i++) {
        struct tie tie = {.run = run, .size = run->size_count ? run->sizes[i] : 0, .technology = technology};
        double mean, deviation;
        if (!published_time(publication, &tie, &mean, &deviation)) {
            tie.technology = 0;
            if (!published_time(publication, &tie, &mean, &deviation))
                continue;
        }
        double ratio = cost_ratio(step, tie.size), distance = fabs(log(ratio));
        if (time <= 0 || distance < nearest) {
            nearest = distance;
            time = mean / ratio;
        }
    }
    /* What a publication's small sizes have cost is often the way there, which a processor does not go. */
    return plays_gpu(step->candidate.device) && time > 0 ? fmin(time * PLAYED_GPU_FACTOR, from_operations(step)) : time;
}

/* Seconds for the whole step, checks and warm-up included. `known` are measurements to estimate from, the newest last;
 * each of them may be NULL. */
static double estimate_step_time(const struct publication *publication, const struct protocol_step *step,
                                 const struct protocol_options *options, const struct measurement_list *known,
                                 const struct measurement_list *past, bool *is_guess)
{
    double run = from_measurements(step, known, publication->end_to_end);
    if (run <= 0)
        run = from_measurements(step, past, publication->end_to_end);
    if (is_guess)
        *is_guess = run <= 0;
    if (run <= 0)
        run = from_publication(publication, step);
    if (run <= 0)
        run = from_operations(step);
    double seconds = run / 1e9;
    unsigned repeat = options->bench.repeat ? options->bench.repeat : publication->repeat;
    double timed = repeat
                       ? repeat * seconds
                       : fmax(options->bench.seconds, fmin(LEAST_RUNS * seconds, 4 * options->bench.seconds + seconds));
    struct cost cost = step->problem.kernel->cost(&step->problem);
    double checks = CHECK_NS_OF_A_BYTE * 1e-9 * (cost.bytes_read + cost.bytes_written);
    return BUILD_SECONDS + checks + OTHER_RUNS * seconds + timed;
}

#define GUESS_FACTOR 2
#define ALL_MEMORY_KINDS ((1u << MEMORY_KIND_COUNT) - 1)

/* ---- planning ------------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct publication_run *run, const struct protocol_options *options)
{
    bool wanted = options->rung_count == 0;
    for (size_t i = 0; i < options->rung_count; i++)
        wanted = wanted || strcmp(options->rungs[i], run->rung) == 0;
    return wanted;
}

static enum status check_rungs(const struct publication *publication, const struct protocol_options *options,
                               struct error *error)
{
    const char *names[64];
    size_t count = 0;
    for (size_t i = 0; i < publication->run_count && count < 64; i++)
        names[count++] = publication->runs[i].rung;
    for (size_t i = 0; i < options->rung_count; i++) {
        bool found = false;
        for (size_t n = 0; n < count; n++)
            found = found || strcmp(names[n], options->rungs[i]) == 0;
        const char *closest = found ? NULL : text_closest(options->rungs[i], names, count);
        if (closest)
            return fail(error, STATUS_INVALID, "%s measures no rung '%s'; did you mean '%s'?", publication->name,
                        options->rungs[i], closest);
        if (!found)
            return fail(error, STATUS_INVALID, "%s measures no rung '%s'", publication->name, options->rungs[i]);
    }
    return STATUS_OK;
}

/* The rung's parameters: its own, with what the choice ("BX=1 BY=64") sets. */
static enum status make_candidate(struct protocol_step *step, struct device *device, const char *choice,
                                  struct error *error)
{
    const struct rung *rung = rung_by_name(step->problem.kernel, step->run->rung, error);
    struct overrides overrides = {.count = 0};
    char text[192] = "";
    enum status status = rung ? STATUS_OK : STATUS_INVALID;
    if (choice && !fill_size(choice, step->size, text, sizeof text))
        status = fail(error, STATUS_INVALID, "\"%.40s…\" is too long", choice);
    char *rest = text, *word;
    while (status == STATUS_OK && (word = strsep(&rest, " ")) != NULL)
        if (*word)
            status = overrides_add(&overrides, word, error);
    if (status == STATUS_OK)
        status = overrides_check(&overrides, &rung, 1, error);
    if (status == STATUS_OK)
        status = candidate_make(device, rung, &step->problem, &overrides, &step->candidate, error);
    return status;
}

static enum status add_step(struct protocol *protocol, const struct publication_run *run, int64_t size,
                            const char *choice, struct device *device, struct error *error)
{
    struct protocol_step *grown = reallocarray(protocol->steps, protocol->count + 1, sizeof *grown);
    if (!grown)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu measurements", protocol->count + 1);
    protocol->steps = grown;
    struct protocol_step *step = &grown[protocol->count];
    *step = (struct protocol_step){.run = run, .size = size};
    char text[PROBLEM_TEXT_MAX];
    if (!fill_size(run->problem, size, text, sizeof text))
        return fail(error, STATUS_INVALID, "run %s: the problem's text is too long", run->id);
    enum status status = problem_parse(text, &step->problem, error);
    if (status == STATUS_OK)
        status = make_candidate(step, device, choice, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "run %s", run->id);
    protocol->count++;
    return STATUS_OK;
}

static enum status add_run(struct protocol *protocol, const struct publication_run *run, struct device *device,
                           struct error *error)
{
    enum status status = STATUS_OK;
    size_t choices =
        run->choice_count && run->form == RUN_RUNG ? run->choice_count : 1; /* kinds of memory are one step */
    for (size_t s = 0; status == STATUS_OK && s < (run->size_count ? run->size_count : 1); s++)
        for (size_t c = 0; status == STATUS_OK && c < choices; c++)
            status = add_step(protocol, run, run->size_count ? run->sizes[s] : 0,
                              run->choice_count && run->form == RUN_RUNG ? run->choices[c] : NULL, device, error);
    return status;
}

static double operations_of(const struct problem *problem)
{
    return problem->kernel->cost(problem).operations;
}

/* Small problems first, so that the time of large ones can be reckoned; otherwise in the order of their making, which
 * qsort would not keep. */
static void sort_steps(struct protocol *protocol)
{
    for (size_t i = 1; i < protocol->count; i++) {
        struct protocol_step step = protocol->steps[i];
        size_t at = i;
        for (; at > 0 && operations_of(&protocol->steps[at - 1].problem) > operations_of(&step.problem); at--)
            protocol->steps[at] = protocol->steps[at - 1];
        protocol->steps[at] = step;
    }
}

/* A guessed time excludes a measurement only if it is GUESS_FACTOR times too long. */
static bool takes_too_long(const struct protocol_options *options, double seconds, bool is_guess)
{
    return options->most_seconds > 0 && seconds > options->most_seconds * (is_guess ? GUESS_FACTOR : 1);
}

enum status protocol_plan(const struct publication *publication, struct device *const *devices, size_t device_count,
                          const struct protocol_options *options, const struct measurement_list *past,
                          struct protocol *protocol, struct error *error)
{
    *protocol = (struct protocol){.publication = publication};
    enum status status = check_rungs(publication, options, error);
    for (size_t r = 0; status == STATUS_OK && r < publication->run_count; r++)
        for (size_t d = 0; status == STATUS_OK && d < device_count; d++)
            if (is_wanted(&publication->runs[r], options) &&
                publication->runs[r].technologies & technology_of_device(devices[d]->id))
                status = add_run(protocol, &publication->runs[r], devices[d], error);
    if (status == STATUS_OK && !protocol->count)
        status = fail(error, STATUS_UNAVAILABLE, "nothing of %s runs on the chosen devices", publication->name);
    if (status != STATUS_OK) {
        protocol_free(protocol);
        return status;
    }
    sort_steps(protocol);
    for (size_t i = 0; i < protocol->count; i++) {
        struct protocol_step *step = &protocol->steps[i];
        bool is_guess;
        step->seconds = estimate_step_time(publication, step, options, NULL, past, &is_guess);
        protocol->seconds += takes_too_long(options, step->seconds, is_guess) ? 0 : step->seconds;
    }
    return STATUS_OK;
}

void protocol_free(struct protocol *protocol)
{
    free(protocol->steps);
    *protocol = (struct protocol){0};
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* The bar of the whole protocol, of which one bench moves a part. */
struct part {
    const struct protocol_options *options;
    double done, share; /* of all steps, left out or not */
};

static void show_part(void *context, const char *what, double fraction)
{
    const struct part *part = context;
    part->options->bench.progress(part->options->bench.progress_context, what, part->done + part->share * fraction);
}

static bool ceilings_matter(const struct publication *publication)
{
    bool matter = false;
    for (size_t i = 0; i < publication->claim_count; i++)
        matter = matter || publication->claims[i].kind == CLAIM_CEILING;
    return matter;
}

static bool whole_matters(const struct publication *publication, const struct protocol_step *steps, size_t count)
{
    bool matters = publication->end_to_end;
    for (size_t c = 0; c < publication->claim_count; c++)
        for (size_t i = 0; i < count; i++)
            matters = matters ||
                      (publication->claims[c].kind == CLAIM_WHOLE && publication->claims[c].of.run == steps[i].run);
    return matters;
}

static enum status skip_one(const struct protocol_step *step, const char *kind, const char *reason, bool is_left_out,
                            struct measurement_list *list, struct error *error)
{
    struct measurement *measurement = measurement_list_add(list);
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    describe_measurement(measurement, &step->problem, &step->candidate, false);
    measurement->is_left_out = is_left_out;
    conclude_measurement(measurement, VERDICT_SKIP, reason);
    const char *form = run_form_kernel(step->run->form);
    if (!form)
        return STATUS_OK;
    char text[PROBLEM_TEXT_MAX];
    snprintf(measurement->kernel, sizeof measurement->kernel, "%s", form); /* as what measures it has them */
    snprintf(measurement->problem, sizeof measurement->problem, "%s:%.240s", form, problem_text(&step->problem, text));
    if (kind)
        text_append(measurement->parameters, sizeof measurement->parameters, "%s%s",
                    measurement->parameters[0] ? " " : "", kind);
    return STATUS_OK;
}

static enum status skip(const struct protocol_step *step, const char *reason, bool is_left_out,
                        struct measurement_list *list, struct error *error)
{
    enum status status = STATUS_OK;
    if (step->run->form != RUN_MEMORY_KINDS)
        return skip_one(step, NULL, reason, is_left_out, list, error);
    for (size_t i = 0; status == STATUS_OK && i < step->run->choice_count; i++)
        status = skip_one(step, step->run->choices[i], reason, is_left_out, list, error);
    return status;
}

/* Why the same rung could not run at another size on this device: a library that does not load, for example. NULL: it
 * was measured, or not tried. */
static const char *reason_before(const struct protocol_step *step, const struct measurement_list *known)
{
    for (size_t i = 0; i < known->count; i++) {
        const struct measurement *measurement = &known->items[i];
        if (measurement->verdict == VERDICT_SKIP && !measurement->is_left_out &&
            strcmp(measurement->rung, step->candidate.rung->name) == 0 &&
            strcmp(measurement->device, step->candidate.device->id) == 0 &&
            strcmp(measurement->kernel, step->problem.kernel->name) == 0)
            return measurement->reason;
    }
    return NULL;
}

/* NULL, or why the step is not to be measured: it cannot run (then no data need be made for it), or takes too long;
 * then it is left out. */
static const char *reason_to_skip(const struct protocol *protocol, const struct protocol_step *step,
                                  const struct protocol_options *options, const struct measurement_list *known,
                                  const struct measurement_list *past, bool *is_left_out, char *reason, size_t size)
{
    const struct candidate *candidate = &step->candidate;
    *is_left_out = false;
    if (rung_refuses(candidate->rung, &step->problem, candidate->device, &candidate->parameters, reason, size))
        return reason;
    bool is_guess;
    char most[32];
    double seconds = estimate_step_time(protocol->publication, step, options, known, past, &is_guess);
    if (!takes_too_long(options, seconds, is_guess))
        return NULL;
    const char *before = reason_before(step, known);
    if (before)
        return before;
    *is_left_out = true;
    explain(reason, size, "would take longer than the %s that --quick allows",
            text_duration(options->most_seconds * 1e9, most, sizeof most));
    return reason;
}

static enum status measure(enum run_form form, const struct problem *problem, const struct candidate *candidates,
                           size_t count, const struct bench_options *bench, struct measurement_list *list,
                           struct error *error)
{
    if (form == RUN_MEMORY_KINDS)
        return lab_memory_kinds(problem, candidates, count, ALL_MEMORY_KINDS, bench, list, error);
    if (form == RUN_PROGRAM)
        return lab_whole_program(problem, candidates, count, bench, list, error);
    return lab_bench(problem, candidates, count, bench, list, error);
}

/* One problem: all its steps interleaved, but those that would take too long. */
static enum status run_problem(const struct protocol *protocol, const struct protocol_step *steps, size_t count,
                               const struct protocol_options *options, const struct measurement_list *past,
                               struct part *part, struct measurement_list *list, struct error *error)
{
    struct candidate *candidates = calloc(count, sizeof *candidates);
    size_t taking_part = 0;
    enum status status = candidates ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for %zu rungs", count);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        char text[512];
        bool is_left_out;
        const char *reason = reason_to_skip(protocol, &steps[i], options, list, past, &is_left_out, text, sizeof text);
        if (reason)
            status = skip(&steps[i], reason, is_left_out, list, error);
        else
            candidates[taking_part++] = steps[i].candidate;
    }
    struct bench_options bench = options->bench;
    bench.repeat = bench.repeat ? bench.repeat : protocol->publication->repeat;
    bench.probe_ceilings = ceilings_matter(protocol->publication);
    bench.end_to_end = whole_matters(protocol->publication, steps, count);
    if (bench.progress) {
        bench.progress = show_part;
        bench.progress_context = part;
    }
    if (status == STATUS_OK && taking_part)
        status = measure(steps[0].run->form, &steps[0].problem, candidates, taking_part, &bench, list, error);
    free(candidates);
    return status;
}

/* Whether both can be interleaved. */
static bool same_bench(const struct protocol_step *a, const struct protocol_step *b)
{
    return a->run->form == b->run->form && problem_equals(&a->problem, &b->problem);
}

enum status protocol_run(const struct protocol *protocol, const struct protocol_options *options,
                         const struct measurement_list *past, struct measurement_list *list, struct error *error)
{
    enum status status = STATUS_OK;
    struct part part = {.options = options};
    double all = 0;
    for (size_t i = 0; i < protocol->count; i++)
        all += protocol->steps[i].seconds;
    for (size_t first = 0, next; status == STATUS_OK && first < protocol->count; first = next) {
        double seconds = protocol->steps[first].seconds;
        for (next = first + 1; next < protocol->count && same_bench(&protocol->steps[first], &protocol->steps[next]);
             next++)
            seconds += protocol->steps[next].seconds;
        part.share = all > 0 ? seconds / all : 0;
        if (interrupt_requested())
            return fail(error, STATUS_INTERRUPTED, "interrupted");
        status = run_problem(protocol, &protocol->steps[first], next - first, options, past, &part, list, error);
        part.done += part.share;
    }
    return status;
}
