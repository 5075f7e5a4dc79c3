/* Makes a rung of what the comment block of a file says. What a message names is always a line of that file. */
#include "kernels/rung_header.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/rung_header_reader.h"

/* Tabs become spaces, so that messages may quote the value. */
static void copy_value(const struct block_line *line, char value[BLOCK_VALUE_MAX])
{
    for (int i = 0; i < line->length; i++)
        value[i] = line->text[i] == '\t' ? ' ' : line->text[i];
    value[line->length] = '\0';
}

/* In the order of the keys, which has the tunables before what uses them. */
static enum status read_lines(struct reader *reader, const struct source_block *block)
{
    char value[BLOCK_VALUE_MAX];
    for (int key = 0; key < KEY_COUNT; key++)
        for (int i = 0; i < block->count; i++) {
            const struct block_line *line = &block->lines[i];
            if ((int)line->key != key)
                continue;
            copy_value(line, value);
            reader->line = line->number;
            enum status status = source_value_read(reader, line->key, value);
            if (status != STATUS_OK)
                return status;
        }
    reader->line = block->last;
    return STATUS_OK;
}

static enum status check_complete(struct reader *reader)
{
    const struct device_source *source = &reader->made->source;
    bool launches_itself = reader->host_half && reader->host_half->enqueue;
    bool shaped = source->group[0][0] != '\0' && source->groups[0][0] != '\0';
    bool unshaped = source->group[0][0] == '\0' && source->groups[0][0] == '\0';
    const char *missing = reader->made->rung.name[0] == '\0'        ? "rung"
                          : reader->made->rung.idea[0] == '\0'      ? "idea"
                          : shaped || (unshaped && launches_itself) ? NULL
                          : source->group[0][0] == '\0'             ? "group"
                                                                    : "groups";
    if (missing)
        return REFUSE(reader, "there is no '// %s: …' line in the comment block at the very top, which ends here",
                      missing);
    for (size_t i = 0; i < source->argument_count; i++)
        if (strcmp(source->arguments[i], "scratch") == 0 && source->scratch[0] == '\0' &&
            !(reader->host_half && reader->host_half->scratch))
            return REFUSE(reader, "'scratch' is an argument, and no '// scratch: BYTES' line says how much");
    return STATUS_OK;
}

static void set_functions(struct rung *rung, const struct rung *host_half)
{
    rung->prepare = device_rung_prepare;
    rung->finish = device_rung_finish;
    rung->enqueue = device_rung_enqueue;
    if (!host_half)
        return;
    rung->fuses = host_half->fuses;
    rung->takes_origin = host_half->takes_origin;
    rung->supports = host_half->supports;
    rung->scratch = host_half->scratch;
    rung->load = host_half->load;
    if (host_half->prepare) {
        rung->prepare = host_half->prepare;
        rung->finish = host_half->finish;
    }
    if (host_half->finish)
        rung->finish = host_half->finish;
    if (host_half->enqueue)
        rung->enqueue = host_half->enqueue;
    rung->fell_back = host_half->fell_back;
    if (host_half->backends)
        rung->backends &= host_half->backends;
}

static enum status set_file(struct reader *reader, const char *text)
{
    struct device_source *source = &reader->made->source;
    struct rung *rung = &reader->made->rung;
    const char *ending = strrchr(reader->path, '.');
    bool opencl = ending && strcmp(ending, ".cl") == 0, cuda = ending && strcmp(ending, ".cu") == 0;
    bool opengl = ending && strcmp(ending, ".glsl") == 0;
    if (strlen(reader->path) >= sizeof source->path)
        return fail(reader->error, STATUS_INVALID, "%.100s…: the path is longer than %zu bytes", reader->path,
                    sizeof source->path - 1);
    if (!opencl && !cuda && !opengl)
        return fail(reader->error, STATUS_INVALID,
                    "%s: a device rung's file ends in .cl (OpenCL C), .cu (CUDA C) or .glsl (OpenGL)", reader->path);
    snprintf(source->path, sizeof source->path, "%s", reader->path);
    source->text = text;
    source->language = opencl ? LANGUAGE_OPENCL_C : cuda ? LANGUAGE_CUDA_C : LANGUAGE_GLSL;
    snprintf(source->entry, sizeof source->entry, "%s", reader->kernel->name);
    rung->kind = RUNG_DEVICE;
    rung->backends = BACKEND_NULL | (opengl ? BACKEND_OPENGL : opencl ? BACKEND_CUDA | BACKEND_OPENCL : BACKEND_CUDA);
    rung->source = source;
    return STATUS_OK;
}

enum status device_rung_read(const struct kernel *kernel, const char *path, const char *text,
                             const struct rung *host_half, struct rung **rung, struct error *error)
{
    struct source_block block;
    struct device_rung *made = calloc(1, sizeof *made);
    *rung = NULL;
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for the rung", path);
    struct error ignored;
    struct reader reader = {.path = path,
                            .kernel = kernel,
                            .host_half = host_half,
                            .made = made,
                            .example = problem_default(kernel),
                            .error = error ? error : &ignored};
    enum status status = set_file(&reader, text);
    if (status == STATUS_OK)
        status = source_block_read(path, text, &block, reader.error);
    if (status == STATUS_OK)
        status = read_lines(&reader, &block);
    if (status == STATUS_OK)
        status = check_complete(&reader);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    set_functions(&made->rung, host_half);
    *rung = &made->rung;
    return STATUS_OK;
}

void device_rung_free(struct rung *rung)
{
    free(rung); /* the first member of its struct device_rung */
}
