/* Programs: the rung's file behind the prelude, compiled; and its kernels' launches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/build_log.h"
#include "backends/opencl/causes.h"
#include "backends/opencl/opencl.h"
#include "backends/opencl/pocl_turns.h"
#include "base/embedded.h"
#include "base/line_directive.h"
#include "base/size.h"
#include "base/text.h"

#define PRELUDE "backends/opencl/prelude.clh"

/* A kernel of a program, made at its first launch. */
struct entry {
    struct entry *next;
    cl_kernel kernel;
    cl_uint argument_count;
    size_t group_items; /* the most that is promised to run; NVIDIA says 256 of every kernel, and runs more */
    char name[];
};

struct opencl_program {
    struct program base;
    cl_program program;
    struct entry *entries;
    char name[128]; /* of the source, for messages */
};

/* ---- building ---- */

/* The text before the prelude: the compute capability of an NVIDIA device (0 for others), and a macro for each
 * definition on a line of its own, so values may contain anything. NULL when memory is out. */
static char *write_defines(const struct program_source *source, int nvidia_compute)
{
    static const char after[] = "#line 1 \"" PRELUDE "\"\n";
    size_t size = sizeof after + sizeof "#define USKOR_NVIDIA_COMPUTE 1234567890\n";
    for (size_t i = 0; i < source->define_count; i++)
        size += strlen(source->defines[i]) + sizeof "#define  1\n";
    char *text = malloc(size);
    if (!text)
        return NULL;
    text[0] = 0;
    text_append(text, size, "#define USKOR_NVIDIA_COMPUTE %d\n", nvidia_compute);
    for (size_t i = 0; i < source->define_count; i++) {
        const char *define = source->defines[i];
        size_t name = strcspn(define, "=");
        text_append(text, size, "#define %.*s %s\n", (int)name, define, define[name] ? define + name + 1 : "1");
    }
    text_append(text, size, "%s", after);
    return text;
}

static long count_lines(const char *const *texts, size_t count)
{
    long lines = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *at = texts[i]; (at = strchr(at, '\n')); at++)
            lines++;
    return lines;
}

static bool is_pocl(const struct opencl_device *device)
{
    return strstr(device->base.properties.driver, POCL_NAME) != NULL;
}

static enum status fail_for_pocl(const struct opencl_device *device, const struct program_source *source,
                                 const char *why, struct error *error)
{
    return fail(error, STATUS_UNAVAILABLE, "%s does not compile on %s, as PoCL %s", source->name, device->base.id, why);
}

#define LOG_MOST ((size_t)64 << 20) /* a driver that tells of a longer one tells nonsense */

static enum status fail_build(const struct opencl_device *device, cl_program program,
                              const struct program_source *source, long lines_before, cl_int code, struct error *error)
{
    size_t size = 0;
    cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = size && size <= LOG_MOST ? calloc(size + 1, 1) : NULL;
    if (log)
        cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    char lines[768];
    build_log_errors(log ? log : "", source->name, lines_before, lines, sizeof lines);
    free(log);
    char why[600];
    if (is_pocl(device) && pocl_cache_is_shut(why, sizeof why))
        return fail_for_pocl(device, source, why, error);
    return fail(error, code == CL_OUT_OF_HOST_MEMORY ? STATUS_UNAVAILABLE : STATUS_INVALID,
                "%s does not compile on %s: %s", source->name, device->base.id,
                lines[0] ? lines : opencl_error_name(code));
}

