/* The comparator's self-test: right answers that must pass, and planted faults that must not. */
#include <stdint.h>
#include <string.h>

#include "base/comparator.h"
#include "base/size.h"

/* More than one of the comparator's blocks, and no multiple of it. */
enum { ROWS = 29, COLS = 18, COUNT = ROWS * COLS, ELEMENT_BYTES_MAX = 16 };

/* Floating-point types with the bits of their special values. */
static const struct subject {
    enum element_type type;
    size_t component_bytes;
    uint64_t nan, infinity, sign;
} subjects[] = {
    {ELEMENT_F16, 2, 0x7e00, 0x7c00, 0x8000},
    {ELEMENT_BF16, 2, 0x7fc0, 0x7f80, 0x8000},
    {ELEMENT_F32, 4, 0x7fc00000, 0x7f800000, 0x80000000},
    {ELEMENT_F64, 8, 0x7ff8000000000000, 0x7ff0000000000000, 0x8000000000000000},
    {ELEMENT_C64, 4, 0x7fc00000, 0x7f800000, 0x80000000},
    {ELEMENT_C128, 8, 0x7ff8000000000000, 0x7ff0000000000000, 0x8000000000000000},
};

/* Two per cent: wide enough for the last bits of 16, and far below the differences between elements. */
static const struct tolerance loose = {0x1p-16, 0x1p-6};
static const struct tolerance exact = {0, 0};

struct case_data {
    const struct subject *subject;
    size_t bytes; /* of an element */
    unsigned char actual[COUNT * ELEMENT_BYTES_MAX];
    unsigned char expected[COUNT * ELEMENT_BYTES_MAX];
};

/* Writes a component's bits; the machine's byte order decides nothing because both sides are written this way. */
static void put(const struct subject *subject, unsigned char *target, uint64_t bits)
{
    uint16_t bits16 = (uint16_t)bits;
    uint32_t bits32 = (uint32_t)bits;
    const void *source = subject->component_bytes == 2   ? (const void *)&bits16
                         : subject->component_bytes == 4 ? (const void *)&bits32
                                                         : (const void *)&bits;
    memcpy(target, source, subject->component_bytes);
}

/* The bits of 1.0 × 2^power × (1 + eighths / 8), exact in every type. */
static uint64_t number(const struct subject *subject, int power, unsigned eighths)
{
    if (subject->type == ELEMENT_BF16)
        return (uint64_t)(127 + power) << 7 | (uint64_t)eighths << 4;
    switch (subject->component_bytes) {
    case 2:
        return (uint64_t)(15 + power) << 10 | (uint64_t)eighths << 7;
    case 4:
        return (uint64_t)(127 + power) << 23 | (uint64_t)eighths << 20;
    default:
        return (uint64_t)(1023 + power) << 52 | (uint64_t)eighths << 49;
    }
}

/* Element `index` of the right answer: neighbours, and those a row apart, differ by more than six per cent. */
static uint64_t right_bits(const struct subject *subject, size_t index)
{
    return number(subject, (int)(index / 8 % 16) - 8, (unsigned)(index % 8));
}

static void fill(struct case_data *data)
{
    const struct subject *subject = data->subject;
    size_t components = data->bytes * COUNT / subject->component_bytes;
    for (size_t i = 0; i < components; i++) {
        size_t element = i * subject->component_bytes / data->bytes;
        put(subject, data->expected + i * subject->component_bytes, right_bits(subject, element));
    }
    memcpy(data->actual, data->expected, sizeof data->actual);
}

/* ---- faults: each changes `actual` (or both) and returns the first element that is now wrong ------------------ */

enum { VICTIM = 23 };

static size_t plant_nan(struct case_data *data)
{
    put(data->subject, data->actual + VICTIM * data->bytes, data->subject->nan);
    return VICTIM;
}

