/* One thread of a kernel, executed from its SASS as far as its addresses and branches go: integers, predicates and
 * conversions. What it loads from global memory is unknown, and so is what follows from that; a branch that depends on
 * it goes where `is_taken_unknown` says, and `hit_unknown` is set. Meanings of the instructions: "CUDA Binary
 * Utilities" names them; their arithmetic is that of the PTX instructions they are made from. */
#ifndef USKOR_EXPLAIN_MACHINE_THREAD_H
#define USKOR_EXPLAIN_MACHINE_THREAD_H

#include "explain/machine/instruction.h"

#define MACHINE_REGISTERS 256
#define MACHINE_UNIFORMS 64
#define MACHINE_PREDICATES 8
#define MACHINE_STACK_WORDS 1024
#define MACHINE_CONSTANT_BYTES 4096
#define MACHINE_CALLS_MAX 16

/* The first constant bank: shapes, stack and arguments of a launch. */
struct machine_constants {
    unsigned char bytes[MACHINE_CONSTANT_BYTES];
};

struct machine_word {
    uint32_t value;
    bool is_known;
};

/* What a group's threads stored in shared memory, so far. */
struct machine_shared {
    struct machine_word *words; /* malloc'ed */
    size_t count;
};

struct machine_thread {
    const struct machine_code *code;
    const struct machine_constants *constants;
    struct machine_shared *shared; /* NULL: nothing is known of it */
    uint32_t item[3], group[3];
    unsigned lane;

    struct machine_word registers[MACHINE_REGISTERS], uniforms[MACHINE_UNIFORMS];
    struct machine_word predicates[MACHINE_PREDICATES], uniform_predicates[MACHINE_PREDICATES];
    struct machine_word stack[MACHINE_STACK_WORDS];
    size_t calls[MACHINE_CALLS_MAX], call_count;
    size_t next; /* instruction */
    bool is_done, hit_unknown;
    bool was_executed; /* the last step: its guard let it through */
};

/* Runs one instruction; false behind the last. */
bool machine_step(struct machine_thread *thread);

/* ---- for actions (explain/machine/integers.c, floats.c, control.c, shared.c) ---- */

struct machine_word machine_read(const struct machine_thread *thread, const struct operand *operand);
/* A register pair, a pair of constants, or a word that is extended: with its sign where `is_signed`. */
bool machine_read_wide(const struct machine_thread *thread, const struct operand *operand, bool is_signed,
                       uint64_t *value);
void machine_write(struct machine_thread *thread, const struct operand *operand, struct machine_word word);
void machine_write_wide(struct machine_thread *thread, const struct operand *operand, uint64_t value, bool is_known);
/* The operand's negation and inversion applied to a predicate: 0 or 1. */
struct machine_word machine_predicate(const struct machine_thread *thread, const struct operand *operand);
void machine_write_predicate(struct machine_thread *thread, const struct operand *operand, struct machine_word word);

/* The address that an operand of memory names; false where it is not known. */
bool machine_address(const struct machine_thread *thread, const struct operand *operand, uint64_t *address);

machine_action machine_integer_action(const char *opcode); /* NULL: none of these */
machine_action machine_float_action(const char *opcode);   /* … */
machine_action machine_control_action(const char *opcode); /* … */
machine_action machine_shared_action(const char *opcode);  /* … */

/* Forgets what the store, whose guard is not known, may have changed. */
void machine_forget_stored(struct machine_thread *thread, const struct machine_instruction *instruction);

#endif
