/* OpenGL: properties, memory, programs, launches and events, on the first device there is (llvmpipe makes one of any
 * processor). */
#include "opengl_device.h"

#include <unistd.h>

#include "backends/opengl/program.h"
#include "base/size.h"

static void properties_are_plausible(void **state)
{
    NEEDS_DEVICE();
    const struct device_properties *p = &device->properties;
    assert_string_equal(device->id, "opengl:0");
    assert_true(p->name[0] && p->vendor[0] && p->driver[0]);
    assert_int_equal(strncmp(p->version, "OpenGL 4.", 9), 0);
    assert_true(p->local_bytes_per_group >= (uint64_t)32 << 10); /* OpenGL 4.3 promises so much */
    assert_true(p->group_items >= 1024 && p->group_size[0] >= 1024 && p->grid_groups[2] >= 65535);
    assert_true(p->has_double);
    assert_null(strchr(p->name, '/'));
    if (p->is_cpu) {
        assert_true(p->unified_memory);
        assert_int_equal(p->units, sysconf(_SC_NPROCESSORS_ONLN));
        assert_int_equal(p->memory_bytes, sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE));
    }
}

static void memory_keeps_what_is_written(void **state)
{
    NEEDS_DEVICE();
    unsigned char in[5000], out[5000];
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (unsigned char)(i * 37 >> 2);
    struct buffer buffer = allocate(sizeof in), other = allocate(sizeof in);
    expect_ok(buffer_write(&buffer, 0, in, sizeof in, &error));
    expect_ok(buffer_fill(&other, 0, 0xAB, sizeof in, &error));
    expect_ok(buffer_copy(&other, 3, &buffer, 1, 4001, &error));
    expect_ok(buffer_fill(&other, 4321, 0x7E, 3, &error));
    expect_ok(buffer_read(&other, 0, out, sizeof out, &error));
    assert_memory_equal(out + 3, in + 1, 4001);
    assert_int_equal(out[2], 0xAB);
    assert_int_equal(out[4004], 0xAB);
    assert_int_equal(out[4320], 0xAB);
    assert_int_equal(out[4321], 0x7E);
    assert_int_equal(out[4323], 0x7E);
    assert_int_equal(out[4324], 0xAB);
    buffer_release(&other);
    buffer_release(&buffer);
}

static void views_are_windows(void **state)
{
    NEEDS_DEVICE();
    struct buffer whole = allocate(4 * BUFFER_ALIGNMENT), first, second, inner;
    unsigned char byte = 0;
    expect_ok(buffer_fill(&whole, 0, 1, whole.bytes, &error));
    expect_ok(buffer_view(&whole, 0, BUFFER_ALIGNMENT, &first, &error));
    expect_ok(buffer_view(&whole, BUFFER_ALIGNMENT, 3 * BUFFER_ALIGNMENT, &second, &error));
    expect_ok(buffer_view(&second, BUFFER_ALIGNMENT, BUFFER_ALIGNMENT, &inner, &error));
    expect_ok(buffer_fill(&inner, 0, 9, inner.bytes, &error));
    expect_ok(buffer_copy(&first, 0, &inner, 0, BUFFER_ALIGNMENT, &error)); /* of one buffer, and apart */
    expect_ok(buffer_read(&whole, BUFFER_ALIGNMENT - 1, &byte, 1, &error));
    assert_int_equal(byte, 9);
    expect_ok(buffer_read(&whole, 2 * BUFFER_ALIGNMENT - 1, &byte, 1, &error));
    assert_int_equal(byte, 1);
    expect_words(buffer_copy(&second, 0, &inner, 0, BUFFER_ALIGNMENT, &error), STATUS_OK, "");
    expect_words(buffer_copy(&second, 100 + BUFFER_ALIGNMENT, &inner, 0, 1000, &error), STATUS_INVALID, "overlap");
    buffer_release(&inner);
    buffer_release(&second);
    buffer_release(&first);
    buffer_release(&whole);
}

static void large_buffers_are_refused_with_a_word(void **state)
{
    NEEDS_DEVICE();
    struct buffer buffer;
    const size_t most = (size_t)((struct opengl_device *)device)->block_bytes;
    assert_true(most <= (size_t)1 << 31);
    expect_words(buffer_allocate(device, most + 1, &buffer, &error), STATUS_UNAVAILABLE,
                 "GL_MAX_SHADER_STORAGE_BLOCK_SIZE");
}

#define SCALED                                                     \
    "layout(local_size_x = GROUP_X) in;\n"                         \
    "layout(binding = 0) buffer Numbers { ELEMENT numbers[]; };\n" \
    "layout(location = 1) uniform int count;\n"                    \
    "layout(location = 2) uniform ELEMENT factor;\n"               \
    "layout(location = 3) uniform int unused;\n"                   \
    "void main()\n"                                                \
    "{\n"                                                          \
    "    int i = int(gl_GlobalInvocationID.x);\n"                  \
    "    if (i < count)\n"                                         \
    "        numbers[i] *= factor;\n"                              \
    "}\n"

