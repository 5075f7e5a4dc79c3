/* A processor's code: instructions by class, and what is found of the CPU rungs in this very program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/compiled.h"
#include "explain/compiled/x86_read.h"

#include "x86_text.h"

#include <cmocka.h>

#if defined __x86_64__

#define ROWS(X)                                                                \
    X("vfmadd231ps %ymm0,%ymm1,%ymm2", CODE_FMA, CODE_NO_SPACE, 0, 256)        \
    X("vfmadd231ps (%rax),%ymm1,%ymm2", CODE_FMA, CODE_GLOBAL, 256, 256)       \
    X("vfmadd231ps 0x40(%rsp),%zmm1,%zmm2", CODE_FMA, CODE_STACK, 512, 512)    \
    X("vfmadd231ps (%rax){1to16},%zmm1,%zmm2", CODE_FMA, CODE_GLOBAL, 32, 512) \
    X("vaddsd (%rax),%xmm1,%xmm2", CODE_FP64, CODE_GLOBAL, 64, 0)              \
    X("vpminsd %zmm1,%zmm0,%zmm2", CODE_INTEGER, CODE_NO_SPACE, 0, 512)        \
    X("vpabsd %ymm1,%ymm0", CODE_INTEGER, CODE_NO_SPACE, 0, 256)               \
    X("vbroadcastss (%r11),%zmm4", CODE_LOAD, CODE_GLOBAL, 32, 512)            \
    X("vbroadcastsd (%r11),%ymm4", CODE_LOAD, CODE_GLOBAL, 64, 256)            \
    X("vbroadcastf32x4 (%r11),%zmm4", CODE_LOAD, CODE_GLOBAL, 128, 512)        \
    X("vmovaps 0x10(%rip),%ymm0", CODE_CONSTANT, CODE_NO_SPACE, 0, 256)        \
    X("vfmadd132pd %zmm1,%zmm0,%zmm2", CODE_FP64, CODE_NO_SPACE, 0, 512)       \
    X("vfnmadd213ss %xmm1,%xmm0,%xmm2", CODE_FMA, CODE_NO_SPACE, 0, 0)         \
    X("addps  %xmm1,%xmm0", CODE_FLOAT, CODE_NO_SPACE, 0, 128)                 \
    X("mulsd  0x1234(%rip),%xmm0", CODE_FP64, CODE_NO_SPACE, 0, 0)             \
    X("sqrtps %xmm1,%xmm0", CODE_SPECIAL, CODE_NO_SPACE, 0, 128)               \
    X("cvtss2sd %xmm0,%xmm0", CODE_CONVERT, CODE_NO_SPACE, 0, 0)               \
    X("vxorps %xmm2,%xmm2,%xmm2", CODE_INTEGER, CODE_NO_SPACE, 0, 128)         \
    X("vpaddd %ymm2,%ymm1,%ymm0", CODE_INTEGER, CODE_NO_SPACE, 0, 256)         \
    X("vpermd %ymm2,%ymm1,%ymm0", CODE_SHUFFLE, CODE_NO_SPACE, 0, 256)         \
    X("add    $0x1,%rax", CODE_INTEGER, CODE_NO_SPACE, 0, 0)                   \
    X("lea    0x8(%rax,%rdx,4),%rcx", CODE_INTEGER, CODE_NO_SPACE, 0, 0)       \
    X("mov    %rax,%rdx", CODE_MOVE, CODE_NO_SPACE, 0, 0)                      \
    X("mov    (%rsi),%eax", CODE_LOAD, CODE_GLOBAL, 32, 0)                     \
    X("mov    %r9b,(%rsi,%rdi,1)", CODE_STORE, CODE_GLOBAL, 8, 0)              \
    X("mov    0x8(%r8),%rsi", CODE_LOAD, CODE_GLOBAL, 64, 0)                   \
    X("movzwl (%rsi),%eax", CODE_LOAD, CODE_GLOBAL, 16, 0)                     \
    X("movslq (%rsi),%rax", CODE_LOAD, CODE_GLOBAL, 32, 0)                     \
    X("movl   $0x0,(%rsi)", CODE_STORE, CODE_GLOBAL, 32, 0)                    \
    X("add    (%rsi),%r10d", CODE_INTEGER, CODE_GLOBAL, 32, 0)                 \
    X("cmpl   $0x0,(%rsi)", CODE_INTEGER, CODE_GLOBAL, 32, 0)                  \
    X("vmovups (%rax,%rdx,4),%ymm0", CODE_LOAD, CODE_GLOBAL, 256, 256)         \
    X("vmovups %ymm0,(%rax,%rdx,4)", CODE_STORE, CODE_GLOBAL, 256, 256)        \
    X("vmovntps %zmm0,(%rax)", CODE_STORE, CODE_GLOBAL, 512, 512)              \
    X("movss  0x10(%rax),%xmm0", CODE_LOAD, CODE_GLOBAL, 32, 0)                \
    X("vmovaps %ymm3,0x20(%rsp)", CODE_STORE, CODE_STACK, 256, 256)            \
    X("vmovaps 0x20(%rsp),%ymm3", CODE_LOAD, CODE_STACK, 256, 256)             \
    X("push   %rbx", CODE_STORE, CODE_STACK, 64, 0)                            \
    X("jmp    *(%rax)", CODE_BRANCH, CODE_NO_SPACE, 0, 0)                      \
    X("jne    .", CODE_BRANCH, CODE_NO_SPACE, 0, 0)                            \
    X("call   .", CODE_BRANCH, CODE_NO_SPACE, 0, 0)                            \
    X("sfence", CODE_BARRIER, CODE_NO_SPACE, 0, 0)                             \
    X("vmovlps (%rax),%xmm1,%xmm2", CODE_LOAD, CODE_GLOBAL, 64, 128)           \
    X("cvtss2sd (%rdx),%xmm1", CODE_CONVERT, CODE_GLOBAL, 32, 0)               \
    X("vcvtps2pd (%rdx),%ymm1", CODE_CONVERT, CODE_GLOBAL, 128, 256)           \
    X("lock xadd %eax,(%rdx)", CODE_ATOMIC, CODE_NO_SPACE, 0, 0)               \
    X("idivl  %ecx", CODE_SPECIAL, CODE_NO_SPACE, 0, 0)
#define ROW(text, class, space, bits, vector_bits) {text, class, space, bits, vector_bits},

X86_TEXT(class_code, ROWS(X86_LINE));
X86_TEXT(nothing_code, "nopl (%rax)\n.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\nxchg %ax,%ax");

static void test_classes(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        enum code_class class;
        enum code_space space;
        int bits, vector_bits;
    } rows[] = {ROWS(ROW)};
    struct explain_instruction instruction;
    int vector_bits;
    const unsigned char *at = class_code;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct x86_instruction one = x86_next(&at, class_code_end);
        assert_true(x86_classify(&one, &instruction, &vector_bits));
        if (instruction.class != rows[i].class || instruction.space != rows[i].space ||
            instruction.bits != rows[i].bits || vector_bits != rows[i].vector_bits)
            fail_msg("%s: %s, space %d, %d bits, vectors of %d", rows[i].words, code_classes[instruction.class].key,
                     instruction.space, instruction.bits, vector_bits);
    }
    assert_ptr_equal(at, class_code_end);
    /* padding in any form, "data16 cs nopw 0x0(%rax,%rax,1)" too */
    for (at = nothing_code; at < nothing_code_end;) {
        const struct x86_instruction one = x86_next(&at, nothing_code_end);
        assert_false(x86_classify(&one, &instruction, &vector_bits));
    }
}

