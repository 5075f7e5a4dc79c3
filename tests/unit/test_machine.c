/* Threads executed from SASS: what an instruction does, how often a loop goes round, what lanes touch; and, where NVRTC
 * and nvdisasm are there, the counts of rungs beside those of their sources' trace. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/sass.h"
#include "explain/explain.h"
#include "explain/machine/actions.h"

#include <cmocka.h>

#include "machine_launch.h"
#include "machine_run.h"

static void test_sums(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R0, 0xffffffff ;\n"
                                    "/*0010*/ IADD3 R2, P0, R0, 0x2, RZ ;\n"        /* 1, with a carry */
                                    "/*0020*/ IADD3.X R3, RZ, RZ, RZ, P0, !PT ;\n"  /* the carry */
                                    "/*0030*/ IADD3 R4, P1, R2, -R3, RZ ;\n"        /* 0, no borrow */
                                    "/*0040*/ IADD3 R5, P2, RZ, -R2, RZ ;\n"        /* -1, a borrow */
                                    "/*0050*/ IADD3.X R6, R3, ~R2, RZ, P2, !PT ;\n" /* 1 - 1 - 1 */
                                    "/*0060*/ VIADD R7, R6, 0xfffffffe ;\n"
                                    "/*0070*/ EXIT ;\n");
    assert_register(warp, 2, 1);
    assert_register(warp, 3, 1);
    assert_register(warp, 4, 0);
    assert_int_equal(predicate(warp, 1), 1);
    assert_int_equal(predicate(warp, 2), 0);
    assert_register(warp, 5, UINT32_MAX);
    assert_register(warp, 6, UINT32_MAX);
    assert_register(warp, 7, UINT32_MAX - 2);
    assert_int_equal(warp->left, 0);
}

static void test_products_and_shifts(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R0, 0xfffffffd ;\n" /* -3 */
                                    "/*0010*/ IMAD R1, R0, 0x5, RZ ;\n"
                                    "/*0020*/ IMAD.WIDE R2, R0, 0x5, RZ ;\n"
                                    "/*0030*/ IMAD.WIDE.U32 R4, R0, 0x5, RZ ;\n"
                                    "/*0040*/ IMAD.HI.U32 R6, R0, 0x8, RZ ;\n"
                                    "/*0050*/ SHF.R.S32.HI R7, RZ, 0x1, R0 ;\n"
                                    "/*0060*/ SHF.L.U64.HI R8, R0, 0x4, RZ ;\n"
                                    "/*0070*/ LEA R9, P0, R0, 0x10, 0x2 ;\n"
                                    "/*0080*/ LEA.HI.X.SX32 R10, R0, RZ, 0x2, P0 ;\n"
                                    "/*0090*/ LOP3.LUT R11, R0, 0xff, RZ, 0xc0, !PT ;\n"
                                    "/*00a0*/ HFMA2.MMA R12, -RZ, RZ, 1.875, 0 ;\n" /* 1.0f */
                                    "/*00b0*/ PRMT R13, R0, 0x4440, RZ ;\n"
                                    "/*00c0*/ EXIT ;\n");
    assert_register(warp, 1, (uint32_t)-15);
    assert_register(warp, 2, (uint32_t)-15);
    assert_register(warp, 3, UINT32_MAX);
    assert_register(warp, 4, (uint32_t)-15);
    assert_register(warp, 5, 4);
    assert_register(warp, 6, 7);
    assert_register(warp, 7, (uint32_t)-2);
    assert_register(warp, 8, 15);
    assert_register(warp, 9, 4);  /* 16 - 12, with a carry */
    assert_register(warp, 10, 0); /* -1 + 0 + the carry */
    assert_register(warp, 11, 0xfd);
    assert_register(warp, 12, 0x3f800000);
    assert_register(warp, 13, 0xfd);
}

