/* Branches, calls, barriers, lanes that meet, special registers and constants of SASS: where each lane goes, and what
 * it knows then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/machine/actions.h"

#include <cmocka.h>

#include "machine_launch.h"
#include "machine_run.h"

static void assert_word(const struct machine_warp *warp, int number, unsigned lane, uint32_t value)
{
    if (!(warp->registers[number].known >> lane & 1) || warp->registers[number].words[lane] != value)
        fail_msg("R%d of lane %u: %#x, known by %#x, instead of %#x", number, lane, warp->registers[number].words[lane],
                 warp->registers[number].known, value);
}

/* Calls come back, loops end, and what is loaded is unknown. */
static void test_control(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ S2R R0, SR_TID.X ;\n"
                                    "/*0010*/ S2R R1, SR_CTAID.Y ;\n"
                                    "/*0020*/ MOV R20, 0x50 ;\n"
                                    "/*0030*/ CALL.REL.NOINC `(.L_2) ;\n"
                                    "/*0040*/ EXIT ;\n"
                                    ".L_1:\n"
                                    "/*0050*/ IADD3 R2, R2, 0x1, RZ ;\n"
                                    "/*0060*/ ISETP.LT.AND P0, PT, R2, 0xa, PT ;\n"
                                    "/*0070*/ @P0 BRA `(.L_1) ;\n"
                                    "/*0080*/ LDG.E.64 R4, desc[UR4][R2.64] ;\n"
                                    "/*0090*/ ISETP.NE.AND P1, PT, R5, RZ, PT ;\n"
                                    "/*00a0*/ @P1 BRA `(.L_1) ;\n"
                                    "/*00b0*/ EXIT ;\n"
                                    ".L_2:\n"
                                    "/*00c0*/ CS2R R2, SRZ ;\n"
                                    "/*00d0*/ RET.REL.NODEC R20 `(k) ;\n");
    assert_register(warp, 0, 5);
    assert_register(warp, 1, 3);
    assert_register(warp, 2, 10);
    assert_false(is_known(warp, 4));
    assert_false(is_known(warp, 5));
    assert_true(warp->left == 0 && warp->hit_unknown);
}

/* Odd lanes take the branch and go round a loop as often as their number says; all meet behind it. */
static void test_lanes(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ S2R R0, SR_LANEID ;\n"
                                    "/*0010*/ LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT ;\n"
                                    "/*0020*/ MOV R1, RZ ;\n"
                                    "/*0030*/ MOV R2, RZ ;\n"
                                    "/*0040*/ BSSY B0, `(.L_2) ;\n"
                                    "/*0050*/ @!P0 BRA `(.L_3) ;\n"
                                    ".L_1:\n"
                                    "/*0060*/ IADD3 R1, R1, 0x1, RZ ;\n"
                                    "/*0070*/ ISETP.LT.AND P1, PT, R1, R0, PT ;\n"
                                    "/*0080*/ @P1 BRA `(.L_1) ;\n"
                                    ".L_3:\n"
                                    "/*0090*/ BSYNC B0 ;\n"
                                    ".L_2:\n"
                                    "/*00a0*/ VOTE.ANY R3, PT, PT ;\n" /* all are here */
                                    "/*00b0*/ SHFL.IDX PT, R4, R1, 0x1f, 0x1f ;\n"
                                    "/*00c0*/ SHFL.DOWN PT, R5, R1, 0x2, 0x1f ;\n"
                                    "/*00d0*/ SHFL.BFLY PT, R6, R0, 0x4, 0x1f ;\n"
                                    "/*00e0*/ REDUX.SUM UR4, R0 ;\n"
                                    "/*00f0*/ I2FP.F32.U32 R7, R0 ;\n"
                                    "/*0100*/ FFMA R7, R7, 2, R7 ;\n"
                                    "/*0110*/ F2I.TRUNC.NTZ R7, R7 ;\n"
                                    "/*0120*/ STL [R0+0x10], R0 ;\n"
                                    "/*0130*/ ATOMS.ADD RZ, [0x20], R0 ;\n"
                                    "/*0140*/ EXIT ;\n");
    assert_register(warp, 1, LANE);
    assert_register(warp, 3, MACHINE_ALL);
    assert_register(warp, 4, 31);
    assert_register(warp, 5, LANE + 2);
    assert_register(warp, 6, LANE ^ 4);
    assert_register(warp, 7, 3 * LANE);
    assert_int_equal(warp->uniforms[4].words[0], 31 * 16);
    assert_true(warp->registers[1].words[4] == 0 && warp->registers[1].words[31] == 31);
}