static enum status compile(const struct opencl_device *device, const struct program_source *source, cl_program *program,
                           struct error *error)
{
    const struct embedded_file *prelude = embedded_find(PRELUDE);
    char why[600];
    if (is_pocl(device) && pocl_cache_is_full(why, sizeof why))
        return fail_for_pocl(device, source, why, error);
    char *defines = write_defines(source, opencl_nvidia_compute(device->id));
    char *line = line_directive(1, source->name);
    if (!prelude || !defines || !line) {
        free(defines);
        free(line);
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to compile it", source->name);
    }
    const char *texts[] = {defines, prelude->text, "\n", line, source->text};
    const long lines_before = count_lines(texts, COUNT_OF(texts) - 1);
    cl_int code = CL_SUCCESS;
    *program = cl.CreateProgramWithSource(device->context, COUNT_OF(texts), texts, NULL, &code);
    free(defines);
    free(line);
    code = opencl_made(*program, code);
    if (code != CL_SUCCESS)
        return opencl_fail(error, device->base.id, "making a program", code);
    /* PoCL 7 with clang 22 declares a read of an image by this name, which OpenCL C 1.2 does not have. */
    const bool asks_for_images = is_pocl(device) && device->base.properties.has_images;
    code = cl.BuildProgram(*program, 1, &device->id,
                           asks_for_images ? "-cl-std=CL1.2 -w -D__opencl_c_images" : "-cl-std=CL1.2 -w", NULL, NULL);
    if (code == CL_SUCCESS)
        return STATUS_OK;
    enum status status = fail_build(device, *program, source, lines_before, code, error);
    cl.ReleaseProgram(*program);
    return status;
}

enum status opencl_build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error)
{
    if (source->language != LANGUAGE_OPENCL_C)
        return fail(error, STATUS_UNAVAILABLE, "%s is CUDA C, and %s compiles OpenCL C", source->name, device->id);
    struct opencl_program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to compile it", source->name);
    enum status status = compile((struct opencl_device *)device, source, &made->program, error);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    made->base.device = device;
    snprintf(made->name, sizeof made->name, "%s", source->name);
    *program = &made->base;
    return STATUS_OK;
}

#define BINARY_MOST ((size_t)256 << 20)

