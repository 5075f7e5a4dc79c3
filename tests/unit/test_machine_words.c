/* What single instructions of SASS make of a warp's words: rows of an instruction and its result in lane 5. */
#include <math.h>
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

#define LANE 5

/* R0: the lane; R10: unknown; R12: not a number; R14: 1e20; R16: 1 in odd lanes. P0: true, P1: false, P2: unknown,
 * P3: odd lanes. */
#define SETTING                                           \
    "/*0000*/ S2R R0, SR_LANEID ;\n"                      \
    "/*0010*/ MOV R1, 0x12345678 ;\n"                     \
    "/*0020*/ MOV R2, 0xfffffffd ;\n" /* -3 */            \
    "/*0030*/ MOV R3, 0x80000000 ;\n"                     \
    "/*0040*/ MOV R4, 0x3fc00000 ;\n" /* 1.5f */          \
    "/*0050*/ MOV R5, 0xc0100000 ;\n" /* -2.25f */        \
    "/*0060*/ MOV R6, RZ ;\n"         /* with R7: 3.75 */ \
    "/*0070*/ MOV R7, 0x400e0000 ;\n"                     \
    "/*0080*/ MOV R8, RZ ;\n" /* with R9: -1.5 */         \
    "/*0090*/ MOV R9, 0xbff80000 ;\n"                     \
    "/*00a0*/ LDS R10, [0x80] ;\n"                        \
    "/*00b0*/ MOV R12, 0x7fc00000 ;\n"                    \
    "/*00c0*/ MOV R13, 0x1000001 ;\n"                     \
    "/*00d0*/ MOV R14, 0x60ad78ec ;\n"                    \
    "/*00e0*/ MOV R15, 0x40100000 ;\n" /* 2.25f */        \
    "/*00f0*/ LOP3.LUT R16, R0, 0x1, RZ, 0xc0, !PT ;\n"   \
    "/*0100*/ MOV R17, 0x65 ;\n"                          \
    "/*0110*/ MOV R18, 0x64 ;\n"                          \
    "/*0120*/ STS [0x20], R18 ;\n"                        \
    "/*0130*/ ISETP.EQ.AND P0, P1, R1, R1, PT ;\n"        \
    "/*0140*/ ISETP.NE.AND P2, PT, R10, RZ, PT ;\n"       \
    "/*0150*/ ISETP.NE.AND P3, PT, R16, RZ, PT ;\n"

static struct machine_warp *run(const char *instruction)
{
    static struct machine_warp warp;
    static struct machine_code code;
    static uint32_t words[64];
    static bool is_known[64];
    static struct machine_store shared = {words, is_known, COUNT_OF(words)};
    static struct machine_constants constants;
    char text[4096];
    struct error error;
    free(code.instructions);
    snprintf(text, sizeof text, FUNCTION SETTING "/*0160*/ %s ;\n/*0170*/ LDS R30, [0x20] ;\n/*0180*/ EXIT ;\n",
             instruction);
    if (machine_code_read(text, "k", "", &code, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    machine_bind(&code);
    memset(is_known, 0, sizeof is_known);
    machine_warp_begin(&warp, MACHINE_ALL);
    warp.code = &code;
    warp.constants = &constants;
    warp.shared = &shared;
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        warp.item[0][l] = l;
    for (unsigned d = 0; d < 3; d++)
        warp.group[d] = 7 + d;
    for (int steps = 0; steps < 100 && machine_warp_can_run(&warp); steps++)
        machine_step(&warp);
    assert_int_equal(warp.left, 0);
    return &warp;
}

static uint32_t word(const struct machine_warp *warp, const char *instruction, int number)
{
    if (!(warp->registers[number].known >> LANE & 1))
        fail_msg("%s: unknown", instruction);
    return warp->registers[number].words[LANE];
}

struct row {
    const char *instruction;
    uint32_t result;
};

/* R20, which was unknown before. */
static void give_words(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint32_t found = word(run(rows[i].instruction), rows[i].instruction, 20);
        if (found != rows[i].result)
            fail_msg("%s: 0x%x, not 0x%x", rows[i].instruction, (unsigned)found, (unsigned)rows[i].result);
    }
}

/* P4. */
static void give_predicates(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct machine_warp *warp = run(rows[i].instruction);
        const struct machine_predicate found = warp->predicates[4];
        if (!(found.known >> LANE & 1) || (found.value >> LANE & 1) != rows[i].result)
            fail_msg("%s: %s %u", rows[i].instruction, found.known >> LANE & 1 ? "known" : "unknown",
                     (unsigned)(found.value >> LANE & 1));
    }
}

