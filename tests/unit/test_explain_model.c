/* The model's rules on counts that are given, and the names that a target may have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/recorder.h"
#include "explain/model/look_back.h"
#include "explain/model/model.h"
#include "problem_of_rung.h"

#include <cmocka.h>

/* ---- targets ---- */

static void test_targets(void **state)
{
    (void)state;
    static const struct {
        const char *text, *version, *gpu;
    } rows[] = {
        {"sm_90", "9.0", "H200"},
        {"sm_90a", "9.0", "H200"},
        {"9.0", "9.0", "H200"},
        {"compute_35", "3.5", "Tesla K40"},
        {"2.0", "2.0", "Tesla C2050"},
        {"sm_121", "12.1", NULL},
        {"Tesla K40", "3.5", "Tesla K40"},
        {"tesla k40", "3.5", "Tesla K40"},
        {"K40", "3.5", "Tesla K40"},
        {"C1060", "1.3", "Tesla C1060"},
        {"H200", "9.0", "H200"},
        {"TITAN X", "6.1", "TITAN X"},
        {"RTX 5090", "12.0", "GeForce RTX 5090"},
        {"NVIDIA H200", "9.0", "H200"},
        {"NVIDIA GeForce RTX 5090", "12.0", "GeForce RTX 5090"},
        {"Tesla V100-SXM2-16GB", "7.0", "Tesla V100-SXM2"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct explain_target target;
        struct error error = {{0}};
        if (explain_target_parse(rows[i].text, &target, &error) != STATUS_OK)
            fail_msg("%s: %s", rows[i].text, error.text);
        assert_string_equal(target.capability->version, rows[i].version);
        if (rows[i].gpu)
            assert_string_equal(target.gpu->name, rows[i].gpu);
        else
            assert_null(target.gpu);
    }
    static const char *const wrong[] = {"",     "sm_",          "sm_1",    "sm_99", "sm_90b", "9",           "9.9",
                                        "-9.0", "Tesla",        "GeForce", "K",     "sm_900", "90000000000", "9.0.1",
                                        "A100", "sm_9999999999"};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        struct explain_target target;
        struct error error = {{0}};
        if (explain_target_parse(wrong[i], &target, &error) != STATUS_INVALID)
            fail_msg("'%s' was taken for %s", wrong[i], target.name);
        assert_null(strchr(error.text, '\n'));
        assert_true(error.text[0] != '\0');
    }
}

/* A K40: 15 multiprocessors of 32 banks of 8 bytes at 875 MHz. */
static void test_published_ceilings(void **state)
{
    (void)state;
    struct explain_target target;
    struct error error = {{0}};
    assert_int_equal(explain_target_parse("Tesla K40", &target, &error), STATUS_OK);
    assert_int_equal(target.units, 15);
    assert_true(fabs(target.ceilings[EXPLAIN_LOCAL_READ] - 15 * 256 * 0.875) < 1e-9);
    assert_true(target.ceilings[EXPLAIN_DRAM_COPY] == 288);
    assert_true(target.ceilings[EXPLAIN_FMA_F32] == 5040);
    assert_false(target.measured[EXPLAIN_DRAM_COPY]);
    explain_target_measured(&target, EXPLAIN_DRAM_COPY, 200);
    assert_true(target.ceilings[EXPLAIN_DRAM_COPY] == 200 && target.measured[EXPLAIN_DRAM_COPY]);
    /* No GPU of the tables has 12.1, so nothing is known of its rates. */
    assert_int_equal(explain_target_parse("12.1", &target, &error), STATUS_OK);
    assert_true(target.ceilings[EXPLAIN_FMA_F32] == 0 && target.ceilings[EXPLAIN_DRAM_COPY] == 0);
}

/* ---- recording ---- */