/* 1000003 / 97 = 10309 as the compiler divides. */
static void test_division(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R0, 0xf4243 ;\n"
                                    "/*0010*/ MOV R1, 0x61 ;\n"
                                    "/*0020*/ I2F.U32.RP R2, R1 ;\n"
                                    "/*0030*/ MUFU.RCP R2, R2 ;\n"
                                    "/*0040*/ IADD3 R4, R2, 0xffffffe, RZ ;\n"
                                    "/*0050*/ F2I.FTZ.U32.TRUNC.NTZ R5, R4 ;\n"
                                    "/*0060*/ MOV R4, RZ ;\n"
                                    "/*0070*/ IADD3 R6, RZ, -R5, RZ ;\n"
                                    "/*0080*/ IMAD R7, R6, R1, RZ ;\n"
                                    "/*0090*/ IMAD.HI.U32 R5, R5, R7, R4 ;\n"
                                    "/*00a0*/ IMAD.HI.U32 R8, R5, R0, RZ ;\n"
                                    "/*00b0*/ IMAD.MOV R9, RZ, RZ, -R8 ;\n"
                                    "/*00c0*/ IMAD R10, R1, R9, R0 ;\n"
                                    "/*00d0*/ ISETP.GE.U32.AND P0, PT, R10, R1, PT ;\n"
                                    "/*00e0*/ @P0 IADD3 R10, R10, -R1, RZ ;\n"
                                    "/*00f0*/ @P0 IADD3 R8, R8, 0x1, RZ ;\n"
                                    "/*0100*/ ISETP.GE.U32.AND P0, PT, R10, R1, PT ;\n"
                                    "/*0110*/ @P0 IADD3 R8, R8, 0x1, RZ ;\n"
                                    "/*0120*/ EXIT ;\n");
    assert_register(warp, 8, 10309);
}

static void test_comparisons(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R0, 0xffffffff ;\n"
                                    "/*0010*/ ISETP.LT.AND P0, PT, R0, RZ, PT ;\n"
                                    "/*0020*/ ISETP.LT.U32.AND P1, PT, R0, RZ, PT ;\n"
                                    "/*0030*/ ISETP.GE.AND.EX P2, PT, RZ, RZ, PT, P0 ;\n" /* the low words decide */
                                    "/*0040*/ PLOP3.LUT P3, PT, P0, P1, PT, 0x80, 0x0 ;\n"
                                    "/*0050*/ SEL R1, R0, 0x7, P1 ;\n"
                                    "/*0060*/ VIMNMX R2, R0, 0x7, PT ;\n"
                                    "/*0070*/ VIMNMX.U32 R3, R0, 0x7, !PT ;\n"
                                    "/*0080*/ FSETP.NEU.AND P4, PT, RZ, 0.5, PT ;\n"
                                    "/*0090*/ EXIT ;\n");
    static const unsigned expected[] = {1, 0, 1, 0, 1};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(predicate(warp, (int)i), expected[i]);
    }
    assert_register(warp, 1, 7);
    assert_register(warp, 2, UINT32_MAX);
    assert_register(warp, 3, UINT32_MAX);
}

/* Words that were stored are known; what a store with an unknown guard may have changed is not. Half a register is
 * enough where only that half is used. */
static void test_shared(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R0, 0x10 ;\n"
                                    "/*0010*/ MOV R1, 0x7 ;\n"
                                    "/*0020*/ STS.64 [R0], R0 ;\n"
                                    "/*0030*/ LDS.64 R2, [R0] ;\n"
                                    "/*0040*/ LDS R4, [R0+0x8] ;\n" /* nobody stored it */
                                    "/*0050*/ STS.U8 [R0+0x4], R1 ;\n"
                                    "/*0060*/ LDS R5, [R0+0x4] ;\n"
                                    "/*0070*/ ISETP.NE.AND P0, PT, R4, RZ, PT ;\n"
                                    "/*0080*/ @P0 STS [R0], RZ ;\n"
                                    "/*0090*/ LDS R6, [R0] ;\n"
                                    "/*00a0*/ STS [R0+0xc], R1 ;\n"
                                    "/*00b0*/ LDS R7, [R0+0xc] ;\n"
                                    "/*00c0*/ ATOMS.ADD R8, [R0+0xc], R1 ;\n"
                                    "/*00d0*/ LDS R9, [R0+0xc] ;\n"
                                    "/*00e0*/ PRMT R4, R1, 0x7610, R4 ;\n"
                                    "/*00f0*/ PRMT R10, R4, 0x9910, RZ ;\n"
                                    "/*0100*/ EXIT ;\n");
    assert_register(warp, 2, 0x10);
    assert_register(warp, 3, 7);
    assert_register(warp, 7, 7);
    assert_register(warp, 10, 7);
    assert_register(warp, 5, 7); /* a byte of a word that is known */
    assert_false(is_known(warp, 6));
    assert_register(warp, 8, 7 + 7 * LANE); /* lanes add one after another */
    assert_register(warp, 9, 7 + 7 * 32);
}

