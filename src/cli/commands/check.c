/* uskor check: verify without timing. */
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/random.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/time_needed.h"
#include "judge/judge.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/overhead.h"
#include "lab/verification/check.h"
#include "lab/verification/check_companions.h"
#include "lab/verification/check_samples.h"
#include "lab/verification/check_turns.h"

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    enum check_extent extent;
    struct judge judge;
    uint32_t sample_seed;
    size_t samples;   /* combinations of tunables tried */
    double rehearsed; /* seconds of the estimate that OpenCL on a CPU takes */
};

static const char doc[] = N_(
    "Verify every rung at sizes prone to errors and on every element type.\n\n"
    "A KERNEL stands for its edge cases; a PROBLEM (transpose:rows=3,cols=5,u8) for itself. Without any, "
    "every "
    "kernel is "
    "checked. Outputs are poisoned before each run and stand between canaries; inputs must come out unchanged. Rungs "
    "with "
    "tunables are tried with other values, too, drawn at random, and rungs of the CPU with 1 to 8 threads. Some of the "
    "problems are drawn at random.");

static const struct option options[] = {
    {"small", 0, NULL, N_("Only sizes that sanitizers get through quickly"),
     SETS_VALUE(struct arguments, extent, CHECK_SMALL)},
    {"tiny", 0, NULL, N_("Only what simulated devices get through: fewer sizes, one type of each size"),
     SETS_VALUE(struct arguments, extent, CHECK_TINY)},
    {"large", 0, NULL, N_("Only one problem of 2^31 elements for each kernel, where there is memory for it"),
     SETS_VALUE(struct arguments, extent, CHECK_LARGE)},
    {"sample-seed", 0, "N", N_("Draw other problems and values of the tunables than those of seed 1"),
     SETS_WHOLE(struct arguments, sample_seed, 0, UINT32_MAX)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .args_doc = N_("[KERNEL|PROBLEM]…"),
    .doc = doc,
    .shared = &measuring_without_times,
};

#define RUNGS_MOST 64

/* The problems of one check on one device, and the rungs for it. */
struct round {
    struct arguments *arguments;
    const struct problem *problems;
    size_t count;
    struct device *device;
    const struct rung *rungs[RUNGS_MOST];
    size_t rung_count;
    bool takes_turns;                     /* they are compiled, and few sizes are asked for */
    const struct rung *turns[RUNGS_MOST]; /* those of them that are checked on the next problem */
    size_t turn_count;
};

static enum status check_rungs(struct round *round, const struct problem *problem, const struct rung *const *rungs,
                               size_t count, const struct overrides *overrides, struct error *error)
{
    struct arguments *arguments = round->arguments;
    struct bench_session *session = &arguments->session;
    if (isolation_wanted(&session->isolation, &round->device, 1, true))
        return judge_check(&arguments->judge, problem, round->device, rungs, count, overrides, &session->list, error);
    return lab_check(problem, round->device, rungs, count, overrides, &session->list, error);
}

/* With other numbers of threads than the default: four of them for quick problems where all problems are asked for,
 * else one in turn. */
static enum status check_threads(struct round *round, size_t index, struct error *error)
{
    struct bench_session *session = &round->arguments->session;
    int before = omp_get_max_threads();
    enum status status = STATUS_OK;
    bool all = round->arguments->extent == CHECK_ALL && check_is_light(&round->problems[index]);
    if (round->device->backend->kind != BACKEND_CPU || session->threads || round->arguments->extent == CHECK_LARGE)
        return STATUS_OK;
    for (size_t t = 0; status == STATUS_OK && t < CHECK_THREAD_COUNTS; t++) {
        if (check_thread_counts[t] == before || !check_threads_meet(index, t, all))
            continue;
        status = threads_suffice(check_thread_counts[t], 0, error);
        if (status != STATUS_OK)
            break;
        threads_set(check_thread_counts[t]);
        status = check_rungs(round, &round->problems[index], round->rungs, round->rung_count,
                             &session->selection.overrides, error);
    }
    threads_set(before);
    return status;
}

/* Combinations of a rung that is compiled for each of them. */
#define COMPILED_SAMPLES 24

/* How many of a rung's combinations are tried over all problems. */
static size_t samples_of(const struct round *round)
{
    bool compiles = round->device->backend->kind != BACKEND_CPU;
    if (round->arguments->extent == CHECK_ALL)
        return compiles && round->count > COMPILED_SAMPLES ? COMPILED_SAMPLES : round->count;
    return round->arguments->extent == CHECK_SMALL ? (compiles ? 2 : 8) : 0;
}

/* Values of the tunables: combination `k` of a rung, drawn for one problem. Of those that are compiled the first ones
 * give every tunable each of its values, and two tunables all pairs of their ends. */
static bool draw_sample(const struct round *round, const struct rung *rung, const struct problem *problem, size_t k,
                        struct overrides *sample)
{
    const struct arguments *arguments = round->arguments;
    const struct overrides *set = &arguments->session.selection.overrides;
    if (arguments->extent == CHECK_ALL && round->device->backend->kind != BACKEND_CPU && k < check_setting_count(rung))
        return check_setting(rung, problem, round->device, set, arguments->sample_seed, k, sample);
    return check_sample(rung, problem, round->device, set, arguments->sample_seed, k, sample);
}

/* The problem for which combination `k` of `samples` is drawn. Where all problems are checked, each has one sample. */
static size_t problem_of_sample(const struct round *round, size_t rung, size_t k, size_t samples)
{
    return samples == round->count ? k : random_word(round->arguments->sample_seed, rung * samples + k) % round->count;
}

/* Each combination is tried on the problem for which it is drawn. One that is compiled is tried on problems that have
 * the same program, too: a fault of one value may need one remainder of a side. */
static enum status check_tunables(struct round *round, size_t index, struct error *error)
{
    const bool spreads = round->arguments->extent == CHECK_ALL && round->device->backend->kind != BACKEND_CPU;
    const size_t samples = samples_of(round);
    enum status status = STATUS_OK;
    for (size_t r = 0; r < round->rung_count; r++)
        for (size_t k = 0; status == STATUS_OK && k < samples; k++) {
            struct overrides sample;
            const size_t first = problem_of_sample(round, r, k, samples);
            const bool is_companion = spreads && check_is_companion(round->problems, round->count, first, index);
            if ((first != index && !is_companion) ||
                !draw_sample(round, round->rungs[r], &round->problems[first], k, &sample) ||
                (is_companion &&
                 !check_sample_serves(round->rungs[r], &round->problems[index], round->device, &sample)))
                continue;
            round->arguments->samples += first == index;
            status = check_rungs(round, &round->problems[index], &round->rungs[r], 1, &sample, error);
        }
    return status;
}

/* The rungs of this device, so that each is checked where it can run and listed once. */
static enum status choose_rungs(struct round *round, const struct kernel *kernel, struct error *error)
{
    const struct selection *selection = &round->arguments->session.selection;
    const struct rung *chosen[RUNGS_MOST];
    size_t chosen_count;
    if (selection->wants_choice)
        return fail(error, STATUS_INVALID, "--rung %s: 'uskor check' checks every rung, or those with a name",
                    SELECTION_CHOICE);
    enum status status = selection_rungs(selection, kernel, chosen, RUNGS_MOST, &chosen_count, error);
    round->rung_count = 0;
    for (size_t i = 0; status == STATUS_OK && i < chosen_count; i++)
        if (selection_belongs(selection, chosen[i], round->device))
            round->rungs[round->rung_count++] = chosen[i];
    return status;
}

static void choose_turns(struct round *round, const struct problem *problem)
{
    round->turn_count = 0;
    for (size_t r = 0; r < round->rung_count; r++)
        if (!round->takes_turns || check_has_turn(round->rungs[r], r, problem, round->device))
            round->turns[round->turn_count++] = round->rungs[r];
}

/* Enters the step of one problem; false while they are only counted. */
static bool begin_problem(struct round *round, const struct problem *problem)
{
    struct arguments *arguments = round->arguments;
    struct progress *progress = &arguments->session.progress;
    char text[PROBLEM_TEXT_MAX];
    const double runs = 1 + (double)samples_of(round) / (double)round->count +
                        (round->device->backend->kind != BACKEND_CPU                 ? 0
                         : arguments->extent == CHECK_ALL && check_is_light(problem) ? CHECK_THREAD_COUNTS
                                                                                     : 1);
    const double seconds = time_needed_to_check(problem, round->device, round->turn_count, runs);
    const bool is_begun = progress_step(progress, problem->kernel->name, seconds);
    arguments->rehearsed += !is_begun && device_rehearses(round->device) ? seconds : 0;
    if (is_begun)
        progress_show(progress, problem_text(problem, text), 0);
    return is_begun;
}

/* All problems on one device. */
static enum status check_round(struct round *round, struct error *error)
{
    struct bench_session *session = &round->arguments->session;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < round->count; i++) {
        status = choose_rungs(round, round->problems[i].kernel, error);
        choose_turns(round, &round->problems[i]);
        if (status != STATUS_OK || !begin_problem(round, &round->problems[i]))
            continue;
        status = check_rungs(round, &round->problems[i], round->turns, round->turn_count, &session->selection.overrides,
                             error);
        if (status == STATUS_OK)
            status = check_threads(round, i, error);
        if (status == STATUS_OK)
            status = check_tunables(round, i, error);
    }
    return status;
}

