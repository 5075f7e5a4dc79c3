/* SASS as nvdisasm writes it, read into operands: what explain/machine/warp.h executes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define MACHINE_OPERANDS_MAX 8

enum operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,  /* R7; `number` -1: RZ */
    OPERAND_UNIFORM,   /* UR7; … */
    OPERAND_PREDICATE, /* P3; -1: PT */
    OPERAND_UNIFORM_PREDICATE,
    OPERAND_NUMBER,   /* an immediate */
    OPERAND_CONSTANT, /* c[bank][offset]: `number` is the bank, `value` the offset, `base` a register or -1 */
    OPERAND_ADDRESS,  /* [R2.64+UR4+0x10]: `base`, `uniform`, `value` */
    OPERAND_LABEL,    /* `value`: of an instruction; SIZE_MAX: unknown */
    OPERAND_SPECIAL,  /* SR_TID.X: `value` is an enum special_register */
    OPERAND_BARRIER,  /* B3: of lanes that meet again */
};

enum special_register {
    SPECIAL_UNKNOWN,
    SPECIAL_ZERO,
    SPECIAL_ITEM,                     /* x; y and z follow */
    SPECIAL_GROUP = SPECIAL_ITEM + 3, /* … */
    SPECIAL_LANE = SPECIAL_GROUP + 3,
    SPECIAL_LANES_BELOW, /* masks of lanes */
    SPECIAL_LANES_TO,
    SPECIAL_LANES_FROM,
    SPECIAL_LANES_ABOVE,
};

struct operand {
    enum operand_kind kind;
    int number;
    int base, uniform; /* -1: none */
    bool is_wide;      /* the base is a pair: R2.64 */
    bool negated, inverted, absolute;
    uint64_t value;
    bool is_real; /* an immediate with a decimal point, or a whole one in decimal: `real` */
    double real;
};

/* Modifiers behind the opcode's points. */
enum modifier {
    MODIFIER_X = 1 << 0,
    MODIFIER_EX = 1 << 1,
    MODIFIER_U32 = 1 << 2,
    MODIFIER_64 = 1 << 3, /* .64, .U64, .S64 */
    MODIFIER_S = 1 << 4,  /* .S32, .S64 */
    MODIFIER_HI = 1 << 5,
    MODIFIER_WIDE = 1 << 6,
    MODIFIER_SX32 = 1 << 7,
    MODIFIER_W = 1 << 8,
    MODIFIER_L = 1 << 9,
    MODIFIER_OR = 1 << 10,
    MODIFIER_XOR = 1 << 11,
    MODIFIER_U = 1 << 12, /* .U32, .U64 */
    MODIFIER_SH = 1 << 13,
    MODIFIER_RP = 1 << 14,
    MODIFIER_RCP = 1 << 15,
    MODIFIER_ANY = 1 << 16,
    MODIFIER_DIV = 1 << 17,
    MODIFIER_IDX = 1 << 18,
    MODIFIER_32 = 1 << 19,
    MODIFIER_128 = 1 << 20,
    MODIFIER_F64 = 1 << 21,
    MODIFIER_BYTE = 1 << 22,
    MODIFIER_HALF = 1 << 23,   /* two bytes */
    MODIFIER_SIGNED = 1 << 24, /* … with a sign */
    MODIFIER_DOWN = 1 << 25,
    MODIFIER_UP = 1 << 26,
    MODIFIER_BFLY = 1 << 27,
    MODIFIER_ALL = 1 << 28,
    MODIFIER_EQ = 1 << 29,
    MODIFIER_F32 = 1 << 30,
};

#define MODIFIER_NARROW (MODIFIER_BYTE | MODIFIER_HALF)

enum machine_comparison {
    COMPARE_NONE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LTU, /* of floats: as these six, and true where one is no number */
    COMPARE_LEU,
    COMPARE_GTU,
    COMPARE_GEU,
    COMPARE_EQU,
    COMPARE_NEU,
    COMPARE_NUM,
    COMPARE_NAN,
};

struct machine_warp;
struct machine_instruction;

/* What an opcode does, for the lanes that execute it; branches move the warp's lanes themselves. */
typedef void (*machine_action)(struct machine_warp *warp, const struct machine_instruction *instruction);

struct machine_instruction {
    char opcode[20]; /* up to the first point */
    char words[48];  /* the modifiers behind it: ".E.U8." */
    machine_action action;
    bool is_control; /* it decides where lanes go on */
    unsigned modifiers;
    enum machine_comparison comparison;
    bool is_guarded, guard_is_uniform, guard_is_negated;
    int guard;             /* -1: PT */
    bool is_taken_unknown; /* a branch: taken where its condition is not known */
    bool is_bulk, is_copy; /* UBLKCP; LDGSTS */
    bool has_no_result;    /* a store, or a reduction in memory */
    int result_registers;  /* 1, 2 or 4 */
    uint32_t offset;
    size_t operand_count;
    struct operand operands[MACHINE_OPERANDS_MAX];
};

struct machine_code {
    struct machine_instruction *instructions;
    size_t count;
};

/* Whether the instruction has this modifier: "RSQ". */
bool machine_has_word(const struct machine_instruction *instruction, const char *word);

/* Reads the function's instructions, as sass_read (explain/compiled/sass.h) numbers them; `count` are the kernel's,
 * without padding. Their actions are machine_bind's
 * (explain/machine/actions.h). The caller frees `code->instructions`. */
enum status machine_code_read(const char *text, const char *function, size_t count, struct machine_code *code,
                              struct error *error);
