/* A processor's code: instructions by class, and what is found of the CPU rungs in this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/compiled.h"
#include "explain/compiled/x86_listing.h"

#include <cmocka.h>

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        enum code_class class;
        enum code_space space;
        int bits, vector_bits;
    } rows[] = {
        {"vfmadd231ps %ymm0,%ymm1,%ymm2", CODE_FMA, CODE_NO_SPACE, 0, 256},
        {"vfmadd231ps (%rax),%ymm1,%ymm2", CODE_FMA, CODE_GLOBAL, 256, 256},
        {"vfmadd231ps 0x40(%rsp),%zmm1,%zmm2", CODE_FMA, CODE_STACK, 512, 512},
        {"vfmadd231ps (%rax){1to16},%zmm1,%zmm2", CODE_FMA, CODE_GLOBAL, 32, 512},
        {"vaddsd (%rax),%xmm1,%xmm2", CODE_FP64, CODE_GLOBAL, 64, 0},
        {"vpminsd %zmm1,%zmm0,%zmm2", CODE_INTEGER, CODE_NO_SPACE, 0, 512},
        {"vpabsd %ymm1,%ymm0", CODE_INTEGER, CODE_NO_SPACE, 0, 256},
        {"vbroadcastss (%r11),%zmm4", CODE_LOAD, CODE_GLOBAL, 32, 512},
        {"vbroadcastsd (%r11),%ymm4", CODE_LOAD, CODE_GLOBAL, 64, 256},
        {"vbroadcastf32x4 (%r11),%zmm4", CODE_LOAD, CODE_GLOBAL, 128, 512},
        {"vmovaps 0x10(%rip),%ymm0        # 0x20", CODE_CONSTANT, CODE_NO_SPACE, 0, 256},
        {"vfmadd132pd %zmm1,%zmm0,%zmm2", CODE_FP64, CODE_NO_SPACE, 0, 512},
        {"vfnmadd213ss %xmm1,%xmm0,%xmm2", CODE_FMA, CODE_NO_SPACE, 0, 0},
        {"addps  %xmm1,%xmm0", CODE_FLOAT, CODE_NO_SPACE, 0, 128},
        {"mulsd  0xad45d(%rip),%xmm0        # 0xad470", CODE_FP64, CODE_NO_SPACE, 0, 0},
        {"sqrtps %xmm1,%xmm0", CODE_SPECIAL, CODE_NO_SPACE, 0, 128},
        {"cvtss2sd %xmm0,%xmm0", CODE_CONVERT, CODE_NO_SPACE, 0, 0},
        {"vxorps %xmm2,%xmm2,%xmm2", CODE_INTEGER, CODE_NO_SPACE, 0, 128},
        {"vpaddd %ymm2,%ymm1,%ymm0", CODE_INTEGER, CODE_NO_SPACE, 0, 256},
        {"vpermd %ymm2,%ymm1,%ymm0", CODE_SHUFFLE, CODE_NO_SPACE, 0, 256},
        {"add    $0x1,%rax", CODE_INTEGER, CODE_NO_SPACE, 0, 0},
        {"lea    0x8(%rax,%rdx,4),%rcx", CODE_INTEGER, CODE_NO_SPACE, 0, 0},
        {"mov    %rax,%rdx", CODE_MOVE, CODE_NO_SPACE, 0, 0},
        {"mov    (%rsi),%eax", CODE_LOAD, CODE_GLOBAL, 32, 0},
        {"mov    %r9b,(%rsi,%rdi,1)", CODE_STORE, CODE_GLOBAL, 8, 0},
        {"mov    0x8(%r8),%rsi", CODE_LOAD, CODE_GLOBAL, 64, 0},
        {"movzwl (%rsi),%eax", CODE_LOAD, CODE_GLOBAL, 16, 0},
        {"movslq (%rsi),%rax", CODE_LOAD, CODE_GLOBAL, 32, 0},
        {"movl   $0x0,(%rsi)", CODE_STORE, CODE_GLOBAL, 32, 0},
        {"add    (%rsi),%r10d", CODE_INTEGER, CODE_GLOBAL, 32, 0},
        {"cmpl   $0x0,(%rsi)", CODE_INTEGER, CODE_GLOBAL, 32, 0},
        {"vmovups (%rax,%rdx,4),%ymm0", CODE_LOAD, CODE_GLOBAL, 256, 256},
        {"vmovups %ymm0,(%rax,%rdx,4)", CODE_STORE, CODE_GLOBAL, 256, 256},
        {"vmovntps %zmm0,(%rax)", CODE_STORE, CODE_GLOBAL, 512, 512},
        {"movss  0x10(%rax),%xmm0", CODE_LOAD, CODE_GLOBAL, 32, 0},
        {"vmovaps %ymm3,0x20(%rsp)", CODE_STORE, CODE_STACK, 256, 256},
        {"vmovaps 0x20(%rsp),%ymm3", CODE_LOAD, CODE_STACK, 256, 256},
        {"push   %rbx", CODE_STORE, CODE_STACK, 64, 0},
        {"jmp    *(%rax)", CODE_BRANCH, CODE_NO_SPACE, 0, 0},
        {"jne    0x90", CODE_BRANCH, CODE_NO_SPACE, 0, 0},
        {"call   0x1234", CODE_BRANCH, CODE_NO_SPACE, 0, 0},
        {"sfence", CODE_BARRIER, CODE_NO_SPACE, 0, 0},
    };
    struct explain_instruction instruction;
    int vector_bits;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_true(x86_classify(rows[i].words, &instruction, &vector_bits));
        if (instruction.class != rows[i].class || instruction.space != rows[i].space ||
            instruction.bits != rows[i].bits || vector_bits != rows[i].vector_bits)
            fail_msg("%s: %s, space %d, %d bits, vectors of %d", rows[i].words, code_classes[instruction.class].key,
                     instruction.space, instruction.bits, vector_bits);
    }
    assert_false(x86_classify("nopl   (%rax)", &instruction, &vector_bits));
    assert_false(x86_classify("", &instruction, &vector_bits));
}

/* One loop, 0x10 to 0x2a: a vector from the stack, one to it; what stands before the loop is no spill. */
static void test_function(void **state)
{
    (void)state;
    static const char text[] = "\nfile format binary\n\n0000000000000000 <.data>:\n"
                               "   0:\tret\n"
                               "   8:\tvmovaps %ymm0,0x40(%rsp)\n"
                               "   e:\txchg   %ax,%ax\n"
                               "  10:\tvmovaps 0x20(%rsp),%ymm3\n"
                               "  16:\tvfmadd231ps (%rax),%ymm1,%ymm3\n"
                               "  1c:\tvmovaps %ymm3,0x20(%rsp)\n"
                               "  22:\tadd    $0x20,%rax\n"
                               "  26:\tcmp    %rax,%rdi\n"
                               "  29:\tjne    0x10\n"
                               "  2b:\tret\n"
                               "  2c:\tmulsd  %xmm0,%xmm0\n";
    struct explain_kernel kernel = {.name = "f"};
    assert_true(x86_read(text, 8, 0x2c, &kernel));
    assert_int_equal(kernel.instruction_count, 8); /* without the xchg, which does nothing */
    assert_int_equal(kernel.loop_count, 1);
    assert_int_equal(kernel.vector_bits, 256);
    assert_int_equal(kernel.counts[CODE_FMA], 1);
    assert_int_equal(kernel.counts[CODE_FP64], 0); /* behind the end */
    assert_int_equal(kernel.loop_counts[CODE_FMA], 1);
    assert_int_equal(kernel.spill_store_bytes, 32);
    assert_int_equal(kernel.spill_load_bytes, 32);
    assert_int_equal(kernel.arithmetic[5], 1); /* of 256 bits */
    assert_int_equal(kernel.loads[5], 1);      /* the operand of the multiply-add */
    free(kernel.instructions);
    free(kernel.loops);
}

