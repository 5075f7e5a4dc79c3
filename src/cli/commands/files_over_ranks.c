#include "cli/commands/files_over_ranks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/threads.h"
#include "base/translation.h"
#include "cli/options/outcome.h"
#include "distributed/ranks/method.h"
#include "library/default_device.h"

struct file_work {
    const struct file_options *options;
    struct ranks world;
    struct npy_array inputs[DATA_INPUTS_MAX];
    struct problem problem;
    struct npy_layout layout; /* of the result */
    struct method_run run;
    struct npy_writer target; /* rank 0's */
    char shared[PATH_MAX];    /* where all ranks find it */
    size_t offset;            /* of its data */
};

/* ---- the problem ---------------------------------------------------------------------------------------------- */

static enum status open_inputs(struct file_work *work, files_problem *pose, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < work->options->given; i++) {
        status = npy_open(work->options->inputs[i], &work->inputs[i], error);
        if (status == STATUS_OK && work->inputs[i].layout.fortran && work->inputs[i].layout.rank > 1)
            status = fail(error, STATUS_INVALID, "%s: is in Fortran order; several ranks take files in C order",
                          work->options->inputs[i]);
    }
    return status == STATUS_OK ? pose(work->inputs, &work->problem, &work->layout, error) : status;
}

static const struct method *method_for(const struct kernel *kernel)
{
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel->name) == 0)
            return methods[i];
    abort(); /* commands ask for kernels that have one */
}

static struct place place_of(const struct file_work *work, int array)
{
    const struct method_run *run = &work->run;
    return run->method->place(&work->problem, &run->arrays[array], array, run->ranks.rank, run->ranks.count);
}

static enum status begin_run(struct file_work *work, struct error *error)
{
    struct method_run *run = &work->run;
    *run = (struct method_run){
        .method = method_for(work->problem.kernel), .problem = &work->problem, .ranks = work->world};
    enum status status = kernel_describe(&work->problem, run->arrays, &run->array_count, error);
    if (status == STATUS_OK)
        status = default_device_open(work->options->device, true, &run->device, error);
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++) {
        struct place place = place_of(work, i);
        status =
            method_allocate(&run->parts[i], place.rows * place.cols * element_info(run->arrays[i].type)->bytes, error);
    }
    return status;
}

/* ---- files ---------------------------------------------------------------------------------------------------- */

typedef enum status move_bytes(void *file, const char *path, size_t offset, void *data, size_t bytes,
                               struct error *error);

static enum status write_bytes(void *file, const char *path, size_t offset, void *data, size_t bytes,
                               struct error *error)
{
    return ranks_file_write(file, path, offset, data, bytes, error);
}

/* This rank's rectangle of an array, row by row, or at once where rows follow each other. */
static enum status move_part(const struct file_work *work, int array, void *file, const char *path, size_t offset,
                             move_bytes *move, struct error *error)
{
    const struct array *whole = &work->run.arrays[array];
    struct place place = place_of(work, array);
    size_t bytes = element_info(whole->type)->bytes, width = place.cols * bytes, rows = place.rows;
    enum status status = STATUS_OK;
    if (place.cols == whole->cols && rows > 0) {
        width *= rows;
        rows = 1;
    }
    for (size_t row = 0; status == STATUS_OK && width > 0 && row < rows; row++)
        status = move(file, path, offset + ((place.row + row) * whole->cols + place.col) * bytes,
                      (char *)work->run.parts[array] + row * width, width, error);
    return status;
}

static enum status read_inputs(struct file_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < work->options->given; i++) {
        const char *path = work->options->inputs[i];
        void *file = NULL;
        struct error why;
        status = ranks_agree(&work->world, ranks_file_open(path, false, &file, &why), &why);
        if (status == STATUS_OK)
            status = ranks_agree(&work->world,
                                 move_part(work, i, file, path, work->inputs[i].offset, ranks_file_read, &why), &why);
        if (file)
            ranks_file_close(file, path, NULL);
        if (status != STATUS_OK)
            return fail(error, status, "%s", why.text);
    }
    return status;
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
    status = ranks_agree(&work->world, move_part(work, last, file, path, work->offset, write_bytes, error), error);
    struct error later;
    return method_outcome(status, error, ranks_file_close(file, path, &later), &later);
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

