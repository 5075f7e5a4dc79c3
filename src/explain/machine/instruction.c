#include "explain/machine/instruction.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/size.h"
#include "explain/compiled/sass_opcodes.h"

/* ---- modifiers ---- */

static unsigned modifier_of(const char *word, size_t length, unsigned *comparison)
{
    static const struct {
        const char *name;
        unsigned modifier;
        unsigned comparison;
    } rows[] = {
#define MODIFIER(name) {#name, MODIFIER_##name, 0},
        NAMED_MODIFIERS(MODIFIER)
#undef MODIFIER
            {"U32", MODIFIER_U, 0},
        {"U64", MODIFIER_64 | MODIFIER_U, 0},
        {"S64", MODIFIER_64 | MODIFIER_S, 0},
        {"S32", MODIFIER_S, 0},
        {"U8", MODIFIER_BYTE, 0},
        {"S8", MODIFIER_BYTE | MODIFIER_SIGNED, 0},
        {"U16", MODIFIER_HALF, 0},
        {"S16", MODIFIER_HALF | MODIFIER_SIGNED, 0},
        {"LT", 0, COMPARE_LT},
        {"LE", 0, COMPARE_LT | COMPARE_EQ},
        {"GT", 0, COMPARE_GT},
        {"GE", 0, COMPARE_GT | COMPARE_EQ},
        {"EQ", MODIFIER_EQ, COMPARE_EQ},
        {"NE", 0, COMPARE_LT | COMPARE_GT},
        {"LTU", 0, COMPARE_LT | COMPARE_UNORDERED},
        {"LEU", 0, COMPARE_LT | COMPARE_EQ | COMPARE_UNORDERED},
        {"GTU", 0, COMPARE_GT | COMPARE_UNORDERED},
        {"GEU", 0, COMPARE_GT | COMPARE_EQ | COMPARE_UNORDERED},
        {"EQU", 0, COMPARE_EQ | COMPARE_UNORDERED},
        {"NEU", 0, COMPARE_LT | COMPARE_GT | COMPARE_UNORDERED},
        {"NUM", 0, COMPARE_LT | COMPARE_EQ | COMPARE_GT},
        {"NAN", 0, COMPARE_UNORDERED},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, word, length) == 0) {
            if (rows[i].comparison)
                *comparison = rows[i].comparison;
            return rows[i].modifier;
        }
    return 0;
}

bool machine_has_word(const struct machine_instruction *instruction, const char *word)
{
    char wanted[24];
    snprintf(wanted, sizeof wanted, ".%s.", word);
    return strstr(instruction->words, wanted) != NULL;
}

static const char *read_opcode(const char *at, struct machine_instruction *instruction)
{
    size_t length = strcspn(at, ". ;\n");
    snprintf(instruction->opcode, sizeof instruction->opcode, "%.*s", (int)length, at);
    snprintf(instruction->words, sizeof instruction->words, "%.*s.", (int)strcspn(at + length, " ;\n"), at + length);
    for (at += length; *at == '.'; at += length) {
        at++;
        length = strcspn(at, ". ;\n");
        instruction->modifiers |= modifier_of(at, length, &instruction->comparison);
    }
    return at;
}

/* Worked out once: it is asked at every execution. */
static void describe(struct machine_instruction *instruction)
{
    const char *opcode = instruction->opcode;
    instruction->kind = sass_opcode(opcode);
    bool is_matrix = strcmp(opcode, "LDSM") == 0 || strcmp(opcode, "HMMA") == 0;
    bool is_double = opcode[0] == 'D' || instruction->modifiers & (MODIFIER_64 | MODIFIER_F64);
    instruction->result_registers = instruction->modifiers & MODIFIER_128 || is_matrix ? 4 : is_double ? 2 : 1;
    instruction->has_no_result =
        strncmp(opcode, "ST", 2) == 0 || (strncmp(opcode, "RED", 3) == 0 && strcmp(opcode, "REDUX") != 0);
    instruction->is_bulk = strncmp(opcode, "UBLKCP", 6) == 0;
    instruction->is_copy = strncmp(opcode, "LDGSTS", 6) == 0;
}

