/* The lines of rates over sizes: one for each ceiling, and none that mix two ways of timing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "report/model/sizes.h"

struct fixture {
    struct measurement_list list;
    struct view view;
    struct sizes sizes;
};

/* Work is the same for all, so that a rate is 1000 over the time. */
static void add(struct measurement_list *list, int64_t run, unsigned n, const char *rung, const char *ceiling,
                double time)
{
    struct measurement *measurement = measurement_list_add(list);
    assert_non_null(measurement);
    snprintf(measurement->kernel, sizeof measurement->kernel, "sort");
    snprintf(measurement->problem, sizeof measurement->problem, "sort:n=%u,f32", n);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    snprintf(measurement->device, sizeof measurement->device, "cuda:0");
    snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", ceiling ? ceiling : "");
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "Mkeys/s");
    measurement->kind = ceiling ? MEASURED_DEVICE : MEASURED_PROBE;
    measurement->work = 1000;
    measurement->run = run;
    for (uint32_t i = 0; i < 3; i++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], time, i));
}

static void draw(struct fixture *f)
{
    struct error error;
    assert_int_equal(view_make(&f->list, &f->view, &error), STATUS_OK);
    assert_int_equal(f->view.kernel_count, 1);
    assert_int_equal(sizes_make(&f->view.kernels[0], f->view.kernels[0].ladders, &f->sizes, &error), STATUS_OK);
}

static void put_away(struct fixture *f)
{
    sizes_free(&f->sizes);
    view_free(&f->view);
    measurement_list_free(&f->list);
}

static const struct size_line *line_called(const struct sizes *sizes, const char *name)
{
    char text[SIZE_NAME_MAX];
    for (size_t i = 0; i < sizes->line_count; i++)
        if (strcmp(sizes_line_name(&sizes->lines[i], text, sizeof text), name) == 0)
            return &sizes->lines[i];
    return NULL;
}

static void each_ceiling_has_its_line(void **state)
{
    (void)state;
    struct fixture f = {0};
    for (unsigned n = 256; n <= 1024; n *= 2) {
        add(&f.list, 1, n, "fma", NULL, 10);
        add(&f.list, 1, n, "tensor", NULL, 2);
        add(&f.list, 1, n, "tiled", "fma", 20);
        add(&f.list, 1, n, "split", "tensor", n < 512 ? 25 : 5); /* the fastest rung changes with the size */
    }
    draw(&f);
    assert_int_equal(f.sizes.line_count, 4);
    const struct size_line *fma = line_called(&f.sizes, "ceiling fma"),
                           *tensor = line_called(&f.sizes, "ceiling tensor");
    assert_non_null(fma);
    assert_non_null(tensor);
    assert_int_equal(fma->count, 3);
    assert_int_equal(tensor->count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(f.sizes.points[fma->first + i].entry->rate == 100);
        assert_true(f.sizes.points[tensor->first + i].entry->rate == 500);
    }
    put_away(&f);
}

/* A publication's whole times have no ceiling beside them, and other sizes. */
static void two_ways_of_timing_are_not_mixed(void **state)
{
    (void)state;
    struct fixture f = {0};
    for (unsigned n = 256; n <= 1024; n *= 4) {
        add(&f.list, 1, n, "copy", NULL, 10);
        add(&f.list, 1, n, "radix", "copy", 20);
    }
    add(&f.list, 2, 512, "radix", "", 500);
    add(&f.list, 2, 2048, "step", "", 500);
    draw(&f);
    assert_int_equal(f.sizes.line_count, 2);
    assert_null(line_called(&f.sizes, "step"));
    const struct size_line *radix = line_called(&f.sizes, "radix");
    assert_non_null(radix);
    assert_int_equal(radix->count, 2);
    put_away(&f);
}

static void without_ceilings_everything_is_drawn(void **state)
{
    (void)state;
    struct fixture f = {0};
    add(&f.list, 1, 256, "radix", "", 20);
    add(&f.list, 1, 512, "radix", "", 30);
    draw(&f);
    assert_int_equal(f.sizes.line_count, 1);
    assert_int_equal(f.sizes.lines[0].count, 2);
    put_away(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ceiling_has_its_line),
        cmocka_unit_test(two_ways_of_timing_are_not_mixed),
        cmocka_unit_test(without_ceilings_everything_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
