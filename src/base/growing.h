/* Arrays that grow by one item at a time. */
#pragma once

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more item behind the `count` that are in the array at which the pointer `*items` points (NULL: none).
 * It doubles at powers of two, so nobody keeps its capacity. False, and nothing is changed, when memory is out. */
static inline bool array_grow(void *items, size_t count, size_t item_bytes)
{
    void *array;
    memcpy(&array, items, sizeof array);
    if ((count & (count - 1)) == 0 && !(array = reallocarray(array, count ? 2 * count : 1, item_bytes)))
        return false;
    memcpy(items, &array, sizeof array);
    return true;
}
