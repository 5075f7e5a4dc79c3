/* Shared by the judges of the resize: where a pixel comes from, apart from place_of, which rungs use. */
#pragma once

#include "kernels/resize/resize.h"

/* Between pixels `low` and `high`, `share` / `whole` of the way. */
struct between {
    int64_t low, high, share, whole;
};

/* The centre of pixel `index` lies at ((2 index + 1) size - out_size) / (2 out_size) pixels from the first one's
 * centre, and no farther out than the outermost centres. */
static inline struct between between_of(int64_t index, int64_t size, int64_t out_size)
{
    struct between b = {.whole = 2 * out_size};
    int64_t last = (size - 1) * b.whole, at = (2 * index + 1) * size - out_size;
    at = at < 0 ? 0 : at > last ? last : at;
    b.low = at / b.whole;
    b.share = at - b.low * b.whole;
    b.high = b.share > 0 ? b.low + 1 : b.low;
    return b;
}

/* Whether no arithmetic loses anything, along both axes (check.h). */
bool resize_is_exact(const struct resizing *pictures);

const char *resize_channel_name(size_t channel);

/* "[17][3] green", of a channel of the target, counted without the gaps between rows. */
void resize_place(const struct resizing *pictures, size_t index, char *where, size_t size);