/* In the last component of a complex element too. */
static size_t plant_nan_in_last_component(struct case_data *data)
{
    put(data->subject, data->actual + (VICTIM + 1) * data->bytes - data->subject->component_bytes, data->subject->nan);
    return VICTIM;
}

static size_t plant_number_for_nan(struct case_data *data)
{
    put(data->subject, data->expected + VICTIM * data->bytes, data->subject->nan);
    return VICTIM;
}

static size_t plant_infinity(struct case_data *data)
{
    put(data->subject, data->actual + VICTIM * data->bytes, data->subject->infinity);
    return VICTIM;
}

static size_t plant_wrong_infinity(struct case_data *data)
{
    put(data->subject, data->actual + VICTIM * data->bytes, data->subject->infinity | data->subject->sign);
    put(data->subject, data->expected + VICTIM * data->bytes, data->subject->infinity);
    return VICTIM;
}

static size_t plant_number_for_infinity(struct case_data *data)
{
    put(data->subject, data->expected + VICTIM * data->bytes, data->subject->infinity);
    return VICTIM;
}

static size_t plant_nan_for_infinity(struct case_data *data)
{
    put(data->subject, data->actual + VICTIM * data->bytes, data->subject->nan);
    put(data->subject, data->expected + VICTIM * data->bytes, data->subject->infinity);
    return VICTIM;
}

static size_t plant_wrong_sign(struct case_data *data)
{
    put(data->subject, data->actual + VICTIM * data->bytes, right_bits(data->subject, VICTIM) | data->subject->sign);
    return VICTIM;
}

static size_t plant_wrong_tail(struct case_data *data)
{
    put(data->subject, data->actual + (COUNT - 1) * data->bytes, number(data->subject, 9, 0));
    return COUNT - 1;
}

static size_t plant_untouched_output(struct case_data *data)
{
    memset(data->actual, 0xff, sizeof data->actual); /* a NaN in every type */
    return 0;
}

static size_t plant_zeroed_output(struct case_data *data)
{
    memset(data->actual, 0, sizeof data->actual);
    return 0;
}

static size_t plant_row_offset(struct case_data *data)
{
    size_t row = COLS * data->bytes;
    memmove(data->actual, data->expected + row, (ROWS - 1) * row);
    return 0;
}

static size_t plant_stale_last_row(struct case_data *data)
{
    size_t row = COLS * data->bytes;
    memcpy(data->actual + (ROWS - 1) * row, data->expected + (ROWS - 2) * row, row);
    return (size_t)(ROWS - 1) * COLS;
}

static const struct fault {
    const char *name;
    size_t (*plant)(struct case_data *data);
} faults[] = {
    {"NaN for a number", plant_nan},
    {"NaN in the last component", plant_nan_in_last_component},
    {"a number for NaN", plant_number_for_nan},
    {"infinity for a number", plant_infinity},
    {"-infinity for infinity", plant_wrong_infinity},
    {"a number for infinity", plant_number_for_infinity},
    {"NaN for infinity", plant_nan_for_infinity},
    {"a wrong sign", plant_wrong_sign},
    {"a wrong last element", plant_wrong_tail},
    {"untouched output", plant_untouched_output},
    {"zeroed output", plant_zeroed_output},
    {"output off by one row", plant_row_offset},
    {"a last row left from before", plant_stale_last_row},
};

/* ---- the test ------------------------------------------------------------------------------------------------- */

static enum status expect_fault(comparator_function compare, struct case_data *data, const struct fault *fault,
                                struct tolerance tolerance, struct error *error)
{
    fill(data);
    size_t first = fault->plant(data);
    struct comparison result = {0};
    compare(data->subject->type, data->actual, data->expected, COUNT, tolerance, &result);
    const char *type = element_info(data->subject->type)->name;
    if (result.wrong == 0)
        return fail(error, STATUS_FAILED, "the comparator lets %s pass (%s)", fault->name, type);
    if (result.first_wrong != first || !(result.worst > 0))
        return fail(error, STATUS_FAILED, "the comparator finds %s (%s) at element %zu, and it is at %zu", fault->name,
                    type, result.first_wrong, first);
    return STATUS_OK;
}