/* ---- operands ---- */

static int register_number(const char *digits)
{
    return *digits == 'Z' || *digits == 'T' ? -1 : (int)strtol(digits, NULL, 10);
}

/* Parses "R12", "URZ", "P0", "UPT"; false for other texts. */
static bool read_register(const char *at, struct operand *operand)
{
    bool is_uniform = at[0] == 'U';
    const char *name = at + is_uniform;
    if ((name[0] != 'R' && name[0] != 'P') || !strchr("0123456789ZT", name[1]) || name[1] == '\0')
        return false;
    bool is_predicate = name[0] == 'P';
    operand->kind = is_predicate ? is_uniform ? OPERAND_UNIFORM_PREDICATE : OPERAND_PREDICATE
                    : is_uniform ? OPERAND_UNIFORM
                                 : OPERAND_REGISTER;
    operand->number = register_number(name + 1);
    return true;
}

static void read_special(const char *at, struct operand *operand)
{
    static const struct {
        const char *name;
        enum special_register which;
    } rows[] = {
        {"SRZ", SPECIAL_ZERO},
        {"SR_TID.X", SPECIAL_ITEM},
        {"SR_TID.Y", SPECIAL_ITEM + 1},
        {"SR_TID.Z", SPECIAL_ITEM + 2},
        {"SR_CTAID.X", SPECIAL_GROUP},
        {"SR_CTAID.Y", SPECIAL_GROUP + 1},
        {"SR_CTAID.Z", SPECIAL_GROUP + 2},
        {"SR_LANEID", SPECIAL_LANE},
        {"SR_LTMASK", SPECIAL_LANES_BELOW},
        {"SR_LEMASK", SPECIAL_LANES_TO},
        {"SR_GEMASK", SPECIAL_LANES_FROM},
        {"SR_GTMASK", SPECIAL_LANES_ABOVE},
        {"SR_CgaCtaId", SPECIAL_ZERO},
        {"SR_SWINHI", SPECIAL_ZERO}, /* of generic addresses of shared memory, above 32 bits */
    };
    operand->kind = OPERAND_SPECIAL;
    operand->value = SPECIAL_UNKNOWN;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strncmp(at, rows[i].name, strlen(rows[i].name)) == 0 && strcspn(at, " ,;") == strlen(rows[i].name))
            operand->value = rows[i].which;
}

/* Between brackets: registers, one of them possibly uniform, and a number, separated by +. */
static void read_sum(const char *at, struct operand *operand)
{
    while (*at && *at != ']') {
        struct operand part = {.kind = OPERAND_NONE};
        bool is_negative = *at == '-';
        at += is_negative;
        if (read_register(at, &part)) {
            if (part.kind == OPERAND_UNIFORM)
                operand->uniform = part.number;
            else
                operand->base = part.number;
            if (part.kind == OPERAND_REGISTER && strncmp(at + strspn(at, "RUZ0123456789"), ".64", 3) == 0)
                operand->is_wide = true;
        } else {
            uint64_t number = strtoull(at, NULL, 0);
            operand->value += is_negative ? 0 - number : number;
        }
        at += strcspn(at, "+]");
        at += *at == '+';
    }
}