/* Lanes below 8 branch by a second predicate. One that nobody knows sends none, and is noted. */
static void test_branches(void **state)
{
    (void)state;
    static const struct {
        const char *compare, *branch;
        uint32_t low, high; /* R2 of lanes below 8, and of the others */
        bool hits_unknown;
    } rows[] = {
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "BRA P1, `(.L_1)", 2, 1, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "BRA !P1, `(.L_1)", 1, 2, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "@P1 BRA `(.L_1)", 2, 1, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "@!P1 BRA `(.L_1)", 1, 2, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "BRA `(.L_1)", 2, 2, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "BRA.DIV UR4, `(.L_1)", 1, 1, false},
        {"ISETP.LT.AND P1, PT, R0, 0x8, PT", "BRA.U.ANY UP0, `(.L_1)", 1, 1, false},
        {"ISETP.LT.AND P1, PT, R9, 0x8, PT", "BRA P1, `(.L_1)", 1, 1, true},
        {"ISETP.LT.AND P1, PT, R9, 0x8, PT", "@P1 BRA `(.L_1)", 1, 1, true},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char code[512];
        snprintf(code, sizeof code,
                 "/*0000*/ S2R R0, SR_LANEID ;\n"
                 "/*0010*/ %s ;\n"
                 "/*0020*/ %s ;\n"
                 "/*0030*/ MOV R2, 0x1 ;\n"
                 "/*0040*/ EXIT ;\n"
                 ".L_1:\n"
                 "/*0050*/ MOV R2, 0x2 ;\n"
                 "/*0060*/ EXIT ;\n",
                 rows[i].compare, rows[i].branch);
        const struct machine_warp *warp = run(code);
        assert_word(warp, 2, 0, rows[i].low);
        assert_word(warp, 2, 7, rows[i].low);
        assert_word(warp, 2, 8, rows[i].high);
        assert_word(warp, 2, 31, rows[i].high);
        assert_int_equal(warp->hit_unknown, rows[i].hits_unknown);
        assert_int_equal(warp->left, 0);
    }
}

/* Lanes end where nobody knows how they go on. */
static void test_unknown_places(void **state)
{
    (void)state;
    static const char *const ways[] = {"BRX R2 -0x10", "JMX R2", "BRA `(elsewhere)", "CALL.REL.NOINC `(elsewhere)",
                                       "RET.REL.NODEC R20 `(k)"};
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        char code[256];
        snprintf(code, sizeof code,
                 "/*0000*/ MOV R2, 0x1 ;\n"
                 "/*0010*/ %s ;\n"
                 "/*0020*/ MOV R2, 0x2 ;\n"
                 "/*0030*/ EXIT ;\n",
                 ways[i]);
        const struct machine_warp *warp = run(code);
        assert_word(warp, 2, 0, 1);
        assert_int_equal(warp->left, 0);
        assert_true(warp->hit_unknown);
    }
}

/* Lanes below 8 return to one place, the others to another; an address of none, or that nobody knows, is taken for the
 * place behind the call. */
static void test_returns(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        uint32_t low, high; /* R2 */
    } rows[] = {
        {"SEL R20, R4, R5, P0", 3, 2},           {"SEL R20, R5, R4, P0", 2, 3}, {"MOV R20, 0x50", 3, 3},
        {"MOV R20, 0x58", 2, 2} /* of none */,   {"MOV R20, R9", 2, 2},         {"MOV R20, 0x30", 2, 2},
        {"MOV R20, 0x7fff0", 2, 2} /* beyond */,
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char code[768];
        snprintf(code, sizeof code,
                 "/*0000*/ S2R R0, SR_LANEID ;\n"
                 "/*0010*/ ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n"
                 "/*0020*/ CALL.REL.NOINC `(.L_1) ;\n"
                 "/*0030*/ MOV R2, 0x2 ;\n"
                 "/*0040*/ EXIT ;\n"
                 "/*0050*/ MOV R2, 0x3 ;\n"
                 "/*0060*/ EXIT ;\n"
                 ".L_1:\n"
                 "/*0070*/ MOV R4, 0x50 ;\n"
                 "/*0080*/ MOV R5, 0x30 ;\n"
                 "/*0090*/ %s ;\n"
                 "/*00a0*/ RET.REL.NODEC R20 `(k) ;\n",
                 rows[i].address);
        const struct machine_warp *warp = run(code);
        assert_word(warp, 2, 0, rows[i].low);
        assert_word(warp, 2, 7, rows[i].low);
        assert_word(warp, 2, 8, rows[i].high);
        assert_word(warp, 2, 31, rows[i].high);
        assert_int_equal(warp->left, 0);
        assert_false(warp->hit_unknown);
    }
}

