/* Batches of products: each product's data are its own, right batches pass, and wrong ones are refused however they are
 * judged. */
#include "matmul_calls.h"

#include "base/size.h"
#include "kernels/argument.h"
#include "kernels/matmul/check.h"
#include "kernels/rung_header.h"

static const char *const texts[] = {
    "matmul:m=5,n=7,k=9,batch=3,input=integers",
    "matmul:m=33,n=19,k=21,beta=-1,batch=64,input=integers",
    "matmul:m=17,n=35,k=37,alpha=-0.5,beta=0.25,transa=t,lda_pad=1,ldc_pad=3,batch=5",
    "matmul:m=30,n=13,k=66,transb=t,ldb_pad=1,batch=4",
    "matmul:m=34,n=18,k=31,batch=3,input=wide",
};

static void multiply_product(const struct product *p)
{
    struct operands o = gather(p);
    multiply_by(o, plain, product_depth(p));
    release(o);
}

static void multiply_all(const struct product *batch)
{
    for (size_t i = 0; i < batch->batch; i++) {
        const struct product p = product_at(batch, i);
        multiply_product(&p);
    }
}

/* ---- wrong batches -------------------------------------------------------------------------------------------- */

static void only_first(const struct product *batch)
{
    const struct product p = product_at(batch, 0);
    multiply_product(&p);
}

static void all_but_last(const struct product *batch)
{
    struct product fewer = *batch;
    fewer.batch--;
    multiply_all(&fewer);
}

static void first_a_for_all(const struct product *batch)
{
    struct product wrong = *batch;
    wrong.step_a = 0;
    multiply_all(&wrong);
}

static void first_b_for_all(const struct product *batch)
{
    struct product wrong = *batch;
    wrong.step_b = 0;
    multiply_all(&wrong);
}

static void all_into_first(const struct product *batch)
{
    struct product wrong = *batch;
    wrong.step_c = 0;
    multiply_all(&wrong);
}

static void next_b(const struct product *batch)
{
    for (size_t i = 0; i < batch->batch; i++) {
        struct product p = product_at(batch, i);
        p.b = product_at(batch, (i + 1) % batch->batch).b;
        multiply_product(&p);
    }
}

static void one_element_of_the_last(const struct product *batch)
{
    const struct product p = product_at(batch, batch->batch - 1);
    multiply_all(batch);
    *element(&p, p.m - 1, p.n / 2) = *element(&p, p.m - 1, p.n / 2) * 1.01f + 1e-3f;
}

static const struct {
    const char *name;
    void (*multiply)(const struct product *batch);
} wrongs[] = {
    {"only the first product", only_first},
    {"all products but the last", all_but_last},
    {"the first A for all", first_a_for_all},
    {"the first B for all", first_b_for_all},
    {"all products into the first C", all_into_first},
    {"the next product's B", next_b},
    {"one element of the last product", one_element_of_the_last},
};

static void judge_batch(const char *text)
{
    struct bench bench;
    struct check_result result;
    open_bench(&bench, text);
    multiply_all(&bench.product);
    if (!passes(&bench, &result))
        FAIL_WITH("%s: %s\n", text, result.reason);
    restore(&bench);
    for (size_t w = 0; w < COUNT_OF(wrongs); w++) {
        wrongs[w].multiply(&bench.product);
        if (passes(&bench, &result))
            FAIL_WITH("%s: %s is taken for right\n", text, wrongs[w].name);
        restore(&bench);
    }
    close_bench(&bench);
}

static void wrong_batches_fail(void **state)
{
    (void)state;
    for (int vectors = 0; vectors < 2; vectors++) {
        check_exact_operations = vectors ? 0 : 0x1p31;
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            judge_batch(texts[i]);
    }
    check_exact_operations = 0x1p31;
}

/* In integers modulo 2^64, as the batch has many operations. */
static void wrong_large_batches_fail(void **state)
{
    (void)state;
    judge_batch("matmul:m=65,n=66,k=70,batch=64,input=integers");
}

/* ---- places --------------------------------------------------------------------------------------------------- */

static void the_first_wrong_product_is_named(void **state)
{
    struct bench bench;
    struct check_result result;
    (void)state;
    open_bench(&bench, "matmul:m=5,n=7,k=9,ldc_pad=2,batch=4");
    multiply_all(&bench.product);
    const struct product third = product_at(&bench.product, 2), last = product_at(&bench.product, 3);
    const float right = *element(&third, 1, 6);
    *element(&third, 1, 6) = 100;
    *element(&last, 0, 0) = 100;
    assert_false(passes(&bench, &result));
    assert_non_null(strstr(result.reason, "[2][1][6]: expected"));
    assert_non_null(strstr(result.reason, "(2 of "));
    *element(&third, 1, 6) = right;
    assert_false(passes(&bench, &result));
    assert_non_null(strstr(result.reason, "[3][0][0]: expected"));
    restore(&bench);
    multiply_all(&bench.product);
    ((float *)last.c)[2 * last.ldc + last.n] += 1; /* padding */
    assert_false(passes(&bench, &result));
    assert_string_equal(result.where, "row [3][2]");
    assert_non_null(strstr(result.reason, "row 17 of C"));
    close_bench(&bench);
}

/* ---- data ----------------------------------------------------------------------------------------------------- */

