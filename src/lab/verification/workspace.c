#include "lab/verification/workspace.h"

#include <stdlib.h>
#include <string.h>

static bool is_pinned(enum memory_kind memory)
{
    return memory == MEMORY_PINNED || memory == MEMORY_REGISTERED;
}

/* Makes pinned copies of the inputs and pinned room for the outputs. */
static enum status pin(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++) {
        const struct array *array = &data->arrays[i];
        if (array->direction != ARRAY_OUT) {
            status =
                host_memory_pin(workspace->device, workspace->memory, array->bytes, &workspace->pinned_in[i], error);
        }
        if (status == STATUS_OK && array->direction != ARRAY_IN)
            status =
                host_memory_pin(workspace->device, workspace->memory, array->bytes, &workspace->pinned_out[i], error);
    }
    return status;
}

enum status workspace_create(struct dataset *data, struct device *device, struct workspace *workspace,
                             struct error *error)
{
    return workspace_create_in(data, device, MEMORY_PAGEABLE, workspace, error);
}

static enum guard_side other_side(enum guard_side side)
{
    return side == GUARD_START ? GUARD_END : GUARD_START;
}

static enum status allocate(struct workspace *workspace, const char *name, int index, size_t bytes,
                            enum memory_kind memory, struct guarded *guarded, struct error *error)
{
    const bool is_other = workspace->alternates && index % 2 == 1;
    const enum guard_side side = is_other ? other_side(workspace->side) : workspace->side;
    return workspace->is_paged ? guarded_allocate_paged(workspace->device, name, bytes, side, guarded, error)
                               : guarded_allocate(workspace->device, memory, bytes, guarded, error);
}

/* Allocates a workspace whose data, device and kinds of memory are set. */
static enum status create(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    enum status status = is_pinned(workspace->memory) ? pin(workspace, error) : STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++) {
        const struct array *array = &data->arrays[i];
        status = allocate(workspace, array->name, i, array->bytes, workspace->memory, &workspace->arrays[i], error);
        workspace->payloads[i] = workspace->arrays[i].payload;
        if (status == STATUS_OK && array->direction == ARRAY_INOUT) {
            workspace->restores = true;
            status = buffer_allocate(workspace->device, array->bytes, &workspace->pristine[i], error);
        }
    }
    if (status == STATUS_OK)
        status = workspace_renew(workspace, error);
    if (status != STATUS_OK)
        workspace_destroy(workspace);
    return status;
}

enum status workspace_create_in(struct dataset *data, struct device *device, enum memory_kind memory,
                                struct workspace *workspace, struct error *error)
{
    *workspace = (struct workspace){.data = data, .device = device, .memory = memory};
    return create(workspace, error);
}

enum status workspace_create_paged(struct dataset *data, struct device *device, enum guard_side side, bool alternates,
                                   struct workspace *workspace, struct error *error)
{
    *workspace = (struct workspace){.data = data,
                                    .device = device,
                                    .memory = MEMORY_PAGEABLE,
                                    .is_paged = true,
                                    .side = side,
                                    .alternates = alternates};
    return create(workspace, error);
}

void workspace_destroy(struct workspace *workspace)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        if (memory_kind_is_shared(workspace->memory))
            buffer_unmap(&workspace->payloads[i], NULL);
        guarded_release(&workspace->arrays[i]);
        host_memory_unpin(&workspace->pinned_in[i]);
        host_memory_unpin(&workspace->pinned_out[i]);
        buffer_release(&workspace->pristine[i]);
    }
    guarded_release(&workspace->scratch);
    buffer_release(&workspace->flusher);
    local_poison_end(&workspace->local);
    bulk_copy_end(&workspace->bulk);
    memset(workspace, 0, sizeof *workspace);
}

enum status workspace_reserve_scratch(struct workspace *workspace, size_t bytes, struct error *error)
{
    if (bytes == 0 || bytes <= workspace->scratch.payload.bytes)
        return STATUS_OK;
    guarded_release(&workspace->scratch);
    memset(&workspace->scratch, 0, sizeof workspace->scratch);
    return allocate(workspace, "scratch", 0, bytes, MEMORY_PAGEABLE, &workspace->scratch, error);
}

