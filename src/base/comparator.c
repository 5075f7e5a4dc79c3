#include "base/comparator.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- numbers as doubles, from their bits ---------------------------------------------------------------------
 * Arithmetic sees a number only after its exponent was looked at, and subnormal numbers are made from integers: a
 * library that switched the processor to "denormals are zero" changes nothing here. */

static double from_f16(const unsigned char *bytes)
{
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    int exponent = bits >> 10 & 0x1f;
    int mantissa = bits & 0x3ff;
    double value;
    if (exponent == 0x1f)
        value = mantissa ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = mantissa * 0x1p-24;
    else
        value = ldexp(mantissa + 0x400, exponent - 25);
    return bits >> 15 ? -value : value;
}

static double from_f32(const unsigned char *bytes)
{
    uint32_t bits;
    memcpy(&bits, bytes, sizeof bits);
    if ((bits & 0x7f800000u) == 0) {
        double value = (double)(bits & 0x7fffffu) * 0x1p-149;
        return bits >> 31 ? -value : value;
    }
    float value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static double from_f64(const unsigned char *bytes)
{
    double value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

#define FROM_INTEGER(name, type)                   \
    static double name(const unsigned char *bytes) \
    {                                              \
        type value;                                \
        memcpy(&value, bytes, sizeof value);       \
        return (double)value;                      \
    }
FROM_INTEGER(from_u8, uint8_t)
FROM_INTEGER(from_i8, int8_t)
FROM_INTEGER(from_u16, uint16_t)
FROM_INTEGER(from_i16, int16_t)
FROM_INTEGER(from_u32, uint32_t)
FROM_INTEGER(from_i32, int32_t)
FROM_INTEGER(from_u64, uint64_t)
FROM_INTEGER(from_i64, int64_t)

/* What an element is made of. */
static const struct layout {
    double (*read)(const unsigned char *bytes);
    size_t components;
    bool integer;
} layouts[ELEMENT_TYPE_COUNT] = {
    [ELEMENT_U8] = {from_u8, 1, true},     [ELEMENT_I8] = {from_i8, 1, true},    [ELEMENT_U16] = {from_u16, 1, true},
    [ELEMENT_I16] = {from_i16, 1, true},   [ELEMENT_F16] = {from_f16, 1, false}, [ELEMENT_U32] = {from_u32, 1, true},
    [ELEMENT_I32] = {from_i32, 1, true},   [ELEMENT_F32] = {from_f32, 1, false}, [ELEMENT_U64] = {from_u64, 1, true},
    [ELEMENT_I64] = {from_i64, 1, true},   [ELEMENT_F64] = {from_f64, 1, false}, [ELEMENT_C64] = {from_f32, 2, false},
    [ELEMENT_C128] = {from_f64, 2, false},
};

/* NaN or infinity, by the exponent's bits. */
static bool is_special(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 52 & 0x7ff) == 0x7ff;
}

static bool is_nan(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & ~(UINT64_C(1) << 63)) > UINT64_C(0x7ff) << 52;
}

/* ---- judging -------------------------------------------------------------------------------------------------- */

struct judgement {
    bool wrong;
    double error; /* 1 is what the tolerance allows */
};

/* Components whose bits differ, where nothing but the same bits will do. */
static struct judgement judge_exactly(double actual, double expected)
{
    bool special = is_special(actual) || is_special(expected);
    return (struct judgement){true, special ? (double)INFINITY : fabs(actual - expected)};
}

static struct judgement judge(double actual, double expected, struct tolerance tolerance)
{
    if (is_special(actual) || is_special(expected)) {
        bool same = is_nan(actual) ? is_nan(expected) : !is_nan(expected) && actual == expected;
        return (struct judgement){!same, same ? 0 : (double)INFINITY};
    }
    double difference = fabs(actual - expected);
    double allowed = tolerance.absolute + tolerance.relative * fabs(expected);
    /* Written so that a NaN in the tolerance fails. */
    bool right = difference <= allowed;
    if (difference == 0)
        return (struct judgement){!right, 0};
    return (struct judgement){!right, allowed > 0 ? difference / allowed : (double)INFINITY};
}

static void note(struct comparison *result, size_t index, struct judgement judgement)
{
    if (judgement.wrong) {
        if (result->wrong == 0)
            result->first_wrong = index;
        result->wrong++;
    }
    if (judgement.error > result->worst) {
        result->worst = judgement.error;
        result->worst_at = index;
    }
}

/* One element: wrong when a component is, and as bad as its worst component. */
static struct judgement judge_element(const struct layout *layout, size_t bytes, const unsigned char *actual,
                                      const unsigned char *expected, struct tolerance tolerance)
{
    struct judgement worst = {false, 0};
    bool exact = layout->integer || (tolerance.absolute == 0 && tolerance.relative == 0);
    for (size_t offset = 0; offset < bytes; offset += bytes / layout->components) {
        double a = layout->read(actual + offset), e = layout->read(expected + offset);
        struct judgement one;
        if (memcmp(actual + offset, expected + offset, bytes / layout->components) == 0)
            one = (struct judgement){false, 0};
        else
            one = exact ? judge_exactly(a, e) : judge(a, e, tolerance);
        worst.wrong |= one.wrong;
        worst.error = one.error > worst.error ? one.error : worst.error;
    }
    return worst;
}

/* Most blocks of a right answer are the same bit by bit, and memcmp is several times faster than judging. */
enum { BLOCK = 512 };

void comparator_compare(enum element_type type, const void *actual, const void *expected, size_t count,
                        struct tolerance tolerance, struct comparison *result)
{
    const struct layout *layout = &layouts[type];
    const unsigned char *a = actual, *e = expected;
    size_t bytes = element_info(type)->bytes;
    *result = (struct comparison){.compared = count};
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t end = count - start < BLOCK ? count : start + BLOCK;
        if (memcmp(a + start * bytes, e + start * bytes, (end - start) * bytes) == 0)
            continue;
        for (size_t i = start; i < end; i++)
            note(result, i, judge_element(layout, bytes, a + i * bytes, e + i * bytes, tolerance));
    }
}

void comparator_compare_bits(const void *actual, const void *expected, size_t count, size_t element_bytes,
                             struct comparison *result)
{
    const unsigned char *a = actual, *e = expected;
    *result = (struct comparison){.compared = count};
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t end = count - start < BLOCK ? count : start + BLOCK;
        if (memcmp(a + start * element_bytes, e + start * element_bytes, (end - start) * element_bytes) == 0)
            continue;
        for (size_t i = start; i < end; i++)
            if (memcmp(a + i * element_bytes, e + i * element_bytes, element_bytes) != 0)
                note(result, i, (struct judgement){true, 1});
    }
}
