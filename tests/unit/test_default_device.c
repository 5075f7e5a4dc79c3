/* The default device for a problem: by measured times that are made up here, with and without the time of its opening.
 * Skipped where no OpenCL device is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "library/default_device.h"
#include "uskor.h"

#define PROBLEM "matmul:m=64,n=64,k=64,f32"
#define CPU_NS 1e9

static char name[] = "/tmp/uskor-default-XXXXXX";

static void add_time(FILE *file, const struct device *device, const char *rung, double nanoseconds)
{
    struct tuned_entry entry = {.count = 1};
    assert_int_equal(problem_parse(PROBLEM, &entry.problem, NULL), STATUS_OK);
    tuned_describe(device, (int)pool_threads(), &entry);
    snprintf(entry.times[0].rung, sizeof entry.times[0].rung, "%s", rung);
    entry.times[0].nanoseconds = nanoseconds;
    char *line = tuned_line(&entry);
    assert_true(line && fputs(line, file) >= 0);
    free(line);
}

/* A device whose opening takes longer than the cpu's computing, and whose copies and kernel are far shorter. */
static void add_copies(FILE *file, const struct device *device)
{
    struct transfers copies = {.opening = 2 * CPU_NS,
                               .to_device = {.bytes = {64}, .nanoseconds = {100}, .count = 1},
                               .from_device = {.bytes = {64}, .nanoseconds = {100}, .count = 1}};
    tuned_describe(device, 0, &copies.of);
    char *line = transfers_line(&copies);
    assert_true(line && fputs(line, file) >= 0);
    free(line);
}

static int write_measurements(void **state)
{
    struct device *cpu, *other = NULL;
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(device_open("cpu", &cpu, NULL), STATUS_OK);
    *state = NULL;
    if (device_open("opencl:0", &other, NULL) == STATUS_OK) {
        add_time(file, cpu, "packed", CPU_NS);
        add_time(file, other, "tiled", 2000);
        add_copies(file, other);
        *state = name;
    }
    device_close(other);
    device_close(cpu);
    return fclose(file);
}

static void expect_device(const char *text, bool opens_once, const char *id, const char *other)
{
    struct problem problem;
    struct device *device;
    struct error error;
    struct device_choice choice;
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    const struct device_wish wish = {
        .name = "auto", .described = true, .problem = &problem, .opens_once = opens_once, .choice = &choice};
    assert_int_equal(default_device_open(&wish, &device, &error), STATUS_OK);
    assert_string_equal(device->id, id);
    assert_true(choice.is_cpu_known);
    assert_string_equal(choice.other, other);
    device_close(device);
}

static void the_opening_counts_once(void **state)
{
    if (!*state)
        skip();
    expect_device(PROBLEM, true, "cpu", "");
    expect_device(PROBLEM, false, "opencl:0", "opencl:0");
}

static void a_program_asks_for_a_problem(void **state)
{
    struct uskor *uskor;
    float a[64 * 64], c[64 * 64];
    for (size_t i = 0; i < 64 * 64; i++)
        a[i] = i % 65 == 0 ? 2 : 0;
    assert_int_equal(uskor_open_for(&uskor, PROBLEM), USKOR_OK);
    assert_string_equal(uskor_device(uskor), *state ? "opencl:0" : "cpu");
    assert_int_equal(uskor_gemm(uskor, USKOR_FLOAT32, 0, 0, 64, 64, 64, 1, a, 64, a, 64, 0, c, 64), USKOR_OK);
    assert_true(c[0] == 4 && c[65] == 4 && c[1] == 0);
    uskor_close(uskor);
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK); /* without a problem */
    assert_string_equal(uskor_device(uskor), "cpu");
    uskor_close(uskor);
}

static void a_wrong_problem_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {NULL, "", "dot", "matmul:m=-1", "nonsense:n=1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct uskor *uskor = (struct uskor *)&uskor;
        const enum uskor_status status = uskor_open_for(&uskor, wrong[i]);
        if (wrong[i] && strcmp(wrong[i], "dot") == 0) { /* of the usual size */
            assert_int_equal(status, USKOR_OK);
            uskor_close(uskor);
            continue;
        }
        assert_int_equal(status, USKOR_INVALID);
        assert_null(uskor);
        assert_string_not_equal(uskor_message(NULL), "");
    }
    assert_int_equal(uskor_open_for(NULL, PROBLEM), USKOR_INVALID);
}

int main(void)
{
    const int file = mkstemp(name);
    if (file < 0)
        return 77;
    close(file);
    setenv("XDG_DATA_HOME", "/nonexistent", 1);
    setenv("USKOR_TUNED", name, 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_opening_counts_once, write_measurements),
        cmocka_unit_test_setup(a_program_asks_for_a_problem, write_measurements),
        cmocka_unit_test(a_wrong_problem_is_refused),
    };
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(name);
    return failures;
}
