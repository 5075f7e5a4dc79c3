/* Highway's vqsort behind a C interface; built into libuskor_hwy.so. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` unsigned integers of `bytes` (4 or 8) bytes, ascending, in place, with one thread. */
void uskor_hwy_sort(void *keys, size_t count, size_t bytes);

#ifdef __cplusplus
}
#endif
