/* Device rungs with a host half: what it brings replaces ours, and what it may call. */
#include "recorder.h"

static size_t half_scratch(const struct problem *problem, const struct device *target,
                           const struct parameters *parameters)
{
    (void)target, (void)parameters;
    return (size_t)problem_size(problem, "rows") * 3;
}

/* Several launches that differ in one argument. */
static enum status half_enqueue(struct run *run, struct error *error)
{
    enum status status = STATUS_OK;
    struct launch launch = *device_rung_ready(run);
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    memcpy(arguments, launch.arguments, launch.argument_count * sizeof arguments[0]);
    launch.arguments = arguments;
    for (int step = 1; step <= 3 && status == STATUS_OK; step++) {
        arguments[1].int_value = step;
        status = program_launch(device_rung_program(run), &launch, error);
    }
    return status;
}

static const struct rung half = {.backends = BACKEND_OPENCL, .scratch = half_scratch, .enqueue = half_enqueue};

static void several_launches(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=7", HEADER "// args: scratch, int(0)\n", &half);
    assert_int_equal(s.rung->backends, BACKEND_OPENCL);
    size_t bytes;
    expect_ok(rung_scratch(s.rung, &s.problem, &device, &s.run.parameters, &bytes, &error), &error);
    assert_int_equal(bytes, 21);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    expect_ok(s.rung->enqueue(&s.run, &error), &error);
    assert_int_equal(record.launches, 3);
    assert_int_equal(record.arguments[1].int_value, 3);
    s.rung->finish(&s.run);
    tear_down(&s);
}

static enum status half_prepare(struct run *run, struct error *error)
{
    return device_rung_build(run, (struct program **)&run->state, error);
}

static void half_finish(struct run *run)
{
    program_discard(run->state);
}

/* What the host half brings replaces ours; preparing is never mixed with another's finishing. */
static void own_preparation(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    const struct rung own = {.prepare = half_prepare, .finish = half_finish, .enqueue = half_enqueue};
    set_up(&s, "mix", HEADER, &own);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    s.rung->finish(&s.run);
    assert_int_equal(record.builds, 1);
    assert_int_equal(record.discards, 1);
    tear_down(&s);
    const struct rung unfinished = {.prepare = half_prepare, .enqueue = half_enqueue};
    set_up(&s, "mix", HEADER, &unfinished);
    assert_null(s.rung->finish);
    tear_down(&s);
}

/* A host half with a state of its own: build, shape and integer are its pieces. */
static void pieces(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=7,cols=33", HEADER, &half);
    struct program *program;
    struct launch launch;
    int64_t value;
    expect_ok(device_rung_build(&s.run, &program, &error), &error);
    expect_ok(device_rung_shape(&s.run, &launch, &error), &error);
    assert_int_equal(launch.groups[0], 3);
    assert_int_equal(launch.argument_count, 0);
    expect_ok(device_rung_integer(&s.run, "TILE * rows + element_bytes", &value, &error), &error);
    assert_int_equal(value, 116);
    assert_int_equal(device_rung_integer(&s.run, "TILES", &value, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "did you mean 'TILE'?"));
    const struct argument_value argument = {.kind = ARGUMENT_INT, .int_value = 9};
    expect_ok(device_rung_launch(&s.run, program,
                                 &(struct launch){.entry = "second", .arguments = &argument, .argument_count = 1},
                                 &error),
              &error);
    assert_string_equal(record.launch.entry, "second");
    assert_int_equal(record.launch.groups[1], 7);
    assert_int_equal(record.arguments[0].int_value, 9);
    struct launch own = {.rank = 1, .group = {4, 1, 1}, .groups = {2, 1, 1}};
    expect_ok(device_rung_launch(&s.run, program, &own, &error), &error);
    assert_string_equal(record.launch.entry, "mix");
    assert_int_equal(record.launch.group[0], 4);
    program_discard(program);
    tear_down(&s);
}

/* Where the host half launches, the header may leave the shape to it, and GROUP_X is not defined. */
static void shapeless(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix", "// rung: r\n// idea: i\n", &half);
    struct program *program;
    expect_ok(device_rung_build(&s.run, &program, &error), &error);
    assert_string_equal(record.defines, "ELEMENT=float ELEMENT_BYTES=4 MODE=0");
    program_discard(program);
    char reason[256];
    assert_null(rung_refuses(s.rung, &s.problem, &device, &s.run.parameters, reason, sizeof reason));
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_launches),
        cmocka_unit_test(pieces),
        cmocka_unit_test(shapeless),
        cmocka_unit_test(own_preparation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
