#include "explain/cache/core_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"

#define GATHERED_MOST 32 /* operations of a gather, at most */
#define FETCH_BYTES 64   /* of code, aligned, that one entry of the cache of decoded instructions is about */

static bool starts(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* ---- registers ------------------------------------------------------------------------------------------------ */

/* The register's number in the core; -1: not followed (flags, masks, %rip). */
static int number_of(ZydisRegister name)
{
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
    ZydisRegisterClass class = ZydisRegisterGetClass(whole);
    const int number = (unsigned char)ZydisRegisterGetId(whole); /* of these classes none is negative */
    return class == ZYDIS_REGCLASS_GPR64 ? number : class == ZYDIS_REGCLASS_ZMM ? CORE_VECTOR_REGISTERS + number : -1;
}

/* The stack's pointer moves without an instruction of its own in pushes, pops and calls. */
static bool is_followed(const ZydisDecodedOperand *operand)
{
    return operand->visibility != ZYDIS_OPERAND_VISIBILITY_HIDDEN ||
           (operand->type == ZYDIS_OPERAND_TYPE_REGISTER && operand->reg.value != ZYDIS_REGISTER_RSP);
}

/* What AVX's v ended: an operation on one number keeps the rest of its register, and so waits for it. */
static bool keeps_rest(const struct x86_instruction *one, const struct explain_instruction *what)
{
    return one->name == one->base_name && x86_is_scalar(one) &&
           (what->class == CODE_SPECIAL || what->class == CODE_CONVERT || strncmp(one->name, "round", 5) == 0);
}

/* A zeroing idiom, such as xor of a register with itself, does not depend on the old value. */
static bool is_zeroing(const struct x86_instruction *one, const struct core_step *step, int sources)
{
    bool is_difference = one->code.mnemonic == ZYDIS_MNEMONIC_SUB;
    return sources == 2 && step->sources[0] == step->sources[1] &&
           (is_difference || starts(one->base_name, "xor") || starts(one->base_name, "pxor"));
}

/* Its elements arrive one by one: what was in the target is not waited for. */
static bool gathers(const struct x86_instruction *one)
{
    return strstr(one->base_name, "gather") != NULL;
}

static void read_registers(const struct x86_instruction *one, const struct explain_instruction *what,
                           struct core_step *step)
{
    int sources = 0, addresses = 0;
    for (unsigned i = 0; i < one->code.operand_count; i++) {
        const ZydisDecodedOperand *operand = &one->operands[i];
        const bool is_memory = operand->type == ZYDIS_OPERAND_TYPE_MEMORY;
        if (!is_followed(operand) || (!is_memory && operand->type != ZYDIS_OPERAND_TYPE_REGISTER))
            continue;
        if (is_memory) {
            const int parts[] = {number_of(operand->mem.base), number_of(operand->mem.index)};
            for (int p = 0; p < 2; p++)
                if (parts[p] >= 0 && addresses < (int)COUNT_OF(step->addresses))
                    step->addresses[addresses++] = (signed char)parts[p];
            continue;
        }
        const int number = number_of(operand->reg.value);
        const bool is_kept = (operand->actions & ZYDIS_OPERAND_ACTION_CONDWRITE) || keeps_rest(one, what);
        const bool is_read = (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ) || is_kept;
        if (number < 0)
            continue;
        if (is_read && !(i == 0 && gathers(one)) && sources < 4)
            step->sources[sources++] = (signed char)number;
        if ((operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && step->target < 0 && what->class != CODE_BRANCH)
            step->target = (signed char)number;
    }
    if (is_zeroing(one, step, sources))
        step->sources[0] = step->sources[1] = -1;
}

static const ZydisAccessedFlagsMask flags =
    ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

static void read_flags(const struct x86_instruction *one, struct core_step *step)
{
    const ZydisAccessedFlags *accessed = one->code.cpu_flags;
    if (!accessed)
        return;
    step->sets_flags = ((accessed->modified | accessed->set_0 | accessed->set_1) & flags) != 0;
    if (accessed->tested & flags)
        step->sources[4] = CORE_FLAGS;
}

/* ---- units ---------------------------------------------------------------------------------------------------- */

static bool is_addition(const char *name)
{
    static const char *const names[] = {"add", "sub", "min", "max", "cmp", "hadd", "ucomis", "comis"};
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

static void set_float(const char *name, const struct cpu_core *core, struct core_step *step)
{
    bool is_sum = is_addition(name);
    if (is_sum && core->units.additions > 0)
        set_unit(step, CORE_ADDITIONS, core->units.additions, core->clocks.addition);
    else
        set_unit(step, CORE_FLOATS, core->units.floats, is_sum ? core->clocks.addition : core->clocks.multiplication);
}

/* Zen 3's and Ice Lake's dividers take about this long (LLVM's models of both); the unit is free again after half. */
static void set_division(const char *name, struct core_step *step)
{
    bool is_double = strstr(name, "sd") || strstr(name, "pd");
    set_unit(step, CORE_DIVIDER, step->is_vector ? is_double ? 0.2 : 0.3 : 0.15,
             step->is_vector ? is_double ? 14 : 11 : 14);
}

static void set_conversion(const struct x86_instruction *one, const struct cpu_core *core, struct core_step *step)
{
    if (!starts(one->base_name, "cvt") || !x86_has_general(one)) {
        set_unit(step, CORE_SHUFFLES, core->units.shuffles, core->clocks.addition);
        return;
    }
    set_unit(step, CORE_CONVERTER, core->units.conversions, core->clocks.conversion);
    step->operations = 2;
}

static void set_integer(const char *name, const struct cpu_core *core, struct core_step *step)
{
    bool multiplies = starts(name, "imul") || starts(name, "mul");
    if (step->is_vector)
        set_unit(step, CORE_VECTORS, core->units.vectors, strstr(name, "mul") ? core->clocks.multiplication : 1);
    else
        set_unit(step, CORE_INTEGERS, core->units.integers, multiplies ? 3 : 1);
    if (multiplies)
        step->busy = 1;
}

/* Within 128 bits a shuffle takes a clock. Beyond, it takes both units; permutations by a vector take longest. */
static void set_shuffle(const char *name, const struct cpu_core *core, struct core_step *step)
{
    static const char *const within[] = {"permil", "perm2", "permi"};
    bool crosses = strstr(name, "128") != NULL, permutes = starts(name, "perm");
    for (size_t i = 0; i < COUNT_OF(within); i++)
        permutes &= !starts(name, within[i]);
    if (permutes)
        set_unit(step, CORE_SHUFFLES, 1, core->clocks.crossing);
    else
        set_unit(step, CORE_SHUFFLES, crosses ? 1 : core->units.shuffles, crosses ? 3 : 1);
}

/* A gather is a load for each of its elements. Where it is microcode, nothing else is issued meanwhile. */
static void set_gather(const struct x86_instruction *one, const struct cpu_core *core, struct core_step *step)
{
    double clocks = core->clocks.gathered * x86_vector_bits(one) / one->operands[0].element_size;
    set_unit(step, CORE_SHUFFLES, 1 / clocks, clocks + core->clocks.vector_load);
    step->operations = (float)fmin(clocks * core->issue / 2, GATHERED_MOST);
}

static void set_store(const char *name, const struct cpu_core *core, struct core_step *step)
{
    bool is_masked = starts(name, "pmaskmov") || starts(name, "maskmov");
    step->stored = (float)(is_masked ? core->clocks.masked
                                     : 1 / (step->is_vector ? core->units.vector_stores : core->units.stores));
}

static void choose_unit(const struct x86_instruction *one, const struct explain_instruction *what,
                        const struct cpu_core *core, struct core_step *step)
{
    const char *name = one->base_name;
    bool divides = strstr(name, "div") || strstr(name, "sqrt");
    if (gathers(one))
        set_gather(one, core, step);
    else if (divides)
        set_division(name, step);
    else if (what->class == CODE_FMA || what->class == CODE_SPECIAL || starts(name, "fm") || starts(name, "fnm"))
        set_unit(step, CORE_FLOATS, core->units.floats, core->clocks.fma);
    else if (what->class == CODE_CONVERT || starts(name, "cvt"))
        set_conversion(one, core, step);
    else if (what->class == CODE_FLOAT || what->class == CODE_FP64)
        set_float(name, core, step);
    else if (what->class == CODE_SHUFFLE)
        set_shuffle(name, core, step);
    else if (what->class == CODE_BRANCH)
        set_unit(step, CORE_BRANCHES, 2, 1);
    else if (what->class == CODE_ATOMIC)
        set_unit(step, CORE_DIVIDER, 0.06, 17); /* the store has to be done first */
    else if (what->class == CODE_INTEGER || starts(name, "cmov") || starts(name, "set"))
        set_integer(name, core, step);
    else if (what->class == CODE_MOVE && step->is_vector && x86_has_general(one))
        set_unit(step, CORE_SHUFFLES, 1, core->clocks.addition);
}

/* ---- an instruction ------------------------------------------------------------------------------------------- */

bool core_step_of(const struct x86_instruction *one, const struct cpu_core *core, struct core_step *step)
{
    struct explain_instruction what;
    struct x86_operand operand;
    int vector_bits;
    *step = (struct core_step){
        .sources = {-1, -1, -1, -1, -1}, .addresses = {-1, -1, -1}, .target = -1, .unit = CORE_UNITS, .operations = 1};
    if (!x86_classify(one, &what, &vector_bits))
        return false;
    const ZydisInstructionCategory category = one->code.meta.category;
    bool has_memory = x86_operand_of(one, &operand) == X86_PLAIN && !operand.is_prefetch;
    step->is_vector = x86_vector_bits(one) > 0;
    step->loads = (has_memory && operand.is_read) || category == ZYDIS_CATEGORY_POP || one->flow == X86_RETURN;
    step->stores = (has_memory && operand.is_written) || category == ZYDIS_CATEGORY_PUSH || one->flow == X86_CALL;
    step->bytes = has_memory ? operand.bytes : 8;
    step->is_fused = one->code.mnemonic == ZYDIS_MNEMONIC_CMP || one->code.mnemonic == ZYDIS_MNEMONIC_TEST;
    step->flow = X86_NEXT;
    read_registers(one, &what, step);
    read_flags(one, step);
    choose_unit(one, &what, core, step);
    set_store(one->base_name, core, step);
    return true;
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

static void set_flow(const struct code_copy *copy, size_t index, struct core_step *step)
{
    const struct copied_instruction *instruction = &copy->instructions[index];
    step->to = index + 1;
    step->flow = instruction->flow;
    if (step->flow == X86_RETURN || step->flow == X86_NEXT)
        return;
    if (!instruction->target) {
        step->flow = X86_UNKNOWN;
        return;
    }
    size_t to = code_copy_find(copy, instruction->target);
    bool is_inside = to < copy->instruction_count;
    if (is_inside)
        step->to = to;
    else if (step->flow == X86_CALL)
        step->flow = X86_LIBRARY;
    else if (step->flow == X86_JUMP)
        step->flow = X86_RETURN; /* a tail call of another library's function */
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
        const struct x86_instruction one = code_copy_decode(copy, i);
        if (!core_step_of(&one, core, &steps[i]))
            steps[i].operations = 0;
        steps[i].fetched = copy->instructions[i].address / FETCH_BYTES;
        set_flow(copy, i, &steps[i]);
        if (steps[i].flow == X86_LIBRARY)
            set_library(core, &steps[i]);
    }
    for (size_t i = 0; steps && i < copy->access_count; i++)
        steps[copy->accesses[i].instruction].has_record |= !copy->accesses[i].is_division;
    return steps;
}
