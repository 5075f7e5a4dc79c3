/* What the machine code tells beside the trace: its accesses, and loops that neither load nor store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/accesses_of_code.h"
#include "explain/model/model.h"

#include <cmocka.h>

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

static struct explain_access access_of(int line, enum explain_space space)
{
    return (struct explain_access){.file = "test/f.cl",
                                   .kernel = "k",
                                   .line = line,
                                   .space = space,
                                   .counts = {{.requests = 1, .transactions = 1}}};
}

/* Lines of the accesses that are left, as digits: the source has 1 (shared) and 2 (global), the code 3, 4 and 5 (own).
 */
static int lines_after(const struct explain_kernel *kernel, bool needs_all, const char *stands_in, bool *is_of_code)
{
    struct explain_access of_code[] = {access_of(3, EXPLAIN_SHARED), access_of(4, EXPLAIN_GLOBAL),
                                       access_of(5, EXPLAIN_OWN)};
    struct explain_kernel one = *kernel;
    struct explain_compiled compiled = {.kernels = &one, .kernel_count = 1};
    struct explain_trace trace = {.accesses = calloc(2, sizeof *trace.accesses), .access_count = 2};
    int lines = 0;
    assert_non_null(trace.accesses);
    trace.accesses[0] = access_of(1, EXPLAIN_SHARED);
    trace.accesses[1] = access_of(2, EXPLAIN_GLOBAL);
    one.accesses = of_code;
    one.access_count = COUNT_OF(of_code);
    snprintf(compiled.stands_in, sizeof compiled.stands_in, "%s", stands_in);
    explain_take_accesses(&compiled, needs_all, &trace);
    for (size_t i = 0; i < trace.access_count; i++)
        lines = 10 * lines + trace.accesses[i].line;
    *is_of_code = trace.is_of_code;
    free(trace.accesses);
    return lines;
}

static void accesses_are_taken(void **state)
{
    (void)state;
    struct explain_instruction code[2] = {{.loop = -1}, {.loop = -1}};
    struct explain_kernel kernel = kernel_of(code, 2);
    bool is_of_code;
    assert_true(lines_after(&kernel, true, "", &is_of_code) == 345 && is_of_code);
    assert_true(lines_after(&kernel, true, "sm_75", &is_of_code) == 12 && !is_of_code);
    kernel.lacks_addresses = true; /* at the source's line 1 and the code's 4: there the source tells */
    code[0] = (struct explain_instruction){.class = CODE_LOAD, .space = CODE_SHARED, .line = 1, .is_at_unknown = true};
    code[1] = (struct explain_instruction){.class = CODE_LOAD, .space = CODE_GLOBAL, .line = 4, .is_at_unknown = true};
    assert_true(lines_after(&kernel, true, "", &is_of_code) == 135 && !is_of_code);
    kernel.is_decided_by_data = true;
    assert_true(lines_after(&kernel, true, "", &is_of_code) == 12 && !is_of_code);
    assert_true(lines_after(&kernel, false, "", &is_of_code) == 345 && is_of_code); /* the source tells nothing */
    kernel.executed = NULL;
    assert_true(lines_after(&kernel, false, "", &is_of_code) == 12 && !is_of_code);
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
        cmocka_unit_test(accesses_are_taken),
        cmocka_unit_test(loops_have_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
