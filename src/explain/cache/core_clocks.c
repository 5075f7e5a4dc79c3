#include "explain/cache/core_clocks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/x86_lines.h"
#include "explain/compiled/x86_listing.h"

/* A current core, per clock: Zen 3's and Sunny Cove's figures lie within a third of these. */
#define ISSUE 6.0
#define LOADS 2.0
#define LOADS_SCALAR 3.0
#define STORES 1.0
#define FLOATS 2.0 /* multiply-adds and multiplications; additions have as many units of their own */
#define SHUFFLES 2.0
#define INTEGERS 4.0
#define VECTOR_INTEGERS 3.0
#define LOAD_CLOCKS 4
#define VECTOR_LOAD_CLOCKS 7
#define ROUNDS 24
#define LOOP_MOST 2048 /* instructions */

/* ---- units ---------------------------------------------------------------------------------------------------- */

struct units {
    double issue, loads, vector_loads, stores, floats, additions, shuffles, integers, vectors, special;
};

static bool is_addition(const char *words)
{
    const char *name = words[0] == 'v' ? words + 1 : words;
    return strncmp(name, "add", 3) == 0 || strncmp(name, "sub", 3) == 0 || strncmp(name, "min", 3) == 0 ||
           strncmp(name, "max", 3) == 0 || strncmp(name, "cvt", 3) == 0 || strncmp(name, "cmp", 3) == 0;
}

static bool is_fused_compare(const struct copied_instruction *instruction)
{
    return strncmp(instruction->words, "cmp", 3) == 0 || strncmp(instruction->words, "test", 4) == 0;
}

static void add_units(const struct copied_instruction *instruction, double times, struct units *units)
{
    struct explain_instruction what;
    struct x86_operand operand;
    int vector_bits;
    if (!x86_classify(instruction->words, &what, &vector_bits))
        return;
    bool is_vector = strstr(instruction->words, "mm") != NULL;
    bool has_memory = x86_operand_of(instruction->words, &operand) == X86_PLAIN && !operand.is_prefetch;
    units->issue += is_fused_compare(instruction) ? 0 : times;
    if (has_memory && operand.is_read)
        *(is_vector ? &units->vector_loads : &units->loads) += times;
    units->stores += has_memory && operand.is_written ? times : 0;
    switch (what.class) {
    case CODE_FMA:
    case CODE_FLOAT:
    case CODE_FP64:
    case CODE_CONVERT:
        *(is_addition(instruction->words) && what.class != CODE_FMA ? &units->additions : &units->floats) += times;
        break;
    case CODE_SHUFFLE:
        units->shuffles += times;
        break;
    case CODE_SPECIAL:
        units->special += 5 * times;
        break;
    case CODE_INTEGER:
        *(is_vector ? &units->vectors : &units->integers) += times;
        break;
    default:
        break;
    }
}

static double longest(const struct units *units)
{
    double memory = units->vector_loads / LOADS + units->loads / LOADS_SCALAR;
    double floats = fmax(units->floats / FLOATS, units->additions / FLOATS);
    double vectors = fmax(units->shuffles / SHUFFLES, units->vectors / VECTOR_INTEGERS);
    double rest = fmax(units->integers / INTEGERS, units->special);
    return fmax(fmax(fmax(units->issue / ISSUE, memory), fmax(units->stores / STORES, floats)), fmax(vectors, rest));
}

/* ---- dependence chains ---------------------------------------------------------------------------------------- */

enum { VECTORS = 16, REGISTERS = VECTORS + 32 };

