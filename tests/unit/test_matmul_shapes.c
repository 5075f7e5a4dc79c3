/* How products of any shape are cut and which rung is chosen for them: every plan covers its product, fits its scratch
 * memory, and does what somebody asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backends/all.h"
#include "base/random.h"
#include "base/size.h"
#include "kernels/matmul/arrivals.h"
#include "kernels/matmul/half_choice.h"
#include "kernels/matmul/shape_choice.h"

#include <cmocka.h>
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__)) /* last: it has a macro called fail */

#define UNITS 132
#define SHAPES 2000

static size_t size_of(struct random *random, unsigned bits)
{
    return 1 + (random_u32(random) & ((1u << random_u32(random) % bits) - 1));
}

static struct product product_drawn(struct random *random)
{
    struct product p = {.m = size_of(random, 14), .n = size_of(random, 14), .k = size_of(random, 18), .alpha = 1};
    p.lda = p.k;
    p.ldb = p.ldc = p.n;
    return p;
}

static size_t divide_up(size_t value, size_t unit)
{
    return value / unit + (value % unit != 0);
}

static void check_fused(const struct product *p, const struct fused_plan *plan)
{
    size_t tiles = (p->batch ? p->batch : 1) * divide_up(p->m, plan->tile_m) * divide_up(p->n, plan->tile_n);
    size_t parts = plan->spans * (size_t)plan->cluster;
    assert_int_equal(plan->groups, tiles * parts);
    assert_true(plan->slice % 32 == 0 && plan->slice > 0);
    assert_true(plan->slice * parts >= p->k);                                              /* all of the depth, */
    assert_true(plan->spans == 1 || plan->slice * (parts - (size_t)plan->cluster) < p->k); /* no span without any */
    assert_true(plan->local_bytes <= 227 * 1024 && plan->items % 32 == 0);
    assert_true(plan->bytes > 0 && plan->sums_at % 128 == 0);
    if (plan->spans > 1) {
        assert_true(plan->sums_at >= 8 * tiles * (size_t)plan->cluster * (plan->spans + 1));
        assert_true(plan->bytes >= plan->sums_at + 4 * tiles * plan->spans * plan->tile_m * plan->tile_n);
    }
    assert_true(plan->nanoseconds > 0);
}

static void fused_plans_cover_their_products(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 17);
    for (int i = 0; i < SHAPES; i++) {
        struct product p = product_drawn(&random);
        struct fused_plan plan = fused_plan_of(&p, UNITS, (struct fused_wish){0}), again;
        check_fused(&p, &plan);
        again = fused_plan_of(&p, UNITS, (struct fused_wish){plan.tile, plan.cluster, plan.spans});
        assert_int_equal(again.tile, plan.tile);
        assert_int_equal(again.slice, plan.slice);
    }
}

/* A batch has the groups of all of its products, and only rungs that take batches are chosen. */
static void batches_are_planned_as_a_whole(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 20);
    for (int i = 0; i < SHAPES; i++) {
        struct product p = product_drawn(&random);
        p.batch = 2 + random_u32(&random) % 100;
        struct fused_plan plan = fused_plan_of(&p, UNITS, (struct fused_wish){0});
        check_fused(&p, &plan);
        assert_int_equal(plan.groups % p.batch, 0);
        const char *name = matmul_choice(&p, UNITS);
        const struct rung *rung = rung_by_name(kernel_by_name("matmul", NULL), name, NULL);
        assert_non_null(rung);
        assert_string_equal(rung->takes, "batch");
    }
}

static void fused_plans_are_what_is_asked_for(void **state)
{
    (void)state;
    const struct product p = {.m = 300, .n = 200, .k = 5000, .lda = 5000, .ldb = 200, .ldc = 200, .alpha = 1};
    for (int tile = 1; tile <= 7; tile++)
        for (int cluster = 1; cluster <= 8; cluster *= 2) {
            struct fused_plan plan = fused_plan_of(&p, UNITS, (struct fused_wish){tile, cluster, 4});
            assert_int_equal(plan.tile, tile);
            assert_int_equal(plan.cluster, cluster);
            assert_int_equal(plan.spans, 4);
            check_fused(&p, &plan);
        }
}

