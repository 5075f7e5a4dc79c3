#include "explain/compiled/sass.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compile_cache.h"
#include "base/growing.h"
#include "base/size.h"
#include "base/translation.h"
#include "explain/compiled/loops.h"
#include "explain/compiled/sass_lines.h"
#include "explain/compiled/tool.h"

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

/* ---- one function's lines ---- */

#define LABEL_MAX 48
#define PENDING_MAX 64

struct label {
    char name[LABEL_MAX];
    size_t at; /* index of the next instruction */
};

struct branch {
    char target[LABEL_MAX]; /* empty: an exit */
    size_t at;
    bool is_exit, is_conditional;
};

struct reader {
    const char *file;
    struct explain_kernel *kernel;
    struct label *labels;
    size_t label_count;
    struct branch *branches;
    size_t branch_count;
    int line;           /* source line of the next instructions */
    bool line_is_known; /* set by the first comment before an instruction that names the file */
    bool in_comments;
    struct {
        int from, to; /* destination registers of pending loads */
    } pending[PENDING_MAX];
    size_t pending_count;
    double pending_bytes;
    bool has_functions; /* functions after the kernel: division and roots of special operands */
    size_t functions;   /* index of their first instruction */
    bool has_no_memory;
};

/* '//## File "kernels/x/y.cl", line 12 inlined at "…", line 3': of several locations, the first in the kernel's
 * file. */
static void read_comment(struct reader *reader, const char *text)
{
    static const char line_word[] = "\", line ";
    if (!reader->in_comments) {
        reader->in_comments = true;
        reader->line_is_known = false;
        reader->line = 0;
    }
    const char *end = strchr(text, '\n');
    for (const char *at = text; !reader->line_is_known && (at = strchr(at, '"')) != NULL && (!end || at < end);) {
        const char *name = ++at, *close = strchr(name, '"');
        if (!close)
            return;
        size_t length = (size_t)(close - name), wanted = strlen(reader->file);
        bool is_it = length >= wanted && strncmp(close - wanted, reader->file, wanted) == 0 &&
                     (length == wanted || close[-(ptrdiff_t)wanted - 1] == '/');
        if (is_it && strncmp(close, line_word, sizeof line_word - 1) == 0) {
            reader->line = (int)strtol(close + sizeof line_word - 1, NULL, 10);
            reader->line_is_known = true;
        }
        at = close + 1;
    }
}

static void read_label(struct reader *reader, const char *text, size_t length)
{
    if (length >= LABEL_MAX || !array_grow(&reader->labels, reader->label_count, sizeof *reader->labels)) {
        reader->has_no_memory = reader->has_no_memory || length < LABEL_MAX;
        return;
    }
    struct label *label = &reader->labels[reader->label_count++];
    snprintf(label->name, sizeof label->name, "%.*s", (int)length, text);
    label->at = reader->kernel->instruction_count;
}

/* "BRA `(.L_x_4)", "EXIT"; calls are recognised by their own opcodes. */
static void read_branch(struct reader *reader, const char *words, bool is_conditional)
{
    const char *from = strchr(words, '`'), *to = from ? strchr(from, ')') : NULL;
    bool is_exit = strncmp(words, "EXIT", 4) == 0;
    if (!is_exit && (strncmp(words, "BRA", 3) != 0 || !to || to - from - 2 >= LABEL_MAX || to - from < 3))
        return;
    if (!array_grow(&reader->branches, reader->branch_count, sizeof *reader->branches)) {
        reader->has_no_memory = true;
        return;
    }
    struct branch *branch = &reader->branches[reader->branch_count++];
    *branch =
        (struct branch){.at = reader->kernel->instruction_count, .is_exit = is_exit, .is_conditional = is_conditional};
    if (!is_exit)
        snprintf(branch->target, sizeof branch->target, "%.*s", (int)(to - from - 2), from + 2);
}

/* ---- pending loads ---- */

static bool mentions(const char *words, int from, int to)
{
    for (const char *at = words; (at = strchr(at, 'R')) != NULL; at++) {
        if (at > words && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))
            continue;
        const char *end = at + 1;
        int number = 0;
        for (; end - at <= 3 && isdigit((unsigned char)*end); end++)
            number = 10 * number + (*end - '0');
        if (end == at + 1)
            continue;
        int width = strncmp(end, ".64", 3) == 0 ? 2 : 1;
        if (number <= to && number + width - 1 >= from)
            return true;
    }
    return false;
}

