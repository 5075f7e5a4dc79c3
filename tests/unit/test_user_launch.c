/* The host's code of a CUDA file: its arithmetic, as C has it, in the words of a header, and its launches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/size.h"
#include "judge/user_arithmetic.h"
#include "judge/user_code.h"
#include "judge/user_launch.h"

static const struct user_meaning fields[] = {
    {"n", "n", false}, {"w", "cols", false}, {"p", "k + pad", false}, {"x", "alpha", true}, {"both", "", false},
};

static bool reads(const char *file, const char *text, char made[USER_ARITHMETIC_MAX], long long *integer)
{
    char *code = user_code_blank(file, false), *lines = user_code_blank(file, true);
    const struct user_meanings names = {code, lines, strlen(code), fields, COUNT_OF(fields)};
    bool is_read = user_arithmetic(&names, text, strlen(text), made);
    assert_int_equal(user_arithmetic_integer(&names, text, strlen(text), integer) && !is_read, false);
    free(code);
    free(lines);
    return is_read;
}

static void arithmetic(void **state)
{
    (void)state;
    static const char div[] = "#define DIV(a, b) (((a) + (b) - 1) / (b))\n#define T 32\n"
                              "int cdiv(int a, int b) { return (a + b - 1) / b; }\n"
                              "int two() { int a = 1; return a + a; }\n"
                              "const int m = 4 * n, late = m;\n#define A B\n#define B A\n#define LONG \\\n 64\n";
    static const struct {
        const char *text, *made; /* NULL: not understood */
    } rows[] = {
        {"n", "n"},
        {"w + 1", "cols + 1"},
        {" ( n ) ", "n"},
        {"(n + 31) / 32", "floor((n + 31) / 32)"},
        {"(n+T-1)/T", "floor((n + 32 - 1) / 32)"},
        {"n / 2 / 2", "floor(floor(n / 2) / 2)"},
        {"n / 2.0", "n / 2"},
        {"n * 0.5f", "n * 0.5"},
        {"n / 2 * 1.0 / 3", "floor(n / 2) * 1 / 3"},
        {"2 * n % 16", "2 * n % 16"},
        {"n - 1 - 2 * 3", "n - 1 - 2 * 3"},
        {"16u", "16"},
        {".5", "0.5"},
        {"p * 2", "(k + pad) * 2"},
        {"p", "(k + pad)"},
        {"x / 2", "alpha / 2"},
        {"(x + 1) / 2", "(alpha + 1) / 2"},
        {"(int)x / 2", "floor(floor(alpha) / 2)"},
        {"(int)n", "n"},
        {"(unsigned int) n / 2", "floor(n / 2)"},
        {"(float)n / 32", "n / 32"},
        {"ceil(n / 32)", "ceil(floor(n / 32))"},
        {"ceilf((float)n / 32)", "ceil(n / 32)"},
        {"(int)ceil(n / 32.0)", "floor(ceil(n / 32))"},
        {"floor(n / 32.0) / 2", "floor(n / 32) / 2"},
        {"std::min(n, 256)", "min(n, 256)"},
        {"max(n, 256) / 2", "floor(max(n, 256) / 2)"},
        {"min(x, 2) / 4", "min(alpha, 2) / 4"},
        {"min(2, x) / 4", "min(2, alpha) / 4"},
        {"sizeof(float)", "4"},
        {"sizeof( double ) * n", "8 * n"},
        {"sizeof(char) / 2", "floor(1 / 2)"},
        {"m + 1", "(4 * n) + 1"},
        {"late", "(4 * n)"},
        {"LONG", "64"},
        {"DIV(n, 32)", "floor((n + 32 - 1) / 32)"},
        {"DIV(n + 1, T)", "floor(((n + 1) + 32 - 1) / 32)"},
        {"cdiv(n, 16)", "floor((n + 16 - 1) / 16)"},
        {"cdiv(w, cdiv(n, 2))", "floor((cols + floor((n + 2 - 1) / 2) - 1) / floor((n + 2 - 1) / 2))"},
        {"n << 2", NULL},
        {"sizeof(short)", NULL},
        {"other", NULL},
        {"both", NULL},
        {"A", NULL},
        {"DIV(n)", NULL},
        {"ceil(n, 2)", NULL},
        {"min(n)", NULL},
        {"two()", NULL},
        {"f(n)", NULL},
        {"n +", NULL},
        {"* n", NULL},
        {"(n", NULL},
        {"n)", NULL},
        {"n n", NULL},
        {"", NULL},
        {"(short)n", NULL},
        {"((((((((((((((n))))))))))))))", NULL}, /* deeper than twelve */
        {"((((((((((n))))))))))", "n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char made[USER_ARITHMETIC_MAX] = "";
        long long integer;
        if (reads(div, rows[i].text, made, &integer) != (rows[i].made != NULL))
            fail_msg("'%s': %s", rows[i].text, made);
        if (rows[i].made)
            assert_string_equal(made, rows[i].made);
    }
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        long long value; /* -1: none */
    } rows[] = {{"16 * 16", 256}, {"T / 3", 10}, {"(T + 1) % 2", 1}, {"n", -1},
                {"0.5", -1},      {"f(1)", -1},  {"7 - 3", 4}};
    char *code = user_code_blank("", false);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct user_meanings names = {.code = code, .lines = "#define T 32\n"};
        long long value = -1;
        assert_int_equal(user_arithmetic_integer(&names, rows[i].text, strlen(rows[i].text), &value),
                         rows[i].value >= 0);
        if (rows[i].value >= 0)
            assert_int_equal(value, rows[i].value);
    }
    free(code);
}