/* Single numbers: spilled ones count, copies between registers are no vectors, and %rbp is a register as any other
 * where it is not made the frame's. Of two innermost loops the one that computes is shown, though it is shorter. */
static void test_scalars(void **state)
{
    (void)state;
    static const char text[] = "   0:\tvmovaps %xmm1,%xmm0\n"
                               "   4:\tvxorps %xmm2,%xmm2,%xmm2\n"
                               "   8:\tvaddss 0x10(%rsp),%xmm2,%xmm2\n"
                               "   c:\tvmovss %xmm2,0x14(%rsp)\n"
                               "  10:\tvmulss (%rbp,%rax,4),%xmm2,%xmm2\n"
                               "  14:\tjne    0x8\n"
                               "  18:\tinc    %rax\n"
                               "  1c:\tinc    %rbx\n"
                               "  20:\tinc    %rcx\n"
                               "  24:\tinc    %rdx\n"
                               "  28:\tinc    %rdi\n"
                               "  2c:\tjne    0x18\n"
                               "  30:\taddl   $0x1,(%rdx)\n"
                               "  34:\tret\n";
    struct explain_kernel kernel = {.name = "f"};
    assert_true(x86_read(text, 0, 0x35, &kernel));
    assert_int_equal(kernel.vector_bits, 0);
    assert_int_equal(kernel.spill_store_bytes, 4);
    assert_int_equal(kernel.spill_load_bytes, 4);
    assert_int_equal(kernel.arithmetic[2], 2); /* of 32 bits */
    assert_int_equal(kernel.loads[2], 2);      /* of (%rbp,%rax,4) and of (%rdx) */
    assert_int_equal(kernel.stores[2], 1);
    assert_int_equal(kernel.loop_counts[CODE_FLOAT], 2);
    assert_int_equal(kernel.loop_counts[CODE_INTEGER], 0);
    free(kernel.instructions);
    free(kernel.loops);
}

/* Every CPU rung's own code is found, or it is said why not (no objdump, no symbols). */
static void test_every_rung(void **state)
{
    (void)state;
    struct explain_target target = {.name = "cpu", .kind = BACKEND_CPU};
    struct error error = {{0}};
    size_t found = 0;
    for (size_t k = 0; kernels[k]; k++) {
        struct problem problem = problem_default(kernels[k]);
        const struct rung *const *rungs;
        size_t count;
        assert_int_equal(kernel_rungs(kernels[k], &rungs, &count, &error), STATUS_OK);
        for (size_t r = 0; r < count && r < 2; r++) { /* each takes a tenth of a second */
            struct explain_compiled compiled;
            struct parameters parameters = {{0}};
            char architecture[EXPLAIN_ARCHITECTURE_MAX];
            if (rungs[r]->kind != RUNG_HOST)
                continue;
            assert_int_equal(explain_compile(&problem, rungs[r], &parameters, &target, architecture, &compiled, &error),
                             STATUS_OK);
            assert_true(compiled.kernel_count > 0 || compiled.reason[0]);
            for (size_t i = 0; i < compiled.kernel_count; i++)
                assert_true(compiled.kernels[i].instruction_count > 0);
            found += compiled.kernel_count > 0;
            if (compiled.kernel_count == 0)
                print_message("%s %s: %s\n", kernels[k]->name, rungs[r]->name, compiled.reason);
            explain_compiled_free(&compiled);
        }
    }
    if (found == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_every_rung),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