/* Of MACHINE_CALLS_MAX calls within each other the way back is known, of one more it is not. */
static void test_calls_within_calls(void **state)
{
    (void)state;
    for (uint32_t calls = MACHINE_CALLS_MAX - 1; calls <= MACHINE_CALLS_MAX + 1; calls++) {
        char code[512];
        snprintf(code, sizeof code,
                 "/*0000*/ MOV R2, RZ ;\n"
                 "/*0010*/ MOV R3, RZ ;\n"
                 "/*0020*/ CALL.REL.NOINC `(.L_1) ;\n"
                 "/*0030*/ MOV R3, 0x7 ;\n"
                 "/*0040*/ EXIT ;\n"
                 ".L_1:\n"
                 "/*0050*/ IADD3 R2, R2, 0x1, RZ ;\n"
                 "/*0060*/ ISETP.LT.AND P0, PT, R2, 0x%x, PT ;\n"
                 "/*0070*/ @P0 CALL.REL.NOINC `(.L_1) ;\n"
                 "/*0080*/ RET.REL.NODEC R20 `(k) ;\n",
                 calls);
        const struct machine_warp *warp = run(code);
        const bool is_known = calls <= MACHINE_CALLS_MAX;
        assert_word(warp, 2, LANE, calls);
        assert_word(warp, 3, LANE, is_known ? 7 : 0);
        assert_int_equal(warp->hit_unknown, !is_known);
        assert_int_equal(warp->left, 0);
    }
}

/* Lanes below 8 leave a meeting and wait for the group; the others meet without them, whoever came first. */
static void test_a_meeting_that_some_leave(void **state)
{
    (void)state;
    static const char *const breaks[] = {"BREAK B2", "BREAK PT, B2"};
    for (size_t i = 0; i < 2 * COUNT_OF(breaks); i++) {
        char code[512];
        const char *leave = breaks[i / 2];
        snprintf(code, sizeof code,
                 "/*0000*/ S2R R0, SR_LANEID ;\n"
                 "/*0010*/ ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n"
                 "/*0020*/ BSSY B2, `(.L_2) ;\n"
                 "/*0030*/ %s%s ;\n"
                 "/*0040*/ @P0 BRA `(.L_3) ;\n"
                 "/*0050*/ BSYNC B2 ;\n"
                 ".L_2:\n"
                 "/*0060*/ VOTE.ANY R3, PT, PT ;\n"
                 "/*0070*/ EXIT ;\n"
                 ".L_3:\n"
                 "/*0080*/ %s ;\n"
                 "/*0090*/ BAR.SYNC.DEFER_BLOCKING 0x3 ;\n"
                 "/*00a0*/ EXIT ;\n",
                 i % 2 ? "@P0 " : "", i % 2 ? leave : "NOP", i % 2 ? "NOP" : leave);
        struct machine_warp *warp = run(code);
        unsigned barrier = 0;
        assert_word(warp, 3, 9, 0xffffff00);
        assert_word(warp, 3, 31, 0xffffff00);
        assert_int_equal(warp->left, 0xff);
        assert_int_equal(machine_warp_waiting(warp, &barrier), 0xff);
        assert_int_equal(barrier, 3);
    }
}

/* Who waits at a barrier goes on when that one is released; who only arrives does not wait. */
static void test_barriers(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ MOV R2, 0x1 ;\n"
                                    "/*0010*/ BAR.ARV 0x2, 0x80 ;\n"
                                    "/*0020*/ MOV R2, 0x2 ;\n"
                                    "/*0030*/ BAR.SYNC.DEFER_BLOCKING 0x3 ;\n"
                                    "/*0040*/ MOV R2, 0x3 ;\n"
                                    "/*0050*/ EXIT ;\n");
    unsigned barrier = 0;
    assert_word(warp, 2, LANE, 2);
    assert_int_equal(machine_warp_waiting(warp, &barrier), MACHINE_ALL);
    assert_int_equal(barrier, 3);
    machine_warp_release(warp, 2);
    assert_false(machine_warp_can_run(warp));
    machine_warp_release(warp, 3);
    assert_int_equal(machine_warp_waiting(warp, &barrier), 0);
    while (machine_warp_can_run(warp))
        machine_step(warp);
    assert_word(warp, 2, LANE, 3);
    assert_int_equal(warp->left, 0);
}

