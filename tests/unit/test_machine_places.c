/* What warps load and store, from executed SASS: roles within a group, and what a group touches for the first time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_launch.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* Warps so long that the budget is used up by the first: the second one is the only one that loads. */
static void test_roles(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ MOV R6, 0x10000 ;\n"
                                           ".L_1:\n"
                                           "/*0030*/ IADD3 R6, R6, -0x1, RZ ;\n"
                                           "/*0040*/ ISETP.GT.AND P1, PT, R6, RZ, PT ;\n"
                                           "/*0050*/ @P1 BRA `(.L_1) ;\n"
                                           "/*0060*/ ISETP.GT.AND P0, PT, R0, 0x1f, PT ;\n"
                                           "/*0070*/ @!P0 EXIT ;\n"
                                           "/*0080*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0090*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 1, false, &kernel);
    assert_true(kernel.executed[8] == 1);
    assert_int_equal(kernel.access_count, 1);
    assert_true(kernel.accesses[0].counts[0].requests == 1 && kernel.accesses[0].counts[0].transactions == 1);
    forget(&kernel);
}

/* Every item loads the same word twice, and stores it: a group touches the sector once by loads and once by stores. */
static void test_first_touches(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0010*/ LDG.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0020*/ LDG.E R6, desc[UR4][R2.64] ;\n"
                                           "/*0030*/ STG.E desc[UR4][R2.64], R5 ;\n"
                                           "/*0040*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 2, false, &kernel);
    double loaded = 0, awaited = 0, moved = 0, stored = 0;
    for (size_t i = 0; i < kernel.access_count; i++) {
        bool is_load = kernel.accesses[i].operation == EXPLAIN_LOAD;
        loaded += is_load ? kernel.accesses[i].first_bytes : 0;
        awaited += is_load ? kernel.accesses[i].awaited_bytes : 0;
        moved += is_load ? kernel.accesses[i].counts[0].bytes_moved : 0;
        stored += is_load ? 0 : kernel.accesses[i].first_bytes;
    }
    assert_true(moved == 2 * 2 * 2 * 32); /* groups, warps, loads, bytes of a sector */
    assert_true(loaded == 2 * 32 && stored == 2 * 32);
    assert_true(awaited == 2 * 2 * 32); /* each warp waits for it once */
    forget(&kernel);
}

static double requests_of(const struct explain_kernel *kernel, enum explain_space space, const char *array,
                          double bytes)
{
    double requests = 0;
    for (size_t a = 0; a < kernel->access_count; a++)
        if (kernel->accesses[a].space == space && strcmp(kernel->accesses[a].array, array) == 0 &&
            kernel->accesses[a].array_bytes == bytes)
            requests += kernel->accesses[a].counts[0].requests;
    return requests;
}

/* A global access is the array's in whose bytes it lies: the last word is its, the next one nobody's. Other memory is
 * no argument's. */
static void test_arguments(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0010*/ LDC.64 R4, c[0x0][0x220] ;\n"
                                           "/*0020*/ S2R R0, SR_LANEID ;\n"
                                           "/*0030*/ LDG.E R6, desc[UR4][R4.64] ;\n"
                                           "/*0040*/ LDG.E R7, desc[UR4][R2.64+0xffc] ;\n"
                                           "/*0050*/ LDG.E R8, desc[UR4][R2.64+0x1000] ;\n"
                                           "/*0060*/ STG.E desc[UR4][R4.64+0x4], R0 ;\n"
                                           "/*0070*/ STS [R0], R0 ;\n"
                                           "/*0080*/ EXIT ;\n";
    const struct recorded_argument arrays[] = {{.value = (uint64_t)1 << 32, .bytes = 8, .array_bytes = 4096},
                                               {.value = 7, .bytes = 4},
                                               {.value = (uint64_t)1 << 33, .bytes = 8, .array_bytes = 8}};
    struct explain_kernel kernel;
    count_with(listing, 32, 1, false, arrays, 3, &kernel);
    assert_true(requests_of(&kernel, EXPLAIN_GLOBAL, "values", 4096) == 1);
    assert_true(requests_of(&kernel, EXPLAIN_GLOBAL, "argument 3", 8) == 2);
    assert_true(requests_of(&kernel, EXPLAIN_GLOBAL, "?", 0) == 1);
    assert_true(requests_of(&kernel, EXPLAIN_SHARED, "shared memory", 0) == 1);
    forget(&kernel);
}

