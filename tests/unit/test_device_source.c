/* The headers of device rungs: what is read of good ones, and what is said about bad ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_kernel.h"
#include "kernels/rung_header.h"

#include <cmocka.h>

const struct kernel *const kernels[] = {&kernel_mix, NULL};

static struct rung *read_good(const char *path, const char *text)
{
    struct rung *rung;
    struct error error = {"untouched"};
    if (device_rung_read(&kernel_mix, path, text, NULL, &rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_string_equal(error.text, "untouched");
    assert_ptr_equal(rung->source->text, text);
    assert_string_equal(rung->source->path, path);
    return rung;
}

#define SHORT_HEADER "// rung: r\n// idea: i\n// group: 8\n// groups: rows\n"

/* ---- good headers --------------------------------------------------------------------------------------------- */

static void everything(void **state)
{
    (void)state;
    struct rung *rung = read_good(
        "some/full.cu", "// rung:    full-house\n"
                        "// idea:    everything that a header may say, идея too\n"
                        "// prose without a key, or with one further on: it is ignored\n"
                        "// https://example.org is no key either\n"
                        "//\n"
                        "// tune:    TILE = 32 in 16 32; ROWS = min(8, rows) in 1 2 4 8 ; FREE=3\n"
                        "// tune:    DEPTH = 2 in 1 2\n"
                        "// group:   TILE, ROWS, max(1, 2)\n"
                        "// groups:  ceil(cols / TILE), ceil(rows / TILE), 1\n"
                        "// entry:   go_2\n"
                        "// args:    a, out, scratch, int(rows), alpha, cols * 2, double(alpha + 1), float(2)\n"
                        "// require: rows % 4 == 0, the rows come in fours, or so\n"
                        "// require: min(rows, cols) > 1, it is flat\n"
                        "// needs:   double, images\n"
                        "// scratch: 4 * ceil(cols / TILE)\n"
                        "// local:   4 * TILE * (TILE + 1)\n"
                        "// tensor:  6\n"
                        "__global__ void go_2() {}\n"
                        "// rung: another\n");
    const struct device_source *source = rung->source;
    assert_string_equal(rung->name, "full-house");
    assert_string_equal(rung->idea, "everything that a header may say, идея too");
    assert_int_equal(rung->kind, RUNG_DEVICE);
    assert_int_equal(rung->backends, BACKEND_CUDA | BACKEND_NULL);
    assert_int_equal(source->language, LANGUAGE_CUDA_C);
    assert_int_equal(rung->tunable_count, 4);
    assert_string_equal(rung->tunables[1].name, "ROWS");
    assert_string_equal(rung->tunables[1].initial, "min(8, rows)");
    assert_int_equal(rung->tunables[1].value_count, 4);
    assert_int_equal(rung->tunables[1].values[3], 8);
    assert_int_equal(rung->tunables[2].value_count, 0);
    assert_string_equal(rung->tunables[3].name, "DEPTH");
    assert_int_equal(source->rank, 3);
    assert_string_equal(source->group[2], "max(1, 2)");
    assert_string_equal(source->groups[1], "ceil(rows / TILE)");
    assert_string_equal(source->entry, "go_2");
    assert_int_equal(source->argument_count, 8);
    assert_string_equal(source->arguments[3], "int(rows)");
    assert_string_equal(source->arguments[6], "double(alpha + 1)");
    assert_int_equal(source->requirement_count, 2);
    assert_string_equal(source->requirements[0].condition, "rows % 4 == 0");
    assert_string_equal(source->requirements[0].reason, "the rows come in fours, or so");
    assert_string_equal(source->requirements[1].condition, "min(rows, cols) > 1");
    assert_true(source->needs_double && source->needs_images);
    assert_string_equal(source->scratch, "4 * ceil(cols / TILE)");
    assert_string_equal(source->local, "4 * TILE * (TILE + 1)");
    assert_int_equal(rung->tensor_products, 6);
    device_rung_free(rung);
}

