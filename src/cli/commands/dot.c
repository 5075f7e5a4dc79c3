/* uskor dot: the dot product of two vectors in the user's own .npy files. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mpi_launcher.h"
#include "base/output_reader.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/files_over_ranks.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "files/npy_floats.h"
#include "files/npy_type.h"
#include "kernels/dot/check.h"

static const char doc[] =
    N_("The dot product of two vectors in NumPy's .npy format: the sum of a[i] * b[i].\n\n"
       "For example:\n\n"
       "  uskor dot a.npy b.npy\n\n"
       "Both files hold one axis of as many float16, float32 or float64 numbers, of the same type, in either byte "
       "order. The best "
       "rung of the device computes the sum. A check adds up the same products without any rounding. Where both agree, "
       "what is printed is the check's sum, rounded once to a double.\n\n"
       "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.");

static const struct option options[] = {{"json", 'j', NULL, N_("Write JSON"), SETS_FLAG(struct file_options, json)},
                                        {0}};
static const struct usage usage = {
    .options = options, .args_doc = "A.npy B.npy", .doc = doc, .shared = &data_printing_usage};

static enum status check_pair(const struct floats vectors[2], struct error *error)
{
    const struct npy_array *a = &vectors[0].file, *b = &vectors[1].file;
    if (a->layout.count != b->layout.count)
        return fail(error, STATUS_INVALID, "%s has %zu elements and %s has %zu: they must have as many", a->path,
                    a->layout.count, b->path, b->layout.count);
    return floats_same_type(&vectors[0], &vectors[1], error);
}

static enum status open_pair(const char *const paths[2], struct floats vectors[2], struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = floats_open(paths[i], 1, 1, N_("a vector (one axis)"), &vectors[i], error);
    return status == STATUS_OK ? check_pair(vectors, error) : status;
}

static void print(double result)
{
    if (isnan(result))
        puts("nan"); /* of a NaN's sign IEEE 754 says nothing */
    else
        printf("%.17g\n", result);
}

static const char *problem_of(const struct floats vectors[2], char text[PROBLEM_TEXT_MAX])
{
    snprintf(text, PROBLEM_TEXT_MAX, "dot:n=%zu,%s", vectors[0].file.layout.count, element_info(vectors[0].type)->name);
    return text;
}

/* NaN and infinity are strings, as JSON has no numbers for them. */
static void print_json(double result, const struct floats *vector, const struct uskor *context)
{
    json_t *number = isnan(result)   ? json_string("nan")
                     : isinf(result) ? json_string(result > 0 ? "inf" : "-inf")
                                     : json_real(result);
    json_t *object = json_pack("{s:s, s:o, s:I, s:s, s:s, s:s}", "schema", "uskor.dot/1", "result", number, "n",
                               (json_int_t)vector->file.layout.count, "type", element_info(vector->type)->name, "rung",
                               context->job.prepared.run.rung->name, "device", context->device->id);
    json_dumpf(object, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    putchar('\n');
    json_decref(object);
}

/* A check that keeps its reference. */
struct judged {
    const struct job *job;
    struct host_arrays input, output;
    struct dot_reference reference;
};

static void judge(void *context, struct check_result *result)
{
    struct judged *judged = context;
    const struct problem *problem = &judged->job->problem;
    dot_refer(problem->type, judged->input.data[0], judged->input.data[1], (size_t)problem_size(problem, "n"),
              &judged->reference);
    dot_judge_output(problem, &judged->reference, judged->output, result);
}

/* Runs the best rung and judges its result as the lab does, by the bound it states. Then `*best` is the sum that the
 * check holds: where finite terms overflow on the rung's way, it is the only one that is right. */
static enum status compute(struct file_options *arguments, struct uskor *context, const char *text,
                           const struct floats vectors[2], double *best, struct error *error)
{
    unsigned char wide[8], narrow[8];
    memset(wide, 0xFF, sizeof wide);
    memset(narrow, 0xFF, sizeof narrow);
    void *const data[] = {floats_data(&vectors[0]), floats_data(&vectors[1]), wide, narrow};
    enum status status = job_prepare(&context->job, context->device, text, context->job.times, error);
    if (status == STATUS_OK)
        status = job_run(&context->job, data, error);
    file_options_lap(arguments, N_("reading and computing"));
    struct judged judged = {
        .job = &context->job, .input = {{data[0], data[1]}}, .output = {{NULL, NULL, wide, narrow}}};
    if (status == STATUS_OK)
        status = file_options_judge(&context->job, judge, &judged, error);
    if (status == STATUS_OK)
        *best = dot_reference_value(&judged.reference);
    for (int i = 0; i < 2; i++)
        status = npy_outcome(&vectors[i].file, status, error);
    file_options_lap(arguments, N_("checking"));
    return status;
}

/* ---- over ranks ---- */

static enum status pose(const void *context, struct rank_input *inputs, struct problem *problem,
                        struct npy_layout *result, struct error *error)
{
    (void)context, (void)result;
    struct floats vectors[2];
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < 2; i++) {
        vectors[i] = (struct floats){.file = inputs[i].file};
        status = floats_check(&vectors[i], 1, 1, N_("a vector (one axis)"), error);
        inputs[i].swapped = !npy_type_is_native(&inputs[i].file.layout);
    }
    if (status == STATUS_OK)
        status = check_pair(vectors, error);
    if (status != STATUS_OK)
        return status;
    *problem = problem_default(kernel_by_name("dot", error));
    problem->type = vectors[0].type;
    problem_set_size(problem, "n", (int64_t)inputs[0].file.layout.count);
    return STATUS_OK;
}

/* As from one process: the check's own sum. */
static void print_checked(const struct problem *problem, struct host_arrays input)
{
    struct dot_reference reference;
    dot_refer(problem->type, input.data[0], input.data[1], (size_t)problem_size(problem, "n"), &reference);
    print(dot_reference_value(&reference));
    fflush(stdout);
}

int cmd_dot(int argc, char **argv)
{
    struct file_options arguments = {
        .input_count = 2,
        .piped_end = ".npy",
        .too_many = N_("two inputs, no more"),
        .too_few = "two inputs are needed: uskor dot a.npy b.npy",
    };
    struct floats vectors[2] = {0};
    struct uskor *context = NULL;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    double result = 0;
    options_parse(&usage, argc, argv, &arguments);
    output_reader_outlive();
    if (started_by_mpi())
        return files_over_ranks(&arguments, &(struct files_task){
                                                .paths = {arguments.inputs[0], arguments.inputs[1]},
                                                .count = 2,
                                                .pose = pose,
                                                .print = print_checked,
                                                .refused = options_beyond(&usage, argc, argv, file_options_over_ranks),
                                            });
    enum status status = open_pair(arguments.inputs, vectors, &error);
    if (status == STATUS_OK)
        status = file_options_open(&arguments, problem_of(vectors, text), &context, &error);
    if (status == STATUS_OK)
        status = compute(&arguments, context, text, vectors, &result, &error);
    if (status == STATUS_OK && arguments.json)
        print_json(result, &vectors[0], context);
    else if (status == STATUS_OK)
        print(result);
    for (int i = 0; i < 2; i++)
        floats_close(&vectors[i]);
    status = file_options_close(&arguments, context, status, &error);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
