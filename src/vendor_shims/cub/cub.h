/* CUB's sorts (NVIDIA CCCL) behind a C interface; built by nvcc into libuskor_cub.so. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` elements of `bytes` (4 or 8) bytes at `data`, in device memory of the current context, on `stream`,
 * ascending by the unsigned keys that `order` maps elements to: {negative, always, below} of kernels/sort/order.h; all
 * 0 for unsigned elements as they are. `scratch` has the number of bytes that the size function returns. Returns 0 or a
 * cudaError_t.
 *
 * With `value_bytes` (4 or 8) the radix sort moves values with the elements. With `is_order`, too, the elements stay:
 * `values` receives their indices, and keys above `most` are equal.
 */
struct uskor_cub_sort {
    void *data;
    void *values;
    size_t value_bytes;
    int is_order;
    uint64_t most;
    void *scratch;
    size_t scratch_bytes;
    size_t count, bytes;
    uint64_t order[3];
    void *stream;
};

/* Bytes of scratch memory; 0 when CUB refuses. */
size_t uskor_cub_radix_bytes(size_t count, size_t bytes, size_t value_bytes, int is_order);
size_t uskor_cub_merge_bytes(size_t count, size_t bytes);

int uskor_cub_radix_sort(const struct uskor_cub_sort *sort);
int uskor_cub_merge_sort(const struct uskor_cub_sort *sort);

/* The words of a cudaError_t. */
const char *uskor_cub_error(int code);

#ifdef __cplusplus
}
#endif
