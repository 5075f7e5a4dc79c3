#include "explain/machine/actions.h"

#include "base/size.h"

static machine_action action_of(const char *opcode)
{
    static const struct machine_opcodes *const tables[] = {machine_integer_opcodes,  machine_float_opcodes,
                                                           machine_exchange_opcodes, machine_load_opcodes,
                                                           machine_atomic_opcodes,   machine_control_opcodes};
    for (size_t t = 0; t < COUNT_OF(tables); t++)
        for (const struct machine_opcodes *row = tables[t]; row->action; row++)
            if (sass_is_one_of(opcode, row->names))
                return row->action;
    return NULL;
}

void machine_bind(struct machine_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        struct machine_instruction *instruction = &code->instructions[i];
        if (!instruction->action)
            instruction->action = action_of(instruction->opcode);
        instruction->is_control =
            sass_is_one_of(instruction->opcode, "BRA BRX BRXU EXIT CALL RET BSYNC BREAK BAR WARPSYNC");
    }
}