/* Lanes add to one word, to words of their own, and to their stacks: each at an index of its own. */
static void test_contention(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_LANEID ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ LDC R1, c[0x0][0x28] ;\n"
                                           "/*0030*/ REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R0 ;\n"
                                           "/*0040*/ IMAD.WIDE R4, R0, 0x4, R2 ;\n"
                                           "/*0050*/ REDG.E.ADD.STRONG.GPU desc[UR4][R4.64+0x400], R0 ;\n"
                                           "/*0060*/ IMAD R6, R0, -0x4, R1 ;\n"
                                           "/*0070*/ STL [R6+-0x80], R0 ;\n"
                                           "/*0080*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 10, false, &kernel);
    const double warps = 20;
    double atomics = 0, own = 0;
    for (size_t a = 0; a < kernel.access_count; a++) {
        const struct explain_access *access = &kernel.accesses[a];
        atomics += access->operation == EXPLAIN_ATOMIC ? access->counts[0].transactions : 0;
        own += access->space == EXPLAIN_OWN ? access->counts[0].transactions : 0;
        if (access->operation == EXPLAIN_ATOMIC)
            assert_true(access->hottest == warps * 32 && access->hottest_slice == warps * 32);
    }
    assert_true(atomics == warps * (32 + 4)); /* a request for each lane; a sector for eight */
    assert_true(own == warps * 32);           /* words of one index lie side by side, not these */
    forget(&kernel);
}

/* Predicates as bits of a word that nobody set: a branch on one that LOP3 set or cleared is decided, on another it is
 * not. */
static void test_flags_in_a_word(void **state)
{
    (void)state;
    for (int bit = 4; bit <= 8; bit *= 2) {
        char listing[1024];
        struct explain_kernel kernel;
        snprintf(listing, sizeof listing,
                 FUNCTION "/*0000*/ S2R R0, SR_LANEID ;\n"
                          "/*0010*/ ISETP.GT.AND P0, PT, R0, 0x3, PT ;\n"
                          "/*0020*/ LOP3.LUT R9, R9, 0xfffffffb, RZ, 0xc0, !PT ;\n"
                          "/*0030*/ @P0 LOP3.LUT R9, R9, 0x4, RZ, 0xfc, !PT ;\n"
                          "/*0040*/ LOP3.LUT P1, RZ, R9, 0x%d, RZ, 0xc0, !PT ;\n"
                          "/*0050*/ @P1 EXIT ;\n"
                          "/*0060*/ NOP ;\n"
                          "/*0070*/ EXIT ;\n",
                 bit);
        count_launch(listing, 32, 1, false, &kernel);
        assert_int_equal(kernel.is_decided_by_data, bit == 8);
        assert_true(kernel.lanes[6] == (bit == 4 ? 4 : 32));
        forget(&kernel);
    }
}

/* A generic address in the group's window is shared memory; that of another group of the cluster is counted nowhere. */
static void test_generic_addresses(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_TID.X ;\n"
                                           "/*0010*/ S2UR UR6, SR_SWINHI ;\n"
                                           "/*0020*/ IMAD.SHL.U32 R2, R0, 0x4, RZ ;\n"
                                           "/*0030*/ MOV R3, UR6 ;\n"
                                           "/*0040*/ LD.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0050*/ LOP3.LUT R2, R2, 0x1000000, RZ, 0xfc, !PT ;\n"
                                           "/*0060*/ LD.E R5, desc[UR4][R2.64] ;\n"
                                           "/*0070*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 2, false, &kernel);
    assert_int_equal(kernel.access_count, 1);
    assert_true(kernel.accesses[0].space == EXPLAIN_SHARED && kernel.accesses[0].operation == EXPLAIN_LOAD);
    assert_true(kernel.accesses[0].counts[0].requests == 4 && kernel.accesses[0].counts[0].transactions == 4);
    forget(&kernel);
}

