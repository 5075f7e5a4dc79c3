#include "explain/compiled/opencl_code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opencl/kernel_code.h"
#include "base/growing.h"
#include "base/translation.h"
#include "explain/compiled/x86_read.h"

static const char *const origins[] = {
    [KERNEL_CODE_LOADED] = N_("the object that the runtime loaded for the launch"),
    [KERNEL_CODE_BINARY] = N_("the object in the program's binary (CL_PROGRAM_BINARIES)"),
};

/* ---- one kernel ---- */

static enum status add_function(const struct elf_function *function, const struct explain_kernel *form,
                                struct explain_compiled *compiled, struct error *error)
{
    struct explain_kernel kernel = *form;
    if (!array_grow(&compiled->kernels, compiled->kernel_count, sizeof *compiled->kernels) ||
        !x86_read(function->code, function->bytes, &kernel))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", kernel.name);
    if (strncmp(function->name, "_ZGV", 4) == 0)
        snprintf(kernel.name, sizeof kernel.name, "%.63s", function->name);
    compiled->kernels[compiled->kernel_count++] = kernel;
    return STATUS_OK;
}

enum status opencl_code_read(const struct kernel_code *code, const struct explain_kernel *form,
                             struct explain_compiled *compiled, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < code->function_count; i++)
        status = add_function(&code->functions[i], form, compiled, error);
    compiled->read_from = origins[code->origin];
    return status;
}

/* ---- a recording ---- */

static enum status add_launch(const struct recorded_launch *launch, const struct recorded_program *program,
                              const struct explain_target *target, struct explain_compiled *compiled,
                              struct error *error)
{
    const struct program_source source = {program->name, program->text, program->language,
                                          (const char *const *)program->defines, program->define_count};
    struct kernel_code_argument arguments[RECORDED_ARGUMENTS_MAX];
    struct kernel_code_request request = {.device = target->device,
                                          .device_name = target->properties.name,
                                          .source = &source,
                                          .entry = launch->entry,
                                          .rank = launch->rank,
                                          .arguments = arguments,
                                          .argument_count = launch->argument_count};
    struct kernel_code code;
    const struct explain_kernel form = explain_kernel_of(launch, program);
    memcpy(request.group, launch->group, sizeof request.group);
    memcpy(request.groups, launch->groups, sizeof request.groups);
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct recorded_argument *from = &launch->arguments[i];
        arguments[i] =
            (struct kernel_code_argument){from->kind, from->value, from->array_bytes, from->width, from->height};
    }
    enum status status = kernel_code_get(&request, &code, error);
    if (status == STATUS_OK)
        status = opencl_code_read(&code, &form, compiled, error);
    free(code.image);
    return status;
}

enum status opencl_code_add(const struct recording *recording, const struct explain_target *target,
                            struct explain_compiled *compiled, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t p = 0; p < recording->program_count; p++)
        for (size_t i = 0; status == STATUS_OK && i < recording->launch_count; i++)
            if (recording->launches[i].program == p)
                status = add_launch(&recording->launches[i], &recording->programs[p], target, compiled, error);
    return status;
}