/* Masks of lanes that meet are moved to registers and back; WARPSYNC takes them from one. */
static void test_moved_meetings(void **state)
{
    (void)state;
    struct machine_warp *warp = run("/*0000*/ S2R R0, SR_LANEID ;\n"
                                    "/*0010*/ BSSY B1, `(.L_1) ;\n"
                                    "/*0020*/ BMOV.32 R3, B1 ;\n"
                                    "/*0030*/ BMOV.32 B1, R9 ;\n" /* nobody knows it: the mask stays */
                                    "/*0040*/ BMOV.32.CLEAR R4, B1 ;\n"
                                    "/*0050*/ MOV R5, 0xff ;\n"
                                    "/*0060*/ BMOV.32 B1, R5 ;\n"
                                    "/*0070*/ BMOV.32 R6, B1 ;\n"
                                    "/*0080*/ MOV R8, 0xffffff00 ;\n"
                                    "/*0090*/ ISETP.LT.AND P0, PT, R0, 0x8, PT ;\n"
                                    "/*00a0*/ @P0 BRA `(.L_2) ;\n"
                                    "/*00b0*/ WARPSYNC R8 ;\n"
                                    ".L_1:\n"
                                    "/*00c0*/ VOTE.ANY R7, PT, PT ;\n"
                                    "/*00d0*/ WARPSYNC.ALL ;\n"
                                    "/*00e0*/ VOTE.ANY R10, PT, PT ;\n"
                                    "/*00f0*/ EXIT ;\n"
                                    ".L_2:\n"
                                    "/*0100*/ WARPSYNC 0xff ;\n"
                                    "/*0110*/ BRA `(.L_1) ;\n");
    assert_word(warp, 3, LANE, MACHINE_ALL);
    assert_word(warp, 4, LANE, MACHINE_ALL);
    assert_word(warp, 6, LANE, 0xff);
    assert_word(warp, 7, 9, 0xffffff00);
    assert_word(warp, 7, LANE, 0xff);
    assert_word(warp, 10, 9, MACHINE_ALL);
    assert_word(warp, 10, LANE, MACHINE_ALL);
    assert_int_equal(warp->left, 0);
}

static void test_special_registers(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t value; /* lane 5's */
    } rows[] = {
        {"SR_TID.X", 5},           {"SR_TID.Y", 2},           {"SR_CTAID.X", 7},   {"SR_CTAID.Y", 3},
        {"SR_CTAID.Z", 1},         {"SR_LANEID", 5},          {"SR_LTMASK", 0x1f}, {"SR_LEMASK", 0x3f},
        {"SR_GEMASK", 0xffffffe0}, {"SR_GTMASK", 0xffffffc0}, {"SRZ", 0},          {"SR_CgaCtaId", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char code[256];
        snprintf(code, sizeof code,
                 "/*0000*/ MOV R3, 0x9 ;\n"
                 "/*0010*/ S2R R2, %s ;\n"
                 "/*0020*/ EXIT ;\n",
                 rows[i].name);
        const struct machine_warp *warp = run(code);
        assert_word(warp, 2, LANE, rows[i].value);
        assert_word(warp, 3, LANE, 9);
    }
    const struct machine_warp *warp = run("/*0000*/ MOV R3, 0x9 ;\n"
                                          "/*0010*/ MOV R5, 0x9 ;\n"
                                          "/*0020*/ CS2R R2, SRZ ;\n"
                                          "/*0030*/ CS2R.32 R4, SRZ ;\n"
                                          "/*0040*/ S2R R6, SR_CLOCKLO ;\n"
                                          "/*0050*/ S2UR UR4, SR_CTAID.X ;\n"
                                          "/*0060*/ EXIT ;\n");
    assert_word(warp, 2, LANE, 0);
    assert_word(warp, 3, LANE, 0); /* a pair */
    assert_word(warp, 4, LANE, 0);
    assert_word(warp, 5, LANE, 9);
    assert_false(is_known(warp, 6));
    assert_true(warp->uniforms[4].known && warp->uniforms[4].words[0] == 7);
}

