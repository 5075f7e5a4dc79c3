/* The checks that every backend gets: names, ranges, the shape of launches, programs that are kept. They run on null,
 * which needs nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backends/all.h"
#include "backends/backend.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "between.h"

static struct device *device;
static struct program *program;

static int open_null(void **state)
{
    (void)state;
    static const struct program_source source = {.name = "any.cl", .text = ""};
    struct error error;
    if (device_open("null", &device, &error) != STATUS_OK)
        return -1;
    return program_build(device, &source, &program, &error) == STATUS_OK ? 0 : -1;
}

static int close_null(void **state)
{
    (void)state;
    program_discard(program);
    device_close(device);
    return 0;
}

static void expect_open(const char *id, enum status expected, const char *words)
{
    struct device *opened = device;
    struct error error = {""};
    assert_int_equal(device_open(id, &opened, &error), expected);
    assert_null(opened);
    if (!strstr(error.text, words))
        fail_msg("%s: \"%s\" does not say \"%s\"", id, error.text, words);
}

static void a_wrong_name_gets_the_closest_match(void **state)
{
    (void)state;
    expect_open("cqu", STATUS_INVALID, "did you mean cpu?");
    expect_open("nul", STATUS_INVALID, "did you mean null?");
    expect_open("zzzzzzzz", STATUS_INVALID, "cpu");
    expect_open("", STATUS_INVALID, "device");
    expect_open("a-name-that-is-longer-than-any-device-has:1", STATUS_INVALID, "opencl:1");
}

static void a_wrong_number_is_refused(void **state)
{
    (void)state;
    expect_open("cpu:x", STATUS_INVALID, "cpu:x");
    expect_open("cpu:-1", STATUS_INVALID, "cpu:-1");
    expect_open("cpu:", STATUS_INVALID, "cpu:");
    expect_open("null:1", STATUS_UNAVAILABLE, "1 null device");
    expect_open("cpu:99999999999", STATUS_UNAVAILABLE, "cpu:0");
}

static void the_number_0_may_be_spelled_out(void **state)
{
    (void)state;
    struct device *opened;
    struct error error;
    assert_int_equal(device_open("null:0", &opened, &error), STATUS_OK);
    assert_string_equal(opened->id, "null");
    device_close(opened);
    device_close(NULL);
}

static void ranges_outside_a_buffer_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t offset, bytes;
        bool fits;
    } ranges[] = {{0, 100, true},  {100, 0, true},       {99, 1, true},        {0, 101, false},
                  {101, 0, false}, {SIZE_MAX, 1, false}, {1, SIZE_MAX, false}, {SIZE_MAX, SIZE_MAX, false}};
    unsigned char host[128] = {0};
    struct buffer buffer;
    struct error error;
    assert_int_equal(buffer_allocate(device, 100, &buffer, &error), STATUS_OK);
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        size_t offset = ranges[i].offset, bytes = ranges[i].bytes;
        enum status expected = ranges[i].fits ? STATUS_OK : STATUS_INVALID;
        assert_int_equal(buffer_write(&buffer, offset, host, bytes, &error), expected);
        assert_int_equal(buffer_read(&buffer, offset, host, bytes, &error), expected);
        assert_int_equal(buffer_fill(&buffer, offset, 7, bytes, &error), expected);
    }
    assert_non_null(strstr(error.text, "100 bytes"));
    buffer_release(&buffer);
}

static void copies_must_fit_and_not_overlap(void **state)
{
    (void)state;
    struct buffer a, b, never = {0};
    struct error error;
    assert_int_equal(buffer_allocate(device, 100, &a, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(device, 50, &b, &error), STATUS_OK);
    assert_int_equal(buffer_copy(&a, 50, &b, 0, 50, &error), STATUS_OK);
    assert_int_equal(buffer_copy(&a, 51, &b, 0, 50, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "target"));
    assert_int_equal(buffer_copy(&a, 0, &b, 1, 50, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "source"));
    assert_int_equal(buffer_copy(&a, 0, &a, 50, 50, &error), STATUS_OK);
    assert_int_equal(buffer_copy(&a, 0, &a, 49, 50, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "overlap"));
    assert_int_equal(buffer_copy(&a, 0, &never, 0, 1, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "never allocated"));
    buffer_release(&a);
    buffer_release(&b);
    buffer_release(&never);
}

static void copies_stay_on_one_device(void **state)
{
    (void)state;
    struct device *cpu;
    struct buffer here, there;
    struct error error;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(device, 8, &here, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(cpu, 8, &there, &error), STATUS_OK);
    assert_int_equal(buffer_copy(&here, 0, &there, 0, 8, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "cpu"));
    assert_non_null(strstr(error.text, "null"));
    buffer_release(&there);
    buffer_release(&here);
    device_close(cpu);
}

static void views_start_at_the_alignment_and_stay_inside(void **state)
{
    (void)state;
    struct buffer parent, view;
    struct error error;
    assert_int_equal(buffer_allocate(device, (size_t)3 * BUFFER_ALIGNMENT, &parent, &error), STATUS_OK);
    assert_int_equal(buffer_view(&parent, BUFFER_ALIGNMENT, 10, &view, &error), STATUS_OK);
    assert_int_equal(view.bytes, 10);
    assert_true(view.is_view);
    buffer_release(&view);
    assert_int_equal(buffer_view(&parent, BUFFER_ALIGNMENT / 2, 10, &view, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "multiple"));
    assert_int_equal(buffer_view(&parent, BUFFER_ALIGNMENT, (size_t)2 * BUFFER_ALIGNMENT + 1, &view, &error),
                     STATUS_INVALID);
    buffer_release(&view); /* zeroed by the refusal */
    buffer_release(&parent);
}