/* The register's number for "%xmm3", "%ymm3", "%rax", "%eax", "%r8d" (`name` starts after the '%'); -1 for others. */
static int register_number(const char *name)
{
    static const char *const letters[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    if ((name[0] == 'x' || name[0] == 'y' || name[0] == 'z') && name[1] == 'm' && name[2] == 'm')
        return VECTORS + atoi(name + 3);
    if (name[0] == 'r' && isdigit((unsigned char)name[1]))
        return atoi(name + 1);
    if (name[0] == 'r' || name[0] == 'e')
        name++;
    for (size_t i = 0; i < COUNT_OF(letters); i++)
        if (strncmp(name, letters[i], 2) == 0)
            return (int)i;
    static const char low[] = "acdb";
    const char *found = name[0] && (name[1] == 'l' || name[1] == 'h') ? strchr(low, name[0]) : NULL;
    return found ? (int)(found - low) : -1;
}

/* An instruction's inputs, output and latency. */
struct step {
    int sources[4], addresses[3], target; /* register numbers; -1: none */
    double clocks;
    bool loads;
};

static double latency_of(const struct copied_instruction *instruction, const struct explain_instruction *what)
{
    const char *name = instruction->words;
    switch (what->class) {
    case CODE_FMA:
        return 4;
    case CODE_FP64:
        return strstr(name, "fm") || strstr(name, "fnm") ? 4 : strstr(name, "div") || strstr(name, "sqrt") ? 13 : 3;
    case CODE_FLOAT:
    case CODE_CONVERT:
        return 3;
    case CODE_SPECIAL:
        return 11;
    default:
        return strncmp(name, "imul", 4) == 0 ? 3 : 1;
    }
}

static bool reads_target(const char *words, const struct explain_instruction *what)
{
    if (words[0] == 'v')
        return what->class == CODE_FMA || strncmp(words, "vfm", 3) == 0 || strncmp(words, "vfn", 3) == 0;
    return what->class != CODE_MOVE && what->class != CODE_LOAD && what->class != CODE_CONVERT &&
           strncmp(words, "lea", 3) != 0 && strncmp(words, "set", 3) != 0 && strncmp(words, "pshuf", 5) != 0;
}

/* A zeroing idiom, such as xor of a register with itself, does not depend on the old value. */
static bool is_zeroing(const char *words, int first, int second)
{
    return first == second && (strstr(words, "xor") == words || strstr(words, "xor") == words + 1 ||
                               strstr(words, "pxor") || strncmp(words, "sub", 3) == 0);
}

static bool step_of(const struct copied_instruction *instruction, struct step *step)
{
    struct explain_instruction what;
    int vector_bits, sources = 0, addresses = 0, depth = 0;
    *step = (struct step){.sources = {-1, -1, -1, -1}, .addresses = {-1, -1, -1}, .target = -1};
    if (!x86_classify(instruction->words, &what, &vector_bits) || what.class == CODE_BRANCH)
        return false;
    size_t length = strcspn(instruction->words, "#<");
    for (size_t i = 0; i < length; i++) {
        char letter = instruction->words[i];
        depth += (letter == '(') - (letter == ')');
        step->loads |= letter == '(';
        if (letter != '%')
            continue;
        int number = register_number(instruction->words + i + 1);
        if (number < 0 || number >= REGISTERS)
            continue;
        if (depth > 0 && addresses < 3)
            step->addresses[addresses++] = number;
        else if (depth == 0 && sources < 4)
            step->sources[sources++] = number;
    }
    bool ends_in_memory = instruction->words[length > 0 ? length - 1 : 0] == ')' || what.class == CODE_STORE;
    bool compares = is_fused_compare(instruction) || strstr(instruction->words, "comis");
    step->clocks = latency_of(instruction, &what);
    if (strncmp(instruction->words, "lea", 3) == 0 || ends_in_memory)
        step->loads = false;
    if (sources > 0 && !ends_in_memory && !compares) {
        step->target = step->sources[sources - 1];
        if (!reads_target(instruction->words, &what))
            step->sources[sources - 1] = -1;
        if (sources >= 2 && is_zeroing(instruction->words, step->sources[0], step->target))
            step->sources[0] = step->sources[1] = -1;
    }
    return step->target >= 0;
}

static double play(const struct step *step, const double *ready)
{
    double start = 0, value = 0;
    for (int i = 0; i < 3; i++)
        if (step->addresses[i] >= 0)
            start = fmax(start, ready[step->addresses[i]]);
    if (step->loads)
        start += step->target >= VECTORS ? VECTOR_LOAD_CLOCKS : LOAD_CLOCKS;
    for (int i = 0; i < 4; i++)
        if (step->sources[i] >= 0)
            value = fmax(value, ready[step->sources[i]]);
    bool only_loads = step->loads && step->sources[0] < 0 && step->sources[1] < 0;
    return fmax(start, value) + (only_loads ? 0 : step->clocks);
}

double core_chain(const struct copied_instruction *instructions, const bool *is_executed, size_t count)
{
    struct step *steps = calloc(count + 1, sizeof *steps);
    double ready[REGISTERS] = {0}, half = 0, end = 0;
    size_t kept = 0;
    for (size_t i = 0; steps && i < count; i++)
        kept += is_executed[i] && step_of(&instructions[i], &steps[kept]);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < kept; i++) {
            ready[steps[i].target] = play(&steps[i], ready);
            end = fmax(end, ready[steps[i].target]);
        }
        half = round == ROUNDS / 2 - 1 ? end : half;
    }
    free(steps);
    return (end - half) / (ROUNDS - ROUNDS / 2);
}

