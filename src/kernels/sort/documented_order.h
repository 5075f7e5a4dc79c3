/* The documented order as the judge and the inputs know it: written from README.md's words, and shared with no rung,
 * whose keys are order.h's.
 *
 * Each element has a rank: ascending elements have ascending ranks, and only NaNs share one, the last. The ranks of a
 * type's numbers are consecutive integers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/element.h"

#define SORT_RANK_NAN INT64_MAX

/* The properties of one type's numbers. */
struct number_format {
    unsigned bits;     /* 8, 16, 32 or 64 */
    uint64_t infinity; /* a float's magnitude of infinity, beyond which NaNs begin; 0: integers */
    bool is_signed;
};

static inline struct number_format number_format_of(enum element_type type)
{
    switch (type) {
    case ELEMENT_U8:
        return (struct number_format){8, 0, false};
    case ELEMENT_I8:
        return (struct number_format){8, 0, true};
    case ELEMENT_U16:
        return (struct number_format){16, 0, false};
    case ELEMENT_I16:
        return (struct number_format){16, 0, true};
    case ELEMENT_F16:
        return (struct number_format){16, 0x7c00, true};
    case ELEMENT_BF16:
        return (struct number_format){16, 0x7f80, true};
    case ELEMENT_F32:
        return (struct number_format){32, 0x7f800000, true};
    case ELEMENT_F64:
        return (struct number_format){64, 0x7ff0000000000000, true};
    case ELEMENT_I32:
        return (struct number_format){32, 0, true};
    case ELEMENT_I64:
        return (struct number_format){64, 0, true};
    case ELEMENT_U32:
        return (struct number_format){32, 0, false};
    default:
        return (struct number_format){64, 0, false};
    }
}

/* A float is a sign and a magnitude: +0 is 0, -0 is -1, and so on to either side. */
static inline int64_t sort_rank(struct number_format format, uint64_t bits)
{
    uint64_t sign = UINT64_C(1) << (format.bits - 1);
    if (format.infinity != 0) {
        uint64_t magnitude = bits & (sign - 1);
        if (magnitude > format.infinity)
            return SORT_RANK_NAN;
        return bits & sign ? -(int64_t)magnitude - 1 : (int64_t)magnitude;
    }
    if (format.bits < 64) /* the sign bit counts as -2^(bits - 1) */
        return format.is_signed ? (int64_t)(bits & (sign - 1)) - (int64_t)(bits & sign) : (int64_t)bits;
    return format.is_signed ? (int64_t)bits : (int64_t)(bits ^ sign);
}

/* The bits of the number of this rank. */
static inline uint64_t sort_bits_of_rank(struct number_format format, int64_t rank)
{
    uint64_t sign = UINT64_C(1) << (format.bits - 1);
    if (format.infinity != 0)
        return rank < 0 ? sign | (uint64_t)(-(rank + 1)) : (uint64_t)rank;
    if (format.bits < 64)
        return (uint64_t)rank & (2 * sign - 1);
    return format.is_signed ? (uint64_t)rank : (uint64_t)rank ^ sign;
}

/* The ranks of the smallest and the largest number. */
static inline int64_t sort_lowest_rank(struct number_format format)
{
    if (format.infinity != 0)
        return -(int64_t)format.infinity - 1;
    if (format.bits == 64)
        return INT64_MIN;
    return format.is_signed ? -(INT64_C(1) << (format.bits - 1)) : 0;
}

static inline int64_t sort_highest_rank(struct number_format format)
{
    if (format.infinity != 0)
        return (int64_t)format.infinity;
    if (format.bits == 64)
        return INT64_MAX;
    return (INT64_C(1) << (format.bits - format.is_signed)) - 1;
}

/* The rank in descending order, where NaNs stay last. */
static inline int64_t sort_reversed_rank(struct number_format format, int64_t rank)
{
    return format.infinity != 0 && rank == SORT_RANK_NAN ? rank : ~rank;
}
