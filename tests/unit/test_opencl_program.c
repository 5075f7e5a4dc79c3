/* OpenCL: programs and launches, on the first device there is. */
#include "opencl_device.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"

static void a_build_error_shows_the_user_s_file_and_line(void **state)
{
    NEEDS_DEVICE();
    static const char text[] = "__kernel void f(__global int *a)\n{\n    a[0] = nowhere;\n}\n";
    const struct program_source source = {.name = "dir/my \"own\".cl", .text = text};
    struct program *program;
    enum status status = program_build(device, &source, &program, &error);
    assert_null(program);
    expect_words(status, STATUS_INVALID, "nowhere");
    expect_words(status, STATUS_INVALID, "dir/my \"own\".cl does not compile on opencl:0");
    expect_words(status, STATUS_INVALID, "my \"own\".cl:3:");
    assert_null(strchr(error.text, '\n'));
}

/* PoCL's compiler counts its warnings on standard error, in the midst of a table; the text is another one each time, so
 * that no cache has it. */
static void a_warning_is_no_word_on_standard_error(void **state)
{
    NEEDS_DEVICE();
    char text[256], said[256] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    snprintf(text, sizeof text, "#warning %d at %lld\n__kernel void f(__global int *a) { a[0] = 1; }", (int)getpid(),
             (long long)clock_now());
    fflush(stderr);
    const int own = dup(STDERR_FILENO);
    assert_true(own >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    struct program *program = build(text, NULL, 0);
    dup2(own, STDERR_FILENO);
    close(own);
    program_discard(program);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = 0;
    fclose(file);
    assert_string_equal(said, "");
}

static void cuda_c_is_refused(void **state)
{
    NEEDS_DEVICE();
    const struct program_source source = {.name = "mine.cu", .text = "", .language = LANGUAGE_CUDA_C};
    struct program *program;
    expect_words(program_build(device, &source, &program, &error), STATUS_UNAVAILABLE, "mine.cu is CUDA C");
    assert_null(program);
}

static void definitions_reach_the_program(void **state)
{
    NEEDS_DEVICE();
    static const char *const defines[] = {"VALUE=7", "WORD=unsigned int", "FLAG"};
    struct program *program = build("__kernel void f(__global WORD *a) { a[0] = VALUE; a[1] = FLAG; }", defines, 3);
    struct buffer buffer = allocate(8);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    uint32_t out[2];
    expect_ok(launch_over(program, "f", 1, (size_t[]){1, 1, 1}, (size_t[]){1, 1, 1}, &argument, 1));
    expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
    assert_int_equal(out[0], 7);
    assert_int_equal(out[1], 1);
    buffer_release(&buffer);
    program_discard(program);
}

static void launches_cover_1_to_3_dimensions(void **state)
{
    NEEDS_DEVICE();
    static const size_t group[3] = {4, 2, 3}, groups[3] = {3, 5, 2};
    struct program *program = build("__kernel void f(__global int *a) {\n"
                                    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
                                    "    int at = x + get_global_size(0) * (y + get_global_size(1) * z);\n"
                                    "    a[at] = x + 100 * y + 10000 * z + 1000000 * (int)get_local_size(0);\n"
                                    "}\n",
                                    NULL, 0);
    for (int rank = 1; rank <= 3; rank++) {
        size_t g[3] = {1, 1, 1}, gs[3] = {1, 1, 1}, n[3] = {1, 1, 1};
        for (int i = 0; i < rank; i++) {
            g[i] = group[i];
            gs[i] = groups[i];
            n[i] = group[i] * groups[i];
        }
        int32_t out[12 * 10 * 6];
        struct buffer buffer = allocate(sizeof out);
        const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
        expect_ok(buffer_fill(&buffer, 0, 0xFF, sizeof out, &error));
        expect_ok(launch_over(program, "f", rank, g, gs, &argument, 1));
        expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
        for (size_t at = 0; at < COUNT_OF(out); at++) {
            size_t x = at % n[0], y = at / n[0] % n[1], z = at / n[0] / n[1];
            assert_int_equal(out[at], at < n[0] * n[1] * n[2] ? (int)(x + 100 * y + 10000 * z + 4000000) : -1);
        }
        buffer_release(&buffer);
    }
    program_discard(program);
}

static void an_empty_launch_does_nothing(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build("__kernel void f(__global int *a) { a[0] = 1; }", NULL, 0);
    expect_ok(launch_over(program, "f", 2, (size_t[]){8, 8, 1}, (size_t[]){0, 3, 1}, NULL, 0));
    program_discard(program);
}

static void scalars_of_all_kinds_arrive(void **state)
{
    NEEDS_DEVICE();
    if (!device->properties.has_double)
        skip();
    struct program *program = build("__kernel void f(__global double *a, int i, long l, float f, double d)\n"
                                    "{ a[0] = i; a[1] = l; a[2] = f; a[3] = d; }",
                                    NULL, 0);
    struct buffer buffer = allocate(4 * sizeof(double));
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer},
                                               {.kind = ARGUMENT_INT, .int_value = -7},
                                               {.kind = ARGUMENT_LONG, .long_value = -((int64_t)1 << 40)},
                                               {.kind = ARGUMENT_FLOAT, .float_value = 0.25f},
                                               {.kind = ARGUMENT_DOUBLE, .double_value = 1e-300}};
    static const size_t one[3] = {1, 1, 1};
    double out[4];
    expect_ok(launch_over(program, "f", 1, one, one, arguments, COUNT_OF(arguments)));
    expect_ok(buffer_read(&buffer, 0, out, sizeof out, &error));
    assert_true(out[0] == -7 && out[1] == -(double)((int64_t)1 << 40) && out[2] == 0.25 && out[3] == 1e-300);
    buffer_release(&buffer);
    program_discard(program);
}