static void record(const char *problem_text, const char *rung_name, const char *place, struct recording *recording)
{
    struct problem problem;
    struct parameters parameters;
    struct explain_target target;
    struct error error = {{0}};
    assert_int_equal(problem_parse(problem_text, &problem, &error), STATUS_OK);
    const struct rung *rung = rung_by_name(problem.kernel, rung_name, &error);
    assert_non_null(rung);
    assert_int_equal(rung_defaults(rung, &problem, &parameters, &error), STATUS_OK);
    assert_int_equal(explain_target_parse(place, &target, &error), STATUS_OK);
    if (recording_make(&problem, rung, &parameters, &target, recording, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void test_recording(void **state)
{
    (void)state;
    struct recording recording;
    record("transpose:rows=1000,cols=500,f32", "naive", "sm_90", &recording);
    assert_int_equal(recording.program_count, 1);
    assert_int_equal(recording.launch_count, 1);
    assert_string_equal(recording.launches[0].entry, "transpose");
    assert_int_equal(recording.launches[0].group[0], 4);
    assert_int_equal(recording.launches[0].group[1], 64);
    assert_int_equal(recording.launches[0].groups[0], 125);
    assert_int_equal(recording.launches[0].groups[1], 16);
    recording_free(&recording);

    /* A time step each; those of one shape are counted together. */
    record("wave:nx=16,ny=16,nz=16,steps=8", "naive", "sm_90", &recording);
    size_t launches = 0;
    for (size_t i = 0; i < recording.launch_count; i++)
        launches += recording.launches[i].count;
    assert_true(launches >= 7 && recording.launch_count < launches);
    recording_free(&recording);
}

/* Every device rung of every ladder can be recorded, or says why not. */
static void test_every_rung_records(void **state)
{
    (void)state;
    struct explain_target target;
    struct error error = {{0}};
    assert_int_equal(explain_target_parse("sm_90", &target, &error), STATUS_OK);
    for (size_t k = 0; kernels[k]; k++) {
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, &error), STATUS_OK);
        for (size_t r = 0; r < count; r++) {
            struct problem problem = problem_of_rung(kernels[k], rungs[r]);
            struct recording recording;
            struct parameters parameters;
            if (rungs[r]->kind != RUNG_DEVICE ||
                strncmp(rungs[r]->name, "wgmma", 5) == 0) /* a driver makes their maps */
                continue;
            if (strstr(rungs[r]->name, "mma")) /* of elements of 16 bits */
                problem.type = ELEMENT_F16;
            assert_int_equal(rung_defaults(rungs[r], &problem, &parameters, &error), STATUS_OK);
            enum status status = recording_make(&problem, rungs[r], &parameters, &target, &recording, &error);
            if (status != STATUS_OK)
                fail_msg("%s %s: %s", kernels[k]->name, rungs[r]->name, error.text);
            assert_true(recording.program_count > 0 && recording.launch_count > 0);
            recording_free(&recording);
        }
    }
}

/* ---- the model ---- */

/* 1000 groups of 8 warps of a kernel: a load and a multiply-add in a loop of two of each, and a store behind it. */
static struct explain_instruction code[] = {
    {.class = CODE_LOAD, .space = CODE_GLOBAL, .bits = 32, .line = 5, .loop = 0, .pipe = PIPE_LSU},
    {.class = CODE_LOAD, .space = CODE_GLOBAL, .bits = 32, .line = 5, .loop = 0, .pipe = PIPE_LSU},
    {.class = CODE_FMA, .line = 5, .loop = 0, .pipe = PIPE_FMA},
    {.class = CODE_FMA, .line = 5, .loop = 0, .pipe = PIPE_FMA},
    {.class = CODE_BRANCH, .line = 4, .loop = 0},
    {.class = CODE_STORE, .space = CODE_GLOBAL, .bits = 32, .line = 7, .loop = -1, .pipe = PIPE_LSU},
    {.class = CODE_BRANCH, .line = 8, .loop = -1},
};
static struct explain_loop loops[] = {{.first = 0, .last = 4, .parent = -1, .is_innermost = true}};
static struct explain_kernel kernel = {.name = "k",
                                       .file = "k.cl",
                                       .launches = 1,
                                       .rank = 1,
                                       .group = {256, 1, 1},
                                       .groups = {1000, 1, 1},
                                       .is_disassembled = true,
                                       .instructions = code,
                                       .instruction_count = COUNT_OF(code),
                                       .loops = loops,
                                       .loop_count = 1};

#define WARPS 8000.0
#define ROUNDS 50.0 /* of the loop, in each warp */

static struct explain_access accesses[] = {
    {.file = "kernels/x/k.cl",
     .kernel = "k",
     .line = 5,
     .array = "in",
     .space = EXPLAIN_GLOBAL,
     .operation = EXPLAIN_LOAD,
     .bytes = 4,
     .warp_accesses = 2 * ROUNDS * WARPS,
     .counts = {{.requests = 2 * ROUNDS * WARPS,
                 .transactions = 8 * ROUNDS * WARPS,
                 .bytes_moved = 256 * ROUNDS * WARPS}},
     .first_bytes = 128 * ROUNDS * WARPS,
     .lines = 2 * ROUNDS * WARPS},
    {.file = "kernels/x/k.cl",
     .kernel = "k",
     .line = 7,
     .array = "out",
     .space = EXPLAIN_GLOBAL,
     .operation = EXPLAIN_STORE,
     .bytes = 4,
     .warp_accesses = WARPS,
     .counts = {{.requests = WARPS, .transactions = 4 * WARPS, .bytes_moved = 128 * WARPS, .bytes_used = 128 * WARPS}},
     .first_bytes = 128 * WARPS,
     .lines = WARPS},
    {.file = "kernels/x/k.cl",
     .kernel = "k",
     .line = 9,
     .array = "tile",
     .space = EXPLAIN_SHARED,
     .operation = EXPLAIN_LOAD,
     .bytes = 4,
     .warp_accesses = WARPS,
     .counts = {{.requests = WARPS, .transactions = 32 * WARPS, .conflicts = 31 * WARPS}}},
};

static void test_rounds(void **state)
{
    (void)state;
    double rounds[1];
    struct explain_trace trace = {.accesses = accesses, .access_count = COUNT_OF(accesses)};
    assert_true(explain_rounds(&kernel, &trace, 1, rounds) == WARPS);
    assert_true(rounds[0] == ROUNDS * WARPS);
    trace.access_count = 0; /* nothing tells: once a warp */
    explain_rounds(&kernel, &trace, 1, rounds);
    assert_true(rounds[0] == WARPS);
    struct explain_kernel other = kernel;
    snprintf(other.file, sizeof other.file, "other.cl"); /* whose lines are not these */
    trace.access_count = COUNT_OF(accesses);
    explain_rounds(&other, &trace, 1, rounds);
    assert_true(rounds[0] == WARPS);
}

static bool near(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * fabs(expected);
}

static void test_resources(void **state)
{
    (void)state;
    struct problem problem;
    struct error error = {{0}};
    struct explain_target target;
    struct explain_model model;
    struct explain_compiled compiled = {.kernels = &kernel, .kernel_count = 1};
    struct explain_occupancy occupancy = {.warps = 64, .warps_max = 64, .groups = 8, .efficiency = 0.5};
    struct explain_trace trace = {.accesses = accesses, .access_count = COUNT_OF(accesses)};
    assert_int_equal(problem_parse("transpose:rows=1024,cols=1024,f32", &problem, &error), STATUS_OK);
    assert_int_equal(explain_target_parse("H200", &target, &error), STATUS_OK);
    /* An H200 has been measured, an H100 its L2 alone; other GPUs have published rates and none of L2. */
    assert_true(target.ceilings[EXPLAIN_L2_READ] == 8463 && target.ceilings[EXPLAIN_DRAM_COPY] == 4289);
    assert_false(target.measured[EXPLAIN_L2_READ]);
    struct explain_target other;
    assert_int_equal(explain_target_parse("H100 80GB HBM3", &other, &error), STATUS_OK);
    assert_true(other.ceilings[EXPLAIN_L2_READ] == 8463 && other.ceilings[EXPLAIN_DRAM_COPY] == 3350);
    assert_int_equal(explain_target_parse("Tesla K40", &other, &error), STATUS_OK);
    assert_true(other.ceilings[EXPLAIN_L2_READ] == 0);
    explain_target_measured(&target, EXPLAIN_L2_READ, 8000);
    explain_target_measured(&target, EXPLAIN_DRAM_COPY, 4800);
    explain_target_measured(&target, EXPLAIN_LOCAL_READ, 132 * 1.98 * 128);
    struct model_request request = {.problem = &problem,
                                    .rung = rung_by_name(problem.kernel, "naive", &error),
                                    .target = &target,
                                    .compiled = &compiled,
                                    .occupancies = &occupancy,
                                    .trace = &trace};
    explain_model_make(&request, &model);
    double clocks = 132 * 1.98; /* of all multiprocessors, in a nanosecond */
    double loaded = 128 * ROUNDS * WARPS, stored = 128 * WARPS;
    assert_true(near(model.ns[RESOURCE_DRAM], (loaded + stored) / 4800));
    assert_true(near(model.moved_bytes, (256 * ROUNDS + 128) * WARPS));
    assert_true(near(model.ns[RESOURCE_L2], (loaded + 1.5 * stored) / 8000)); /* the other half L1 has */
    assert_true(near(model.ns[RESOURCE_SHARED], (32 + 2 * ROUNDS + 1) * WARPS * 128 / (clocks * 128)));
    assert_true(near(model.ns[RESOURCE_L1], (2 * ROUNDS + 1) * WARPS / clocks));
    assert_true(near(model.executed[CODE_FMA], 2 * ROUNDS * WARPS));
    assert_true(near(model.ns[RESOURCE_FMA], 2 * ROUNDS * WARPS * 64 / 67000));
    assert_true(near(model.ns[RESOURCE_ISSUE], (5 * ROUNDS + 2) * WARPS / (clocks * 4)));
    assert_true(near(model.ns[RESOURCE_GROUPS], 1000 * 1.2 / 1.98));
    assert_false(model.is_known[RESOURCE_LATENCY]); /* the listing has no remarks */
    assert_int_equal(model.bound_by[0], RESOURCE_DRAM);
    assert_true(model.ns[RESOURCE_TAIL] > 0 &&
                model.ns[RESOURCE_TAIL] < 0.06 * model.predicted_ns); /* 8 groups of 7.6 */
    assert_true(model.predicted_ns > model.ns[RESOURCE_DRAM] + model.ns[RESOURCE_LAUNCH]);
    assert_true(near(model.ns[RESOURCE_LAUNCH], 4600));
    assert_int_equal(model.bound_count, 3);
    assert_true(model.ns[model.bound_by[1]] >= model.ns[model.bound_by[2]]);

    /* What all arrays together leave in L2 does not come from memory. */
    accesses[0].array_bytes = accesses[1].array_bytes = 1 << 20;
    explain_model_make(&request, &model);
    assert_true(model.dram_bytes == 0 && model.ns[RESOURCE_DRAM] == 0);
    accesses[0].array_bytes = accesses[1].array_bytes = 1 << 30;
    explain_model_make(&request, &model);
    assert_true(near(model.dram_bytes, loaded + stored));
    accesses[0].array_bytes = 1e6; /* no more than all of it */
    explain_model_make(&request, &model);
    assert_true(near(model.dram_bytes, 1e6 + stored));

    /* Items' own memory: 8 groups of 256 items with 32 bytes are 64 KiB of the first cache's 256, so stores go on. With
     * 512 bytes they are 4 times as much as it, and 138 MB of L2's 63: 1 - m = exp(-4 m) and 1 - m = exp(-2.2 m). */
    double l2 = model.ns[RESOURCE_L2], dram = model.dram_bytes;
    code[0].space = code[1].space = CODE_STACK;
    code[1].class = CODE_STORE;
    kernel.stack_bytes = 32;
    explain_model_make(&request, &model);
    double stack = WARPS * 128; /* bytes: no load of global memory is left to tell the loop's rounds, so there is one */
    assert_true(fabs((model.ns[RESOURCE_L2] - l2) / (1.5 * stack / 8000) - 1) < 1e-6);
    assert_true(near(model.dram_bytes, dram));
    kernel.stack_bytes = 512;
    explain_model_make(&request, &model);
    double first = 0.98017260, second = 0.84373859; /* of the equations above */
    assert_true(fabs((model.ns[RESOURCE_L2] - l2) / (stack / 8000 * (1.5 + first)) - 1) < 1e-6);
    assert_true(fabs((model.dram_bytes - dram) / (stack * (1 + first) * second) - 1) < 1e-6);
    code[0].space = code[1].space = CODE_GLOBAL;
    code[1].class = CODE_LOAD;
    kernel.stack_bytes = 0;

    /* Without a ceiling there is no time, and without code no arithmetic. */
    target.ceilings[EXPLAIN_L2_READ] = 0;
    kernel.is_disassembled = false;
    explain_model_make(&request, &model);
    kernel.is_disassembled = true;
    assert_false(model.is_known[RESOURCE_L2]);
    assert_false(model.is_known[RESOURCE_FMA]);
    assert_true(model.is_known[RESOURCE_DRAM]);
    assert_int_equal(explain_target_parse("12.1", &target, &error), STATUS_OK);
    explain_model_make(&request, &model);
    for (int r = 0; r < EXPLAIN_RESOURCES; r++)
        assert_true(!model.is_known[r] && model.ns[r] == 0);
    assert_true(model.predicted_ns == 0 && model.bound_count == 0);
}

/* A load that a branch jumps over: a quarter of the warps come there. */
static void test_parts(void **state)
{
    (void)state;
    struct explain_skip skip = {.first = 5, .last = 5};
    struct explain_kernel skipping = kernel;
    double rounds[1] = {ROUNDS * WARPS}, parts[COUNT_OF(code)];
    struct explain_trace trace = {.accesses = accesses, .access_count = COUNT_OF(accesses)};
    skipping.skips = &skip;
    skipping.skip_count = 1;
    accesses[1].warp_accesses = WARPS / 4;
    explain_parts(&skipping, &trace, 1, WARPS, rounds, parts);
    accesses[1].warp_accesses = WARPS;
    assert_true(parts[5] == 0.25 && parts[0] == 1 && parts[6] == 1);
    code[3].is_slow_path = true;
    explain_parts(&skipping, &trace, 1, WARPS, rounds, parts);
    code[3].is_slow_path = false;
    assert_true(parts[3] == 0 && parts[5] == 1);
}

/* One instruction of a line. */
static struct explain_instruction word_of(int line, enum code_class class)
{
    bool is_access = class == CODE_LOAD || class == CODE_STORE;
    return (struct explain_instruction){.class = class,
                                        .line = line,
                                        .loop = -1,
                                        .space = is_access ? CODE_GLOBAL : CODE_NO_SPACE,
                                        .bits = is_access ? 32 : 0};
}

static struct explain_access moved_by(int line, enum explain_operation operation, double warps)
{
    return (struct explain_access){.file = "k.cl",
                                   .kernel = "k",
                                   .line = line,
                                   .space = EXPLAIN_GLOBAL,
                                   .operation = operation,
                                   .bytes = 4,
                                   .warp_accesses = warps};
}

/* Three quarters of the warps come behind an early exit, half of all behind the next one: what line 3 moved tells of
 * the inner one alone. Without accesses the lines' executions tell; the first is of the exit itself. */
static void test_exits(void **state)
{
    (void)state;
    struct explain_instruction code_of[] = {word_of(1, CODE_BRANCH), word_of(2, CODE_LOAD), word_of(2, CODE_BRANCH),
                                            word_of(3, CODE_STORE), word_of(4, CODE_BRANCH)};
    struct explain_skip skips[] = {{.first = 1, .last = 4}, {.first = 3, .last = 4}};
    struct explain_kernel early = {.name = "k",
                                   .file = "k.cl",
                                   .instructions = code_of,
                                   .instruction_count = COUNT_OF(code_of),
                                   .skips = skips,
                                   .skip_count = COUNT_OF(skips)};
    struct explain_access moves[] = {moved_by(2, EXPLAIN_LOAD, 0.75 * WARPS), moved_by(3, EXPLAIN_STORE, 0.5 * WARPS)};
    struct explain_line lines[] = {{"k.cl", "k", 1, WARPS}, {"k.cl", "k", 2, WARPS / 4}, {"k.cl", "k", 3, WARPS / 8}};
    struct explain_trace trace = {.accesses = moves, .access_count = COUNT_OF(moves)};
    double parts[COUNT_OF(code_of)];
    explain_parts(&early, &trace, 1, WARPS, NULL, parts);
    assert_true(parts[0] == 1 && parts[1] == 0.75 && parts[2] == 0.75 && parts[3] == 0.5 && parts[4] == 0.5);
    trace = (struct explain_trace){.lines = lines, .line_count = COUNT_OF(lines)};
    explain_parts(&early, &trace, 1, WARPS, NULL, parts);
    assert_true(parts[0] == 1 && parts[1] == 0.25 && parts[2] == 0.25 && parts[3] == 0.125 && parts[4] == 0.125);
}

/* Line 2 is on both sides of a branch, and each warp moved it once. */
static void test_sides(void **state)
{
    (void)state;
    struct explain_instruction code_of[] = {word_of(1, CODE_BRANCH), word_of(2, CODE_LOAD), word_of(2, CODE_BRANCH),
                                            word_of(2, CODE_LOAD),   word_of(3, CODE_MOVE), word_of(4, CODE_BRANCH)};
    struct explain_skip skip = {.first = 1, .last = 2, .other_last = 4};
    struct explain_kernel sided = {.name = "k",
                                   .file = "k.cl",
                                   .instructions = code_of,
                                   .instruction_count = COUNT_OF(code_of),
                                   .skips = &skip,
                                   .skip_count = 1};
    struct explain_access moved = moved_by(2, EXPLAIN_LOAD, WARPS);
    struct explain_line line = {"k.cl", "k", 3, WARPS / 4};
    struct explain_trace trace = {.accesses = &moved, .access_count = 1};
    double parts[COUNT_OF(code_of)];
    explain_parts(&sided, &trace, 1, WARPS, NULL, parts);
    assert_true(parts[0] == 1 && parts[1] == 0.5 && parts[2] == 0.5 && parts[3] == 0.5 && parts[5] == 1);
    trace.lines = &line;
    trace.line_count = 1;
    explain_parts(&sided, &trace, 1, WARPS, NULL, parts);
    assert_true(parts[1] == 0.75 && parts[3] == 0.25 && parts[4] == 0.25 && parts[5] == 1);
}

/* A loop moves what line 2 moved; the copy before the loop, for what the loop leaves, has nothing left. Where more was
 * moved the copy has the rest. */
static void test_remainder(void **state)
{
    (void)state;
    struct explain_instruction code_of[] = {word_of(1, CODE_BRANCH), word_of(2, CODE_LOAD), word_of(2, CODE_MOVE),
                                            word_of(2, CODE_LOAD), word_of(3, CODE_BRANCH)};
    struct explain_loop loop = {.first = 3, .last = 4, .parent = -1, .is_innermost = true};
    struct explain_skip skip = {.first = 1, .last = 2};
    struct explain_kernel looped = {.name = "k",
                                    .file = "k.cl",
                                    .instructions = code_of,
                                    .instruction_count = COUNT_OF(code_of),
                                    .loops = &loop,
                                    .loop_count = 1,
                                    .skips = &skip,
                                    .skip_count = 1};
    struct explain_access moved = moved_by(2, EXPLAIN_LOAD, 10 * WARPS);
    struct explain_trace trace = {.accesses = &moved, .access_count = 1};
    double rounds[] = {10 * WARPS}, parts[COUNT_OF(code_of)];
    code_of[3].loop = code_of[4].loop = 0;
    explain_parts(&looped, &trace, 1, WARPS, rounds, parts);
    assert_true(parts[0] == 1 && parts[1] == 0 && parts[2] == 0 && parts[3] == 1 && parts[4] == 1);
    moved.warp_accesses = 10.5 * WARPS;
    explain_parts(&looped, &trace, 1, WARPS, rounds, parts);
    assert_true(parts[1] == 0.5 && parts[2] == 0.5 && parts[3] == 1);
}

/* A load past the first cache in a loop that looks back has the rounds of groups that run at once: of 12, f = √(3 · 12)
 * = 6 for the last, 4 in the mean. Loads beside the loop, and stores, have those of the trace. */
static void test_look_backs(void **state)
{
    (void)state;
    struct explain_instruction code_of[] = {word_of(1, CODE_LOAD), word_of(2, CODE_LOAD), word_of(3, CODE_BRANCH),
                                            word_of(2, CODE_STORE)};
    struct explain_loop loop = {.first = 1, .last = 2, .parent = -1, .looks_back = true};
    struct explain_kernel waiting = {.name = "k",
                                     .file = "k.cl",
                                     .launches = 2,
                                     .group = {32, 1, 1},
                                     .groups = {12, 1, 1},
                                     .instructions = code_of,
                                     .instruction_count = COUNT_OF(code_of),
                                     .loops = &loop,
                                     .loop_count = 1};
    struct explain_compiled compiled = {.kernels = &waiting, .kernel_count = 1};
    struct explain_access moved[] = {moved_by(1, EXPLAIN_LOAD, 24), moved_by(2, EXPLAIN_LOAD, 24),
                                     moved_by(2, EXPLAIN_STORE, 24)};
    struct explain_trace trace = {.accesses = moved, .access_count = COUNT_OF(moved)};
    code_of[0].is_coherent = code_of[1].is_coherent = true;
    code_of[1].loop = code_of[2].loop = 0;
    for (size_t a = 0; a < COUNT_OF(moved); a++)
        moved[a].counts[0] = (struct explain_counts){.requests = 24, .transactions = 96, .bytes_moved = 3072};
    explain_trace_look_back(&compiled, NULL, 132, &trace);
    for (size_t a = 0; a < COUNT_OF(moved); a++) {
        double rounds = a == 1 ? 4 : 1;
        assert_true(fabs(moved[a].warp_accesses - 24 * rounds) < 1e-9);
        assert_true(fabs(moved[a].counts[0].requests - 24 * rounds) < 1e-9);
        assert_true(fabs(moved[a].counts[0].transactions - 96 * rounds) < 1e-9);
        assert_true(fabs(moved[a].counts[0].bytes_moved - 3072 * rounds) < 1e-9);
    }
    assert_true(look_back_last(12) == 6 && look_back_mean(1) < 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets),    cmocka_unit_test(test_published_ceilings),
        cmocka_unit_test(test_recording),  cmocka_unit_test(test_every_rung_records),
        cmocka_unit_test(test_rounds),     cmocka_unit_test(test_resources),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_exits),
        cmocka_unit_test(test_sides),      cmocka_unit_test(test_remainder),
        cmocka_unit_test(test_look_backs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
