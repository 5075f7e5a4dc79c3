#include "explain/machine/instruction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/sass_lines.h"

/* ---- modifiers ---- */

static unsigned modifier_of(const char *word, size_t length, enum machine_comparison *comparison)
{
    static const struct {
        const char *name;
        unsigned modifier;
        enum machine_comparison comparison;
    } rows[] = {
        {"X", MODIFIER_X, 0},
        {"EX", MODIFIER_EX, 0},
        {"U32", MODIFIER_U32 | MODIFIER_U, 0},
        {"64", MODIFIER_64, 0},
        {"U64", MODIFIER_64 | MODIFIER_U, 0},
        {"S64", MODIFIER_64 | MODIFIER_S, 0},
        {"S32", MODIFIER_S, 0},
        {"HI", MODIFIER_HI, 0},
        {"WIDE", MODIFIER_WIDE, 0},
        {"SX32", MODIFIER_SX32, 0},
        {"W", MODIFIER_W, 0},
        {"L", MODIFIER_L, 0},
        {"OR", MODIFIER_OR, 0},
        {"XOR", MODIFIER_XOR, 0},
        {"SH", MODIFIER_SH, 0},
        {"RP", MODIFIER_RP, 0},
        {"RCP", MODIFIER_RCP, 0},
        {"ANY", MODIFIER_ANY, 0},
        {"DIV", MODIFIER_DIV, 0},
        {"IDX", MODIFIER_IDX, 0},
        {"32", MODIFIER_32, 0},
        {"128", MODIFIER_128, 0},
        {"U8", MODIFIER_BYTE, 0},
        {"S8", MODIFIER_BYTE | MODIFIER_SIGNED, 0},
        {"U16", MODIFIER_HALF, 0},
        {"S16", MODIFIER_HALF | MODIFIER_SIGNED, 0},
        {"DOWN", MODIFIER_DOWN, 0},
        {"UP", MODIFIER_UP, 0},
        {"BFLY", MODIFIER_BFLY, 0},
        {"ALL", MODIFIER_ALL, 0},
        {"F32", MODIFIER_F32, 0},
        {"F64", MODIFIER_F64, 0},
        {"LT", 0, COMPARE_LT},
        {"LE", 0, COMPARE_LE},
        {"GT", 0, COMPARE_GT},
        {"GE", 0, COMPARE_GE},
        {"EQ", MODIFIER_EQ, COMPARE_EQ},
        {"NE", 0, COMPARE_NE},
        {"LTU", 0, COMPARE_LTU},
        {"LEU", 0, COMPARE_LEU},
        {"GTU", 0, COMPARE_GTU},
        {"GEU", 0, COMPARE_GEU},
        {"EQU", 0, COMPARE_EQU},
        {"NEU", 0, COMPARE_NEU},
        {"NUM", 0, COMPARE_NUM},
        {"NAN", 0, COMPARE_NAN},
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

/* ---- labels ---- */

struct label {
    const char *name;
    size_t length, at;
};

static void resolve(struct machine_instruction *instruction, const char *line, const struct label *labels, size_t count)
{
    const char *from = line ? strchr(line, '`') : NULL;
    for (size_t o = 0; from && o < instruction->operand_count; o++) {
        struct operand *operand = &instruction->operands[o];
        if (operand->kind != OPERAND_LABEL)
            continue;
        operand->value = SIZE_MAX;
        size_t length = strcspn(from + 2, ")");
        for (size_t l = 0; l < count; l++)
            if (labels[l].length == length && strncmp(labels[l].name, from + 2, length) == 0)
                operand->value = labels[l].at;
    }
}

struct listing {
    struct machine_code *code;
    const char **lines; /* the line of each instruction */
    struct label *labels;
    size_t label_count, capacity;
};

static void read_line(struct listing *listing, const char *line)
{
    const char *at = line + strspn(line, " \t");
    size_t length = strcspn(at, "\n");
    unsigned offset;
    const char *words = sass_words(at, &offset);
    bool is_label = length > 1 && at[length - 1] == ':' && (at[0] == '.' || at[0] == '$');
    if (words) {
        if (listing->code->count == listing->capacity)
            return;
        struct machine_instruction *made = &listing->code->instructions[listing->code->count];
        *made = (struct machine_instruction){.offset = offset, .guard = -1};
        listing->lines[listing->code->count++] = at;
        read_operands(read_opcode(read_guard(words, made), made), made);
        describe(made);
    } else if (is_label) {
        listing->labels[listing->label_count++] = (struct label){at, length - 1, listing->code->count};
    }
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; (text = strchr(text, '\n')) != NULL; text++)
        count++;
    return count;
}

enum status machine_code_read(const char *text, const char *function, size_t count, struct machine_code *code,
                              struct error *error)
{
    char start[128];
    *code = (struct machine_code){.count = 0};
    snprintf(start, sizeof start, "\n.text.%s:\n", function);
    const char *at = strstr(text, start);
    if (!at)
        return fail(error, STATUS_INVALID, "%s: nvdisasm does not list this kernel", function);
    struct listing listing = {.code = code, .capacity = count};
    code->instructions = calloc(count + 1, sizeof *code->instructions);
    listing.lines = calloc(count + 1, sizeof *listing.lines);
    listing.labels = calloc(count_lines(at) + 1, sizeof *listing.labels);
    enum status status = STATUS_OK;
    if (!code->instructions || !listing.lines || !listing.labels)
        status = fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", function);
    at += strlen(start);
    while (status == STATUS_OK && at && *at && strncmp(at, "//-----", 7) != 0 && strncmp(at, "\t.section", 9) != 0) {
        read_line(&listing, at);
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    for (size_t i = 0; status == STATUS_OK && i < code->count; i++)
        resolve(&code->instructions[i], listing.lines[i], listing.labels, listing.label_count);
    free(listing.lines);
    free(listing.labels);
    if (status != STATUS_OK) {
        free(code->instructions);
        *code = (struct machine_code){.count = 0};
    }
    return status;
}