static void sums_and_products(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"IADD3 R20, R1, R2, 0x7", 0x12345678 + 4},     {"IADD3 R20, R1, -R2, RZ", 0x12345678 + 3},
        {"VIADD R20, R1, 0xffffffff", 0x12345677},      {"IMAD R20, R1, 0x3, R2", 3 * 0x12345678 - 3},
        {"IMAD R20, R10, RZ, R1", 0x12345678}, /* nothing times zero */
        {"IMAD.HI R20, R2, 0x10, RZ", UINT32_MAX},      {"IMAD.HI.U32 R20, R2, 0x10, RZ", 15},
        {"IMAD.WIDE R20, R2, 0x10, R6", (uint32_t)-48}, {"LEA R20, R1, R2, 0x4", 0x23456780 - 3},
        {"LEA.HI R20, R1, R2, RZ, 0x8", 0x12 - 3},      {"LEA.HI.SX32 R20, R2, R1, 0x8", 0x12345677},
    };
    give_words(rows, COUNT_OF(rows));
    const struct machine_warp *warp = run("IMAD.WIDE R20, R2, 0x10, R6");
    assert_int_equal(word(warp, "IMAD.WIDE", 21), 0x400e0000 - 1);
}

static void shifts_and_bits(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"SHF.L.U32 R20, R1, 0x8, RZ", 0x34567800},
        {"SHF.L.U32 R20, R1, 0x28, RZ", 0},            /* 40 is held to 32 … */
        {"SHF.L.W.U32 R20, R1, 0x28, RZ", 0x34567800}, /* … or taken modulo 32 */
        {"SHF.R.U32.HI R20, RZ, 0x8, R1", 0x00123456},
        {"SHF.R.S32.HI R20, RZ, 0x4, R2", UINT32_MAX},
        {"SHF.R.S32.HI R20, RZ, 0x1f, R1", 0},
        {"SHF.L.U64.HI R20, R1, 0x8, R2", 0xfffffd12},
        {"SHF.R.U64 R20, R1, 0x8, R2", 0xfd123456},
        {"SHF.R.S64 R20, R1, 0x40, R2", UINT32_MAX},
        {"S2R R20, SR_LTMASK", (1u << LANE) - 1},
        {"S2R R20, SR_LEMASK", (2u << LANE) - 1},
        {"S2R R20, SR_GEMASK", ~((1u << LANE) - 1)},
        {"S2R R20, SR_GTMASK", ~((2u << LANE) - 1)},
        {"S2R R20, SR_TID.X", LANE},
        {"S2R R20, SR_TID.Y", 0},
        {"S2R R20, SR_CTAID.X", 7},
        {"S2R R20, SR_CTAID.Z", 9},
        {"POPC R20, R1", 13},
        {"IABS R20, R2", 3},
        {"IABS R20, R1", 0x12345678},
        {"BREV R20, R1", 0x1e6a2c48},
        {"FLO.U32 R20, R1", 28},
        {"FLO.U32.SH R20, R1", 3},
        {"FLO R20, R2", 1}, /* of a negative number: its first zero */
        {"FLO.U32 R20, RZ", UINT32_MAX},
        {"PRMT R20, R1, 0x3210, RZ", 0x12345678},
        {"PRMT R20, R1, 0x0123, RZ", 0x78563412},
        {"PRMT R20, R1, 0x5410, R2", 0xfffd5678},
        {"PRMT R20, R2, 0x8888, RZ", UINT32_MAX}, /* the sign of a byte */
        {"PRMT R20, R1, 0xbbbb, RZ", 0},
        {"PRMT R20, R10, 0x7654, R1", 0x12345678}, /* nothing of the first */
    };
    give_words(rows, COUNT_OF(rows));
}

