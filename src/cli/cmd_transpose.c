/* uskor transpose: the transpose of the user's own .npy file. */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/cpu/machine.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/transpose_file.h"
#include "files/npy_type.h"
#include "library/context.h"

struct arguments {
    const char *input, *output, *device;
    bool force, quiet;
    size_t memory_bytes;
};

static const char doc[] =
    "Transpose a matrix in NumPy's .npy format: b[j, i] = a[i, j].\v"
    "For example:\n\n"
    "  uskor transpose a.npy -o b.npy\n\n"
    "IN.npy holds an array with two axes, of bool, integers, floats or complex numbers of 1 to 16 bytes, in either "
    "byte order, in C or Fortran order. The result has the same type and byte order, and is in C order. Files larger "
    "than memory are worked on in blocks.\n\n"
    "The result is checked, element by element, before it gets its name: whatever happens, OUT.npy is whole or is not "
    "there. OUT.npy may be IN.npy itself with --force.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.";

static const struct argp_option options[] = {
    {"output", 'o', "OUT.npy", 0, "The result (needed)", 0},
    {"force", 'f', NULL, 0, "Overwrite OUT.npy when it exists", 0},
    {"device", 'd', "DEVICE", 0,
     "Where to compute: auto (the default: the CPU), cpu, opencl:0, cuda:0 … ('uskor devices')", 0},
    {"memory", 'm', "SIZE", 0, "Use about this much memory, such as 512m or 4g (half of what is free)", 0},
    {"quiet", 'q', NULL, 0, "Say nothing when all is well", 0},
    {0},
};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    int64_t size;
    switch (key) {
    case 'o':
        arguments->output = argument;
        return 0;
    case 'f':
        arguments->force = true;
        return 0;
    case 'd':
        arguments->device = argument;
        return 0;
    case 'm':
        if (!text_integer(argument, &size) || size < (int64_t)TRANSPOSE_FILE_MEMORY_LEAST)
            argp_error(state, "--memory takes a size of at least 1m, such as 512m or 4g; this is '%s'", argument);
        arguments->memory_bytes = (size_t)size;
        return 0;
    case 'q':
        arguments->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->input)
            argp_error(state, "one input at a time; name the result with -o");
        arguments->input = argument;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->input || !arguments->output)
            argp_error(state, "an input and a result are needed: uskor transpose a.npy -o b.npy");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp argp = {.options = options, .parser = parse, .args_doc = "IN.npy -o OUT.npy", .doc = doc};

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
        return fail(error, STATUS_INVALID, "%s: has %d axes; a matrix (two axes) was expected", array->path,
                    array->layout.rank);
    }
}

static enum status open_context(const struct arguments *arguments, struct uskor **context, struct error *error)
{
    switch (uskor_open(context, arguments->device)) {
    case USKOR_OK:
        return STATUS_OK;
    case USKOR_INVALID:
        return fail(error, STATUS_INVALID, "%s", uskor_message(NULL));
    default:
        return fail(error, STATUS_UNAVAILABLE, "%s", uskor_message(NULL));
    }
}

static bool shows_progress;

static void show_progress(double fraction)
{
    static int shown = -1;
    int percent = (int)(100 * fraction);
    if (!shows_progress || percent == shown)
        return;
    shown = percent;
    fprintf(stderr, percent < 100 ? "\rtransposing: %d %%" : "\r\033[K", percent);
}

/* The clock at each step. */
struct times {
    int64_t begun, done, on_disk;
};

static void report(const struct npy_array *source, const struct times *times)
{
    const struct npy_layout *layout = &source->layout;
    char type[32], work[32], whole[32];
    int64_t taken = times->done - times->begun;
    fprintf(stderr, "transposed %zu×%zu %s in %s", layout->shape[0], layout->shape[1],
            npy_type_text(layout, type, sizeof type), text_duration((double)taken, work, sizeof work));
    if (layout->bytes > 0 && taken > 0)
        fprintf(stderr, " (%.3g GB/s read and written)", 2 * (double)layout->bytes / (double)taken);
    fprintf(stderr, ", checked; on the disk after %s\n",
            text_duration((double)(times->on_disk - times->begun), whole, sizeof whole));
}

/* The target's file, from its beginning to its end. */
static enum status make(const struct arguments *arguments, const struct npy_array *source, struct uskor *context,
                        struct times *times, struct error *error)
{
    struct npy_writer target = {0};
    struct npy_layout layout = source->layout;
    layout.fortran = false;
    layout.shape[0] = source->layout.shape[1];
    layout.shape[1] = source->layout.shape[0];
    times->begun = clock_now();
    enum status status = npy_create(arguments->output, arguments->force, &layout, &target, error);
    if (status != STATUS_OK)
        return status;
    const struct device *device = context->device;
    struct transpose_file job = {
        .source = source,
        .target = &target,
        .context = context,
        .memory_bytes = arguments->memory_bytes ? arguments->memory_bytes : memory_to_use(),
        .device_bytes = device->properties.is_cpu ? 0 : (size_t)(device->properties.memory_bytes / 4),
        .progress = show_progress,
    };
    status = transpose_file(&job, error);
    if (status == STATUS_OK)
        status = npy_check(source, error);
    times->done = clock_now();
    if (status != STATUS_OK) {
        npy_abandon(&target);
        return status;
    }
    status = npy_finish(&target, error);
    times->on_disk = clock_now();
    return status;
}

int cmd_transpose(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct npy_array source = {0};
    struct uskor *context = NULL;
    struct times times;
    struct error error;
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return EXIT_USE;
    bool terminal = isatty(STDERR_FILENO) && !arguments.quiet;
    shows_progress = terminal;
    enum status status = npy_open(arguments.input, &source, &error);
    if (status == STATUS_OK)
        status = check_rank(&source, &error);
    if (status == STATUS_OK)
        status = open_context(&arguments, &context, &error);
    if (status == STATUS_OK)
        status = make(&arguments, &source, context, &times, &error);
    if (status == STATUS_OK && terminal)
        report(&source, &times);
    uskor_close(context);
    npy_close(&source);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
