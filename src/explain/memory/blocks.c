#include "explain/memory/blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/memory/access_trace.h"
#include "explain/memory/code_places.h"

enum {
    SLOTS = 1 << 14, /* a power of two */
    STEP = 8,        /* bytes of code between two looked up addresses */
    STEPS_MOST = 64, /* of a block */
};

/* ---- counting --------------------------------------------------------------------------------------------------- */

static struct block_row *add_row(struct block_counts *blocks)
{
    if (blocks->count == blocks->capacity) {
        size_t capacity = blocks->capacity ? 2 * blocks->capacity : 64;
        struct block_row *rows = realloc(blocks->rows, capacity * sizeof *rows);
        if (!rows)
            return NULL;
        blocks->rows = rows;
        blocks->capacity = capacity;
    }
    return &blocks->rows[blocks->count++];
}

bool block_counts_add(struct block_counts *blocks, unsigned code, const struct traced_program *program,
                      const char *entry, double weight)
{
    if (!blocks->slots && !(blocks->slots = calloc(SLOTS, sizeof *blocks->slots)))
        return false;
    uint32_t slot = (code ^ (uint32_t)((uintptr_t)program >> 4)) * 0x9e3779b1u >> 18;
    for (;; slot = (slot + 1) & (SLOTS - 1)) {
        uint32_t *index = &blocks->slots[slot];
        struct block_row *row = *index ? &blocks->rows[*index - 1] : NULL;
        if (row && row->code == code && row->program == program && strcmp(row->entry, entry) == 0) {
            row->warps += weight;
            return true;
        }
        if (row)
            continue;
        if (blocks->count >= SLOTS / 2)
            return true;
        if (!(row = add_row(blocks)))
            return false;
        *row = (struct block_row){.code = code, .program = program, .warps = weight};
        snprintf(row->entry, sizeof row->entry, "%s", entry);
        *index = (uint32_t)blocks->count;
        return true;
    }
}

void block_counts_free(struct block_counts *blocks)
{
    free(blocks->rows);
    free(blocks->slots);
    *blocks = (struct block_counts){.count = 0};
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

static int by_code(const void *left, const void *right)
{
    const struct block_row *a = left, *b = right;
    return a->code < b->code ? -1 : a->code > b->code;
}

/* A block reaches to the next one; its lines are looked up every STEP bytes. */
static size_t steps_of(const struct block_row *rows, size_t at, size_t count)
{
    size_t next = at + 1;
    while (next < count && rows[next].code == rows[at].code)
        next++;
    size_t bytes = next < count ? (rows[next].code >> EVENT_FLAG_BITS) - (rows[at].code >> EVENT_FLAG_BITS) : STEP;
    size_t steps = (bytes + STEP - 1) / STEP;
    return steps < STEPS_MOST ? steps : STEPS_MOST;
}

static struct block_row *rows_of(const struct block_counts *blocks, const struct traced_program *program, size_t *count)
{
    struct block_row *rows = calloc(blocks->count + 1, sizeof *rows);
    *count = 0;
    for (size_t i = 0; rows && i < blocks->count; i++)
        if (blocks->rows[i].program == program)
            rows[(*count)++] = blocks->rows[i];
    if (rows)
        qsort(rows, *count, sizeof *rows, by_code);
    return rows;
}

static void add_line(struct explain_line *lines, size_t *count, const struct block_row *row, int line)
{
    size_t i = 0;
    while (i < *count && (lines[i].line != line || strcmp(lines[i].kernel, row->entry) != 0))
        i++;
    if (i == *count) {
        lines[(*count)++] = (struct explain_line){.line = line};
        snprintf(lines[i].file, sizeof lines[i].file, "%s", row->program->name);
        snprintf(lines[i].kernel, sizeof lines[i].kernel, "%s", row->entry);
    }
    if (row->warps > lines[i].warps)
        lines[i].warps = row->warps;
}

enum status block_lines(const struct block_counts *blocks, const struct traced_program *program,
                        struct explain_line **lines, size_t *count, struct error *error)
{
    size_t row_count, steps = 0, begin = *count;
    struct block_row *rows = rows_of(blocks, program, &row_count);
    for (size_t i = 0; rows && i < row_count; i++)
        steps += steps_of(rows, i, row_count);
    unsigned *codes = calloc(steps + 1, sizeof *codes);
    int *found = calloc(steps + 1, sizeof *found);
    struct explain_line *all = realloc(*lines, (begin + steps + 1) * sizeof *all);
    enum status status = STATUS_OK;
    if (all)
        *lines = all;
    if (!rows || !codes || !found || !all)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    for (size_t i = 0, at = 0; status == STATUS_OK && i < row_count; i++)
        for (size_t k = 0, own = steps_of(rows, i, row_count); k < own; k++)
            codes[at++] = rows[i].code + (unsigned)(k * STEP << EVENT_FLAG_BITS);
    if (status == STATUS_OK && steps > 0)
        status = code_lines(program, codes, steps, found, error);
    size_t own_count = 0;
    for (size_t i = 0, at = 0; status == STATUS_OK && i < row_count; i++)
        for (size_t k = 0, own = steps_of(rows, i, row_count); k < own; k++, at++)
            if (found[at] > 0)
                add_line(all + begin, &own_count, &rows[i], found[at]);
    *count = begin + own_count;
    struct explain_line *fitting = all ? realloc(all, (*count + 1) * sizeof *all) : NULL;
    *lines = fitting ? fitting : *lines;
    free(rows);
    free(codes);
    free(found);
    return status;
}