static void least(void **state)
{
    (void)state;
    struct rung *rung = read_good("short.cl", SHORT_HEADER);
    assert_int_equal(rung->backends, BACKEND_OPENCL | BACKEND_CUDA | BACKEND_NULL);
    assert_int_equal(rung->source->language, LANGUAGE_OPENCL_C);
    assert_string_equal(rung->source->entry, "mix");
    assert_int_equal(rung->source->argument_count, 0);
    assert_int_equal(rung->source->rank, 1);
    assert_int_equal(rung->tensor_products, 0);
    assert_null(rung->supports);
    assert_true(rung->prepare && rung->finish && rung->enqueue);
    device_rung_free(rung);
}

/* The same header as other editors and systems write it. */
static void other_forms(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "// rung: r\n// idea: i\n// group: 8\n// groups: rows",                       /* no newline at the end */
        "// rung: r\r\n// idea: i\r\n// group: 8\r\n// groups: rows\r\n\r\nvoid\r\n", /* Windows */
        "\xef\xbb\xbf// rung: r\n// idea: i\n// group: 8\n// groups: rows\n",         /* a byte order mark */
        "\n\n  \n// rung: r\n// idea: i\n// group: 8\n// groups: rows\n",             /* blank lines before it */
        "//see:this\n//rung:r\n//idea:\ti\t\n  //group: 8\n\t//\tgroups:\trows  \n",
        "// groups: rows\n// group: 8\n// idea: i\n// rung: r\nrest\n// idea: two\n",
        "// rung : r\n// idea : i\n// group : 8\n// groups : rows\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct rung *rung = read_good("r.cl", texts[i]);
        assert_string_equal(rung->name, "r");
        assert_string_equal(rung->idea, "i");
        assert_string_equal(rung->source->group[0], "8");
        assert_string_equal(rung->source->groups[0], "rows");
        device_rung_free(rung);
    }
}

/* ---- bad headers ---------------------------------------------------------------------------------------------- */

static void expect_bad(const char *path, const char *text, const char *says)
{
    struct rung *rung = (void *)1;
    struct error error = {{0}};
    assert_int_equal(device_rung_read(&kernel_mix, path, text, NULL, &rung, &error), STATUS_INVALID);
    assert_null(rung);
    if (strncmp(error.text, says, strlen(says)) != 0)
        fail_msg("\"%s\" is not \"%s\"", error.text, says);
    if (strpbrk(error.text, "\r\n\033"))
        fail_msg("\"%s\" is no clear line", error.text);
    assert_int_equal(device_rung_read(&kernel_mix, path, text, NULL, &rung, NULL), STATUS_INVALID);
}

