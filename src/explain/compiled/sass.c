#include "explain/compiled/sass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compile_cache.h"
#include "base/size.h"
#include "base/translation.h"
#include "explain/compiled/loops.h"
#include "explain/compiled/tool.h"
#include "explain/machine/instruction.h"

/* Instructions that not every warp executes: what branches forwards and early exits leave out. */

/* A branch or an exit, by indexes of instructions. */
struct skip_branch {
    size_t at, to; /* of an exit: the end of the code that the kernel itself has */
    bool is_exit;
    bool is_conditional; /* under a predicate */
};

static bool is_forward(const struct skip_branch *branch, const struct explain_kernel *kernel)
{
    return branch->to > branch->at + 1 && branch->to <= kernel->instruction_count;
}

/* The first instruction behind `from` that a branch before `first` leads to, other than the branch `but`: warps come
 * there that did not come by. */
static size_t next_entry(const struct skip_branch *branches, size_t count, size_t first, size_t from, size_t but,
                         size_t end)
{
    for (size_t b = 0; b < count; b++)
        if (b != but && !branches[b].is_exit && branches[b].at < first && branches[b].to > from && branches[b].to < end)
            end = branches[b].to;
    return end;
}

/* Of a condition's first side, [first, last]: the second one lies behind it where the first ends with a branch over it,
 * or ends the kernel. Its last instruction; 0: there is none. */
static size_t other_side(const struct skip_branch *branches, size_t count, size_t from, size_t last)
{
    for (size_t b = from + 1; b < count && branches[b].at <= last; b++)
        if (branches[b].at == last && !branches[b].is_conditional && branches[b].to > last + 1)
            return branches[b].is_exit
                       ? next_entry(branches, count, branches[from].at, last + 1, from, branches[b].to) - 1
                       : branches[b].to - 1;
    return 0;
}

/* Fills in kernel->skips. `branches` are in the order of the code; those backwards skip nothing. False when out of
 * memory. */
static bool skips_find(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count)
{
    kernel->skips = calloc(count + 1, sizeof *kernel->skips);
    for (size_t b = 0; kernel->skips && b < count; b++) {
        const struct skip_branch *branch = &branches[b];
        if (!is_forward(branch, kernel) || (branch->is_exit && !branch->is_conditional))
            continue;
        struct explain_skip skip = {.first = branch->at + 1, .last = branch->to - 1};
        if (branch->is_exit)
            skip.last = next_entry(branches, count, branch->at, branch->at + 1, b, branch->to) - 1;
        else if (branch->is_conditional)
            skip.other_last = other_side(branches, count, b, skip.last);
        kernel->skips[kernel->skip_count++] = skip;
    }
    return kernel->skips != NULL;
}

enum status sass_disassemble(const void *image, size_t bytes, char **text, struct error *error)
{
    char path[TOOL_PATH_MAX];
    size_t length = 0;
    void *entry = NULL;
    *text = NULL;
    enum status status =
        tool_find("nvdisasm", getenv("USKOR_NVDISASM"),
                  N_("'make setup' fetches it, CUDA's toolkit has it, or name it in USKOR_NVDISASM"), path, error);
    if (status != STATUS_OK)
        return status;
    const char *const arguments[] = {path, "-c", "-gi", "-ndf", "-hex", "@", NULL};
    struct cache_key key = {.bytes = 0};
    cache_key_add_file(&key, path);
    for (size_t i = 1; arguments[i]; i++)
        cache_key_add_text(&key, arguments[i]);
    cache_key_add(&key, image, bytes);
    if (cache_load(&key, &entry, &length)) {
        *text = entry;
        return STATUS_OK;
    }
    status = tool_read(&(struct tool_call){.arguments = arguments, .data = image, .bytes = bytes}, text, error);
    if (status == STATUS_OK)
        cache_store(&key, *text, strlen(*text));
    return status;
}

/* ---- one instruction ---- */

/* ".U8", ".64", ".128"; LDSM loads whole matrices of 8 x 8 halves, 32 bits per item and matrix. */
static int bits_of(const struct machine_instruction *in)
{
    if (sass_is_one_of(in->opcode, "LDSM STSM"))
        return machine_has_word(in, "4") ? 128 : machine_has_word(in, "2") ? 64 : 32;
    if (in->modifiers & MODIFIER_128)
        return 128;
    if (machine_has_word(in, "64"))
        return 64;
    if ((in->modifiers & MODIFIER_BYTE) || machine_has_word(in, "8"))
        return 8;
    return (in->modifiers & MODIFIER_HALF) || machine_has_word(in, "16") ? 16 : 32;
}

/* Some arithmetic instructions only move a constant or a register: "IMAD.MOV.U32", "HFMA2.MMA R1, -RZ, RZ, 0, 0". */
static bool is_move(const struct machine_instruction *in)
{
    const struct operand *zeros = &in->operands[1];
    return machine_has_word(in, "MOV") ||
           (strncmp(in->opcode, "HFMA2", 5) == 0 && in->operand_count > 3 && zeros[0].kind == OPERAND_REGISTER &&
            zeros[0].number < 0 && zeros[0].negated && zeros[1].kind == OPERAND_REGISTER && zeros[1].number < 0);
}

/* "HGMMA.64x128x16.F32.BF16 …", "HMMA.16816.F32 …": the multiply-adds; 0 for others. A half's worth of tf32 takes as
 * long. */
static int products_of(const struct machine_instruction *in)
{
    int rows = 0, columns = 0, deep = 0;
    const bool is_tf32 = machine_has_word(in, "TF32");
    if (strcmp(in->opcode, "HGMMA") == 0 && sscanf(in->words, ".%3dx%3dx%3d.", &rows, &columns, &deep) == 3)
        return rows * columns * deep << is_tf32;
    if (strcmp(in->opcode, "HMMA") != 0)
        return 0;
    return machine_has_word(in, "16816") ? 16 * 8 * 16 : machine_has_word(in, "1688") ? 16 * 8 * 8 << is_tf32 : 0;
}