static void launches(void **state)
{
    (void)state;
    static const struct {
        const char *text, *arguments;
        struct user_launch launch;
    } rows[] = {
        {"k<<<(n + 255) / 256, 256>>>(d_in, d_out, n);", "in, out, int(n)", {1, "256", "floor((n + 255) / 256)", ""}},
        {"// k<<<1, 2>>>(a, 1);\n\n k <<< dim3(8, N / 16), dim3(16, 4 * 4), 16 * 16 * sizeof(float) >>> (a, b, N);",
         "in, out, int(n)",
         {3, "16, 16", "8, floor(n / 16)", "1024"}},
        {"dim3 block(16, 8);\ndim3 grid((w + 15) / 16, (h + 7) / 8);\nk<<<grid, block>>>(d, d, w, h);",
         "in, out, int(cols), int(rows)",
         {3, "16, 8", "floor((cols + 15) / 16), floor((rows + 7) / 8)", ""}},
        {"dim3 b = {32, 4};\nk<<<m, b>>>(a, m);", "in, int(n)", {2, "32, 4", "n, 1", ""}},
        {"dim3 b = dim3(32, 4, 2);\nk<<<m, b>>>(a, m);", "in, int(n)", {2, "32, 4, 2", "n, 1, 1", ""}},
        {"k<<<dim3(m, 2), 64>>>(a, m);", "in, int(n)", {1, "64, 1", "n, 2", ""}},
        {"k<<<{m, 2}, {64, 2}>>>(a, m);", "in, int(n)", {1, "64, 2", "n, 2", ""}},
        {"int T = 64, g = m / T; k<<<g, T>>>(a, m);", "in, int(n)", {1, "64", "floor(n / 64)", ""}},
        {"int T = 8; T = 64; k<<<m, T>>>(a, m); T = 128;", "in, int(n)", {1, "64", "n", ""}},
        {"k<float, 32><<<m, 32>>>(a, m);", "in, int(n)", {1, "32", "n", ""}},
        {"k<<<f(m), 64>>>(a, m);", "in, int(n)", {1, "64", "", ""}},
        {"k<<<m, f(m)>>>(a, m);", "in, int(n)", {1, "", "", ""}},
        {"k<<<m, 64, 0, stream>>>(a, m);", "in, int(n)", {1, "64", "n", ""}},
        {"k<<<m, 64, m * 4>>>(a, m);", "in, int(n)", {1, "64", "n", "n * 4"}},
        {"k<<<m, 64>>>(a, m, m);", "in, int(rows), int(cols)", {1, "64", "", ""}},
        {"k<<<m, 64>>>(a, m, m);", "in, int(rows), int(rows)", {1, "64", "rows", ""}},
        {"k<<<m / 4, 64>>>(a, m);", "in, k + lda_pad", {1, "64", "floor((k + lda_pad) / 4)", ""}},
        {"k<<<m, 64>>>(f(a, 1), m + 0, m);", "in, int(rows), int(cols)", {1, "64", "cols", ""}},
        {"k<<<m, 64>>>(a, m); k<<<1, 2>>>(a, m);", "in, int(n)", {1, "64", "n", ""}},
        {"kk<<<1, 2>>>(a, m); k<<<m, 64>>>(a, m);", "in, int(n)", {1, "64", "n", ""}},
        {"k<<<m>>>(a, m);", "in, int(n)", {0, "", "", ""}},
        {"k<<<m, 64>>>;", "in, int(n)", {0, "", "", ""}},
        {"k(a, m);", "in, int(n)", {0, "", "", ""}},
        {"k < 3; f<<<1, 2>>>(a);", "in, int(n)", {0, "", "", ""}},
        {"", "in, int(n)", {0, "", "", ""}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct user_launch launch;
        user_launch_read(rows[i].text, "k", rows[i].arguments, &launch);
        if (launch.line != rows[i].launch.line)
            fail_msg("%s: line %zu", rows[i].text, launch.line);
        assert_string_equal(launch.group, rows[i].launch.group);
        assert_string_equal(launch.groups, rows[i].launch.groups);
        assert_string_equal(launch.local, rows[i].launch.local);
    }
}

static void where_a_launch_is(void **state)
{
    (void)state;
    static const char code[] = "f(); k<float, 32> <<< grid , block, bytes >>> (a, n);";
    static const char *const parts[] = {"grid ", "block", "bytes "};
    struct user_launch_text launch;
    assert_true(user_launch_find(code, "k", &launch));
    assert_int_equal(launch.at, 5);
    assert_int_equal(launch.templates_length, strlen("float, 32"));
    assert_memory_equal(code + launch.templates, "float, 32", strlen("float, 32"));
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        assert_int_equal(launch.part_lengths[i], strlen(parts[i]));
        assert_memory_equal(code + launch.parts[i], parts[i], strlen(parts[i]));
    }
    assert_string_equal(code + launch.arguments, "(a, n);");
    assert_true(user_launch_find("k<<<1, 2>>>(a);", "k", &launch));
    assert_int_equal(launch.templates_length, 0);
    assert_int_equal(launch.part_lengths[2], 0);
    assert_false(user_launch_find("k<<<1, 2; 3>>>(a);", "k", &launch));
}

