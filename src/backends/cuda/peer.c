/* Two GPUs: access to each other's memory, copies between them, events of one that the other waits for. */
#include "backends/peer.h"
#include "backends/cuda/device.h"

enum status cuda_peer_enable(struct device *device, struct device *peer, struct error *error)
{
    const struct cuda_device *own = cuda_device_of(device), *other = cuda_device_of(peer);
    int can = 0;
    if (own->context == other->context) /* one GPU, opened twice */
        return STATUS_OK;
    enum status status = cuda_use(device, error);
    if (status != STATUS_OK)
        return status;
    if (!cuda.DeviceCanAccessPeer || !cuda.CtxEnablePeerAccess)
        return fail(error, STATUS_UNAVAILABLE, "%s: this driver gives no access to another GPU's memory", device->id);
    status = cuda_device_check(device, cuda.DeviceCanAccessPeer(&can, own->handle, other->handle), error,
                               "asking for access to %s", peer->id);
    if (status == STATUS_OK && !can)
        return fail(error, STATUS_UNAVAILABLE,
                    "%s cannot reach the memory of %s: the system lets no traffic through between them", device->id,
                    peer->id);
    if (status != STATUS_OK)
        return status;
    CUresult result = cuda.CtxEnablePeerAccess(other->context, 0);
    return result == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED
               ? STATUS_OK
               : cuda_device_check(device, result, error, "getting access to %s", peer->id);
}

static CUresult copy_bytes(const struct cuda_device *by, const struct peer_copy *copy)
{
    const struct cuda_device *from = cuda_device_of(copy->source->device), *to = cuda_device_of(copy->target->device);
    CUdeviceptr source = copy->source->native + copy->source_offset,
                target = copy->target->native + copy->target_offset;
    if (from->context == to->context || !cuda.MemcpyPeerAsync)
        return cuda.MemcpyDtoDAsync(target, source, copy->width, by->stream);
    return cuda.MemcpyPeerAsync(target, to->context, source, from->context, copy->width, by->stream);
}

/* Addresses are unique over all GPUs, so the copy of rectangles finds out by itself whose they are. */
static CUresult copy_rows(const struct cuda_device *by, const struct peer_copy *copy)
{
    const struct cuda_copy_rows rows = {
        .from_kind = CU_MEMORYTYPE_DEVICE,
        .from = copy->source->native + copy->source_offset,
        .from_pitch = copy->source_pitch,
        .to_kind = CU_MEMORYTYPE_DEVICE,
        .to = copy->target->native + copy->target_offset,
        .to_pitch = copy->target_pitch,
        .width_bytes = copy->width,
        .height = copy->rows,
    };
    return cuda.Memcpy2DAsync(&rows, by->stream);
}

enum status cuda_peer_copy(struct device *by, const struct peer_copy *copy, struct error *error)
{
    const struct cuda_device *own = cuda_device_of(by);
    enum status status = cuda_use(by, error);
    CUresult result = CUDA_SUCCESS;
    if (status != STATUS_OK)
        return status;
    if (copy->rows > 1 && cuda.Memcpy2DAsync) {
        result = copy_rows(own, copy);
    } else {
        struct peer_copy row = *copy;
        for (size_t r = 0; result == CUDA_SUCCESS && r < copy->rows; r++) {
            result = copy_bytes(own, &row);
            row.source_offset += copy->source_pitch;
            row.target_offset += copy->target_pitch;
        }
    }
    return cuda_device_check(by, result, error, "copying %zu rows of %zu bytes from %s to %s", copy->rows, copy->width,
                             copy->source->device->id, copy->target->device->id);
}
