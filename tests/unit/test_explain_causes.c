/* Causes and the model's prediction of their remedies, on counts that are given. The figures of all scenes are those of
 * tests/data/tables/causes: 1048576 warps load and store 128 bytes each, 268.4 MB, which take 62587 ns at 4289 GB/s; as
 * many multiply-adds, 67.1 M operations, 1001.6 ns at 67000 GFLOP/s; 100 roots of each, 16 a clock of 132
 * multiprocessors at 1.98 GHz, 802400 ns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/causes.h"

#include <cmocka.h>

#include "tables.h"

static FILE *figures;

#define WARPS 1048576.0
enum { INSTRUCTIONS = 6 };

/* A kernel of 131072 groups with 8 warps each: it loads, computes, stores. */
struct scene {
    struct problem problem;
    struct explain_target target;
    struct explain_instruction code[INSTRUCTIONS];
    double executed[INSTRUCTIONS], longest[INSTRUCTIONS], lanes[INSTRUCTIONS];
    struct explain_kernel kernel;
    struct explain_occupancy occupancy;
    struct explain_access accesses[3];
    struct explanation explanation;
    struct explanation_request request;
};

static struct explain_access global(int line, const char *array, enum explain_operation operation)
{
    struct explain_access access = {.file = "k.cu",
                                    .kernel = "k",
                                    .line = line,
                                    .space = EXPLAIN_GLOBAL,
                                    .operation = operation,
                                    .bytes = 4,
                                    .warp_accesses = WARPS,
                                    .items_percent = 100,
                                    .first_bytes = 128 * WARPS,
                                    .array_bytes = 128 * WARPS,
                                    .lines = WARPS,
                                    .l1_passes = WARPS,
                                    .counts = {{.requests = WARPS,
                                                .transactions = 4 * WARPS,
                                                .bytes_moved = 128 * WARPS,
                                                .bytes_used = 128 * WARPS}},
                                    .sample = {.bytes = 4, .mask = UINT32_MAX}};
    snprintf(access.array, sizeof access.array, "%s", array);
    for (unsigned l = 0; l < WARP_LANES; l++)
        access.sample.at[l] = 4 * l;
    return access;
}

static void spread_out(struct explain_access *access, uint64_t distance)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        access->sample.at[l] = distance * l;
    access->counts[0].transactions = 32 * WARPS;
    access->counts[0].bytes_moved = 1024 * WARPS;
    access->lines = access->l1_passes = 32 * WARPS;
}

static void make(struct scene *scene)
{
    struct error error = {{0}};
    static const struct explain_instruction code[INSTRUCTIONS] = {
        {.class = CODE_LOAD, .space = CODE_GLOBAL, .bits = 32, .line = 5, .loop = -1, .pipe = PIPE_LSU},
        {.class = CODE_FMA, .line = 6, .loop = -1, .pipe = PIPE_FMA},
        {.class = CODE_INTEGER, .line = 6, .loop = -1, .pipe = PIPE_ALU},
        {.class = CODE_INTEGER, .line = 6, .loop = -1, .pipe = PIPE_ALU},
        {.class = CODE_STORE, .space = CODE_GLOBAL, .bits = 32, .line = 7, .loop = -1, .pipe = PIPE_LSU},
        {.class = CODE_BRANCH, .line = 8, .loop = -1},
    };
    memset(scene, 0, sizeof *scene);
    assert_int_equal(problem_parse("transpose:rows=4096,cols=8192,f32", &scene->problem, &error), STATUS_OK);
    assert_int_equal(explain_target_parse("H200", &scene->target, &error), STATUS_OK);
    explain_target_measured(&scene->target, EXPLAIN_L2_READ, 8000);
    memcpy(scene->code, code, sizeof code);
    for (size_t i = 0; i < INSTRUCTIONS; i++) {
        scene->code[i].control = (struct code_control){.stall = 4, .result = -1, .read = -1};
        scene->executed[i] = WARPS;
        scene->longest[i] = 1;
        scene->lanes[i] = 32 * WARPS;
    }
    scene->kernel = (struct explain_kernel){.name = "k",
                                            .file = "k.cu",
                                            .launches = 1,
                                            .rank = 1,
                                            .group = {256, 1, 1},
                                            .groups = {131072, 1, 1},
                                            .registers = 32,
                                            .is_disassembled = true,
                                            .instructions = scene->code,
                                            .instruction_count = INSTRUCTIONS,
                                            .executed = scene->executed,
                                            .longest = scene->longest,
                                            .lanes = scene->lanes};
    scene->occupancy = (struct explain_occupancy){.warps = 64, .warps_max = 64, .groups = 8, .efficiency = 1};
    scene->accesses[0] = global(5, "in", EXPLAIN_LOAD);
    scene->accesses[1] = global(7, "out", EXPLAIN_STORE);
    scene->request = (struct explanation_request){.problem = &scene->problem,
                                                  .rung = rung_by_name(scene->problem.kernel, "naive", &error),
                                                  .target = &scene->target};
    scene->explanation =
        (struct explanation){.rung = scene->request.rung,
                             .compiled = {.kernels = &scene->kernel, .kernel_count = 1},
                             .occupancies = &scene->occupancy,
                             .trace = {.accesses = scene->accesses, .access_count = 2, .is_of_code = true}};
}