static double passes_of(const struct explain_kernel *kernel, enum explain_space space, enum explain_operation operation)
{
    double passes = 0;
    for (size_t a = 0; a < kernel->access_count; a++) {
        const struct explain_access *access = &kernel->accesses[a];
        passes += access->space == space && access->operation == operation ? access->counts[0].transactions : 0;
    }
    return passes;
}

/* A bulk copy of 512 bytes by one lane of each warp, and a word of each lane past the registers: both load global
 * memory and store shared memory, wherever their shared addresses lie. */
static void test_copies_to_shared_memory(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ S2R R0, SR_LANEID ;\n"
                                           "/*0010*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0020*/ ULDC.64 UR14, c[0x0][0x210] ;\n"
                                           "/*0030*/ UMOV UR10, 0x400 ;\n"
                                           "/*0040*/ UMOV UR11, 0x8 ;\n"
                                           "/*0050*/ UMOV UR4, 0x20 ;\n"
                                           "/*0060*/ ELECT P1, URZ, PT ;\n"
                                           "/*0070*/ @P1 UBLKCP.S.G [UR10], [UR14], UR4 ;\n"
                                           "/*0080*/ IMAD.WIDE R2, R0, 0x4, R2 ;\n"
                                           "/*0090*/ IMAD.SHL.U32 R5, R0, 0x80, RZ ;\n"
                                           "/*00a0*/ LDGSTS.E [R5], desc[UR4][R2.64] ;\n"
                                           "/*00b0*/ EXIT ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 1, false, &kernel);
    const double warps = 2, bulk = 512;
    assert_true(passes_of(&kernel, EXPLAIN_GLOBAL, EXPLAIN_LOAD) == warps * (bulk / 32 + 4));
    assert_true(passes_of(&kernel, EXPLAIN_SHARED, EXPLAIN_STORE) == warps * (bulk / 128 + 32)); /* words of one bank */
    double conflicts = 0;
    for (size_t a = 0; a < kernel.access_count; a++)
        conflicts += kernel.accesses[a].counts[0].conflicts;
    assert_true(conflicts == warps * 31);
    forget(&kernel);
}

static void test_no_end(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION ".L_1:\n"
                                           "/*0000*/ NOP ;\n"
                                           "/*0010*/ BRA `(.L_1) ;\n"
                                           "/*0020*/ EXIT ;\n";
    struct explain_kernel kernel;
    struct error error;
    assert_int_equal(try_count(listing, 64, 2, false, NULL, 0, &kernel, &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.text, "k: a loop that does not end");
    forget(&kernel);
}

/* Code that ends without EXIT ends its warps, too. */
static void test_end_of_code(void **state)
{
    (void)state;
    static const char listing[] = FUNCTION "/*0000*/ LDC.64 R2, c[0x0][0x210] ;\n"
                                           "/*0010*/ LDG.E R5, desc[UR4][R2.64] ;\n";
    struct explain_kernel kernel;
    count_launch(listing, 64, 2, false, &kernel);
    assert_true(kernel.executed[1] == 4); /* warps */
    forget(&kernel);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_roles),
                                       cmocka_unit_test(test_first_touches),
                                       cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_contention),
                                       cmocka_unit_test(test_flags_in_a_word),
                                       cmocka_unit_test(test_generic_addresses),
                                       cmocka_unit_test(test_copies_to_shared_memory),
                                       cmocka_unit_test(test_end_of_code),
                                       cmocka_unit_test(test_no_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
