#include "cli/commands/files_over_ranks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/options/outcome.h"
#include "files/npy_type.h"

#define UNTOUCHED 0xE0 /* bytes of parts before a run: the mark of a result that was not written */

struct file_work {
    const struct file_options *options;
    const struct files_task *task;
    struct ranks world;
    struct rank_input inputs[RANK_INPUTS_MAX];
    struct problem problem;
    struct npy_layout layout; /* of the result */
    struct method_run run;
    struct npy_writer target; /* rank 0's */
    char shared[PATH_MAX];    /* where all ranks find it */
    size_t offset;            /* of its data */
};

/* ---- the problem ---------------------------------------------------------------------------------------------- */

/* By default a file in Fortran order is the transpose of what it holds, and the kernel's array of the same number. */
static enum status open_inputs(struct file_work *work, struct error *error)
{
    const struct files_task *task = work->task;
    enum status status = STATUS_OK;
    if (task->refused)
        return fail(error, STATUS_INVALID, "--%s is for one process, not for several ranks", task->refused);
    for (int i = 0; status == STATUS_OK && i < task->count; i++) {
        struct rank_input *input = &work->inputs[i];
        status = npy_open(task->paths[i], &input->file, error);
        input->array = i;
        input->turned = status == STATUS_OK && input->file.layout.fortran && input->file.layout.rank > 1;
    }
    return status == STATUS_OK ? task->pose(task->context, work->inputs, &work->problem, &work->layout, error) : status;
}

static const struct method *method_for(const struct kernel *kernel)
{
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel->name) == 0)
            return methods[i];
    abort(); /* commands ask for kernels that have one */
}

static enum status begin_run(struct file_work *work, struct error *error)
{
    struct method_run *run = &work->run;
    *run = (struct method_run){
        .method = method_for(work->problem.kernel), .problem = &work->problem, .ranks = work->world};
    enum status status = kernel_describe(&work->problem, run->arrays, &run->array_count, error);
    if (status == STATUS_OK)
        status = default_device_open(&(const struct device_wish){.name = work->options->device, .described = true},
                                     &run->device, error);
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++) {
        const struct place place =
            run->method->place(&work->problem, &run->arrays[i], i, run->ranks.rank, run->ranks.count);
        const size_t bytes = place.rows * place.cols * element_info(run->arrays[i].type)->bytes;
        status = method_allocate(&run->parts[i], bytes, error);
        if (status == STATUS_OK)
            memset(run->parts[i], UNTOUCHED, bytes);
    }
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

static enum status read_inputs(struct file_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < work->task->count; i++)
        status =
            ranks_agree(&work->world, rank_part_read(&work->run, &work->inputs[i], work->task->paths[i], error), error);
    return status;
}

static bool swaps_result(const struct file_work *work)
{
    return work->inputs[0].swapped && !npy_type_is_native(&work->layout);
}

/* Rank 0 makes the file, with all its room, and shows it to the others. */
static enum status create_target(struct file_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    if (work->world.rank == 0) {
        status = npy_create(work->options->output, work->options->force, &work->layout, &work->target, error);
        if (status == STATUS_OK)
            status = output_share(work->target.output, work->shared, sizeof work->shared, error);
        work->offset = work->target.offset;
    }
    status = ranks_agree(&work->world, status, error);
    if (status == STATUS_OK)
        status = ranks_broadcast(&work->world, work->shared, sizeof work->shared, 0, error);
    return status == STATUS_OK ? ranks_broadcast(&work->world, &work->offset, sizeof work->offset, 0, error) : status;
}

static enum status write_result(struct file_work *work, struct error *error)
{
    const char *path = work->options->output;
    int last = work->run.array_count - 1;
    void *file = NULL;
    enum status status = ranks_agree(&work->world, ranks_file_open(work->shared, true, &file, error), error);
    if (status != STATUS_OK)
        return status;
    status = ranks_agree(&work->world,
                         rank_part_write(&work->run, last, file, path, work->offset, swaps_result(work), error), error);
    struct error later;
    return method_outcome(status, error, ranks_file_close(file, path, &later), &later);
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

/* Rank 0 judges the files, with the kernel's own check. */
struct judging {
    struct host_arrays input, output;
    void *copies[KERNEL_ARRAYS_MAX + 1]; /* of files that the kernel does not take as they are */
};

static enum status gather_arrays(const struct file_work *work, struct judging *judging, struct error *error)
{
    const int last = work->run.array_count - 1;
    for (int i = 0; i < work->task->count; i++) {
        const int array = work->inputs[i].array;
        judging->input.data[array] = (void *)rank_input_whole(&work->run, &work->inputs[i], &judging->copies[i]);
        if (!judging->input.data[array] && work->run.arrays[array].bytes > 0)
            return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a copy to judge by", work->task->paths[i]);
    }
    if (!work->options->output) {
        judging->output = (struct host_arrays){{NULL}};
        memcpy(judging->output.data, work->run.parts, sizeof judging->output.data);
        return STATUS_OK;
    }
    const struct rank_input result = {
        .file = {.data = work->target.data}, .array = last, .swapped = swaps_result(work)};
    judging->output.data[last] = (void *)rank_input_whole(&work->run, &result, &judging->copies[KERNEL_ARRAYS_MAX]);
    return judging->output.data[last] || work->run.arrays[last].bytes == 0
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "%s: no memory for a copy to judge by", work->options->output);
}

