/* Machine code that recording writes, decoded: each operand is the one that was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/cache/x86_emit.h"
#include "explain/compiled/decoder.h"

#include <cmocka.h> /* last: it has a macro called fail */

static unsigned char bytes[64];

static struct x86_code written(const struct x86_operand *operand, bool is_load)
{
    struct x86_code code = {.bytes = bytes, .capacity = sizeof bytes};
    (is_load ? x86_emit_load : x86_emit_address)(&code, operand, (uintptr_t)bytes + 1000);
    assert_false(code.is_full || code.is_too_far);
    return code;
}

/* Every base and index register, one of them missing, every scale, displacements of one and of four bytes: into %rax.
 */
static void every_operand(void **state)
{
    (void)state;
    struct error error = {""};
    if (decoder_open(&error) != STATUS_OK)
        skip();
    static const int32_t displacements[] = {0, 8, -128, 1 << 20, INT32_MIN};
    for (int base = X86_NO_REGISTER; base < 16; base++)
        for (int index = X86_NO_REGISTER; index < 16; index++)
            for (int scale = 1; scale <= 8; scale *= 2) {
                /* The stack pointer is no index. */
                if (index == 4 || (index == X86_NO_REGISTER && (base == X86_NO_REGISTER || scale > 1)))
                    continue;
                const struct x86_operand asked = {.base = base,
                                                  .index = index,
                                                  .scale = scale,
                                                  .displacement = displacements[(base + index + 2) % 5]};
                for (int is_load = 0; is_load < 2; is_load++) {
                    struct x86_operand found;
                    const struct x86_code code = written(&asked, is_load);
                    const struct x86_instruction one = x86_decode(bytes, code.count, (uintptr_t)bytes);
                    assert_int_equal(one.code.length, code.count);
                    assert_string_equal(one.name, is_load ? "mov" : "lea");
                    assert_int_equal(x86_register_of(one.operands[0].reg.value), 0);
                    assert_true(x86_address_of(&one.operands[1], &found));
                    assert_int_equal(found.base, base);
                    assert_int_equal(found.index, index);
                    assert_int_equal(found.displacement, asked.displacement);
                    if (index != X86_NO_REGISTER)
                        assert_int_equal(found.scale, scale);
                }
            }
    const struct x86_operand on_rip = {.base = X86_RIP, .index = X86_NO_REGISTER};
    const struct x86_code code = written(&on_rip, true);
    assert_int_equal(x86_decode(bytes, code.count, (uintptr_t)bytes).on_rip, (uintptr_t)bytes + 1000);
}

/* Registers to and from the thread's area, and what no longer fits. */
static void saved_registers(void **state)
{
    (void)state;
    struct error error = {""};
    if (decoder_open(&error) != STATUS_OK)
        skip();
    for (int reg = 0; reg < 16; reg++)
        for (int is_save = 0; is_save < 2; is_save++) {
            struct x86_code code = {.bytes = bytes, .capacity = sizeof bytes};
            (is_save ? x86_emit_save : x86_emit_restore)(&code, reg, 0x1234);
            const struct x86_instruction one = x86_decode(bytes, code.count, (uintptr_t)bytes);
            const ZydisDecodedOperand *memory = &one.operands[is_save ? 0 : 1], *named = &one.operands[is_save ? 1 : 0];
            assert_int_equal(one.code.length, code.count);
            assert_int_equal(x86_register_of(named->reg.value), reg);
            assert_int_equal(memory->mem.segment, ZYDIS_REGISTER_GS);
            assert_int_equal(memory->mem.disp.value, 0x1234);
        }
    struct x86_code small = {.bytes = bytes, .capacity = 3};
    x86_emit_word(&small, 1);
    assert_true(small.is_full);
    struct x86_code far = {.bytes = bytes, .capacity = sizeof bytes};
    x86_emit_branch(&far, (const unsigned char[]){0xe9}, 1, (uintptr_t)bytes + ((uintptr_t)1 << 32));
    assert_true(far.is_too_far);
    struct x86_code near = {.bytes = bytes, .capacity = sizeof bytes};
    x86_emit_branch(&near, (const unsigned char[]){0x0f, 0x84}, 2, (uintptr_t)bytes + 4096);
    const struct x86_instruction branch = x86_decode(bytes, near.count, (uintptr_t)bytes);
    assert_true(!near.is_too_far && branch.flow == X86_EITHER && branch.target == (uintptr_t)bytes + 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operand), cmocka_unit_test(saved_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
