/* uskor matmul: the product of two matrices, or of two stacks of them, in the user's own .npy files. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/mpi_launcher.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/files_over_ranks.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "distributed/ranks/ranks.h"
#include "files/npy_floats.h"
#include "files/npy_type.h"

struct arguments {
    struct file_options data;
    const char *added;
    bool transa, transb;
    double alpha, beta;
    bool has_beta;
};

static const char doc[] = N_(
    "The product of two matrices in NumPy's .npy format: C = alpha·A·B + beta·C.\n\n"
    "For example:\n\n"
    "  uskor matmul a.npy b.npy -o c.npy\n"
    "  uskor matmul a.npy b.npy -o c.npy --transa --alpha 0.5\n"
    "  uskor matmul a.npy b.npy -o c.npy --add c.npy --force\n\n"
    "The files hold float16, float32 or float64 numbers, all of one type, on two axes, in either byte order, in C or "
    "Fortran order. The sums of float16 are float32. Stacks of matrices (three axes, C order) are multiplied pair by "
    "pair, as by numpy.matmul. The result is of "
    "that type, in this machine's byte order and in C order. NaN and infinity go where IEEE "
    "754 sends them; with alpha 0 A and B are not read, as in BLAS.\n\n"
    "The result is checked before it gets its name: OUT.npy is whole and right or is not there. OUT.npy may be one of "
    "the inputs with --force.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.");

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static double read_factor(const char *name, const char *text, const struct options_state *state)
{
    double factor = 0;
    if (!text_real(text, &factor) || !isfinite(factor))
        refuse_use(state, "--%s takes a number, such as 2 or -0.5; this is '%s'", name, text);
    return factor;
}

static void read_alpha(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    arguments->alpha = read_factor("alpha", argument, state);
}

static void read_beta(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    arguments->beta = read_factor("beta", argument, state);
    arguments->has_beta = true;
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->has_beta && !arguments->added)
        refuse_use(state, "--beta is the factor of a matrix to add: name it with --add C.npy");
}

static const struct option options[] = {
    {"transa", 0, NULL, N_("Take A's transpose"), SETS_FLAG(struct arguments, transa)},
    {"transb", 0, NULL, N_("Take B's transpose"), SETS_FLAG(struct arguments, transb)},
    {"alpha", 0, N_("FACTOR"), N_("Multiply the product by FACTOR (1)"), READ_BY(read_alpha)},
    {"add", 0, "C.npy", N_("Add the matrix in C.npy, times beta"), SETS_TEXT(struct arguments, added)},
    {"beta", 0, N_("FACTOR"), N_("The factor of the matrix that is added (1)"), READ_BY(read_beta)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = "A.npy B.npy -o OUT.npy",
    .doc = doc,
    .shared = &data_usage,
};

/* ---- matrices ------------------------------------------------------------------------------------------------- */

/* A file's matrix. One in Fortran order is its transpose in C order. */
struct matrix {
    struct floats floats;
    size_t stack;      /* matrices on a first axis of three; 1 where there are two axes */
    size_t rows, cols; /* of the requested matrix, transposed where requested */
    bool transposed;   /* what is stored is cols × rows */
};

static int axes_of(const struct matrix *matrix)
{
    return matrix->floats.file.layout.rank;
}

static enum status shape_matrix(bool transpose, struct matrix *matrix, struct error *error)
{
    const struct npy_layout *layout = &matrix->floats.file.layout;
    const size_t *sides = &layout->shape[layout->rank - 2];
    if (layout->rank == 3 && layout->fortran)
        return fail(error, STATUS_INVALID, "%s: a stack of matrices in Fortran order; C order is needed",
                    matrix->floats.file.path);
    matrix->stack = layout->rank == 3 ? layout->shape[0] : 1;
    matrix->rows = sides[transpose];
    matrix->cols = sides[!transpose];
    matrix->transposed = transpose != layout->fortran;
    return STATUS_OK;
}

