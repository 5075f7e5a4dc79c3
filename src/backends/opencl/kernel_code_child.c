/* The child that has a runtime make a kernel's code. It ends with its answer, whatever the launch does. */
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/opencl/causes.h"
#include "backends/opencl/kernel_code_wire.h"
#include "backends/opencl/opencl.h"
#include "base/clock.h"
#include "base/size.h"
#include "base/under_way.h"

#define LOOK_NS 1000000
#define OBJECTS_MOST 1024
#define TEXTS_MOST 512

struct job {
    const struct kernel_code_job *wire;
    const char *texts[TEXTS_MOST]; /* name, text, definitions */
    struct device *device;
    struct buffer buffers[KERNEL_CODE_ARGUMENTS_MOST];
    struct texture *textures[KERNEL_CODE_ARGUMENTS_MOST];
    struct argument_value values[KERNEL_CODE_ARGUMENTS_MOST];
};

struct answer {
    enum kernel_code_origin origin;
    void *image;
    size_t bytes;
};

/* ---- objects that the runtime loads ---- */

struct objects {
    uintptr_t bases[OBJECTS_MOST];
    size_t count;
};

static int note_object(struct dl_phdr_info *info, size_t size, void *context)
{
    struct objects *objects = context;
    (void)size;
    if (objects->count < OBJECTS_MOST)
        objects->bases[objects->count++] = info->dlpi_addr;
    return 0;
}

struct search {
    const struct objects *before;
    const char *entry;
    struct answer *answer;
};

static bool read_file(const char *path, struct answer *answer)
{
    FILE *file = fopen(path, "re");
    long bytes = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    char *data = bytes > 0 ? malloc((size_t)bytes) : NULL;
    bool is_read = data && fseek(file, 0, SEEK_SET) == 0 && fread(data, 1, (size_t)bytes, file) == (size_t)bytes;
    if (file)
        fclose(file);
    if (!is_read) {
        free(data);
        return false;
    }
    *answer = (struct answer){KERNEL_CODE_LOADED, data, (size_t)bytes};
    return true;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    const struct search *search = context;
    struct elf_function functions[KERNEL_CODE_FUNCTIONS_MOST];
    (void)size;
    for (size_t i = 0; i < search->before->count; i++)
        if (search->before->bases[i] == info->dlpi_addr)
            return 0;
    if (!info->dlpi_name || info->dlpi_name[0] != '/' || !read_file(info->dlpi_name, search->answer))
        return 0;
    if (kernel_code_functions(search->answer->image, search->answer->bytes, search->entry, functions) > 0)
        return 1;
    free(search->answer->image);
    search->answer->image = NULL;
    return 0;
}

/* ---- the launch ---- */

/* A kernel that goes wrong on arrays without contents only stops: its code is there already. */
static void stop_here(int number)
{
    (void)number;
    for (;;)
        pause();
}

static void stop_threads_that_crash(void)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const struct sigaction action = {.sa_handler = stop_here};
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        sigaction(signals[i], &action, NULL);
}

static enum status make_argument(struct job *job, size_t i, struct error *error)
{
    const struct kernel_code_argument *from = &job->wire->arguments[i];
    struct argument_value *value = &job->values[i];
    enum status status = STATUS_OK;
    value->kind = from->kind;
    if (from->kind == ARGUMENT_BUFFER) {
        status = buffer_allocate(job->device, from->bytes, &job->buffers[i], error);
        value->buffer = &job->buffers[i];
    } else if (from->kind == ARGUMENT_TEXTURE) {
        status = texture_create(job->device, from->width, from->height, &job->textures[i], error);
        value->texture = job->textures[i];
    } else {
        memcpy(&value->long_value, &from->value, sizeof from->value); /* all members of the union begin there */
    }
    return status;
}

static bool is_done(cl_event event)
{
    cl_int state = CL_COMPLETE;
    return cl.GetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) != CL_SUCCESS ||
           state <= CL_COMPLETE;
}

static enum status launch(struct job *job, struct program *program, struct error *error)
{
    const struct kernel_code_job *wire = job->wire;
    struct launch launch = {
        .entry = wire->entry, .rank = wire->rank, .arguments = job->values, .argument_count = wire->argument_count};
    memcpy(launch.group, wire->group, sizeof launch.group);
    memcpy(launch.groups, wire->groups, sizeof launch.groups);
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < wire->argument_count; i++)
        status = make_argument(job, i, error);
    if (status == STATUS_OK)
        stop_threads_that_crash();
    return status == STATUS_OK ? program_launch(program, &launch, error) : status;
}

