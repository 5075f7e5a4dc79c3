#include "kernels/prepared_run.h"

#include "backends/driver_call.h"

enum status prepared_run_plan(struct prepared_run *prepared, const struct rung *rung, const struct problem *problem,
                              struct device *device, const struct parameters *parameters, struct error *error)
{
    *prepared =
        (struct prepared_run){.run = {.rung = rung, .problem = problem, .device = device, .parameters = *parameters}};
    return rung_scratch(rung, problem, device, parameters, &prepared->scratch_bytes, error);
}

enum status prepared_run_make(struct prepared_run *prepared, const struct array *arrays, int array_count,
                              const struct buffer *buffers, const struct buffer *scratch, struct error *error)
{
    struct run *run = &prepared->run;
    run->arrays = arrays;
    run->array_count = array_count;
    run->buffers = buffers;
    run->scratch = prepared->scratch_bytes ? scratch : NULL;
    enum status status = run->rung->prepare ? run->rung->prepare(run, error) : STATUS_OK;
    prepared->is_prepared = status == STATUS_OK;
    return status;
}

enum status prepared_run_run(struct prepared_run *prepared, struct error *error)
{
    const struct driver_call call = driver_call_begin_unnamed(prepared->run.device); /* a vendor's library may end it */
    enum status status = prepared_run_enqueue(prepared, error);
    if (status == STATUS_OK)
        status = device_synchronize(prepared->run.device, error);
    return driver_call_done(call, status);
}

void prepared_run_finish(struct prepared_run *prepared)
{
    if (prepared->is_prepared && prepared->run.rung->finish)
        prepared->run.rung->finish(&prepared->run);
    prepared->is_prepared = false;
}
