/* uskor try: verification of the file. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/threads.h"
#include "base/translation.h"
#include "base/unpredictable.h"
#include "cli/commands/try_job.h"
#include "lab/verification/check_draws.h"
#include "lab/verification/check_samples.h"

#define TIMES_MOST 256

#define SETTINGS_MOST 16

/* The small edge cases may take so many times the --limit of one; a device compiles the file for many of them. */
#define SMALL_LIMITS 12
#define SMALL_LIMITS_DEVICE 60

/* Settings of the tunables (lab/verification/check_samples.h) that a device has compiled, each with the problem's type
 * and choices. */
struct try_settings {
    uint32_t seed;
    size_t count;
    struct {
        struct problem problem;
        size_t which;
    } made[SETTINGS_MOST];
};

/* Results of the checks on one device. */
struct tally {
    size_t passed, left_out, unserved;
    bool wrong, is_beyond;
    char skipped[256]; /* reason of the last SKIP */
    double spent;      /* ns of the child, on all problems beyond the small ones */
    size_t seen;       /* number of problems with a known time, for predictions of larger ones */
    struct {
        double bytes, ns;
    } times[TIMES_MOST];
    struct try_settings settings;
};

/* With fewer served edge cases than this, a rung is also tried on squares. */
#define SERVED_LEAST 8

/* A file is tried on the same edge cases as all rungs, as long as that takes seconds. */
#define BEYOND_BYTES 40e6
#define BEYOND_OPERATIONS 6e8
#define BEYOND_NS 3e9 /* in total; after that, the largest of each kind of inputs alone */
#define NEAR 3.0      /* maximum ratio of sizes: noise of a busy machine stays small when it is squared */
#define FAR 30.0
#define ONE_NS 2.5e9 /* for one problem */
#define FAR_APART 8.0
#define QUADRATIC 2.0 /* what a file's time is taken to grow with at most */

/* Problems drawn at random, of those that the file serves: always the same, so that a verdict can be repeated. */
#define DRAWN_FROM 1
#define DRAWS_MOST 96

static double bytes_of(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    double bytes = 0;
    int count;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return INFINITY;
    for (int i = 0; i < count; i++)
        bytes += (double)arrays[i].bytes;
    return bytes;
}

/* CPU time of the child so far, ns; a busy machine adds little to it. */
static double computed(const struct try_job *job, pid_t *child)
{
    clockid_t clock;
    struct timespec time;
    pid_t id = child_worker(&job->judge.child);
    bool known = id > 0 && clock_getcpuclockid(id, &clock) == 0 && clock_gettime(clock, &time) == 0;
    *child = known ? id : 0;
    return known ? (double)time.tv_sec * 1e9 + (double)time.tv_nsec : 0;
}

static bool is_wrong(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
}

/* Predicted time, ns, if the file's time grows with this power of the size. It is the maximum over the measured
 * problems that are at most `reach` times smaller, as some inputs are easier than others; 0 if there are none. The
 * smallest measured time is taken as a constant part, independent of the size. */
static double predict(const struct tally *tally, const struct problem *problem, double reach, double power)
{
    double bytes = bytes_of(problem), always = INFINITY, most = 0;
    for (size_t i = 0; i < tally->seen; i++)
        always = fmin(always, tally->times[i].ns);
    for (size_t i = 0; i < tally->seen; i++) {
        double ratio = fmax(1, bytes / fmax(1, tally->times[i].bytes));
        if (ratio <= reach)
            most = fmax(most, always + (tally->times[i].ns - always) * pow(ratio, power));
    }
    return most;
}

/* The measured problem that took longest, of those of at most so many bytes; `seen` if there is none. */
static size_t longest(const struct tally *tally, double bytes)
{
    size_t found = tally->seen;
    for (size_t i = 0; i < tally->seen; i++)
        if (tally->times[i].bytes <= bytes && (found == tally->seen || tally->times[i].ns > tally->times[found].ns))
            found = i;
    return found;
}