static const struct launch good = {.entry = "kernel", .rank = 2, .group = {32, 8, 1}, .groups = {10, 10, 1}};

static void expect_launch(const struct launch *launch, enum status expected, const char *words)
{
    struct error error = {""};
    assert_int_equal(program_launch(program, launch, &error), expected);
    if (!strstr(error.text, words))
        fail_msg("\"%s\" does not say \"%s\"", error.text, words);
}

static void wrong_shapes_are_refused(void **state)
{
    (void)state;
    struct launch launch = good;
    expect_launch(&launch, STATUS_OK, "");
    launch.rank = 0;
    expect_launch(&launch, STATUS_INVALID, "dimensions");
    launch.rank = 4;
    expect_launch(&launch, STATUS_INVALID, "dimensions");
    launch.rank = 1;
    expect_launch(&launch, STATUS_INVALID, "beyond");
    launch = good;
    launch.group[1] = 0;
    expect_launch(&launch, STATUS_INVALID, "dimension 1");
    launch = good;
    launch.groups[0] = launch.groups[1] = SIZE_MAX / 2;
    expect_launch(&launch, STATUS_INVALID, "64 bits");
    launch = good;
    launch.groups[1] = 0;
    expect_launch(&launch, STATUS_OK, "");
}

static void the_device_s_limits_are_named(void **state)
{
    (void)state;
    struct launch launch = good;
    launch.group[1] = 33;
    expect_launch(&launch, STATUS_UNAVAILABLE, "at most 1024");
    launch = good;
    launch.group[0] = 2048;
    launch.group[1] = 1;
    expect_launch(&launch, STATUS_UNAVAILABLE, "2048");
    launch = good;
    launch.local_bytes = (size_t)1 << 30;
    expect_launch(&launch, STATUS_UNAVAILABLE, "local memory");
    device->properties.grid_groups[1] = 9;
    expect_launch(&good, STATUS_UNAVAILABLE, "at most 9");
    device->properties.grid_groups[1] = 0;
    device->properties.group_size[0] = 16;
    expect_launch(&good, STATUS_UNAVAILABLE, "at most 16");
    device->properties.group_size[0] = 1024;
}

static void buffer_arguments_must_be_the_device_s(void **state)
{
    (void)state;
    struct device *cpu;
    struct buffer theirs, never = {0};
    struct error error;
    assert_int_equal(device_open("cpu", &cpu, &error), STATUS_OK);
    assert_int_equal(buffer_allocate(cpu, 8, &theirs, &error), STATUS_OK);
    struct argument_value arguments[] = {{.kind = ARGUMENT_INT, .int_value = 1},
                                         {.kind = ARGUMENT_BUFFER, .buffer = &never}};
    struct launch launch = good;
    launch.arguments = arguments;
    launch.argument_count = 2;
    expect_launch(&launch, STATUS_INVALID, "argument 2");
    arguments[1].buffer = &theirs;
    expect_launch(&launch, STATUS_INVALID, "cpu");
    arguments[1].buffer = NULL;
    expect_launch(&launch, STATUS_INVALID, "never allocated");
    buffer_release(&theirs);
    device_close(cpu);
}