static enum status open_matrix(const char *path, bool transpose, struct matrix *matrix, struct error *error)
{
    enum status status =
        floats_open(path, 2, 3, N_("a matrix (two axes) or a stack of matrices (three)"), &matrix->floats, error);
    return status == STATUS_OK ? shape_matrix(transpose, matrix, error) : status;
}

struct matrices {
    struct matrix a, b, added; /* added: a zeroed one when nothing is */
    double alpha, beta;        /* as numbers of the matrices' type */
};

/* Nothing is multiplied with all of a stack but a stack as large. */
static enum status same_stack(const struct matrix *a, const struct matrix *other, struct error *error)
{
    if (axes_of(a) != axes_of(other))
        return fail(error, STATUS_INVALID, "%s has %d axes and %s %d: a stack goes with a stack", a->floats.file.path,
                    axes_of(a), other->floats.file.path, axes_of(other));
    if (a->stack != other->stack)
        return fail(error, STATUS_INVALID, "%s holds %zu matrices and %s %zu: they are multiplied pair by pair",
                    a->floats.file.path, a->stack, other->floats.file.path, other->stack);
    return STATUS_OK;
}

static enum status check_shapes(const struct matrices *all, struct error *error)
{
    const struct matrix *a = &all->a, *b = &all->b, *added = &all->added;
    if (a->cols != b->rows)
        return fail(error, STATUS_INVALID,
                    "%s gives %zu×%zu and %s %zu×%zu: the columns of the first must be the rows of the second",
                    a->floats.file.path, a->rows, a->cols, b->floats.file.path, b->rows, b->cols);
    enum status status = same_stack(a, b, error);
    if (status == STATUS_OK)
        status = floats_same_type(&a->floats, &b->floats, error);
    if (status != STATUS_OK || !added->floats.file.path)
        return status;
    if (added->rows != a->rows || added->cols != b->cols)
        return fail(error, STATUS_INVALID, "%s holds %zu×%zu; the product is %zu×%zu", added->floats.file.path,
                    added->rows, added->cols, a->rows, b->cols);
    status = same_stack(a, added, error);
    return status == STATUS_OK ? floats_same_type(&a->floats, &added->floats, error) : status;
}

/* volatile: gcc 12 leaves out the rounding of two neighbours that it makes a vector of. */
static double rounded(double factor, enum element_type type)
{
    volatile float narrow = (float)factor;
    return type == ELEMENT_F64 ? factor : (double)narrow;
}

/* Factors are rounded to the type of sums, as the product sees them. */
static enum status round_factors(const struct arguments *arguments, struct matrices *all, struct error *error)
{
    double beta = arguments->added ? arguments->beta : 0;
    all->alpha = rounded(arguments->alpha, all->a.floats.type);
    all->beta = rounded(beta, all->a.floats.type);
    if (isfinite(all->alpha) && isfinite(all->beta))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "a factor is beyond the range of %s", element_info(all->a.floats.type)->name);
}

static enum status open_all(const struct arguments *arguments, struct matrices *all, struct error *error)
{
    enum status status = open_matrix(arguments->data.inputs[0], arguments->transa, &all->a, error);
    if (status == STATUS_OK)
        status = open_matrix(arguments->data.inputs[1], arguments->transb, &all->b, error);
    if (status == STATUS_OK && arguments->added)
        status = open_matrix(arguments->added, false, &all->added, error);
    if (status == STATUS_OK)
        status = check_shapes(all, error);
    return status == STATUS_OK ? round_factors(arguments, all, error) : status;
}

/* C as it is before the product, in C order. */
static void begin_with(const struct matrix *added, char *target)
{
    size_t bytes = added->floats.file.layout.item_bytes;
    const char *source = floats_data(&added->floats);
    if (!added->transposed && added->floats.file.layout.bytes > 0)
        memcpy(target, source, added->floats.file.layout.bytes);
    for (size_t i = 0; added->transposed && i < added->rows; i++)
        for (size_t j = 0; j < added->cols; j++)
            memcpy(target + (i * added->cols + j) * bytes, source + (j * added->rows + i) * bytes, bytes);
}

