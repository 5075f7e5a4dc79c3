#include "explain/machine/actions.h"

void machine_bind(struct machine_code *code)
{
    for (size_t i = 0; i < code->count; i++) {
        struct machine_instruction *instruction = &code->instructions[i];
        instruction->action = machine_integer_action(instruction->opcode);
        if (!instruction->action)
            instruction->action = machine_float_action(instruction->opcode);
        if (!instruction->action)
            instruction->action = machine_control_action(instruction->opcode);
        if (!instruction->action && (instruction->action = machine_shared_action(instruction->opcode)))
            instruction->when_unknown = machine_forget_stored;
    }
}
