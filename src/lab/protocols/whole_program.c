#include "lab/protocols/whole_program.h"

#include <stdio.h>
#include <string.h>

#include "backends/cpu/floating_state.h"
#include "base/clock.h"
#include "base/translation.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/prepared_run.h"
#include "lab/bench/describe.h"
#include "lab/bench/interrupt.h"
#include "lab/bench/memory_need.h"
#include "lab/verification/dataset.h"

#define ITEMS 1024 /* of a group, in both kernels */
#define USUAL_REPEAT 5
#define STAGE_ARRAYS 4

/* One kernel of the program. */
struct stage {
    struct problem problem;
    const struct rung *rung;
    struct parameters parameters;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[STAGE_ARRAYS], scratch;
    struct prepared_run prepared;
};

struct program_run {
    struct device *device;
    struct dataset *data;
    size_t bytes; /* of a vector */
    struct stage sort, dot;
};

static void set_parameter(struct stage *stage, const char *name, int64_t value)
{
    for (size_t i = 0; i < stage->rung->tunable_count; i++)
        if (strcmp(stage->rung->tunables[i].name, name) == 0)
            stage->parameters.values[i] = value;
}

static void release(struct stage *stage)
{
    for (int i = 0; i < STAGE_ARRAYS; i++)
        buffer_release(&stage->buffers[i]);
    buffer_release(&stage->scratch);
    memset(stage->buffers, 0, sizeof stage->buffers);
    memset(&stage->scratch, 0, sizeof stage->scratch);
}

/* Memory for the stage's first `count` arrays, and for its scratch. */
static enum status allocate(const struct program_run *run, struct stage *stage, int count, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = buffer_allocate(run->device, stage->arrays[i].bytes, &stage->buffers[i], error);
    if (status == STATUS_OK && stage->prepared.scratch_bytes)
        status = buffer_allocate(run->device, stage->prepared.scratch_bytes, &stage->scratch, error);
    return status;
}

static enum status prepare_stage(struct program_run *run, struct stage *stage, const char *kernel, const char *rung,
                                 struct error *error)
{
    const struct kernel *found = kernel_by_name(kernel, error);
    int64_t n = problem_size(&run->data->problem, "n");
    int array_count;
    if (!found)
        return STATUS_INVALID;
    stage->problem = problem_default(found);
    problem_set_size(&stage->problem, "n", n);
    stage->problem.type = ELEMENT_F32;
    stage->rung = rung_by_name(found, rung, error);
    if (!stage->rung)
        return STATUS_INVALID;
    enum status status = rung_defaults(stage->rung, &stage->problem, &stage->parameters, error);
    set_parameter(stage, "GROUP", ITEMS);
    set_parameter(stage, "GROUPS", (n + ITEMS - 1) / ITEMS);
    if (status == STATUS_OK)
        status = kernel_describe(&stage->problem, stage->arrays, &array_count, error);
    if (status == STATUS_OK)
        status =
            prepared_run_plan(&stage->prepared, stage->rung, &stage->problem, run->device, &stage->parameters, error);
    if (status == STATUS_OK)
        status = allocate(run, stage, array_count, error);
    if (status == STATUS_OK)
        status =
            prepared_run_make(&stage->prepared, stage->arrays, array_count, stage->buffers, &stage->scratch, error);
    release(stage);
    return status;
}

static enum status prepare(struct program_run *run, struct error *error)
{
    enum status status = prepare_stage(run, &run->sort, "sort", "bitonic-step", error);
    return status == STATUS_OK ? prepare_stage(run, &run->dot, "dot", "tree", error) : status;
}

/* Listing 5: the vector's memory is the sort's own. */
static enum status sort(struct program_run *run, const void *from, void *to, struct error *error)
{
    struct stage *stage = &run->sort;
    enum status status = allocate(run, stage, 1, error);
    if (status == STATUS_OK)
        status = buffer_write(&stage->buffers[0], 0, from, run->bytes, error);
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&stage->prepared, error);
    if (status == STATUS_OK)
        status = buffer_read(&stage->buffers[0], 0, to, run->bytes, error);
    release(stage);
    return status;
}

/* Listing 6: both vectors travel again; the host adds the groups' sums, within the rung. */
static enum status dot(struct program_run *run, void *const vectors[], double *result, struct error *error)
{
    struct stage *stage = &run->dot;
    enum status status = allocate(run, stage, 3, error);
    for (int v = PIPELINE_A; status == STATUS_OK && v <= PIPELINE_B; v++)
        status = buffer_write(&stage->buffers[v], 0, vectors[v], run->bytes, error);
    if (status == STATUS_OK)
        status = prepared_run_enqueue(&stage->prepared, error);
    if (status == STATUS_OK)
        status = buffer_read(&stage->buffers[2], 0, result, sizeof *result, error);
    release(stage);
    return status;
}

static enum status run_once(struct program_run *run, double *nanoseconds, struct error *error)
{
    struct dataset *data = run->data;
    enum status status = STATUS_OK;
    int64_t start = clock_now();
    for (int v = PIPELINE_A; status == STATUS_OK && v <= PIPELINE_B; v++)
        status = sort(run, data->input.data[v], data->output.data[v], error);
    if (status == STATUS_OK)
        status = dot(run, data->output.data, data->output.data[PIPELINE_RESULT], error);
    *nanoseconds = (double)(clock_now() - start);
    return status;
}

