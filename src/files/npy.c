#include "files/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/npy_type.h"

/* Reads up to `bytes` bytes at `offset`; fewer only at the file's end. */
static enum status read_at(int descriptor, size_t offset, void *data, size_t bytes, size_t *done, struct error *error)
{
    for (*done = 0; *done < bytes;) {
        ssize_t got = pread(descriptor, (char *)data + *done, bytes - *done, (off_t)(offset + *done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(error, STATUS_SYSTEM, "cannot be read: %s", strerror(errno));
        if (got == 0)
            break;
        *done += (size_t)got;
    }
    return STATUS_OK;
}

/* The header is copied to private memory, so it cannot change between a check and its use. */
static enum status read_header(int descriptor, size_t size, struct npy_layout *layout, size_t *offset,
                               struct error *error)
{
    unsigned char first[NPY_PREAMBLE_MAX];
    struct npy_preamble preamble;
    size_t got;
    enum status status = read_at(descriptor, 0, first, sizeof first, &got, error);
    if (status == STATUS_OK)
        status = npy_preamble_parse(first, got, &preamble, error);
    if (status != STATUS_OK)
        return status;
    if (size < preamble.start + preamble.bytes)
        return fail(error, STATUS_INVALID, "ends after %zu bytes, within its header of %zu", size,
                    preamble.start + preamble.bytes);
    char *text = malloc(preamble.bytes + 1);
    if (!text)
        return fail(error, STATUS_UNAVAILABLE, "out of memory");
    status = read_at(descriptor, preamble.start, text, preamble.bytes, &got, error);
    if (status == STATUS_OK)
        status = npy_header_parse(text, got, layout, error);
    free(text);
    *offset = preamble.start + preamble.bytes;
    return status;
}

static enum status check_size(const struct npy_layout *layout, size_t offset, size_t size, struct error *error)
{
    size_t present = size - offset;
    if (present < layout->bytes)
        return fail(error, STATUS_INVALID, "is cut short: its shape needs %zu bytes of data, and %zu are there",
                    layout->bytes, present);
    if (present > layout->bytes)
        return fail(error, STATUS_INVALID,
                    "has %zu bytes after its data of %zu; it is damaged, or holds more than one "
                    "array",
                    present - layout->bytes, layout->bytes);
    return STATUS_OK;
}

/* Header, size, mapping. */
static enum status read_file(const char *path, struct npy_array *array, struct error *error)
{
    size_t size = array->input.size;
    enum status status = read_header(array->input.descriptor, size, &array->layout, &array->offset, error);
    if (status == STATUS_OK)
        status = check_size(&array->layout, array->offset, size, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s", path);
    status = mapping_open(array->input.descriptor, size, false, path, &array->mapping, error);
    if (status != STATUS_OK)
        return status;
    array->data = (const char *)array->mapping.data + array->offset;
    array->element = npy_type_is_native(&array->layout) ? npy_type_element(&array->layout) : ELEMENT_TYPE_COUNT;
    return STATUS_OK;
}

enum status npy_open(const char *path, struct npy_array *array, struct error *error)
{
    struct npy_array opened = {.path = strdup(path)};
    if (!opened.path)
        return fail(error, STATUS_UNAVAILABLE, "%s: out of memory", path);
    enum status status = input_open(path, ".npy", &opened.input, error);
    if (status != STATUS_OK) {
        free(opened.path);
        return status;
    }
    status = read_file(path, &opened, error);
    if (status != STATUS_OK) {
        npy_close(&opened);
        return status;
    }
    *array = opened;
    return STATUS_OK;
}

void npy_close(struct npy_array *array)
{
    mapping_close(&array->mapping);
    if (array->path)
        input_close(&array->input);
    free(array->path);
    *array = (struct npy_array){0};
}

enum status npy_check(const struct npy_array *array, struct error *error)
{
    enum status status = input_check(&array->input, array->path, error);
    return status == STATUS_OK ? mapping_check(&array->mapping, array->path, error) : status;
}

enum status npy_outcome(const struct npy_array *array, enum status status, struct error *error)
{
    struct error changed;
    enum status unchanged = array->path ? npy_check(array, &changed) : STATUS_OK;
    if (unchanged == STATUS_OK)
        return status;
    if (error)
        *error = changed;
    return unchanged;
}

enum status npy_create(const char *path, bool force, const struct npy_layout *layout, struct npy_writer *writer,
                       struct error *error)
{
    struct npy_writer made = {.layout = *layout};
    char header[NPY_HEADER_WRITE_MAX];
    enum status status = npy_layout_size(&made.layout, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s", path);
    made.offset = npy_header_write(&made.layout, header);
    size_t size = made.offset + made.layout.bytes; /* fits: bytes <= PTRDIFF_MAX */
    status = output_create(path, force, &made.output, error);
    if (status == STATUS_OK)
        status = output_reserve(made.output, size, error);
    if (status == STATUS_OK)
        status = mapping_open(output_descriptor(made.output), size, true, path, &made.mapping, error);
    if (status != STATUS_OK) {
        npy_abandon(&made);
        return status;
    }
    memcpy(made.mapping.data, header, made.offset);
    made.data = (char *)made.mapping.data + made.offset;
    *writer = made;
    return STATUS_OK;
}

enum status npy_finish(struct npy_writer *writer, struct error *error)
{
    enum status status = mapping_check(&writer->mapping, output_path(writer->output), error);
    if (status != STATUS_OK) {
        npy_abandon(writer);
        return status;
    }
    mapping_close(&writer->mapping);
    status = output_finish(writer->output, error);
    *writer = (struct npy_writer){0};
    return status;
}

void npy_abandon(struct npy_writer *writer)
{
    mapping_close(&writer->mapping);
    output_abandon(writer->output);
    *writer = (struct npy_writer){0};
}
