#include "backends/opencl/kernel_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/kernel_code_wire.h"

#define IMAGE_MOST ((size_t)256 << 20)

/* ---- a kernel's functions in an object ---- */

static bool is_made_of(const char *name, const char *before, const char *entry, const char *after)
{
    char text[ELF_NAME_MAX];
    int length = snprintf(text, sizeof text, "%s%s%s", before, entry, after);
    return length < (int)sizeof text && strcmp(name, text) == 0;
}

static bool ends_with_entry(const char *name, const char *entry)
{
    size_t length = strlen(name), end = strlen(entry);
    return length > end && name[length - end - 1] == '_' && strcmp(name + length - end, entry) == 0;
}

/* PoCL has the code for a group in `_pocl_kernel_k`, and in `_pocl_kernel_k_workgroup` again, which it launches: unless
 * the code is long, when that one calls the first. A kernel called like a function of OpenCL C is `_cl_k` there. */
#define POCL_PREFIX "_pocl_kernel_"
#define POCL_LAUNCHED "_workgroup"

static bool is_pocl_function(const char *name, const char *entry)
{
    return is_made_of(name, POCL_PREFIX, entry, POCL_LAUNCHED) || is_made_of(name, POCL_PREFIX, entry, "") ||
           is_made_of(name, POCL_PREFIX "_cl_", entry, POCL_LAUNCHED) ||
           is_made_of(name, POCL_PREFIX "_cl_", entry, "");
}

/* Intel's compiler has k for one item, and `_ZGV…_k` (the vector function ABI) for a vector of items. */
static bool is_of_kernel(const char *name, const void *entry)
{
    return strcmp(name, entry) == 0 || (strncmp(name, "_ZGV", 4) == 0 && ends_with_entry(name, entry)) ||
           is_pocl_function(name, entry);
}

static bool is_launched(const struct elf_function *function)
{
    size_t length = strlen(function->name), end = strlen(POCL_LAUNCHED);
    return length > end && strcmp(function->name + length - end, POCL_LAUNCHED) == 0;
}

size_t kernel_code_functions(const void *image, size_t bytes, const char *entry,
                             struct elf_function functions[KERNEL_CODE_FUNCTIONS_MOST])
{
    size_t count = elf_functions_find(image, bytes, is_of_kernel, entry, functions, KERNEL_CODE_FUNCTIONS_MOST);
    if (count != 2 || strncmp(functions[0].name, POCL_PREFIX, strlen(POCL_PREFIX)) != 0 ||
        is_launched(&functions[0]) == is_launched(&functions[1]))
        return count;
    int launched = is_launched(&functions[1]);
    bool is_call = functions[launched].bytes < functions[!launched].bytes / 2;
    functions[0] = functions[is_call ? !launched : launched];
    return 1;
}

/* ---- the parent's side ---- */

static void fill_job(const struct kernel_code_request *request, struct kernel_code_job *job)
{
    *job = (struct kernel_code_job){.rank = request->rank, .text_count = 2 + request->source->define_count};
    snprintf(job->device, sizeof job->device, "%s", request->device);
    snprintf(job->device_name, sizeof job->device_name, "%s", request->device_name);
    snprintf(job->entry, sizeof job->entry, "%s", request->entry);
    memcpy(job->group, request->group, sizeof job->group);
    memcpy(job->groups, request->groups, sizeof job->groups);
    for (size_t i = 0; i < request->argument_count && i < KERNEL_CODE_ARGUMENTS_MOST; i++)
        job->arguments[job->argument_count++] = request->arguments[i];
}

static bool write_text(FILE *stream, const char *text)
{
    return fwrite(text, strlen(text) + 1, 1, stream) == 1;
}

static bool write_request(FILE *stream, const struct kernel_code_request *request)
{
    const struct program_source *source = request->source;
    struct kernel_code_job *job = malloc(sizeof *job);
    if (!job)
        return false;
    fill_job(request, job);
    bool is_written = fwrite(job, sizeof *job, 1, stream) == 1 && write_text(stream, source->name) &&
                      write_text(stream, source->text);
    for (size_t i = 0; is_written && i < source->define_count; i++)
        is_written = write_text(stream, source->defines[i]);
    free(job);
    return is_written;
}

static bool send_request(struct child_process *child, const struct kernel_code_request *request)
{
    char *data = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&data, &bytes);
    bool is_written = stream && write_request(stream, request);
    if (stream && fclose(stream) != 0)
        is_written = false;
    bool is_sent = is_written && child_send(&child->link, KERNEL_CODE_REQUEST, data, bytes);
    free(data);
    return is_sent;
}

/* A stranger's kernel has run in the process that sends it. */
static bool is_done(const void *data, size_t bytes)
{
    struct kernel_code_done done;
    (void)bytes;
    memcpy(&done, data, sizeof done);
    return done.status >= STATUS_OK && done.status <= STATUS_INTERRUPTED && done.origin >= KERNEL_CODE_LOADED &&
           done.origin <= KERNEL_CODE_BINARY && memchr(done.error.text, 0, sizeof done.error.text) &&
           memchr(done.message_origin, 0, sizeof done.message_origin);
}

/* Takes the message over. */
static enum status take_answer(const char *entry, struct child_message *message, struct kernel_code *code,
                               struct error *error)
{
    struct kernel_code_done done = {.status = STATUS_UNAVAILABLE};
    memcpy(&done, message->data, sizeof done);
    message_unpack(done.error.text, done.message_origin);
    if (done.status != STATUS_OK)
        return fail(error, done.status, "%s", done.error.text);
    code->origin = done.origin;
    code->bytes = message->bytes - sizeof done;
    memmove(message->data, (char *)message->data + sizeof done, code->bytes);
    code->function_count = kernel_code_functions(message->data, code->bytes, entry, code->functions);
    if (code->function_count == 0)
        return fail(error, STATUS_UNAVAILABLE, "the runtime's code has no function '%s'", entry);
    code->image = message->data;
    message->data = NULL;
    return STATUS_OK;
}

enum status kernel_code_get(const struct kernel_code_request *request, struct kernel_code *code, struct error *error)
{
    static const struct child_rule rule = {KERNEL_CODE_DONE, sizeof(struct kernel_code_done), IMAGE_MOST, is_done};
    const struct child_limits limits = {.seconds = CHILD_SECONDS, .rules = &rule, .rule_count = 1};
    struct child_process child;
    struct child_message message = {0};
    struct error why;
    *code = (struct kernel_code){.function_count = 0};
    if (!child_process_possible())
        return fail(error, STATUS_UNAVAILABLE, "%s: its code is read by a process of its own, and none can be started",
                    request->entry);
    enum status status = child_start("kernel-code", NULL, &limits, &child, error);
    if (status != STATUS_OK)
        return status;
    if (!send_request(&child, request))
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory to ask for its code", request->entry);
    else if (child_wait(&child, NULL, NULL, &message, &why) != CHILD_MESSAGE)
        status = fail(error, STATUS_UNAVAILABLE, "%s: %s, asked for the kernel's code: %s", request->entry,
                      request->device, why.text);
    else
        status = take_answer(request->entry, &message, code, error);
    free(message.data);
    child_end(&child);
    return status;
}