/* The power of the size with which its time has grown over a factor of at least FAR_APART; 1 to 2. */
static double growth(const struct tally *tally)
{
    const size_t late = longest(tally, INFINITY);
    const size_t early = late < tally->seen ? longest(tally, tally->times[late].bytes / FAR_APART) : tally->seen;
    if (early == tally->seen || !(tally->times[early].ns > 0 && tally->times[early].bytes > 0))
        return QUADRATIC;
    return fmin(fmax(1, log(tally->times[late].ns / tally->times[early].ns) /
                            log(tally->times[late].bytes / tally->times[early].bytes)),
                QUADRATIC);
}

/* Whether a file that gave no answer may be slow rather than hang. */
static bool may_be_slow(const struct try_job *job, const struct tally *tally, const struct problem *problem,
                        const struct measurement *measurement)
{
    return tally->is_beyond && measurement->verdict == VERDICT_ERROR &&
           strncmp(measurement->reason, "no answer", strlen("no answer")) == 0 &&
           predict(tally, problem, FAR, QUADRATIC) > job->judge.limits.seconds * 1e9;
}

/* Verifies one problem on one device. Wrong measurements are added to the session's list; others are counted. */
static enum status verify_with(struct try_job *job, const struct problem *problem, struct device *device,
                               const struct overrides *overrides, struct tally *tally, struct error *error)
{
    struct measurement_list list = {0};
    pid_t before, after;
    double start = computed(job, &before);
    size_t passed = tally->passed;
    enum status status = judge_check(&job->judge, problem, device, &job->user.rung, 1, overrides, &list, error);
    if (status == STATUS_OK && list.count && may_be_slow(job, tally, problem, &list.items[list.count - 1])) {
        tally->spent = INFINITY;
        tally->left_out++;
        list.count = 0;
    }
    for (size_t m = 0; status == STATUS_OK && m < list.count && !tally->wrong; m++) {
        tally->passed += list.items[m].verdict == VERDICT_PASS;
        if (list.items[m].verdict == VERDICT_PASS && !tally->is_beyond)
            try_races_offer(job, problem, &list.items[m]);
        if (list.items[m].verdict == VERDICT_SKIP) {
            memcpy(tally->skipped, list.items[m].reason, sizeof tally->skipped);
            tally->unserved++;
        }
        if (!is_wrong(&list.items[m]))
            continue;
        tally->wrong = true;
        struct measurement *kept = measurement_list_add(&job->session.list);
        if (kept) {
            *kept = list.items[m];
            memset(kept->phases, 0, sizeof kept->phases);
            try_guess(job->user.rung, problem, kept);
        }
    }
    double took = computed(job, &after) - start;
    if (after != before)
        took += start; /* a new child: its whole time counts */
    else if (tally->passed > passed && tally->seen < TIMES_MOST) {
        tally->times[tally->seen].bytes = bytes_of(problem);
        tally->times[tally->seen++].ns = took;
    }
    tally->spent += took;
    measurement_list_free(&list);
    return status;
}

static enum status verify_one(struct try_job *job, const struct problem *problem, struct device *device,
                              struct tally *tally, struct error *error)
{
    return verify_with(job, problem, device, &job->session.selection.overrides, tally, error);
}

/* A kernel of one fixed size serves none of the edge cases; it is verified on squares and cubes. */
static enum status verify_squares(struct try_job *job, struct device *device, struct tally *tally, struct error *error)
{
    static const int sizes[] = {1, 2, 3, 17, 32, 33, 64, 100, 129};
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && !tally->wrong && i < COUNT_OF(sizes); i++) {
        char text[PROBLEM_TEXT_MAX];
        struct problem problem;
        snprintf(text, sizeof text, "%s:%d", job->kernel->name, sizes[i]);
        status = problem_parse(text, &problem, error);
        problem.type = job->user.type;
        if (status == STATUS_OK)
            status = verify_one(job, &problem, device, tally, error);
    }
    return status;
}

