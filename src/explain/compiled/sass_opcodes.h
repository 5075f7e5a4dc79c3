/* Opcodes of SASS. */
#pragma once

#include "explain/compiled/compiled.h"

/* What an opcode is and where it is executed; CODE_OTHER where the table does not have it. */
struct sass_opcode {
    enum code_class class;
    enum code_space space; /* of a load, store or atomic operation */
    enum code_pipe pipe;
};

/* Of the part before the first point: "LDG". */
struct sass_opcode sass_opcode(const char *name);

/* Whether `name` is one of the words of `names`, which have one space between them. */
bool sass_is_one_of(const char *name, const char *names);

/* The control bits, from the upper 64 bits of an instruction's code; compute capability 7.0 and later. */
struct code_control sass_control(unsigned long long high);