static enum status find_loaded(struct job *job, struct program *program, struct answer *answer, struct error *error)
{
    const struct opencl_device *device = (struct opencl_device *)job->device;
    struct objects before = {.count = 0};
    const struct search search = {&before, job->wire->entry, answer};
    cl_event event = NULL;
    dl_iterate_phdr(note_object, &before);
    enum status status = launch(job, program, error);
    if (status != STATUS_OK)
        return status;
    cl_int code = cl.EnqueueMarkerWithWaitList(device->queue, 0, NULL, &event);
    code = opencl_made(event, code);
    if (code == CL_SUCCESS)
        code = cl.Flush(device->queue);
    if (code != CL_SUCCESS)
        return opencl_fail(error, job->device->id, "launching a kernel for its code", code);
    for (bool was_done = false; !answer->image && !was_done;) {
        clock_sleep(LOOK_NS);
        was_done = is_done(event);
        dl_iterate_phdr(look_into, (void *)(uintptr_t)&search);
    }
    return answer->image ? STATUS_OK
                         : fail(error, STATUS_UNAVAILABLE,
                                "%s does not give the machine code of its kernels: it loads no object with kernel %s",
                                job->device->properties.driver, job->wire->entry);
}

static enum status find_in_binary(struct job *job, struct program *program, struct answer *answer, struct error *error)
{
    struct elf_function functions[KERNEL_CODE_FUNCTIONS_MOST];
    enum status status = opencl_program_binary(program, &answer->image, &answer->bytes, error);
    answer->origin = KERNEL_CODE_BINARY;
    if (status == STATUS_OK && kernel_code_functions(answer->image, answer->bytes, job->wire->entry, functions) == 0)
        status =
            fail(error, STATUS_UNAVAILABLE,
                 "%s does not give the machine code of its kernels: its program binary has no object with kernel %s",
                 job->device->properties.driver, job->wire->entry);
    return status;
}

/* PoCL makes a kernel's code at its launch, for the group's size; other runtimes when they build. */
static enum status find_code(struct job *job, struct answer *answer, struct error *error)
{
    const struct program_source source = {.name = job->texts[0],
                                          .text = job->texts[1],
                                          .language = LANGUAGE_OPENCL_C,
                                          .defines = job->texts + 2,
                                          .define_count = job->wire->text_count - 2};
    struct program *program;
    enum status status = device_open(job->wire->device, &job->device, error);
    if (status == STATUS_OK && strcmp(job->device->properties.name, job->wire->device_name) != 0)
        return fail(error, STATUS_UNAVAILABLE,
                    "%s: the child process finds %s there instead of %s: a driver is missing", job->wire->device,
                    job->device->properties.name, job->wire->device_name);
    if (status == STATUS_OK)
        status = program_build(job->device, &source, &program, error);
    if (status != STATUS_OK)
        return status;
    bool is_pocl = strstr(job->device->properties.driver, POCL_NAME) != NULL;
    return is_pocl ? find_loaded(job, program, answer, error) : find_in_binary(job, program, answer, error);
}

/* ---- the answer ---- */

static bool read_job(const struct child_message *message, struct job *job)
{
    const char *at = (const char *)message->data + sizeof *job->wire,
               *end = (const char *)message->data + message->bytes;
    job->wire = message->data;
    if (message->type != KERNEL_CODE_REQUEST || message->bytes < sizeof *job->wire || job->wire->text_count < 2 ||
        job->wire->text_count > TEXTS_MOST || job->wire->argument_count > KERNEL_CODE_ARGUMENTS_MOST)
        return false;
    for (size_t i = 0; i < job->wire->text_count; i++) {
        if (at >= end)
            return false;
        job->texts[i] = at;
        at += strlen(at) + 1;
    }
    return true;
}

int kernel_code_child(struct child_link *parent, int argc, char **argv)
{
    static struct job job;
    struct child_message message;
    struct answer answer = {.image = NULL};
    struct kernel_code_done done = {.status = STATUS_INVALID};
    (void)argc, (void)argv;
    if (!child_receive(parent, &message))
        return 1;
    under_way_begin(UNDER_WAY_DRIVER, "opencl", "", "");
    if (read_job(&message, &job))
        done.status = find_code(&job, &answer, &done.error);
    done.origin = answer.origin;
    size_t image_bytes = done.status == STATUS_OK ? answer.bytes : 0;
    char *all = malloc(sizeof done + image_bytes);
    if (!all) {
        child_lacks_memory(parent);
        return 1;
    }
    message_pack(done.error.text, done.message_origin);
    memcpy(all, &done, sizeof done);
    if (image_bytes > 0)
        memcpy(all + sizeof done, answer.image, image_bytes);
    child_report(parent, KERNEL_CODE_DONE, all, sizeof done + image_bytes);
    free(all);
    return 0;
}