static void nothing_is_launched_without_results_and_a_depth_of_none_is_a_slice(void **state)
{
    (void)state;
    const struct product none = {.n = 5, .k = 3, .lda = 3, .ldb = 5, .ldc = 5, .alpha = 1};
    const struct product shallow = {.m = 3, .n = 5, .ldb = 5, .ldc = 5, .alpha = 1};
    assert_int_equal(fused_plan_of(&none, UNITS, (struct fused_wish){0}).groups, 0);
    struct fused_plan plan = fused_plan_of(&shallow, UNITS, (struct fused_wish){0});
    assert_true(plan.groups >= 1 && plan.spans == 1);
    const struct vector_shape no_lines = {0, 7, 1, true, UNITS, 4, true}, no_depth = {7, 0, 3, true, UNITS, 2, true};
    assert_true(vector_plan_of(no_lines, (struct vector_wish){0}).groups == 0);
    assert_true(vector_plan_of(no_depth, (struct vector_wish){0}).groups == 1);
    assert_true(vector_plan_of(vector_shape_of(&none, UNITS), (struct vector_wish){0}).groups == 0);
}

static void vector_plans_cover_their_products(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 18);
    for (int i = 0; i < SHAPES; i++) {
        size_t lines = size_of(&random, 18), depth = size_of(&random, 18);
        bool along = i % 2;
        size_t vectors = 1 + (size_t)i / 2 % VECTORS_MOST;
        const struct vector_shape shape = {lines, depth, vectors, along, UNITS, i % 3 ? 4 : 2, i % 5 != 0};
        struct vector_plan plan = vector_plan_of(shape, (struct vector_wish){0});
        size_t set = along ? 32 / (size_t)plan.spread : 32 * (size_t)plan.wide, sets = divide_up(lines, set);
        assert_true(plan.spread == 1 || plan.spread == 2 || plan.spread == 4 || plan.spread == 8);
        size_t cluster = (size_t)plan.cluster, span = plan.slice * cluster;
        assert_true(cluster == 1 || cluster == 2 || cluster == 4 || cluster == 8);
        assert_int_equal(plan.groups, sets * cluster * plan.spans);
        assert_true(span * plan.spans >= depth && (plan.spans == 1 || span * (plan.spans - 1) < depth));
        assert_int_equal(plan.slice % (size_t)plan.pair, 0);
        if (plan.pair > 1)
            assert_true(shape.bytes == 2 && shape.is_even && vectors == 1 && (along || lines % 2 == 0));
        if (plan.spans > 1)
            assert_true(plan.sums_at >= 8 * sets * (plan.spans + 1) &&
                        plan.bytes >= plan.sums_at + sets * plan.spans * 128 * vectors * 4);
    }
}

/* A vector is what there is less of; a matrix's lines lie along memory, or across. */
static void few_rows_or_columns_are_vectors(void **state)
{
    (void)state;
    const struct product rows = {.m = 3, .n = 900, .k = 70, .lda = 70, .ldb = 900, .ldc = 900, .alpha = 1};
    const struct product columns = {.m = 900, .n = 8, .k = 70, .lda = 70, .ldb = 8, .ldc = 8, .alpha = 1};
    struct vector_shape shape = vector_shape_of(&rows, UNITS);
    assert_true(shape.lines == 900 && shape.vectors == 3 && shape.depth == 70 && !shape.along);
    shape = vector_shape_of(&columns, UNITS);
    assert_true(shape.lines == 900 && shape.vectors == 8 && shape.depth == 70 && shape.along);
}