void workspace_seal_inputs(struct workspace *workspace, bool sealed)
{
    for (int i = 0; workspace->is_paged && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_IN)
            guarded_memory_seal(&workspace->arrays[i].memory, sealed);
}

/* Gives shared arrays to the device. */
enum status workspace_hand_over(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; memory_kind_is_shared(workspace->memory) && status == STATUS_OK && i < workspace->data->array_count;
         i++)
        status = buffer_unmap(&workspace->payloads[i], error);
    return status;
}

enum status workspace_restore(struct workspace *workspace, struct error *error)
{
    enum status status = workspace_hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_INOUT)
            status = buffer_copy(&workspace->payloads[i], 0, &workspace->pristine[i], 0,
                                 workspace->data->arrays[i].bytes, error);
    return status;
}

enum status workspace_stage(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    enum status status = STATUS_OK;
    for (int i = 0; memory_kind_is_shared(workspace->memory) && status == STATUS_OK && i < data->array_count; i++) {
        status = buffer_map(&workspace->payloads[i], error);
        if (status == STATUS_OK && data->arrays[i].direction != ARRAY_OUT)
            memcpy(workspace->payloads[i].host, data->input.data[i], data->arrays[i].bytes);
    }
    return status;
}

enum status workspace_upload(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    if (memory_kind_is_shared(workspace->memory))
        return workspace_hand_over(workspace, error);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++)
        if (data->arrays[i].direction != ARRAY_OUT)
            status = buffer_write(&workspace->payloads[i], 0,
                                  is_pinned(workspace->memory) ? workspace->pinned_in[i].data : data->input.data[i],
                                  data->arrays[i].bytes, error);
    return status;
}

enum status workspace_upload_in_bulk(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    if (workspace->memory != MEMORY_PAGEABLE)
        return workspace_upload(workspace, error);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++)
        if (data->arrays[i].direction != ARRAY_OUT)
            status = bulk_write(&workspace->bulk, &workspace->payloads[i], data->input.data[i], data->arrays[i].bytes,
                                error);
    return status;
}

/* Reads one word of each page, so that the page moves to the host. */
static void touch(const unsigned char *data, size_t bytes)
{
    static volatile unsigned char seen;
    for (size_t at = 0; at < bytes; at += BUFFER_ALIGNMENT)
        seen = data[at];
    (void)seen;
}

static enum status fetch(struct workspace *workspace, int i, struct error *error)
{
    size_t bytes = workspace->data->arrays[i].bytes;
    if (!memory_kind_is_shared(workspace->memory))
        return buffer_read(&workspace->payloads[i], 0,
                           is_pinned(workspace->memory) ? workspace->pinned_out[i].data
                                                        : workspace->data->output.data[i],
                           bytes, error);
    enum status status = buffer_map(&workspace->payloads[i], error);
    if (status == STATUS_OK)
        touch(workspace->payloads[i].host, bytes);
    return status;
}

/* Downloads the outputs; with `interim`, also the interim arrays, outside the timing. */
static enum status download(struct workspace *workspace, bool interim, struct error *error)
{
    enum status status = STATUS_OK;
    bool in_bulk = interim && workspace->memory == MEMORY_PAGEABLE;
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++) {
        const struct array *array = &workspace->data->arrays[i];
        if (array->direction == ARRAY_IN || (array->interim && !interim))
            continue;
        status = in_bulk ? bulk_read(&workspace->bulk, &workspace->payloads[i], workspace->data->output.data[i],
                                     array->bytes, error)
                         : fetch(workspace, i, error);
    }
    return status;
}

enum status workspace_download(struct workspace *workspace, struct error *error)
{
    enum status status = download(workspace, true, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++) {
        const void *from =
            memory_kind_is_shared(workspace->memory) ? workspace->payloads[i].host : workspace->pinned_out[i].data;
        if (workspace->data->arrays[i].direction != ARRAY_IN && workspace->memory != MEMORY_PAGEABLE)
            memcpy(workspace->data->output.data[i], from, workspace->data->arrays[i].bytes);
    }
    return status == STATUS_OK ? workspace_hand_over(workspace, error) : status;
}

enum status workspace_download_results(struct workspace *workspace, struct error *error)
{
    return download(workspace, false, error);
}