enum status opencl_program_binary(struct program *program, void **binary, size_t *bytes, struct error *error)
{
    cl_program native = ((struct opencl_program *)program)->program;
    const char *id = program->device->id;
    unsigned char *data = NULL;
    *binary = NULL;
    *bytes = 0;
    cl_int code = cl.GetProgramInfo(native, CL_PROGRAM_BINARY_SIZES, sizeof *bytes, bytes, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(error, id, "asking for a program's binary", code);
    if (*bytes == 0 || *bytes > BINARY_MOST || !(data = malloc(*bytes)))
        return fail(error, STATUS_UNAVAILABLE, "%s: a program's binary of %zu bytes", id, *bytes);
    code = cl.GetProgramInfo(native, CL_PROGRAM_BINARIES, sizeof data, &data, NULL);
    if (code != CL_SUCCESS) {
        free(data);
        return opencl_fail(error, id, "asking for a program's binary", code);
    }
    *binary = data;
    return STATUS_OK;
}

void opencl_discard(struct program *program)
{
    struct opencl_program *opencl = (struct opencl_program *)program;
    for (struct entry *entry = opencl->entries, *next; entry; entry = next) {
        next = entry->next;
        cl.ReleaseKernel(entry->kernel);
        free(entry);
    }
    cl.ReleaseProgram(opencl->program);
    free(opencl);
}

/* ---- launching ---- */

/* PoCL's functions of OpenCL C are macros, "dot" for "_cl_dot": a kernel of such a name has that of the macro. */
static cl_kernel create_kernel(struct opencl_program *program, const char *name, cl_int *code)
{
    char other[128];
    cl_kernel kernel = cl.CreateKernel(program->program, name, code);
    if (*code == CL_INVALID_KERNEL_NAME && snprintf(other, sizeof other, "_cl_%s", name) < (int)sizeof other)
        kernel = cl.CreateKernel(program->program, other, code);
    return kernel;
}

static enum status make_entry(struct opencl_program *program, const char *name, struct entry **entry,
                              struct error *error)
{
    const struct opencl_device *device = (struct opencl_device *)program->base.device;
    struct entry *made = calloc(1, sizeof *made + strlen(name) + 1);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for kernel %s", program->name, name);
    cl_int code = CL_SUCCESS;
    strcpy(made->name, name);
    made->kernel = create_kernel(program, name, &code);
    code = opencl_made(made->kernel, code);
    if (code == CL_SUCCESS) {
        code = cl.GetKernelInfo(made->kernel, CL_KERNEL_NUM_ARGS, sizeof made->argument_count, &made->argument_count,
                                NULL);
        if (code != CL_SUCCESS)
            cl.ReleaseKernel(made->kernel);
    }
    if (code != CL_SUCCESS) {
        free(made);
        if (code == CL_INVALID_KERNEL_NAME)
            return fail(error, STATUS_INVALID, "%s has no kernel called %s", program->name, name);
        return opencl_fail(error, device->base.id, "making a kernel", code);
    }
    cl.GetKernelWorkGroupInfo(made->kernel, device->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof made->group_items,
                              &made->group_items, NULL);
    made->next = program->entries;
    program->entries = made;
    *entry = made;
    return STATUS_OK;
}

static enum status find_entry(struct opencl_program *program, const char *name, struct entry **entry,
                              struct error *error)
{
    for (*entry = program->entries; *entry; *entry = (*entry)->next)
        if (strcmp((*entry)->name, name) == 0)
            return STATUS_OK;
    return make_entry(program, name, entry, error);
}

/* The clSetKernelArg arguments for each kind of value. */
static const struct {
    size_t bytes;
    const char *text;
} kinds[] = {
    [ARGUMENT_BUFFER] = {sizeof(cl_mem), "a buffer"},
    [ARGUMENT_INT] = {sizeof(cl_int), "an int"},
    [ARGUMENT_LONG] = {sizeof(cl_long), "a long"},
    [ARGUMENT_FLOAT] = {sizeof(cl_float), "a float"},
    [ARGUMENT_DOUBLE] = {sizeof(cl_double), "a double"},
    [ARGUMENT_TEXTURE] = {sizeof(cl_mem), "a texture"},
    [ARGUMENT_TILES] = {0, "a tile map"},
};

static enum status set_arguments(const struct opencl_program *program, const struct entry *entry,
                                 const struct launch *launch, struct error *error)
{
    if (launch->argument_count != entry->argument_count)
        return fail(error, STATUS_INVALID, "%s: kernel %s has %u arguments, and %zu are given", program->name,
                    entry->name, entry->argument_count, launch->argument_count);
    for (cl_uint i = 0; i < entry->argument_count; i++) {
        const struct argument_value *argument = &launch->arguments[i];
        const void *value = &argument->long_value; /* all members of the union begin there */
        if (argument->kind == ARGUMENT_BUFFER)
            value = &argument->buffer->native;
        else if (argument->kind == ARGUMENT_TEXTURE)
            value = &argument->texture->native;
        cl_int code = cl.SetKernelArg(entry->kernel, i, kinds[argument->kind].bytes, value);
        if (code != CL_SUCCESS)
            return fail(error, STATUS_INVALID, "%s: argument %u of kernel %s is given as %s: %s", program->name, i + 1,
                        entry->name, kinds[argument->kind].text, opencl_error_name(code));
    }
    return STATUS_OK;
}

enum status opencl_launch(struct program *program, const struct launch *launch, struct error *error)
{
    struct opencl_program *opencl = (struct opencl_program *)program;
    const struct opencl_device *device = (struct opencl_device *)program->device;
    struct entry *entry;
    if (launch->local_bytes)
        return fail(error, STATUS_INVALID, "%s: kernel %s asks for dynamic local memory, which only CUDA C has",
                    opencl->name, launch->entry);
    enum status status = find_entry(opencl, launch->entry, &entry, error);
    if (status != STATUS_OK)
        return status;
    status = set_arguments(opencl, entry, launch, error);
    if (status != STATUS_OK)
        return status;
    size_t global[3];
    for (int i = 0; i < 3; i++)
        global[i] = launch->group[i] * launch->groups[i];
    const bool takes_turns = is_pocl(device);
    if (takes_turns)
        pocl_turn_begin(device->queue);
    cl_int code = cl.EnqueueNDRangeKernel(device->queue, entry->kernel, (cl_uint)launch->rank, NULL, global,
                                          launch->group, 0, NULL, NULL);
    if (takes_turns)
        pocl_turn_end();
    if (code == CL_SUCCESS)
        return STATUS_OK;
    size_t items = launch->group[0] * launch->group[1] * launch->group[2];
    if (code == CL_INVALID_WORK_GROUP_SIZE && items > entry->group_items)
        return fail(error, STATUS_UNAVAILABLE,
                    "%s: a group of %zu items; kernel %s, as compiled, leaves room for %zu on %s", opencl->name, items,
                    entry->name, entry->group_items, device->base.id);
    return fail_in(error, opencl_fail(error, device->base.id, entry->name, code), "%s", opencl->name);
}