/* ---- programs that are kept ---- */

static size_t builds, discards;

static enum status count_build(struct device *on, const struct program_source *source, struct program **made,
                               struct error *error)
{
    builds++;
    return backend_null.build(on, source, made, error);
}

static void count_discard(struct program *unwanted)
{
    discards++;
    backend_null.discard(unwanted);
}

static struct program *build_numbered(struct device *on, int number)
{
    char define[32];
    const char *const defines[] = {define};
    const struct program_source source = {.name = "any.cl", .text = "", .defines = defines, .define_count = 1};
    struct program *built;
    struct error error;
    snprintf(define, sizeof define, "N=%d", number);
    assert_int_equal(program_build(on, &source, &built, &error), STATUS_OK);
    return built;
}

/* Begins with a device of its own, whose backend counts. */
static struct device counting_device(struct backend *backend, bool keeps)
{
    struct device own = *device;
    *backend = backend_null;
    backend->build = count_build;
    backend->discard = count_discard;
    backend->keeps_programs = keeps;
    own.backend = backend;
    own.programs = NULL;
    builds = discards = 0;
    return own;
}

static void a_program_without_users_serves_the_next(void **state)
{
    (void)state;
    struct backend backend;
    struct device own = counting_device(&backend, true);
    struct program *first = build_numbered(&own, 1), *other = build_numbered(&own, 2);
    assert_ptr_not_equal(first, other);
    program_discard(first);
    assert_int_equal(discards, 0);
    assert_ptr_equal(build_numbered(&own, 1), first);
    assert_int_equal(builds, 2);
    program_discard(first);
    program_release_idle(&own);
    assert_int_equal(discards, 1); /* the other has its user */
    program_discard(other);
    program_release_idle(&own);
    assert_int_equal(discards, 2);
    assert_null(own.programs);
}

/* Those that were used last are kept, however many were built. */
static void programs_used_long_ago_are_released(void **state)
{
    (void)state;
    struct backend backend;
    struct device own = counting_device(&backend, true);
    struct program *used = build_numbered(&own, -1);
    for (int i = 0; i < 1000; i++) {
        program_discard(build_numbered(&own, i));
        program_discard(build_numbered(&own, 0));
    }
    assert_int_equal(builds, 1 + 1000);
    assert_between(discards, 1000 - 200, 1000 - 10);
    program_discard(used);
    program_release_idle(&own);
    assert_int_equal(discards, builds);
    assert_null(own.programs);
}

static void other_backends_keep_none(void **state)
{
    (void)state;
    struct backend backend;
    struct device own = counting_device(&backend, false);
    for (int i = 0; i < 3; i++)
        program_discard(build_numbered(&own, 1));
    assert_int_equal(builds, 3);
    assert_int_equal(discards, 3);
    assert_null(own.programs);
}

static void nothing_is_fine_to_destroy(void **state)
{
    (void)state;
    struct buffer buffer = {0};
    buffer_release(&buffer);
    program_discard(NULL);
    event_destroy(NULL);
    device_close(NULL);
    assert_null(buffer.device);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_name_gets_the_closest_match),
        cmocka_unit_test(a_wrong_number_is_refused),
        cmocka_unit_test(the_number_0_may_be_spelled_out),
        cmocka_unit_test(ranges_outside_a_buffer_are_refused),
        cmocka_unit_test(copies_must_fit_and_not_overlap),
        cmocka_unit_test(copies_stay_on_one_device),
        cmocka_unit_test(views_start_at_the_alignment_and_stay_inside),
        cmocka_unit_test(wrong_shapes_are_refused),
        cmocka_unit_test(the_device_s_limits_are_named),
        cmocka_unit_test(buffer_arguments_must_be_the_device_s),
        cmocka_unit_test(a_program_without_users_serves_the_next),
        cmocka_unit_test(programs_used_long_ago_are_released),
        cmocka_unit_test(other_backends_keep_none),
        cmocka_unit_test(nothing_is_fine_to_destroy),
    };
    return cmocka_run_group_tests(tests, open_null, close_null);
}
