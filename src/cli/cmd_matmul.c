/* uskor matmul: the product of two matrices in the user's own .npy files. */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "files/npy.h"
#include "library/job.h"

struct arguments {
    const char *inputs[2], *added, *output, *device;
    int input_count;
    bool transa, transb, force, quiet;
    double alpha, beta;
    bool has_beta;
};

static const char doc[] =
    "The product of two matrices in NumPy's .npy format: C = alpha·A·B + beta·C.\v"
    "For example:\n\n"
    "  uskor matmul a.npy b.npy -o c.npy\n"
    "  uskor matmul a.npy b.npy -o c.npy --transa --alpha 0.5\n"
    "  uskor matmul a.npy b.npy -o c.npy --add c.npy --force\n\n"
    "The files hold float32 or float64 numbers, all of one type, on two axes, in either byte order, in C or Fortran "
    "order. The result is of that type, in this machine's byte order and in C order. NaN and infinity go where IEEE "
    "754 "
    "sends them.\n\n"
    "The result is checked before it gets its name: OUT.npy is whole and right or is not there. OUT.npy may be one of "
    "the inputs with --force.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.";

enum { OPTION_TRANSA = 256, OPTION_TRANSB, OPTION_ALPHA, OPTION_BETA, OPTION_ADD };

static const struct argp_option options[] = {
    {"output", 'o', "OUT.npy", 0, "The result (needed)", 0},
    {"transa", OPTION_TRANSA, NULL, 0, "Take A's transpose", 0},
    {"transb", OPTION_TRANSB, NULL, 0, "Take B's transpose", 0},
    {"alpha", OPTION_ALPHA, "FACTOR", 0, "Multiply the product by FACTOR (1)", 0},
    {"add", OPTION_ADD, "C.npy", 0, "Add the matrix in C.npy, times beta", 0},
    {"beta", OPTION_BETA, "FACTOR", 0, "The factor of the matrix that is added (1)", 0},
    {"force", 'f', NULL, 0, "Overwrite OUT.npy when it exists", 0},
    {"device", 'd', "DEVICE", 0, "Where to compute: cpu (the default), opencl:0, cuda:0 … ('uskor devices')", 0},
    {"quiet", 'q', NULL, 0, "Say nothing when all is well", 0},
    {0},
};

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static double read_factor(const char *name, const char *text, struct argp_state *state)
{
    double factor = 0;
    if (!text_real(text, &factor) || !isfinite(factor))
        argp_error(state, "--%s takes a number, such as 2 or -0.5; this is '%s'", name, text);
    return factor;
}

static void demand_all(const struct arguments *arguments, struct argp_state *state)
{
    if (arguments->input_count != 2 || !arguments->output)
        argp_error(state, "two inputs and a result are needed: uskor matmul a.npy b.npy -o c.npy");
    if (arguments->has_beta && !arguments->added)
        argp_error(state, "--beta is the factor of a matrix to add: name it with --add C.npy");
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case OPTION_TRANSA:
        arguments->transa = true;
        return 0;
    case OPTION_TRANSB:
        arguments->transb = true;
        return 0;
    case OPTION_ALPHA:
        arguments->alpha = read_factor("alpha", argument, state);
        return 0;
    case OPTION_BETA:
        arguments->beta = read_factor("beta", argument, state);
        arguments->has_beta = true;
        return 0;
    case OPTION_ADD:
        arguments->added = argument;
        return 0;
    case 'f':
        arguments->force = true;
        return 0;
    case 'd':
        arguments->device = argument;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->input_count == 2)
            argp_error(state, "two inputs, no more; name the result with -o");
        arguments->inputs[arguments->input_count++] = argument;
        return 0;
    case ARGP_KEY_END:
        demand_all(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = options, .parser = parse, .args_doc = "A.npy B.npy -o OUT.npy", .doc = doc};

/* ---- matrices ------------------------------------------------------------------------------------------------- */

/* A file's matrix in this machine's byte order. A matrix in Fortran order is its transpose in C order. */
struct matrix {
    struct npy_array file;
    void *swapped;     /* NULL: the file's own bytes serve */
    size_t rows, cols; /* of what was asked for: of the transpose, where that was */
    bool transposed;   /* what is stored is cols × rows */
    enum element_type type;
};

static enum status check_matrix(const struct npy_array *array, struct error *error)
{
    const struct npy_layout *layout = &array->layout;
    if (layout->rank != 2)
        return fail(error, STATUS_INVALID, "%s: has %d axes; a matrix (two axes) was expected", array->path,
                    layout->rank);
    if (layout->kind != 'f' || (layout->item_bytes != 4 && layout->item_bytes != 8))
        return fail(error, STATUS_INVALID, "%s: is of type %c%zu; float32 (f4) or float64 (f8) was expected",
                    array->path, layout->kind, layout->item_bytes);
    return STATUS_OK;
}