static void read_operand(const char *at, struct operand *operand)
{
    *operand = (struct operand){.kind = OPERAND_NONE, .base = -1, .uniform = -1};
    for (; strchr("-~|!", *at) && *at; at++) {
        if (*at == '-' && at[1] == '0')
            break; /* the sign of a number */
        operand->negated |= *at == '-';
        operand->inverted |= *at == '~' || *at == '!';
        operand->absolute |= *at == '|';
    }
    if (strncmp(at, "c[", 2) == 0) {
        const char *second = strstr(at, "][");
        operand->kind = OPERAND_CONSTANT;
        operand->number = (int)strtol(at + 2, NULL, 0);
        if (second)
            read_sum(second + 2, operand);
    } else if (*at == '[' || strncmp(at, "desc[", 5) == 0) {
        const char *bracket = *at == '[' ? at : strstr(at, "][");
        operand->kind = OPERAND_ADDRESS;
        read_sum(bracket ? bracket + 1 + (*bracket == ']') : at + 1, operand);
    } else if (*at == '`') {
        operand->kind = OPERAND_LABEL;
        operand->value = (uintptr_t)at + 2; /* the name, until it is resolved */
    } else if (*at == 'B' && at[1] >= '0' && at[1] <= '9') {
        operand->kind = OPERAND_BARRIER;
        operand->number = (int)strtol(at + 1, NULL, 10);
    } else if (strncmp(at, "SR", 2) == 0) {
        read_special(at, operand);
    } else if (!read_register(at, operand) && strchr("-0123456789+I", *at)) {
        operand->kind = OPERAND_NUMBER;
        operand->value = *at == '-' ? 0 - strtoull(at + 1, NULL, 0) : strtoull(at, NULL, 0);
        operand->is_real = strncmp(at + (*at == '-'), "0x", 2) != 0;
        operand->real = operand->is_real ? strtod(at, NULL) : 0;
    }
}

static void read_operands(const char *at, struct machine_instruction *instruction)
{
    at += strspn(at, " ");
    while (*at && *at != ';' && *at != '\n' && instruction->operand_count < MACHINE_OPERANDS_MAX) {
        read_operand(at, &instruction->operands[instruction->operand_count++]);
        at += strcspn(at, ",;\n");
        at += strspn(at, ", ");
    }
}

/* "@!P0", "@UP1". */
static const char *read_guard(const char *at, struct machine_instruction *instruction)
{
    at += strspn(at, " \t{");
    if (*at != '@')
        return at;
    struct operand guard = {.kind = OPERAND_NONE};
    instruction->is_guarded = true;
    instruction->guard_is_negated = *++at == '!';
    read_register(at + instruction->guard_is_negated, &guard);
    instruction->guard = guard.number;
    instruction->guard_is_uniform = guard.kind == OPERAND_UNIFORM_PREDICATE;
    at += strcspn(at, " ");
    return at + strspn(at, " ");
}

void machine_instruction_read(const char *words, struct machine_instruction *instruction)
{
    *instruction = (struct machine_instruction){.guard = -1};
    read_operands(read_opcode(read_guard(words, instruction), instruction), instruction);
    describe(instruction);
}

size_t machine_target(const struct machine_instruction *instruction)
{
    for (size_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_LABEL)
            return instruction->operands[i].value;
    return SIZE_MAX;
}

/* ---- a listing ---- */

struct label {
    const char *name;
    size_t length, at;
};

struct listing {
    const char *file;
    struct machine_code *code;
    struct label *labels;
    size_t label_count;
    int line;           /* source line of the next instructions */
    bool line_is_known; /* set by the first comment before an instruction that names the file */
    bool in_comments, has_no_memory;
};

/* '//## File "kernels/x/y.cl", line 12 inlined at "…", line 3': of several locations, the first in the kernel's
 * file. */
static void read_comment(struct listing *listing, const char *text)
{
    static const char line_word[] = "\", line ";
    if (!listing->in_comments) {
        listing->in_comments = true;
        listing->line_is_known = false;
        listing->line = 0;
    }
    const char *end = strchr(text, '\n');
    for (const char *at = text; !listing->line_is_known && (at = strchr(at, '"')) != NULL && (!end || at < end);) {
        const char *name = ++at, *close = strchr(name, '"');
        if (!close)
            return;
        size_t length = (size_t)(close - name), wanted = strlen(listing->file);
        bool is_it = length >= wanted && strncmp(close - wanted, listing->file, wanted) == 0 &&
                     (length == wanted || close[-(ptrdiff_t)wanted - 1] == '/');
        if (is_it && strncmp(close, line_word, sizeof line_word - 1) == 0) {
            listing->line = (int)strtol(close + sizeof line_word - 1, NULL, 10);
            listing->line_is_known = true;
        }
        at = close + 1;
    }
}