static enum status scale(struct program *program, const struct buffer *numbers, struct argument_value factor,
                         int64_t count, size_t group)
{
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = numbers},
                                               {.kind = ARGUMENT_LONG, .long_value = count},
                                               factor,
                                               {.kind = ARGUMENT_LONG, .long_value = 1}};
    const struct launch launch = {.entry = "main",
                                  .rank = 1,
                                  .group = {group, 1, 1},
                                  .groups = {3, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return program_launch(program, &launch, &error);
}

static void launches_do_what_they_are_told(void **state)
{
    NEEDS_DEVICE();
    static const struct argument_value three = {.kind = ARGUMENT_FLOAT, .float_value = 3};
    float numbers[12];
    struct program *program;
    struct buffer whole = allocate(BUFFER_ALIGNMENT + sizeof numbers), view;
    struct event *begin, *end;
    double nanoseconds = -1;
    for (int i = 0; i < 12; i++)
        numbers[i] = (float)i;
    expect_ok(buffer_view(&whole, BUFFER_ALIGNMENT, sizeof numbers, &view, &error));
    expect_ok(buffer_write(&view, 0, numbers, sizeof numbers, &error));
    expect_ok(build(SCALED, &program));
    expect_ok(event_create(device, &begin, &error));
    expect_ok(event_create(device, &end, &error));
    expect_words(event_elapsed(begin, end, &nanoseconds, &error), STATUS_INVALID, "never recorded");
    expect_ok(event_record(begin, &error));
    expect_ok(scale(program, &view, three, 11, 4));
    expect_ok(scale(program, &view, three, 5, 4)); /* sees what the first has stored */
    expect_ok(event_record(end, &error));
    expect_ok(event_elapsed(begin, end, &nanoseconds, &error));
    assert_true(nanoseconds > 0);
    expect_ok(buffer_read(&view, 0, numbers, sizeof numbers, &error));
    for (int i = 0; i < 12; i++)
        assert_float_equal(numbers[i], i * (i < 5 ? 9 : i < 11 ? 3 : 1), 0);
    event_destroy(end);
    event_destroy(begin);
    program_discard(program);
    buffer_release(&view);
    buffer_release(&whole);
}

static void launches_that_cannot_be_are_refused(void **state)
{
    NEEDS_DEVICE();
    static const struct argument_value three = {.kind = ARGUMENT_FLOAT, .float_value = 3},
                                       wide = {.kind = ARGUMENT_DOUBLE, .double_value = 3},
                                       whole = {.kind = ARGUMENT_LONG, .long_value = 3};
    struct program *program;
    struct buffer numbers = allocate(64);
    expect_ok(build(SCALED, &program));
    expect_words(scale(program, &numbers, three, 4, 8), STATUS_INVALID, "the launch asks for 8 x 1 x 1");
    expect_words(scale(program, &numbers, three, (int64_t)1 << 31, 4), STATUS_UNAVAILABLE, "argument 2 is 2147483648");
    expect_words(scale(program, &numbers, wide, 4, 4), STATUS_INVALID, "argument 3 is given as a double");
    expect_words(scale(program, &numbers, whole, 4, 4), STATUS_INVALID, "argument 3 is given as an integer");
    program_discard(program);
    buffer_release(&numbers);
}

static void mistakes_are_named_by_file_and_line(void **state)
{
    NEEDS_DEVICE();
    struct program *program;
    const struct program_source opencl = {"a.cl", "__kernel void a() {}", LANGUAGE_OPENCL_C, NULL, 0};
    expect_words(build("layout(local_size_x = 1) in;\nvoid main()\n{\n    int i = nowhere;\n}\n", &program),
                 STATUS_INVALID, "test.glsl:4: ");
    expect_words(program_build(device, &opencl, &program, &error), STATUS_UNAVAILABLE, "a.cl is not GLSL");
}

static void logs_of_both_forms_are_read(void **state)
{
    (void)state;
    char text[200];
    opengl_log_errors("0:7(12): error: no such thing\n0:9(1): warning: odd\n", "a.glsl", text, sizeof text);
    assert_string_equal(text, "a.glsl:7: error: no such thing");
    opengl_log_errors("1(33) : error C1503: undefined variable \"x\"\n", "b.glsl", text, sizeof text);
    assert_string_equal(text, "b.glsl:33: error C1503: undefined variable \"x\"");
    opengl_log_errors("error: too much shared memory\n", "c.glsl", text, sizeof text);
    assert_string_equal(text, "error: too much shared memory");
    opengl_log_errors("", "c.glsl", text, sizeof text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(properties_are_plausible),
        cmocka_unit_test(memory_keeps_what_is_written),
        cmocka_unit_test(views_are_windows),
        cmocka_unit_test(large_buffers_are_refused_with_a_word),
        cmocka_unit_test(launches_do_what_they_are_told),
        cmocka_unit_test(launches_that_cannot_be_are_refused),
        cmocka_unit_test(mistakes_are_named_by_file_and_line),
        cmocka_unit_test(logs_of_both_forms_are_read),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