static void logic_and_choices(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"LOP3.LUT R20, R1, R2, R3, 0x96, !PT", 0x12345678 ^ 0xfffffffd ^ 0x80000000},
        {"LOP3.LUT R20, R1, R2, R3, 0xe8, !PT",
         (0x12345678 & 0xfffffffd) | (0x12345678 & 0x80000000) | (0xfffffffd & 0x80000000)},
        {"LOP3.LUT R20, R1, R2, R3, 0xca, !PT", (0x12345678 & 0xfffffffd) | (~0x12345678u & 0x80000000)},
        {"LOP3.LUT R20, R10, RZ, RZ, 0xc0, !PT", 0}, /* whatever it is */
        {"LOP3.LUT P4, R20, R1, 0xf, RZ, 0xc0, !PT", 8},
        {"SEL R20, R1, R2, P0", 0x12345678},
        {"SEL R20, R1, R2, !P0", 0xfffffffd},
        {"SEL R20, R1, R10, P0", 0x12345678},
        {"SEL R20, R1, R1, P2", 0x12345678},
        {"VIMNMX R20, R1, R2, PT", 0xfffffffd},
        {"VIMNMX3 R20, R1, R2, 0x5, PT", 0xfffffffd},
        {"VIMNMX3.U32 R20, R1, R2, 0x5, PT", 5},
        {"VIMNMX3 R20, R1, R2, 0x5, !PT", 0x12345678},
        {"VIADDMNMX R20, R1, R2, 0x5, PT", 5},
        {"VIADDMNMX R20, R1, R2, 0x5, !PT", 0x12345675},
    };
    give_words(rows, COUNT_OF(rows));
    static const struct row predicates[] = {
        {"LOP3.LUT P4, RZ, R1, 0x87, RZ, 0xc0, !PT", 0},
        {"LOP3.LUT P4, RZ, R1, 0x8, RZ, 0xc0, !PT", 1},
        {"LOP3.LUT P4, RZ, R1, 0x87, RZ, 0xc0, PT", 1},
        {"PLOP3.LUT P4, PT, P0, P1, P2, 0x80, 0x0", 0}, /* P1 decides */
        {"PLOP3.LUT P4, PT, P0, P1, P2, 0xfe, 0x0", 1},
        {"PLOP3.LUT P4, PT, P0, P1, P2, 0xf0, 0x0", 1},
        {"PLOP3.LUT P4, PT, P0, P1, P2, 0xcc, 0x0", 0},
        {"PLOP3.LUT PT, P4, P0, P1, P2, 0xf0, 0x3c", 1},
    };
    give_predicates(predicates, COUNT_OF(predicates));
}