/* Families for which one rung is the only sensible one; and the name is always a rung's. */
static void the_choice_is_a_rung_that_suits(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 19);
    for (int i = 0; i < SHAPES; i++) {
        struct product p = product_drawn(&random);
        const char *name = matmul_choice(&p, UNITS);
        assert_non_null(rung_by_name(kernel_by_name("matmul", NULL), name, NULL));
        if (p.m == 1 || p.n == 1)
            assert_string_equal(name, "matrix-vector");
    }
    const struct product square = {.m = 8192, .n = 8192, .k = 8192, .lda = 8192, .ldb = 8192, .ldc = 8192, .alpha = 1};
    const struct product small = {.m = 256, .n = 256, .k = 256, .lda = 256, .ldb = 256, .ldc = 256, .alpha = 1};
    const struct product deep = {.m = 41, .n = 49, .k = 195244, .lda = 195244, .ldb = 49, .ldc = 49, .alpha = 1};
    const struct product flat = {.m = 3102, .n = 2561, .k = 2, .lda = 2, .ldb = 2561, .ldc = 2561, .alpha = 1};
    assert_string_equal(matmul_choice(&square, UNITS), "tensor-fp16x3");
    assert_string_equal(matmul_choice(&small, UNITS), "tensor-fused");
    assert_string_equal(matmul_choice(&deep, UNITS), "tensor-fused");
    const struct product flatter = {.m = 5286, .n = 2269, .k = 57, .lda = 57, .ldb = 2269, .ldc = 2269, .alpha = 1};
    const struct product rows = {.m = 3, .n = 5659, .k = 521, .lda = 521, .ldb = 5659, .ldc = 5659, .alpha = 1};
    assert_string_equal(matmul_choice(&flat, UNITS), "shallow");
    assert_string_equal(matmul_choice(&flatter, UNITS), "tensor-shallow");
    assert_string_equal(matmul_choice(&rows, UNITS), "matrix-vector"); /* short slices are shared by all warps */
    assert_true(fused_plan_of(&deep, UNITS, (struct fused_wish){0}).groups > UNITS); /* its one tile is shared */
}

static struct parameters defaults_of(const char *rung_name, const struct product *p)
{
    char text[128];
    struct problem problem;
    struct parameters parameters = {0};
    const struct rung *rung = rung_by_name(kernel_by_name("matmul", NULL), rung_name, NULL);
    snprintf(text, sizeof text, "matmul:m=%zu,n=%zu,k=%zu,batch=%zu", p->m, p->n, p->k, p->batch);
    assert_non_null(rung);
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    assert_int_equal(rung_defaults(rung, &problem, &parameters, NULL), STATUS_OK);
    return parameters;
}

/* The tunables of shallow.cu and tensor_shallow.cu decide the tiles; the estimates of these rungs must know them. */
static void estimates_assume_the_tiles_of_the_launch(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 23);
    for (int i = 0; i < SHAPES; i++) {
        struct product p = product_drawn(&random);
        p.k = 1 + p.k % 256;
        p.batch = size_of(&random, 5);
        const struct tile_shape wide = shallow_tile_of(&p), square = tensor_shallow_tile_of(&p);
        const struct parameters rows = defaults_of("shallow", &p), steps = defaults_of("tensor-shallow", &p);
        assert_int_equal(wide.m, 4 * rows.values[0]);
        assert_int_equal(wide.n, 128);
        assert_int_equal(square.m, 64 * steps.values[1]);
        assert_int_equal(square.n, steps.values[2]);
    }
}

/* The rungs of 16 bits that were the fastest on an H200 (results/h200/matmul-half-shapes.txt, matmul-half-again.txt),
 * and what needs none. */
