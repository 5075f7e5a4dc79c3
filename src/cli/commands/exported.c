#include "cli/commands/exported.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files/input.h"

struct exported {
    struct input input;
    const char *path;
};

static enum status is_whole(const void *context, struct error *error)
{
    const struct exported *exported = context;
    return input_check(&exported->input, exported->path, error);
}

enum status exported_import(struct store *store, const char *path, struct import_counts *counts, struct error *error)
{
    struct exported exported = {.path = path};
    enum status status = input_open(path, "JSON lines", &exported.input, error);
    if (status != STATUS_OK)
        return status;
    /* A descriptor of the stream's own: the check at the end needs the other one. */
    int descriptor = dup(exported.input.descriptor);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    if (stream) {
        status = store_import_checked(store, stream, path, is_whole, &exported, counts, error);
        fclose(stream);
    } else {
        status = fail(error, STATUS_SYSTEM, "%s: %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
    }
    input_close(&exported.input);
    return status;
}
