#include "vendor_shims/std/std.h"

#include <algorithm>
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT void uskor_std_sort(void *keys, size_t count, size_t bytes)
{
    if (bytes == 4)
        std::sort(static_cast<uint32_t *>(keys), static_cast<uint32_t *>(keys) + count);
    else
        std::sort(static_cast<uint64_t *>(keys), static_cast<uint64_t *>(keys) + count);
}

#if __has_include(<tbb/global_control.h>)
#include <execution>
#include <new>

#include <tbb/global_control.h>

EXPORT int uskor_std_sort_parallel(void *keys, size_t count, size_t bytes, int threads)
{
    try {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads > 0 ? threads : 1);
        if (bytes == 4)
            std::sort(std::execution::par, static_cast<uint32_t *>(keys), static_cast<uint32_t *>(keys) + count);
        else
            std::sort(std::execution::par, static_cast<uint64_t *>(keys), static_cast<uint64_t *>(keys) + count);
        return 0;
    } catch (const std::bad_alloc &) {
        return 1;
    }
}
#endif
