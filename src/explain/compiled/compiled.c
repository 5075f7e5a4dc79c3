#include "explain/compiled/compiled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "explain/compiled/cuda_code.h"
#include "explain/compiled/decoder.h"
#include "explain/compiled/host_code.h"
#include "explain/compiled/opencl_code.h"

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

struct explain_kernel explain_kernel_of(const struct recorded_launch *launch, const struct recorded_program *program)
{
    struct explain_kernel kernel = {.launches = launch->count, .rank = launch->rank};
    const char *slash = strrchr(program->name, '/');
    snprintf(kernel.name, sizeof kernel.name, "%s", launch->entry);
    snprintf(kernel.file, sizeof kernel.file, "%.63s", slash ? slash + 1 : program->name);
    memcpy(kernel.group, launch->group, sizeof kernel.group);
    memcpy(kernel.groups, launch->groups, sizeof kernel.groups);
    return kernel;
}

/* A rung's kernels on a device. Their failures are reasons. */
static void compile_recorded(const struct problem *problem, const struct rung *rung,
                             const struct parameters *parameters, const struct explain_target *target,
                             char architecture[EXPLAIN_ARCHITECTURE_MAX], struct explain_compiled *compiled)
{
    struct recording recording;
    struct error why;
    const bool is_opencl = target->kind == BACKEND_OPENCL && target->properties.is_cpu;
    enum status status = is_opencl ? decoder_open(&why) : STATUS_OK;
    bool is_refused = false;
    if (status == STATUS_OK) {
        status = recording_make(problem, rung, parameters, target, &recording, &why);
        is_refused = status != STATUS_OK;
    }
    if (is_opencl)
        snprintf(architecture, EXPLAIN_ARCHITECTURE_MAX, "x86-64");
    if (status == STATUS_OK) {
        compiled->reads = recording.read_count;
        compiled->writes = recording.written_count;
        status = recording.launch_count == 0 ? fail(&why, STATUS_UNAVAILABLE, "nothing is launched for this problem")
                 : is_opencl                 ? opencl_code_add(&recording, target, compiled, &why)
                                             : cuda_code_add(&recording, problem, target, architecture, compiled, &why);
        recording_free(&recording);
    }
    if (status == STATUS_OK)
        return;
    explain_compiled_free(compiled);
    compiled->is_refused = is_refused;
    compiled->is_broken = status == STATUS_INVALID && !is_refused;
    explain(compiled->reason, sizeof compiled->reason, "%s", why.text);
}

void explain_compile(const struct problem *problem, const struct rung *rung, const struct parameters *parameters,
                     const struct explain_target *target, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                     struct explain_compiled *compiled)
{
    *compiled = (struct explain_compiled){.kernel_count = 0};
    architecture[0] = '\0';
    if (rung->kind != RUNG_DEVICE)
        host_code_read(problem->kernel, rung, architecture, compiled);
    else if (target->compute > 0 || (target->kind == BACKEND_OPENCL && target->properties.is_cpu))
        compile_recorded(problem, rung, parameters, target, architecture, compiled);
    else
        explain(compiled->reason, sizeof compiled->reason,
                "%s does not tell what its compiler makes; --for sm_90 explains the rung through CUDA", target->name);
}

void explain_compiled_free(struct explain_compiled *compiled)
{
    for (size_t i = 0; i < compiled->kernel_count; i++) {
        free(compiled->kernels[i].instructions);
        free(compiled->kernels[i].loops);
        free(compiled->kernels[i].skips);
        free(compiled->kernels[i].executed);
        free(compiled->kernels[i].longest);
        free(compiled->kernels[i].lanes);
        free(compiled->kernels[i].accesses);
    }
    free(compiled->kernels);
    *compiled = (struct explain_compiled){.kernel_count = 0};
}

/* ---- counting ---- */

static int width_index(int bits)
{
    int index = 0;
    for (int width = 8; width < bits && index < CODE_WIDTHS - 1; width *= 2)
        index++;
    return index;
}

static bool is_load(const struct explain_kernel *kernel, const struct explain_instruction *instruction)
{
    return instruction->class == CODE_LOAD || (kernel->is_of_cpu && instruction->class != CODE_STORE);
}

static void count_width(struct explain_kernel *kernel, const struct explain_instruction *instruction)
{
    bool loads = is_load(kernel, instruction), stores = instruction->class == CODE_STORE || instruction->is_update;
    int index = width_index(instruction->bits);
    if (instruction->space == CODE_GLOBAL) {
        kernel->loads[index] += loads;
        kernel->stores[index] += stores;
    } else if (instruction->space == CODE_SHARED) {
        kernel->shared_loads[index] += loads;
        kernel->shared_stores[index] += stores;
    }
    if (instruction->width > 0)
        kernel->arithmetic[width_index(instruction->width)]++;
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

/* Of a CPU: what a loop computes in vector registers and moves. Compilers of kernels leave loops over items that do
 * neither. */
static double work_of(const struct explain_kernel *kernel, const struct explain_loop *loop, const double *times)
{
    double work = 0;
    for (size_t i = loop->first; kernel->is_of_cpu && i <= loop->last; i++)
        if (kernel->instructions[i].width > 0 || kernel->instructions[i].space != CODE_NO_SPACE)
            work += times ? times[i] : 1;
    return work;
}

/* The longest; of a CPU, the one with most work. */
static const struct explain_loop *main_innermost(const struct explain_kernel *kernel, const double *times)
{
    const struct explain_loop *found = NULL;
    double most = 0;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        const struct explain_loop *loop = &kernel->loops[i];
        double work = work_of(kernel, loop, times);
        bool is_longer = !found || loop->last - loop->first > found->last - found->first;
        if (!loop->is_innermost || (found && (work < most || (work == most && !is_longer))))
            continue;
        found = loop;
        most = work;
    }
    return found;
}

void explain_kernel_count_loop(struct explain_kernel *kernel, const double *times)
{
    const struct explain_loop *loop = main_innermost(kernel, times);
    memset(kernel->loop_counts, 0, sizeof kernel->loop_counts);
    for (size_t i = loop ? loop->first : 0; loop && i <= loop->last; i++)
        kernel->loop_counts[kernel->instructions[i].class]++;
}

void explain_kernel_count(struct explain_kernel *kernel)
{
    memset(kernel->counts, 0, sizeof kernel->counts);
    explain_kernel_count_loop(kernel, NULL);
    kernel->fp64_line_count = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        kernel->counts[instruction->class]++;
        count_width(kernel, instruction);
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

/* ---- launches and accesses ---- */

double explain_kernel_warps(const struct explain_kernel *kernel)
{
    return ceil((double)explain_kernel_items(kernel) / 32) * explain_kernel_groups(kernel) * (double)kernel->launches;
}

double explain_kernel_share(const struct explain_compiled *compiled, size_t kernel)
{
    const struct explain_kernel *one = &compiled->kernels[kernel];
    double all = 0;
    for (size_t k = 0; k < compiled->kernel_count; k++)
        if (strcmp(compiled->kernels[k].name, one->name) == 0 && strcmp(compiled->kernels[k].file, one->file) == 0)
            all += explain_kernel_warps(&compiled->kernels[k]);
    return all > 0 ? explain_kernel_warps(one) / all : 0;
}

bool explain_is_access_of(const struct explain_access *access, const struct explain_kernel *kernel)
{
    const char *slash = strrchr(access->file, '/');
    return strcmp(slash ? slash + 1 : access->file, kernel->file) == 0 && strcmp(access->kernel, kernel->name) == 0;
}