static void comparisons(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"ISETP.LT.AND P4, PT, R2, R1, PT", 1},
        {"ISETP.LT.AND PT, P4, R2, R1, PT", 0},
        {"ISETP.LT.U32.AND P4, PT, R2, R1, PT", 0},
        {"ISETP.GT.U32.AND P4, PT, R2, R1, PT", 1},
        {"ISETP.LE.AND P4, PT, R1, R1, PT", 1},
        {"ISETP.GE.AND P4, PT, R2, R1, PT", 0},
        {"ISETP.GE.AND P4, PT, R1, R1, PT", 1},
        {"ISETP.GT.AND P4, PT, R1, R1, PT", 0},
        {"ISETP.LT.AND P4, PT, R1, R1, PT", 0},
        {"ISETP.EQ.AND P4, PT, R1, R2, PT", 0},
        {"ISETP.NE.OR P4, PT, R1, R1, P0", 1},
        {"ISETP.NE.OR P4, PT, R1, R1, P1", 0},
        {"ISETP.EQ.XOR P4, PT, R1, R1, P0", 0},
        {"ISETP.EQ.XOR P4, PT, R1, R1, P1", 1},
        {"ISETP.EQ.AND P4, PT, R1, R2, P2", 0}, /* false, whatever P2 is */
        {"ISETP.EQ.OR P4, PT, R1, R1, P2", 1},
        {"FSETP.LT.AND P4, PT, R5, R4, PT", 1},
        {"FSETP.LE.AND P4, PT, R4, R4, PT", 1},
        {"FSETP.GT.AND P4, PT, R5, R4, PT", 0},
        {"FSETP.GE.AND P4, PT, R4, R4, PT", 1},
        {"FSETP.LT.AND P4, PT, R12, R4, PT", 0},
        {"FSETP.LTU.AND P4, PT, R12, R4, PT", 1},
        {"FSETP.LTU.AND P4, PT, R4, R5, PT", 0},
        {"FSETP.GTU.AND P4, PT, R4, R5, PT", 1},
        {"FSETP.GTU.AND P4, PT, R5, R12, PT", 1},
        {"FSETP.LEU.AND P4, PT, R4, R5, PT", 0},
        {"FSETP.GEU.AND P4, PT, R4, R12, PT", 1},
        {"FSETP.EQ.AND P4, PT, R12, R12, PT", 0},
        {"FSETP.EQU.AND P4, PT, R12, R4, PT", 1},
        {"FSETP.NE.AND P4, PT, R12, R4, PT", 0},
        {"FSETP.NEU.AND P4, PT, R12, R12, PT", 1},
        {"FSETP.NUM.AND P4, PT, R12, R4, PT", 0},
        {"FSETP.NUM.AND P4, PT, R5, R4, PT", 1},
        {"FSETP.NAN.AND P4, PT, R5, R12, PT", 1},
        {"FSETP.NAN.AND P4, PT, R5, R4, PT", 0},
        {"DSETP.GT.AND P4, PT, R6, R8, PT", 1},
        {"DSETP.GT.AND PT, P4, R6, R8, PT", 0},
        {"DSETP.LE.AND P4, PT, R6, R8, PT", 0},
        {"DSETP.EQ.AND P4, PT, R6, R6, P1", 0},
        {"FCHK P4, R4, R5", 0},
        {"FCHK P4, R4, RZ", 1},
    };
    give_predicates(rows, COUNT_OF(rows));
    const struct machine_predicate of_all = run("UISETP.EQ.AND UP1, UPT, URZ, URZ, UPT")->uniform_predicates[1];
    assert_true(of_all.value == MACHINE_ALL && of_all.known == MACHINE_ALL);
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void floats(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"FADD R20, R4, R5", bits_of(-0.75f)},
        {"FADD R20, R4, -R5", bits_of(3.75f)},
        {"FADD R20, |R5|, R4", bits_of(3.75f)},
        {"FMUL R20, R4, R5", bits_of(-3.375f)},
        {"FFMA R20, R4, R5, 1", bits_of(-2.375f)},
        {"FMNMX R20, R4, R5, PT", bits_of(-2.25f)},
        {"FMNMX R20, R4, R5, !PT", bits_of(1.5f)},
        {"FSEL R20, R4, R5, P0", bits_of(1.5f)},
        {"FSEL R20, R4, R5, P1", bits_of(-2.25f)},
        {"FSEL R20, R4, R10, P0", bits_of(1.5f)},
        {"I2F R20, R2", bits_of(-3)},
        {"I2F.U32 R20, R2", bits_of(0x1p32f)},
        {"I2F.U32 R20, R13", bits_of(16777216)},
        {"I2F.U32.RP R20, R13", bits_of(16777218)}, /* up, not to the nearest */
        {"I2F.U16 R20, R2", bits_of(0xfffd)},
        {"I2F.U8 R20, R2", bits_of(0xfd)},
        {"I2F.S64 R20, R6", bits_of(0x1.0038p62f)},
        {"F2I.TRUNC.NTZ R20, R5", (uint32_t)-2},
        {"F2I.FLOOR.NTZ R20, R5", (uint32_t)-3},
        {"F2I.CEIL.NTZ R20, R4", 2},
        {"F2I.NTZ R20, R15", 2},
        {"F2I.U32.TRUNC.NTZ R20, R5", 0},
        {"F2I.TRUNC.NTZ R20, R14", INT32_MAX},
        {"F2I.U32.TRUNC.NTZ R20, R14", UINT32_MAX},
        {"F2I.TRUNC.NTZ R20, R12", 0},
        {"F2I.F64.TRUNC R20, R6", 3},
        {"F2I.F64.FLOOR R20, R8", (uint32_t)-2},
        {"F2F.F32.F64 R20, R6", bits_of(3.75f)},
        {"F2F.F32.F32 R20, R5", bits_of(-2.25f)},
        {"F2F.F32.F32.FLOOR R20, R5", bits_of(-3)},
        {"F2F.F32.F32.CEIL R20, R4", bits_of(2)},
        {"F2F.F32.F32.TRUNC R20, R5", bits_of(-2)},
        {"F2F.F32.F32.ROUND R20, R15", bits_of(2)},
        {"F2F.F32.F64.FLOOR R20, R8", bits_of(-2)},
        {"FRND R20, R15", bits_of(2)},
        {"FRND.FLOOR R20, R5", bits_of(-3)},
        {"FRND.CEIL R20, R5", bits_of(-2)},
        {"FRND.TRUNC R20, R5", bits_of(-2)},
        {"MUFU.SQRT R20, R15", bits_of(1.5f)},
        {"MUFU.RCP R20, R4", bits_of(1 / 1.5f)},
        {"MUFU.RSQ R20, R15", bits_of((float)(1 / 1.5))},
        {"MUFU.EX2 R20, R4", bits_of((float)exp2(1.5))},
        {"MUFU.LG2 R20, R15", bits_of((float)log2(2.25))},
        {"MUFU.COS R20, R4", bits_of(-1)},   /* one turn and a half */
        {"MUFU.RCP64H R20, R7", 0x3fd11111}, /* of 4 / 15 */
        {"HFMA2.MMA R20, -RZ, RZ, 1.875, -2", 0x3f80c000},
        {"HFMA2 R20, -RZ, RZ, 0, 5.9604644775390625e-08", 0x00000001},
        {"HFMA2 R20, -RZ, RZ, 65536, 0.5", 0x7c003800},
    };
    give_words(rows, COUNT_OF(rows));
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *instruction;
        double result;
    } rows[] = {
        {"DADD R20, R6, R8", 2.25},    {"DADD R20, R6, -R8", 5.25},    {"DADD R20, R6, 1", 4.75},
        {"DADD R20, R6, |R8|", 5.25},  {"DMUL R20, R6, R8", -5.625},   {"DFMA R20, R6, R8, R6", -1.875},
        {"F2F.F64.F32 R20, R4", 1.5},  {"I2F.F64 R20, R2", -3},        {"I2F.F64.U32 R20, R2", 4294967293},
        {"FRND.F64.TRUNC R20, R6", 3}, {"FRND.F64.FLOOR R20, R8", -2}, {"FRND.F64.CEIL R20, R6", 4},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct machine_warp *warp = run(rows[i].instruction);
        const uint64_t bits = (uint64_t)word(warp, rows[i].instruction, 21) << 32 | word(warp, rows[i].instruction, 20);
        double found;
        memcpy(&found, &bits, sizeof found);
        if (found != rows[i].result)
            fail_msg("%s: %g, not %g", rows[i].instruction, found, rows[i].result);
    }
    const struct machine_warp *warp = run("F2I.S64.TRUNC R20, R5");
    assert_int_equal(word(warp, "F2I.S64", 20), (uint32_t)-2);
    assert_int_equal(word(warp, "F2I.S64", 21), UINT32_MAX);
}

