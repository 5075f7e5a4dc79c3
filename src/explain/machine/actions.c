#include "explain/machine/actions.h"

#include <string.h>

#include "base/size.h"

static bool is_control(const char *opcode)
{
    static const char *const opcodes[] = {"BRA", "BRX",   "BRXU",  "EXIT", "CALL",
                                          "RET", "BSYNC", "BREAK", "BAR",  "WARPSYNC"};
    for (size_t i = 0; i < COUNT_OF(opcodes); i++)
        if (strcmp(opcode, opcodes[i]) == 0)
            return true;
    return false;
}

void machine_bind(struct machine_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        struct machine_instruction *instruction = &code->instructions[i];
        static machine_action (*const tables[])(const char *) = {machine_integer_action,  machine_float_action,
                                                                 machine_exchange_action, machine_load_action,
                                                                 machine_atomic_action,   machine_control_action};
        for (size_t t = 0; t < COUNT_OF(tables) && !instruction->action; t++)
            instruction->action = tables[t](instruction->opcode);
        instruction->is_control = is_control(instruction->opcode);
    }
}