/* All lanes execute it `times` a warp. */
static void repeat(struct scene *scene, size_t instruction, double times)
{
    scene->executed[instruction] = times * WARPS;
    scene->lanes[instruction] = 32 * times * WARPS;
}

static void print_figures(const struct explain_model *model, const struct explain_cause *causes, size_t count)
{
    for (int r = 0; r < EXPLAIN_RESOURCES; r++)
        if (model->is_known[r])
            fprintf(figures, "%s %.6g, ", explain_resource_keys[r], model->ns[r]);
    fprintf(figures, "predicted %.6g; ", model->predicted_ns);
    for (int i = 0; i < model->bound_count; i++)
        fprintf(figures, "%s ", explain_resource_keys[model->bound_by[i]]);
    fprintf(figures, "\n  bytes: %.6g of DRAM, %.6g moved; %.6g operations, %.6g a byte\n", model->dram_bytes,
            model->moved_bytes, model->operations, model->intensity);
    for (size_t i = 0; i < count; i++)
        fprintf(figures, "  %s, line %d, %s: %.6g to %.6g, %.6g apart: %.6g, %.6g times as fast\n",
                explain_cause_keys[causes[i].kind], causes[i].line, causes[i].array, causes[i].before, causes[i].after,
                (double)causes[i].distance, causes[i].predicted_ns, causes[i].gain);
}

/* Makes the model of the scene, and its causes. */
static size_t first(struct scene *scene, struct explain_cause causes[EXPLAIN_CAUSES_MAX])
{
    struct model_request request = {.problem = &scene->problem,
                                    .rung = scene->request.rung,
                                    .target = &scene->target,
                                    .compiled = &scene->explanation.compiled,
                                    .occupancies = &scene->occupancy,
                                    .trace = &scene->explanation.trace};
    explain_model_make(&request, &scene->explanation.model);
    size_t count = explain_causes(&scene->request, &scene->explanation, causes);
    for (size_t i = 0; i < count; i++) {
        assert_true(causes[i].gain >= 1.05 && causes[i].predicted_ns < scene->explanation.model.predicted_ns);
        assert_true(i == 0 || causes[i].gain <= causes[i - 1].gain);
        assert_non_null(explain_cause_keys[causes[i].kind]);
    }
    print_figures(&scene->explanation.model, causes, count);
    return count;
}