static void set_seeds(const struct bench_session *session, struct problem *problems, size_t count)
{
    for (size_t i = 0; session->has_seed && i < count; i++)
        problems[i].seed = session->seed;
}

static enum status check_kernel_on(struct arguments *arguments, const struct kernel *kernel, struct device *device,
                                   struct error *error)
{
    struct problem *problems;
    struct round round = {.arguments = arguments,
                          .device = device,
                          .takes_turns = arguments->extent == CHECK_SMALL && device->backend->kind != BACKEND_CPU};
    enum status status =
        check_problems(kernel, arguments->extent, device, arguments->sample_seed, &problems, &round.count, error);
    if (status != STATUS_OK)
        return status;
    round.problems = problems;
    set_seeds(&arguments->session, problems, round.count);
    for (size_t i = 0; arguments->extent == CHECK_LARGE && status == STATUS_OK && i < round.count; i++) {
        status = check_memory(&problems[i], error);
        if (status == STATUS_UNAVAILABLE) {
            if (arguments->session.progress.is_counting)
                fprintf(stderr, "uskor: %s: %s\n", kernel->name, say_message(error->text));
            round.count = 0;
            status = STATUS_OK;
        }
    }
    if (status == STATUS_OK)
        status = check_round(&round, error);
    free(problems);
    return status;
}

