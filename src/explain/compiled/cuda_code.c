#include "explain/compiled/cuda_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/compile.h"
#include "backends/cuda/nvrtc.h"
#include "base/cache_folder.h"
#include "base/message.h"
#include "explain/compiled/cubin.h"
#include "explain/compiled/recorder.h"
#include "explain/compiled/sass.h"
#include "explain/machine/count.h"
#include "explain/machine/memory.h"
#include "explain/memory/traced_program.h"

/* What is in the arrays when a rung's launch begins, as far as that is known: the problem's inputs. */
struct launch_contents {
    const struct problem *problem;
    const struct recording *recording;
    bool is_tried;
    void *data[KERNEL_ARRAYS_MAX];
    struct machine_buffer buffers[KERNEL_ARRAYS_MAX + 1];
    size_t count;
};

#define BYTES_MOST ((size_t)1 << 30) /* of inputs that are made: more take seconds */

/* What an earlier launch of the rung may have written is not known. */
static bool is_known(const struct launch_contents *contents, enum direction direction)
{
    const struct recording *recording = contents->recording;
    bool is_alone = recording->launch_count == 1 && recording->launches[0].count == 1;
    return direction == ARRAY_IN || (direction == ARRAY_INOUT && is_alone);
}

static bool fill(struct launch_contents *contents)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays host = {{NULL}};
    struct error error;
    size_t bytes = 0;
    int count = 0;
    if (kernel_describe(contents->problem, arrays, &count, &error) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        bytes += arrays[i].bytes;
    if (bytes > BYTES_MOST)
        return false;
    for (int i = 0; i < count; i++) {
        contents->data[i] = host.data[i] = calloc(1, arrays[i].bytes + 1);
        if (!host.data[i])
            return false;
    }
    contents->problem->kernel->fill(contents->problem, arrays, host);
    for (int i = 0; i < count; i++)
        if (is_known(contents, arrays[i].direction))
            contents->buffers[contents->count++] =
                (struct machine_buffer){.address = contents->recording->array_addresses[i],
                                        .bytes = arrays[i].bytes,
                                        .contents = contents->data[i]};
    if (is_known(contents, ARRAY_INOUT) && contents->recording->scratch_bytes > 0)
        contents->buffers[contents->count++] = (struct machine_buffer){.address = contents->recording->scratch_address,
                                                                       .bytes = contents->recording->scratch_bytes,
                                                                       .is_zero = true};
    return contents->count > 0;
}

/* Makes the inputs at the first call, whichever thread makes it; false where they are too large, or nothing is known.
 * Scratch memory of a rung that launches once counts as zeros. */
static bool launch_contents_make(struct launch_contents *contents)
{
    bool is_made;
#pragma omp critical(explain_contents)
    {
        if (!contents->is_tried && !fill(contents))
            contents->count = 0;
        contents->is_tried = true;
        is_made = contents->count > 0;
    }
    return is_made;
}

static void launch_contents_free(struct launch_contents *contents)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        free(contents->data[i]);
}

/* "ptxas info : Function properties for k" and, in the next line, "0 bytes stack frame, 16 bytes spill stores, 16 bytes
 * spill loads". */
static void read_spills(const char *log, struct explain_kernel *kernel)
{
    char start[96];
    int stack;
    kernel->spill_store_bytes = kernel->spill_load_bytes = -1;
    snprintf(start, sizeof start, "Function properties for %s\n", kernel->name);
    const char *at = log ? strstr(log, start) : NULL;
    at = at ? strstr(at + strlen(start), " bytes stack frame") : NULL;
    while (at && at > log && strchr("0123456789", at[-1]))
        at--;
    if (!at || sscanf(at, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &stack,
                      &kernel->spill_store_bytes, &kernel->spill_load_bytes) != 3)
        kernel->spill_store_bytes = kernel->spill_load_bytes = -1;
}

enum status cuda_code_read(const void *image, size_t bytes, const char *log, const char *text,
                           struct explain_kernel *kernel, struct error *error)
{
    struct cubin_kernel facts;
    enum status status = cubin_read(image, bytes, kernel->name, &facts, error);
    if (status != STATUS_OK)
        return status;
    kernel->registers = facts.registers;
    kernel->stack_bytes = facts.stack_bytes;
    kernel->shared_bytes += facts.shared_bytes;
    kernel->argument_offset = facts.argument_offset;
    read_spills(log, kernel);
    return text ? sass_read(text, kernel->file, kernel, error) : STATUS_OK;
}

