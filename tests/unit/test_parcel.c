/* A measurement sent between processes arrives whole; what a file's own code may have overwritten does no harm. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/visible.h"
#include "judge/parcel.h"

#include <cmocka.h> /* last: it has a macro called fail */

static void *packed(size_t *bytes)
{
    struct measurement one = {.kernel = "dot",
                              .problem = "dot:n=5,f32",
                              .rung = "tree",
                              .device = "cpu",
                              .threads = 2,
                              .bytes = 40,
                              .operations = 10,
                              .work = 40,
                              .id = 7,
                              .run = 8,
                              .number = 9};
    explain(one.reason, sizeof one.reason, "%d of %d", 3, 4);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(samples_add(&one.phases[PHASE_COMPUTE], 10 + i, i));
        assert_true(i == 2 || samples_add(&one.phases[PHASE_DOWNLOAD], 20 + i, i));
    }
    void *data = parcel_pack(&one, bytes);
    assert_non_null(data);
    measurement_free(&one);
    return data;
}

static void arrives_whole(void **state)
{
    (void)state;
    size_t bytes;
    struct measurement got;
    void *data = packed(&bytes);
    assert_true(parcel_is_well(data, bytes));
    assert_true(parcel_unpack(data, bytes, &got));
    assert_string_equal(got.problem, "dot:n=5,f32");
    assert_string_equal(got.reason, "3 of 4");
    assert_non_null(strstr(message_origin(got.reason), "%d of %d")); /* to be translated here */
    assert_int_equal(got.threads, 2);
    assert_true(got.id == 0 && got.run == 0 && got.number == 0); /* those of another store */
    assert_int_equal(got.phases[PHASE_COMPUTE].count, 3);
    assert_int_equal(got.phases[PHASE_DOWNLOAD].count, 2);
    assert_int_equal(got.phases[PHASE_UPLOAD].count, 0);
    assert_float_equal(got.phases[PHASE_COMPUTE].items[2].nanoseconds, 12, 0);
    assert_float_equal(got.phases[PHASE_DOWNLOAD].items[0].nanoseconds, 20, 0);
    assert_int_equal(got.phases[PHASE_DOWNLOAD].items[1].round, 1);
    measurement_free(&got);
    free(data);
}

static void a_part_of_it_is_none(void **state)
{
    (void)state;
    size_t bytes;
    struct measurement got;
    char *data = packed(&bytes);
    const size_t samples = 5 * sizeof(struct sample);
    for (size_t length = 0; length < sizeof got + samples; length += length < sizeof got - 8 ? 97 : 1) {
        assert_false(parcel_unpack(data, length, &got));
        assert_true(length < sizeof got || !parcel_is_well(data, length));
    }
    for (size_t length = sizeof got + samples; length <= bytes; length++) { /* without messages' formats it is one */
        assert_true(parcel_unpack(data, length, &got));
        measurement_free(&got);
    }
    free(data);
}

/* Each text without an end, then with what a terminal obeys. */
static void texts_are_made_safe(void **state)
{
    (void)state;
#define TEXT(member)                                                                  \
    {                                                                                 \
        offsetof(struct measurement, member), sizeof((struct measurement *)0)->member \
    }
    static const struct {
        size_t at, size;
    } texts[] = {TEXT(reason),       TEXT(kernel),      TEXT(problem),  TEXT(rung),        TEXT(idea),
                 TEXT(parameters),   TEXT(detail),      TEXT(device),   TEXT(device_name), TEXT(driver),
                 TEXT(code_version), TEXT(worst_where), TEXT(warnings), TEXT(rate_unit),   TEXT(ceiling)};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int form = 0; form < 2; form++) {
            size_t bytes;
            struct measurement got;
            char *data = packed(&bytes), *text = data + texts[i].at;
            memset(text, 'x', texts[i].size);
            if (form == 1)
                memcpy(text, "\033[2J", 5);
            assert_true(parcel_unpack(data, bytes, &got));
            text = (char *)&got + texts[i].at;
            assert_true(strnlen(text, texts[i].size) < texts[i].size);
            assert_true(visible_is(text));
            if (i == 0 && form == 1)
                assert_string_equal(text, "overwrote its process's memory: its reason cannot be read");
            measurement_free(&got);
            free(data);
        }
}

static void wrong_numbers_are_refused(void **state)
{
    (void)state;
    static const double wrong[] = {-1, INFINITY, -INFINITY, NAN};
    static const size_t amounts[] = {offsetof(struct measurement, bytes),
                                     offsetof(struct measurement, operations),
                                     offsetof(struct measurement, work),
                                     offsetof(struct measurement, core_latency),
                                     offsetof(struct measurement, core_latency_low),
                                     offsetof(struct measurement, core_latency_high),
                                     sizeof(struct measurement) + offsetof(struct sample, nanoseconds),
                                     sizeof(struct measurement) + 4 * sizeof(struct sample) +
                                         offsetof(struct sample, nanoseconds)};
    static const size_t flags[] = {offsetof(struct measurement, device_is_cpu), offsetof(struct measurement, cold)};
    static const size_t choices[] = {offsetof(struct measurement, verdict), offsetof(struct measurement, kind)};
    size_t bytes;
    char *data = packed(&bytes);
    char *kept = malloc(bytes);
    assert_non_null(kept);
    memcpy(kept, data, bytes);
    for (size_t i = 0; i < COUNT_OF(amounts); i++)
        for (size_t w = 0; w < COUNT_OF(wrong); w++) {
            memcpy(data + amounts[i], &wrong[w], sizeof wrong[w]);
            assert_false(parcel_is_well(data, bytes));
            memcpy(data, kept, bytes);
        }
    for (size_t i = 0; i < 2; i++) {
        data[flags[i]] = 2;
        assert_false(parcel_is_well(data, bytes));
        data[flags[i]] = 1;
        assert_true(parcel_is_well(data, bytes));
        memcpy(data, kept, bytes);
        for (int choice = -1; choice <= 4; choice++) {
            memcpy(data + choices[i], &choice, sizeof choice);
            assert_int_equal(parcel_is_well(data, bytes), choice >= 0 && choice <= 3);
            memcpy(data, kept, bytes);
        }
    }
    const size_t many = SIZE_MAX / 4;
    memcpy(data + offsetof(struct measurement, phases) + offsetof(struct samples, count), &many, sizeof many);
    struct measurement got;
    assert_false(parcel_is_well(data, bytes));
    assert_false(parcel_unpack(data, bytes, &got));
    free(kept);
    free(data);
}

/* More samples than addresses: the message says nothing, instead of a part. */
static void without_memory_nothing_is_sent(void **state)
{
    (void)state;
    static struct measurement one;
    one.phases[PHASE_COMPUTE].count = (size_t)1 << 45;
    struct child_link nobody = {.descriptor = -1};
    assert_false(parcel_report(&nobody, 1, &one));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrives_whole),
        cmocka_unit_test(a_part_of_it_is_none),
        cmocka_unit_test(texts_are_made_safe),
        cmocka_unit_test(wrong_numbers_are_refused),
        cmocka_unit_test(without_memory_nothing_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