/* ---- loops ---------------------------------------------------------------------------------------------------- */

struct core_loop {
    size_t first, last;
};

static size_t index_of(const struct code_copy *copy, uintptr_t address)
{
    size_t from = 0, to = copy->instruction_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (copy->instructions[middle].address < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* An innermost loop: a backward branch over executed code without another loop inside. */
static bool loop_at(const struct code_copy *copy, size_t last, struct core_loop *loop)
{
    uint64_t target;
    const struct copied_instruction *end = &copy->instructions[last];
    if (strncmp(end->words, "call", 4) == 0 || !x86_target(end->words, &target))
        return false;
    uintptr_t address = (uintptr_t)((int64_t)target + end->shift);
    *loop = (struct core_loop){.first = index_of(copy, address), .last = last};
    return address <= end->address && loop->first <= last && last - loop->first < LOOP_MOST &&
           copy->instructions[loop->first].address == address;
}

static double loop_clocks(const struct code_copy *copy, const struct core_loop *loop, const uint64_t *executed,
                          double *issued)
{
    bool is_executed[LOOP_MOST];
    struct units units = {0};
    double rounds = (double)executed[copy->instructions[loop->last].block];
    for (size_t i = loop->first; i <= loop->last; i++) {
        double times = (double)executed[copy->instructions[i].block];
        is_executed[i - loop->first] = times >= rounds / 2;
        add_units(&copy->instructions[i], times, &units);
    }
    *issued = longest(&units);
    return rounds * core_chain(&copy->instructions[loop->first], is_executed, loop->last - loop->first + 1);
}

double core_clocks(const struct code_copy *copy, const uint64_t *executed)
{
    double clocks = 0;
    size_t from = 0; /* first instruction after the last counted loop */
    for (size_t i = 0; i < copy->instruction_count; i++) {
        struct core_loop loop;
        double issued;
        if (executed[copy->instructions[i].block] == 0 || !loop_at(copy, i, &loop) || loop.first < from)
            continue;
        struct units before = {0};
        for (size_t k = from; k < loop.first; k++)
            add_units(&copy->instructions[k], (double)executed[copy->instructions[k].block], &before);
        double chained = loop_clocks(copy, &loop, executed, &issued);
        clocks += longest(&before) + fmax(issued, chained);
        from = i + 1;
    }
    struct units rest = {0};
    for (size_t k = from; k < copy->instruction_count; k++)
        add_units(&copy->instructions[k], (double)executed[copy->instructions[k].block], &rest);
    return clocks + longest(&rest);
}
