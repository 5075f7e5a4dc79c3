/* Groups that are not recorded run, too, where a later launch reads what they write: by processes of their own, whose
 * results are there and whose crash is told. Two launches: one of a float for each item, then one of a single group. */
#include "base/size.h"
#include "traced.h"

enum { SIDE = 1024, COUNT = SIDE * SIDE, ROUNDS = 16 };

/* Each item reads 16 words of `in`: more than a trace records, so that most groups of `each` are not in the sample. */
#define SOURCE(statement)                                                                          \
    "// rung: r\n// idea: i\n// group: 32\n// groups: 32768\n"                                     \
    "__kernel void each(__global const float *in, __global float *out, long rows, long cols)\n{\n" \
    "    long i = get_global_id(0);\n"                                                             \
    "    out[i] = 0;\n"                                                                            \
    "    for (int k = 0; k < 16; k++)\n"                                                           \
    "        if (in[(i + 32 * k) % (rows * cols)] > 0.5f)\n"                                       \
    "            out[i] += 1;\n" statement "}\n"                                                   \
    "__kernel void last(__global const float *in, __global float *out, long rows, long cols)\n{\n" \
    "    int i = get_local_id(0);\n"                                                               \
    "    if (out[rows * cols - 1 - i] > 8)\n"                                                      \
    "        out[i] = out[rows * cols - 1 - i];\n}\n"

static size_t launches_of_each;

static enum status launch_both(struct run *run, struct error *why)
{
    enum status status = STATUS_OK;
    struct launch launch = *device_rung_ready(run);
    for (size_t i = 0; status == STATUS_OK && i < launches_of_each; i++) {
        launch.entry = "each";
        launch.group[0] = i == 0 ? 32 : 64; /* other shapes take other processes */
        launch.groups[0] = COUNT / launch.group[0];
        status = program_launch(device_rung_program(run), &launch, why);
    }
    launch.entry = "last";
    launch.group[0] = 32;
    launch.groups[0] = 1;
    return status == STATUS_OK ? program_launch(device_rung_program(run), &launch, why) : status;
}

static size_t expected_of(const float *in, size_t i)
{
    size_t above = 0;
    for (size_t k = 0; k < ROUNDS; k++)
        above += in[(i + 32 * k) % COUNT] > 0.5F;
    return above;
}

/* Every item's number, but for the first 32, which `last` replaces by chance. */
static void every_group_wrote(void *context, const struct array *arrays, struct host_arrays host)
{
    const float *in = host.data[0], *out = host.data[1];
    (void)arrays;
    size_t *wrong = context;
    for (size_t i = 32; i < COUNT; i++)
        *wrong += out[i] != (float)expected_of(in, i);
    for (size_t i = 0; i < 32; i++) {
        const size_t mirrored = expected_of(in, COUNT - 1 - i);
        *wrong += out[i] != (float)(mirrored > 8 ? mirrored : expected_of(in, i));
    }
}

static enum status trace_both(const char *text, size_t times, size_t *wrong)
{
    static const struct rung host_half = {.enqueue = launch_both};
    struct problem problem;
    struct rung *rung = NULL;
    explain_trace_free(&trace);
    launches_of_each = times;
    if (problem_parse("transpose:rows=1024,cols=1024,f32", &problem, &error) != STATUS_OK ||
        device_rung_read(problem.kernel, "test/r.cl", text, &host_half, &rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    struct explain_request request = request_for(rung, &problem);
    request.inspect = every_group_wrote;
    request.context = wrong;
    const enum status status = explain_trace_run(&request, &trace, &error);
    device_rung_free(rung);
    return status;
}

static void others_results_are_there(void **state)
{
    (void)state;
    size_t wrong = 0;
    expect_ok(trace_both(SOURCE(""), 2, &wrong));
    assert_int_equal(trace.launches, 3);
    assert_true(trace.groups_traced < trace.groups / 2);
    assert_true(trace.data_decides);
    assert_true(trace.saw_all_data);
    assert_int_equal(wrong, 0);
}

static void a_crash_elsewhere_is_told(void **state)
{
    (void)state;
    static const char *const faults[] = {
        SOURCE("    if (i == 654321)\n        ((__global float *)(cols - 1024))[0] = 1;\n"),
        SOURCE("    if (i == 654321)\n        out[(long)rows * cols] = 1;\n"),
        SOURCE("    if (i == 654321)\n        __builtin_abort();\n"),
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        size_t wrong = 0;
        assert_int_equal(trace_both(faults[i], 1, &wrong), STATUS_FAILED);
        assert_string_equal(error.text, "test/r.cl: each crashes, or touches memory beyond its arrays");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_results_are_there),
        cmocka_unit_test(a_crash_elsewhere_is_told),
    };
    if (!has_compiler()) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
