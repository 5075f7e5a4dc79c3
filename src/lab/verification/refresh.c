/* Changes to a workspace before a run: no leftover can pass for a result. */
#include <string.h>

#include "base/size.h"
#include "base/unpredictable.h"
#include "lab/verification/workspace.h"

#define LINE ((size_t)64)

/* ---- the inputs ----------------------------------------------------------------------------------------------- */

static enum status repair(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        status = guarded_repair(&workspace->arrays[i], error);
    if (status == STATUS_OK && workspace->scratch.whole.bytes)
        status = guarded_repair(&workspace->scratch, error);
    return status;
}

enum status workspace_renew(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    enum status status = workspace_hand_over(workspace, error);
    if (status == STATUS_OK && workspace->is_damaged)
        status = repair(workspace, error);
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++) {
        if (workspace->pinned_in[i].data)
            memcpy(workspace->pinned_in[i].data, data->input.data[i], data->arrays[i].bytes);
        if (data->arrays[i].direction == ARRAY_INOUT)
            status = bulk_write(&workspace->bulk, &workspace->pristine[i], data->input.data[i], data->arrays[i].bytes,
                                error);
    }
    if (status == STATUS_OK)
        status = workspace_stage(workspace, error);
    if (status == STATUS_OK)
        status = workspace_upload_in_bulk(workspace, error);
    workspace->is_damaged = workspace->is_damaged && status != STATUS_OK;
    workspace->version = status == STATUS_OK ? data->version : 0;
    return status;
}

/* Repeats on the device the change of an input's piece on the host. */
static enum status follow(void *context, int array, size_t offset, size_t bytes, struct error *error)
{
    struct workspace *workspace = context;
    const unsigned char *from = (const unsigned char *)workspace->data->input.data[array] + offset;
    bool is_restored = workspace->data->arrays[array].direction == ARRAY_INOUT;
    if (workspace->pinned_in[array].data)
        memcpy((unsigned char *)workspace->pinned_in[array].data + offset, from, bytes);
    return buffer_write(is_restored ? &workspace->pristine[array] : &workspace->payloads[array], offset, from, bytes,
                        error);
}

enum status workspace_refresh(struct workspace *workspace, struct error *error)
{
    struct dataset *data = workspace->data;
    bool is_stale = workspace->is_damaged || workspace->version != data->version;
    enum status status = is_stale ? workspace_renew(workspace, error) : workspace_hand_over(workspace, error);
    if (status == STATUS_OK)
        status = dataset_mix(data, follow, workspace, error);
    workspace->version = status == STATUS_OK ? data->version : 0;
    if (status == STATUS_OK)
        status = workspace_poison_pieces(workspace, error);
    return status == STATUS_OK ? workspace_restore(workspace, error) : status;
}

static void warm(const struct buffer *buffer, bool is_written, bool by_all)
{
    volatile unsigned char *bytes = buffer->host;
    const size_t count = bytes ? buffer->bytes : 0;
#pragma omp parallel for schedule(static) if (by_all)
    for (size_t at = 0; at < count; at += LINE)
        if (is_written)
            bytes[at] = bytes[at];
        else
            (void)bytes[at];
}

void workspace_warm(const struct workspace *workspace, bool by_all, bool with_outputs)
{
    for (int i = 0; i < workspace->data->array_count; i++)
        if (with_outputs || workspace->data->arrays[i].direction != ARRAY_OUT)
            warm(&workspace->payloads[i], workspace->data->arrays[i].direction != ARRAY_IN, by_all);
    warm(&workspace->scratch.payload, true, by_all);
}

/* ---- between two runs of a batch -------------------------------------------------------------------------------- */

bool workspace_changes_lines(const struct workspace *workspace)
{
    bool on_host = !workspace->restores && workspace->data->array_count > 0;
    for (int i = 0; i < workspace->data->array_count; i++)
        on_host = on_host && workspace->payloads[i].host && workspace->memory == MEMORY_PAGEABLE;
    return on_host && workspace->device->backend->kind == BACKEND_CPU;
}

/* Reads the line into the cache, so that its change takes a few nanoseconds. */
static void touch(const struct workspace *workspace, int array, size_t offset)
{
    static volatile unsigned char seen;
    const struct dataset *data = workspace->data;
    const unsigned char *places[] = {workspace->payloads[array].host, data->input.data[array], data->other.data[array]};
    for (size_t i = 0; i < COUNT_OF(places); i++)
        if (places[i])
            seen = places[i][offset];
    (void)seen;
}

void workspace_choose_lines(const struct workspace *workspace, size_t count, struct line_change *change)
{
    const struct dataset *data = workspace->data;
    *change = (struct line_change){.count = count, .poison = workspace_poison_byte(workspace)};
    for (int i = 0; i < data->array_count; i++) {
        size_t bytes = data->arrays[i].bytes, lines = bytes / LINE + (bytes % LINE != 0);
        for (size_t l = 0; lines && l < count; l++) {
            size_t offset = unpredictable_below(lines) * LINE;
            touch(workspace, i, offset);
            change->lines[i][l].offset = offset;
            change->lines[i][l].bytes = bytes - offset < LINE ? bytes - offset : LINE;
        }
    }
}

void workspace_change_lines(struct workspace *workspace, const struct line_change *change)
{
    struct dataset *data = workspace->data;
    const bool was_here = workspace->version == data->version;
    for (int i = 0; i < data->array_count; i++)
        for (size_t l = 0; l < change->count; l++) {
            size_t offset = change->lines[i][l].offset, bytes = change->lines[i][l].bytes;
            unsigned char *here = (unsigned char *)workspace->payloads[i].host + offset;
            if (data->arrays[i].direction == ARRAY_OUT)
                memset(here, change->poison, bytes);
            else if (bytes && dataset_exchange_piece(data, i, offset, bytes))
                memcpy(here, (const unsigned char *)data->input.data[i] + offset, bytes);
        }
    workspace->version = was_here ? data->version : 0;
}
