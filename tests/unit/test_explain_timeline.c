/* One warp alone, played by its instructions' control bits: matrix products, and where loads come from. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "explain/compiled/sass.h"
#include "explain/model/timeline.h"

#include <cmocka.h>

#define ROUNDS 10.0

static const struct latencies latencies = {
    .l1 = 40, .l2 = 280, .dram = 680, .unit = 20, .barrier = 30, .products = 2048, .warp_products = 1024};

/* Clocks of a loop of one warp, but for the instructions' own. */
static double clocks_of(struct explain_instruction *code, size_t count, const struct explain_trace *trace)
{
    struct explain_loop loop = {.first = 0, .last = count - 1, .parent = -1, .is_innermost = true};
    double executed[8], parts[8], rounds[1] = {ROUNDS};
    for (size_t i = 0; i < count; i++) {
        code[i].control = (struct code_control){
            .stall = 1, .result = code[i].class == CODE_LOAD ? 0 : -1, .read = -1, .wait = code[i].control.wait};
        parts[i] = 1;
        executed[i] = 8 * ROUNDS;
    }
    double longest[8] = {ROUNDS, ROUNDS, ROUNDS, ROUNDS, ROUNDS, ROUNDS, ROUNDS, ROUNDS};
    struct explain_kernel kernel = {.name = "k",
                                    .file = "k.cu",
                                    .launches = 1,
                                    .group = {256, 1, 1},
                                    .groups = {1, 1, 1},
                                    .instructions = code,
                                    .instruction_count = count,
                                    .loops = &loop,
                                    .loop_count = 1,
                                    .executed = executed,
                                    .longest = longest};
    return timeline_of_warp(&kernel, trace, rounds, parts, 1, &latencies) / ROUNDS;
}

static void check_near(double value, double expected)
{
    if (fabs(value - expected) > 5)
        fail_msg("%g clocks, not %g", value, expected);
}

/* The second product waits for the first; what waits for products waits for both. In step, two groups of four warps, or
 * eight warps on four units, share the tensor cores. */
static void test_products(void **state)
{
    (void)state;
    struct explain_trace none = {.access_count = 0};
    struct explain_instruction groups[] = {{.class = CODE_TENSOR, .products = 131072},
                                           {.class = CODE_TENSOR, .products = 131072},
                                           {.class = CODE_BARRIER, .is_awaiting = true}};
    check_near(clocks_of(groups, 2, &none), 128); /* the last one goes on while the loop begins again */
    check_near(clocks_of(groups, 3, &none), 128);
    struct explain_instruction in_step[] = {{.class = CODE_TENSOR, .products = 131072},
                                            {.class = CODE_BARRIER, .is_awaiting = true},
                                            {.class = CODE_BARRIER, .is_barrier = true}};
    check_near(clocks_of(in_step, 3, &none), 2 * 64 + 30);
    struct explain_instruction warps[] = {{.class = CODE_TENSOR, .products = 2048, .is_of_a_warp = true},
                                          {.class = CODE_BARRIER, .is_barrier = true}};
    check_near(clocks_of(warps, 1, &none), 8);
    check_near(clocks_of(warps, 2, &none), 30 + 2);
}

/* By the shares of the line's bytes that the group has touched before and that L2 does not have. */
static void test_loads(void **state)
{
    (void)state;
    struct explain_instruction code[] = {{.class = CODE_LOAD, .space = CODE_GLOBAL, .line = 5},
                                         {.class = CODE_FMA, .control = {.wait = 1}}};
    struct explain_access access = {.file = "k.cu",
                                    .kernel = "k",
                                    .line = 5,
                                    .space = EXPLAIN_GLOBAL,
                                    .operation = EXPLAIN_LOAD,
                                    .counts = {{.bytes_moved = 400}},
                                    .first_bytes = 100,
                                    .dram_share = 0.25};
    struct explain_trace trace = {.accesses = &access, .access_count = 1, .is_of_code = true};
    check_near(clocks_of(code, 2, &trace), 0.75 * 40 + 0.25 * (280 + 0.25 * 400));
    access.line = 6; /* the code was executed, and no lane loaded here */
    check_near(clocks_of(code, 2, &trace), 2);
    trace.is_of_code = false;
    check_near(clocks_of(code, 2, &trace), 680);
    trace.is_of_code = true;
    code[0].is_at_unknown = true;
    check_near(clocks_of(code, 2, &trace), 680);
}

static void test_product_sizes(void **state)
{
    (void)state;
    static const char listing[] = "\n.text.k:\n"
                                  "/*0000*/ HGMMA.64x128x16.F32.BF16 R24, R92, gdesc[UR24], R24, gsb0 ;\n"
                                  "/*0010*/ HGMMA.64x32x8.F32.TF32 R24, gdesc[UR24], R24 ;\n"
                                  "/*0020*/ HMMA.16816.F32.BF16 R4, R8, R12, R4 ;\n"
                                  "/*0030*/ HMMA.1688.F32.TF32 R4, R8, R12, R4 ;\n"
                                  "/*0040*/ WARPGROUP.DEPBAR.LE gsb0, 0x0 ;\n"
                                  "/*0050*/ WARPGROUP.DEPBAR.LE gsb0, 0x1 ;\n"
                                  "/*0060*/ EXIT ;\n";
    static const int products[] = {131072, 32768, 2048, 2048, 0, 0, 0};
    struct explain_kernel kernel = {.name = "k", .file = "k.cu", .launches = 1, .group = {32, 1, 1}};
    struct error error;
    assert_int_equal(sass_read(listing, "k.cu", &kernel, &error), STATUS_OK);
    assert_int_equal(kernel.instruction_count, COUNT_OF(products));
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        assert_int_equal(kernel.instructions[i].products, products[i]);
        assert_int_equal(kernel.instructions[i].is_of_a_warp, i == 2 || i == 3);
        assert_int_equal(kernel.instructions[i].is_awaiting, i == 4);
    }
    free(kernel.instructions);
    free(kernel.loops);
    free(kernel.skips);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products), cmocka_unit_test(test_loads),
                                       cmocka_unit_test(test_product_sizes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
