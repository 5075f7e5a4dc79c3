/* uskor dot: the dot product of two vectors in the user's own .npy files. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "files/npy.h"
#include "library/job.h"

struct arguments {
    const char *inputs[2];
    int input_count;
    const char *device;
};

static const char doc[] =
    "The dot product of two vectors in NumPy's .npy format: the sum of a[i] * b[i].\v"
    "For example:\n\n"
    "  uskor dot a.npy b.npy\n\n"
    "Both files hold one axis of as many float32 or float64 numbers, of the same type, in either byte order. The sum "
    "is made in "
    "double precision and printed with all its digits, after it was compared with a compensated sum.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.";

static const struct argp_option options[] = {
    {"device", 'd', "DEVICE", 0, "Where to compute: cpu (the default), opencl:0, cuda:0 … ('uskor devices')", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'd':
        arguments->device = argument;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->input_count == 2)
            argp_error(state, "two inputs, no more");
        arguments->inputs[arguments->input_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        if (arguments->input_count != 2)
            argp_error(state, "two inputs are needed: uskor dot a.npy b.npy");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = options, .parser = parse, .args_doc = "A.npy B.npy", .doc = doc};

/* A file's vector in this machine's byte order. */
struct vector {
    struct npy_array file;
    void *swapped; /* NULL: the file's own bytes serve */
    enum element_type type;
    size_t count;
};

static enum status check_vector(const struct npy_array *array, struct error *error)
{
    const struct npy_layout *layout = &array->layout;
    if (layout->rank != 1)
        return fail(error, STATUS_INVALID, "%s: has %d axes; a vector (one axis) was expected", array->path,
                    layout->rank);
    if (layout->kind != 'f' || (layout->item_bytes != 4 && layout->item_bytes != 8))
        return fail(error, STATUS_INVALID, "%s: is of type %c%zu; float32 (f4) or float64 (f8) was expected",
                    array->path, layout->kind, layout->item_bytes);
    return STATUS_OK;
}

static enum status swap_bytes(struct vector *vector, struct error *error)
{
    size_t bytes = vector->file.layout.bytes;
    vector->swapped = malloc(bytes ? bytes : 1);
    if (!vector->swapped)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to turn its byte order", vector->file.path);
    for (size_t i = 0; i < vector->count; i++)
        if (vector->type == ELEMENT_F32)
            ((uint32_t *)vector->swapped)[i] = __builtin_bswap32(((const uint32_t *)vector->file.data)[i]);
        else
            ((uint64_t *)vector->swapped)[i] = __builtin_bswap64(((const uint64_t *)vector->file.data)[i]);
    return STATUS_OK;
}

static enum status open_vector(const char *path, struct vector *vector, struct error *error)
{
    enum status status = npy_open(path, &vector->file, error);
    if (status == STATUS_OK)
        status = check_vector(&vector->file, error);
    if (status != STATUS_OK)
        return status;
    vector->type = vector->file.layout.item_bytes == 4 ? ELEMENT_F32 : ELEMENT_F64;
    vector->count = vector->file.layout.shape[0];
    return vector->file.element == ELEMENT_TYPE_COUNT ? swap_bytes(vector, error) : STATUS_OK;
}

static void close_vector(struct vector *vector)
{
    free(vector->swapped);
    npy_close(&vector->file);
}

static void *data_of(const struct vector *vector)
{
    return vector->swapped ? vector->swapped : (void *)(uintptr_t)vector->file.data;
}

static enum status check_pair(const struct vector vectors[2], struct error *error)
{
    const struct vector *a = &vectors[0], *b = &vectors[1];
    if (a->count != b->count)
        return fail(error, STATUS_INVALID, "%s has %zu elements and %s has %zu: they must have as many", a->file.path,
                    a->count, b->file.path, b->count);
    if (a->type != b->type)
        return fail(error, STATUS_INVALID, "%s is of %s and %s of %s: they must be of the same type", a->file.path,
                    element_info(a->type)->name, b->file.path, element_info(b->type)->name);
    return STATUS_OK;
}

/* Runs the best rung and judges its result as the lab does, by the bound it states. */
static enum status compute(struct device *device, const struct vector vectors[2], double *result, struct error *error)
{
    struct job job = {0};
    char text[PROBLEM_TEXT_MAX];
    unsigned char narrow[8];
    memset(result, 0xFF, sizeof *result);
    memset(narrow, 0xFF, sizeof narrow);
    void *const data[] = {data_of(&vectors[0]), data_of(&vectors[1]), result, narrow};
    snprintf(text, sizeof text, "dot:n=%zu,%s", vectors[0].count, element_info(vectors[0].type)->name);
    enum status status = job_prepare(&job, device, text, error);
    if (status == STATUS_OK)
        status = job_run(&job, data, error);
    struct check_result check = {0};
    if (status == STATUS_OK)
        status = rung_bound(job.run.rung, &job.problem, &job.run.parameters, &check.bound, error);
    if (status == STATUS_OK) {
        job.problem.kernel->check(&job.problem, job.arrays, (struct host_arrays){{data[0], data[1]}},
                                  (struct host_arrays){{NULL, NULL, result, narrow}}, &check);
        if (!check.passed)
            status =
                fail(error, STATUS_FAILED, "rung %s on %s is wrong: %s", job.run.rung->name, device->id, check.reason);
    }
    job_finish(&job);
    return status;
}

int cmd_dot(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct vector vectors[2] = {0};
    struct device *device = NULL;
    struct error error;
    double result = 0;
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return EXIT_USE;
    enum status status = device_open(arguments.device ? arguments.device : "cpu", &device, &error);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = open_vector(arguments.inputs[i], &vectors[i], &error);
    if (status == STATUS_OK)
        status = check_pair(vectors, &error);
    if (status == STATUS_OK)
        status = compute(device, vectors, &result, &error);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = npy_check(&vectors[i].file, &error);
    if (status == STATUS_OK)
        printf("%.17g\n", result);
    for (int i = 0; i < 2; i++)
        close_vector(&vectors[i]);
    device_close(device);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
