/* The work of a device rung, from the header of its file. */
#include "recorder.h"

/* Code that uses every macro: an unused one is not defined. */
#define CODE "int f(int GROUP) { return GROUP_X + GROUP_Y + GROUP_Z * TILE; }\n"

static void default_arguments(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=5,cols=40,alpha=0.1,mode=mirrored", HEADER CODE, NULL);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    assert_int_equal(record.builds, 1);
    assert_int_equal(record.launches, 0);
    assert_string_equal(record.name, "test/r.cl");
    assert_string_equal(record.text, HEADER CODE);
    assert_string_equal(record.defines, "ELEMENT=float ELEMENT_BYTES=4 GROUP_X=16 GROUP_Y=2 GROUP_Z=1 MODE=1 TILE=16");
    expect_ok(s.rung->enqueue(&s.run, &error), &error);
    assert_int_equal(record.launches, 1);
    assert_string_equal(record.launch.entry, "mix");
    assert_int_equal(record.launch.rank, 2);
    const size_t group[3] = {16, 2, 1}, groups[3] = {3, 5, 1};
    assert_memory_equal(record.launch.group, group, sizeof group);
    assert_memory_equal(record.launch.groups, groups, sizeof groups);
    assert_int_equal(record.launch.local_bytes, 0);
    assert_int_equal(record.launch.argument_count, 7);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(record.arguments[i].kind, ARGUMENT_BUFFER);
        assert_ptr_equal(record.arguments[i].buffer, &s.buffers[i]);
    }
    assert_int_equal(record.arguments[3].kind, ARGUMENT_LONG);
    assert_int_equal(record.arguments[3].long_value, 5);
    assert_int_equal(record.arguments[4].long_value, 40);
    assert_int_equal(record.arguments[5].kind, ARGUMENT_FLOAT);
    assert_true(record.arguments[5].float_value == 0.1f);
    assert_int_equal(record.arguments[6].kind, ARGUMENT_LONG);
    assert_int_equal(record.arguments[6].long_value, 1);
    s.rung->finish(&s.run);
    assert_null(s.run.state);
    assert_int_equal(record.discards, 1);
    tear_down(&s);
}

static void named_arguments(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=5,cols=40,alpha=0.1,f64",
           HEADER
           "// entry: go\n// scratch: 8 * rows\n"
           "// args: out, scratch, int(0 - rows), alpha, float(alpha), double(1 / 2), TILE, long (element_bytes)\n",
           NULL);
    size_t bytes;
    expect_ok(rung_scratch(s.rung, &s.problem, &device, &s.run.parameters, &bytes, &error), &error);
    assert_int_equal(bytes, 40);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    assert_non_null(strstr(record.defines, "ELEMENT=double ELEMENT_BYTES=8"));
    expect_ok(s.rung->enqueue(&s.run, &error), &error);
    assert_string_equal(record.launch.entry, "go");
    assert_int_equal(record.launch.argument_count, 8);
    const struct argument_value *a = record.arguments;
    assert_ptr_equal(a[0].buffer, &s.buffers[2]);
    assert_ptr_equal(a[1].buffer, &s.scratch);
    assert_true(a[2].kind == ARGUMENT_INT && a[2].int_value == -5);
    assert_true(a[3].kind == ARGUMENT_DOUBLE && a[3].double_value == 0.1);
    assert_true(a[4].kind == ARGUMENT_FLOAT && a[4].float_value == 0.1f);
    assert_true(a[5].kind == ARGUMENT_DOUBLE && a[5].double_value == 0.5);
    assert_true(a[6].kind == ARGUMENT_LONG && a[6].long_value == 16);
    assert_true(a[7].kind == ARGUMENT_LONG && a[7].long_value == 8);
    s.rung->finish(&s.run);
    tear_down(&s);
}

/* The lab may give other buffers between two runs; what is launched follows. */
static void rotated_buffers(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    struct buffer others[3] = {{.device = &device}, {.device = &device}, {.device = &device}};
    set_up(&s, "mix", HEADER, NULL);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    s.run.buffers = others;
    expect_ok(s.rung->enqueue(&s.run, &error), &error);
    assert_ptr_equal(record.arguments[2].buffer, &others[2]);
    assert_int_equal(record.builds, 1);
    s.rung->finish(&s.run);
    tear_down(&s);
}

static void moved_bits(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *defines;
    } cases[] = {{"mover:f32", "ELEMENT=uint ELEMENT_BYTES=4 "},
                 {"mover:f64", "ELEMENT=ulong ELEMENT_BYTES=8 "},
                 {"mover:u8", "ELEMENT=uchar ELEMENT_BYTES=1 "}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct setting s;
        struct error error = {{0}};
        char **defines;
        size_t count;
        set_up(&s, cases[i].problem, HEADER CODE, NULL);
        expect_ok(s.rung->prepare(&s.run, &error), &error);
        assert_memory_equal(record.defines, cases[i].defines, strlen(cases[i].defines));
        s.rung->finish(&s.run);
        expect_ok(device_rung_defines(s.rung, &s.problem, &s.run.parameters, &defines, &count, &error), &error);
        assert_int_equal(count, 7);
        assert_string_equal(defines[6], "TILE=16");
        device_rung_defines_free(defines, count);
        tear_down(&s);
    }
}