/* Between lanes. */
static void exchanges(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"VOTE.ANY R20, P4, P3", 0xaaaaaaaa},
        {"MATCH.ANY R20, R1", MACHINE_ALL},
        {"MATCH.ANY R20, R16", 0xaaaaaaaa},
        {"MATCH.ANY R20, R0", 1u << LANE},
        {"P2R R20, PR, RZ, 0x3", 1},
        {"P2R R20, PR, R1, 0xb", 0x12345678 + 1}, /* P3 is here, P1 is not */
        {"SHFL.UP PT, R20, R0, 0x2, RZ", LANE - 2},
        {"BSSY B1, `(.L_1) ;\n/*0164*/ BMOV.32 R20, B1 ;\n.L_1:\n/*0168*/ NOP", MACHINE_ALL},
        {"BMOV.32 B1, R1 ;\n/*0164*/ BMOV.32 R20, B1", 0x12345678},
        {"@P3 BRA `(.L_1) ;\n/*0164*/ WARPSYNC.ALL ;\n/*0166*/ MOV R20, 0x1 ;\n.L_1:\n/*0168*/ @P3 MOV R20, 0x2", 2},
    };
    give_words(rows, COUNT_OF(rows));
    static const struct row predicates[] = {
        {"VOTE.ANY R20, P4, P3", 1}, {"VOTE.ALL R20, P4, P3", 0}, {"VOTE.ALL P4, P0", 1}, {"VOTE.ANY P4, P1", 0},
        {"VOTE.EQ P4, P0", 1},       {"VOTE.EQ P4, P1", 1},       {"VOTE.EQ P4, P3", 0},  {"ELECT P4, URZ, PT", 0},
        {"R2P PR, R1, 0x7f", 1},     {"R2P PR, R17, 0x7f", 0},
    };
    give_predicates(predicates, COUNT_OF(predicates));
    assert_int_equal(run("ELECT P4, URZ, PT")->predicates[4].value, 1);
    assert_int_equal(run("R2P PR, R1, 0x7f")->predicates[2].value, 0);
    static const struct row reduced[] = {
        {"REDUX.MIN UR4, R0", 0},      {"REDUX.MAX UR4, R0", 31},
        {"REDUX.OR UR4, R0", 31},      {"REDUX UR4, R0", 0},
        {"REDUX.XOR UR4, R16", 0},     {"REDUX.SUM UR4, R16", 16},
        {"REDUX UR4, R1", 0x12345678}, {"REDUX.MAX.S32 UR4, R2", 0xfffffffd},
    };
    for (size_t i = 0; i < COUNT_OF(reduced); i++)
        if (run(reduced[i].instruction)->uniforms[4].words[0] != reduced[i].result)
            fail_msg("%s", reduced[i].instruction);
}

