/* Ladders side by side, and rates over versions: which problems, rungs and figures are chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "report/model/panels.h"
#include "report/model/versions.h"

struct fixture {
    struct measurement_list list;
    struct view view;
    int64_t run;
    const char *version, *device;
};

static void add(struct fixture *f, unsigned n, const char *rung, double time)
{
    struct measurement *measurement = measurement_list_add(&f->list);
    bool is_ceiling = strcmp(rung, "copy") == 0;
    assert_non_null(measurement);
    snprintf(measurement->kernel, sizeof measurement->kernel, "sort");
    snprintf(measurement->problem, sizeof measurement->problem, "sort:n=%u,f32", n);
    snprintf(measurement->rung, sizeof measurement->rung, "%s", rung);
    snprintf(measurement->device, sizeof measurement->device, "%s", f->device);
    snprintf(measurement->ceiling, sizeof measurement->ceiling, "%s", is_ceiling ? "" : "copy");
    snprintf(measurement->rate_unit, sizeof measurement->rate_unit, "Mkeys/s");
    snprintf(measurement->code_version, sizeof measurement->code_version, "%s", f->version ? f->version : "");
    measurement->device_is_cpu = strncmp(f->device, "cuda", 4) != 0;
    measurement->kind = is_ceiling ? MEASURED_PROBE : MEASURED_DEVICE;
    measurement->work = 1000;
    measurement->bytes = n;
    measurement->run = f->run;
    measurement->made_at = 1000 - f->run; /* older runs were entered later, as by an import */
    for (uint32_t i = 0; i < 5; i++)
        assert_true(samples_add(&measurement->phases[PHASE_COMPUTE], time, i));
}

static void add_ladder(struct fixture *f, unsigned n)
{
    add(f, n, "copy", 10);
    add(f, n, "slow", 100);
    add(f, n, "fast", 5); /* twice the ceiling */
}

static void view(struct fixture *f)
{
    struct error error;
    assert_int_equal(view_make(&f->list, &f->view, &error), STATUS_OK);
    assert_int_equal(f->view.kernel_count, 1);
}

static void put_away(struct fixture *f)
{
    view_free(&f->view);
    measurement_list_free(&f->list);
}

static void add_rungs(struct fixture *f, unsigned n, int count)
{
    for (int i = 0; i < count; i++) {
        char rung[16];
        snprintf(rung, sizeof rung, "rung-%d", i);
        add(f, n, rung, 10);
    }
}

/* Rungs that take small problems only leave the kernel its large one; one that few rungs run does not stand for it. */
static void a_large_problem_with_nearly_all_rungs_represents_the_kernel(void **state)
{
    (void)state;
    struct fixture f = {.run = 1, .device = "cuda:0"};
    add_rungs(&f, 64, 8);
    add_rungs(&f, 128, 6);
    add_rungs(&f, 256, 5);
    view(&f);
    const struct kernel_view *kernel = &f.view.kernels[0];
    assert_string_equal(ladder_of(kernel_representative(kernel, &kernel->ladders[0]))->problem, "sort:n=128,f32");
    put_away(&f);
}

static void problems_are_spread_evenly(void **state)
{
    (void)state;
    struct fixture f = {.run = 1, .device = "cuda:0"};
    struct panels panels;
    for (unsigned n = 1; n <= 64; n *= 2)
        add_ladder(&f, n); /* 7 problems */
    add(&f, 128, "copy", 10);
    add(&f, 128, "fast", 20); /* one rung is no ladder */
    f.device = "opencl:0";
    add_ladder(&f, 1);
    view(&f);
    panels_make(&f.view.kernels[0], &panels);
    assert_int_equal(panels.row_count, 1); /* OpenCL on a CPU has none */
    assert_int_equal(panels.panel_count, PANEL_COLUMNS);
    static const char *const shown[] = {"sort:n=1,f32", "sort:n=4,f32", "sort:n=16,f32", "sort:n=64,f32"};
    for (size_t i = 0; i < PANEL_COLUMNS; i++)
        assert_string_equal(ladder_of(panels.rows[0].ladders[i])->problem, shown[i]);
    put_away(&f);
}

static void one_axis_serves_all_panels(void **state)
{
    (void)state;
    struct fixture f = {.run = 1, .device = "cuda:0"};
    struct panels panels;
    add_ladder(&f, 1);
    add_ladder(&f, 2);
    add(&f, 2, "third", 50);
    view(&f);
    panels_make(&f.view.kernels[0], &panels);
    assert_int_equal(panels.panel_count, 2);
    assert_true(panels.most == PANEL_SHARE_MOST);
    assert_int_equal(panels.rows[0].rung_count, 3); /* a rung of one panel has its height in all */
    assert_non_null(panel_entry(panels.rows[0].ladders[1], "third"));
    assert_null(panel_entry(panels.rows[0].ladders[0], "third"));
    put_away(&f);
}

static double rate_at(const struct versions *versions, const char *rung, double x)
{
    for (size_t i = 0; i < versions->sizes.line_count; i++)
        for (size_t p = 0; p < versions->sizes.lines[i].count; p++) {
            const struct size_point *point = &versions->sizes.points[versions->sizes.lines[i].first + p];
            if (strcmp(versions->sizes.lines[i].rung, rung) == 0 && point->x == x)
                return point->entry->rate;
        }
    return 0;
}

static void versions_are_in_the_order_of_their_days(void **state)
{
    (void)state;
    struct fixture f = {.device = "cuda:0"};
    struct versions versions;
    struct error error;
    for (f.run = 1; f.run <= 3; f.run++) {
        f.version = f.run == 3 ? "old" : "new"; /* run 3 is of an older day */
        add_ladder(&f, 1);
        add(&f, 1, "tuned", f.run == 1 ? 20 : 40);
    }
    view(&f);
    assert_int_equal(versions_make(f.view.kernels[0].ladders, &versions, &error), STATUS_OK);
    assert_int_equal(versions.count, 2);
    assert_string_equal(versions.names[0], "old");
    assert_string_equal(versions.names[1], "new");
    assert_int_equal(versions.sizes.line_count, 4);    /* three rungs and the ceiling */
    assert_true(rate_at(&versions, "tuned", 2) == 25); /* of the version's newest run, not of its best */
    assert_true(rate_at(&versions, "copy", 1) == 100);
    versions_free(&versions);
    put_away(&f);
}

static void one_version_has_no_chart(void **state)
{
    (void)state;
    struct fixture f = {.run = 1, .device = "cuda:0", .version = "only"};
    struct versions versions;
    struct error error;
    add_ladder(&f, 1);
    view(&f);
    assert_int_equal(versions_make(f.view.kernels[0].ladders, &versions, &error), STATUS_OK);
    assert_int_equal(versions.sizes.line_count, 0);
    versions_free(&versions);
    put_away(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_problem_with_nearly_all_rungs_represents_the_kernel),
        cmocka_unit_test(problems_are_spread_evenly),
        cmocka_unit_test(one_axis_serves_all_panels),
        cmocka_unit_test(versions_are_in_the_order_of_their_days),
        cmocka_unit_test(one_version_has_no_chart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
