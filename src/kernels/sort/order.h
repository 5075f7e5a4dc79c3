/* The order that every rung of the sort makes, and the keys that carry it.
 *
 * Ascending; -0 stands before +0; every NaN, of either sign, stands last (among NaNs any order will do). Elements keep
 * their bits.
 *
 * Each element's bits map, one to one, to an unsigned key of the same width, so that this order is the order of
 * unsigned integers. With the sign bit flipped a two's complement integer orders as an unsigned one. A float is a sign
 * and a magnitude: its sign bit is flipped too, and where it was set all other bits as well, so that larger magnitudes
 * come first. That leaves NaNs with the sign bit below -infinity, at the keys 0 … below - 1; subtracting `below` lets
 * them wrap round to the very end. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/element.h"

/* key = (bits ^ always ^ (negative where the sign bit is set)) - below, in the element's width. */
struct key_order {
    uint64_t negative; /* flipped where the sign bit is set */
    uint64_t always;   /* flipped everywhere */
    uint64_t below;    /* keys that wrap round to the end */
    uint64_t numbers;  /* keys below this one are numbers, the others NaNs; 0: all are numbers, or NaNs come first */
    uint64_t nans;     /* keys below this one are NaNs; 0: none are, or they come last */
};

struct key_order key_order(enum element_type type);

/* The descending order of the same elements; NaNs stay last. */
struct key_order key_order_reversed(struct key_order order);

/* The same order with the NaNs, of elements of `bytes` bytes, first. */
struct key_order key_order_nans_first(struct key_order order, size_t bytes);

/* One key for all NaNs, which are alike. */
static inline uint64_t key_alike(uint64_t key, const struct key_order *order)
{
    if (key < order->nans)
        return 0;
    return order->numbers != 0 && key > order->numbers ? order->numbers : key;
}

static inline uint32_t key_of_32(uint32_t bits, const struct key_order *order)
{
    uint32_t sign = (uint32_t)((int32_t)bits >> 31);
    return (bits ^ (uint32_t)order->always ^ (sign & (uint32_t)order->negative)) - (uint32_t)order->below;
}

static inline uint32_t bits_of_32(uint32_t key, const struct key_order *order)
{
    uint32_t flipped = (key + (uint32_t)order->below) ^ (uint32_t)order->always;
    uint32_t sign = (uint32_t)((int32_t)flipped >> 31);
    return flipped ^ (sign & (uint32_t)order->negative);
}

/* Of 8 or 16 bits: 1 or 2 bytes. */
static inline uint64_t key_of_narrow(uint64_t bits, const struct key_order *order, size_t bytes)
{
    const uint64_t mask = (UINT64_C(1) << 8 * bytes) - 1, sign = bits >> (8 * bytes - 1) & 1 ? mask : 0;
    return ((bits ^ order->always ^ (sign & order->negative)) - order->below) & mask;
}

static inline uint64_t bits_of_narrow(uint64_t key, const struct key_order *order, size_t bytes)
{
    const uint64_t mask = (UINT64_C(1) << 8 * bytes) - 1, flipped = ((key + order->below) ^ order->always) & mask;
    return flipped ^ ((flipped >> (8 * bytes - 1) & 1 ? mask : 0) & order->negative);
}

static inline uint64_t key_of_64(uint64_t bits, const struct key_order *order)
{
    uint64_t sign = (uint64_t)((int64_t)bits >> 63);
    return (bits ^ order->always ^ (sign & order->negative)) - order->below;
}

static inline uint64_t bits_of_64(uint64_t key, const struct key_order *order)
{
    uint64_t flipped = (key + order->below) ^ order->always;
    uint64_t sign = (uint64_t)((int64_t)flipped >> 63);
    return flipped ^ (sign & order->negative);
}