/* Every element of what the last run left. */
static enum status judge(const struct program_run *run, const struct candidate *candidate,
                         struct measurement *measurement, struct error *error)
{
    const struct dataset *data = run->data;
    struct check_result result = {0};
    enum status status = rung_bound(candidate->rung, &data->problem, &candidate->parameters, &result.bound, error);
    if (status != STATUS_OK)
        return status;
    data->problem.kernel->check(&data->filled, data->arrays, data->input, data->output, &result);
    if (result.worst > measurement->worst_error)
        measurement->worst_error = result.worst;
    snprintf(measurement->worst_where, sizeof measurement->worst_where, "%s", result.where);
    return check_outcome(&result, error);
}

/* Results of an earlier run must not pass for this one's. */
static enum status run_judged(struct program_run *run, const struct candidate *candidate,
                              struct measurement *measurement, struct error *error)
{
    double nanoseconds;
    for (int i = 0; i < run->data->array_count; i++)
        memset(run->data->output.data[i], 0xEE, run->data->arrays[i].bytes);
    enum status status = run_once(run, &nanoseconds, error);
    return status == STATUS_OK ? judge(run, candidate, measurement, error) : status;
}

static enum status time_runs(struct program_run *run, const struct candidate *candidate,
                             const struct bench_options *options, struct measurement *measurement, struct error *error)
{
    unsigned repeat = options->repeat ? options->repeat : USUAL_REPEAT;
    enum status status = run_judged(run, candidate, measurement, error);
    for (unsigned i = 0; status == STATUS_OK && i < repeat && !interrupt_requested(); i++) {
        double nanoseconds;
        status = run_once(run, &nanoseconds, error);
        if (status == STATUS_OK && (!samples_add(&measurement->phases[PHASE_END_TO_END], nanoseconds, i) ||
                                    !samples_add(&measurement->phases[PHASE_COMPUTE], nanoseconds, i)))
            status = fail(error, STATUS_UNAVAILABLE, "no memory for another sample");
    }
    if (status == STATUS_OK)
        status = judge(run, candidate, measurement, error);
    dataset_renew(run->data);
    return status == STATUS_OK ? run_judged(run, candidate, measurement, error) : status;
}

static struct measurement *describe(const struct problem *problem, const struct candidate *candidate,
                                    struct measurement_list *list)
{
    char text[PROBLEM_TEXT_MAX];
    struct measurement *measurement = measurement_list_add(list);
    if (!measurement)
        return NULL;
    describe_measurement(measurement, problem, candidate, false);
    snprintf(measurement->kernel, sizeof measurement->kernel, "program");
    snprintf(measurement->problem, sizeof measurement->problem, "program:%.240s", problem_text(problem, text));
    snprintf(measurement->parameters, sizeof measurement->parameters, "GROUP=%d", ITEMS);
    measurement->batch = 1;
    return measurement;
}

static enum status measure(struct dataset *data, const struct candidate *candidate, const struct bench_options *options,
                           struct measurement_list *list, struct error *error)
{
    struct program_run run = {.device = candidate->device, .data = data, .bytes = data->arrays[PIPELINE_A].bytes};
    struct measurement *measurement = describe(&data->problem, candidate, list);
    struct error why;
    if (!measurement)
        return fail(error, STATUS_UNAVAILABLE, "no memory for another measurement");
    enum status status = prepare(&run, &why);
    if (status == STATUS_OK)
        status = time_runs(&run, candidate, options, measurement, &why);
    if (status != STATUS_OK)
        conclude_measurement(measurement, verdict_of(status), why.text);
    else if (!measurement->phases[PHASE_END_TO_END].count)
        conclude_measurement(measurement, VERDICT_SKIP, N_("interrupted before it was timed"));
    prepared_run_finish(&run.sort.prepared);
    prepared_run_finish(&run.dot.prepared);
    if (options->finished)
        options->finished(options->finished_context, measurement);
    return STATUS_OK;
}

enum status lab_whole_program(const struct problem *problem, const struct candidate *candidates, size_t count,
                              const struct bench_options *options, struct measurement_list *list, struct error *error)
{
    struct dataset data = {0};
    struct floating_scope floating;
    floating_scope_begin(&floating);
    enum status status = comparator_self_test(error);
    if (status == STATUS_OK)
        status = memory_need_check(problem, candidates, count, 1, error);
    if (status == STATUS_OK)
        status = dataset_create(problem, &data, error);
    for (size_t i = 0; status == STATUS_OK && i < count && !interrupt_requested(); i++) {
        if (options->progress)
            options->progress(options->progress_context, candidates[i].rung->name, (double)i / (double)count);
        status = measure(&data, &candidates[i], options, list, error);
    }
    dataset_destroy(&data);
    floating_scope_end(&floating);
    return status == STATUS_OK && interrupt_requested() ? fail(error, STATUS_INTERRUPTED, "interrupted") : status;
}
