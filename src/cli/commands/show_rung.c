/* uskor show: the source of a rung. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/rung_source.h"
#include "cli/options/options.h"

static void check_usage(void *input, const struct options_state *state)
{
    if (!*(const char **)input)
        refuse_use(state, "which rung? For example: uskor show transpose:tiled");
}

static const struct usage usage = {
    .one_only = N_("one rung at a time"),
    .check = check_usage,
    .args_doc = N_("[KERNEL:]RUNG"),
    .doc =
        N_("Print the source of a rung. Where several kernels have a rung of that name, the kernel stands before it: "
           "transpose:tiled. 'uskor list KERNEL' lists the rungs with their files."),
};

/* Rungs of that name, of `only` (NULL: of all kernels); `found` receives the last one's kernel. */
static size_t find(const struct kernel *only, const char *name, const struct kernel **found, char *names, size_t size)
{
    size_t count = 0;
    for (size_t k = 0; kernels[k]; k++) {
        if ((only && kernels[k] != only) || !rung_by_name(kernels[k], name, NULL))
            continue;
        text_append(names, size, "%s%s:%s", count ? ", " : "", kernels[k]->name, name);
        *found = kernels[k];
        count++;
    }
    return count;
}

static enum status find_source(const char *text, const struct embedded_file **file, struct error *error)
{
    char kernel_name[64], names[512] = "";
    const char *colon = strchr(text, ':'), *name = colon ? colon + 1 : text;
    const struct kernel *only = NULL, *kernel = NULL;
    if (colon) {
        snprintf(kernel_name, sizeof kernel_name, "%.*s", (int)(colon - text), text);
        only = kernel_by_name(kernel_name, error);
        if (!only || !rung_by_name(only, name, error))
            return STATUS_INVALID;
    }
    size_t count = find(only, name, &kernel, names, sizeof names);
    if (count == 0)
        return fail(error, STATUS_INVALID, "no kernel has a rung '%s'; 'uskor list' has them", name);
    if (count > 1)
        return fail(error, STATUS_INVALID, "'%s' may be %s", name, names);
    *file = rung_source_by_name(kernel->name, name);
    if (*file)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "%s:%s has no file of its own in this program", kernel->name, name);
}

int cmd_show(int argc, char **argv)
{
    const char *rung = NULL;
    const struct embedded_file *file = NULL;
    struct error error;
    options_parse(&usage, argc, argv, &rung);
    enum status status = find_source(rung, &file, &error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    printf("// src/%s\n%s", file->path, file->text);
    return EXIT_DONE;
}