static void the_only_launch(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } rows[] = {
        {"a<<<1, 2>>>(x); a<<<3, 4>>>(y);", "a"},
        {"a <<<1, 2>>>(x);", "a"},
        {"a<float><<<1, 2>>>(x);", "a"},
        {"a<<<1, 2>>>(x); b<<<1, 2>>>(x);", NULL},
        {"return a < b;", NULL},
        {"a << 3;", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char name[64];
        assert_int_equal(user_launch_only(rows[i].text, name), rows[i].name != NULL);
        if (rows[i].name)
            assert_string_equal(name, rows[i].name);
    }
}

/* Comments and strings go; offsets and line ends stay. */
static void blanked_code(void **state)
{
    (void)state;
    static const struct {
        const char *text, *code, *lines;
    } rows[] = {
        {"a /* b\n c */ d", "a     \n      d", "a     \n      d"},
        {"a // b\nc", "a     \nc", "a     \nc"},
        {"a // b", "a     ", "a     "},
        {"\"x\\\"y\" z", "       z", "       z"},
        {"'\\'' z", "     z", "     z"},
        {"1'000 'c'", "1'000    ", "1'000    "},
        {"\"open\nz", "     \nz", "     \nz"},
        {"#define A \\\n 1\nb", "           \n  \nb", "#define A \\\n 1\nb"},
        {"  #if 1\nb", "       \nb", "  #if 1\nb"},
        {"a #b", "a #b", "a #b"},
        {"/* open", "       ", "       "},
        {"a / b", "a / b", "a / b"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char *code = user_code_blank(rows[i].text, false), *lines = user_code_blank(rows[i].text, true);
        assert_string_equal(code, rows[i].code);
        assert_string_equal(lines, rows[i].lines);
        free(code);
        free(lines);
    }
    assert_int_equal(user_code_word("ab_1c-d"), 5);
    assert_int_equal(user_code_word("-d"), 0);
    assert_true(user_code_is("abc", 2, "ab") && !user_code_is("abc", 3, "ab") && !user_code_is("abc", 2, "ac"));
    assert_int_equal(user_code_skip_blanks("a \t\nb", 1), 4);
    assert_int_equal(user_code_skip_parentheses("(a[b]{c})d", 0), 9);
    assert_int_equal(user_code_skip_parentheses("x(a)(b)", 1), 4);
    assert_int_equal(user_code_skip_parentheses("(a", 0), 2);
    assert_int_equal(user_code_line("a\nb\nc", 0), 1);
    assert_int_equal(user_code_line("a\nb\nc", 1), 1);
    assert_int_equal(user_code_line("a\nb\nc", 2), 2);
    assert_int_equal(user_code_line("a\nb\nc", 99), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arithmetic),        cmocka_unit_test(integers),        cmocka_unit_test(launches),
        cmocka_unit_test(where_a_launch_is), cmocka_unit_test(the_only_launch), cmocka_unit_test(blanked_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
