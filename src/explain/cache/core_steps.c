#include "explain/cache/core_steps.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/x86_lines.h"
#include "explain/compiled/x86_listing.h"

#define GATHERED_MOST 32 /* operations of a gather, at most */
#define FETCH_BYTES 64   /* of code, aligned, that one entry of the cache of decoded instructions is about */

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- registers ------------------------------------------------------------------------------------------------ */

/* The register's number for "%xmm3", "%ymm3", "%rax", "%eax", "%r8d" (`name` starts after the '%'); -1 for others. */
static int register_number(const char *name)
{
    static const char *const letters[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
    if ((name[0] == 'x' || name[0] == 'y' || name[0] == 'z') && name[1] == 'm' && name[2] == 'm')
        return CORE_VECTOR_REGISTERS + atoi(name + 3);
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

static bool is_compare(const char *words)
{
    return starts(words, "cmp") || starts(words, "test");
}

static bool sets_flags(const char *words, const struct explain_instruction *what)
{
    static const char *const names[] = {"add", "sub",  "and",  "or",     "xor",    "inc",     "dec",   "neg",   "shl",
                                        "shr", "sar",  "imul", "comis",  "bt",     "ucomis",  "ptest", "adc",   "sbb",
                                        "cmp", "test", "andn", "vcomis", "vptest", "vucomis", "tzcnt", "popcnt"};
    if (what->class == CODE_FLOAT || what->class == CODE_FP64)
        return strstr(words, "comis") != NULL;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (starts(words, names[i]))
            return true;
    return false;
}

static bool reads_flags(const char *words)
{
    return (words[0] == 'j' && !starts(words, "jmp")) || starts(words, "cmov") || starts(words, "set") ||
           starts(words, "adc") || starts(words, "sbb");
}

static bool reads_target(const char *words, const struct explain_instruction *what)
{
    if (words[0] == 'v')
        return what->class == CODE_FMA || starts(words, "vfm") || starts(words, "vfn");
    return (what->class != CODE_MOVE || starts(words, "cmov")) && what->class != CODE_LOAD &&
           (what->class != CODE_CONVERT || starts(words, "cvtsi2")) && !starts(words, "lea") && !starts(words, "set") &&
           !starts(words, "pshuf");
}

/* A zeroing idiom, such as xor of a register with itself, does not depend on the old value. */
static bool is_zeroing(const char *words, int first, int second)
{
    return first == second && (starts(words, "xor") || starts(words, "vxor") || strstr(words, "pxor") ||
                               (starts(words, "sub") && !starts(words, "subs")));
}

static void read_registers(const char *words, size_t length, const struct explain_instruction *what,
                           struct core_step *step)
{
    int sources = 0, addresses = 0, depth = 0;
    for (size_t i = 0; i < length; i++) {
        char letter = words[i];
        depth += (letter == '(') - (letter == ')');
        if (letter != '%')
            continue;
        int number = register_number(words + i + 1);
        if (number < 0 || number >= CORE_FLAGS)
            continue;
        if (depth > 0 && addresses < 3)
            step->addresses[addresses++] = (signed char)number;
        else if (depth == 0 && sources < 4)
            step->sources[sources++] = (signed char)number;
    }
    bool ends_in_memory = length > 0 && words[length - 1] == ')' && !starts(words, "lea");
    if (sources == 0 || ends_in_memory || is_compare(words) || strstr(words, "comis") || starts(words, "push") ||
        what->class == CODE_BRANCH)
        return;
    step->target = step->sources[sources - 1];
    if (!reads_target(words, what) && (words[0] == 'v' || sources > 1 || step->loads || step->addresses[0] >= 0 ||
                                       starts(words, "pop") || starts(words, "set")))
        step->sources[sources - 1] = -1;
    if (sources >= 2 && is_zeroing(words, step->sources[0], step->target))
        step->sources[0] = step->sources[1] = -1;
}

/* ---- units ---------------------------------------------------------------------------------------------------- */

static bool is_addition(const char *words)
{
    static const char *const names[] = {"add", "sub", "min", "max", "cmp", "hadd", "ucomis", "comis"};
    const char *name = words[0] == 'v' ? words + 1 : words;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (starts(name, names[i]))
            return true;
    return false;
}

/* An operation on its unit: one of `rate` a clock. */
static void set_unit(struct core_step *step, enum core_unit unit, double rate, double clocks)
{
    step->unit = unit;
    step->busy = (float)(1 / rate);
    step->clocks = (float)clocks;
}

static void set_float(const char *words, const struct cpu_core *core, struct core_step *step)
{
    bool is_sum = is_addition(words);
    if (is_sum && core->units.additions > 0)
        set_unit(step, CORE_ADDITIONS, core->units.additions, core->clocks.addition);
    else
        set_unit(step, CORE_FLOATS, core->units.floats, is_sum ? core->clocks.addition : core->clocks.multiplication);
}

/* Zen 3's and Ice Lake's dividers take about this long (LLVM's models of both); the unit is free again after half. */
static void set_division(const char *words, struct core_step *step)
{
    bool is_float = strstr(words, "%xmm") || strstr(words, "%ymm");
    bool is_double = strstr(words, "sd ") || strstr(words, "pd ");
    set_unit(step, CORE_DIVIDER, is_float ? is_double ? 0.2 : 0.3 : 0.15, is_float ? is_double ? 14 : 11 : 14);
}

static void set_conversion(const char *words, const struct cpu_core *core, struct core_step *step)
{
    const char *general = strstr(words, "%r") ? strstr(words, "%r") : strstr(words, "%e");
    bool crosses = general && strstr(words, "cvt") && (!strchr(words, '(') || general < strchr(words, '('));
    if (!crosses) {
        set_unit(step, CORE_SHUFFLES, core->units.shuffles, core->clocks.addition);
        return;
    }
    set_unit(step, CORE_CONVERTER, core->units.conversions, core->clocks.conversion);
    step->operations = 2;
}

static void set_integer(const char *words, const struct cpu_core *core, struct core_step *step)
{
    if (step->is_vector)
        set_unit(step, CORE_VECTORS, core->units.vectors, strstr(words, "mul") ? core->clocks.multiplication : 1);
    else
        set_unit(step, CORE_INTEGERS, core->units.integers, starts(words, "imul") || starts(words, "mul") ? 3 : 1);
    if (starts(words, "imul") || starts(words, "mul"))
        step->busy = 1;
}

/* Within 128 bits a shuffle takes a clock. Beyond, it takes both units; permutations by a vector take longest. */
static void set_shuffle(const char *words, const struct cpu_core *core, struct core_step *step)
{
    static const char *const within[] = {"vpermil", "vperm2", "vpermi"};
    bool crosses = strstr(words, "128") != NULL, permutes = starts(words, "vperm");
    for (size_t i = 0; i < COUNT_OF(within); i++)
        permutes &= !starts(words, within[i]);
    if (permutes)
        set_unit(step, CORE_SHUFFLES, 1, core->clocks.crossing);
    else
        set_unit(step, CORE_SHUFFLES, crosses ? 1 : core->units.shuffles, crosses ? 3 : 1);
}

/* A gather is a load for each of its elements. Where it is microcode, nothing else is issued meanwhile. */
static void set_gather(const char *words, const struct cpu_core *core, struct core_step *step)
{
    unsigned bits = strstr(words, "%zmm") ? 512 : strstr(words, "%ymm") ? 256 : 128;
    unsigned element = strstr(words, "pd ") || strstr(words, "q ") ? 64 : 32;
    double clocks = core->clocks.gathered * bits / element;
    set_unit(step, CORE_SHUFFLES, 1 / clocks, clocks + core->clocks.vector_load);
    step->operations = (float)fmin(clocks * core->issue / 2, GATHERED_MOST);
}

static void set_store(const char *words, const struct cpu_core *core, struct core_step *step)
{
    bool is_masked = starts(words, "vpmaskmov") || starts(words, "vmaskmov");
    step->stored = (float)(is_masked ? core->clocks.masked
                                     : 1 / (step->is_vector ? core->units.vector_stores : core->units.stores));
}

static void choose_unit(const char *words, const struct explain_instruction *what, const struct cpu_core *core,
                        struct core_step *step)
{
    bool divides = strstr(words, "div") || strstr(words, "sqrt");
    bool is_like_fma =
        what->class == CODE_FMA || what->class == CODE_SPECIAL || starts(words, "vfm") || starts(words, "vfnm");
    if (strstr(words, "gather"))
        set_gather(words, core, step);
    else if (divides && what->class != CODE_BRANCH)
        set_division(words, step);
    else if (is_like_fma)
        set_unit(step, CORE_FLOATS, core->units.floats, core->clocks.fma);
    else if (what->class == CODE_CONVERT || strstr(words, "cvt"))
        set_conversion(words, core, step);
    else if (what->class == CODE_FLOAT || what->class == CODE_FP64)
        set_float(words, core, step);
    else if (what->class == CODE_SHUFFLE)
        set_shuffle(words, core, step);
    else if (what->class == CODE_BRANCH)
        set_unit(step, CORE_BRANCHES, 2, 1);
    else if (what->class == CODE_ATOMIC)
        set_unit(step, CORE_DIVIDER, 0.06, 17); /* the store has to be done first */
    else if (what->class == CODE_INTEGER || starts(words, "cmov") || starts(words, "set") || starts(words, "lea"))
        set_integer(words, core, step);
    else if (what->class == CODE_MOVE && strstr(words, "mm") && (strstr(words, "%r") || strstr(words, "%e")))
        set_unit(step, CORE_SHUFFLES, 1, core->clocks.addition);
}

/* ---- an instruction ------------------------------------------------------------------------------------------- */

bool core_step_of(const char *words, const struct cpu_core *core, struct core_step *step)
{
    struct explain_instruction what;
    struct x86_operand operand;
    int vector_bits;
    *step = (struct core_step){
        .sources = {-1, -1, -1, -1, -1}, .addresses = {-1, -1, -1}, .target = -1, .unit = CORE_UNITS, .operations = 1};
    if (starts(words, "bnd "))
        words += 4;
    if (!x86_classify(words, &what, &vector_bits))
        return false;
    size_t length = strcspn(words, "#<\n");
    while (length > 0 && words[length - 1] == ' ')
        length--;
    enum x86_memory memory = x86_operand_of(words, &operand);
    bool has_memory = memory == X86_PLAIN && !operand.is_prefetch;
    step->is_vector = memmem(words, length, "mm", 2) != NULL;
    step->loads = (has_memory && operand.is_read) || starts(words, "pop") || starts(words, "ret");
    step->stores = (has_memory && operand.is_written) || starts(words, "push") || starts(words, "call");
    step->bytes = has_memory ? operand.bytes : 8;
    step->sets_flags = sets_flags(words, &what);
    step->is_fused = is_compare(words);
    step->flow = CORE_NEXT;
    read_registers(words, length, &what, step);
    choose_unit(words, &what, core, step);
    set_store(words, core, step);
    if (reads_flags(words))
        step->sources[4] = CORE_FLAGS;
    return true;
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

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
    return from < copy->instruction_count && copy->instructions[from].address == address ? from
                                                                                         : copy->instruction_count;
}

static void set_flow(const struct code_copy *copy, size_t index, struct core_step *step)
{
    const struct copied_instruction *instruction = &copy->instructions[index];
    const char *words = instruction->words;
    if (starts(words, "bnd ") || starts(words, "notrack "))
        words = strchr(words, ' ') + 1;
    bool is_call = starts(words, "call"), is_jump = words[0] == 'j';
    uint64_t target;
    step->to = index + 1;
    if (starts(words, "ret"))
        step->flow = CORE_RETURN;
    if (!is_call && !is_jump)
        return;
    if (!x86_target(words, &target)) {
        step->flow = CORE_UNKNOWN;
        return;
    }
    size_t to = index_of(copy, (uintptr_t)((int64_t)target + instruction->shift));
    bool is_inside = to < copy->instruction_count, is_plain = starts(words, "jmp");
    step->to = is_inside ? to : index + 1;
    step->flow = is_call ? is_inside ? CORE_CALL : CORE_LIBRARY : is_plain ? CORE_JUMP : CORE_EITHER;
    if (is_plain && !is_inside)
        step->flow = CORE_RETURN; /* a tail call of another library's function */
}

/* A call of libm: a jump, a few instructions on the first two vector registers, a return. */
static void set_library(const struct cpu_core *core, struct core_step *step)
{
    step->sources[0] = CORE_VECTOR_REGISTERS;
    step->sources[1] = CORE_VECTOR_REGISTERS + 1;
    step->target = CORE_VECTOR_REGISTERS;
    step->clocks = (float)core->clocks.fma;
    step->operations = 8;
}

struct core_step *core_steps_make(const struct code_copy *copy, const struct cpu_core *core)
{
    struct core_step *steps = calloc(copy->instruction_count + 1, sizeof *steps);
    for (size_t i = 0; steps && i < copy->instruction_count; i++) {
        if (!core_step_of(copy->instructions[i].words, core, &steps[i]))
            steps[i].operations = 0;
        steps[i].fetched = copy->instructions[i].address / FETCH_BYTES;
        set_flow(copy, i, &steps[i]);
        if (steps[i].flow == CORE_LIBRARY)
            set_library(core, &steps[i]);
    }
    for (size_t i = 0; steps && i < copy->access_count; i++)
        steps[copy->accesses[i].instruction].has_record = true;
    return steps;
}