/* Rank 0 judges the files as they are, with the kernel's own check. */
static enum status judge(const struct file_work *work, struct error *error)
{
    struct host_arrays input = {{NULL}}, output = {{NULL}};
    struct check_result result = {.own_data = true};
    int last = work->run.array_count - 1;
    for (int i = 0; i < work->options->given; i++)
        input.data[i] = (void *)work->inputs[i].data;
    output.data[last] = work->target.data;
    work->problem.kernel->check(&work->problem, work->run.arrays, input, output, &result);
    return result.passed ? STATUS_OK
                         : fail(error, STATUS_FAILED, "%s: the result is wrong (%s over %d ranks); nothing was written",
                                work->options->output, work->run.method->name, work->world.count);
}

static enum status finish_target(struct file_work *work, struct error *error)
{
    enum status status = STATUS_OK;
    if (work->world.rank == 0) {
        status = judge(work, error);
        for (int i = 0; i < work->options->given; i++)
            status = npy_outcome(&work->inputs[i], status, error);
        if (status == STATUS_OK)
            status = npy_finish(&work->target, error);
    }
    return ranks_agree(&work->world, status, error);
}

/* ---- the command ---------------------------------------------------------------------------------------------- */

/* Every rank must be told the same. */
static enum status compare_tasks(const struct file_work *work, struct error *error)
{
    char problem[PROBLEM_TEXT_MAX], text[PROBLEM_TEXT_MAX + PATH_MAX];
    snprintf(text, sizeof text, "%s -o %s", problem_text(&work->problem, problem), work->options->output);
    return ranks_same_text(&work->world, text, error);
}

static enum status work_through(struct file_work *work, files_problem *pose, struct error *error)
{
    enum status status = ranks_agree(&work->world, open_inputs(work, pose, error), error);
    if (status == STATUS_OK)
        status = compare_tasks(work, error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, begin_run(work, error), error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, work->run.method->begin(&work->run, error), error);
    if (status == STATUS_OK)
        status = create_target(work, error);
    if (status == STATUS_OK)
        status = read_inputs(work, error);
    if (status == STATUS_OK)
        status = ranks_agree(&work->world, work->run.method->run(&work->run, error), error);
    if (status == STATUS_OK)
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
    for (int i = 0; i < DATA_INPUTS_MAX; i++)
        npy_close(&work->inputs[i]);
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

int files_over_ranks(const struct file_options *options, files_problem *pose)
{
    struct file_work *work = calloc(1, sizeof *work);
    struct error error;
    char taken[32];
    int64_t begun = clock_now();
    if (!work)
        return report_error(STATUS_UNAVAILABLE, (fail(&error, STATUS_UNAVAILABLE, "no memory"), &error));
    work->options = options;
    enum status status = ranks_start(&work->world, &error);
    if (status != STATUS_OK) {
        free(work);
        return report_error(status, &error);
    }
    status = share_cores(&work->world, &error);
    if (status == STATUS_OK)
        status = work_through(work, pose, &error);
    int code = exit_code_for(status);
    if (work->world.rank == 0 && status != STATUS_OK)
        report_error(status, &error);
    if (work->world.rank == 0 && status == STATUS_OK && file_options_tells(options))
        fprintf(stderr, tr("%s: done by %d ranks in %s, checked and on the disk\n"), options->output, work->world.count,
                file_options_duration(clock_now() - begun, taken, sizeof taken));
    release(work);
    if (status == STATUS_SYSTEM) /* MPI itself may have failed: nobody can be sure that the others know */
        ranks_abort(code);
    ranks_end(&work->world);
    free(work);
    return code;
}