/* ---- beyond the small ones ------------------------------------------------------------------------------------ */

static int compare_sizes(const void *a, const void *b)
{
    double left = bytes_of(a), right = bytes_of(b);
    return (left > right) - (left < right);
}

/* Whether the problem has this type, takes seconds at most, and is not one of the small ones. */
static bool is_beyond(const struct problem *problem, enum element_type type, const struct problem *small, size_t count)
{
    if (problem->type != type || bytes_of(problem) > BEYOND_BYTES ||
        problem->kernel->cost(problem).operations > BEYOND_OPERATIONS)
        return false;
    for (size_t i = 0; i < count; i++)
        if (problem_equals(problem, &small[i]))
            return false;
    return true;
}

static int64_t inputs_of(const struct problem *problem)
{
    for (size_t f = 0; f < problem->kernel->field_count; f++)
        if (strcmp(problem->kernel->fields[f].name, "input") == 0)
            return problem->values[f].size;
    return 0;
}

/* Whether no larger problem has the same kind of inputs. */
static bool is_largest(const struct problem *problems, size_t count, size_t index)
{
    for (size_t i = index + 1; i < count; i++)
        if (inputs_of(&problems[i]) == inputs_of(&problems[index]))
            return false;
    return true;
}

/* Whether one program serves both problems. */
static bool has_same_program(const struct problem *a, const struct problem *b)
{
    bool is_one = a->type == b->type;
    for (size_t f = 0; f < a->kernel->field_count; f++)
        if (a->kernel->fields[f].kind == FIELD_CHOICE && !a->kernel->fields[f].host_only)
            is_one = is_one && a->values[f].size == b->values[f].size;
        else if (a->kernel->fields[f].unless_taken)
            is_one = is_one && (a->values[f].size == a->kernel->fields[f].initial) ==
                                   (b->values[f].size == b->kernel->fields[f].initial);
    return is_one;
}

/* A setting of the tunables for a device. Once each has been compiled, for some problem, the problems that their
 * programs serve get them again; the others get none. */
static bool draw_setting(const struct try_job *job, const struct problem *problem, size_t index, struct device *device,
                         struct try_settings *settings, struct overrides *drawn)
{
    size_t fitting[SETTINGS_MOST], count = 0, which = settings->count;
    if (which < SETTINGS_MOST && which < check_setting_count(job->user.rung)) {
        settings->made[which].problem = *problem;
        settings->made[which].which = which;
        settings->count++;
    } else {
        for (size_t i = 0; i < settings->count; i++)
            if (has_same_program(problem, &settings->made[i].problem))
                fitting[count++] = settings->made[i].which;
        if (count == 0)
            return false;
        which = fitting[index / 2 % count];
    }
    return check_setting(job->user.rung, problem, device, &job->session.selection.overrides, settings->seed, which,
                         drawn);
}

static bool draw_tunables(const struct try_job *job, const struct problem *problem, size_t index, struct device *device,
                          struct tally *tally, struct overrides *drawn)
{
    if (index % 2 != 0)
        return false;
    if (device->backend->kind != BACKEND_CPU)
        return draw_setting(job, problem, index, device, &tally->settings, drawn);
    return check_sample(job->user.rung, problem, device, &job->session.selection.overrides, (uint32_t)unpredictable(),
                        index, drawn);
}

/* Verifies a problem with another number of threads than the last one. Every second problem also gets other values of
 * the tunables. */
static enum status verify_varied(struct try_job *job, const struct problem *problem, size_t index,
                                 struct device *device, struct tally *tally, struct error *error)
{
    struct overrides sample = job->session.selection.overrides;
    int before = omp_get_max_threads();
    struct overrides drawn;
    if (draw_tunables(job, problem, index, device, tally, &drawn))
        sample = drawn;
    enum status status = STATUS_OK;
    if (device->backend->kind == BACKEND_CPU && !job->session.threads) {
        const int threads = check_thread_counts[index % CHECK_THREAD_COUNTS];
        status = threads_suffice(threads, 0, error);
        if (status != STATUS_OK)
            return status;
        threads_set(threads);
    }
    status = verify_with(job, problem, device, &sample, tally, error);
    threads_set(before);
    return status;
}