/* Each is put behind a good header of four lines. */
static void bad_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"// tun: A = 1", "f.cl:5: unknown key 'tun'; did you mean 'tune'?"},
        {"// Scratch: 1", "f.cl:5: unknown key 'Scratch'; did you mean 'scratch'?"},
        {"// note: this is prose",
         "f.cl:5: unknown key 'note'; there are rung, idea, tune, group, groups, entry, args,"},
        {"// rung: again", "f.cl:5: 'rung:' stands on line 1 already; it may stand once"},
        {"// groups: 1", "f.cl:5: 'groups:' stands on line 4 already"},
        {"// entry:", "f.cl:5: 'entry:' says nothing"},
        {"// entry:   ", "f.cl:5: 'entry:' says nothing"},
        {"// entry: 2go", "f.cl:5: '2go' is not the name of a kernel function"},
        {"// entry: go there", "f.cl:5: 'go there' is not the name"},
        {"// entry: \xd0\xb8\xd0\xbc\xd1\x8f", "f.cl:5: '\xd0\xb8\xd0\xbc\xd1\x8f' is not the name"},
        {"// entry: \xff\xfe", "f.cl:5: 'entry:' holds the byte 0xff; it must be plain UTF-8 text"},
        {"// entry: a\033[31m", "f.cl:5: 'entry:' holds the byte 0x1b"},
        {"// entry: a\xc2\x9b", "f.cl:5: 'entry:' holds the byte 0xc2"},
        {"// entry: \xed\xa0\x80", "f.cl:5: 'entry:' holds the byte 0xed"},
        {"// entry: \xc0\xaf", "f.cl:5: 'entry:' holds the byte 0xc0"},
        {"// entry: \xe2\x82", "f.cl:5: 'entry:' holds the byte 0xe2"},
        {"// tune: 32", "f.cl:5: '32' is not a tunable; TILE = 32 in 16 32 is one"},
        {"// tune: tile = 32", "f.cl:5: 'tile' is not a tunable; it becomes a macro, so write it in capitals"},
        {"// tune: = 32", "f.cl:5: '' is not a tunable"},
        {"// tune: A-B = 32", "f.cl:5: 'A-B' is not a tunable"},
        {"// tune: GROUP_X = 1", "f.cl:5: GROUP_X is defined for every rung"},
        {"// tune: ELEMENT = 1", "f.cl:5: ELEMENT is defined for every rung"},
        {"// tune: A = 1 in 1; A = 2 in 2", "f.cl:5: A is tuned twice"},
        {"// tune: A = 1 in", "f.cl:5: A lists no values after 'in'"},
        {"// tune: A = 1 in x", "f.cl:5: 'x' is not a value of A"},
        {"// tune: A = 1 in -1", "f.cl:5: '-1' is not a value of A"},
        {"// tune: A = 1 in 1,2", "f.cl:5: '1,2' is not a value of A"},
        {"// tune: A = 1 in 1 2 1", "f.cl:5: A lists 1 twice"},
        {"// tune: A = 3 in 1 2 4", "f.cl:5: the default of A, 3, is not in its list"},
        {"// tune: A = 1 in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "f.cl:5: A lists more than 18 values"},
        {"// tune: A =", "f.cl:5: the tunable's default is empty"},
        {"// tune: A = in 1", "f.cl:5: the tunable's default is empty"},
        {"// tune: A = 1; B = A in 1", "f.cl:5: \"A\": unknown name 'A'"},
        {"// tune: A = row in 1", "f.cl:5: \"row\": unknown name 'row' at character 1; did you mean 'rows'?"},
        {"// tune: A=1;B=1;C=1;D=1;E=1;F=1;G=1;H=1;I=1", "f.cl:5: more than 8 tunables"},
        {"// tune: ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF = 1", "f.cl:5: the tunable's name is 32 bytes long; at most 31"},
        {"// args: a, , out", "f.cl:5: argument 2 is empty"},
        {"// args: a, in", "f.cl:5: \"in\": unknown name 'in'"},
        {"// args: a, int(row)", "f.cl:5: \"row\": unknown name 'row' at character 1; did you mean 'rows'?"},
        {"// args: a, int(", "f.cl:5: \"int(\": 'int' is not a function"},
        {"// args: int(1) + int(2)", "f.cl:5: \"int(1) + int(2)\": 'int' is not a function"},
        {"// args: int()", "f.cl:5: an argument is empty"},
        {"// args: a, scratch", "f.cl:5: 'scratch' is an argument, and no '// scratch: BYTES' line says how much"},
        {"// args: 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25",
         "f.cl:5: more than 24 arguments"},
        {"// require: rows", "f.cl:5: the reason is missing"},
        {"// require: rows > 1,", "f.cl:5: the reason is missing"},
        {"// require: , why", "f.cl:5: the condition is empty"},
        {"// require: rows >, why", "f.cl:5: \"rows >\": it ends where a value should be"},
        {"// require: compute_ > 8, why",
         "f.cl:5: \"compute_ > 8\": unknown name 'compute_' at character 1; did you mean "
         "'compute'?"},
        {"// scratch: local_bytes", "f.cl:5: \"local_bytes\": unknown name 'local_bytes'"},
        {"// needs: duoble", "f.cl:5: 'duoble' is not a feature; did you mean double"},
        {"// needs: fp64", "f.cl:5: 'fp64' is not a feature; there are double and images"},
        {"// scratch: 4 *", "f.cl:5: \"4 *\": it ends where a value should be"},
        {"// scratch: 4 4", "f.cl:5: \"4 4\": an operator should be here"},
        {"// scratch: 4\t4", "f.cl:5: \"4 4\": an operator"},
        {"// local: 4", "f.cl:5: dynamic local memory is for .cu files"},
        {"// tensor: 6", "f.cl:5: tensor cores are for .cu files"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s\nvoid mix();\n", SHORT_HEADER, cases[i].line);
        expect_bad("f.cl", text, cases[i].says);
        text[strlen(text) - strlen("\nvoid mix();\n")] = '\0';
        expect_bad("f.cl", text, cases[i].says);
    }
}