/* Each lane after the one before it, on a word that is 100: R30 is what it is then. */
static void atomic_operations(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"ATOMS.EXCH R20, [0x20], R2", 0xfffffffd},
        {"ATOMS.MIN R20, [0x20], R0", 0},
        {"ATOMS.MIN R20, [0x20], R2", 100},
        {"ATOMS.MIN.S32 R20, [0x20], R2", 0xfffffffd},
        {"ATOMS.MAX.S32 R20, [0x20], R2", 100},
        {"ATOMS.MAX R20, [0x20], R2", 0xfffffffd},
        {"ATOMS.OR R20, [0x20], R0", 127},
        {"ATOMS.XOR R20, [0x20], R0", 100},
        {"ATOMS.AND R20, [0x20], R2", 100},
        {"ATOMS.AND R20, [0x20], R0", 0},
        {"ATOMS.INC R20, [0x20], R17", 30}, /* 101, then from 0 on */
        {"ATOMS.DEC R20, [0x20], R17", 68},
        {"ATOMS.CAS R20, [0x20], R18, R0", 0}, /* the first lane's */
        {"ATOMS.CAS R20, [0x20], R17, R0", 100},
        {"ATOMS.CAS R20, [0x20], R18, R2", 0xfffffffd},
        {"ATOMS.POPC.INC.32 R20, [0x20]", 132},
        {"ATOMS.ADD R20, [0x20], R18", 100 + 32 * 100},
        {"ATOMS.ADD.F32 R20, [0x20], R4", 0x42400000}, /* 32 times 1.5f */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const uint32_t found = word(run(rows[i].instruction), rows[i].instruction, 30);
        if (found != rows[i].result)
            fail_msg("%s: 0x%x, not 0x%x", rows[i].instruction, (unsigned)found, (unsigned)rows[i].result);
    }
    const struct machine_warp *warp = run("ATOMS.CAST.SPIN R20, [0x20], R18, R0");
    assert_int_equal(warp->registers[20].words[0], 1);
    assert_int_equal(word(warp, "ATOMS.CAST", 20), 0);
    assert_int_equal(word(run("ATOMS.EXCH R20, [0x20], R0"), "ATOMS.EXCH", 20), LANE - 1);
}

