/* SASS as nvdisasm writes it, read into operands: what explain/machine/warp.h executes. */
#pragma once

#include "explain/compiled/sass_opcodes.h"

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

/* Modifiers behind the opcode's points, by name. Others have meanings of their own, or several: U and S from .U32,
 * .U64, .S32 and .S64, which are 64 as well, BYTE and HALF (two bytes) from .U8 and .U16, SIGNED ones from .S8 and
 * .S16. */
/* clang-format off */
#define NAMED_MODIFIERS(ROW) \
    ROW(X) ROW(EX) ROW(64) ROW(HI) ROW(WIDE) ROW(SX32) ROW(W) ROW(L) ROW(OR) ROW(XOR) ROW(SH) ROW(RP) ROW(ANY) \
    ROW(DIV) ROW(32) ROW(128) ROW(DOWN) ROW(UP) ROW(BFLY) ROW(ALL) ROW(F32) ROW(F64)
/* clang-format on */
#define OTHER_MODIFIERS(ROW) ROW(EQ) ROW(U) ROW(S) ROW(BYTE) ROW(HALF) ROW(SIGNED)
#define MODIFIER(name) MODIFIER_BIT_##name,
enum { NAMED_MODIFIERS(MODIFIER) OTHER_MODIFIERS(MODIFIER) };
#undef MODIFIER
#define MODIFIER(name) MODIFIER_##name = 1 << MODIFIER_BIT_##name,
enum modifier { NAMED_MODIFIERS(MODIFIER) OTHER_MODIFIERS(MODIFIER) };
#undef MODIFIER

#define MODIFIER_NARROW (MODIFIER_BYTE | MODIFIER_HALF)

/* Of two numbers: when a comparison is true, any of these. */
enum {
    COMPARE_LT = 1,
    COMPARE_EQ = 2,
    COMPARE_GT = 4,
    COMPARE_UNORDERED = 8, /* one of the two is a NaN */
};

struct machine_warp;
struct machine_instruction;

/* What an opcode does, for the lanes that execute it; branches move the warp's lanes themselves. */
typedef void (*machine_action)(struct machine_warp *warp, const struct machine_instruction *instruction);

struct machine_instruction {
    char opcode[20]; /* up to the first point */
    char words[48];  /* the modifiers behind it: ".E.U8." */
    struct sass_opcode kind;
    struct code_control control;
    int line; /* of the kernel's file; 0: unknown or of another file */
    machine_action action;
    bool is_control; /* it decides where lanes go on */
    unsigned modifiers;
    unsigned comparison;
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
    size_t functions; /* where those that the kernel calls begin; SIZE_MAX: there are none */
};

/* Whether the instruction has this modifier: "RSQ". */
bool machine_has_word(const struct machine_instruction *instruction, const char *word);

/* The instruction that its label names; SIZE_MAX: it has none, or that is unknown. */
size_t machine_target(const struct machine_instruction *instruction);

/* Reads one instruction, "@!P0 LDG.E.128 R4, desc[UR4][R2.64] ;", without what only its listing tells. */
void machine_instruction_read(const char *words, struct machine_instruction *instruction);

/* Reads the function from nvdisasm's listing, with lines of `file`. Code after the function's end (a branch to itself,
 * then only padding) is left out. The actions are machine_bind's (explain/machine/actions.h). The caller frees
 * `code->instructions`. STATUS_INVALID when the text has no such function. */
enum status machine_code_read(const char *text, const char *function, const char *file, struct machine_code *code,
                              struct error *error);