/* From 7.0 on, as explain/machine knows those instructions. Kernels that cannot be executed are estimated later. Where
 * what is loaded decides, the kernel is executed with the inputs' contents. */
static void count_launch(const struct recorded_launch *launch, const struct recorded_program *program, const char *text,
                         int compute, struct launch_contents *contents, struct explain_kernel *kernel)
{
    struct error why;
    struct machine_request request = {.listing = text,
                                      .source = program->text,
                                      .launch = launch,
                                      .constant_offset = (size_t)kernel->argument_offset,
                                      .compute = compute};
    if (!text || compute < 70 || kernel->argument_offset == 0)
        return;
    enum status status = machine_count(&request, kernel, &why);
    if (status == STATUS_OK && !kernel->is_decided_by_data && !kernel->lacks_addresses)
        return;
    if (!launch_contents_make(contents))
        return;
    machine_forget_counts(kernel);
    request.buffers = contents->buffers;
    request.buffer_count = contents->count;
    if (machine_count(&request, kernel, &why) == STATUS_OK)
        return;
    request.buffer_count = 0;
    machine_count(&request, kernel, &why);
}

/* ---- a recording's programs ---- */

struct image {
    char architecture[CUDA_ARCHITECTURE_MAX]; /* it is compiled for */
    void *code;
    size_t bytes;
    char *log, *text;
    enum status status, text_status;
    struct error error, text_error;
};

static void image_free(struct image *image)
{
    free(image->code);
    free(image->log);
    free(image->text);
}

/* The name of the architecture to compile for. An architecture that NVRTC has dropped is replaced by its oldest. */
static enum status choose(const struct explain_target *target, enum language language, char name[CUDA_ARCHITECTURE_MAX],
                          struct explain_compiled *compiled, struct error *error)
{
    const struct nvrtc_library *library;
    int compute = target->compute;
    enum status status = nvrtc_load(&library, error);
    if (status != STATUS_OK)
        return status;
    bool is_too_old = library->architecture_count > 0 && compute < library->architectures[0];
    if (is_too_old)
        compute = library->architectures[0];
    status = cuda_architecture(compute / 10, compute % 10, language, name, error);
    if (status == STATUS_OK && is_too_old)
        snprintf(compiled->stands_in, sizeof compiled->stands_in, "%s", name);
    return status;
}

static enum status name_architecture(const struct recorded_program *program, const struct explain_target *target,
                                     char architecture[EXPLAIN_ARCHITECTURE_MAX], struct explain_compiled *compiled,
                                     struct image *image, struct error *error)
{
    char *name = image->architecture;
    enum status status = choose(target, program->language, name, compiled, error);
    if (status != STATUS_OK)
        return status;
    if (strncmp(name, "compute_", 8) == 0)
        return fail(error, STATUS_UNAVAILABLE, "this NVRTC makes no machine code for sm_%d: a newer one is needed",
                    target->compute);
    if (compiled->stands_in[0])
        snprintf(architecture, EXPLAIN_ARCHITECTURE_MAX, "sm_%d", target->compute);
    else
        snprintf(architecture, EXPLAIN_ARCHITECTURE_MAX, "%s", name);
    return STATUS_OK;
}

static void compile(const struct recorded_program *program, struct image *image)
{
    struct program_source source = {program->name, program->text, program->language,
                                    (const char *const *)program->defines, program->define_count};
    image->status =
        cuda_compile_described(&source, image->architecture, &image->code, &image->bytes, &image->log, &image->error);
    if (image->status == STATUS_OK)
        image->text_status = sass_disassemble(image->code, image->bytes, &image->text, &image->text_error);
}

static bool has_cache(void)
{
    int folder = cache_folder_open(true);
    if (folder >= 0)
        close(folder);
    return folder >= 0;
}

/* Compiles the program for its trace, which takes the module from the cache: other cores do it beside NVRTC. The trace
 * tells of failures. */
static void make_traceable(const struct recorded_program *recorded)
{
    struct program_source source = {recorded->name, recorded->text, recorded->language,
                                    (const char *const *)recorded->defines, recorded->define_count};
    struct traced_program *program;
    struct error why;
    if (traced_program_build(&source, &program, &why) == STATUS_OK)
        traced_program_free(program);
}

static enum status read_kernel(const struct recorded_launch *launch, const struct recorded_program *program,
                               const struct image *image, int compute, struct launch_contents *contents,
                               struct explain_kernel *kernel, struct error *error)
{
    *kernel = explain_kernel_of(launch, program);
    kernel->shared_bytes = (int)launch->local_bytes;
    enum status status = cuda_code_read(image->code, image->bytes, image->log, image->text, kernel, error);
    if (status == STATUS_OK)
        count_launch(launch, program, image->text, compute, contents, kernel);
    return status;
}