/* A store or an atomic operation at an address that nothing tells may have changed any word; one that is guarded by
 * what nothing tells, too. */
static void test_shared_anywhere(void **state)
{
    (void)state;
    static const char *const changes[] = {"ATOMS.POPC.INC.32 RZ, [R9+URZ]", "STS [R9], R1", "@P0 STS [R9], R1"};
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        char code[512];
        snprintf(code, sizeof code,
                 "/*0000*/ MOV R0, 0x10 ;\n"
                 "/*0010*/ MOV R1, 0x7 ;\n"
                 "/*0020*/ STS [R0], R1 ;\n"
                 "/*0030*/ LDS R2, [R0] ;\n"
                 "/*0040*/ LDS R9, [R0+0x40] ;\n" /* nobody stored it */
                 "/*0050*/ ISETP.NE.AND P0, PT, R9, RZ, PT ;\n"
                 "/*0060*/ %s ;\n"
                 "/*0070*/ LDS R3, [R0] ;\n"
                 "/*0080*/ EXIT ;\n",
                 changes[i]);
        struct machine_warp *warp = run(code);
        assert_register(warp, 2, 7);
        if (is_known(warp, 3))
            fail_msg("%s left the word as it was", changes[i]);
    }
}

static void count(const char *listing, bool is_fallback, struct explain_kernel *kernel)
{
    count_launch(listing, 64, 2, is_fallback, kernel);
}

/* The arguments begin at 0x210, and the map at the next multiple of 64: the number behind its 128 bytes is at 0x2c0. */
static void test_behind_a_tile_map(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC R0, c[0x0][0x2c0] ;\n"
                                           "/*0010*/ ISETP.NE.AND P0, PT, R0, 0x7, PT ;\n"
                                           "/*0020*/ @P0 EXIT ;\n"
                                           "/*0030*/ NOP ;\n"
                                           "/*0040*/ EXIT ;\n";
    const struct recorded_argument arguments[] = {{.bytes = 128, .kind = ARGUMENT_TILES},
                                                  {.bytes = 8, .value = 7, .kind = ARGUMENT_LONG}};
    struct explain_kernel kernel;
    count_with(listing, 64, 2, false, arguments, 2, &kernel);
    assert_true(kernel.executed[3] == 4); /* two groups of two warps */
    forget(&kernel);
}

/* The first item's bound is everybody's. What is loaded decides whether the kernel ends at once: an ordinary launch
 * goes on, a fallback ends. */
static void test_bounds_and_early_ends(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0030*/ ISETP.NE.AND P0, PT, R5, RZ, PT ;\n"
                                           "/*0040*/ @P0 EXIT ;\n"
                                           "/*0050*/ @!P0 BRA `(.L_1) ;\n"
                                           "/*0060*/ EXIT ;\n"
                                           ".L_1:\n"
                                           "/*0070*/ ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                                           "/*0080*/ MOV R6, 0x5 ;\n"
                                           "/*0090*/ @P0 STS [0x3f0], R6 ;\n"
                                           "/*00a0*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                                           "/*00b0*/ LDS R6, [0x3f0] ;\n"
                                           ".L_2:\n"
                                           "/*00c0*/ IADD3 R6, R6, -0x1, RZ ;\n"
                                           "/*00d0*/ ISETP.GT.AND P1, PT, R6, RZ, PT ;\n"
                                           "/*00e0*/ @P1 BRA `(.L_2) ;\n"
                                           "/*00f0*/ EXIT ;\n";
    struct explain_kernel kernel;
    count(listing, false, &kernel);
    assert_true(kernel.executed[6] == 0 && kernel.executed[7] == 4 && kernel.executed[12] == 4 * 5);
    assert_false(kernel.loops[0].looks_back);
    forget(&kernel);
    count(listing, true, &kernel);
    assert_true(kernel.executed[4] == 4 && kernel.executed[5] == 0 && kernel.executed[12] == 0);
    forget(&kernel);
}