static void follow_load(struct reader *reader, const char *words, const struct explain_instruction *instruction)
{
    int target;
    const char *operand = strchr(words, ' ');
    if (operand)
        operand += strspn(operand, " ");
    if (strncmp(words, "LDGSTS", 6) == 0 || !operand || sscanf(operand, "R%3d", &target) != 1)
        return;
    if (reader->pending_count == PENDING_MAX)
        return;
    int registers = instruction->bits > 32 ? instruction->bits / 32 : 1;
    reader->pending[reader->pending_count].from = target;
    reader->pending[reader->pending_count++].to = target + registers - 1;
    reader->pending_bytes += instruction->bits / 8.0;
    if (reader->pending_bytes > reader->kernel->bytes_in_flight)
        reader->kernel->bytes_in_flight = reader->pending_bytes;
}

/* Loads are assumed to complete in order: a wait for one is a wait for all earlier ones. */
static void follow(struct reader *reader, const char *words, struct explain_instruction *instruction)
{
    for (size_t i = 0; i < reader->pending_count && !instruction->waits; i++)
        if (mentions(words, reader->pending[i].from, reader->pending[i].to))
            instruction->waits = 1;
    if (instruction->waits) {
        reader->pending_count = 0;
        reader->pending_bytes = 0;
    }
    if (instruction->class == CODE_LOAD && instruction->space == CODE_GLOBAL)
        follow_load(reader, words, instruction);
}

/* ---- instructions ---- */

/* Skips a predicate, "@!P0 BRA …". Up to 5.2, braces enclose dual-issued instructions. */
static const char *skip_predicate(const char *words)
{
    words += strspn(words, " \t{");
    if (*words == '@') {
        words += strcspn(words, " ");
        words += strspn(words, " ");
    }
    return words;
}

/* "HGMMA.64x128x16.F32.BF16 …", "HMMA.16816.F32 …": the multiply-adds; 0 for others. A half's worth of tf32 takes as
 * long. */
static int products_of(const char *words)
{
    int rows = 0, columns = 0, deep = 0;
    if (sscanf(words, "HGMMA.%3dx%3dx%3d.", &rows, &columns, &deep) == 3)
        return rows * columns * deep << (strstr(words, ".TF32") != NULL);
    if (strncmp(words, "HMMA.16816.", 11) == 0)
        return 16 * 8 * 16;
    if (strncmp(words, "HMMA.1688.", 10) == 0)
        return 16 * 8 * 8 << (strstr(words, ".TF32") != NULL);
    return 0;
}

static void read_instruction(struct reader *reader, unsigned offset, const char *words)
{
    struct explain_kernel *kernel = reader->kernel;
    char text[256];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(words, ";\n"), words);
    words = skip_predicate(text);
    struct explain_instruction instruction = sass_classify(words);
    if (!array_grow(&kernel->instructions, kernel->instruction_count, sizeof *kernel->instructions)) {
        reader->has_no_memory = true;
        return;
    }
    instruction.offset = offset;
    instruction.line = reader->line;
    follow(reader, words, &instruction);
    instruction.is_barrier = strncmp(words, "BAR.", 4) == 0;
    instruction.is_call = strncmp(words, "CALL", 4) == 0;
    instruction.is_division = strncmp(words, "I2F", 3) == 0 && strstr(words, ".RP") != NULL;
    instruction.is_bulk = strncmp(words, "UBLKCP", 6) == 0;
    instruction.is_copy = instruction.is_bulk || strncmp(words, "LDGSTS", 6) == 0;
    instruction.products = products_of(words);
    instruction.is_of_a_warp = strncmp(words, "HMMA", 4) == 0;
    instruction.is_awaiting = strncmp(words, "WARPGROUP.DEPBAR.LE gsb0, 0x0", 29) == 0;
    instruction.is_strong = strstr(words, ".STRONG.SYS") != NULL;
    instruction.is_coherent = strstr(words, ".STRONG.") != NULL;
    instruction.pipe = sass_pipe(words, &instruction);
    read_branch(reader, words, text[strspn(text, " \t{")] == '@');
    kernel->instructions[kernel->instruction_count++] = instruction;
    reader->in_comments = false;
}

static void read_line(struct reader *reader, const char *line)
{
    const char *at = line + strspn(line, " \t"), *words;
    size_t length = strcspn(at, "\n");
    unsigned offset;
    if (strncmp(at, "//##", 4) == 0)
        read_comment(reader, at);
    else if (strncmp(at, "/* 0x", 5) == 0 && reader->kernel->instruction_count > 0)
        reader->kernel->instructions[reader->kernel->instruction_count - 1].control =
            sass_control(strtoull(at + 5, NULL, 16));
    else if ((words = sass_words(at, &offset)) != NULL)
        read_instruction(reader, offset, words);
    else if (length > 1 && at[length - 1] == ':' && at[0] == '.' && strncmp(at, ".text", 5) != 0)
        read_label(reader, at, length - 1);
    else if (length > 1 && at[length - 1] == ':' && at[0] == '$' && !reader->has_functions) {
        reader->has_functions = true;
        reader->functions = reader->kernel->instruction_count;
    }
}