/* "WARPGROUP.DEPBAR.LE gsb0, 0x0" */
static bool is_awaiting(const struct machine_instruction *in)
{
    return strcmp(in->opcode, "WARPGROUP") == 0 && machine_has_word(in, "DEPBAR") && in->operand_count == 2 &&
           in->operands[1].kind == OPERAND_NUMBER && in->operands[1].value == 0;
}

static struct explain_instruction classify(const struct machine_instruction *in)
{
    const bool moves = is_move(in);
    return (struct explain_instruction){
        .class = moves ? CODE_MOVE : in->kind.class,
        .pipe = !moves                                     ? in->kind.pipe
                : sass_is_one_of(in->opcode, "IMAD HFMA2") ? PIPE_HEAVY
                                                           : PIPE_NONE,
        .space = in->kind.space,
        .bits = in->kind.space == CODE_NO_SPACE ? 0 : bits_of(in),
        .line = in->line,
        .loop = -1,
        .offset = in->offset,
        .control = in->control,
        .is_call = strcmp(in->opcode, "CALL") == 0,
        .is_barrier = strcmp(in->opcode, "BAR") == 0,
        .is_bulk = in->is_bulk,
        .is_copy = in->is_bulk || in->is_copy,
        .is_division = strncmp(in->opcode, "I2F", 3) == 0 && (in->modifiers & MODIFIER_RP),
        .products = products_of(in),
        .is_of_a_warp = strcmp(in->opcode, "HMMA") == 0,
        .is_awaiting = is_awaiting(in),
        .is_strong = strstr(in->words, ".STRONG.SYS") != NULL,
        .is_coherent = strstr(in->words, ".STRONG.") != NULL,
    };
}

struct explain_instruction sass_classify(const char *words)
{
    struct machine_instruction in;
    machine_instruction_read(words, &in);
    return classify(&in);
}

/* ---- branches ---- */

/* In the order of the code; NULL when out of memory. */
static struct skip_branch *find_branches(const struct machine_code *code, size_t *count)
{
    struct skip_branch *branches = calloc(code->count + 1, sizeof *branches);
    const size_t end = size_least(code->functions, code->count);
    for (size_t i = 0; branches && i < code->count; i++) {
        const struct machine_instruction *in = &code->instructions[i];
        const bool is_exit = strcmp(in->opcode, "EXIT") == 0;
        const size_t to = is_exit ? end : machine_target(in);
        if ((is_exit || strcmp(in->opcode, "BRA") == 0) && to != SIZE_MAX)
            branches[(*count)++] = (struct skip_branch){i, to, is_exit, in->is_guarded};
    }
    return branches;
}

static bool find_loops(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count)
{
    struct loop_jump *jumps = calloc(count + 1, sizeof *jumps);
    size_t found = 0;
    for (size_t b = 0; jumps && b < count; b++)
        if (branches[b].to <= branches[b].at)
            jumps[found++] = (struct loop_jump){kernel->instructions[branches[b].to].offset,
                                                kernel->instructions[branches[b].at].offset};
    const bool is_made = jumps && loops_find(kernel, jumps, found);
    free(jumps);
    return is_made;
}

enum { SLOW_PATH_MAX = 48 }; /* instructions in a slow path around a call */

/* Marks the shortest skipped piece of code that contains this call. Without one, the call is not cold. */
static void mark_call(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count, size_t call)
{
    size_t first = 0, last = SIZE_MAX;
    for (size_t b = 0; b < count; b++)
        if (!branches[b].is_exit && branches[b].at < call && branches[b].to > call &&
            branches[b].to - branches[b].at < last - first) {
            first = branches[b].at;
            last = branches[b].to;
        }
    if (last == SIZE_MAX || last - first > SLOW_PATH_MAX)
        return;
    for (size_t i = first + 1; i < last && i < kernel->instruction_count; i++)
        kernel->instructions[i].is_slow_path = true;
}

/* Divisions and roots test their operands, and call a function for special cases. If a branch can skip the call,
 * neither the call nor the function counts as executed. */
static void find_slow_paths(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count,
                            size_t functions)
{
    bool all = true;
    for (size_t i = 0; i < kernel->instruction_count && functions != SIZE_MAX; i++)
        if (kernel->instructions[i].is_call && i < functions) {
            mark_call(kernel, branches, count, i);
            all &= kernel->instructions[i].is_slow_path;
        }
    for (size_t i = functions; all && i < kernel->instruction_count; i++)
        kernel->instructions[i].is_slow_path = true;
}

enum status sass_read(const char *text, const char *file, struct explain_kernel *kernel, struct error *error)
{
    struct machine_code code;
    size_t count = 0;
    enum status status = machine_code_read(text, kernel->name, file, &code, error);
    if (status != STATUS_OK)
        return status;
    struct skip_branch *branches = find_branches(&code, &count);
    kernel->instructions = calloc(code.count + 1, sizeof *kernel->instructions);
    for (size_t i = 0; kernel->instructions && i < code.count; i++)
        kernel->instructions[kernel->instruction_count++] = classify(&code.instructions[i]);
    kernel->is_disassembled =
        branches && kernel->instructions && skips_find(kernel, branches, count) && find_loops(kernel, branches, count);
    if (kernel->is_disassembled) {
        find_slow_paths(kernel, branches, count, code.functions);
        explain_kernel_count(kernel);
    }
    free(branches);
    free(code.instructions);
    return kernel->is_disassembled
               ? STATUS_OK
               : fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", kernel->name);
}