/* A loop that moves its address until it loads what it looks for, another that waits for one word, and one that stores.
 */
static void test_look_back(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           ".L_1:\n"
                                           "/*0010*/ LDG.E.STRONG.GPU R5, desc[UR4][R2.64] ;\n"
                                           "/*0020*/ IADD3 R2, R2, -0x80, RZ ;\n"
                                           "/*0030*/ ISETP.GE.AND P0, PT, R5, RZ, PT ;\n"
                                           "/*0040*/ @P0 BRA `(.L_1) ;\n"
                                           ".L_2:\n"
                                           "/*0050*/ LDG.E.STRONG.GPU R5, desc[UR4][R2.64] ;\n"
                                           "/*0060*/ ISETP.GE.AND P0, PT, R5, RZ, PT ;\n"
                                           "/*0070*/ @P0 BRA `(.L_2) ;\n"
                                           ".L_3:\n"
                                           "/*0080*/ LDG.E.STRONG.GPU R5, desc[UR4][R2.64] ;\n"
                                           "/*0090*/ STG.E.STRONG.GPU desc[UR4][R2.64], RZ ;\n"
                                           "/*00a0*/ IADD3 R2, R2, -0x80, RZ ;\n"
                                           "/*00b0*/ ISETP.GE.AND P0, PT, R5, RZ, PT ;\n"
                                           "/*00c0*/ @P0 BRA `(.L_3) ;\n"
                                           "/*00d0*/ EXIT ;\n";
    struct explain_kernel kernel;
    count(listing, false, &kernel);
    assert_int_equal(kernel.loop_count, 3);
    for (size_t l = 0; l < 3; l++)
        assert_int_equal(kernel.loops[l].looks_back, kernel.loops[l].first == 1);
    forget(&kernel);
}

/* A kernel of 2 groups of 64 items: ten rounds, each a load of 4 bytes, the lanes 8 bytes apart; its last warp leaves
 * at once. */
static void test_count(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ ISETP.GE.AND P0, PT, R0, 0x20, PT ;\n"
                                           "/*0030*/ @P0 EXIT ;\n"
                                           "/*0040*/ IMAD.WIDE R2, R0, 0x8, R2 ;\n"
                                           "/*0050*/ MOV R4, RZ ;\n"
                                           ".L_1:\n"
                                           "/*0060*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0070*/ IADD3 R4, R4, 0x1, RZ ;\n"
                                           "/*0080*/ ISETP.LT.AND P0, PT, R4, 0xa, PT ;\n"
                                           "/*0090*/ @P0 BRA `(.L_1) ;\n"
                                           "/*00a0*/ LEA R6, R0, RZ, 0x3 ;\n"
                                           "/*00b0*/ STS [R6], R5 ;\n" /* two lanes to a bank */
                                           "/*00c0*/ EXIT ;\n"
                                           ".L_2:\n"
                                           "/*00d0*/ BRA `(.L_2) ;\n";
    struct explain_kernel kernel;
    count(listing, false, &kernel);
    assert_false(kernel.is_decided_by_data);
    assert_true(kernel.executed[0] == 4 && kernel.executed[3] == 4); /* four warps */
    assert_true(kernel.executed[4] == 2 && kernel.executed[6] == 20 && kernel.executed[11] == 2);
    assert_int_equal(kernel.access_count, 2);
    assert_string_equal(kernel.accesses[0].array, "values");
    assert_true(kernel.accesses[0].counts[0].requests == 20 && kernel.accesses[0].counts[0].transactions == 20 * 8);
    assert_true(kernel.accesses[1].space == EXPLAIN_SHARED && kernel.accesses[1].counts[0].transactions == 2 * 2);
    forget(&kernel);
}

