/* What the machine code tells beside the trace: joined accesses, and loops that neither load nor store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/size.h"
#include "explain/joined.h"
#include "explain/model/model.h"

#include <cmocka.h>

static struct explain_access store_of(int line, unsigned bytes, double requests, double transactions)
{
    struct explain_access access = {.file = "test/f.cl",
                                    .kernel = "k",
                                    .line = line,
                                    .array = "tile",
                                    .space = EXPLAIN_SHARED,
                                    .operation = EXPLAIN_STORE,
                                    .bytes = bytes,
                                    .warp_accesses = requests};
    access.counts[0] = (struct explain_counts){.requests = requests, .transactions = transactions};
    return access;
}

static struct explain_kernel kernel_of(struct explain_instruction *instructions, size_t count)
{
    static double executed[16];
    return (struct explain_kernel){.name = "k",
                                   .file = "f.cl",
                                   .launches = 1,
                                   .group = {32, 1, 1},
                                   .groups = {10, 1, 1},
                                   .is_disassembled = true,
                                   .executed = executed,
                                   .instructions = instructions,
                                   .instruction_count = count};
}

/* tile[2 i] and tile[2 i + 1], in lines 12 and 13: two passes each. The code has one store of 8 bytes, at line
 * `code_line`. */
static void join(int code_line, int instruction_line, struct explain_trace *trace)
{
    static struct explain_access traced[2], code;
    static struct explain_instruction instruction;
    static struct explain_kernel kernel;
    instruction =
        (struct explain_instruction){.class = CODE_STORE, .space = CODE_SHARED, .line = instruction_line, .loop = -1};
    traced[0] = store_of(12, 4, 32, 64);
    traced[1] = store_of(13, 4, 32, 64);
    code = store_of(code_line, 8, 32, 64);
    kernel = kernel_of(&instruction, 1);
    kernel.accesses = &code;
    kernel.access_count = 1;
    const struct explain_compiled compiled = {.kernels = &kernel, .kernel_count = 1};
    *trace = (struct explain_trace){.accesses = traced, .access_count = 2};
    explain_join_accesses(&compiled, trace);
}

static double passes_of(const struct explain_trace *trace, int line)
{
    for (size_t i = 0; i < trace->access_count; i++)
        if (trace->accesses[i].line == line)
            return trace->accesses[i].counts[0].transactions;
    return 0;
}

static void lines_are_joined(void **state)
{
    (void)state;
    struct explain_trace trace;
    join(13, 13, &trace); /* line 13's store does the work of both */
    assert_int_equal(trace.access_count, 1);
    assert_true(passes_of(&trace, 13) == 64);
    join(13, 12, &trace); /* line 12 has an instruction, whose address was not known */
    assert_true(trace.access_count == 2 && passes_of(&trace, 12) == 64 && passes_of(&trace, 13) == 64);
    join(99, 99, &trace); /* a line that the source's accesses have not: both share it */
    assert_true(trace.access_count == 2 && passes_of(&trace, 12) == 32 && passes_of(&trace, 13) == 32);
}

/* 0: before; 1 … 4: a loop of line 7; 5 … 8: another; 9: behind. Ten warps; line 7's busiest block ran 800 times. */
static double rounds_of(struct explain_instruction *instructions, size_t loop_count, struct explain_skip *skips,
                        size_t skip_count)
{
    struct explain_loop loops[] = {{.first = 1, .last = 4, .parent = -1, .is_innermost = true},
                                   {.first = 5, .last = 8, .parent = -1, .is_innermost = true}};
    struct explain_line lines[] = {
        {"test/f.cl", "k", 7, 800}, {"test/f.cl", "other", 7, 5000}, {"test/f.cl", "k", 8, 3}};
    struct explain_kernel kernel = kernel_of(instructions, 10);
    const struct explain_trace trace = {.lines = lines, .line_count = COUNT_OF(lines)};
    double rounds[2];
    kernel.loops = loops;
    kernel.loop_count = loop_count;
    kernel.skips = skips;
    kernel.skip_count = skip_count;
    explain_rounds(&kernel, &trace, 1, rounds);
    return rounds[0];
}

static void loops_have_lines(void **state)
{
    (void)state;
    struct explain_instruction code[10];
    for (int i = 0; i < 10; i++)
        code[i] = (struct explain_instruction){
            .class = CODE_FMA, .line = i < 1 || i > 8 ? 3 : 7, .loop = i < 1 || i > 8 ? -1 : (i - 1) / 4};
    code[5].line = code[6].line = code[7].line = code[8].line = 3;
    assert_true(rounds_of(code, 1, NULL, 0) == 800);
    struct explain_skip exits[] = {{.first = 3, .last = 9},
                                   {.first = 2, .last = 3}}; /* behind instruction 2, out of the loop; inside of it */
    assert_true(rounds_of(code, 1, exits, 2) == 400);        /* two copies of a round, each with an end */
    code[4].line = 0;
    assert_true(rounds_of(code, 1, NULL, 0) == 10); /* no line: once for each warp */
    code[4].line = 8;
    assert_true(rounds_of(code, 1, NULL, 0) == 3);
    for (int i = 1; i <= 8; i++)
        code[i].line = 7;
    code[5].class = code[6].class = code[7].class = CODE_INTEGER; /* a remainder's loop: one multiply-add, not four */
    code[8].class = CODE_FMA;
    assert_true(rounds_of(code, 2, NULL, 0) == 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_joined),
        cmocka_unit_test(loops_have_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
