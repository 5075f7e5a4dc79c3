#include "lab/bench/compile_ahead.h"

#include "base/under_way.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/bench/runner.h"
#include "lab/bench/watch.h"
#include "lab/ceilings/probes.h"
#include "lab/verification/local_poison.h"

/* A program is compiled for its kernel's group at the first launch. */
static void run_once(struct workspace *workspace, const struct candidate *candidate, bool is_probe)
{
    const struct problem *problem = &workspace->data->problem;
    struct runner runner = {.is_probe = is_probe};
    struct error why;
    char reason[256];
    watch_begin(candidate, problem);
    if (!rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason) &&
        runner_prepare(&runner, workspace, candidate, &why) == STATUS_OK) {
        runner_run(&runner, &why);
        runner_finish(&runner);
    }
    under_way_end();
}

static void run_probes(struct workspace *workspace, const struct candidate *candidates, size_t count)
{
    const struct rung *probes[PROBES_MAX];
    size_t probe_count = ceiling_probes(&workspace->data->problem, workspace->device, candidates, count, probes);
    for (size_t i = 0; i < probe_count && !interrupt_requested(); i++) {
        const struct candidate probe = {.device = workspace->device, .rung = probes[i]};
        run_once(workspace, &probe, true);
    }
}

static void run_all(struct workspace *workspace, const struct candidate *candidates, size_t count,
                    const struct compile_ahead *how)
{
    struct error why;
    local_poison_fill(&workspace->local, workspace->device, 0, &why); /* as its check does before every run */
    for (size_t i = 0; i < count && !interrupt_requested(); i++)
        if (candidates[i].rung->kind != RUNG_VENDOR)
            run_once(workspace, &candidates[i], false);
    if (how->probe_ceilings)
        run_probes(workspace, candidates, count);
    how->stage_done(how->context);
    for (size_t i = 0; i < count && !interrupt_requested(); i++)
        if (candidates[i].rung->kind == RUNG_VENDOR) {
            run_once(workspace, &candidates[i], false);
            how->stage_done(how->context);
        }
}

enum status lab_compile(const struct problem *problem, const struct candidate *candidates, size_t count,
                        const struct compile_ahead *how, struct error *error)
{
    struct dataset data;
    struct workspace workspace;
    if (count == 0)
        return STATUS_OK;
    enum status status = memory_need_check(problem, candidates, count, 0, error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &data, error);
    if (status != STATUS_OK)
        return status;
    status = workspace_create(&data, candidates[0].device, &workspace, error);
    if (status == STATUS_OK) {
        status = workspace_poison(&workspace, workspace_poison_byte(&workspace), error);
        if (status == STATUS_OK)
            run_all(&workspace, candidates, count, how);
        workspace_destroy(&workspace);
    }
    dataset_destroy(&data);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
