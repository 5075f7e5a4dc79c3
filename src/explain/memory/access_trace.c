#include "explain/memory/access_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/memory/code_places.h"
#include "explain/memory/trace_device.h"
#include "kernels/prepared_run.h"

/* Converts the rows of a tally to the accesses of a source. */

static enum explain_operation operation_of(unsigned code)
{
    unsigned kind = code & EVENT_KIND;
    return kind == EVENT_LOAD ? EXPLAIN_LOAD : kind == EVENT_STORE ? EXPLAIN_STORE : EXPLAIN_ATOMIC;
}

/* The array's name in the program; for an argument, the name of the kernel function's parameter. */
static void name_array(const struct tally_row *row, char name[KERNEL_NAME_MAX])
{
    if (!(row->code & EVENT_GLOBAL)) {
        code_local_array(row->program, (uint64_t)row->argument, name);
        return;
    }
    const struct kernel_signature *entry = traced_program_entry(row->program, row->entry);
    bool is_known = entry && row->argument >= 0 && (size_t)row->argument < entry->parameter_count;
    snprintf(name, KERNEL_NAME_MAX, "%s", is_known ? entry->parameters[row->argument].name : "?");
}

static bool is_same(const struct explain_access *a, const struct explain_access *b)
{
    return a->line == b->line && a->space == b->space && a->operation == b->operation && a->bytes == b->bytes &&
           strcmp(a->array, b->array) == 0 && strcmp(a->file, b->file) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

static void add_counts(struct explain_access *access, const struct tally_row *row, size_t rule_count)
{
    access->warp_accesses += row->warp_accesses;
    access->items_percent += row->lane_accesses;
    access->first_bytes += FOOTPRINT_SECTOR * row->first_sectors;
    access->lines += row->lines;
    access->l1_passes += row->l1_passes;
    if ((double)row->argument_bytes > access->array_bytes)
        access->array_bytes = (double)row->argument_bytes;
    for (size_t i = 0; i < rule_count; i++) {
        access->counts[i].requests += row->counts[i].requests;
        access->counts[i].transactions += row->counts[i].transactions;
        access->counts[i].bytes_moved += row->counts[i].bytes_moved;
        access->counts[i].bytes_used += row->counts[i].bytes_used;
        access->counts[i].conflicts += row->counts[i].conflicts;
    }
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static void complete(struct explain_access *access, size_t rule_count)
{
    access->items_percent = quotient(100 * access->items_percent, WARP_LANES * access->warp_accesses);
    for (size_t i = 0; i < rule_count; i++) {
        struct explain_counts *counts = &access->counts[i];
        counts->per_request = quotient(counts->transactions, counts->requests);
        counts->bytes_used_percent = quotient(100 * counts->bytes_used, counts->bytes_moved);
        counts->conflicts_per_request = quotient(counts->conflicts, counts->requests);
    }
}

static void add_row(struct explain_trace *trace, const struct tally_row *row, int line, size_t rule_count)
{
    struct explain_access access = {.line = line,
                                    .space = row->code & EVENT_GLOBAL ? EXPLAIN_GLOBAL : EXPLAIN_SHARED,
                                    .operation = operation_of(row->code),
                                    .bytes = 1u << (row->code & EVENT_SIZE),
                                    .argument = row->code & EVENT_GLOBAL ? row->argument : NO_ARGUMENT};
    snprintf(access.file, sizeof access.file, "%s", row->program->name);
    snprintf(access.kernel, sizeof access.kernel, "%s", row->entry);
    name_array(row, access.array);
    size_t i = 0;
    while (i < trace->access_count && !is_same(&trace->accesses[i], &access))
        i++;
    if (i == trace->access_count)
        trace->accesses[trace->access_count++] = access;
    if (__builtin_popcount(row->sample.mask) > __builtin_popcount(trace->accesses[i].sample.mask))
        trace->accesses[i].sample = row->sample;
    add_counts(&trace->accesses[i], row, rule_count);
}

static int in_order(const void *left, const void *right)
{
    const struct explain_access *a = left, *b = right;
    int files = strcmp(a->file, b->file);
    if (files != 0 || a->line != b->line)
        return files != 0 ? files : a->line < b->line ? -1 : 1;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    return strcmp(a->array, b->array);
}

/* One run of addr2line for each program. */
static enum status add_program(const struct trace_device *device, const struct traced_program *program,
                               size_t rule_count, struct explain_trace *trace, struct error *error)
{
    size_t count, own = 0;
    const struct tally_row *rows = tally_rows(device->tally, &count);
    unsigned *codes = calloc(count + 1, sizeof *codes);
    int *lines = calloc(count + 1, sizeof *lines);
    enum status status = STATUS_OK;
    for (size_t i = 0; codes && i < count; i++)
        if (rows[i].program == program)
            codes[own++] = rows[i].code;
    if (!codes || !lines)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    else if (own > 0)
        status = code_lines(program, codes, own, lines, error);
    for (size_t i = 0, at = 0; status == STATUS_OK && i < count; i++)
        if (rows[i].program == program)
            add_row(trace, &rows[i], lines[at++], rule_count);
    free(codes);
    free(lines);
    return status;
}

static enum status add_races(const struct trace_device *device, struct explain_trace *trace, struct error *error)
{
    size_t count;
    const struct race *races = races_found(device->races, &count);
    trace->races = calloc(count + 1, sizeof *trace->races);
    if (!trace->races)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct explain_race *race = &trace->races[trace->race_count++];
        snprintf(race->file, sizeof race->file, "%s", races[i].program->name);
        race->is_global = races[i].is_global;
        if (!race->is_global)
            code_local_array(races[i].program, races[i].at, race->array);
        status = code_lines(races[i].program, races[i].codes, 2, race->lines, error);
    }
    return status;
}

/* Fills in the trace. On failure it may be half filled; explain_trace_free frees it. */
static enum status trace_results(const struct trace_device *device, size_t rule_count, struct explain_trace *trace,
                                 struct error *error)
{
    size_t count;
    tally_rows(device->tally, &count);
    trace->accesses = calloc(count + 1, sizeof *trace->accesses);
    if (!trace->accesses)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    enum status status = STATUS_OK;
    for (const struct traced_program *at = device->programs; at && status == STATUS_OK; at = at->next)
        status = add_program(device, at, rule_count, trace, error);
    for (const struct traced_program *at = device->programs; at && status == STATUS_OK; at = at->next)
        status = block_lines(tally_blocks(device->tally), at, &trace->lines, &trace->line_count, error);
    for (size_t i = 0; i < trace->access_count; i++)
        complete(&trace->accesses[i], rule_count);
    qsort(trace->accesses, trace->access_count, sizeof *trace->accesses, in_order);
    if (status == STATUS_OK)
        status = add_races(device, trace, error);
    trace->launches = device->totals.launches;
    trace->groups = device->totals.groups;
    trace->groups_traced = device->totals.groups_recorded;
    trace->data_decides = device->totals.data_decides;
    trace->saw_all_data = device->totals.saw_all_data;
    snprintf(trace->barrier_missed, sizeof trace->barrier_missed, "%s", device->totals.barrier_entry);
    return status;
}

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
    if (!tally || !races || (request->order != EXPLAIN_SAMPLE && !races_watch_global(races)))
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