static void halves_are_chosen_as_measured(void **state)
{
    (void)state;
    static const struct {
        size_t m, n, k;
        const char *rung;
    } cases[] = {
        {5834, 2235, 1369, "wgmma-persistent"}, {1791, 1791, 1791, "wgmma-persistent"},
        {3122, 6162, 208, "wgmma-persistent"},  {1, 270, 10730, "matrix-vector"},
        {50, 295, 12350, "mma-spans"},          {56, 363, 11653, "mma-spans"},
        {1170, 18, 3092, "mma-spans"},          {1992, 6358, 13, "mma-shallow"},
        {10924, 1, 373, "matrix-vector"},       {10, 3191, 690, "mma-spans"},
        {4096, 4096, 4096, "wgmma-persistent"}, {2416, 7617, 3, "mma-shallow"},
        {230, 258, 50180, "mma-spans"},         {105, 5497, 2107, "wgmma-persistent"},
        {5, 596, 865, "matrix-vector"},         {198, 730, 47, "mma-shallow"},
        {2447, 1603, 6, "mma-shallow"},         {2736, 5681, 29, "mma-shallow"},
        {485, 1942, 162, "wgmma-persistent"},   {80, 178, 75228, "mma-spans"},
    };
    const struct kernel *kernel = kernel_by_name("matmul", NULL);
    struct device device = {.backend = &backend_cuda, .id = "cuda:0", .properties = {.version = "9.0", .units = UNITS}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct problem problem = problem_default(kernel);
        problem.type = ELEMENT_BF16;
        problem_set_size(&problem, "m", cases[i].m);
        problem_set_size(&problem, "n", cases[i].n);
        problem_set_size(&problem, "k", cases[i].k);
        strcpy(device.properties.version, "9.0");
        const char *rung = kernel->choose(&problem, &device);
        if (strcmp(rung, cases[i].rung) != 0)
            FAIL_WITH("%zu x %zu x %zu: %s\n", cases[i].m, cases[i].n, cases[i].k, rung);
        strcpy(device.properties.version, "8.0");
        assert_string_equal(kernel->choose(&problem, &device), "mma-spans");
    }
}

static const struct rung *rung_named(const char *name)
{
    const struct rung *const *rungs;
    size_t count;
    struct error error;
    assert_int_equal(kernel_rungs(kernel_by_name("matmul", NULL), &rungs, &count, &error), STATUS_OK);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i]->name, name) == 0)
            return rungs[i];
    fail();
    return NULL;
}

/* The plan that was the fastest of 800 where copies have 4 and 8 bytes, told by its scratch memory: 192 groups, not
 * 360. */
static void deep_products_are_planned_as_measured(void **state)
{
    (void)state;
    static const int64_t measured[] = {128, 64, 32, 8, 8}; /* TILE_M, TILE_N, DEPTH, SPANS, CLUSTER */
    const struct rung *rung = rung_named("mma-spans");
    struct device device = {.backend = &backend_cuda, .id = "cuda:0", .properties = {.version = "9.0", .units = UNITS}};
    struct problem problem = problem_default(kernel_by_name("matmul", NULL));
    struct parameters parameters;
    struct error error;
    problem.type = ELEMENT_BF16;
    problem_set_size(&problem, "m", 80);
    problem_set_size(&problem, "n", 178);
    problem_set_size(&problem, "k", 75228);
    assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
    const size_t chosen = rung->scratch(&problem, &device, &parameters);
    memcpy(parameters.values, measured, sizeof measured);
    assert_int_equal(chosen, rung->scratch(&problem, &device, &parameters));
}

/* Rows of tiles that begin elsewhere than at multiples of 128 bytes are fetched in pairs of groups, unless a wish says
 * otherwise. */
static void rows_across_lines_are_shared(void **state)
{
    (void)state;
    const struct product whole = {.m = 8192, .n = 8192, .k = 8192, .lda = 8192, .ldb = 8192, .ldc = 8192, .alpha = 1};
    const struct product across = {.m = 8184, .n = 8184, .k = 8184, .lda = 8184, .ldb = 8184, .ldc = 8184, .alpha = 1};
    assert_int_equal(wgmma_tile_of(&whole, UNITS, (struct wgmma_tile){0}).cluster, 1);
    assert_int_equal(wgmma_tile_of(&across, UNITS, (struct wgmma_tile){0}).cluster, 2);
    const struct wgmma_tile wished = wgmma_tile_of(&across, UNITS, (struct wgmma_tile){0, 192, 1});
    assert_true(wished.columns == 192 && wished.cluster == 1);
}