/* What an unknown word decides is unknown. */
static void unknown_words(void **state)
{
    (void)state;
    static const char *const words[] = {
        "IADD3 R20, R1, R10, RZ",
        "IADD3 R20, P4, R1, R10, RZ",
        "IMAD R20, R10, R1, RZ",
        "IMAD R20, R1, R1, R10",
        "IMAD.HI R20, R10, R1, RZ",
        "LEA R20, R10, R1, 0x2",
        "LEA R20, R1, R10, 0x2",
        "SHF.L.U32 R20, R10, 0x8, RZ",
        "SHF.L.U32 R20, R1, R10, RZ",
        "SHF.R.U32.HI R20, RZ, 0x8, R10",
        "LOP3.LUT R20, R1, R2, R10, 0x96, !PT",
        "LOP3.LUT R20, R10, R1, RZ, 0xc0, !PT",
        "SEL R20, R1, R10, P1",
        "SEL R20, R1, R2, P2",
        "VIMNMX R20, R1, R10, PT",
        "VIMNMX R20, R1, R2, P2",
        "POPC R20, R10",
        "PRMT R20, R10, 0x3210, R1",
        "PRMT R20, R1, 0x7654, R10",
        "PRMT R20, R1, R10, R1",
        "FADD R20, R4, R10",
        "FFMA R20, R4, R4, R10",
        "FMNMX R20, R4, R5, P2",
        "FSEL R20, R4, R10, P1",
        "FSEL R20, R4, R5, P2",
        "DADD R20, R10, R6",
        "I2F R20, R10",
        "F2I.TRUNC R20, R10",
        "F2F.F64.F32 R20, R10",
        "F2F.F16.F32 R20, R4",
        "MUFU.RCP R20, R10",
        "HFMA2 R20, R4, R4, R4",
        "VOTE.ANY R20, P4, P2",
        "MATCH.ANY R20, R10",
        "P2R R20, PR, RZ, 0x7",
        "SHFL.IDX PT, R20, R10, 0x1, 0x1f",
        "ATOMS.ADD R20, [R10], R1",
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (run(words[i])->registers[20].known >> LANE & 1)
            fail_msg("%s: known", words[i]);
    static const char *const stored[] = {"ATOMS.EXCH R20, [0x20], R10", "ATOMS.ADD R20, [0x20], R10",
                                         "ATOMS.CAS R20, [0x20], R10, R0", "ATOMS.CAS R20, [0x20], R18, R10"};
    for (size_t i = 0; i < COUNT_OF(stored); i++)
        if (run(stored[i])->registers[30].known >> LANE & 1)
            fail_msg("%s: known", stored[i]);
    static const char *const predicates[] = {
        "ISETP.EQ.AND P4, PT, R1, R10, PT",
        "ISETP.EQ.AND P4, PT, R1, R1, P2",
        "ISETP.EQ.OR P4, PT, R1, R2, P2",
        "ISETP.EQ.XOR P4, PT, R1, R1, P2",
        "ISETP.GE.U32.AND.EX P4, PT, R1, R1, PT, P2",
        "FSETP.LT.AND P4, PT, R10, R4, PT",
        "DSETP.LT.AND P4, PT, R6, R10, PT",
        "PLOP3.LUT P4, PT, P0, P1, P2, 0xaa, 0x0",
        "FCHK P4, R10, R4",
        "LOP3.LUT P4, RZ, R10, 0x1, RZ, 0xc0, !PT",
        "VOTE.ALL P4, P2",
        "R2P PR, R10, 0x7f",
    };
    for (size_t i = 0; i < COUNT_OF(predicates); i++)
        if (run(predicates[i])->predicates[4].known >> LANE & 1)
            fail_msg("%s: known", predicates[i]);
    if (run("ATOMS.ADD RZ, [0x20], R10")->registers[30].known >> LANE & 1)
        fail_msg("a sum with an unknown word is known");
    if (!(run("@P2 MOV R20, R1")->registers[30].known >> LANE & 1))
        fail_msg("after a step that perhaps did not happen, nothing is known");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products),
        cmocka_unit_test(shifts_and_bits),
        cmocka_unit_test(logic_and_choices),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(floats),
        cmocka_unit_test(doubles),
        cmocka_unit_test(exchanges),
        cmocka_unit_test(atomic_operations),
        cmocka_unit_test(unknown_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