/* The constants are known within the first bank, by a number, by each lane's register, and by a uniform one. */
static void test_constants(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MACHINE_CONSTANT_BYTES / 4; i++) {
        const uint32_t word = 1000 + i;
        memcpy(constants.bytes + 4 * i, &word, sizeof word);
    }
    const struct machine_warp *warp = run("/*0000*/ S2R R0, SR_LANEID ;\n"
                                          "/*0010*/ IMAD R1, R0, 0x4, RZ ;\n"
                                          "/*0020*/ LDC R2, c[0x0][0x210] ;\n"
                                          "/*0030*/ LDC.64 R4, c[0x0][0x210] ;\n"
                                          "/*0040*/ LDC.128 R8, c[0x0][0x220] ;\n"
                                          "/*0050*/ LDC R12, c[0x0][R1+0x100] ;\n"
                                          "/*0060*/ ULDC.64 UR4, c[0x0][0x8] ;\n"
                                          "/*0070*/ LDC R13, c[0x3][0x0] ;\n"
                                          "/*0080*/ LDC R14, c[0x0][R1+0xfe8] ;\n" /* lane 5's is the last, 4 * 5 on */
                                          "/*0090*/ LDC R15, c[0x0][0x1000] ;\n"
                                          "/*00a0*/ LDC R16, c[0x0][0xffc] ;\n"
                                          "/*00b0*/ MOV R17, c[0x0][0x14] ;\n"
                                          "/*00c0*/ LDC R18, c[0x0][UR8+0x4] ;\n" /* a register that nobody knows */
                                          "/*00d0*/ EXIT ;\n");
    assert_word(warp, 2, LANE, 1000 + 0x210 / 4);
    assert_word(warp, 4, LANE, 1000 + 0x210 / 4);
    assert_word(warp, 5, LANE, 1000 + 0x214 / 4);
    for (int w = 0; w < 4; w++)
        assert_word(warp, 8 + w, LANE, 1000 + 0x220 / 4 + (uint32_t)w);
    assert_word(warp, 12, LANE, 1000 + 0x100 / 4 + LANE);
    assert_word(warp, 12, 31, 1000 + 0x100 / 4 + 31);
    assert_true(warp->uniforms[4].known && warp->uniforms[4].words[0] == 1002);
    assert_true(warp->uniforms[5].known && warp->uniforms[5].words[0] == 1003);
    assert_false(is_known(warp, 13));
    assert_word(warp, 14, LANE, 1000 + 0xffc / 4);
    assert_int_equal(warp->registers[14].known, 0x3f);
    assert_false(is_known(warp, 15));
    assert_word(warp, 16, LANE, 1000 + 0xffc / 4);
    assert_word(warp, 17, LANE, 1005);
    assert_false(is_known(warp, 18));
}

/* What a kernel waits for in shared memory has come, and registers are there. */
static void test_waits_succeed(void **state)
{
    (void)state;
    const struct machine_warp *warp = run("/*0000*/ SYNCS.PHASECHK.TRANS64.TRYWAIT P2, [R9], R8 ;\n"
                                          "/*0010*/ USETMAXREG.TRY_ALLOC.CTAPOOL UP1, 0xe8 ;\n"
                                          "/*0020*/ YIELD ;\n"
                                          "/*0030*/ MEMBAR.SC.GPU ;\n"
                                          "/*0040*/ MOV R2, 0x1 ;\n"
                                          "/*0050*/ EXIT ;\n");
    assert_int_equal(predicate(warp, 2), 1);
    assert_true(warp->uniform_predicates[1].known && warp->uniform_predicates[1].value);
    assert_word(warp, 2, LANE, 1);
    assert_false(warp->hit_unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_control),        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_branches),       cmocka_unit_test(test_unknown_places),
        cmocka_unit_test(test_returns),        cmocka_unit_test(test_calls_within_calls),
        cmocka_unit_test(test_barriers),       cmocka_unit_test(test_a_meeting_that_some_leave),
        cmocka_unit_test(test_moved_meetings), cmocka_unit_test(test_special_registers),
        cmocka_unit_test(test_constants),      cmocka_unit_test(test_waits_succeed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
