#include "cli/commands/try_skeleton.h"
#include "cli/options/outcome.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/translation.h"
#include "files/output.h"
#include "kernels/kernel.h"

static const struct embedded_file *find_skeleton(const char *kernel, const char *ending)
{
    char name[128];
    snprintf(name, sizeof name, "kernels/%s/skeleton%s", kernel, ending);
    return embedded_find(name);
}

enum status try_skeleton_write(const char *kernel_name, const char *path, bool force, struct error *error)
{
    const struct kernel *kernel = kernel_by_name(kernel_name, error);
    const char *ending = path ? strrchr(path, '.') : NULL;
    if (!kernel)
        return STATUS_INVALID;
    if (!ending || (strcmp(ending, ".cl") != 0 && strcmp(ending, ".c") != 0))
        return fail(error, STATUS_INVALID,
                    "--new needs -o FILE.cl (OpenCL C, which runs through CUDA, too) or -o FILE.c (C for the CPU)");
    const struct embedded_file *skeleton = find_skeleton(kernel->name, strcmp(ending, ".c") == 0 ? ".c.txt" : ".cl");
    if (!skeleton)
        return fail(error, STATUS_INVALID, "%s has no skeleton", kernel->name);
    struct output *output;
    enum status status = output_create(path, force, &output, error);
    if (status != STATUS_OK)
        return status;
    status = output_write(output, skeleton->text, strlen(skeleton->text), error);
    if (status == STATUS_OK)
        return output_finish(output, error);
    output_abandon(output);
    return status;
}

int try_skeleton(const char *kernel, const char *path, bool force)
{
    struct error error;
    enum status status = try_skeleton_write(kernel, path, force, &error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    printf(tr("%s is right as it is. Judge it: uskor try %s %s\n"), path, kernel, path);
    return said_all(EXIT_DONE);
}
