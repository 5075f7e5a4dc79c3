#include "lab/bench/exact_inputs.h"

/* Inputs that need other arguments as well: the rung is prepared for these, as if they had been the problem. */
static enum status verify_prepared_anew(struct runner *runner, const struct problem *exact, struct error *error)
{
    struct dataset *data = runner->workspace->data;
    struct problem timed = data->problem;
    struct runner another = {0};
    struct check_result result;
    char text[PROBLEM_TEXT_MAX];
    data->problem = *exact;
    enum status status = runner_prepare(&another, runner->workspace, &runner->candidate, error);
    if (status == STATUS_OK)
        status = runner_verify(&another, &result, error);
    runner_finish(&another);
    data->problem = timed;
    return status == STATUS_OK ? status : fail_in(error, status, "on %s", problem_text(exact, text));
}

enum status runner_verify_exactly(struct runner *runner, struct error *error)
{
    struct problem exact;
    char reason[256];
    bool is_same_run;
    const struct candidate *candidate = &runner->candidate;
    struct dataset *data = runner->workspace->data;
    struct check_result result;
    if (!dataset_exact_problem(data, &exact, &is_same_run) ||
        rung_refuses(candidate->rung, &exact, candidate->device, &candidate->parameters, reason, sizeof reason))
        return STATUS_OK;
    dataset_renew_as(data, &exact);
    enum status status =
        is_same_run ? runner_verify(runner, &result, error) : verify_prepared_anew(runner, &exact, error);
    dataset_renew(data);
    return status == STATUS_OK ? status : fail_in(error, status, "after the timing");
}