static enum status swap_bytes(struct matrix *matrix, struct error *error)
{
    const struct npy_layout *layout = &matrix->file.layout;
    matrix->swapped = malloc(layout->bytes ? layout->bytes : 1);
    if (!matrix->swapped)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to turn its byte order", matrix->file.path);
    for (size_t i = 0; i < layout->count; i++)
        if (matrix->type == ELEMENT_F32)
            ((uint32_t *)matrix->swapped)[i] = __builtin_bswap32(((const uint32_t *)matrix->file.data)[i]);
        else
            ((uint64_t *)matrix->swapped)[i] = __builtin_bswap64(((const uint64_t *)matrix->file.data)[i]);
    return STATUS_OK;
}

static enum status open_matrix(const char *path, bool transpose, struct matrix *matrix, struct error *error)
{
    enum status status = npy_open(path, &matrix->file, error);
    if (status == STATUS_OK)
        status = check_matrix(&matrix->file, error);
    if (status != STATUS_OK)
        return status;
    const struct npy_layout *layout = &matrix->file.layout;
    matrix->type = layout->item_bytes == 4 ? ELEMENT_F32 : ELEMENT_F64;
    matrix->rows = layout->shape[transpose];
    matrix->cols = layout->shape[!transpose];
    matrix->transposed = transpose != layout->fortran;
    return matrix->file.element == ELEMENT_TYPE_COUNT ? swap_bytes(matrix, error) : STATUS_OK;
}

static void close_matrix(struct matrix *matrix)
{
    free(matrix->swapped);
    npy_close(&matrix->file);
}

static void *data_of(const struct matrix *matrix)
{
    return matrix->swapped ? matrix->swapped : (void *)(uintptr_t)matrix->file.data;
}

static enum status check_type(const struct matrix *a, const struct matrix *other, struct error *error)
{
    if (other->type == a->type)
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s is of %s and %s of %s: they must be of the same type", a->file.path,
                element_info(a->type)->name, other->file.path, element_info(other->type)->name);
}

/* ---- the work ------------------------------------------------------------------------------------------------- */

struct matrices {
    struct matrix a, b, added; /* added: a zeroed one when nothing is */
    double alpha, beta;        /* as numbers of the matrices' type */
};

static enum status check_shapes(const struct matrices *all, struct error *error)
{
    const struct matrix *a = &all->a, *b = &all->b, *added = &all->added;
    if (a->cols != b->rows)
        return fail(error, STATUS_INVALID,
                    "%s gives %zu×%zu and %s %zu×%zu: the columns of the first must be the rows of the second",
                    a->file.path, a->rows, a->cols, b->file.path, b->rows, b->cols);
    enum status status = check_type(a, b, error);
    if (status != STATUS_OK || !added->file.path)
        return status;
    if (added->rows != a->rows || added->cols != b->cols)
        return fail(error, STATUS_INVALID, "%s holds %zu×%zu; the product is %zu×%zu", added->file.path, added->rows,
                    added->cols, a->rows, b->cols);
    return check_type(a, added, error);
}

/* volatile: gcc 12 leaves out the rounding of two neighbours that it makes a vector of. */
static double rounded(double factor, enum element_type type)
{
    volatile float narrow = (float)factor;
    return type == ELEMENT_F32 ? (double)narrow : factor;
}

/* Factors are rounded to the matrices' type, as the product sees them. */
static enum status round_factors(const struct arguments *arguments, struct matrices *all, struct error *error)
{
    double beta = arguments->added ? arguments->beta : 0;
    all->alpha = rounded(arguments->alpha, all->a.type);
    all->beta = rounded(beta, all->a.type);
    if (isfinite(all->alpha) && isfinite(all->beta))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "a factor is beyond the range of %s", element_info(all->a.type)->name);
}

static enum status open_all(const struct arguments *arguments, struct matrices *all, struct error *error)
{
    enum status status = open_matrix(arguments->inputs[0], arguments->transa, &all->a, error);
    if (status == STATUS_OK)
        status = open_matrix(arguments->inputs[1], arguments->transb, &all->b, error);
    if (status == STATUS_OK && arguments->added)
        status = open_matrix(arguments->added, false, &all->added, error);
    if (status == STATUS_OK)
        status = check_shapes(all, error);
    return status == STATUS_OK ? round_factors(arguments, all, error) : status;
}

