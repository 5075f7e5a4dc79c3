/* Expressions: what they are worth, and what is said about wrong ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/expression.h"
#include "base/size.h"

#include <cmocka.h>

static bool look_up(void *context, const char *name, int length, double *value)
{
    static const struct {
        const char *name;
        double value;
    } names[] = {{"cols", 1000}, {"rows", 7}, {"TILE", 32}, {"zero", 0}, {"_x1", 0.5}, {"huge", 1e300}};
    ++*(int *)context;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i].name) == (size_t)length && strncmp(names[i].name, name, (size_t)length) == 0) {
            *value = names[i].value;
            return true;
        }
    return false;
}

static void values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"42", 42},
        {" 4 ", 4},
        {"1.5e3", 1500},
        {".5", 0.5},
        {"2E-1", 0.2},
        {"cols", 1000},
        {"_x1", 0.5},
        /* precedence and order */
        {"2 + 3 * 4", 14},
        {"(2 + 3) * 4", 20},
        {"10 - 4 - 3", 3},
        {"100 / 10 / 5", 2},
        {"7 / 2", 3.5},
        {"17 % 5 % 3", 2},
        {"2 * 7 % 4", 2},
        {"1 + 2 < 4 == 1", 1},
        {"1 < 2 == 2 > 1", 1},
        {"1 || 0 && 0", 1},
        {"(1 || 0) && 0", 0},
        {"-2 * -3", 6},
        {"- - 2", 2},
        {"!0 + !5", 1},
        {"!(rows > 5)", 0},
        {"1 <= 1 && 1 >= 1 && 1 != 2", 1},
        {"3 && 4", 1},
        {"5.5 % 2", 1.5},
        {"-7 % 4", -3},
        /* functions */
        {"ceil(cols / TILE)", 32},
        {"floor(cols / TILE)", 31},
        {"ceil(-0.5)", 0},
        {"min(3, max(1, 2))", 2},
        {"log2(8)", 3},
        {"4*TILE*(TILE+1)", 4224},
        {"ceil(log2(cols))", 10},
        /* what does not matter is not computed */
        {"zero == 0 || cols % zero == 0", 1},
        {"zero != 0 && 1 / zero", 0},
        {"1 || log2(0)", 1},
        {"0 && huge * huge", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {{0}};
        double value = -1;
        int looked = 0;
        if (expression_evaluate(cases[i].text, look_up, &looked, &value, &error) != STATUS_OK)
            fail_msg("%s: %s", cases[i].text, error.text);
        if (value != cases[i].value)
            fail_msg("%s is %.17g, not %.17g", cases[i].text, value, cases[i].value);
    }
}

static void mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "it ends where a value should be at character 1"},
        {"   ", "it ends"},
        {"1 +", "it ends where a value should be at character 4"},
        {"1 2", "an operator should be here at character 3"},
        {"(1", "')' is missing at character 3"},
        {"1)", "an operator should be here at character 2"},
        {"* 2", "a value should be here at character 1"},
        {"2 ** 3", "a value should be here at character 4"},
        {"1 = 1", "an operator should be here at character 3"},
        {"1 & 1", "an operator"},
        {"colz / 2", "unknown name 'colz' at character 1"},
        {"1 + cols2", "unknown name 'cols2' at character 5"},
        {"ceiling(2)", "'ceiling' is not a function"},
        {"cols(2)", "'cols' is not a function"},
        {"ceil 2", "unknown name 'ceil'"},
        {"min(1)", "min takes 2 values"},
        {"max(1, 2, 3)", "')' is missing"},
        {"ceil()", "a value should be here"},
        {"1.2.3", "this is not a number"},
        {"1e", "this is not a number"},
        {"0x10", "an operator should be here"},
        {".", "this is not a number"},
        {"1 / zero", "division by zero at character 3"},
        {"1 % (2 - 2)", "division by zero"},
        {"0 / 0", "division by zero"},
        {"log2(zero)", "log2 of what is not above 0"},
        {"log2(-1)", "log2"},
        {"huge * huge", "the value is too large"},
        {"-huge * huge * 0", "the value is too large"},
        {"1e999", "this is not a number"},
        {"min(huge * huge, 1)", "the value is too large"},
        {"0 && unknown", "unknown name 'unknown'"},
        {"1 || (", "it ends"},
        {"cols $ 2", "an operator"},
        {"\xd0\xbf", "a value should be here"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {{0}};
        double value = -1;
        int looked = 0;
        assert_int_equal(expression_evaluate(cases[i].text, look_up, &looked, &value, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].says);
        assert_true(value == -1);
        assert_int_equal(expression_evaluate(cases[i].text, look_up, &looked, &value, NULL), STATUS_INVALID);
    }
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        const char *says;
    } cases[] = {
        {"0", 0, NULL},
        {"ceil(cols / TILE)", 32, NULL},
        {"9007199254740992", INT64_C(1) << 53, NULL},
        {"-0", 0, NULL},
        {"9007199254740994", 0, "is 9007199254740994; an integer from 0 to 2^53 is needed"},
        {"huge", 0, "is 1e+300; an integer from 0 to 2^53 is needed"},
        {"0 - 1", 0, "is -1; an integer from 0 to 2^53 is needed"},
        {"cols / TILE", 0, "is 31.25, which is not an integer; ceil() or floor() makes it one"},
        {"cols / zero", 0, "division by zero"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct error error = {{0}};
        int64_t value = 77;
        int looked = 0;
        enum status status = expression_integer(cases[i].text, look_up, &looked, &value, &error);
        assert_int_equal(status, cases[i].says ? STATUS_INVALID : STATUS_OK);
        assert_true(value == (cases[i].says ? 77 : cases[i].value));
        if (cases[i].says && !strstr(error.text, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].says);
    }
}

