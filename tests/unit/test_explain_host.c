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
        {"vfmadd231ps (%rax),%ymm1,%ymm2", CODE_FMA, CODE_NO_SPACE, 0, 256},
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
        {"vmovups (%rax,%rdx,4),%ymm0", CODE_LOAD, CODE_GLOBAL, 256, 256},
        {"vmovups %ymm0,(%rax,%rdx,4)", CODE_STORE, CODE_GLOBAL, 256, 256},
        {"vmovntps %zmm0,(%rax)", CODE_STORE, CODE_GLOBAL, 512, 512},
        {"movss  0x10(%rax),%xmm0", CODE_LOAD, CODE_GLOBAL, 32, 0},
        {"vmovaps %ymm3,0x20(%rsp)", CODE_STORE, CODE_STACK, 256, 256},
        {"vmovaps 0x20(%rsp),%ymm3", CODE_LOAD, CODE_STACK, 256, 256},
        {"push   %rbx", CODE_STORE, CODE_STACK, 64, 0},
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
    assert_int_equal(kernel.instruction_count, 9);
    assert_int_equal(kernel.loop_count, 1);
    assert_int_equal(kernel.vector_bits, 256);
    assert_int_equal(kernel.counts[CODE_FMA], 1);
    assert_int_equal(kernel.counts[CODE_FP64], 0); /* behind the end */
    assert_int_equal(kernel.loop_counts[CODE_FMA], 1);
    assert_int_equal(kernel.spill_store_bytes, 32);
    assert_int_equal(kernel.spill_load_bytes, 32);
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
        cmocka_unit_test(test_every_rung),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
