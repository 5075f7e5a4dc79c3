/* Floating-point numbers of 16 bits: f16 is IEEE 754's binary16 (11 digits, up to 65504), bf16 (bfloat16) the upper
 * half of a float (8 digits, a float's range). Independent of the floating-point environment. */
#pragma once

#include <stdint.h>
#include <string.h>

static inline float half_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float bf16_to_float(uint16_t number)
{
    return half_from_bits((uint32_t)number << 16);
}

/* A number's exponent and mantissa, put where a float has them, are 2^112 times too small. As a subnormal float that
 * might be flushed: 2^-14 is added there in integers, and subtracted as a float. */
static inline float f16_to_float(uint16_t number)
{
    const uint32_t magnitude = number & 0x7fff, sign = (uint32_t)(number & 0x8000) << 16;
    float value = half_from_bits((magnitude << 13) + (magnitude >= 0x7c00 ? 0x70000000 : 0x38000000));
    if (magnitude < 0x400)
        value = half_from_bits((magnitude << 13) + 0x38800000) - 0x1p-14f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return half_from_bits(bits | sign);
}

/* To the nearest number, ties to even. `fraction`: bits of the fraction; `least`: exponent of the smallest normal
 * number. */
static inline uint16_t half_round(double value, int fraction, int least)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = (uint32_t)(bits >> 63) << 15, infinity = (0x7fffu >> fraction) << fraction;
    const int biased = (int)(bits >> 52 & 0x7ff), exponent = biased - 1023;
    const uint64_t mantissa = (bits & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    if (biased == 0x7ff)
        return (uint16_t)(sign | infinity | (bits << 12 ? 1u << (fraction - 1) : 0));
    const int shift = 52 - fraction + (exponent < least ? least - exponent : 0);
    if (shift > 54)
        return (uint16_t)sign;
    const uint64_t rest = mantissa & ((UINT64_C(1) << shift) - 1), tie = UINT64_C(1) << (shift - 1);
    uint64_t number = mantissa >> shift;
    number += rest > tie || (rest == tie && number & 1);
    if (exponent >= least) /* carries into the exponent, as into the first normal number below */
        number += (uint64_t)(exponent - least) << fraction;
    return (uint16_t)(sign | (number < infinity ? (uint32_t)number : infinity));
}

static inline uint16_t f16_from_double(double value)
{
    return half_round(value, 10, -14);
}

static inline uint16_t bf16_from_double(double value)
{
    return half_round(value, 7, -126);
}

static inline uint32_t half_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The same of floats, without branches: loops of them become vectors. */
static inline uint16_t bf16_from_float(float value)
{
    const uint32_t bits = half_bits(value), magnitude = bits & 0x7fffffff;
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return (uint16_t)(magnitude > 0x7f800000 ? (bits >> 16 & 0x8000) | 0x7fc0 : rounded);
}

/* Below 2^-14 the sum with 1/2 has the subnormal number's last place, 2^-24. It needs rounding to nearest. */
static inline uint16_t f16_from_float(float value)
{
    const uint32_t bits = half_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    const uint32_t normal = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
    const uint32_t small = half_bits(half_from_bits(magnitude) + 0.5f) - 0x3f000000;
    const uint32_t finite = magnitude < 0x38800000 ? small : normal < 0x7c00 ? normal : 0x7c00;
    return (uint16_t)(sign | (magnitude > 0x7f800000 ? 0x7e00 : magnitude >= 0x47800000 ? 0x7c00 : finite));
}
