#include "base/element.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/half.h"

static const struct element_info infos[ELEMENT_TYPE_COUNT] = {
    [ELEMENT_U8] = {"u8", 1, "uchar", "uchar"},     [ELEMENT_I8] = {"i8", 1, "char", "uchar"},
    [ELEMENT_U16] = {"u16", 2, "ushort", "ushort"}, [ELEMENT_I16] = {"i16", 2, "short", "ushort"},
    [ELEMENT_F16] = {"f16", 2, "half", "ushort"},   [ELEMENT_BF16] = {"bf16", 2, "bfloat16", "ushort"},
    [ELEMENT_U32] = {"u32", 4, "uint", "uint"},     [ELEMENT_I32] = {"i32", 4, "int", "uint"},
    [ELEMENT_F32] = {"f32", 4, "float", "uint"},    [ELEMENT_U64] = {"u64", 8, "ulong", "ulong"},
    [ELEMENT_I64] = {"i64", 8, "long", "ulong"},    [ELEMENT_F64] = {"f64", 8, "double", "ulong"},
    [ELEMENT_C64] = {"c64", 8, "float2", "ulong"},  [ELEMENT_C128] = {"c128", 16, "double2", "uint4"},
};

const struct element_info *element_info(enum element_type type)
{
    return &infos[type];
}

int element_kind(enum element_type type)
{
    switch (type) {
    case ELEMENT_I8:
    case ELEMENT_I16:
    case ELEMENT_I32:
    case ELEMENT_I64:
        return 1;
    case ELEMENT_F16:
    case ELEMENT_BF16:
    case ELEMENT_F32:
    case ELEMENT_F64:
        return 2;
    case ELEMENT_C64:
    case ELEMENT_C128:
        return 3;
    default:
        return 0;
    }
}

double element_epsilon(enum element_type type)
{
    switch (type) {
    case ELEMENT_F16:
        return 0x1p-11;
    case ELEMENT_BF16:
        return 0x1p-8;
    case ELEMENT_F32:
    case ELEMENT_C64:
        return 0x1p-24;
    case ELEMENT_F64:
    case ELEMENT_C128:
        return 0x1p-53;
    default:
        return 0;
    }
}

bool element_is_half(enum element_type type)
{
    return type == ELEMENT_F16 || type == ELEMENT_BF16;
}

double element_number(enum element_type type, const void *data, size_t index)
{
    switch (type) {
    case ELEMENT_F16:
        return (double)f16_to_float(((const uint16_t *)data)[index]);
    case ELEMENT_BF16:
        return (double)bf16_to_float(((const uint16_t *)data)[index]);
    case ELEMENT_F32:
        return (double)((const float *)data)[index];
    default:
        return ((const double *)data)[index];
    }
}

void element_put(enum element_type type, void *data, size_t index, double number)
{
    switch (type) {
    case ELEMENT_F16:
        ((uint16_t *)data)[index] = f16_from_double(number);
        break;
    case ELEMENT_BF16:
        ((uint16_t *)data)[index] = bf16_from_double(number);
        break;
    case ELEMENT_F32:
        ((float *)data)[index] = (float)number;
        break;
    default:
        ((double *)data)[index] = number;
    }
}

enum element_type element_by_name(const char *name)
{
    for (int type = 0; type < ELEMENT_TYPE_COUNT; type++)
        if (strcmp(infos[type].name, name) == 0)
            return (enum element_type)type;
    return ELEMENT_TYPE_COUNT;
}

enum element_type element_by_size(size_t bytes)
{
    static const enum element_type movers[] = {ELEMENT_U8, ELEMENT_U16, ELEMENT_U32, ELEMENT_U64, ELEMENT_C128};
    for (size_t i = 0; i < sizeof movers / sizeof movers[0]; i++)
        if (infos[movers[i]].bytes == bytes)
            return movers[i];
    return ELEMENT_TYPE_COUNT;
}

const char *element_bits_text(enum element_type type, const void *data, size_t index, char text[ELEMENT_TEXT_BYTES])
{
    const size_t bytes = element_info(type)->bytes;
    const unsigned char *at = (const unsigned char *)data + index * bytes;
    size_t length = (size_t)snprintf(text, ELEMENT_TEXT_BYTES, "0x");
    for (size_t i = bytes; i-- > 0; length += 2)
        snprintf(text + length, ELEMENT_TEXT_BYTES - length, "%02x", at[i]);
    return text;
}

/* Integers of up to 8 bytes, little end first. */
static const char *integer_text(const void *at, size_t bytes, bool is_signed, char text[ELEMENT_TEXT_BYTES])
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    if (is_signed && bytes < sizeof value && value >> (8 * bytes - 1))
        value |= UINT64_MAX << 8 * bytes;
    if (is_signed)
        snprintf(text, ELEMENT_TEXT_BYTES, "%" PRId64, (int64_t)value);
    else
        snprintf(text, ELEMENT_TEXT_BYTES, "%" PRIu64, value);
    return text;
}

const char *element_text(enum element_type type, const void *data, size_t index, char text[ELEMENT_TEXT_BYTES])
{
    const size_t bytes = element_info(type)->bytes;
    const char *at = (const char *)data + index * bytes;
    float floats[2];
    double doubles[2];
    switch (type) {
    case ELEMENT_F32:
        memcpy(floats, at, bytes);
        snprintf(text, ELEMENT_TEXT_BYTES, "%.9g", (double)floats[0]);
        return text;
    case ELEMENT_F64:
        memcpy(doubles, at, bytes);
        snprintf(text, ELEMENT_TEXT_BYTES, "%.17g", doubles[0]);
        return text;
    case ELEMENT_C64:
        memcpy(floats, at, bytes);
        snprintf(text, ELEMENT_TEXT_BYTES, "%.9g%+.9gi", (double)floats[0], (double)floats[1]);
        return text;
    case ELEMENT_C128:
        memcpy(doubles, at, bytes);
        snprintf(text, ELEMENT_TEXT_BYTES, "%.17g%+.17gi", doubles[0], doubles[1]);
        return text;
    case ELEMENT_F16:
    case ELEMENT_BF16:
        return element_bits_text(type, data, index, text);
    default:
        return integer_text(at, bytes, element_info(type)->name[0] == 'i', text);
    }
}
