#include "explain/memory/access_trace.h"

#include <stdlib.h>
#include <string.h>

#include "explain/memory/results.h"
#include "explain/memory/trace_device.h"
#include "kernels/prepared_run.h"

/* Recorded lane accesses, and items that run without a record: together a few seconds on one core. */
static const struct trace_budget usual_budget = {.accesses = 10000000, .silent_items = 300000000};

#define POISON 0xe5 /* a large number as a float, and as half of a double */

static const char *const space_names[] = {
    [EXPLAIN_GLOBAL] = "global", [EXPLAIN_SHARED] = "shared", [EXPLAIN_OWN] = "own"};
static const char *const operation_names[] = {
    [EXPLAIN_LOAD] = "load", [EXPLAIN_STORE] = "store", [EXPLAIN_ATOMIC] = "atomic"};

const char *explain_space_name(enum explain_space space)
{
    return space_names[space];
}

const char *explain_operation_name(enum explain_operation operation)
{
    return operation_names[operation];
}

/* ---- running the rung ------------------------------------------------------------------------------------------- */

struct session {
    const struct explain_request *request;
    struct trace_device *device;
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count;
    struct buffer buffers[KERNEL_ARRAYS_MAX], scratch;
    struct prepared_run prepared;
};

/* Inputs are written straight to the device's memory. */
static enum status make_buffers(struct session *session, struct error *error)
{
    const struct problem *problem = session->request->problem;
    struct host_arrays host = {{NULL}};
    int count;
    enum status status = kernel_describe(problem, session->arrays, &count, error);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        status = buffer_allocate(&session->device->base, session->arrays[i].bytes, &session->buffers[i], error);
        host.data[i] = session->buffers[i].host;
        if (status == STATUS_OK && session->request->order != EXPLAIN_SAMPLE)
            memset(host.data[i], POISON, session->arrays[i].bytes);
    }
    if (status == STATUS_OK)
        problem->kernel->fill(problem, session->arrays, host);
    session->array_count = status == STATUS_OK ? count : 0;
    return status;
}

static enum status prepare(struct session *session, struct error *error)
{
    const struct explain_request *request = session->request;
    struct device *device = &session->device->base;
    enum status status = make_buffers(session, error);
    if (status == STATUS_OK)
        status =
            prepared_run_plan(&session->prepared, request->rung, request->problem, device, &request->parameters, error);
    if (status == STATUS_OK && session->prepared.scratch_bytes)
        status = buffer_allocate(device, session->prepared.scratch_bytes, &session->scratch, error);
    if (status == STATUS_OK && session->scratch.host && request->order != EXPLAIN_SAMPLE)
        memset(session->scratch.host, POISON, session->scratch.bytes);
    return status == STATUS_OK ? prepared_run_make(&session->prepared, session->arrays, session->array_count,
                                                   session->buffers, &session->scratch, error)
                               : status;
}

/* The first run counts the launches, the second traces them. */
static enum status enqueue(struct session *session, struct error *error)
{
    session->device->mode = TRACE_COUNT;
    enum status status = prepared_run_enqueue(&session->prepared, error);
    session->device->mode = TRACE_RUN;
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&session->prepared, error);
    return status;
}

static void end(struct session *session)
{
    prepared_run_finish(&session->prepared);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        buffer_release(&session->buffers[i]);
    buffer_release(&session->scratch);
}

/* ---- requests --------------------------------------------------------------------------------------------------- */

static enum status check(const struct explain_request *request, struct device *device, struct error *error)
{
    char reason[512];
    const char *refusal =
        rung_refuses(request->rung, request->problem, device, &request->parameters, reason, sizeof reason);
    if (refusal)
        return fail(error, STATUS_UNAVAILABLE, "%s: not traced: %s", request->rung->name, refusal);
    return STATUS_OK;
}

static void inspect(const struct session *session)
{
    struct host_arrays host = {{NULL}};
    for (int i = 0; i < session->array_count; i++)
        host.data[i] = session->buffers[i].host;
    session->request->inspect(session->request->context, session->arrays, host);
}

static enum status run_on(struct trace_device *device, const struct explain_request *request, struct error *error)
{
    struct session session = {.request = request, .device = device};
    enum status status = check(request, &device->base, error);
    if (status == STATUS_OK)
        status = prepare(&session, error);
    if (status == STATUS_OK)
        status = enqueue(&session, error);
    if (status == STATUS_OK && request->inspect)
        inspect(&session);
    end(&session);
    return status;
}

enum status explain_trace_run(const struct explain_request *request, struct explain_trace *trace, struct error *error)
{
    struct trace_device *device = NULL;
    struct trace_setting setting = {.capability = request->capability,
                                    .local_bytes_per_group = request->local_bytes_per_group,
                                    .group_items =
                                        request->capability[0] == '1' && request->capability[1] == '.' ? 512 : 1024,
                                    .order = request->order,
                                    .budget = usual_budget};
    *trace = (struct explain_trace){0};
    struct tally *tally = tally_create(request->rules, request->rule_count);
    struct races *races = races_create();
    enum status status = STATUS_OK;
    if (!tally || !races)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    if (status == STATUS_OK)
        status = trace_device_open(&setting, tally, races, &device, error);
    if (status == STATUS_OK)
        status = run_on(device, request, error);
    if (status == STATUS_OK)
        status = trace_results(device, request->rule_count, trace, error);
    if (status == STATUS_OK) { /* the trace owns them now */
        trace->partitions = *tally_partitions(tally);
        *tally_partitions(tally) = (struct partition_loads){.partitions = 0};
        trace->revisits = *tally_revisits(tally);
        *tally_revisits(tally) = (struct revisits){.count = 0};
    }
    trace_device_close(device);
    races_free(races);
    tally_free(tally);
    if (status != STATUS_OK)
        explain_trace_free(trace);
    return status;
}

void explain_trace_free(struct explain_trace *trace)
{
    free(trace->accesses);
    free(trace->races);
    free(trace->lines);
    partition_loads_free(&trace->partitions);
    revisits_free(&trace->revisits);
    *trace = (struct explain_trace){0};
}
