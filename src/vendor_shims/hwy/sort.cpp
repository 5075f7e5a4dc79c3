#include "vendor_shims/hwy/hwy.h"

#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>

extern "C" __attribute__((visibility("default"))) void uskor_hwy_sort(void *keys, size_t count, size_t bytes)
{
    hwy::Sorter sorter;
    if (bytes == 4)
        sorter(static_cast<uint32_t *>(keys), count, hwy::SortAscending());
    else
        sorter(static_cast<uint64_t *>(keys), count, hwy::SortAscending());
}