static enum status expect_right(comparator_function compare, struct case_data *data, struct tolerance tolerance,
                                const char *what, struct error *error)
{
    struct comparison result = {0};
    compare(data->subject->type, data->actual, data->expected, COUNT, tolerance, &result);
    if (result.wrong != 0 || result.compared != COUNT)
        return fail(error, STATUS_FAILED, "the comparator does not let %s pass (%s)", what,
                    element_info(data->subject->type)->name);
    return STATUS_OK;
}

/* The last bit changed everywhere, NaN against another NaN, an infinity against itself. */
static enum status test_right_answers(comparator_function compare, struct case_data *data, struct error *error)
{
    fill(data);
    enum status status = expect_right(compare, data, exact, "the same bits", error);
    if (status == STATUS_OK)
        status = expect_right(compare, data, loose, "the same numbers", error);
    if (status != STATUS_OK)
        return status;
    put(data->subject, data->actual, data->subject->nan);
    put(data->subject, data->expected, data->subject->nan | data->subject->sign | 1);
    put(data->subject, data->actual + data->bytes, data->subject->infinity);
    put(data->subject, data->expected + data->bytes, data->subject->infinity);
    for (size_t i = 2; i < COUNT; i++)
        put(data->subject, data->actual + i * data->bytes, right_bits(data->subject, i) + 1);
    return expect_right(compare, data, loose, "differences inside the tolerance", error);
}

/* -0 for 0 passes with a tolerance and not without. */
static enum status test_negative_zero(comparator_function compare, struct case_data *data, struct error *error)
{
    fill(data);
    put(data->subject, data->expected + VICTIM * data->bytes, 0);
    put(data->subject, data->actual + VICTIM * data->bytes, data->subject->sign);
    struct comparison result = {0};
    compare(data->subject->type, data->actual, data->expected, COUNT, exact, &result);
    if (result.wrong != 1 || result.first_wrong != VICTIM)
        return fail(error, STATUS_FAILED, "the comparator lets -0 for 0 pass where bits count (%s)",
                    element_info(data->subject->type)->name);
    return expect_right(compare, data, loose, "-0 for 0", error);
}

static enum status test_subject(comparator_function compare, const struct subject *subject, struct error *error)
{
    struct case_data data = {.subject = subject, .bytes = element_info(subject->type)->bytes};
    enum status status = test_right_answers(compare, &data, error);
    if (status == STATUS_OK)
        status = test_negative_zero(compare, &data, error);
    for (size_t i = 0; i < COUNT_OF(faults) && status == STATUS_OK; i++) {
        status = expect_fault(compare, &data, &faults[i], loose, error);
        if (status == STATUS_OK)
            status = expect_fault(compare, &data, &faults[i], exact, error);
    }
    return status;
}

/* An integer off by one is wrong whatever the tolerance. */
static enum status test_integers(comparator_function compare, struct error *error)
{
    uint32_t expected[COUNT], actual[COUNT];
    for (uint32_t i = 0; i < COUNT; i++)
        expected[i] = actual[i] = UINT32_C(0x80000000) + i;
    actual[VICTIM]++;
    struct comparison result = {0};
    compare(ELEMENT_U32, actual, expected, COUNT, loose, &result);
    if (result.wrong != 1 || result.first_wrong != VICTIM)
        return fail(error, STATUS_FAILED, "the comparator lets an integer that is off by one pass");
    return STATUS_OK;
}

enum status comparator_self_test_of(comparator_function compare, struct error *error)
{
    enum status status = test_integers(compare, error);
    for (size_t i = 0; i < COUNT_OF(subjects) && status == STATUS_OK; i++)
        status = test_subject(compare, &subjects[i], error);
    return status;
}

enum status comparator_self_test(struct error *error)
{
    return comparator_self_test_of(comparator_compare, error);
}
