/* Accesses of global memory that the trace counts word by word and the machine code joins. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "explain/joined.h"

#include <cmocka.h>

static struct explain_access access_at(int line, const char *array, enum explain_operation operation, unsigned bytes,
                                       double requests, double transactions)
{
    struct explain_access access = {.line = line,
                                    .file = "k.cu",
                                    .kernel = "k",
                                    .space = EXPLAIN_GLOBAL,
                                    .operation = operation,
                                    .bytes = bytes,
                                    .warp_accesses = requests,
                                    .lines = transactions / 4};
    snprintf(access.array, sizeof access.array, "%s", array);
    access.counts[0] = (struct explain_counts){.requests = requests,
                                               .transactions = transactions,
                                               .bytes_moved = 32 * transactions,
                                               .bytes_used = 32.0 * bytes * requests};
    return access;
}

static struct explain_instruction word_at(int line, enum code_class class, int bits)
{
    return (struct explain_instruction){.line = line, .class = class, .space = CODE_GLOBAL, .bits = bits, .loop = -1};
}

/* Lines 1, 2, 3: two floats of one vector, each 32 lanes that are 16 bytes apart, 16 sectors.
 * 1: the code loads 8 bytes where the trace has two loads. 2 and 3: it stores both at line 3. 4: it loads `b` at line
 * 1's neighbour 5, where `a` is, with the same width. 6: other widths, but an address that data decide. */
static struct explain_access traced[] = {{.line = 0}, {.line = 0}, {.line = 0}, {.line = 0}, {.line = 0}, {.line = 0}};

static struct explain_trace trace_of(void)
{
    traced[0] = access_at(1, "in", EXPLAIN_LOAD, 4, 64, 1024);
    traced[1] = access_at(2, "out", EXPLAIN_STORE, 4, 32, 512);
    traced[2] = access_at(3, "out", EXPLAIN_STORE, 4, 32, 512);
    traced[3] = access_at(4, "b", EXPLAIN_LOAD, 4, 32, 128);
    traced[4] = access_at(5, "a", EXPLAIN_LOAD, 4, 32, 128);
    traced[5] = access_at(6, "in", EXPLAIN_LOAD, 4, 64, 1000);
    return (struct explain_trace){.accesses = traced, .access_count = COUNT_OF(traced)};
}

static void expect(const struct explain_access *access, int line, unsigned bytes, double requests, double transactions,
                   double used)
{
    if (access->line != line || access->bytes != bytes || fabs(access->counts[0].requests - requests) > 1e-9 ||
        fabs(access->counts[0].transactions - transactions) > 1e-9 ||
        fabs(access->counts[0].bytes_used - used) > 1e-6 || fabs(access->lines - transactions / 4) > 1e-9)
        fail_msg("line %d: %u bytes, %g requests, %g transactions, %g bytes used", access->line, access->bytes,
                 access->counts[0].requests, access->counts[0].transactions, access->counts[0].bytes_used);
}

static void test_join(void **state)
{
    (void)state;
    struct explain_instruction code_of[] = {word_at(1, CODE_LOAD, 64), word_at(3, CODE_STORE, 64),
                                            word_at(5, CODE_LOAD, 32), word_at(5, CODE_LOAD, 32),
                                            word_at(6, CODE_LOAD, 64)};
    struct explain_access of_code[] = {
        access_at(1, "in", EXPLAIN_LOAD, 8, 32, 512), access_at(3, "out", EXPLAIN_STORE, 8, 32, 512),
        access_at(5, "a", EXPLAIN_LOAD, 4, 32, 128), access_at(5, "b", EXPLAIN_LOAD, 4, 32, 128),
        access_at(6, "in", EXPLAIN_LOAD, 8, 32, 256)};
    double executed[COUNT_OF(code_of)] = {32, 32, 32, 32, 32};
    struct explain_kernel kernel = {.name = "k",
                                    .file = "k.cu",
                                    .instructions = code_of,
                                    .instruction_count = COUNT_OF(code_of),
                                    .executed = executed,
                                    .accesses = of_code,
                                    .access_count = COUNT_OF(of_code)};
    struct explain_compiled compiled = {.kernels = &kernel, .kernel_count = 1};
    code_of[4].is_at_unknown = true;
    struct explain_trace trace = trace_of();
    explain_join_accesses(&compiled, &trace);
    assert_int_equal(trace.access_count, 5); /* line 2 has none */
    expect(&traced[0], 1, 8, 32, 512, 8192);
    expect(&traced[1], 3, 8, 32, 512, 8192);
    expect(&traced[2], 4, 4, 32, 128, 4096);
    expect(&traced[3], 5, 4, 32, 128, 4096);
    expect(&traced[4], 6, 4, 64, 1000, 8192);

    /* The code of another architecture, and one whose flow data decide, tell nothing. */
    strcpy(compiled.stands_in, "sm_75");
    trace = trace_of();
    explain_join_accesses(&compiled, &trace);
    assert_int_equal(trace.access_count, COUNT_OF(traced));
    expect(&traced[0], 1, 4, 64, 1024, 8192);
    compiled.stands_in[0] = '\0';
    kernel.is_decided_by_data = true;
    trace = trace_of();
    explain_join_accesses(&compiled, &trace);
    assert_int_equal(trace.access_count, COUNT_OF(traced));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_join)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
