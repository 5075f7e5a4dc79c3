#include "explain/machine/look_back.h"

static bool stores_or_waits(const struct explain_kernel *kernel, const struct explain_loop *loop)
{
    for (size_t i = loop->first; i <= loop->last; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        if (one->class == CODE_STORE || one->class == CODE_ATOMIC || one->is_barrier)
            return true;
    }
    return false;
}

/* Whether an instruction of the loop, other than the load, writes the register or the pair at `base`. */
static bool moves(const struct machine_code *code, const struct explain_loop *loop, size_t load, int base)
{
    for (size_t i = loop->first; i <= loop->last; i++) {
        const struct machine_instruction *one = &code->instructions[i];
        const struct operand *target = one->operand_count > 0 ? &one->operands[0] : NULL;
        if (i != load && target && target->kind == OPERAND_REGISTER && target->number == base)
            return true;
    }
    return false;
}

static int address_of(const struct machine_instruction *load)
{
    for (size_t i = 0; i < load->operand_count; i++)
        if (load->operands[i].kind == OPERAND_ADDRESS)
            return load->operands[i].base;
    return -1;
}

void machine_mark_look_backs(const struct machine_code *code, const bool *is_unknown, struct explain_kernel *kernel)
{
    for (size_t i = 0; i < kernel->instruction_count && i < code->count; i++) {
        const struct explain_instruction *one = &kernel->instructions[i];
        int base = address_of(&code->instructions[i]);
        if (one->class != CODE_LOAD || one->space != CODE_GLOBAL || !one->is_coherent || base < 0)
            continue;
        /* A loop that waits for one word may lie inside: its address is the outer loop's. */
        for (int l = one->loop; l >= 0 && !stores_or_waits(kernel, &kernel->loops[l]); l = kernel->loops[l].parent)
            if (is_unknown[kernel->loops[l].last] && moves(code, &kernel->loops[l], i, base)) {
                kernel->loops[l].looks_back = true;
                break;
            }
    }
}