/* Of a line that begins with an offset, as a comment: where the instruction's words begin; NULL for any other line.
 * (sscanf would look for the end of the whole listing each time.) */
static const char *words_of(const char *line, uint32_t *offset)
{
    char *end;
    if (strncmp(line, "/*", 2) != 0 || !isxdigit((unsigned char)line[2]))
        return NULL;
    *offset = (uint32_t)strtoul(line + 2, &end, 16);
    return strncmp(end, "*/", 2) == 0 ? end + 2 : NULL;
}

static void add_instruction(struct listing *listing, const char *words, uint32_t offset)
{
    struct machine_code *code = listing->code;
    listing->in_comments = false;
    if (!array_grow(&code->instructions, code->count, sizeof *code->instructions)) {
        listing->has_no_memory = true;
        return;
    }
    struct machine_instruction *made = &code->instructions[code->count++];
    machine_instruction_read(words, made);
    made->offset = offset;
    made->line = listing->line;
}

static void add_label(struct listing *listing, const char *name, size_t length)
{
    if (*name == '$' && listing->code->functions == SIZE_MAX)
        listing->code->functions = listing->code->count;
    if (array_grow(&listing->labels, listing->label_count, sizeof *listing->labels))
        listing->labels[listing->label_count++] = (struct label){name, length, listing->code->count};
    else
        listing->has_no_memory = true;
}

static void read_line(struct listing *listing, const char *line)
{
    const char *at = line + strspn(line, " \t"), *words;
    struct machine_code *code = listing->code;
    size_t length = strcspn(at, "\n");
    uint32_t offset;
    if (strncmp(at, "//##", 4) == 0)
        read_comment(listing, at);
    else if (strncmp(at, "/* 0x", 5) == 0 && code->count > 0)
        code->instructions[code->count - 1].control = sass_control(strtoull(at + 5, NULL, 16));
    else if ((words = words_of(at, &offset)) != NULL)
        add_instruction(listing, words, offset);
    else if (length > 1 && at[length - 1] == ':' && (at[0] == '.' || at[0] == '$'))
        add_label(listing, at, length - 1);
}

static size_t find_label(const struct listing *listing, const char *name)
{
    const size_t length = strcspn(name, ")\n");
    for (size_t l = 0; l < listing->label_count; l++)
        if (listing->labels[l].length == length && strncmp(listing->labels[l].name, name, length) == 0)
            return listing->labels[l].at;
    return SIZE_MAX;
}

/* The code ends with a branch to itself, followed by padding. */
static void resolve(struct listing *listing)
{
    struct machine_code *code = listing->code;
    for (size_t i = 0; i < code->count; i++)
        for (size_t o = 0; o < code->instructions[i].operand_count; o++) {
            struct operand *operand = &code->instructions[i].operands[o];
            if (operand->kind == OPERAND_LABEL)
                operand->value = find_label(listing, (const char *)(uintptr_t)operand->value);
        }
    for (size_t i = code->count; i-- > 0;)
        if (strcmp(code->instructions[i].opcode, "BRA") == 0 && machine_target(&code->instructions[i]) == i) {
            code->count = i;
            return;
        }
}

enum status machine_code_read(const char *text, const char *function, const char *file, struct machine_code *code,
                              struct error *error)
{
    char start[128];
    struct listing listing = {.file = file, .code = code};
    *code = (struct machine_code){.functions = SIZE_MAX};
    snprintf(start, sizeof start, "\n.text.%s:\n", function);
    const char *at = strstr(text, start);
    if (!at)
        return fail(error, STATUS_INVALID, "%s: nvdisasm does not list this kernel", function);
    at += strlen(start);
    while (at && *at && strncmp(at, "//-----", 7) != 0 && strncmp(at, "\t.section", 9) != 0) {
        read_line(&listing, at);
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    resolve(&listing);
    free(listing.labels);
    if (!listing.has_no_memory)
        return STATUS_OK;
    free(code->instructions);
    *code = (struct machine_code){.count = 0};
    return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function);
}