/* One loop: a vector from the stack, one to it; what stands before the loop is no spill. */
X86_TEXT(function_code, "vmovaps %ymm0,0x40(%rsp)\n"
                        "xchg    %ax,%ax\n"
                        "1: vmovaps 0x20(%rsp),%ymm3\n"
                        "vfmadd231ps (%rax),%ymm1,%ymm3\n"
                        "vmovaps %ymm3,0x20(%rsp)\n"
                        "add     $0x20,%rax\n"
                        "cmp     %rax,%rdi\n"
                        "jne     1b\n"
                        "ret");

static void test_function(void **state)
{
    (void)state;
    struct explain_kernel kernel = {.name = "f"};
    assert_true(x86_read(function_code, (size_t)(function_code_end - function_code), &kernel));
    assert_int_equal(kernel.instruction_count, 8); /* without the xchg, which does nothing */
    assert_int_equal(kernel.loop_count, 1);
    assert_int_equal(kernel.vector_bits, 256);
    assert_int_equal(kernel.counts[CODE_FMA], 1);
    assert_int_equal(kernel.counts[CODE_FP64], 0);
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
X86_TEXT(scalar_code, "vmovaps %xmm1,%xmm0\n"
                      "vxorps  %xmm2,%xmm2,%xmm2\n"
                      "1: vaddss 0x10(%rsp),%xmm2,%xmm2\n"
                      "vmovss  %xmm2,0x14(%rsp)\n"
                      "vmulss  (%rbp,%rax,4),%xmm2,%xmm2\n"
                      "jne     1b\n"
                      "2: inc  %rax\n"
                      "add     (%rdx),%rsi\n"
                      "inc     %rbx\n"
                      "inc     %rcx\n"
                      "inc     %rdx\n"
                      "inc     %rdi\n"
                      "jne     2b\n"
                      "addl    $0x1,(%rdx)\n"
                      "ret");

static void test_scalars(void **state)
{
    (void)state;
    struct explain_kernel kernel = {.name = "f"};
    assert_true(x86_read(scalar_code, (size_t)(scalar_code_end - scalar_code), &kernel));
    assert_int_equal(kernel.vector_bits, 0);
    assert_int_equal(kernel.spill_store_bytes, 4);
    assert_int_equal(kernel.spill_load_bytes, 4);
    assert_int_equal(kernel.arithmetic[2], 2); /* of 32 bits */
    assert_int_equal(kernel.loads[2], 2);      /* of (%rbp,%rax,4) and of (%rdx) */
    assert_int_equal(kernel.stores[2], 1);
    assert_int_equal(kernel.loop_counts[CODE_FLOAT], 2);
    assert_int_equal(kernel.loop_counts[CODE_INTEGER], 0);
    /* what was executed decides: the second loop, though nothing in it counts as work but for its one access */
    double times[20] = {0};
    for (size_t i = kernel.loops[1].first; i <= kernel.loops[1].last; i++)
        times[i] = 1000;
    explain_kernel_count_loop(&kernel, times);
    assert_int_equal(kernel.loop_counts[CODE_FLOAT], 0);
    assert_int_equal(kernel.loop_counts[CODE_INTEGER], 6);
    free(kernel.instructions);
    free(kernel.loops);
}

#endif

/* Every CPU rung's own code is found, or it is said why not (no addr2line, no symbols). */
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
            explain_compile(&problem, rungs[r], &parameters, &target, architecture, &compiled);
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
#if defined __x86_64__
        cmocka_unit_test(test_classes),
        cmocka_unit_test(test_function),
        cmocka_unit_test(test_scalars),
#endif
        cmocka_unit_test(test_every_rung),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
