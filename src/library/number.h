/* The element type of a number of the library's. */
#pragma once

#include "base/element.h"
#include "base/size.h"
#include "uskor.h"

/* ELEMENT_TYPE_COUNT where there is no such number. */
static inline enum element_type number_element(enum uskor_number type)
{
    static const enum element_type elements[] = {
        [USKOR_FLOAT32] = ELEMENT_F32, [USKOR_FLOAT64] = ELEMENT_F64,   [USKOR_INT32] = ELEMENT_I32,
        [USKOR_INT64] = ELEMENT_I64,   [USKOR_UINT32] = ELEMENT_U32,    [USKOR_UINT64] = ELEMENT_U64,
        [USKOR_FLOAT16] = ELEMENT_F16, [USKOR_BFLOAT16] = ELEMENT_BF16, [USKOR_INT8] = ELEMENT_I8,
        [USKOR_UINT8] = ELEMENT_U8,    [USKOR_INT16] = ELEMENT_I16,     [USKOR_UINT16] = ELEMENT_U16,
    };
    return (unsigned)type < COUNT_OF(elements) ? elements[type] : ELEMENT_TYPE_COUNT;
}