static enum status judge(const struct file_work *work, struct error *error)
{
    struct judging judging = {.copies = {NULL}};
    struct check_result result = {.own_data = true};
    enum status status = gather_arrays(work, &judging, error);
    if (status == STATUS_OK) {
        work->problem.kernel->check(&work->problem, work->run.arrays, judging.input, judging.output, &result);
        status = check_outcome(&result, error);
        if (status == STATUS_FAILED)
            status = fail(error, STATUS_FAILED, "%s: the result is wrong (%s over %d ranks); nothing was written",
                          work->options->output ? work->options->output : work->problem.kernel->name,
                          work->run.method->name, work->world.count);
    }
    for (int i = 0; i < work->task->count; i++)
        status = npy_outcome(&work->inputs[i].file, status, error);
    if (status == STATUS_OK && work->task->print)
        work->task->print(&work->problem, judging.input);
    for (int i = 0; i <= KERNEL_ARRAYS_MAX; i++)
        free(judging.copies[i]);
    return status;
}

static enum status finish_target(struct file_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    if (work->world.rank == 0) {
        status = judge(work, error);
        if (status == STATUS_OK && work->options->output)
            status = npy_finish(&work->target, error);
    }
    return ranks_agree(&work->world, status, error);
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

/* Every rank must be told the same. */
static enum status compare_tasks(const struct file_work *work, struct error *error)
{
    char problem[PROBLEM_TEXT_MAX], text[4 * PATH_MAX] = "";
    for (int i = 0; i < work->task->count; i++)
        text_append(text, sizeof text, "%s%s ", work->task->paths[i], work->inputs[i].turned ? " (turned)" : "");
    text_append(text, sizeof text, "%s -o %s --device %s", problem_text(&work->problem, problem),
                work->options->output ? work->options->output : "-",
                work->options->device ? work->options->device : "auto");
    return ranks_same_text(&work->world, text, error);
}

static enum status work_through(struct file_work *work, struct error *error)
{
    const bool has_file = work->options->output;
    enum status status = ranks_agree(&work->world, open_inputs(work, error), error);
    if (status == STATUS_OK)
        status = compare_tasks(work, error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, begin_run(work, error), error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, work->run.method->begin(&work->run, error), error);
    if (status == STATUS_OK && has_file)
        status = create_target(work, error);
    if (status == STATUS_OK)
        status = read_inputs(work, error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, work->run.method->run(&work->run, error), error);
    if (status == STATUS_OK && has_file)
        status = write_result(work, error);
    return status == STATUS_OK ? finish_target(work, error) : status;
}

static void release(struct file_work *work)
{
    if (work->run.method)
        work->run.method->end(&work->run);
    job_finish(&work->run.job);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        free(work->run.parts[i]);
    device_close(work->run.device);
    npy_abandon(&work->target);
    for (int i = 0; i < RANK_INPUTS_MAX; i++)
        npy_close(&work->inputs[i].file);
}

static enum status share_cores(const struct ranks *world, struct error *error)
{
    struct ranks host;
    enum status status = ranks_on_host(world, &host, error);
    if (status != STATUS_OK)
        return status;
    struct rank_share share;
    status = ranks_share(&host, &share, error);
    if (status == STATUS_OK)
        threads_set(rank_share_threads(&share));
    ranks_free(&host);
    return status;
}

/* All ranks have the same status, unless MPI itself has failed. */
static int tell_outcome(const struct file_work *work, enum status status, int64_t begun, struct error *error)
{
    char taken[32];
    if (status != STATUS_OK && ranks_are_broken() && work->world.rank > 0)
        report_error(fail_in(error, status, "rank %d", work->world.rank), error);
    else if (status != STATUS_OK && work->world.rank == 0)
        report_error(status, error);
    if (work->world.rank == 0 && status == STATUS_OK && work->options->output && file_options_tells(work->options))
        fprintf(stderr, tr("%s: done by %d ranks in %s, checked and on the disk\n"), work->options->output,
                work->world.count, file_options_duration(clock_now() - begun, taken, sizeof taken));
    return exit_code_for(status);
}

const char *const file_options_over_ranks[] = {"output", "force", "device", "quiet", NULL};

int files_over_ranks(const struct file_options *options, const struct files_task *task)
{
    struct file_work *work = calloc(1, sizeof *work);
    struct error error;
    int64_t begun = clock_now();
    if (!work)
        return report_error(STATUS_UNAVAILABLE, (fail(&error, STATUS_UNAVAILABLE, "no memory"), &error));
    work->options = options;
    work->task = task;
    enum status status = ranks_start(&work->world, &error);
    if (status != STATUS_OK) { /* the same on all ranks: one tells */
        free(work);
        return report_error_of_ranks(status, &error);
    }
    status = share_cores(&work->world, &error);
    if (status == STATUS_OK)
        status = work_through(work, &error);
    const int code = said_all(tell_outcome(work, status, begun, &error));
    release(work);
    if (ranks_are_broken())
        ranks_abort(code);
    ranks_end(&work->world, code);
    free(work);
    return code;
}