static void bad_numbers_of_products(void **state)
{
    (void)state;
    static const char *const values[] = {"0", "10", "-6", "6.5", "six", "2 * 3", "6 6", "99999999999999999999", "0x6"};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        char text[200], says[200];
        snprintf(text, sizeof text, "%s// tensor: %s\nvoid mix();\n", SHORT_HEADER, values[i]);
        snprintf(says, sizeof says, "f.cu:5: '%s' is not a number of products from 1 to 9", values[i]);
        expect_bad("f.cu", text, says);
    }
    expect_bad("f.cu", SHORT_HEADER "// tensor:\n", "f.cu:5: 'tensor:' says nothing");
    expect_bad("f.cu", SHORT_HEADER "// tensor: 6\n// tensor: 3\n", "f.cu:6: 'tensor:' stands on line 5 already");
    expect_bad("f.cu", SHORT_HEADER "// tensors: 6\n", "f.cu:5: unknown key 'tensors'; did you mean 'tensor'?");
}

static void bad_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "f.cl:1: there is no '// rung: …' line in the comment block at the very top, which ends here"},
        {"\n\n\n", "f.cl:1: there is no '// rung: …' line"},
        {"__kernel void mix() {}\n// rung: r\n", "f.cl:1: there is no '// rung: …' line"},
        {"/* rung: r */\n", "f.cl:1: there is no '// rung: …' line"},
        {"// prose\n// more\n", "f.cl:2: there is no '// rung: …' line"},
        {"// rung: r\n", "f.cl:1: there is no '// idea: …' line"},
        {"// rung: r\n// idea: i\n", "f.cl:2: there is no '// group: …' line"},
        {"// rung: r\n// idea: i\n// groups: 1\n", "f.cl:3: there is no '// group: …' line"},
        {"// rung: r\n// idea: i\n// group: 1\n", "f.cl:3: there is no '// groups: …' line"},
        {"// rung: r\n\n// idea: i\n", "f.cl:1: there is no '// idea: …' line"},
        {"// rung: a b\n", "f.cl:1: a rung's name is letters, digits and dashes"},
        {"// rung: ../x\n", "f.cl:1: a rung's name"},
        {"// rung: -x\n", "f.cl:1: a rung's name"},
        {"// rung: abcdefghijklmnopqrstuvwxyzabcdef\n", "f.cl:1: the rung's name is 32 bytes long; at most 31"},
        {"// group: 1, 2, 3, 4\n", "f.cl:1: an index space has 1, 2 or 3 dimensions"},
        {"// group: 1,\n", "f.cl:1: a dimension is empty"},
        {"// group: 8\n// groups: 1, 2\n", "f.cl:2: group has 1 dimensions and groups has 2; both need the same"},
        {"// group: TILE\n",
         "f.cl:1: \"TILE\": unknown name 'TILE' at character 1; there are rows, cols, alpha, mode, "},
        {"// tune: TILE = 1 in 1\n// group: TIEL\n",
         "f.cl:2: \"TIEL\": unknown name 'TIEL' at character 1; did you mean "
         "'TILE'?"},
        {"// group: (1\n", "f.cl:1: \"(1\": ')' is missing"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        expect_bad("f.cl", cases[i].text, cases[i].says);
    expect_bad("f.txt", SHORT_HEADER,
               "f.txt: a device rung's file ends in .cl (OpenCL C), .cu (CUDA C) or .glsl (OpenGL)");
    expect_bad("cl", SHORT_HEADER, "cl: a device rung's file ends");
    expect_bad(".", SHORT_HEADER, ".: a device rung's file ends");
    char path[1100];
    memset(path, 'p', sizeof path);
    memcpy(path + 1090, ".cl", 4);
    expect_bad(path, SHORT_HEADER, "pppp");
}