/* A batch of one has the data of the problem without a batch, and its text. */
static void one_product_is_as_before(void **state)
{
    struct bench one, none;
    char text[PROBLEM_TEXT_MAX];
    (void)state;
    open_bench(&one, "matmul:m=30,n=13,k=66,beta=1,input=tiny,batch=1");
    open_bench(&none, "matmul:m=30,n=13,k=66,beta=1,input=tiny");
    for (int i = 0; i < 3; i++)
        assert_memory_equal(one.input.data[i], none.input.data[i], none.arrays[i].bytes);
    assert_null(strstr(problem_text(&one.problem, text), "batch"));
    close_bench(&one);
    close_bench(&none);
    open_bench(&one, "matmul:m=30,n=13,k=66,batch=2");
    assert_non_null(strstr(problem_text(&one.problem, text), ",batch=2,f32"));
    close_bench(&one);
}

/* The matrices of a batch differ, whatever the inputs. */
static void products_have_data_of_their_own(void **state)
{
    static const char *const inputs[] = {"signed", "wide", "integers", "tiny", "huge", "structured"};
    char text[PROBLEM_TEXT_MAX];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(inputs); i++) {
        struct bench bench;
        snprintf(text, sizeof text, "matmul:m=30,n=13,k=66,batch=2,seed=4,input=%s", inputs[i]);
        open_bench(&bench, text);
        const struct product *p = &bench.product;
        const float *a = p->a, *b = p->b;
        assert_true(memcmp(a, a + p->step_a, p->step_a * sizeof(float)) != 0);
        assert_true(memcmp(b, b + p->step_b, p->step_b * sizeof(float)) != 0);
        close_bench(&bench);
    }
}

static void sizes_are_checked(void **state)
{
    static const char *const bad[] = {
        "matmul:m=2^30,n=1,k=2^30,batch=2^20",
        "matmul:m=1,n=2^30,k=2^30,batch=2^30",
        "matmul:m=2^31,n=2^31,k=1,batch=2^31",
        "matmul:batch=0",
    };
    struct problem problem;
    struct error error;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(problem_parse(bad[i], &problem, &error), STATUS_INVALID);
    assert_int_equal(problem_parse("matmul:m=3,n=5,k=7,batch=2^31", &problem, &error), STATUS_OK);
}

/* ---- who takes them ------------------------------------------------------------------------------------------- */

static const struct backend opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
static const struct device device = {.backend = &opencl, .id = "opencl:0"};

#define HEADER "// rung: r\n// idea: i\n// group: 8\n// groups: m\n"

static const char *refusal_of(const char *header, const char *text)
{
    static char reason[256];
    struct rung *rung = NULL;
    struct problem problem;
    struct error error = {""};
    if (problem_parse(text, &problem, &error) != STATUS_OK ||
        device_rung_read(problem.kernel, "r.cl", header, NULL, &rung, &error) != STATUS_OK)
        FAIL_WITH("%s", error.text);
    const struct parameters none = {{0}};
    const char *refused = rung_refuses(rung, &problem, &device, &none, reason, sizeof reason);
    device_rung_free(rung);
    return refused;
}

static void a_rung_says_that_it_takes_batches(void **state)
{
    (void)state;
    static const char refused[] = "computes one product, not a batch of them";
    assert_null(refusal_of(HEADER, "matmul"));
    assert_null(refusal_of(HEADER "// takes: batch\n", "matmul:batch=2"));
    assert_string_equal(refusal_of(HEADER, "matmul:batch=2"), refused);
    const struct rung in_c = {.name = "c", .backends = BACKEND_OPENCL},
                      taking = {.name = "d", .backends = BACKEND_OPENCL, .takes = "batch"};
    const struct parameters none = {{0}};
    struct problem problem;
    assert_int_equal(problem_parse("matmul:batch=2", &problem, NULL), STATUS_OK);
    assert_string_equal(rung_refuses(&in_c, &problem, &device, &none, NULL, 0), refused);
    assert_null(rung_refuses(&taking, &problem, &device, &none, NULL, 0));
}

/* Only fields that a rung may leave out. */
static void other_fields_are_not_taken(void **state)
{
    static const char too_long[] =
        "batch batch batch batch batch batch batch batch batch batch batch batch batch batch "
        "batch batch batch batch";
    static const char *const bad[] = {"m", "batches", "bat", "batch m", too_long};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char text[512];
        struct rung *rung;
        struct error error;
        snprintf(text, sizeof text, HEADER "// takes: %s\n", bad[i]);
        assert_int_equal(device_rung_read(kernel_by_name("matmul", NULL), "r.cl", text, NULL, &rung, &error),
                         STATUS_INVALID);
    }
}

/* Kernels that list no arguments go on getting those that they were written for. */
static void a_batch_is_no_default_argument(void **state)
{
    (void)state;
    const struct problem problem = problem_default(kernel_by_name("matmul", NULL));
    struct argument arguments[SOURCE_ARGUMENTS_MAX];
    const size_t count = argument_defaults(&problem, arguments);
    assert_int_equal(count, 13);
    assert_string_equal(arguments[count - 1].expression, "ldc_pad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_batches_fail),
        cmocka_unit_test(wrong_large_batches_fail),
        cmocka_unit_test(the_first_wrong_product_is_named),
        cmocka_unit_test(one_product_is_as_before),
        cmocka_unit_test(products_have_data_of_their_own),
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(a_rung_says_that_it_takes_batches),
        cmocka_unit_test(other_fields_are_not_taken),
        cmocka_unit_test(a_batch_is_no_default_argument),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
