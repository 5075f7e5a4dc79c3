#include "lab/transfers/overlap_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/floating_state.h"
#include "base/under_way.h"
#include "lab/verification/workspace.h"

struct measurement *job_measured(const struct job *job, const struct form *form)
{
    return &job->list->items[form->measurement];
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static enum status take_pinned(struct job *job, struct error *error)
{
    struct device *device = job->candidate->device;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < job->data.array_count; i++) {
        const struct array *array = &job->data.arrays[i];
        if (array->direction != ARRAY_OUT) {
            status = host_memory_pin(device, job->options->memory, array->bytes, &job->pinned_in[i], error);
            if (status == STATUS_OK)
                cpu_stream_copy(job->pinned_in[i].data, job->data.input.data[i], array->bytes);
        }
        if (status == STATUS_OK && array->direction != ARRAY_IN)
            status = host_memory_pin(device, job->options->memory, array->bytes, &job->pinned_out[i], error);
        job->from.data[i] = job->pinned_in[i].data;
        job->to.data[i] = job->pinned_out[i].data;
    }
    return status;
}

enum status job_take_memory(struct job *job, struct error *error)
{
    size_t joined = chunk_layout_joined_bytes(&job->cut);
    job->from = job->data.input;
    job->to = job->data.output;
    if (job->options->memory != MEMORY_PAGEABLE) {
        enum status status = take_pinned(job, error);
        if (status == STATUS_OK && joined)
            status = host_memory_pin(job->candidate->device, job->options->memory, joined, &job->pinned_joined, error);
        job->joined = job->pinned_joined.data;
        return status;
    }
    job->joined = job->plain_joined = joined ? malloc(joined) : NULL;
    return joined && !job->joined ? fail(error, STATUS_UNAVAILABLE, "no memory for %zu bytes", joined) : STATUS_OK;
}

void job_give_back(struct job *job)
{
    job_streams_destroy(&job->cut_lanes);
    job_streams_destroy(&job->whole_lanes);
    chunk_layout_destroy(&job->cut);
    chunk_layout_destroy(&job->whole);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        host_memory_unpin(&job->pinned_in[i]);
        host_memory_unpin(&job->pinned_out[i]);
    }
    host_memory_unpin(&job->pinned_joined);
    free(job->plain_joined);
    dataset_destroy(&job->data);
}

/* ---- verifying ----------------------------------------------------------------------------------------------- */

/* Repeats an input's change in the array that the job copies from. */
static enum status follow(void *context, int array, size_t offset, size_t bytes, struct error *error)
{
    struct job *job = context;
    (void)error;
    if (job->pinned_in[array].data)
        memcpy((char *)job->pinned_in[array].data + offset, (char *)job->data.input.data[array] + offset, bytes);
    return STATUS_OK;
}

void job_bring_inputs(struct job *job)
{
    for (int i = 0; i < job->data.array_count; i++)
        if (job->pinned_in[i].data)
            cpu_stream_copy(job->pinned_in[i].data, job->data.input.data[i], job->data.arrays[i].bytes);
}

static void poison_pieces(unsigned char *data, size_t bytes, unsigned char poison)
{
    struct piece pieces[PIECES_MAX];
    size_t count = pieces_choose(bytes, pieces);
    for (size_t p = 0; p < count; p++)
        memset(data + pieces[p].offset, poison, pieces[p].bytes);
}

/* Changes pieces of the inputs and poisons pieces of the outputs before a timed run. */
enum status job_refresh(struct job *job, struct error *error)
{
    unsigned char poison = workspace_poison_byte(NULL);
    for (int i = 0; i < job->data.array_count; i++)
        if (job->data.arrays[i].direction != ARRAY_IN)
            poison_pieces(job->to.data[i], job->data.arrays[i].bytes, poison);
    if (job->joined)
        poison_pieces(job->joined, chunk_layout_joined_bytes(&job->cut), poison);
    return dataset_mix(&job->data, follow, job, error);
}

/* Poisons the outputs and all device memory before a verified run. */
enum status job_spoil(struct job *job, struct chunk_layout *layout, struct error *error)
{
    unsigned char poison = workspace_poison_byte(NULL);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < job->data.array_count; i++) {
        if (job->data.arrays[i].direction != ARRAY_IN)
            memset(job->to.data[i], poison, job->data.arrays[i].bytes);
        status = buffer_fill(&layout->lanes[i], 0, poison, layout->lanes[i].bytes, error);
    }
    if (job->joined)
        memset(job->joined, poison, chunk_layout_joined_bytes(&job->cut));
    return status == STATUS_OK ? device_synchronize(layout->device, error) : status;
}

/* An array that is not copied back: its output is set to the input's values. */
static void fill_interim(struct job *job)
{
    for (int i = 0; i < job->data.array_count; i++)
        if (job->data.arrays[i].interim)
            memcpy(job->to.data[i], job->data.input.data[i], job->data.arrays[i].bytes);
}

/* Judges the results of the last run. */
enum status job_judge(struct job *job, const struct form *form, struct error *error)
{
    struct check_result result = {0};
    char floating[128];
    enum status status =
        rung_bound(job->candidate->rung, job->problem, &job->candidate->parameters, &result.bound, error);
    if (status != STATUS_OK)
        return status;
    if (!floating_state_is_default(floating, sizeof floating))
        return fail(error, STATUS_FAILED, "%s", floating);
    fill_interim(job);
    under_way_judge();
    job->problem->kernel->check(&job->data.filled, job->data.arrays, job->data.input, job->to, &result);
    under_way_judged();
    struct measurement *measurement = job_measured(job, form);
    measurement->worst_error = result.worst > measurement->worst_error ? result.worst : measurement->worst_error;
    snprintf(measurement->worst_where, sizeof measurement->worst_where, "%s", result.where);
    return check_outcome(&result, error);
}
