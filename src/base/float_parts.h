/* A number's bits as integers: for references that must not depend on floating-point arithmetic. */
#pragma once

#include <stdint.h>
#include <string.h>

/* A finite number's magnitude as mantissa * 2^exponent; 0 has the mantissa 0. */
static inline uint64_t float_parts(double value, int *exponent)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    *exponent = (field ? field : 1) - 1075;
    return field ? fraction | UINT64_C(1) << 52 : fraction;
}