/* Adds drawn problems to `list`; a device compiles the file for each. Returns how many. */
static size_t draw(const struct try_job *job, struct device *device, struct problem *list)
{
    const struct draw_target target = {job->kernel, job->user.rung, device, &job->session.selection.overrides,
                                       job->user.type};
    bool on_cpu = device->backend->kind == BACKEND_CPU;
    size_t light = on_cpu ? 84 : 12, count = on_cpu ? DRAWS_MOST : 16, made = 0;
    for (size_t i = 0; i < count; i++)
        made += check_draw_served(&target, DRAWN_FROM, i, i < light ? DRAW_LIGHT : DRAW_MEDIUM, &list[made]);
    return made;
}

/* Where problems were left out, the next one may be far larger than all that are measured. */
static bool takes_too_long(const struct tally *tally, const struct problem *problem)
{
    const double near = predict(tally, problem, NEAR, QUADRATIC);
    return (near > 0 || tally->left_out == 0 ? near : predict(tally, problem, INFINITY, growth(tally))) > ONE_NS;
}

/* Verifies the larger edge cases and the drawn ones, in ascending order of size; all of them if the file is fast. */
static enum status verify_beyond(struct try_job *job, const struct problem *small, size_t small_count,
                                 struct device *device, struct tally *tally, struct error *error)
{
    struct problem *problems;
    size_t count, kept = 0;
    char text[PROBLEM_TEXT_MAX];
    enum status status = check_problems(job->kernel, CHECK_ALL, device, 0, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    struct problem *all = realloc(problems, (count + DRAWS_MOST) * sizeof *problems);
    if (!all) {
        free(problems);
        return fail(error, STATUS_UNAVAILABLE, "no memory for the problems to check");
    }
    problems = all;
    count += draw(job, device, &problems[count]);
    for (size_t i = 0; i < count; i++)
        if (is_beyond(&problems[i], job->user.type, small, small_count))
            problems[kept++] = problems[i];
    qsort(problems, kept, sizeof *problems, compare_sizes);
    tally->is_beyond = true;
    tally->spent = 0;
    struct progress bar = {0};
    for (size_t i = 0; status == STATUS_OK && !tally->wrong && i < kept; i++) {
        if (tally->spent == INFINITY || takes_too_long(tally, &problems[i]) ||
            (tally->spent > BEYOND_NS && !is_largest(problems, kept, i))) {
            tally->left_out++;
            continue;
        }
        progress_show(&bar, problem_text(&problems[i], text), (double)i / (double)kept);
        status = verify_varied(job, &problems[i], i, device, tally, error);
    }
    free(problems);
    return status;
}

/* Right on the small problems, it can be explained beside the verification of the larger ones. */
static void explain_meanwhile(struct try_job *job, const struct device *device)
{
    struct problem *problems;
    size_t count;
    struct error unused;
    char text[PROBLEM_TEXT_MAX];
    if (problem_parse_range(try_first_problem(job, device, text), &problems, &count, &unused) != STATUS_OK)
        return;
    if (count)
        try_advice_start(job, problem_text(&problems[0], text));
    free(problems);
}

/* The small edge cases. A file that sleeps for a little less than the limit in each call would hold its judge up for
 * hours. The time that it waits for a processor does not count. */
static enum status verify_small(struct try_job *job, const struct problem *problems, size_t count,
                                struct device *device, struct tally *tally, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    const int limits = device->backend->kind == BACKEND_CPU ? SMALL_LIMITS : SMALL_LIMITS_DEVICE;
    const double most = limits * job->judge.limits.seconds * 1e9;
    const int64_t begun = clock_now();
    enum status status = STATUS_OK;
    struct progress bar = {0};
    for (size_t i = 0; status == STATUS_OK && !tally->wrong && i < count; i++) {
        if (job->user.compiler[0] && problems[i].type != job->user.type)
            continue;
        progress_show(&bar, problem_text(&problems[i], text), (double)i / (double)count);
        status = verify_one(job, &problems[i], device, tally, error);
        const int64_t spent = clock_now() - begun - child_waited(&job->judge.child);
        if (status == STATUS_OK && !tally->wrong && (double)spent > most)
            status = fail(error, STATUS_FAILED,
                          "%s on %s: takes too long: %.0f s for %zu of %zu small edge cases; a longer --limit allows "
                          "more",
                          job->user.rung->name, device->id, (double)spent / 1e9, i + 1, count);
    }
    return status;
}

static enum status judge_races(struct try_job *job, struct tally *tally, struct error *error)
{
    struct measurement found = {0}, *kept;
    if (!try_races_found(job, &found))
        return STATUS_OK;
    tally->wrong = true;
    if (!(kept = measurement_list_add(&job->session.list)))
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    *kept = found;
    return STATUS_OK;
}

/* What is right was tried: neither what the file's header or parameters refuse, nor what takes too long. */
static void say_untried(const struct tally *tally)
{
    if (tally->unserved)
        fprintf(stderr,
                tr_plural("not tried on %zu edge case that it does not serve: %s\n",
                          "not tried on %zu edge cases that it does not serve, the last one as: %s\n", tally->unserved),
                tally->unserved, tally->skipped);
    if (tally->left_out)
        fprintf(stderr,
                tr_plural("it takes too long for %zu larger edge case\n",
                          "it takes too long for %zu larger edge cases\n", tally->left_out),
                tally->left_out);
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */
enum status try_verify(struct try_job *job, struct device *device, bool *is_right, struct error *error)
{
    struct problem *problems;
    struct tally tally = {.settings.seed = (uint32_t)unpredictable()};
    size_t count;
    enum status status = check_problems(job->kernel, CHECK_SMALL, device, 0, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    status = verify_small(job, problems, count, device, &tally, error);
    if (status == STATUS_OK && !tally.wrong && tally.passed < SERVED_LEAST && job->kernel->shape)
        status = verify_squares(job, device, &tally, error);
    if (status == STATUS_OK && !tally.wrong) {
        try_races_start(job);
        explain_meanwhile(job, device);
    }
    if (status == STATUS_OK && !tally.wrong)
        status = verify_beyond(job, problems, count, device, &tally, error);
    free(problems);
    if (status == STATUS_OK && !tally.wrong && tally.passed)
        status = judge_races(job, &tally, error);
    if (status == STATUS_OK && !tally.wrong && !tally.passed)
        return fail(error, STATUS_FAILED, "%s on %s: it serves no problem that it could be verified on: %s",
                    job->user.rung->name, device->id, tally.skipped);
    size_t passed = tally.passed;
    progress_end();
    if (status == STATUS_OK && tally.wrong && job->user.assumed[0] && !job->how.arguments)
        fputs(tr("this holds for what was assumed of it; --args, --group and --groups say it otherwise\n"), stderr);
    *is_right = !tally.wrong;
    if (status == STATUS_OK && *is_right)
        fprintf(stderr, tr("%s on %s: right on %zu edge cases and on unpredictable inputs\n"), job->user.rung->name,
                device->id, passed);
    if (status == STATUS_OK && *is_right && try_races_hide(job, device))
        fprintf(stderr, tr("%s on %s: one core: races do not show\n"), job->user.rung->name, device->id);
    else if (status == STATUS_OK && *is_right && try_races_unsearched(job, device))
        fprintf(stderr, tr("%s on %s: not searched for races\n"), job->user.rung->name, device->id);
    if (status == STATUS_OK && *is_right)
        say_untried(&tally);
    return status;
}