/* Syntax and names are judged, numbers are not. */
static void checking(void **state)
{
    (void)state;
    int looked = 0;
    struct error error = {{0}};
    assert_int_equal(expression_check("ceil(cols / zero) + log2(zero)", look_up, &looked, &error), STATUS_OK);
    assert_int_equal(looked, 3);
    assert_int_equal(expression_check("huge * huge", look_up, &looked, &error), STATUS_OK);
    assert_int_equal(expression_check("0 && nothing", look_up, &looked, &error), STATUS_INVALID);
    assert_int_equal(expression_check("cols +", look_up, &looked, &error), STATUS_INVALID);
    assert_int_equal(expression_check("cols", NULL, NULL, &error), STATUS_INVALID);
}

static void expect_too_deep(const char *opening, size_t length)
{
    size_t piece = strlen(opening);
    char *text = malloc(piece * length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        memcpy(text + i * piece, opening, piece);
    text[piece * length] = '\0';
    struct error error = {{0}};
    double value;
    int looked = 0;
    assert_int_equal(expression_evaluate(text, look_up, &looked, &value, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "nested too deeply"));
    free(text);
}

/* Text made to exhaust the stack ends in a message. */
static void nesting(void **state)
{
    (void)state;
    static const char *const openings[] = {"(", "-", "!", "ceil(", "1+(", "min(1,"};
    for (size_t i = 0; i < COUNT_OF(openings); i++)
        expect_too_deep(openings[i], 1000000);
    double value;
    int looked = 0;
    struct error error;
    assert_int_equal(expression_evaluate("((((((((((1))))))))))", look_up, &looked, &value, &error), STATUS_OK);
    char sum[20001];
    for (size_t i = 0; i < sizeof sum; i++)
        sum[i] = i % 2 ? '+' : '1';
    sum[sizeof sum - 2] = '\0';
    assert_int_equal(expression_evaluate(sum, look_up, &looked, &value, &error), STATUS_OK);
    assert_true(value == 10000);
    memset(sum, '9', sizeof sum - 1);
    sum[sizeof sum - 1] = '\0';
    assert_int_equal(expression_evaluate(sum, look_up, &looked, &value, &error), STATUS_INVALID);
    memset(sum, 'n', sizeof sum - 1);
    assert_int_equal(expression_evaluate(sum, look_up, &looked, &value, &error), STATUS_INVALID);
    strcpy(sum + sizeof sum - 2, "(");
    assert_int_equal(expression_evaluate(sum, look_up, &looked, &value, &error), STATUS_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),   cmocka_unit_test(mistakes), cmocka_unit_test(integers),
        cmocka_unit_test(checking), cmocka_unit_test(nesting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