static const char *problem_of(const struct matrices *all, char text[PROBLEM_TEXT_MAX])
{
    const struct matrix *a = &all->a, *b = &all->b;
    snprintf(text, PROBLEM_TEXT_MAX, "matmul:m=%zu,n=%zu,k=%zu,batch=%zu,alpha=%.17g,beta=%.17g,transa=%c,transb=%c,%s",
             a->rows, b->cols, a->cols, a->stack, all->alpha, all->beta, a->transposed ? 't' : 'n',
             b->transposed ? 't' : 'n', element_info(a->floats.type)->name);
    return text;
}

/* Runs the best rung, and judges the result as the lab does. `before` is C's first content, or NULL. */
static enum status compute(struct file_options *timed, const struct matrices *all, struct uskor *context, void *target,
                           void *before, struct error *error)
{
    char text[PROBLEM_TEXT_MAX];
    void *const data[] = {floats_data(&all->a.floats), floats_data(&all->b.floats), target};
    enum status status = job_prepare(&context->job, context->device, problem_of(all, text), context->job.times, error);
    if (status == STATUS_OK)
        status = job_run(&context->job, data, error);
    file_options_lap(timed, N_("reading and computing"));
    if (status == STATUS_OK)
        status = file_options_check(&context->job, (struct host_arrays){{data[0], data[1], before}},
                                    (struct host_arrays){{data[0], data[1], target}}, error);
    file_options_lap(timed, N_("checking"));
    return status;
}

static enum status fill(struct file_options *timed, const struct matrices *all, struct uskor *context,
                        const struct npy_writer *target, struct error *error)
{
    char *before = NULL;
    if (all->beta != 0) {
        if (memory_suffices(target->layout.bytes, "matmul --add", error) != STATUS_OK)
            return STATUS_INVALID;
        before = malloc(target->layout.bytes ? target->layout.bytes : 1);
        if (!before)
            return fail(error, STATUS_UNAVAILABLE, "no memory for a copy of the matrix that is added");
        begin_with(&all->added, before);
        if (target->layout.bytes > 0)
            memcpy(target->data, before, target->layout.bytes);
    }
    enum status status = compute(timed, all, context, target->data, before, error);
    free(before);
    status = npy_outcome(&all->a.floats.file, status, error);
    status = npy_outcome(&all->b.floats.file, status, error);
    return npy_outcome(&all->added.floats.file, status, error);
}

static struct npy_layout stacked(struct npy_layout layout, size_t stack)
{
    layout.shape[2] = layout.shape[1];
    layout.shape[1] = layout.shape[0];
    layout.shape[0] = stack;
    return layout;
}

static void tell_result(const struct matrices *all, const struct uskor *context, int64_t nanoseconds)
{
    const struct matrix *a = &all->a, *b = &all->b;
    const char *type = element_info(a->floats.type)->name, *device = uskor_device(context);
    char taken[32];
    file_options_duration(nanoseconds, taken, sizeof taken);
    if (axes_of(a) == 3)
        fprintf(stderr, tr("multiplied %zu times %zu×%zu by %zu×%zu %s on %s, checked and written in %s\n"), a->stack,
                a->rows, a->cols, b->rows, b->cols, type, device, taken);
    else
        fprintf(stderr, tr("multiplied %zu×%zu by %zu×%zu %s on %s, checked and written in %s\n"), a->rows, a->cols,
                b->rows, b->cols, type, device, taken);
}

static struct npy_layout layout_of_result(const struct matrices *all)
{
    const struct npy_layout layout = {
        .kind = 'f',
        .order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>',
        .item_bytes = element_info(all->a.floats.type)->bytes,
        .rank = axes_of(&all->a),
        .shape = {all->a.rows, all->b.cols},
    };
    return layout.rank == 3 ? stacked(layout, all->a.stack) : layout;
}

