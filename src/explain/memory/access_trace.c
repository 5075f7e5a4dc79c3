#include "explain/memory/access_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/size.h"
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

static bool is_block(const struct tally_row *row)
{
    return (row->code & EVENT_KIND) == EVENT_BLOCK;
}

static void add_access(struct explain_trace *trace, const struct tally_row *row, int line)
{
    struct explain_access access = row->sums;
    access.line = line;
    access.space = row->code & EVENT_GLOBAL ? EXPLAIN_GLOBAL : EXPLAIN_SHARED;
    access.operation = operation_of(row->code);
    access.bytes = 1u << (row->code & EVENT_SIZE);
    access.argument = row->code & EVENT_GLOBAL ? row->argument : NO_ARGUMENT;
    snprintf(access.file, sizeof access.file, "%s", row->program->name);
    snprintf(access.kernel, sizeof access.kernel, "%s", row->entry);
    name_array(row, access.array);
    explain_access_add(trace->accesses, &trace->access_count, &access, 1);
}

/* A line's executions are those of the busiest block that has it. False when out of memory. */
static bool add_line(struct explain_trace *trace, const struct tally_row *row, int line)
{
    size_t i = 0;
    while (i < trace->line_count && (trace->lines[i].line != line || strcmp(trace->lines[i].kernel, row->entry) != 0 ||
                                     strcmp(trace->lines[i].file, row->program->name) != 0))
        i++;
    if (i == trace->line_count) {
        if (!array_grow(&trace->lines, trace->line_count, sizeof *trace->lines))
            return false;
        trace->lines[trace->line_count++] = (struct explain_line){.line = line};
        snprintf(trace->lines[i].file, sizeof trace->lines[i].file, "%s", row->program->name);
        snprintf(trace->lines[i].kernel, sizeof trace->lines[i].kernel, "%s", row->entry);
    }
    if (row->sums.warp_accesses > trace->lines[i].warps)
        trace->lines[i].warps = row->sums.warp_accesses;
    return true;
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

enum {
    STEP = 8,        /* bytes of code between two looked up addresses */
    STEPS_MOST = 64, /* of a block */
};

/* Accesses as they came, then blocks in the order of the code. */
static int by_code(const void *left, const void *right)
{
    const struct tally_row *a = *(const struct tally_row *const *)left, *b = *(const struct tally_row *const *)right;
    if (!is_block(a) || !is_block(b))
        return is_block(a) != is_block(b) ? (int)is_block(a) - (int)is_block(b) : a < b ? -1 : a > b;
    return a->code < b->code ? -1 : a->code > b->code;
}

static const struct tally_row **rows_of(const struct trace_device *device, const struct traced_program *program,
                                        size_t *count)
{
    size_t all;
    const struct tally_row *rows = tally_rows(device->tally, &all);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    const struct tally_row **own = calloc(all + 1, sizeof *own);
    *count = 0;
    for (size_t i = 0; own && i < all; i++)
        if (rows[i].program == program)
            own[(*count)++] = &rows[i];
    if (own)
        qsort(own, *count, sizeof(struct tally_row *), by_code);
    return own;
}

/* How many addresses of a row are looked up. A block reaches to the next one. */
static size_t steps_of(const struct tally_row *const *rows, size_t at, size_t count)
{
    size_t next = at + 1;
    if (!is_block(rows[at]))
        return 1;
    while (next < count && rows[next]->code == rows[at]->code)
        next++;
    size_t bytes = next < count ? (rows[next]->code >> EVENT_FLAG_BITS) - (rows[at]->code >> EVENT_FLAG_BITS) : STEP;
    return size_least((bytes + STEP - 1) / STEP, STEPS_MOST);
}

/* One run of addr2line for each program. */
static enum status add_program(const struct trace_device *device, const struct traced_program *program,
                               struct explain_trace *trace, struct error *error)
{
    size_t count, steps = 0;
    const struct tally_row **rows = rows_of(device, program, &count);
    for (size_t i = 0; rows && i < count; i++)
        steps += steps_of(rows, i, count);
    unsigned *codes = calloc(steps + 1, sizeof *codes);
    int *lines = calloc(steps + 1, sizeof *lines);
    bool has_memory = rows && codes && lines;
    enum status status = STATUS_OK;
    for (size_t i = 0, at = 0; has_memory && i < count; i++)
        for (size_t k = 0, own = steps_of(rows, i, count); k < own; k++)
            codes[at++] = rows[i]->code + (unsigned)(k * STEP << EVENT_FLAG_BITS);
    if (has_memory && steps > 0)
        status = code_lines(program, codes, steps, lines, error);
    for (size_t i = 0, at = 0; has_memory && status == STATUS_OK && i < count; i++)
        for (size_t k = 0, own = steps_of(rows, i, count); k < own; k++, at++)
            if (!is_block(rows[i]))
                add_access(trace, rows[i], lines[at]);
            else if (lines[at] > 0)
                has_memory = has_memory && add_line(trace, rows[i], lines[at]);
    free(rows);
    free(codes);
    free(lines);
    return has_memory ? status : fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
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
static enum status trace_results(const struct trace_device *device, struct explain_trace *trace, struct error *error)
{
    size_t count;
    tally_rows(device->tally, &count);
    trace->accesses = calloc(count + 1, sizeof *trace->accesses);
    if (!trace->accesses)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    enum status status = STATUS_OK;
    for (const struct traced_program *at = device->programs; at && status == STATUS_OK; at = at->next)
        status = add_program(device, at, trace, error);
    explain_accesses_complete(trace->accesses, trace->access_count);
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
        status = trace_results(device, trace, error);
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
