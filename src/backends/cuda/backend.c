#include "backends/all.h"
#include "backends/cuda/device.h"

const struct backend backend_cuda = {
    .name = "cuda",
    .kind = BACKEND_CUDA,
    .probe = cuda_probe,
    .open = cuda_open,
    .close = cuda_close,
    .allocate = cuda_allocate,
    .view = cuda_view,
    .release = cuda_release,
    .write = cuda_write,
    .read = cuda_read,
    .copy = cuda_copy,
    .fill = cuda_fill,
    .texture_create = cuda_texture_create,
    .texture_destroy = cuda_texture_destroy,
    .texture_load = cuda_texture_load,
    .build = cuda_build,
    .discard = cuda_discard,
    .launch = cuda_launch,
    .mark_create = cuda_mark_create,
    .mark_destroy = cuda_mark_destroy,
    .mark_record = cuda_mark_record,
    .mark_elapsed = cuda_mark_elapsed,
    .synchronize = cuda_synchronize,
};
