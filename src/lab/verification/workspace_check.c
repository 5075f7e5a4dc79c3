/* Checks that a rung changed nothing but its outputs. */
#include <string.h>

#include "lab/verification/workspace.h"

enum status workspace_check_canaries(struct workspace *workspace, struct error *error)
{
    enum status status = workspace_hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        status = guarded_check(&workspace->arrays[i], workspace->data->arrays[i].name, error);
    if (status == STATUS_OK && workspace->scratch.whole.bytes)
        status = guarded_check(&workspace->scratch, "scratch", error);
    return status;
}

/* Host memory is compared in place, by all threads. */
static bool host_differs(const unsigned char *seen, const unsigned char *expected, size_t bytes)
{
    const size_t part = (size_t)64 << 10;
    bool differs = false;
#pragma omp parallel for schedule(static) reduction(|| : differs) if (bytes > 16 * part)
    for (size_t at = 0; at < bytes; at += part)
        differs = differs || memcmp(seen + at, expected + at, bytes - at < part ? bytes - at : part) != 0;
    return differs;
}

/* Compares an input after the run with its uploaded values. */
static enum status check_input(struct workspace *workspace, int index, struct error *error)
{
    const struct array *array = &workspace->data->arrays[index];
    const unsigned char *expected = workspace->data->input.data[index];
    const struct buffer *payload = &workspace->payloads[index];
    enum status status = STATUS_OK;
    bool differs = payload->host && host_differs(payload->host, expected, array->bytes);
    if (!payload->host)
        status = bulk_compare(&workspace->bulk, payload, expected, array->bytes, &differs, error);
    if (status != STATUS_OK)
        return status;
    return differs ? fail(error, STATUS_FAILED, "changed its input '%s'", array->name) : STATUS_OK;
}

enum status workspace_check_inputs(struct workspace *workspace, struct error *error)
{
    enum status status = workspace_hand_over(workspace, error);
    for (int i = 0; status == STATUS_OK && i < workspace->data->array_count; i++)
        if (workspace->data->arrays[i].direction == ARRAY_IN)
            status = check_input(workspace, i, error);
    return status;
}

enum status workspace_check_rest(struct workspace *workspace, struct error *error)
{
    const struct dataset *data = workspace->data;
    for (int i = 0; i < data->array_count; i++) {
        const unsigned char *now = workspace->payloads[i].host;
        if (now && data->output.data[i] && host_differs(now, data->output.data[i], data->arrays[i].bytes))
            return fail(error, STATUS_FAILED, "went on writing to '%s' after it had returned", data->arrays[i].name);
    }
    return STATUS_OK;
}