/* Group g goes round 512 - g^2 mod 512 times: 100 groups of 1024 items are more than are executed, and those that are
 * are no mean of all. One thread of each group tells (a ratio estimate), so the loop's counts are exact all the same:
 * instructions, and requests of its load. Code outside of loops is executed once. */
static void test_unequal_groups(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R1, SR_CTAID.X ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ IMAD R4, R1, R1, RZ ;\n"
                                           "/*0030*/ LOP3.LUT R4, R4, 0x1ff, RZ, 0xc0, !PT ;\n"
                                           "/*0040*/ IADD3 R4, -R4, 0x200, RZ ;\n"
                                           ".L_1:\n"
                                           "/*0050*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0060*/ IADD3 R4, R4, -0x1, RZ ;\n"
                                           "/*0070*/ ISETP.GT.AND P0, PT, R4, RZ, PT ;\n"
                                           "/*0080*/ @P0 BRA `(.L_1) ;\n"
                                           "/*0090*/ EXIT ;\n";
    const size_t items = 1024, groups = 100;
    double rounds = 0, warps = (double)items / 32;
    for (size_t g = 0; g < groups; g++)
        rounds += 512 - (double)(g * g % 512);
    struct explain_kernel kernel;
    count_launch(listing, items, groups, false, &kernel);
    assert_true(fabs(kernel.executed[5] / (rounds * warps) - 1) < 1e-9);
    assert_true(fabs(kernel.executed[8] / (rounds * warps) - 1) < 1e-9);
    assert_true(fabs(kernel.executed[0] / ((double)groups * warps) - 1) < 1e-9);
    assert_true(fabs(kernel.executed[9] / ((double)groups * warps) - 1) < 1e-9);
    assert_int_equal(kernel.access_count, 1);
    assert_true(fabs(kernel.accesses[0].counts[0].requests / (rounds * warps) - 1) < 1e-9);
    assert_false(kernel.is_decided_by_data);
    forget(&kernel);
}

/* Thread 0 stores a bound for its group: known where the group runs whole, but not to the one thread that is run of
 * further groups. Then these tell nothing, and the counts are those of the sample. */
static void test_unequal_groups_unknown(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ ISETP.EQ.AND P0, PT, R0, RZ, PT ;\n"
                                           "/*0020*/ MOV R6, 0x200 ;\n"
                                           "/*0030*/ @P0 STS [0x3f0], R6 ;\n"
                                           "/*0040*/ BAR.SYNC.DEFER_BLOCKING 0x0 ;\n"
                                           "/*0050*/ LDS R4, [0x3f0] ;\n"
                                           ".L_1:\n"
                                           "/*0060*/ IADD3 R4, R4, -0x1, RZ ;\n"
                                           "/*0070*/ ISETP.GT.AND P0, PT, R4, RZ, PT ;\n"
                                           "/*0080*/ @P0 BRA `(.L_1) ;\n"
                                           "/*0090*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 1024, 100, false, &kernel);
    assert_false(kernel.is_decided_by_data);
    assert_true(fabs(kernel.executed[6] / (100 * 32 * 512.0) - 1) < 1e-9);
    assert_true(fabs(kernel.executed[0] / (100 * 32) - 1) < 1e-9);
    forget(&kernel);
}

