#include "distributed/local_run.h"

#include <string.h>

/* Gives the tunable this value where the rung has it and runs with it. */
static void apply(const struct local_setting *setting, const struct problem *problem, const struct device *device,
                  struct rung_choice *choice)
{
    char reason[256];
    for (size_t i = 0; setting && i < choice->rung->tunable_count; i++) {
        struct parameters changed = choice->parameters;
        changed.values[i] = setting->value;
        if (strcmp(choice->rung->tunables[i].name, setting->name) == 0 &&
            !rung_refuses(choice->rung, problem, device, &changed, reason, sizeof reason))
            choice->parameters = changed;
    }
}

enum status local_run_make(struct local_run *run, const struct problem *problem, struct device *device,
                           const struct buffer *buffers, struct error *error)
{
    return local_run_make_with(run, problem, device, buffers, NULL, error);
}

enum status local_run_make_with(struct local_run *run, const struct problem *problem, struct device *device,
                                const struct buffer *buffers, const struct local_setting *setting, struct error *error)
{
    struct rung_choice choice;
    memset(run, 0, sizeof *run);
    enum status status = choose_rung(problem, device, NULL, &choice, error);
    if (status != STATUS_OK)
        return status;
    apply(setting, problem, device, &choice);
    return local_run_make_chosen(run, problem, device, buffers, &choice, error);
}

enum status local_run_make_chosen(struct local_run *run, const struct problem *problem, struct device *device,
                                  const struct buffer *buffers, const struct rung_choice *choice, struct error *error)
{
    memset(run, 0, sizeof *run);
    run->problem = *problem;
    enum status status = kernel_describe(&run->problem, run->arrays, &run->array_count, error);
    if (status != STATUS_OK)
        return status;
    memcpy(run->buffers, buffers, (size_t)run->array_count * sizeof *buffers);
    status = prepared_run_plan(&run->prepared, choice->rung, &run->problem, device, &choice->parameters, error);
    if (status == STATUS_OK && run->prepared.scratch_bytes)
        status = buffer_allocate(device, run->prepared.scratch_bytes, &run->scratch, error);
    if (status == STATUS_OK)
        status = prepared_run_make(&run->prepared, run->arrays, run->array_count, run->buffers, &run->scratch, error);
    if (status == STATUS_OK)
        status = rung_bound(choice->rung, &run->problem, &choice->parameters, &run->bound, error);
    return status;
}

void local_run_finish(struct local_run *run)
{
    prepared_run_finish(&run->prepared);
    buffer_release(&run->scratch);
    memset(run, 0, sizeof *run);
}

void local_run_read_from(struct local_run *run, const struct buffer *origin)
{
    run->origin = origin;
    if (run->prepared.is_prepared && run->prepared.run.rung->takes_origin)
        run->prepared.run.origin = origin;
}

enum status local_run_enqueue(struct local_run *run, struct error *error)
{
    if (!run->prepared.is_prepared)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (run->origin && !run->prepared.run.origin)
        status = buffer_copy(&run->buffers[0], 0, run->origin, 0, run->origin->bytes, error);
    return status == STATUS_OK ? prepared_run_enqueue(&run->prepared, error) : status;
}