/* ---- loops ---- */

static size_t label_at(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->label_count; i++)
        if (strcmp(reader->labels[i].name, name) == 0)
            return reader->labels[i].at;
    return SIZE_MAX;
}

/* The code ends with a branch to itself, followed by padding. */
static void cut_padding(struct reader *reader)
{
    for (size_t b = reader->branch_count; b-- > 0;)
        if (label_at(reader, reader->branches[b].target) == reader->branches[b].at) {
            reader->kernel->instruction_count = reader->branches[b].at;
            reader->branch_count = b;
            return;
        }
}

static void find_loops(struct reader *reader)
{
    struct explain_kernel *kernel = reader->kernel;
    struct loop_jump *jumps = calloc(reader->branch_count + 1, sizeof *jumps);
    size_t count = 0;
    for (size_t b = 0; jumps && b < reader->branch_count; b++) {
        size_t to = label_at(reader, reader->branches[b].target), from = reader->branches[b].at;
        if (to <= from && from < kernel->instruction_count)
            jumps[count++] = (struct loop_jump){kernel->instructions[to].offset, kernel->instructions[from].offset};
    }
    if (!jumps || !loops_find(kernel, jumps, count))
        reader->has_no_memory = true;
    free(jumps);
}

static void find_skips(struct reader *reader)
{
    struct explain_kernel *kernel = reader->kernel;
    struct skip_branch *branches = calloc(reader->branch_count + 1, sizeof *branches);
    size_t count = 0, end = reader->has_functions ? reader->functions : kernel->instruction_count;
    for (size_t b = 0; branches && b < reader->branch_count; b++) {
        const struct branch *from = &reader->branches[b];
        size_t to = from->is_exit ? end : label_at(reader, from->target);
        if (to != SIZE_MAX && from->at < kernel->instruction_count)
            branches[count++] = (struct skip_branch){from->at, to, from->is_exit, from->is_conditional};
    }
    reader->has_no_memory |= !branches || !skips_find(kernel, branches, count);
    free(branches);
}

enum { SLOW_PATH_MAX = 48 }; /* instructions in a slow path around a call */

/* Marks the shortest skipped piece of code that contains this call. Without one, the call is not cold. */
static void mark_call(struct reader *reader, size_t call)
{
    size_t first = 0, last = SIZE_MAX;
    for (size_t b = 0; b < reader->branch_count; b++) {
        size_t from = reader->branches[b].at, to = label_at(reader, reader->branches[b].target);
        if (from < call && to != SIZE_MAX && to > call && to - from < last - first) {
            first = from;
            last = to;
        }
    }
    if (last == SIZE_MAX || last - first > SLOW_PATH_MAX)
        return;
    for (size_t i = first + 1; i < last && i < reader->kernel->instruction_count; i++)
        reader->kernel->instructions[i].is_slow_path = true;
}

/* Divisions and roots test their operands, and call a function for special cases. If a branch can skip the call,
 * neither the call nor the function counts as executed. */
static void find_slow_paths(struct reader *reader)
{
    struct explain_kernel *kernel = reader->kernel;
    bool all = true;
    for (size_t i = 0; i < kernel->instruction_count && reader->has_functions; i++)
        if (kernel->instructions[i].is_call && i < reader->functions) {
            mark_call(reader, i);
            all &= kernel->instructions[i].is_slow_path;
        }
    for (size_t i = reader->functions; reader->has_functions && all && i < kernel->instruction_count; i++)
        kernel->instructions[i].is_slow_path = true;
}

enum status sass_read(const char *text, const char *file, struct explain_kernel *kernel, struct error *error)
{
    struct reader reader = {.file = file, .kernel = kernel};
    char start[128];
    snprintf(start, sizeof start, "\n.text.%s:\n", kernel->name);
    const char *at = strstr(text, start);
    if (!at)
        return fail(error, STATUS_INVALID, "%s: nvdisasm does not list this kernel", kernel->name);
    at += strlen(start);
    while (at && *at && strncmp(at, "//-----", 7) != 0 && strncmp(at, "\t.section", 9) != 0) {
        read_line(&reader, at);
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    cut_padding(&reader);
    find_slow_paths(&reader);
    find_skips(&reader);
    find_loops(&reader);
    free(reader.labels);
    free(reader.branches);
    if (reader.has_no_memory)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its instructions", kernel->name);
    kernel->is_disassembled = true;
    explain_kernel_count(kernel);
    return STATUS_OK;
}
