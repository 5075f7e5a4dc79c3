#include "explain/compiled/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "explain/compiled/cuda_code.h"
#include "explain/compiled/host_code.h"

const struct code_class_info code_classes[CODE_CLASSES] = {
    [CODE_FMA] = {"fma", N_("multiply-add")},
    [CODE_FLOAT] = {"float", N_("other float")},
    [CODE_HALF] = {"half", N_("half precision")},
    [CODE_FP64] = {"fp64", N_("double precision")},
    [CODE_TENSOR] = {"tensor", N_("tensor core")},
    [CODE_INTEGER] = {"integer", N_("integer, address")},
    [CODE_CONVERT] = {"convert", N_("conversion")},
    [CODE_SPECIAL] = {"special", N_("special function")},
    [CODE_MOVE] = {"move", N_("move")},
    [CODE_SHUFFLE] = {"shuffle", N_("shuffle, vote")},
    [CODE_LOAD] = {"load", N_("load")},
    [CODE_STORE] = {"store", N_("store")},
    [CODE_ATOMIC] = {"atomic", N_("atomic")},
    [CODE_CONSTANT] = {"constant", N_("constant load")},
    [CODE_BARRIER] = {"barrier", N_("barrier, fence")},
    [CODE_BRANCH] = {"branch", N_("branch")},
    [CODE_OTHER] = {"other", N_("other instructions")},
};

enum status explain_compile(const struct problem *problem, const struct rung *rung, const struct parameters *parameters,
                            const struct explain_target *target, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                            struct explain_compiled *compiled, struct error *error)
{
    *compiled = (struct explain_compiled){.kernel_count = 0};
    architecture[0] = '\0';
    if (rung->kind == RUNG_DEVICE)
        return cuda_code_compile(problem, rung, parameters, target, architecture, compiled, error);
    return host_code_read(problem->kernel, rung, architecture, compiled);
}

void explain_compiled_free(struct explain_compiled *compiled)
{
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        free(compiled->kernels[i].instructions);
        free(compiled->kernels[i].loops);
        free(compiled->kernels[i].skips);
        free(compiled->kernels[i].executed);
        free(compiled->kernels[i].longest);
        free(compiled->kernels[i].accesses);
    }
    free(compiled->kernels);
    *compiled = (struct explain_compiled){.kernel_count = 0};
}

/* ---- counting ---- */

static int *widths_of(struct explain_kernel *kernel, const struct explain_instruction *instruction)
{
    bool is_store = instruction->class == CODE_STORE;
    if (instruction->class != CODE_LOAD && !is_store)
        return NULL;
    if (instruction->space == CODE_GLOBAL)
        return is_store ? kernel->stores : kernel->loads;
    if (instruction->space == CODE_SHARED)
        return is_store ? kernel->shared_stores : kernel->shared_loads;
    return NULL;
}

static int width_index(int bits)
{
    int index = 0;
    for (int width = 8; width < bits && index < CODE_WIDTHS - 1; width *= 2)
        index++;
    return index;
}

static void count_line(struct explain_kernel *kernel, int line)
{
    for (size_t i = 0; i < kernel->fp64_line_count; i++)
        if (kernel->fp64_lines[i].line == line) {
            kernel->fp64_lines[i].count++;
            return;
        }
    if (kernel->fp64_line_count < CODE_LINES_MAX)
        kernel->fp64_lines[kernel->fp64_line_count++] = (struct explain_line_count){line, 1};
}

static int by_count(const void *a, const void *b)
{
    const struct explain_line_count *one = a, *other = b;
    return one->count != other->count ? other->count - one->count : one->line - other->line;
}

static const struct explain_loop *longest_innermost(const struct explain_kernel *kernel)
{
    const struct explain_loop *longest = NULL;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct explain_loop *loop = &kernel->loops[i];
        if (loop->is_innermost && (!longest || loop->last - loop->first > longest->last - longest->first))
            longest = loop;
    }
    return longest;
}

void explain_kernel_count(struct explain_kernel *kernel)
{
    const struct explain_loop *loop = longest_innermost(kernel);
    memset(kernel->counts, 0, sizeof kernel->counts);
    memset(kernel->loop_counts, 0, sizeof kernel->loop_counts);
    kernel->fp64_line_count = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        int *widths = widths_of(kernel, instruction);
        kernel->counts[instruction->class]++;
        if (loop && loop->first <= i && i <= loop->last)
            kernel->loop_counts[instruction->class]++;
        if (widths)
            widths[width_index(instruction->bits)]++;
        if (instruction->class == CODE_FP64)
            count_line(kernel, instruction->line);
    }
    qsort(kernel->fp64_lines, kernel->fp64_line_count, sizeof *kernel->fp64_lines, by_count);
}

struct explain_totals explain_totals_of(const struct explain_compiled *compiled)
{
    struct explain_totals totals = {.registers = 0};
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        const struct explain_kernel *kernel = &compiled->kernels[i];
        bool has_spills = kernel->spill_store_bytes >= 0 && totals.spill_bytes >= 0;
        if (kernel->registers > totals.registers)
            totals.registers = kernel->registers;
        if (kernel->stack_bytes > totals.stack_bytes)
            totals.stack_bytes = kernel->stack_bytes;
        if (kernel->shared_bytes > totals.shared_bytes)
            totals.shared_bytes = kernel->shared_bytes;
        totals.spill_bytes =
            has_spills ? totals.spill_bytes + kernel->spill_store_bytes + kernel->spill_load_bytes : -1;
        bool has_code = kernel->is_disassembled && kernel->rank > 0 && totals.fp64_instructions >= 0;
        totals.fp64_instructions = has_code ? totals.fp64_instructions + kernel->counts[CODE_FP64] : -1;
        totals.instructions += (int)kernel->instruction_count;
    }
    return totals;
}
