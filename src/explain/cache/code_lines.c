#include "explain/cache/code_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "explain/compiled/tool.h"

#define ADDRESS_TEXT 20

enum cache_access code_access_kind(const struct x86_operand *operand)
{
    return operand->is_prefetch  ? CACHE_PREFETCH
           : operand->bypasses   ? CACHE_BYPASS
           : operand->is_written ? CACHE_STORE
                                 : CACHE_LOAD;
}

static bool is_own_header(const char *line, size_t length)
{
    static const char *const parts[] = {"/lib/gcc/", "/lib/clang/", "/usr/include/", "/lib/llvm"};
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (memmem(line, length, parts[i], strlen(parts[i])))
            return true;
    return false;
}

/* "/…/src/kernels/transpose/simd.c:33 (discriminator 2)" */
static void take_line(struct copied_access *access, const char *line, size_t length)
{
    const char *colon = memrchr(line, ':', length);
    if (access->line > 0 || !colon || is_own_header(line, length))
        return;
    const char *name = memrchr(line, '/', (size_t)(colon - line));
    name = name ? name + 1 : line;
    access->line = atoi(colon + 1);
    snprintf(access->file, sizeof access->file, "%.*s", (int)(colon - name), name);
}

/* addr2line -a -i prints a line "0x…" for each address, then one line for each function that it was inlined into. */
static void take_lines(struct code_copy *copy, const char *output)
{
    size_t next = 0;
    for (const char *line = output; *line && next <= copy->access_count;) {
        size_t length = strcspn(line, "\n");
        if (line[0] == '0' && line[1] == 'x')
            next++;
        else if (next > 0)
            take_line(&copy->accesses[next - 1], line, length);
        line += length + (line[length] == '\n');
    }
}

static bool is_same(const struct copied_access *one, const struct copied_access *other)
{
    return one->line == other->line && code_access_kind(&one->operand) == code_access_kind(&other->operand) &&
           strcmp(one->file, other->file) == 0;
}

static int by_line(const void *a, const void *b)
{
    const struct copied_access *one = *(struct copied_access *const *)a, *other = *(struct copied_access *const *)b;
    int files = strcmp(one->file, other->file), lines = one->line - other->line;
    int kinds = (int)code_access_kind(&one->operand) - (int)code_access_kind(&other->operand);
    return files ? files : lines ? lines : kinds;
}

static bool find_groups(struct code_copy *copy)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    struct copied_access **list = calloc(copy->access_count + 1, sizeof *list);
    for (size_t i = 0; list && i < copy->access_count; i++)
        list[i] = &copy->accesses[i];
    if (list)
        qsort(list, copy->access_count, sizeof(struct copied_access *), by_line);
    for (size_t i = 0; list && i < copy->access_count; i++) {
        copy->group_count += i == 0 || !is_same(list[i - 1], list[i]);
        list[i]->group = copy->group_count - 1;
    }
    free(list);
    return list != NULL;
}

enum status code_lines_find(struct code_copy *copy, struct error *error)
{
    static const char advice[] = N_("install binutils");
    char tool[TOOL_PATH_MAX], *output = NULL;
    char *addresses = calloc(copy->access_count + 1, ADDRESS_TEXT);
    size_t length = 0;
    if (!addresses)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    for (size_t i = 0; i < copy->access_count; i++)
        length += (size_t)sprintf(addresses + length, "0x%" PRIxPTR "\n",
                                  copy->instructions[copy->accesses[i].instruction].address - copy->base);
    enum status status = tool_find("addr2line", NULL, advice, tool, error);
    const char *const arguments[] = {tool, "-a", "-i", "-e", copy->path, "@@", NULL};
    if (status == STATUS_OK)
        status = tool_run(tool, arguments, addresses, length, &output, error);
    if (status == STATUS_OK)
        take_lines(copy, output);
    free(output);
    free(addresses);
    if (status == STATUS_OK && !find_groups(copy))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    return status;
}
