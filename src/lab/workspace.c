#include "lab/workspace.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"

#define CANARY_BYTES BUFFER_ALIGNMENT

/* The same 4 KiB of noise stands before and behind every array. */
static const unsigned char *canary(void)
{
    static unsigned char bytes[CANARY_BYTES];
    static bool made;
    if (!made) {
        struct random random;
        random_seed(&random, 20130401);
        random_bytes(&random, bytes, sizeof bytes);
        made = true;
    }
    return bytes;
}

static bool is_pinned(enum memory_kind memory)
{
    return memory == MEMORY_PINNED || memory == MEMORY_REGISTERED;
}

static enum status guarded_allocate(struct device *device, enum memory_kind memory, size_t bytes,
                                    struct guarded *guarded, struct error *error)
{
    size_t total;
    if (!size_add(bytes, (size_t)2 * CANARY_BYTES, &total))
        return fail(error, STATUS_INVALID, "an array of %zu bytes does not fit", bytes);
    enum status status = memory_kind_is_shared(memory) ? buffer_share(device, memory, total, &guarded->whole, error)
                                                       : buffer_allocate(device, total, &guarded->whole, error);
    if (status == STATUS_OK)
        status = buffer_view(&guarded->whole, CANARY_BYTES, bytes, &guarded->payload, error);
    if (status == STATUS_OK)
        status = buffer_write(&guarded->whole, 0, canary(), CANARY_BYTES, error);
    if (status == STATUS_OK)
        status = buffer_write(&guarded->whole, CANARY_BYTES + bytes, canary(), CANARY_BYTES, error);
    return status;
}

static void guarded_release(struct guarded *guarded)
{
    buffer_release(&guarded->payload);
    buffer_release(&guarded->whole);
}

static enum status guarded_check(const struct guarded *guarded, const char *name, struct error *error)
{
    unsigned char seen[CANARY_BYTES];
    const size_t offsets[] = {0, CANARY_BYTES + guarded->payload.bytes};
    for (size_t side = 0; side < COUNT_OF(offsets); side++) {
        enum status status = buffer_read(&guarded->whole, offsets[side], seen, CANARY_BYTES, error);
        if (status != STATUS_OK)
            return status;
        if (memcmp(seen, canary(), CANARY_BYTES) != 0)
            return side == 0 ? fail(error, STATUS_FAILED, "wrote before the start of array '%s'", name)
                             : fail(error, STATUS_FAILED, "wrote past the end of array '%s'", name);
    }
    return STATUS_OK;
}

enum status dataset_create(const struct problem *problem, struct dataset *dataset, struct error *error)
{
    memset(dataset, 0, sizeof *dataset);
    dataset->problem = *problem;
    enum status status = kernel_describe(problem, dataset->arrays, &dataset->array_count, error);
    for (int i = 0; status == STATUS_OK && i < dataset->array_count; i++) {
        const struct array *array = &dataset->arrays[i];
        size_t bytes = array->bytes ? array->bytes : 1;
        if (array->direction != ARRAY_OUT)
            dataset->input.data[i] = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if (array->direction != ARRAY_IN)
            dataset->output.data[i] = aligned_alloc(64, (bytes + 63) / 64 * 64);
        if ((array->direction != ARRAY_OUT && !dataset->input.data[i]) ||
            (array->direction != ARRAY_IN && !dataset->output.data[i]))
            status = fail(error, STATUS_UNAVAILABLE, "no host memory for array '%s' of %zu bytes", array->name, bytes);
    }
    if (status == STATUS_OK)
        problem->kernel->fill(problem, dataset->arrays, dataset->input);
    else
        dataset_destroy(dataset);
    return status;
}

void dataset_destroy(struct dataset *dataset)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        free(dataset->input.data[i]);
        free(dataset->output.data[i]);
    }
    memset(dataset, 0, sizeof *dataset);
}

/* Pinned copies of the inputs, and room for the outputs. */
static enum status pin(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++) {
        const struct array *array = &data->arrays[i];
        if (array->direction != ARRAY_OUT) {
            status =
                host_memory_pin(workspace->device, workspace->memory, array->bytes, &workspace->pinned_in[i], error);
            if (status == STATUS_OK)
                memcpy(workspace->pinned_in[i].data, data->input.data[i], array->bytes);
        }
        if (status == STATUS_OK && array->direction != ARRAY_IN)
            status =
                host_memory_pin(workspace->device, workspace->memory, array->bytes, &workspace->pinned_out[i], error);
    }
    return status;
}

enum status workspace_create(const struct dataset *data, struct device *device, struct workspace *workspace,
                             struct error *error)
{
    return workspace_create_in(data, device, MEMORY_PAGEABLE, workspace, error);
}

