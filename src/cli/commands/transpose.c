/* uskor transpose: the transpose of the user's own .npy file. */
#include <inttypes.h>
#include <stdio.h>

#include "backends/cpu/machine.h"
#include "base/clock.h"
#include "base/language.h"
#include "base/mpi_launcher.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/files_over_ranks.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "distributed/ranks/ranks.h"
#include "file_jobs/transpose_file.h"
#include "files/npy_type.h"

struct arguments {
    struct file_options data;
    size_t memory_bytes;
};

static const char doc[] = N_(
    "Transpose a matrix in NumPy's .npy format: b[j, i] = a[i, j].\n\n"
    "For example:\n\n"
    "  uskor transpose a.npy -o b.npy\n\n"
    "IN.npy holds an array with two axes, of bool, integers, floats or complex numbers of 1 to 16 bytes, in either "
    "byte order, in C or Fortran order. The result has the same type and byte order, and is in C order. Files larger "
    "than memory are worked on in blocks.\n\n"
    "The result is checked, element by element, before it gets its name: whatever happens, OUT.npy is whole or is not "
    "there. OUT.npy may be IN.npy itself with --force.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.");

static void read_memory(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    int64_t size;
    if (!text_integer(argument, &size) || size < (int64_t)TRANSPOSE_FILE_MEMORY_LEAST)
        refuse_use(state, "--memory takes a size of at least 1m, such as 512m or 4g; this is '%s'", argument);
    arguments->memory_bytes = (size_t)size;
}

static const struct option options[] = {
    {"memory", 'm', N_("SIZE"), N_("Use about this much memory, such as 512m or 4g (half of what is free)"),
     READ_BY(read_memory)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .args_doc = "IN.npy -o OUT.npy",
    .doc = doc,
    .shared = &data_usage,
};

/* Half of the memory that is free or can be freed at once. */
static size_t memory_to_use(void)
{
    uint64_t bytes = machine_memory_bytes(), kib;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1 && kib * 1024 < bytes)
            bytes = kib * 1024;
    if (file)
        fclose(file);
    return bytes / 2 > TRANSPOSE_FILE_MEMORY_LEAST ? (size_t)(bytes / 2) : TRANSPOSE_FILE_MEMORY_LEAST;
}

static enum status check_rank(const struct npy_array *array, struct error *error)
{
    switch (array->layout.rank) {
    case 2:
        return STATUS_OK;
    case 0:
        return fail(error, STATUS_INVALID, "%s: is a single number; a matrix (two axes) was expected", array->path);
    case 1:
        return fail(error, STATUS_INVALID,
                    "%s: has one axis, so its transpose would be itself; a.reshape(1, -1) or a.reshape(-1, 1) makes a "
                    "matrix of it",
                    array->path);
    default:
        return fail(error, STATUS_INVALID, "%s: is of rank %d; a matrix (two axes) was expected", array->path,
                    array->layout.rank);
    }
}

/* Progress is shown on a terminal, unless --quiet. */
struct progress {
    bool is_shown;
    int percent; /* shown last */
};

static void show_progress(void *context, double fraction)
{
    struct progress *progress = context;
    int percent = (int)(100 * fraction);
    if (!progress->is_shown || percent == progress->percent)
        return;
    progress->percent = percent;
    fputc('\r', stderr);
    if (percent < 100)
        fprintf(stderr, tr("transposing: %d %%"), percent);
    else
        fputs("\033[K", stderr);
}

static void note_phase(void *context, const char *phases)
{
    file_options_lap(context, phases);
}

/* The clock at each step. */
struct times {
    int64_t begun, done, on_disk;
};

static void report(const struct npy_array *source, const struct times *times)
{
    const struct npy_layout *layout = &source->layout;
    char type[32], work[32], whole[32], rate[32] = "";
    int64_t taken = times->done - times->begun;
    if (layout->bytes > 0 && taken > 0)
        snprintf(rate, sizeof rate, "%.3g GB/s", 2 * (double)layout->bytes / (double)taken);
    fprintf(stderr, tr("transposed %zu×%zu %s in %s"), layout->shape[0], layout->shape[1],
            npy_type_text(layout, type, sizeof type), file_options_duration(taken, work, sizeof work));
    if (*rate)
        fprintf(stderr, tr(" (%s read and written)"), say_quantity(rate, sizeof rate));
    fprintf(stderr, tr(", checked; on the disk after %s\n"),
            file_options_duration(times->on_disk - times->begun, whole, sizeof whole));
}

