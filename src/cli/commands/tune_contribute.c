#include "cli/commands/tune_contribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "choice/transfers.h"
#include "cli/options/result.h"

static bool is_named(const struct bench_session *session, const struct kernel *kernel)
{
    for (size_t t = 0; t < session->target_count; t++)
        if (strcmp(session->targets[t], kernel->name) == 0)
            return true;
    return session->target_count == 0;
}

static bool is_here(const struct tuned_entry *entry, const char *path, const struct device *device)
{
    return strcmp(entry->file, path) == 0 && tuned_is_of_device(entry, device) &&
           !tuned_has_other_driver(entry, device);
}

/* Frees the line. */
static bool write_line(char *line, FILE *stream)
{
    const bool is_written = line && fputs(line, stream) >= 0;
    free(line);
    return is_written;
}

/* The file's lines of a kernel on a device that are not stale. */
static size_t write_times(const char *path, const struct kernel *kernel, const struct device *device, FILE *stream)
{
    const struct tuned_entries entries = tuned_entries(kernel, tuned_kind_of(device));
    size_t written = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const struct tuned_entry *entry = &entries.items[i];
        if (is_here(entry, path, device))
            written += write_line(tuned_line(entry), stream);
    }
    return written;
}

static void write_copies(const char *path, const struct device *device, FILE *stream)
{
    struct transfers all[TRANSFERS_MOST];
    const size_t count = transfers_read(all);
    for (size_t i = 0; i < count; i++)
        if (is_here(&all[i].of, path, device))
            write_line(transfers_line(&all[i]), stream);
}

enum status tune_contribute(const struct bench_session *session, const char *path, const char *contribution,
                            struct error *error)
{
    struct result result;
    size_t written = 0;
    enum status status = result_open(contribution, false, &result, error);
    if (status != STATUS_OK)
        return status;
    for (size_t d = 0; d < session->selection.device_count; d++) {
        write_copies(path, session->selection.devices[d], result.stream);
        for (size_t k = 0; kernels[k]; k++)
            if (is_named(session, kernels[k]))
                written += write_times(path, kernels[k], session->selection.devices[d], result.stream);
    }
    if (written == 0)
        status = fail(error, STATUS_UNAVAILABLE, "%s has no times of these devices: 'uskor tune' measures them", path);
    status = result_close(&result, status, error);
    if (status == STATUS_OK)
        printf(tr_plural("%zu problem written to %s\n", "%zu problems written to %s\n", written), written,
               contribution);
    return status;
}
