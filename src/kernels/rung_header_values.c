/* One reader for each key of a rung's header. */
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "kernels/argument.h"
#include "kernels/rung_header_reader.h"

static enum status read_rung(struct reader *reader, char *value)
{
    static const char taken[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (strspn(value, taken) != strlen(value) || value[0] == '-' || value[0] == '.')
        return REFUSE(reader, "a rung's name is letters, digits and dashes, such as 'row-cache'");
    return source_copy(reader, "the rung's name", value, reader->made->rung.name, RUNG_NAME_MAX);
}

static enum status read_idea(struct reader *reader, char *value)
{
    return source_copy(reader, "the idea", value, reader->made->rung.idea, sizeof reader->made->rung.idea);
}

/* One to three expressions; the second list of group and groups must be as long as the first. */
static enum status read_shape(struct reader *reader, char *value, char target[3][SOURCE_EXPRESSION_MAX])
{
    int count = 0;
    enum status status = STATUS_OK;
    for (char *rest = value, *piece; status == STATUS_OK && (piece = source_cut(&rest, ',')) != NULL; count++) {
        if (count == 3)
            return REFUSE(reader, "an index space has 1, 2 or 3 dimensions");
        status = source_copy_expression(reader, "a dimension", piece, target[count]);
    }
    if (status != STATUS_OK)
        return status;
    struct device_source *source = &reader->made->source;
    if (source->rank != 0 && source->rank != count)
        return REFUSE(reader, "group has %d dimensions and groups has %d; both need the same", source->rank, count);
    source->rank = count;
    return STATUS_OK;
}

static enum status read_group(struct reader *reader, char *value)
{
    return read_shape(reader, value, reader->made->source.group);
}

static enum status read_groups(struct reader *reader, char *value)
{
    return read_shape(reader, value, reader->made->source.groups);
}

static enum status read_entry(struct reader *reader, char *value)
{
    if (!source_is_identifier(value))
        return REFUSE(reader, "'%.40s' is not the name of a kernel function", value);
    return source_copy(reader, "the entry's name", value, reader->made->source.entry, SOURCE_NAME_MAX);
}

static enum status read_args(struct reader *reader, char *value)
{
    struct device_source *source = &reader->made->source;
    for (char *rest = value, *piece; (piece = source_cut(&rest, ',')) != NULL;) {
        if (source->argument_count == SOURCE_ARGUMENTS_MAX)
            return REFUSE(reader, "more than %d arguments", SOURCE_ARGUMENTS_MAX);
        if (piece[0] == '\0')
            return REFUSE(reader, "argument %zu is empty", source->argument_count + 1);
        struct argument argument;
        enum status status = argument_read(&reader->example, piece, &argument, reader->error);
        if (status != STATUS_OK)
            return fail_in(reader->error, status, "%s:%d", reader->path, reader->line);
        char checked[SOURCE_EXPRESSION_MAX];
        if (argument.kind != ARGUMENT_BUFFER)
            status = source_copy_expression(reader, "an argument", argument.expression, checked);
        if (status == STATUS_OK)
            status = source_copy(reader, "an argument", piece, source->arguments[source->argument_count++],
                                 SOURCE_EXPRESSION_MAX);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status read_require(struct reader *reader, char *value)
{
    struct device_source *source = &reader->made->source;
    if (source->requirement_count >= SOURCE_REQUIRES_MAX)
        return REFUSE(reader, "more than %d requirements", SOURCE_REQUIRES_MAX);
    struct source_requirement *requirement = &source->requirements[source->requirement_count++];
    static const struct device any_device;
    char *rest = value;
    reader->device = &any_device;
    enum status status =
        source_copy_expression(reader, "the condition", source_cut(&rest, ','), requirement->condition);
    reader->device = NULL;
    if (status != STATUS_OK)
        return status;
    const char *reason = rest ? source_trim(rest) : "";
    if (reason[0] == '\0')
        return REFUSE(reader, "the reason is missing; 'require: rows %% 4 == 0, the rows come in fours' has both");
    return source_copy(reader, "the reason", reason, requirement->reason, SOURCE_EXPRESSION_MAX);
}

static enum status read_needs(struct reader *reader, char *value)
{
    static const char *const features[] = {"double", "images"};
    struct device_source *source = &reader->made->source;
    char *rest;
    for (char *word = strtok_r(value, " \t,", &rest); word; word = strtok_r(NULL, " \t,", &rest)) {
        if (strcmp(word, "double") == 0)
            source->needs_double = true;
        else if (strcmp(word, "images") == 0)
            source->needs_images = true;
        else {
            const char *closest = text_closest(word, features, COUNT_OF(features));
            return REFUSE(reader, "'%.40s' is not a feature; %s%s", word, closest ? "did you mean " : "there are ",
                          closest ? closest : "double and images");
        }
    }
    return STATUS_OK;
}

static enum status read_scratch(struct reader *reader, char *value)
{
    return source_copy_expression(reader, "scratch", value, reader->made->source.scratch);
}

static enum status read_local(struct reader *reader, char *value)
{
    if (reader->made->source.language != LANGUAGE_CUDA_C)
        return REFUSE(reader, "dynamic local memory is for .cu files; declare a local_array of fixed size instead");
    return source_copy_expression(reader, "local", value, reader->made->source.local);
}

static enum status read_bound(struct reader *reader, char *value)
{
    char checked[SOURCE_EXPRESSION_MAX];
    enum status status = source_copy_expression(reader, "the bound", value, checked);
    return status == STATUS_OK
               ? source_copy(reader, "the bound", checked, reader->made->rung.bound, sizeof reader->made->rung.bound)
               : status;
}

static enum status read_tensor(struct reader *reader, char *value)
{
    int64_t products;
    if (reader->made->source.language != LANGUAGE_CUDA_C)
        return REFUSE(reader, "tensor cores are for .cu files");
    if (!text_integer(value, &products) || products < 1 || products > TENSOR_PRODUCTS_MAX)
        return REFUSE(reader, "'%.40s' is not a number of products from 1 to %d: those of bfloat16 that stand for one",
                      value, TENSOR_PRODUCTS_MAX);
    reader->made->rung.tensor_products = (unsigned)products;
    return STATUS_OK;
}

static enum status read_takes(struct reader *reader, char *value)
{
    const struct kernel *kernel = reader->kernel;
    char names[sizeof reader->made->rung.takes] = "", *rest;
    enum status status = source_copy(reader, "the list", value, names, sizeof names);
    for (char *word = strtok_r(value, " ", &rest); status == STATUS_OK && word; word = strtok_r(NULL, " ", &rest)) {
        if (!kernel_has_optional(kernel, word))
            return REFUSE(reader, "'%.40s' is not a field or type that rungs of %s may leave out", word, kernel->name);
    }
    memcpy(reader->made->rung.takes, names, sizeof names);
    return status;
}

static enum status (*const readers[KEY_COUNT])(struct reader *reader, char *value) = {
    [KEY_RUNG] = read_rung,       [KEY_IDEA] = read_idea,       [KEY_TUNE] = source_tunables_read,
    [KEY_GROUP] = read_group,     [KEY_GROUPS] = read_groups,   [KEY_ENTRY] = read_entry,
    [KEY_ARGS] = read_args,       [KEY_REQUIRE] = read_require, [KEY_NEEDS] = read_needs,
    [KEY_SCRATCH] = read_scratch, [KEY_LOCAL] = read_local,     [KEY_BOUND] = read_bound,
    [KEY_TENSOR] = read_tensor,   [KEY_TAKES] = read_takes,
};

enum status source_value_read(struct reader *reader, enum source_key key, char *value)
{
    return readers[key](reader, value);
}