static enum status check_kernel(struct arguments *arguments, const struct kernel *kernel, struct error *error)
{
    const struct selection *selection = &arguments->session.selection;
    double overhead;
    /* The null device must fail the check, or no verdict below is worth anything. */
    enum status status = arguments->session.progress.is_counting ? STATUS_OK : lab_overhead(kernel, &overhead, error);
    if (status == STATUS_UNAVAILABLE)
        status = STATUS_OK;
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++)
        status = check_kernel_on(arguments, kernel, selection->devices[d], error);
    return status;
}

/* One problem, or a range, as the user gave it: with the defaults, and on the cpu with every number of threads. */
static enum status check_given(struct arguments *arguments, struct problem *problems, size_t count, struct error *error)
{
    const struct selection *selection = &arguments->session.selection;
    enum status status = STATUS_OK;
    set_seeds(&arguments->session, problems, count);
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++) {
        struct round round = {
            .arguments = arguments, .problems = problems, .count = count, .device = selection->devices[d]};
        for (size_t i = 0; status == STATUS_OK && i < count; i++) /* before a word of how long it takes */
            status = memory_need_check_on(&problems[i], round.device, error);
        if (status == STATUS_OK)
            status = check_round(&round, error);
    }
    return status;
}

static enum status check_target(struct arguments *arguments, const char *target, struct error *error)
{
    if (!strchr(target, ':')) {
        const struct kernel *kernel = kernel_by_name(target, error);
        return kernel ? check_kernel(arguments, kernel, error) : STATUS_INVALID;
    }
    struct problem *problems;
    size_t count;
    enum status status = problem_parse_range(target, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    status = check_given(arguments, problems, count, error);
    free(problems);
    return status;
}

static enum status kernel_of(const char *target, const struct kernel **kernel, struct error *error)
{
    struct problem *problems;
    size_t count;
    if (!strchr(target, ':')) {
        *kernel = kernel_by_name(target, error);
        return *kernel ? STATUS_OK : STATUS_INVALID;
    }
    enum status status = problem_parse_range(target, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    *kernel = problems[0].kernel;
    free(problems);
    return STATUS_OK;
}

/* Before anything is checked: each kernel that was named has the chosen rungs; of all kernels, those that have them are
 * checked, and one at least does. */
static enum status check_choice(const struct bench_session *session, struct error *error)
{
    enum status status = STATUS_OK;
    const struct kernel *kernel;
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++) {
        status = kernel_of(session->targets[i], &kernel, error);
        if (status == STATUS_OK)
            status = selection_fits(&session->selection, kernel, error);
    }
    if (session->target_count)
        return status;
    for (size_t k = 0; kernels[k]; k++)
        if ((status = selection_fits(&session->selection, kernels[k], error)) == STATUS_OK)
            return STATUS_OK;
    return status;
}

static enum status check_all(struct arguments *arguments, struct error *error)
{
    const struct bench_session *session = &arguments->session;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++)
        status = check_target(arguments, session->targets[i], error);
    for (size_t k = 0; status == STATUS_OK && !session->target_count && kernels[k]; k++)
        if (selection_fits(&session->selection, kernels[k], NULL) == STATUS_OK)
            status = check_kernel(arguments, kernels[k], error);
    return status;
}

