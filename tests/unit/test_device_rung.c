/* What a device rung does with its header: seen by a backend that writes down what it is told to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fake_kernel.h"
#include "kernels/device_source.h"

#include <cmocka.h>

static const struct kernel kernel_mover = {.name = "mover", .title = "moves", .moves_bits = true, MIX_MEMBERS};
const struct kernel *const kernels[] = {&kernel_mix, &kernel_mover, NULL};

/* ---- the recording device ------------------------------------------------------------------------------------- */

static struct {
    int builds, discards, launches;
    char name[64], defines[512];
    const char *text;
    enum language language;
    struct launch launch;
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
} record;

static enum status recorder_build(struct device *device, const struct program_source *source, struct program **program,
                                  struct error *error)
{
    if (strstr(source->text, "#error"))
        return (fail)(error, STATUS_INVALID, "%s: it does not compile", source->name);
    record.builds++;
    snprintf(record.name, sizeof record.name, "%s", source->name);
    record.text = source->text;
    record.language = source->language;
    record.defines[0] = '\0';
    for (size_t i = 0; i < source->define_count; i++)
        text_append(record.defines, sizeof record.defines, "%s%s", i ? " " : "", source->defines[i]);
    *program = malloc(sizeof **program);
    assert_non_null(*program);
    (*program)->device = device;
    return STATUS_OK;
}

static void recorder_discard(struct program *program)
{
    record.discards++;
    free(program);
}

static enum status recorder_launch(struct program *program, const struct launch *launch, struct error *error)
{
    (void)program, (void)error;
    record.launches++;
    record.launch = *launch;
    memcpy(record.arguments, launch->arguments, launch->argument_count * sizeof launch->arguments[0]);
    return STATUS_OK;
}

static const struct backend recorder = {.name = "opencl",
                                        .kind = BACKEND_OPENCL,
                                        .build = recorder_build,
                                        .discard = recorder_discard,
                                        .launch = recorder_launch};

static struct device device = {
    .backend = &recorder,
    .id = "opencl:0",
    .properties = {.group_items = 256, .group_size = {256, 256, 64}, .grid_groups = {0, 65535, 65535}}};

/* ---- a run ---------------------------------------------------------------------------------------------------- */

struct setting {
    struct problem problem;
    struct rung *rung;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[KERNEL_ARRAYS_MAX];
    struct buffer scratch;
    struct run run;
};

static void set_up(struct setting *setting, const char *problem, const char *text, const struct rung *host_half)
{
    struct error error = {{0}};
    memset(setting, 0, sizeof *setting);
    memset(&record, 0, sizeof record);
    if (problem_parse(problem, &setting->problem, &error) != STATUS_OK ||
        device_rung_read(setting->problem.kernel, "test/r.cl", text, host_half, &setting->rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        setting->buffers[i].device = &device;
    setting->scratch.device = &device;
    setting->run = (struct run){.rung = setting->rung,
                                .problem = &setting->problem,
                                .device = &device,
                                .arrays = setting->arrays,
                                .buffers = setting->buffers,
                                .scratch = &setting->scratch};
    if (kernel_describe(&setting->problem, setting->arrays, &setting->run.array_count, &error) != STATUS_OK ||
        rung_defaults(setting->rung, &setting->problem, &setting->run.parameters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void tear_down(struct setting *setting)
{
    device_rung_free(setting->rung);
}

static void expect_ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        fail_msg("%s", error->text);
}

#define HEADER \
    "// rung: r\n// idea: i\n// tune: TILE = 16 in 8 16\n// group: TILE, 2\n// groups: ceil(cols / TILE), rows\n"

/* ---- running -------------------------------------------------------------------------------------------------- */

static void default_arguments(void **state)
{
    (void)state;
    struct setting s;
    struct error error = {{0}};
    set_up(&s, "mix:rows=5,cols=40,alpha=0.1,mode=mirrored", HEADER, NULL);
    expect_ok(s.rung->prepare(&s.run, &error), &error);
    assert_int_equal(record.builds, 1);
    assert_int_equal(record.launches, 0);
    assert_string_equal(record.name, "test/r.cl");
    assert_string_equal(record.text, HEADER);
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
        set_up(&s, cases[i].problem, HEADER, NULL);
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

/* What prepare cannot do leaves nothing behind, and finish may follow. */
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

/* ---- host halves ---------------------------------------------------------------------------------------------- */

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
        cmocka_unit_test(default_arguments), cmocka_unit_test(named_arguments),
        cmocka_unit_test(rotated_buffers),   cmocka_unit_test(moved_bits),
        cmocka_unit_test(nothing_to_launch), cmocka_unit_test(failed_preparation),
        cmocka_unit_test(several_launches),  cmocka_unit_test(pieces),
        cmocka_unit_test(shapeless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