/* C as it is before the product, in C order. */
static void begin_with(const struct matrix *added, char *target)
{
    size_t bytes = added->file.layout.item_bytes;
    const char *source = data_of(added);
    if (!added->transposed && added->file.layout.bytes > 0)
        memcpy(target, source, added->file.layout.bytes);
    for (size_t i = 0; added->transposed && i < added->rows; i++)
        for (size_t j = 0; j < added->cols; j++)
            memcpy(target + (i * added->cols + j) * bytes, source + (j * added->rows + i) * bytes, bytes);
}

/* Runs the best rung, and judges the result as the lab does. `before` is C's first content, or NULL. */
static enum status compute(const struct matrices *all, struct device *device, void *target, void *before,
                           struct error *error)
{
    const struct matrix *a = &all->a, *b = &all->b;
    struct job job = {0};
    char text[PROBLEM_TEXT_MAX];
    snprintf(text, sizeof text, "matmul:m=%zu,n=%zu,k=%zu,alpha=%.17g,beta=%.17g,transa=%c,transb=%c,%s", a->rows,
             b->cols, a->cols, all->alpha, all->beta, a->transposed ? 't' : 'n', b->transposed ? 't' : 'n',
             element_info(a->type)->name);
    void *const data[] = {data_of(a), data_of(b), target};
    enum status status = job_prepare(&job, device, text, error);
    if (status == STATUS_OK)
        status = job_run(&job, data, error);
    if (status == STATUS_OK) {
        struct check_result check = {0};
        job.problem.kernel->check(&job.problem, job.arrays, (struct host_arrays){{data[0], data[1], before}},
                                  (struct host_arrays){{data[0], data[1], target}}, &check);
        if (!check.passed)
            status =
                fail(error, STATUS_FAILED, "rung %s on %s is wrong: %s", job.run.rung->name, device->id, check.reason);
    }
    job_finish(&job);
    return status;
}

static enum status fill(const struct matrices *all, struct device *device, const struct npy_writer *target,
                        struct error *error)
{
    char *before = NULL;
    if (all->beta != 0) {
        before = malloc(target->layout.bytes ? target->layout.bytes : 1);
        if (!before)
            return fail(error, STATUS_UNAVAILABLE, "no memory for a copy of the matrix that is added");
        begin_with(&all->added, before);
        if (target->layout.bytes > 0)
            memcpy(target->data, before, target->layout.bytes);
    }
    enum status status = compute(all, device, target->data, before, error);
    free(before);
    if (status == STATUS_OK)
        status = npy_check(&all->a.file, error);
    if (status == STATUS_OK)
        status = npy_check(&all->b.file, error);
    return status == STATUS_OK && all->beta != 0 ? npy_check(&all->added.file, error) : status;
}

static enum status make(const struct arguments *arguments, const struct matrices *all, struct device *device,
                        struct error *error)
{
    struct npy_writer target = {0};
    struct npy_layout layout = {
        .kind = 'f',
        .order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>',
        .item_bytes = element_info(all->a.type)->bytes,
        .rank = 2,
        .shape = {all->a.rows, all->b.cols},
    };
    int64_t begun = clock_now();
    enum status status = npy_create(arguments->output, arguments->force, &layout, &target, error);
    if (status != STATUS_OK)
        return status;
    status = fill(all, device, &target, error);
    if (status != STATUS_OK) {
        npy_abandon(&target);
        return status;
    }
    status = npy_finish(&target, error);
    char taken[32];
    if (status == STATUS_OK && !arguments->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "multiplied %zu×%zu by %zu×%zu %s on %s, checked and written in %s\n", all->a.rows, all->a.cols,
                all->b.rows, all->b.cols, element_info(all->a.type)->name, device->id,
                text_duration((double)(clock_now() - begun), taken, sizeof taken));
    return status;
}

int cmd_matmul(int argc, char **argv)
{
    struct arguments arguments = {.alpha = 1, .beta = 1};
    struct matrices all = {0};
    struct device *device = NULL;
    struct error error;
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return EXIT_USE;
    enum status status = open_all(&arguments, &all, &error);
    if (status == STATUS_OK)
        status = device_open(arguments.device ? arguments.device : "cpu", &device, &error);
    if (status == STATUS_OK && device_is_null(device))
        status = fail(&error, STATUS_INVALID, "the null device computes nothing");
    if (status == STATUS_OK)
        status = make(&arguments, &all, device, &error);
    close_matrix(&all.a);
    close_matrix(&all.b);
    close_matrix(&all.added);
    device_close(device);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