/* Higher tiles hold two stages for their results while two more come. A product whose tiles together exceed the
 * second-level cache has room for what its groups say of their progress. */
static void plans_of_wgmma_have_what_they_need(void **state)
{
    (void)state;
    static const struct {
        int64_t rows, columns, stages;
        bool is_right;
    } cases[] = {{192, 256, 4, true}, {192, 256, 3, false}, {128, 256, 3, true}, {128, 256, 5, false},
                 {192, 128, 5, true}, {192, 128, 6, false}, {0, 256, 4, false},  {192, 0, 4, false}};
    const struct rung *rung = rung_named("wgmma-persistent");
    struct error error;
    struct device device = {.backend = &backend_cuda,
                            .id = "cuda:0",
                            .properties = {.version = "9.0", .units = UNITS, .cache_bytes = 60 << 20}};
    struct problem problem = problem_default(kernel_by_name("matmul", NULL));
    problem.type = ELEMENT_BF16;
    struct parameters parameters;
    assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
    const size_t sides[] = {4096, 8192};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        problem_set_size(&problem, "m", sides[i]);
        problem_set_size(&problem, "n", sides[i]);
        problem_set_size(&problem, "k", sides[i]);
        assert_int_equal(rung->scratch(&problem, &device, &parameters) > 0, sides[i] == 8192);
    }
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char reason[256];
        parameters.values[0] = cases[i].columns;
        parameters.values[1] = cases[i].stages;
        parameters.values[4] = cases[i].rows;
        const bool is_right = rung->supports(&problem, &device, &parameters, reason, sizeof reason) == NULL;
        assert_int_equal(is_right, cases[i].is_right);
    }
}

/* The kernel's own policy for floats is for the GPUs that it was fitted to; nothing is claimed of others. */
static void the_kernel_chooses_where_it_was_measured(void **state)
{
    (void)state;
    const struct kernel *kernel = kernel_by_name("matmul", NULL);
    struct device device = {.backend = &backend_cuda, .id = "cuda:0", .properties = {.version = "9.0", .units = UNITS}};
    struct problem problem = problem_default(kernel);
    problem_set_size(&problem, "n", 1);
    assert_string_equal(kernel->choose(&problem, &device), "matrix-vector");
    problem_set_size(&problem, "n", 300);
    problem_set_size(&problem, "m", 300);
    problem_set_size(&problem, "k", 300);
    assert_string_equal(kernel->choose(&problem, &device), "tensor-fused");
    problem.type = ELEMENT_F64;
    assert_null(kernel->choose(&problem, &device));
    problem.type = ELEMENT_F32;
    strcpy(device.properties.version, "8.0");
    assert_null(kernel->choose(&problem, &device));
}

/* Flags of one launch never count for another. */
static void every_launch_has_its_own_epoch(void **state)
{
    (void)state;
    int64_t before = arrivals_epoch();
    assert_true(before > 0);
    for (int i = 0; i < 100; i++) {
        int64_t now = arrivals_epoch();
        assert_true(now != before);
        before = now;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_plans_cover_their_products),
        cmocka_unit_test(batches_are_planned_as_a_whole),
        cmocka_unit_test(fused_plans_are_what_is_asked_for),
        cmocka_unit_test(nothing_is_launched_without_results_and_a_depth_of_none_is_a_slice),
        cmocka_unit_test(vector_plans_cover_their_products),
        cmocka_unit_test(few_rows_or_columns_are_vectors),
        cmocka_unit_test(the_choice_is_a_rung_that_suits),
        cmocka_unit_test(estimates_assume_the_tiles_of_the_launch),
        cmocka_unit_test(the_kernel_chooses_where_it_was_measured),
        cmocka_unit_test(halves_are_chosen_as_measured),
        cmocka_unit_test(deep_products_are_planned_as_measured),
        cmocka_unit_test(rows_across_lines_are_shared),
        cmocka_unit_test(plans_of_wgmma_have_what_they_need),
        cmocka_unit_test(every_launch_has_its_own_epoch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