static void expect(struct scene *scene, enum explain_cause_kind kind, int line, const char *array)
{
    struct explain_cause causes[EXPLAIN_CAUSES_MAX];
    double before = scene->executed[0], moved = scene->accesses[0].counts[0].bytes_moved;
    size_t count = first(scene, causes);
    if (count == 0 || causes[0].kind != kind)
        fail_msg("%s was found, not %s", count > 0 ? explain_cause_keys[causes[0].kind] : "nothing",
                 explain_cause_keys[kind]);
    assert_int_equal(causes[0].line, line);
    assert_string_equal(causes[0].array, array);
    /* The explanation itself is as it was. */
    assert_true(scene->executed[0] == before && scene->accesses[0].counts[0].bytes_moved == moved);
}

static void test_accesses(void **state)
{
    (void)state;
    struct scene scene;
    make(&scene);
    spread_out(&scene.accesses[1], 16384);
    expect(&scene, CAUSE_UNCOALESCED, 7, "out");
    make(&scene);
    spread_out(&scene.accesses[0], 262144);
    scene.accesses[0].first_bytes = 1024 * WARPS;
    expect(&scene, CAUSE_PAGES, 5, "in");
    make(&scene);
    spread_out(&scene.accesses[0], 16384);
    for (unsigned l = 0; l < WARP_LANES; l++)
        scene.accesses[0].sample.at[l] = l * l * 7919 % 100003 * 4;
    scene.accesses[0].first_bytes = 1024 * WARPS;
    expect(&scene, CAUSE_SCATTERED, 5, "in");
    make(&scene);
    scene.accesses[2] = global(6, "tile", EXPLAIN_LOAD);
    scene.accesses[2].space = EXPLAIN_SHARED;
    scene.accesses[2].counts[0] =
        (struct explain_counts){.requests = WARPS, .transactions = 32 * WARPS, .conflicts = 31 * WARPS};
    scene.explanation.trace.access_count = 3;
    expect(&scene, CAUSE_BANKS, 6, "tile");
    make(&scene);
    scene.accesses[1].operation = EXPLAIN_ATOMIC;
    scene.accesses[1].hottest = 32 * WARPS;
    scene.accesses[1].hottest_slice = WARPS;
    scene.accesses[1].is_float_atomic = true;
    scene.code[4].class = CODE_ATOMIC;
    expect(&scene, CAUSE_ATOMICS, 7, "out");
    make(&scene);
    scene.accesses[0].array_bytes = 128 * WARPS / 512;
    scene.accesses[0].warp_accesses *= 64;
    scene.accesses[0].l1_passes *= 64;
    scene.accesses[0].counts[0].requests *= 64;
    scene.accesses[0].counts[0].transactions *= 64;
    scene.accesses[0].counts[0].bytes_moved *= 64;
    scene.accesses[0].counts[0].bytes_used *= 64;
    scene.accesses[0].first_bytes *= 64;
    scene.accesses[1].array_bytes = 128 * WARPS * 64;
    scene.accesses[2] = scene.accesses[0]; /* from two lines: one tile for both */
    scene.accesses[2].line = 6;
    scene.accesses[2].counts[0].transactions /= 2;
    scene.explanation.trace.access_count = 3;
    expect(&scene, CAUSE_REUSE, 5, "in");
}

static void test_code(void **state)
{
    (void)state;
    struct scene scene;
    struct explain_cause causes[EXPLAIN_CAUSES_MAX];
    make(&scene);
    scene.code[1].class = CODE_FP64;
    scene.code[1].pipe = PIPE_FP64;
    repeat(&scene, 1, 400);
    expect(&scene, CAUSE_FP64, 6, "");
    scene.problem.type = ELEMENT_F64; /* there it is the problem's own */
    assert_true(first(&scene, causes) == 0 || causes[0].kind != CAUSE_FP64);
    make(&scene);
    scene.code[2].is_division = true;
    repeat(&scene, 2, 400);
    repeat(&scene, 3, 400);
    expect(&scene, CAUSE_DIVISION, 6, "");
    make(&scene);
    scene.executed[2] = scene.executed[3] = 400 * WARPS;
    scene.lanes[2] = scene.lanes[3] = 4 * 400 * WARPS;
    expect(&scene, CAUSE_DIVERGENCE, 6, "");
    make(&scene);
    scene.code[2].pipe = PIPE_XU;
    scene.code[2].class = CODE_SPECIAL;
    repeat(&scene, 2, 100);
    expect(&scene, CAUSE_SPECIAL, 6, "");
    make(&scene);
    scene.kernel.groups[0] = 4;
    scene.executed[1] = 4 * 8 * 100000.0;
    scene.lanes[1] = 32 * scene.executed[1];
    scene.longest[1] = 100000;
    expect(&scene, CAUSE_FEW_ITEMS, 0, "");
}