static bool is_launched(const struct recording *recording, size_t program)
{
    for (size_t i = 0; i < recording->launch_count; i++)
        if (recording->launches[i].program == program)
            return true;
    return false;
}

/* Programs that are not launched are left out. */
static enum status name_images(const struct recording *recording, const struct explain_target *target,
                               char architecture[EXPLAIN_ARCHITECTURE_MAX], struct explain_compiled *compiled,
                               struct image *images, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < recording->program_count; i++)
        if (is_launched(recording, i))
            status = name_architecture(&recording->programs[i], target, architecture, compiled, &images[i], error);
    return status;
}

/* One kernel of the rung, and what became of it. */
struct reading {
    const struct recorded_launch *launch;
    struct explain_kernel *kernel;
    enum status status;
    struct error error;
};

/* In the order of the launches' programs. */
static void sort_launches(const struct recording *recording, struct explain_compiled *compiled,
                          struct reading *readings)
{
    for (size_t p = 0; p < recording->program_count; p++)
        for (size_t i = 0; i < recording->launch_count; i++)
            if (recording->launches[i].program == p) {
                struct reading *reading = &readings[compiled->kernel_count];
                reading->launch = &recording->launches[i];
                reading->kernel = &compiled->kernels[compiled->kernel_count++];
            }
}

/* A program is compiled and disassembled by one thread; its kernels are then executed by whichever is free. Only then
 * come the modules of the trace: each of these waits for the C++ compiler, and no other work waits for it. */
static void compile_all(const struct recording *recording, const struct explain_target *target, struct image *images,
                        struct launch_contents *contents, struct reading *readings)
{
    bool is_kept = has_cache();
#pragma omp parallel
#pragma omp single
    for (size_t p = 0; p < 2 * recording->program_count; p++) {
        size_t program = p % recording->program_count;
        bool is_image = p < recording->program_count;
        if (!images[program].architecture[0] || (!is_image && !is_kept))
            continue;
#pragma omp task firstprivate(program, is_image)
        {
            const struct recorded_program *one = &recording->programs[program];
            if (!is_image)
                make_traceable(one);
            else
                compile(one, &images[program]);
            for (size_t i = 0; is_image && images[program].status == STATUS_OK && i < recording->launch_count; i++)
                if (readings[i].launch->program == program) {
#pragma omp task firstprivate(i)
                    readings[i].status = read_kernel(readings[i].launch, one, &images[program], target->compute,
                                                     contents, readings[i].kernel, &readings[i].error);
                }
        }
    }
}

/* The first failure, in the order of the programs. */
static enum status look_through(const struct recording *recording, const struct image *images,
                                const struct reading *readings, struct explain_compiled *compiled, struct error *error)
{
    for (size_t i = 0; i < recording->program_count; i++) {
        if (images[i].status != STATUS_OK) {
            *error = images[i].error;
            return images[i].status;
        }
        if (images[i].text_status != STATUS_OK && !compiled->no_code[0])
            explain(compiled->no_code, sizeof compiled->no_code, "%s", images[i].text_error.text);
    }
    for (size_t i = 0; i < compiled->kernel_count; i++)
        if (readings[i].status != STATUS_OK) {
            *error = readings[i].error;
            return readings[i].status;
        }
    return STATUS_OK;
}

enum status cuda_code_add(const struct recording *recording, const struct problem *problem,
                          const struct explain_target *target, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                          struct explain_compiled *compiled, struct error *error)
{
    struct image *images = calloc(recording->program_count, sizeof *images);
    struct reading *readings = calloc(recording->launch_count, sizeof *readings);
    compiled->kernels = calloc(recording->launch_count, sizeof *compiled->kernels);
    enum status status = STATUS_OK;
    if (!images || !readings || !compiled->kernels)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for what was compiled");
    if (status == STATUS_OK)
        status = name_images(recording, target, architecture, compiled, images, error);
    if (status == STATUS_OK) {
        sort_launches(recording, compiled, readings);
        struct launch_contents contents = {.problem = problem, .recording = recording};
        compile_all(recording, target, images, &contents, readings);
        launch_contents_free(&contents);
        status = look_through(recording, images, readings, compiled, error);
    }
    for (size_t i = 0; images && i < recording->program_count; i++)
        image_free(&images[i]);
    free(images);
    free(readings);
    return status;
}