/* Counted first, so that the whole time is known. */
static enum status count_and_check(struct arguments *arguments, struct error *error)
{
    struct progress *progress = &arguments->session.progress;
    progress->is_counting = true;
    enum status status = check_all(arguments, error);
    progress->is_counting = false;
    if (status != STATUS_OK)
        return status;
    time_needed_tell(progress->total, arguments->rehearsed, N_("--small or fewer kernels make it shorter"));
    return check_all(arguments, error);
}

static void print_checks(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = (const struct arguments *)session;
    report_checks(stream, &session->list, style);
    if (arguments->samples > 0)
        fprintf(stream, tr("tunables: %zu other combinations were tried (--sample-seed %u)\n"), arguments->samples,
                arguments->sample_seed);
}

/* Markdown has a row for each rung, CSV one for each problem. */
static bool write_csv(FILE *stream, const struct bench_session *session)
{
    return session->form == FORM_MARKDOWN ? report_checks_csv(stream, &session->list)
                                          : report_csv(stream, &session->list);
}

int cmd_check(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    bench_session_init(&arguments.session);
    arguments.sample_seed = 1;
    arguments.session.write_csv = write_csv;
    arguments.session.targets_most = TARGETS_MOST;
    arguments.session.keeps_nothing = true; /* nothing is timed */
    options_parse(&usage, argc, argv, &arguments);
    enum status status = comparator_self_test(&error);
    if (status == STATUS_OK)
        status = bench_session_start(&arguments.session, &error);
    arguments.judge.limits.seconds = arguments.session.isolation.seconds;
    if (status == STATUS_OK)
        status = check_choice(&arguments.session, &error);
    if (status == STATUS_OK)
        status = count_and_check(&arguments, &error);
    judge_close(&arguments.judge);
    return bench_session_end(&arguments.session, status, &error, print_checks);
}
