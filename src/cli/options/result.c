#include "cli/options/result.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files/output.h"

enum status result_open(const char *path, bool force, struct result *result, struct error *error)
{
    *result = (struct result){.stream = stdout, .name = "standard output"};
    if (!path)
        return STATUS_OK;
    *result = (struct result){.name = path};
    enum status status = output_create(path, force, &result->file, error);
    if (status != STATUS_OK)
        return status;
    /* A stream of its own on the same file: closing it says whether all was written, and leaves the file open. */
    int descriptor = dup(output_descriptor(result->file));
    result->stream = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (result->stream)
        return STATUS_OK;
    status = fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
    if (descriptor >= 0)
        close(descriptor);
    output_abandon(result->file);
    result->file = NULL;
    return status;
}

const char *result_reason(FILE *stream)
{
    errno = 0;
    clearerr(stream);
    if ((fputc('\n', stream) == EOF || fflush(stream) != 0) && errno != 0)
        return strerror(errno);
    return strerror(EIO);
}

enum status result_close(struct result *result, enum status status, struct error *error)
{
    struct output *file = result->file;
    FILE *stream = result->stream;
    if (status == STATUS_OK && stream && (ferror(stream) || fflush(stream) != 0))
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", result->name, result_reason(stream));
    if (file && stream && fclose(stream) != 0 && status == STATUS_OK)
        status = fail(error, STATUS_SYSTEM, "%s: cannot write: %s", result->name, strerror(errno));
    *result = (struct result){0};
    if (file && status == STATUS_OK)
        return output_finish(file, error);
    output_abandon(file);
    return status;
}

enum status result_write(const char *path, bool force, enum status (*write)(FILE *, void *context, struct error *),
                         void *context, struct error *error)
{
    struct result result;
    enum status status = result_open(path, force, &result, error);
    if (status == STATUS_OK)
        status = write(result.stream, context, error);
    return result_close(&result, status, error);
}