static void items_of_a_group_meet_at_a_barrier(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build("__kernel group_shape(64, 1, 1) void f(__global float *a)\n"
                                    "{\n"
                                    "    local_array float tile[64];\n"
                                    "    int i = get_local_id(0);\n"
                                    "    local_pointer float *p = tile;\n"
                                    "    p[i] = load_evict_first(a + get_global_id(0));\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    VECTOR(float, 2) v = make_float2(p[63 - i], 1.0f);\n"
                                    "    store_evict_first(a + get_global_id(0), v.x + v.y);\n"
                                    "}\n",
                                    NULL, 0);
    float data[256];
    for (int i = 0; i < 256; i++)
        data[i] = (float)i;
    struct buffer buffer = allocate(sizeof data);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    expect_ok(buffer_write(&buffer, 0, data, sizeof data, &error));
    expect_ok(launch_over(program, "f", 1, (size_t[]){64, 1, 1}, (size_t[]){4, 1, 1}, &argument, 1));
    expect_ok(buffer_read(&buffer, 0, data, sizeof data, &error));
    for (int i = 0; i < 256; i++)
        assert_true(data[i] == (float)((i | 63) - i % 64 + 1));
    buffer_release(&buffer);
    program_discard(program);
}

/* The prelude has words for sub-groups; what they do does not depend on their size here. */
static void items_of_a_sub_group_see_each_other(void **state)
{
    NEEDS_DEVICE();
    struct program *program = build(
        "__kernel group_shape(32, 2, 1) void f(__global float *a)\n"
        "{\n"
        "#if HAS_SUB_GROUPS\n"
        "    uint lane = get_sub_group_local_id(), size = get_sub_group_size();\n"
        "    double low = sub_group_shuffle_up((double)lane, 1u);\n"
        "    float high = sub_group_shuffle_down((float)lane, 1u);\n"
        "    int good = sub_group_shuffle((int)lane, 3u) == 3 && sub_group_shuffle_xor((long)lane, 1u) == (lane ^ 1);\n"
        "    good &= lane == 0 || low == lane - 1;\n"
        "    good &= lane == size - 1 || high == lane + 1;\n"
        "    good &= (sub_group_ballot(lane == 2).x == 4u);\n"
        "    good &= get_sub_group_id() < get_num_sub_groups();\n"
        "    sub_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    a[get_local_id(1) * 32 + get_local_id(0)] = good ? 1 : -1;\n"
        "#else\n"
        "    a[get_local_id(1) * 32 + get_local_id(0)] = 0;\n"
        "#endif\n"
        "}\n",
        NULL, 0);
    float data[64];
    struct buffer buffer = allocate(sizeof data);
    const struct argument_value argument = {.kind = ARGUMENT_BUFFER, .buffer = &buffer};
    expect_ok(launch_over(program, "f", 2, (size_t[]){32, 2, 1}, (size_t[]){1, 1, 1}, &argument, 1));
    expect_ok(buffer_read(&buffer, 0, data, sizeof data, &error));
    for (int i = 0; i < 64; i++)
        assert_true(data[i] == data[0] && data[i] >= 0);
    buffer_release(&buffer);
    program_discard(program);
}

static void wrong_launches_say_what_is_wrong(void **state)
{
    NEEDS_DEVICE();
    struct program *program =
        build("__kernel void f(__global int *a, long n) { a[0] = n; }\n"
              "__kernel group_shape(8, 1, 1) void g(__global int *a) { a[get_global_id(0)] = 1; }",
              NULL, 0);
    struct buffer buffer = allocate(64);
    struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer},
                                         {.kind = ARGUMENT_LONG, .long_value = 5},
                                         {.kind = ARGUMENT_INT, .int_value = 5}};
    static const size_t one[3] = {1, 1, 1}, sixteen[3] = {16, 1, 1};
    expect_words(launch_over(program, "f", 1, one, one, arguments, 1), STATUS_INVALID, "has 2 arguments, and 1");
    expect_words(launch_over(program, "f", 1, one, one, arguments, 3), STATUS_INVALID, "has 2 arguments, and 3");
    expect_words(launch_over(program, "nobody", 1, one, one, arguments, 2), STATUS_INVALID, "no kernel called nobody");
    arguments[1] = arguments[2];
    expect_words(launch_over(program, "f", 1, one, one, arguments, 2), STATUS_INVALID, "argument 2 of kernel f");
    expect_words(launch_over(program, "g", 1, sixteen, one, arguments, 1), STATUS_UNAVAILABLE, "group");
    const struct launch dynamic = {.entry = "f", .rank = 1, .group = {1, 1, 1}, .groups = {1, 1, 1}, .local_bytes = 4};
    expect_words(program_launch(program, &dynamic, &error), STATUS_INVALID, "local memory");
    buffer_release(&buffer);
    program_discard(program);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_build_error_shows_the_user_s_file_and_line),
        cmocka_unit_test(a_warning_is_no_word_on_standard_error),
        cmocka_unit_test(cuda_c_is_refused),
        cmocka_unit_test(definitions_reach_the_program),
        cmocka_unit_test(launches_cover_1_to_3_dimensions),
        cmocka_unit_test(an_empty_launch_does_nothing),
        cmocka_unit_test(scalars_of_all_kinds_arrive),
        cmocka_unit_test(items_of_a_group_meet_at_a_barrier),
        cmocka_unit_test(items_of_a_sub_group_see_each_other),
        cmocka_unit_test(wrong_launches_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