/* ---- sizes ---------------------------------------------------------------------------------------------------- */

/* A good header of four lines and then `prefix` and `length` times `letter`. */
static char *long_line(const char *prefix, char letter, size_t length)
{
    size_t start = strlen(SHORT_HEADER) + strlen(prefix);
    char *text = malloc(start + length + 1);
    assert_non_null(text);
    strcpy(text, SHORT_HEADER);
    strcat(text, prefix);
    memset(text + start, letter, length);
    text[start + length] = '\0';
    return text;
}

static void huge_lines(void **state)
{
    (void)state;
    static const struct {
        const char *prefix;
        char letter;
        size_t length;
        const char *says;
    } cases[] = {
        {"// entry: ", 'x', 5000000, "f.cl:5: 'entry:' is 1048566 bytes long; at most 1023 are taken"},
        {"// entry: ", 'x', 1024, "f.cl:5: 'entry:' is 1024 bytes long; at most 1023 are taken"},
        {"// entry: ", 'x', 1023, "f.cl:5: the entry's name is 1023 bytes long; at most 63 are taken"},
        {"// entry: ", 'x', 64, "f.cl:5: the entry's name is 64 bytes long"},
        {"// scratch: ", '1', 256, "f.cl:5: \"11"},
        {"// scratch: ", '(', 1000, "f.cl:5: \"(((("},
        {"// tune: A = ", '1', 64, "f.cl:5: \"11"},
        {"// tune: ", ';', 1000, NULL},
        {"// args: ", ',', 1000, "f.cl:5: argument 1 is empty"},
        {"// args: ", '(', 1000, "f.cl:5: an argument is 1000 bytes long; at most 255"},
        {"// require: rows > 1, ", 'y', 256, "f.cl:5: the reason is 256 bytes long; at most 255"},
        {"// ", 'x', 5000000, NULL},
        {"//", '/', 5000000, NULL},
        {"", '\n', 100000, NULL},
        {"// ", ' ', 5000000, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char *text = long_line(cases[i].prefix, cases[i].letter, cases[i].length);
        if (cases[i].says)
            expect_bad("f.cl", text, cases[i].says);
        else
            device_rung_free(read_good("f.cl", text));
        free(text);
    }
    char *text = long_line("// ", 'k', 100);
    strcat(text, "");
    memcpy(text + strlen(text) - 2, ": ", 2);
    expect_bad("f.cl", text, "f.cl:5: unknown key 'kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk'; there are");
    free(text);
}

static void many_lines(void **state)
{
    (void)state;
    char text[4000] = SHORT_HEADER;
    for (int i = 0; i < 13; i++)
        strcat(text, "// require: 1, never\n");
    expect_bad("f.cl", text, "f.cl:17: more than 12 requirements");
    for (int i = 0; i < 40; i++)
        strcat(text, "// require: 1, never\n");
    expect_bad("f.cl", text, "f.cl:33: more than 32 lines of keys");
    char idea[300];
    snprintf(idea, sizeof idea, "// rung: r\n// idea: %0200d\n", 0);
    expect_bad("f.cl", idea, "f.cl:2: the idea is 200 bytes long; at most 199 are taken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything),
        cmocka_unit_test(least),
        cmocka_unit_test(other_forms),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(bad_numbers_of_products),
        cmocka_unit_test(bad_headers),
        cmocka_unit_test(huge_lines),
        cmocka_unit_test(many_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
