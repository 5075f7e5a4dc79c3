/* Wrong compute shaders do not pass: the check is the same for every technology. */
#include "opengl_device.h"

#include "base/embedded.h"
#include "base/size.h"
#include "base/text.h"
#include "kernels/rung_header.h"
#include "lab/verification/check.h"

#include "verdicts.h"

/* A change of naive.glsl, and a problem that shows it. */
static const struct {
    const char *from, *to, *problem;
} mistakes[] = {
    {"i < k", "i < k - 1", "matmul:m=9,n=7,k=5,f32"},
    {"col >= n", "col >= n - 1", "matmul:m=9,n=7,k=5,f32"},
    {"beta * c[at]", "ELEMENT(0)", "matmul:m=9,n=7,k=5,beta=0.5,f32"},
    {"row) * ldc", "row) * n", "matmul:m=9,n=7,k=5,ldc_pad=3,f32"},
    {"product * m", "product * n", "matmul:m=9,n=7,k=5,batch=3,f32"},
    {"first_b +", "0 +", "matmul:m=9,n=7,k=5,batch=3,f32"},
    {"TRANSA == 1", "false", "matmul:m=9,n=7,k=5,transa=t,f32"},
    {"if (row >= m || col >= n)", "if (row < m && col < n)", "matmul:m=9,n=7,k=5,f32"},
    {"ELEMENT sum = ELEMENT(0)", "ELEMENT sum = ELEMENT(float(alpha) * 1e-3)", "matmul:m=9,n=7,k=5,f64"},
};

static struct measurement check(const char *text, const char *problem_name)
{
    struct problem problem;
    struct rung *rung;
    struct measurement_list list = {0};
    static const struct overrides none;
    expect_ok(problem_parse(problem_name, &problem, &error));
    expect_ok(device_rung_read(problem.kernel, "wrong.glsl", text, NULL, &rung, &error));
    const struct rung *const rungs[] = {rung};
    expect_ok(lab_check(&problem, device, rungs, 1, &none, &list, &error));
    assert_int_equal(list.count, 1);
    const struct measurement measured = list.items[0]; /* of a check, it has no samples */
    measurement_list_free(&list);
    device_rung_free(rung);
    return measured;
}

static char *with_mistake(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    const size_t size = strlen(text) + strlen(to) + 1;
    char *changed = malloc(size);
    assert_non_null(at);
    assert_non_null(changed);
    changed[0] = 0;
    text_append(changed, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    return changed;
}

static void wrong_shaders_fail(void **state)
{
    NEEDS_DEVICE();
    const char *text = embedded_find("kernels/matmul/naive.glsl")->text;
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        char *changed = with_mistake(text, mistakes[i].from, mistakes[i].to);
        const struct measurement right = check(text, mistakes[i].problem), wrong = check(changed, mistakes[i].problem);
        expect_reason(&right, VERDICT_PASS, "");
        if (wrong.verdict != VERDICT_FAIL)
            print_error("%s instead of %s:\n", mistakes[i].to, mistakes[i].from);
        expect_reason(&wrong, VERDICT_FAIL, "");
        free(changed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_shaders_fail)};
    return cmocka_run_group_tests(tests, open_device, close_device);
}
