#include "base/comparator.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/half.h"

/* ---- numbers as doubles --------------------------------------------------------------------------------------- */

#define FROM_HALF(name, to_float)                  \
    static double name(const unsigned char *bytes) \
    {                                              \
        uint16_t number;                           \
        memcpy(&number, bytes, sizeof number);     \
        return (double)to_float(number);           \
    }
FROM_HALF(from_f16, f16_to_float)
FROM_HALF(from_bf16, bf16_to_float)

#define FROM_NATIVE(name, type)                    \
    static double name(const unsigned char *bytes) \
    {                                              \
        type value;                                \
        memcpy(&value, bytes, sizeof value);       \
        return (double)value;                      \
    }
FROM_NATIVE(from_f32, float)
FROM_NATIVE(from_f64, double)
FROM_NATIVE(from_u8, uint8_t)
FROM_NATIVE(from_i8, int8_t)
FROM_NATIVE(from_u16, uint16_t)
FROM_NATIVE(from_i16, int16_t)
FROM_NATIVE(from_u32, uint32_t)
FROM_NATIVE(from_i32, int32_t)
FROM_NATIVE(from_u64, uint64_t)
FROM_NATIVE(from_i64, int64_t)

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
    double difference = special ? (double)INFINITY : fabs(actual - expected);
    /* -0 and 0, and long integers that are the same double. */
    return (struct judgement){true, difference > 0 ? difference : 1};
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

/* Fast path without branches or divisions: in most blocks every element is within the tolerance and no worse than the
 * worst so far (`bound`, at most 1). */
enum { BLOCK = 512 };

static inline int is_quiet_pair(double a, double e, struct tolerance tolerance, double bound)
{
    int quiet = !is_special(a);
    quiet &= !is_special(e);
    quiet &= fabs(a - e) <= bound * (tolerance.absolute + tolerance.relative * fabs(e));
    return quiet;
}

#define IS_QUIET(name, read, bytes)                                                                          \
    static bool name(const unsigned char *actual, const unsigned char *expected, struct tolerance tolerance, \
                     double bound)                                                                           \
    {                                                                                                        \
        int quiet = 1;                                                                                       \
        for (size_t i = 0; i < BLOCK; i++)                                                                   \
            quiet &= is_quiet_pair(read(actual + i * bytes), read(expected + i * bytes), tolerance, bound);  \
        return quiet;                                                                                        \
    }
IS_QUIET(quiet_f16, from_f16, 2)
IS_QUIET(quiet_bf16, from_bf16, 2)
IS_QUIET(quiet_f32, from_f32, 4)
IS_QUIET(quiet_f64, from_f64, 8)

/* The components of an element. */
static const struct chunk_layout {
    double (*read)(const unsigned char *bytes);
    size_t components;
    bool integer;
    bool (*is_quiet)(const unsigned char *actual, const unsigned char *expected, struct tolerance tolerance,
                     double bound); /* of BLOCK components; NULL: never known */
} layouts[ELEMENT_TYPE_COUNT] = {
    [ELEMENT_U8] = {from_u8, 1, true, NULL},         [ELEMENT_I8] = {from_i8, 1, true, NULL},
    [ELEMENT_U16] = {from_u16, 1, true, NULL},       [ELEMENT_I16] = {from_i16, 1, true, NULL},
    [ELEMENT_F16] = {from_f16, 1, false, quiet_f16}, [ELEMENT_BF16] = {from_bf16, 1, false, quiet_bf16},
    [ELEMENT_U32] = {from_u32, 1, true, NULL},       [ELEMENT_I32] = {from_i32, 1, true, NULL},
    [ELEMENT_F32] = {from_f32, 1, false, quiet_f32}, [ELEMENT_U64] = {from_u64, 1, true, NULL},
    [ELEMENT_I64] = {from_i64, 1, true, NULL},       [ELEMENT_F64] = {from_f64, 1, false, quiet_f64},
    [ELEMENT_C64] = {from_f32, 2, false, quiet_f32}, [ELEMENT_C128] = {from_f64, 2, false, quiet_f64},
};

/* One element: wrong when a component is, and as bad as its worst component. */
static struct judgement judge_element(const struct chunk_layout *layout, size_t bytes, const unsigned char *actual,
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

/* True when a block needs no judging: its bits are the same, or it is quiet. */
static bool passes_over(const struct chunk_layout *layout, const unsigned char *a, const unsigned char *e, size_t count,
                        size_t bytes, struct tolerance tolerance, double worst)
{
    if (memcmp(a, e, count * bytes) == 0)
        return true;
    /* Where bits count, -0 and 0 are equal numbers and not the same. */
    bool exact = tolerance.absolute == 0 && tolerance.relative == 0;
    if (count != BLOCK || exact || !layout->is_quiet)
        return false;
    double bound = worst < 1 ? worst : 1;
    for (size_t part = 0; part < layout->components; part++) {
        size_t offset = part * BLOCK * bytes / layout->components;
        if (!layout->is_quiet(a + offset, e + offset, tolerance, bound))
            return false;
    }
    return true;
}

static void compare_blocks(enum element_type type, const unsigned char *a, const unsigned char *e, size_t count,
                           struct tolerance tolerance, struct comparison *result)
{
    const struct chunk_layout *layout = &layouts[type];
    size_t bytes = element_info(type)->bytes;
    for (size_t start = 0; start < count; start += BLOCK) {
        size_t end = count - start < BLOCK ? count : start + BLOCK;
        if (passes_over(layout, a + start * bytes, e + start * bytes, end - start, bytes, tolerance, result->worst))
            continue;
        for (size_t i = start; i < end; i++)
            note(result, i, judge_element(layout, bytes, a + i * bytes, e + i * bytes, tolerance));
    }
}

void comparator_compare(enum element_type type, const void *actual, const void *expected, size_t count,
                        struct tolerance tolerance, struct comparison *result)
{
    /* A loaded library may have changed the floating-point environment: flushing of subnormal numbers, rounding. */
    fenv_t caller;
    fegetenv(&caller);
    fesetenv(FE_DFL_ENV);
    *result = (struct comparison){.compared = count};
    compare_blocks(type, actual, expected, count, tolerance, result);
    fesetenv(&caller);
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
