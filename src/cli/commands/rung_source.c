#include "cli/commands/rung_source.h"

#include <stdio.h>
#include <string.h>

/* A file of the kernel's folder that has the text; NULL: none. */
static const struct embedded_file *find_text(const struct kernel *kernel, const char *text)
{
    char folder[128];
    snprintf(folder, sizeof folder, "kernels/%s/", kernel->name);
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        const char *end = strrchr(file->path, '.');
        if (strncmp(file->path, folder, strlen(folder)) == 0 && end && strcmp(end, ".c") == 0 &&
            strstr(file->text, text))
            return file;
    }
    return NULL;
}

const struct embedded_file *rung_source(const struct kernel *kernel, size_t place)
{
    const struct rung *const *rungs;
    size_t count;
    char text[160];
    if (kernel_rungs(kernel, &rungs, &count, NULL) != STATUS_OK || place >= count)
        return NULL;
    if (place < kernel->ladder_count && kernel->ladder[place].file)
        return embedded_find(kernel->ladder[place].file);
    snprintf(text, sizeof text, "struct rung %s_%s =", kernel->name, rungs[place]->name);
    for (char *at = text; *at; at++)
        *at = *at == '-' ? '_' : *at;
    const struct embedded_file *file = find_text(kernel, text);
    if (file)
        return file;
    snprintf(text, sizeof text, "\"%s\"", rungs[place]->name); /* a macro defines several */
    return find_text(kernel, text);
}

const struct embedded_file *rung_source_by_name(const char *kernel_name, const char *rung)
{
    const struct kernel *kernel = kernel_by_name(kernel_name, NULL);
    const struct rung *const *rungs;
    size_t count;
    if (!kernel || kernel_rungs(kernel, &rungs, &count, NULL) != STATUS_OK)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i]->name, rung) == 0)
            return rung_source(kernel, i);
    return NULL;
}