/* Spills, and arrays with indices, in the items' own memory. */
static void test_own_memory(void **state)
{
    (void)state;
    struct scene scene;
    static const struct {
        enum explain_cause_kind kind;
        int spilled;
        bool calls;
    } rows[] = {{CAUSE_SPILLS, 64, false}, {CAUSE_LOCAL_ARRAY, 0, false}, {CAUSE_RECURSION, 0, true}};
    for (size_t r = 0; r < COUNT_OF(rows); r++) {
        make(&scene);
        scene.kernel.spill_store_bytes = rows[r].spilled;
        scene.kernel.stack_bytes = 128;
        scene.code[1].class = CODE_STORE;
        scene.code[1].space = CODE_STACK;
        scene.code[1].pipe = PIPE_LSU;
        scene.code[5].is_call = rows[r].calls;
        repeat(&scene, 1, 64);
        scene.accesses[2] = global(6, "own memory", EXPLAIN_STORE);
        scene.accesses[2].space = EXPLAIN_OWN;
        scene.accesses[2].counts[0] = (struct explain_counts){.requests = 64 * WARPS,
                                                              .transactions = 256 * WARPS,
                                                              .bytes_moved = 8192 * WARPS,
                                                              .bytes_used = 8192 * WARPS};
        scene.accesses[2].l1_passes = 64 * WARPS;
        scene.explanation.trace.access_count = 3;
        expect(&scene, rows[r].kind, 6, "");
    }
}

/* Where nothing is wrong, nothing is said but what the launch costs. */
static void test_nothing(void **state)
{
    (void)state;
    struct scene scene;
    struct explain_cause causes[EXPLAIN_CAUSES_MAX];
    make(&scene);
    scene.accesses[0].bytes = scene.accesses[1].bytes = 16;
    scene.accesses[0].array_bytes = scene.accesses[1].array_bytes = 512 * WARPS;
    size_t count = first(&scene, causes);
    for (size_t i = 0; i < count; i++)
        assert_true(causes[i].kind == CAUSE_GROUPS || causes[i].kind == CAUSE_CHAIN || causes[i].kind == CAUSE_LAUNCH);
    scene.explanation.model.predicted_ns = 0;
    assert_int_equal(explain_causes(&scene.request, &scene.explanation, causes), 0);
}

/* A thousand launches of few groups. */
static void test_launches(void **state)
{
    (void)state;
    struct scene scene;
    make(&scene);
    scene.kernel.launches = 1000;
    scene.kernel.groups[0] = 1024;
    expect(&scene, CAUSE_LAUNCH, 0, "");
}

static char *printed;
static size_t printed_size;

static int begin_figures(void **state)
{
    (void)state;
    figures = open_memstream(&printed, &printed_size);
    return figures ? 0 : -1;
}

static void test_figures(void **state)
{
    (void)state;
    assert_int_equal(fclose(figures), 0);
    expect_file("causes", printed);
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),   cmocka_unit_test(test_code),
        cmocka_unit_test(test_own_memory), cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_launches),   cmocka_unit_test(test_figures), /* of all of them: the last */
    };
    return cmocka_run_group_tests(tests, begin_figures, NULL);
}
