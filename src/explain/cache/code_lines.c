#include "explain/cache/code_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "explain/compiled/source_lines.h"

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
static void take_line(void *context, size_t number, const char *line, size_t length)
{
    struct copied_access *access = &((struct code_copy *)context)->accesses[number];
    const char *colon = memrchr(line, ':', length);
    if (access->line > 0 || !colon || is_own_header(line, length))
        return;
    const char *name = memrchr(line, '/', (size_t)(colon - line));
    name = name ? name + 1 : line;
    access->line = atoi(colon + 1);
    snprintf(access->file, sizeof access->file, "%.*s", (int)(colon - name), name);
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
    uint64_t *addresses = calloc(copy->access_count + 1, sizeof *addresses);
    if (!addresses)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    for (size_t i = 0; i < copy->access_count; i++)
        addresses[i] = copy->instructions[copy->accesses[i].instruction].address - copy->base;
    enum status status = source_lines(copy->path, addresses, copy->access_count, take_line, copy, error);
    free(addresses);
    if (status == STATUS_OK && !find_groups(copy))
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the rung's code");
    return status;
}