enum status workspace_create_in(const struct dataset *data, struct device *device, enum memory_kind memory,
                                struct workspace *workspace, struct error *error)
{
    memset(workspace, 0, sizeof *workspace);
    workspace->data = data;
    workspace->device = device;
    workspace->memory = memory;
    enum status status = is_pinned(memory) ? pin(workspace, error) : STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++) {
        const struct array *array = &data->arrays[i];
        status = guarded_allocate(device, memory, array->bytes, &workspace->arrays[i], error);
        workspace->payloads[i] = workspace->arrays[i].payload;
        if (status == STATUS_OK && array->direction == ARRAY_INOUT) {
            workspace->restores = true;
            status = buffer_allocate(device, array->bytes, &workspace->pristine[i], error);
            if (status == STATUS_OK)
                status = buffer_write(&workspace->pristine[i], 0, data->input.data[i], array->bytes, error);
        }
    }
    if (status == STATUS_OK)
        status = workspace_stage(workspace, error);
    if (status == STATUS_OK)
        status = workspace_upload(workspace, error);
    if (status != STATUS_OK)
        workspace_destroy(workspace);
    return status;
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
    memset(workspace, 0, sizeof *workspace);
}

enum status workspace_reserve_scratch(struct workspace *workspace, size_t bytes, struct error *error)
{
    if (bytes == 0 || bytes <= workspace->scratch.payload.bytes)
        return STATUS_OK;
    guarded_release(&workspace->scratch);
    memset(&workspace->scratch, 0, sizeof workspace->scratch);
    return guarded_allocate(workspace->device, MEMORY_PAGEABLE, bytes, &workspace->scratch, error);
}

/* Shared arrays become the device's. */
static enum status hand_over(struct workspace *workspace, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; memory_kind_is_shared(workspace->memory) && status == STATUS_OK && i < workspace->data->array_count;
         i++)
        status = buffer_unmap(&workspace->payloads[i], error);
    return status;
}

enum status workspace_restore(struct workspace *workspace, struct error *error)
{
    enum status status = hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_INOUT)
            status = buffer_copy(&workspace->payloads[i], 0, &workspace->pristine[i], 0,
                                 workspace->data->arrays[i].bytes, error);
    return status;
}

enum status workspace_poison(struct workspace *workspace, unsigned char poison, struct error *error)
{
    enum status status = hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_OUT)
            status = buffer_fill(&workspace->payloads[i], 0, poison, workspace->data->arrays[i].bytes, error);
    if (status == STATUS_OK && workspace->scratch.payload.bytes)
        status = buffer_fill(&workspace->scratch.payload, 0, poison, workspace->scratch.payload.bytes, error);
    return status == STATUS_OK ? workspace_restore(workspace, error) : status;
}

enum status workspace_flush_caches(struct workspace *workspace, struct error *error)
{
    if (!workspace->flusher.bytes) {
        size_t bytes = 2 * (size_t)workspace->device->properties.cache_bytes;
        const size_t least = (size_t)64 << 20;
        enum status status =
            buffer_allocate(workspace->device, bytes > least ? bytes : least, &workspace->flusher, error);
        if (status != STATUS_OK)
            return status;
    }
    static unsigned char value;
    return buffer_fill(&workspace->flusher, 0, value++, workspace->flusher.bytes, error);
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
        return hand_over(workspace, error);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < data->array_count; i++)
        if (data->arrays[i].direction != ARRAY_OUT)
            status = buffer_write(&workspace->payloads[i], 0,
                                  is_pinned(workspace->memory) ? workspace->pinned_in[i].data : data->input.data[i],
                                  data->arrays[i].bytes, error);
    return status;
}

/* One word of each page: so that the page has come to the host. */
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

static enum status download(struct workspace *workspace, bool interim, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction != ARRAY_IN && (interim || !workspace->data->arrays[i].interim))
            status = fetch(workspace, i, error);
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
    return status == STATUS_OK ? hand_over(workspace, error) : status;
}

enum status workspace_download_results(struct workspace *workspace, struct error *error)
{
    return download(workspace, false, error);
}

enum status workspace_check_canaries(struct workspace *workspace, struct error *error)
{
    enum status status = hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        status = guarded_check(&workspace->arrays[i], workspace->data->arrays[i].name, error);
    if (status == STATUS_OK && workspace->scratch.whole.bytes)
        status = guarded_check(&workspace->scratch, "scratch", error);
    return status;
}

/* Reads an input back in pieces and compares it with what was uploaded. */
static enum status check_input(struct workspace *workspace, int index, unsigned char *piece, size_t piece_bytes,
                               struct error *error)
{
    const struct array *array = &workspace->data->arrays[index];
    const unsigned char *expected = workspace->data->input.data[index];
    for (size_t at = 0; at < array->bytes; at += piece_bytes) {
        size_t bytes = array->bytes - at < piece_bytes ? array->bytes - at : piece_bytes;
        enum status status = buffer_read(&workspace->payloads[index], at, piece, bytes, error);
        if (status != STATUS_OK)
            return status;
        if (memcmp(piece, expected + at, bytes) != 0)
            return fail(error, STATUS_FAILED, "changed its input '%s'", array->name);
    }
    return STATUS_OK;
}

enum status workspace_check_inputs(struct workspace *workspace, struct error *error)
{
    const size_t piece_bytes = (size_t)16 << 20;
    unsigned char *piece = malloc(piece_bytes);
    if (!piece)
        return fail(error, STATUS_UNAVAILABLE, "no host memory to check the inputs");
    enum status status = hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_IN)
            status = check_input(workspace, i, piece, piece_bytes, error);
    free(piece);
    return status;
}