static void nothing_to_launch(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=0", HEADER, NULL);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    expect_ok(s.rung->enqueue(&s.run, &error), &error);
    assert_int_equal(record.launches, 0);
    s.rung->finish(&s.run);
    tear_down(&s);
}

/* A failed prepare leaves nothing behind, and finish may follow. */
static void failed_preparation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEADER "#error\n", "test/r.cl: it does not compile"},
        {"// rung: r\n// idea: i\n// group: 8\n// groups: rows / cols\n", "test/r.cl: groups: \"rows / cols\" is 1.3"},
        {"// rung: r\n// idea: i\n// group: 8 / (rows - 64)\n// groups: 1\n",
         "test/r.cl: group: \"8 / (rows - 64)\": division"},
        {HEADER "// args: int(2147483648)\n", "test/r.cl: args: 2147483648 is 2147483648, which is no int of 32 bits"},
        {HEADER "// args: 1 / 3\n", "test/r.cl: args: 1 / 3 is 0.3333333333333333, which is no integer within 2^53"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct setting s;
        struct error error = {{0}};
        set_up(&s, "mix", cases[i].text, NULL);
        assert_int_equal(s.rung->prepare(&s.run, &error), STATUS_INVALID);
        if (strncmp(error.text, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("\"%s\" is not \"%s\"", error.text, cases[i].says);
        assert_null(s.run.state);
        s.rung->finish(&s.run);
        assert_int_equal(record.discards, record.builds);
        tear_down(&s);
    }
}

/* As many macros as there can be. */
static void most_macros(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(
        &s, "mover:f64",
        "// rung: r\n// idea: i\n// group: 1, 2, 3\n// groups: 1, 1, 1\n"
        "// tune: AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA = 9007199254740992; B = 2; C = 3; D = 4; E = 5; F = 6; G = 7; H = "
        "8\n"
        "int f() { return AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA + B + C + D + E + F + G + H + GROUP_Z + GROUP_X + GROUP_Y; }",
        NULL);
    char **defines;
    size_t count;
    expect_ok(device_rung_defines(s.rung, &s.problem, &s.run.parameters, &defines, &count, &error), &error);
    assert_string_equal(defines[count - 8], "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=9007199254740992");
    assert_string_equal(defines[count - 1], "H=8");
    assert_string_equal(defines[4], "GROUP_Z=3");
    device_rung_defines_free(defines, count);
    tear_down(&s);
}

/* What the code does not mention makes no other program of it: comments at its top and longer names are no mention. */
static void only_macros_that_are_asked_for(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix", HEADER "// a comment on TILE\nint f() { return NOTILE + TILES + GROUP_Y; }\n", NULL);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    assert_string_equal(record.defines, "ELEMENT=float ELEMENT_BYTES=4 GROUP_Y=2 MODE=0");
    s.rung->finish(&s.run);
    tear_down(&s);
}

/* As two shapes of a group that the program does not depend on. */
static void one_program_for_two_rungs(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix", HEADER, NULL);
    struct run first = s.run, second = s.run, third = s.run;
    second.parameters.values[0] = 32;
    struct problem mirrored;
    expect_ok(problem_parse("mix:mode=mirrored", &mirrored, &error), &error);
    third.problem = &mirrored;
    expect_ok(s.rung->prepare(&first, &error), &error);
    expect_ok(s.rung->prepare(&second, &error), &error);
    assert_int_equal(record.builds, 1);
    expect_ok(s.rung->prepare(&third, &error), &error);
    assert_int_equal(record.builds, 2);
    s.rung->finish(&first);
    assert_int_equal(record.discards, 0);
    expect_ok(s.rung->enqueue(&second, &error), &error);
    assert_int_equal(record.launch.group[0], 32);
    s.rung->finish(&second);
    s.rung->finish(&third);
    assert_int_equal(record.discards, 2);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    assert_int_equal(record.builds, 3);
    s.rung->finish(&s.run);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_arguments),
        cmocka_unit_test(named_arguments),
        cmocka_unit_test(rotated_buffers),
        cmocka_unit_test(moved_bits),
        cmocka_unit_test(nothing_to_launch),
        cmocka_unit_test(failed_preparation),
        cmocka_unit_test(most_macros),
        cmocka_unit_test(only_macros_that_are_asked_for),
        cmocka_unit_test(one_program_for_two_rungs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