/* The target's file, from its beginning to its end. */
static enum status make(struct arguments *arguments, const struct npy_array *source, struct uskor *context,
                        struct times *times, struct error *error)
{
    struct npy_writer target = {0};
    struct npy_layout layout = source->layout;
    layout.fortran = false;
    layout.shape[0] = source->layout.shape[1];
    layout.shape[1] = source->layout.shape[0];
    times->begun = clock_now();
    enum status status = npy_create(arguments->data.output, arguments->data.force, &layout, &target, error);
    if (status != STATUS_OK)
        return status;
    const struct device *device = context->device;
    struct progress progress = {.is_shown = file_options_tells(&arguments->data), .percent = -1};
    struct transpose_file job = {
        .source = source,
        .target = &target,
        .context = context,
        .memory_bytes = arguments->memory_bytes ? arguments->memory_bytes : memory_to_use(),
        .device_bytes = device->properties.is_cpu ? 0 : (size_t)(device->properties.memory_bytes / 4),
        .progress = show_progress,
        .progress_context = &progress,
        .passed = note_phase,
        .passed_context = &arguments->data,
    };
    status = transpose_file(&job, error);
    status = npy_outcome(source, status, error);
    times->done = clock_now();
    if (status != STATUS_OK) {
        npy_abandon(&target);
        return status;
    }
    status = npy_finish(&target, error);
    times->on_disk = clock_now();
    file_options_lap(&arguments->data, N_("writing"));
    return status;
}

/* Items are moved unseen, whatever their type and byte order. */
static enum status pose(const void *context, struct rank_input *inputs, struct problem *problem,
                        struct npy_layout *result, struct error *error)
{
    (void)context;
    enum status status = check_rank(&inputs[0].file, error);
    if (status != STATUS_OK)
        return status;
    const struct npy_layout *layout = &inputs[0].file.layout;
    *problem = problem_default(kernel_by_name("transpose", error));
    problem->type = element_by_size(layout->item_bytes);
    problem_set_size(problem, "rows", (int64_t)layout->shape[0]);
    problem_set_size(problem, "cols", (int64_t)layout->shape[1]);
    *result = *layout;
    result->fortran = false;
    result->shape[0] = layout->shape[1];
    result->shape[1] = layout->shape[0];
    return STATUS_OK;
}

/* NULL for items of a size that no element has: these are moved in pieces. */
static const char *problem_of(const struct npy_array *source, char text[PROBLEM_TEXT_MAX])
{
    const struct npy_layout *layout = &source->layout;
    const enum element_type type = element_by_size(layout->item_bytes);
    if (type == ELEMENT_TYPE_COUNT)
        return NULL;
    snprintf(text, PROBLEM_TEXT_MAX, "transpose:rows=%zu,cols=%zu,%s", layout->shape[0], layout->shape[1],
             element_info(type)->name);
    return text;
}

int cmd_transpose(int argc, char **argv)
{
    struct arguments arguments = {
        .data = {.input_count = 1,
                 .piped_end = ".npy",
                 .too_many = N_("one input at a time; name the result with -o"),
                 .too_few = "an input and a result are needed: uskor transpose a.npy -o b.npy"},
    };
    struct npy_array source = {0};
    struct uskor *context = NULL;
    struct times times;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    options_parse(&usage, argc, argv, &arguments);
    if (started_by_mpi())
        return files_over_ranks(&arguments.data,
                                &(struct files_task){
                                    .paths = {arguments.data.inputs[0]},
                                    .count = 1,
                                    .pose = pose,
                                    .refused = options_beyond(&usage, argc, argv, file_options_over_ranks),
                                });
    enum status status = npy_open(arguments.data.inputs[0], &source, &error);
    if (status == STATUS_OK)
        status = check_rank(&source, &error);
    if (status == STATUS_OK)
        status = file_options_open(&arguments.data, problem_of(&source, text), &context, &error);
    if (status == STATUS_OK)
        status = make(&arguments, &source, context, &times, &error);
    if (status == STATUS_OK && file_options_tells(&arguments.data))
        report(&source, &times);
    status = file_options_close(&arguments.data, context, status, &error);
    npy_close(&source);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