/* What the source's trace counts and what the machine code does, of affine rungs, is the same. */
static void test_beside_trace(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *rung;
    } rows[] = {{"transpose:rows=96,cols=70", "naive"}, {"matmul:64", "naive"}, {"dot:262144", "on-device"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct problem problem;
        struct explain_target target;
        struct explanation explanation;
        struct error error;
        assert_int_equal(problem_parse(rows[i].problem, &problem, &error), STATUS_OK);
        assert_int_equal(explain_target_parse("H200", &target, &error), STATUS_OK);
        const struct rung *rung = rung_by_name(problem.kernel, rows[i].rung, &error);
        struct explanation_request request = {&problem, rung, NULL, &target, NULL};
        assert_int_equal(explain_rung(&request, &explanation, &error), STATUS_OK);
        double traced[2] = {0, 0}, counted[2] = {0, 0};
        bool was_executed = explanation.compiled.kernel_count > 0 && explanation.trace.access_count > 0;
        for (size_t k = 0; k < explanation.compiled.kernel_count; k++) {
            const struct explain_kernel *kernel = &explanation.compiled.kernels[k];
            was_executed &= kernel->executed != NULL;
            for (size_t a = 0; a < kernel->access_count; a++)
                if (kernel->accesses[a].space == EXPLAIN_GLOBAL)
                    counted[kernel->accesses[a].operation == EXPLAIN_STORE] +=
                        kernel->accesses[a].counts[0].transactions;
        }
        for (size_t a = 0; a < explanation.trace.access_count; a++)
            if (explanation.trace.accesses[a].space == EXPLAIN_GLOBAL)
                traced[explanation.trace.accesses[a].operation == EXPLAIN_STORE] +=
                    explanation.trace.accesses[a].counts[0].transactions;
        explanation_free(&explanation);
        if (!was_executed)
            skip();
        for (size_t o = 0; o < 2; o++)
            if (fabs(traced[o] - counted[o]) > 0.001 * traced[o])
                fail_msg("%s: traced %g, from machine code %g", rows[i].rung, traced[o], counted[o]);
    }
}

/* Explains one rung; false where nothing was compiled, or its machine code was not executed. */
static bool explain(const char *text, const char *name, struct explanation *explanation)
{
    struct problem problem;
    struct explain_target target;
    struct error error;
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    assert_int_equal(explain_target_parse("H200", &target, &error), STATUS_OK);
    struct explanation_request request = {&problem, rung_by_name(problem.kernel, name, &error), NULL, &target, NULL};
    assert_int_equal(explain_rung(&request, explanation, &error), STATUS_OK);
    bool is_executed = explanation->compiled.kernel_count > 0;
    for (size_t k = 0; k < explanation->compiled.kernel_count; k++)
        is_executed &= explanation->compiled.kernels[k].executed != NULL;
    if (!is_executed)
        explanation_free(explanation);
    return is_executed;
}

/* A rung whose source cannot be traced has the accesses of its machine code: at least what its problem reads and
 * writes. */
static void test_cuda_rung(void **state)
{
    (void)state;
    struct explanation explanation;
    if (!explain("matmul:256", "shallow", &explanation))
        skip();
    double loaded = 0, stored = 0;
    for (size_t a = 0; a < explanation.trace.access_count; a++) {
        const struct explain_access *access = &explanation.trace.accesses[a];
        if (access->space == EXPLAIN_GLOBAL && access->operation == EXPLAIN_STORE)
            stored += access->counts[0].bytes_moved;
        if (access->space == EXPLAIN_GLOBAL && access->operation == EXPLAIN_LOAD)
            loaded += access->counts[0].bytes_moved;
    }
    bool is_of_code = explanation.trace.is_of_code;
    explanation_free(&explanation);
    assert_true(is_of_code);
    assert_float_equal(stored, 256 * 256 * 4.0, 1.0); /* weights of sampled warps are quotients */
    assert_true(loaded >= 2 * 256 * 256 * 4.0);
}

/* tree reads its groups' sums and writes the result, while the device waits; a pipeline's rung is its stages' kernels.
 */
static void test_host_and_stages(void **state)
{
    (void)state;
    struct explanation explanation;
    if (!explain("dot:100000", "tree", &explanation))
        skip();
    size_t reads = explanation.compiled.reads, writes = explanation.compiled.writes;
    explanation_free(&explanation);
    assert_int_equal(reads, 1);
    assert_int_equal(writes, 1);
    if (!explain("pipeline:1024", "device-step", &explanation))
        skip();
    bool has_accesses = explanation.trace.access_count > 0 && !explanation.trace.is_of_code;
    explanation_free(&explanation);
    assert_true(has_accesses);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_products_and_shifts),
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_shared_anywhere),
        cmocka_unit_test(test_behind_a_tile_map),
        cmocka_unit_test(test_bounds_and_early_ends),
        cmocka_unit_test(test_look_back),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_unequal_groups),
        cmocka_unit_test(test_unequal_groups_unknown),
        cmocka_unit_test(test_beside_trace),
        cmocka_unit_test(test_cuda_rung),
        cmocka_unit_test(test_host_and_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
