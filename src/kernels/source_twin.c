/* A rung in two languages: naive.cl for OpenCL and CUDA, naive.glsl for OpenGL. One header rules, and both files show
 * it, so that each can be read, and tried, by itself. */
#include <stdio.h>

#include "kernels/rung_header.h"
#include "kernels/rung_header_block.h"

/* Spaces are ignored. */
static bool same_value(const struct block_line *a, const struct block_line *b)
{
    int i = 0, j = 0;
    if (a->key != b->key)
        return false;
    for (;; i++, j++) {
        while (i < a->length && (a->text[i] == ' ' || a->text[i] == '\t'))
            i++;
        while (j < b->length && (b->text[j] == ' ' || b->text[j] == '\t'))
            j++;
        if (i == a->length || j == b->length)
            return i == a->length && j == b->length;
        if (a->text[i] != b->text[j])
            return false;
    }
}

static const struct block_line *line_without(const struct source_block *block, const struct source_block *other)
{
    for (int i = 0; i < block->count; i++) {
        bool found = block->lines[i].key == KEY_IDEA;
        for (int k = 0; !found && k < other->count; k++)
            found = same_value(&block->lines[i], &other->lines[k]);
        if (!found)
            return &block->lines[i];
    }
    return NULL;
}

static enum status refuse_line(const struct block_line *line, const char *path, const char *other, struct error *error)
{
    char value[BLOCK_VALUE_MAX];
    if (!line)
        return STATUS_OK;
    snprintf(value, sizeof value, "%.*s", line->length, line->text);
    return fail(error, STATUS_INVALID, "%s:%d: the header of %s has no such line: %s", path, line->number, other,
                value);
}

enum status device_rung_join(struct rung *rung, const char *path, const char *text, struct error *error)
{
    struct device_source *source = (struct device_source *)rung->source;
    struct source_block own, twin;
    enum status status = source_block_read(source->path, source->text, &own, error);
    if (status == STATUS_OK)
        status = source_block_read(path, text, &twin, error);
    if (status != STATUS_OK)
        return status;
    status = refuse_line(line_without(&twin, &own), path, source->path, error);
    if (status == STATUS_OK)
        status = refuse_line(line_without(&own, &twin), source->path, path, error);
    if (status != STATUS_OK)
        return status;
    snprintf(source->twin.path, sizeof source->twin.path, "%s", path);
    source->twin.text = text;
    rung->backends |= BACKEND_OPENGL;
    return STATUS_OK;
}

struct source_text device_source_for(const struct device_source *source, const struct device *device)
{
    const bool is_twin = source->twin.text && device && device->backend->kind == BACKEND_OPENGL;
    if (is_twin)
        return (struct source_text){source->twin.path, source->twin.text, LANGUAGE_GLSL};
    return (struct source_text){source->path, source->text, source->language};
}
