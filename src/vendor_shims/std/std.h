/* The C++ library's std::sort behind a C interface; built into libuskor_std.so. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts `count` unsigned integers of `bytes` (4 or 8) bytes, ascending, in place. */
void uskor_std_sort(void *keys, size_t count, size_t bytes);

/* With at most `threads` threads of oneTBB's; only in shims that were built with its headers. Returns 0, or 1 when
 * memory is out. */
int uskor_std_sort_parallel(void *keys, size_t count, size_t bytes, int threads);

#ifdef __cplusplus
}
#endif