static enum status make(struct arguments *arguments, const struct matrices *all, struct uskor *context,
                        struct error *error)
{
    struct npy_writer target = {0};
    const struct npy_layout layout = layout_of_result(all);
    int64_t begun = clock_now();
    enum status status = npy_create(arguments->data.output, arguments->data.force, &layout, &target, error);
    if (status != STATUS_OK)
        return status;
    status = fill(&arguments->data, all, context, &target, error);
    if (status != STATUS_OK) {
        npy_abandon(&target);
        return status;
    }
    status = npy_finish(&target, error);
    file_options_lap(&arguments->data, N_("writing"));
    if (status == STATUS_OK && file_options_tells(&arguments->data))
        tell_result(all, context, clock_now() - begun);
    return status;
}

/* ---- over ranks ------------------------------------------------------------------------------------------------ */

static enum status take_input(struct rank_input *input, int array, bool transpose, struct matrix *matrix,
                              struct error *error)
{
    matrix->floats.file = input->file;
    enum status status =
        floats_check(&matrix->floats, 2, 2, N_("a matrix (two axes), as several ranks take it,"), error);
    if (status == STATUS_OK && element_is_half(matrix->floats.type))
        return fail(error, STATUS_INVALID, "%s: is of float16; several ranks multiply float32 and float64",
                    input->file.path);
    if (status == STATUS_OK)
        status = shape_matrix(transpose, matrix, error);
    input->array = array;
    input->turned = matrix->transposed;
    input->swapped = !npy_type_is_native(&input->file.layout);
    return status;
}

static enum status pose(const void *context, struct rank_input *inputs, struct problem *problem,
                        struct npy_layout *result, struct error *error)
{
    const struct arguments *arguments = context;
    struct matrices all = {0};
    enum status status = take_input(&inputs[0], 0, arguments->transa, &all.a, error);
    if (status == STATUS_OK)
        status = take_input(&inputs[1], 1, arguments->transb, &all.b, error);
    if (status == STATUS_OK && arguments->added)
        status = take_input(&inputs[2], 2, false, &all.added, error);
    if (status == STATUS_OK)
        status = check_shapes(&all, error);
    if (status == STATUS_OK)
        status = round_factors(arguments, &all, error);
    if (status != STATUS_OK)
        return status;
    *problem = problem_default(kernel_by_name("matmul", error));
    problem->type = all.a.floats.type;
    problem_set_size(problem, "m", (int64_t)all.a.rows);
    problem_set_size(problem, "n", (int64_t)all.b.cols);
    problem_set_size(problem, "k", (int64_t)all.a.cols);
    problem_set_real(problem, "alpha", all.alpha);
    problem_set_real(problem, "beta", all.beta);
    *result = layout_of_result(&all);
    return STATUS_OK;
}

static int over_ranks(const struct arguments *arguments)
{
    return files_over_ranks(&arguments->data,
                            &(struct files_task){
                                .paths = {arguments->data.inputs[0], arguments->data.inputs[1], arguments->added},
                                .count = arguments->added ? 3 : 2,
                                .pose = pose,
                                .context = arguments,
                            });
}

int cmd_matmul(int argc, char **argv)
{
    struct arguments arguments = {
        .data = {.input_count = 2,
                 .piped_end = ".npy",
                 .too_many = N_("two inputs, no more; name the result with -o"),
                 .too_few = "two inputs and a result are needed: uskor matmul a.npy b.npy -o c.npy"},
        .alpha = 1,
        .beta = 1,
    };
    struct matrices all = {0};
    struct uskor *context = NULL;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    options_parse(&usage, argc, argv, &arguments);
    if (started_by_mpi())
        return over_ranks(&arguments);
    enum status status = open_all(&arguments, &all, &error);
    if (status == STATUS_OK)
        status = file_options_open(&arguments.data, problem_of(&all, text), &context, &error);
    if (status == STATUS_OK)
        status = make(&arguments, &all, context, &error);
    floats_close(&all.a.floats);
    floats_close(&all.b.floats);
    floats_close(&all.added.floats);
    status = file_options_close(&arguments.data, context, status, &error);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
