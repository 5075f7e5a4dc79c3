/* Device memory: host memory whose every access is checked against what was allocated. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "fake_cuda.h"

static struct {
    char *block;
    CUdeviceptr start;
    size_t bytes;
} allocations[64];

/* As the driver does: large pieces begin at a page, small ones somewhere, at a multiple of 256. */
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    MAY_FAIL;
    if (bytes == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (bytes > (size_t)1 << 30)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < COUNT_OF(allocations); i++) {
        if (allocations[i].block)
            continue;
        size_t offset = bytes < (size_t)1 << 20 ? 256 : 0;
        size_t whole = (bytes + offset + 4095) / 4096 * 4096;
        allocations[i].block = aligned_alloc(4096, whole);
        allocations[i].start = (uintptr_t)allocations[i].block + offset;
        allocations[i].bytes = bytes;
        *address = allocations[i].start;
        fake_cuda.allocations++;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    MAY_FAIL;
    for (size_t i = 0; i < COUNT_OF(allocations); i++) {
        if (!allocations[i].block || allocations[i].start != address)
            continue;
        free(allocations[i].block);
        allocations[i].block = NULL;
        fake_cuda.allocations--;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

static void *checked(CUdeviceptr address, size_t bytes)
{
    for (size_t i = 0; i < COUNT_OF(allocations); i++)
        if (allocations[i].block && address >= allocations[i].start &&
            address + bytes <= allocations[i].start + allocations[i].bytes)
            return (void *)(uintptr_t)address;
    return NULL;
}

static CUresult copy(void *to, const void *from, size_t bytes)
{
    if (!to || !from)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(to, from, bytes);
    return CUDA_SUCCESS;
}

/* Managed memory is an allocation like any other: it is host memory here. */
CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    MAY_FAIL;
    return flags == CU_MEM_ATTACH_GLOBAL ? cuMemAlloc_v2(address, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice target, CUstream stream)
{
    MAY_FAIL;
    (void)stream;
    if (!address || bytes == 0 || target < CU_DEVICE_CPU)
        return CUDA_ERROR_INVALID_VALUE;
    fake_cuda.prefetched++;
    return CUDA_SUCCESS;
}

/* So is pinned memory; mapped, the device sees it at the same address. */
CUresult cuMemHostAlloc(void **memory, size_t bytes, unsigned flags)
{
    MAY_FAIL;
    CUdeviceptr address = 0;
    (void)flags;
    CUresult result = cuMemAlloc_v2(&address, bytes);
    *memory = (void *)(uintptr_t)address;
    if (result == CUDA_SUCCESS) {
        fake_cuda.allocations--;
        fake_cuda.pinned++;
    }
    return result;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory, unsigned flags)
{
    MAY_FAIL;
    *address = (uintptr_t)memory;
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    MAY_FAIL;
    if ((uintptr_t)memory % 4096 || bytes % 4096 || flags != CU_MEMHOSTALLOC_PORTABLE)
        return CUDA_ERROR_INVALID_VALUE;
    fake_cuda.pinned++;
    return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *memory)
{
    MAY_FAIL;
    (void)memory;
    fake_cuda.pinned--;
    return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *memory)
{
    MAY_FAIL;
    CUresult result = cuMemFree_v2((uintptr_t)memory);
    if (result == CUDA_SUCCESS) {
        fake_cuda.allocations++;
        fake_cuda.pinned--;
    }
    return result;
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t bytes,
                           CUstream stream)
{
    MAY_FAIL;
    fake_cuda.last_stream = stream;
    fake_cuda.peer_copies++;
    return stream && to_context && from_context && to_context != from_context
               ? copy(checked(to, bytes), checked(from, bytes), bytes)
               : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    MAY_FAIL;
    fake_cuda.last_stream = stream;
    return stream ? copy(checked(to, bytes), from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    MAY_FAIL;
    fake_cuda.last_stream = stream;
    return stream ? copy(to, checked(from, bytes), bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    MAY_FAIL;
    return stream ? copy(checked(to, bytes), checked(from, bytes), bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
    MAY_FAIL;
    void *target = checked(to, bytes);
    if (!target || !stream)
        return CUDA_ERROR_INVALID_VALUE;
    memset(target, value, bytes);
    fake_cuda.fills++;
    return CUDA_SUCCESS;
}

/* One end of a copy of rectangles: where its row `row` begins; NULL when that is not the device's. */
static void *row_of(const struct cuda_copy_rows *copy, bool is_source, size_t row)
{
    size_t pitch = is_source ? copy->from_pitch : copy->to_pitch;
    if ((is_source ? copy->from_kind : copy->to_kind) == CU_MEMORYTYPE_DEVICE)
        return checked((is_source ? copy->from : copy->to) + row * pitch, copy->width_bytes);
    return (char *)(uintptr_t)(is_source ? copy->from_host : copy->to_host) + row * pitch;
}

CUresult cuMemcpy2DAsync_v2(const struct cuda_copy_rows *rows, CUstream stream)
{
    MAY_FAIL;
    fake_cuda.rectangles++;
    fake_cuda.last_stream = stream;
    if (!stream || rows->from_pitch < rows->width_bytes || rows->to_pitch < rows->width_bytes)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = CUDA_SUCCESS;
    for (size_t row = 0; result == CUDA_SUCCESS && row < rows->height; row++)
        result = copy(row_of(rows, false, row), row_of(rows, true, row), rows->width_bytes);
    return result;
}
