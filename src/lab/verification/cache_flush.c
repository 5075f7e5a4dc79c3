/* Cold runs: the caches' contents are replaced by other lines. */
#include "lab/verification/workspace.h"

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
