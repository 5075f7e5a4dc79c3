/* uskor try: whether the file is right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "cli/commands/try_job.h"

/* What the checks of one device have shown. */
struct tally {
    size_t passed;
    bool wrong;
    char skipped[256]; /* the last reason of a SKIP */
};

/* With fewer edge cases than these a rung is tried on squares, too. */
#define SERVED_LEAST 8

static bool is_wrong(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
}

/* One problem on one device. A measurement that is wrong is kept in the session's list; others are counted. */
static enum status verify_one(struct try_job *job, const struct problem *problem, struct device *device,
                              struct tally *tally, struct error *error)
{
    struct measurement_list list = {0};
    enum status status =
        judge_check(&job->judge, problem, device, &job->user.rung, 1, &job->session.selection.overrides, &list, error);
    for (size_t m = 0; status == STATUS_OK && m < list.count && !tally->wrong; m++) {
        tally->passed += list.items[m].verdict == VERDICT_PASS;
        if (list.items[m].verdict == VERDICT_SKIP)
            memcpy(tally->skipped, list.items[m].reason, sizeof tally->skipped);
        if (!is_wrong(&list.items[m]))
            continue;
        tally->wrong = true;
        struct measurement *kept = measurement_list_add(&job->session.list);
        if (kept) {
            *kept = list.items[m];
            memset(kept->phases, 0, sizeof kept->phases);
        }
    }
    measurement_list_free(&list);
    return status;
}

/* A kernel with one size for all serves none of the edge cases: it is verified on squares and cubes. */
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

/* All edge cases on one device, until one is wrong. */
enum status try_verify(struct try_job *job, struct device *device, bool *is_right, struct error *error)
{
    struct problem *problems;
    struct tally tally = {0};
    size_t count;
    char text[PROBLEM_TEXT_MAX];
    enum status status = check_problems(job->kernel, CHECK_SMALL, device, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && !tally.wrong && i < count; i++) {
        if (job->user.compiler[0] && problems[i].type != job->user.type)
            continue;
        bench_session_progress(NULL, problem_text(&problems[i], text), (double)i / (double)count);
        status = verify_one(job, &problems[i], device, &tally, error);
    }
    free(problems);
    if (status == STATUS_OK && !tally.wrong && tally.passed < SERVED_LEAST && job->kernel->shape)
        status = verify_squares(job, device, &tally, error);
    if (status == STATUS_OK && !tally.wrong && !tally.passed)
        return fail(error, STATUS_FAILED, "%s on %s: it serves no problem that it could be verified on: %s",
                    job->user.rung->name, device->id, tally.skipped);
    size_t passed = tally.passed;
    *is_right = !tally.wrong;
    if (status == STATUS_OK && *is_right)
        fprintf(stderr, tr("%s on %s: right on %zu edge cases, and on inputs that nobody can foresee\n"),
                job->user.rung->name, device->id, passed);
    return status;
}
