/* Tables and pages have the same figures of a measurement: one ceiling, one share, one speed-up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "report/model/figure_text.h"
#include "report/model/figures.h"
#include "report/model/place.h"
#include "report/model/rows.h"
#include "report/model/view.h"

static struct random numbers;

static void add(struct measurement_list *list, const char *rung, enum measured_kind kind, const char *ceiling,
                double nanoseconds, double noise)
{
    struct measurement *added = measurement_list_add(list);
    snprintf(added->kernel, sizeof added->kernel, "transpose");
    snprintf(added->problem, sizeof added->problem, "transpose:rows=64,cols=64,f32");
    snprintf(added->rung, sizeof added->rung, "%s", rung);
    snprintf(added->device, sizeof added->device, "cuda:0");
    snprintf(added->ceiling, sizeof added->ceiling, "%s", ceiling);
    added->kind = kind;
    added->work = 32768;
    for (uint32_t i = 0; i < 40; i++) {
        double factor = exp(noise * random_double(&numbers));
        samples_add(&added->phases[PHASE_COMPUTE], nanoseconds * factor, i);
        samples_add(&added->phases[PHASE_END_TO_END], 10 * nanoseconds * factor, i);
    }
}

static const struct entry *entry_of(const struct view *view, const struct measurement *measurement)
{
    for (size_t i = 0; i < view->entry_count; i++)
        if (view->entries[i].measurement == measurement)
            return &view->entries[i];
    return NULL;
}

/* Two ceilings, of which each rung names one or none; and noise from none to what voids a figure. */
static void tables_and_pages_agree(void **state)
{
    (void)state;
    static const char *const ceilings[] = {"", "copy", "streams"};
    size_t shares = 0, voids = 0;
    for (int trial = 0; trial < 60; trial++) {
        struct measurement_list list = {0};
        struct view view;
        struct error error;
        const double noise = trial % 4 * 1.5;
        add(&list, "copy", MEASURED_PROBE, "", 80, 0.01);
        add(&list, "streams", MEASURED_PROBE, "", 60 + trial, noise);
        add(&list, "naive", MEASURED_DEVICE, ceilings[trial % 3], 200, noise);
        add(&list, "vector", MEASURED_DEVICE, ceilings[(trial + 1) % 3], 90, 0.01);
        add(&list, "cublas", MEASURED_VENDOR, "", 100 + trial, 0.01);
        assert_int_equal(view_make(&list, &view, &error), STATUS_OK);
        const struct measurement *base = row_base(&list, list.items[0].problem);
        for (size_t i = 2; i < list.count; i++) {
            const struct row row = row_make(&list, &list.items[i], base);
            const struct entry *entry = entry_of(&view, &list.items[i]);
            assert_non_null(entry);
            assert_true(row.rate == entry->rate && row.is_void == entry->is_void);
            voids += row.is_void;
            if (row.is_void)
                continue; /* the pages relate nothing to it */
            assert_true(row.of_ceiling == entry->of_ceiling && row.share_is_void == entry->share_is_void);
            assert_true(row.speed_up == entry->speed_up && row.speed_up_is_void == entry->speed_up_is_void);
            shares += row.of_ceiling > 0;
        }
        view_free(&view);
        measurement_list_free(&list);
    }
    assert_true(shares > 60 && voids > 10);
}

/* Protocols that time nothing but the whole are compared by that; noise voids such a ratio, too. */
static void end_to_end_times_are_compared(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, "serial", MEASURED_HOST, "", 100, 0.01);
    add(&list, "parallel", MEASURED_HOST, "", 50, 0.01);
    add(&list, "noisy", MEASURED_HOST, "", 50, 9);
    for (size_t i = 0; i < list.count; i++)
        list.items[i].phases[PHASE_COMPUTE].count = 0;
    const struct measurement *serial = &list.items[0], *parallel = &list.items[1], *noisy = &list.items[2];
    const double ratio =
        measurement_summary(serial, PHASE_END_TO_END).median / measurement_summary(parallel, PHASE_END_TO_END).median;
    assert_true(figures_ratio(parallel, serial).value == ratio);
    assert_true(figures_ratio(noisy, serial).is_void && figures_ratio(noisy, serial).value == 0);
    assert_true(figures_ratio(parallel, NULL).value == 0 && !figures_ratio(parallel, NULL).is_void);
    assert_true(figures_rate(NULL) == 0);
    measurement_list_free(&list);
}

/* Also of what is small: 0.00 says nothing. */
static void three_digits_always(void **state)
{
    (void)state;
    assert_string_equal(figure_number(1234.5).text, "1234");
    assert_string_equal(figure_number(44.92).text, "44.9");
    assert_string_equal(figure_number(0.99951).text, "1.00");
    assert_string_equal(figure_number(0.5481).text, "0.548");
    assert_string_equal(figure_number(0.01234).text, "0.0123");
    assert_string_equal(figure_number(0.0001234).text, "0.000123");
    assert_int_equal(figure_decimals(0.0001234, 5), 5);
}

/* Where the intervals of two medians meet, neither is faster; a ceiling, and what failed, has no place. */
static void places_respect_noise(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    add(&list, "copy", MEASURED_PROBE, "", 10, 0.01);
    add(&list, "tiled", MEASURED_DEVICE, "", 50, 0.01);
    add(&list, "naive", MEASURED_DEVICE, "", 100, 0.2);
    add(&list, "mine", MEASURED_DEVICE, "", 101, 0.2);
    add(&list, "slow", MEASURED_DEVICE, "", 400, 0.01);
    add(&list, "wrong", MEASURED_DEVICE, "", 1, 0.01);
    list.items[5].verdict = VERDICT_FAIL;
    const struct measurement *tiled = &list.items[1], *naive = &list.items[2], *mine = &list.items[3];
    assert_true(measurement_summary(naive, PHASE_COMPUTE).median != measurement_summary(mine, PHASE_COMPUTE).median);
    struct place place = place_of(&list, mine);
    assert_true(place.place == 2 && place.of == 4 && place.best == tiled && place.times > 1.8 && place.times < 2.6);
    place = place_of(&list, tiled);
    assert_true(place.place == 1 && place.best != &list.items[4] && place.times < 0.6);
    list.items[1].verdict = VERDICT_FAIL;
    for (int i = 2; i < 4; i++) {
        place = place_of(&list, &list.items[i]);
        assert_true(place.place == 1 && place.of == 3 && place.best == &list.items[5 - i] && place.times == 1);
    }
    assert_false(surely_faster(naive, mine) || surely_faster(mine, naive));
    measurement_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_pages_agree),
        cmocka_unit_test(end_to_end_times_are_compared),
        cmocka_unit_test(three_digits_always),
        cmocka_unit_test(places_respect_noise),
    };
    random_seed(&numbers, 3);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
