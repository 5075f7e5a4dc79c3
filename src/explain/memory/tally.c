/* Most accesses repeat a pattern: equal distances between lanes, at the same offset in a line of 256 bytes. A pattern's
 * counts are cached, as counting takes a microsecond. */
#include "explain/memory/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "explain/memory/access_trace.h"
#include "explain/memory/buffers.h"
#include "explain/memory/code_places.h"
#include "explain/memory/l1_passes.h"

enum {
    SLOTS = 1 << 14, /* a power of two */
    STEP = 8,        /* bytes of code between two looked up addresses */
    STEPS_MOST = 64, /* of a block */
};

/* ---- counting --------------------------------------------------------------------------------------------------- */

static struct block_row *add_block_row(struct block_counts *blocks)
{
    if (!array_grow(&blocks->rows, blocks->count, sizeof *blocks->rows))
        return NULL;
    return &blocks->rows[blocks->count++];
}

/* Adds an execution by a warp. False when out of memory; more blocks than there is room for are left out. */
static bool block_counts_add(struct block_counts *blocks, unsigned code, const struct traced_program *program,
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
        if (!(row = add_block_row(blocks)))
            return false;
        *row = (struct block_row){.code = code, .program = program, .warps = weight};
        snprintf(row->entry, sizeof row->entry, "%s", entry);
        *index = (uint32_t)blocks->count;
        return true;
    }
}

static void block_counts_free(struct block_counts *blocks)
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

enum {
    PATTERNS = 4096,     /* cached patterns: a power of two */
    ROW_SLOTS = 1 << 14, /* slots of the table from a code to its rows: a power of two */
    PATTERN_LINE = 256,  /* no rule depends on a longer alignment */
    INACTIVE = INT32_MIN,
};

struct pattern {
    int32_t distance[WARP_LANES]; /* from the line of the first active lane */
    uint32_t kind;                /* the event's flags: kind, bytes and space of the access; 0: a free entry */
    struct l1_counts l1;
    struct access_counts counts[TALLY_RULES_MAX];
};

struct tally {
    struct memory_rules rules[TALLY_RULES_MAX];
    size_t rule_count;
    struct pattern *patterns;
    struct tally_row *rows;
    size_t row_count;
    uint32_t *row_of; /* index + 1 */
    struct footprint footprint;
    struct partition_loads partitions;
    struct revisits revisits;
    struct block_counts blocks;
    bool is_revisiting; /* a run of neighbours is traced */
    double weight;
    uint64_t recorded;
    const struct traced_program *program;
    char entry[64];
    struct {
        uint64_t begin, end; /* range in the arena */
        bool is_written;     /* stores are attributed to it rather than to another argument of the same buffer */
    } arguments[32];
    size_t argument_count;
};

struct tally *tally_create(const struct memory_rules *rules, size_t rule_count)
{
    struct tally *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->patterns = calloc(PATTERNS, sizeof *made->patterns);
    made->row_of = calloc(ROW_SLOTS, sizeof *made->row_of);
    if (!made->patterns || !made->row_of || rule_count > TALLY_RULES_MAX) {
        tally_free(made);
        return NULL;
    }
    memcpy(made->rules, rules, rule_count * sizeof *rules);
    made->rule_count = rule_count;
    made->partitions.partitions = rules->partitions;
    return made;
}

void tally_free(struct tally *tally)
{
    if (!tally)
        return;
    footprint_free(&tally->footprint);
    partition_loads_free(&tally->partitions);
    revisits_free(&tally->revisits);
    block_counts_free(&tally->blocks);
    free(tally->patterns);
    free(tally->rows);
    free(tally->row_of);
    free(tally);
}

/* ---- arguments -------------------------------------------------------------------------------------------------- */

void tally_begin_launch(struct tally *tally, const struct traced_program *program, const struct launch *launch)
{
    tally->program = program;
    snprintf(tally->entry, sizeof tally->entry, "%s", launch->entry);
    tally->weight = 1;
    partition_begin_launch(&tally->partitions, launch->entry,
                           (uint64_t)launch->groups[0] * launch->groups[1] * launch->groups[2]);
    tally->argument_count = 0;
    for (size_t i = 0; i < launch->argument_count && i < sizeof tally->arguments / sizeof tally->arguments[0]; i++) {
        const struct argument_value *value = &launch->arguments[i];
        uint64_t begin = value->kind == ARGUMENT_BUFFER ? trace_buffer_offset(value->buffer) : UINT64_MAX;
        tally->arguments[i].begin = begin;
        tally->arguments[i].end = value->kind == ARGUMENT_BUFFER ? begin + value->buffer->bytes : UINT64_MAX;
        tally->arguments[i].is_written = !traced_argument_is_const(program, launch->entry, i);
        tally->argument_count = i + 1;
    }
}

void tally_begin_group(struct tally *tally, uint64_t group, double weight)
{
    if (tally->is_revisiting) {
        revisits_begin_group(&tally->revisits);
        return;
    }
    partition_begin_group(&tally->partitions, group);
    footprint_begin_group(&tally->footprint);
    tally->weight = weight;
}

bool tally_begin_revisits(struct tally *tally, const struct launch *launch)
{
    return revisits_begin_launch(&tally->revisits, launch->entry, launch->groups);
}

void tally_begin_run(struct tally *tally, int dimension, size_t run)
{
    revisits_begin_run(&tally->revisits, dimension, run);
    tally->is_revisiting = true;
}

void tally_end_revisits(struct tally *tally)
{
    tally->is_revisiting = false;
}

struct revisits *tally_revisits(struct tally *tally)
{
    return &tally->revisits;
}

/* If one buffer is passed twice, stores belong to the argument that is not const, loads to the const one. Between a
 * buffer and a part of it, the part is chosen. */
static int find_argument(const struct tally *tally, uint64_t at, bool is_written)
{
    int found = NO_ARGUMENT;
    bool found_fits = false;
    uint64_t found_bytes = UINT64_MAX;
    for (size_t i = 0; i < tally->argument_count; i++) {
        uint64_t bytes = tally->arguments[i].end - tally->arguments[i].begin;
        bool fits = tally->arguments[i].is_written == is_written;
        if (at < tally->arguments[i].begin || at >= tally->arguments[i].end)
            continue;
        if (found != NO_ARGUMENT && (fits == found_fits ? bytes >= found_bytes : found_fits))
            continue;
        found = (int)i;
        found_fits = fits;
        found_bytes = bytes;
    }
    return found;
}

/* ---- rows ------------------------------------------------------------------------------------------------------- */

static uint32_t hash_word(uint32_t hash, uint32_t word)
{
    hash = (hash ^ word) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

static struct tally_row *add_row(struct tally *tally)
{
    if (!array_grow(&tally->rows, tally->row_count, sizeof *tally->rows))
        return NULL;
    struct tally_row *row = &tally->rows[tally->row_count++];
    memset(row, 0, sizeof *row);
    return row;
}

/* The array in shared memory is found later, from the offset of its first access: arrays do not move. */
static struct tally_row *find_row(struct tally *tally, unsigned code, const struct warp_access *access, uint64_t first)
{
    int argument = access->is_shared ? NO_ARGUMENT : find_argument(tally, first, access->kind != EVENT_LOAD);
    uint32_t slot = hash_word(hash_word(code, (uint32_t)argument), (uint32_t)((uintptr_t)tally->program >> 4));
    for (;; slot++) {
        uint32_t *entry = &tally->row_of[slot & (ROW_SLOTS - 1)];
        struct tally_row *row = *entry ? &tally->rows[*entry - 1] : NULL;
        bool is_same_argument = row && (access->is_shared || row->argument == argument);
        if (row && row->code == code && is_same_argument && row->program == tally->program &&
            strcmp(row->entry, tally->entry) == 0)
            return row;
        if (row)
            continue;
        if (tally->row_count >= ROW_SLOTS / 2 || !(row = add_row(tally)))
            return NULL;
        row->code = code;
        row->argument = access->is_shared ? (int)first : argument;
        if (!access->is_shared && argument != NO_ARGUMENT)
            row->argument_bytes = tally->arguments[argument].end - tally->arguments[argument].begin;
        row->program = tally->program;
        memcpy(row->entry, tally->entry, sizeof row->entry);
        *entry = (uint32_t)tally->row_count;
        return row;
    }
}

/* ---- patterns --------------------------------------------------------------------------------------------------- */

/* False if lanes are too far apart for 32-bit distances. */
static bool make_pattern(const struct warp_access *access, uint64_t first, unsigned kind, struct pattern *pattern)
{
    int64_t line = (int64_t)(first / PATTERN_LINE * PATTERN_LINE);
    bool fits = true;
    for (int i = 0; i < WARP_LANES; i++) {
        bool is_active = access->mask >> i & 1;
        int64_t distance = is_active ? (int64_t)access->at[i] - line : INACTIVE;
        fits &= !is_active || (distance > INT32_MIN && distance <= INT32_MAX);
        pattern->distance[i] = (int32_t)distance;
    }
    pattern->kind = kind + 1;
    return fits;
}

static const struct access_counts *count_all(struct tally *tally, const struct warp_access *access,
                                             struct access_counts *counts)
{
    for (size_t i = 0; i < tally->rule_count; i++)
        memory_rules_count(&tally->rules[i], access, &counts[i]);
    return counts;
}

static const struct access_counts *count(struct tally *tally, const struct warp_access *access, uint64_t first,
                                         unsigned kind, struct access_counts *counts, struct l1_counts *l1)
{
    struct pattern pattern;
    if (!make_pattern(access, first, kind, &pattern)) {
        *l1 = l1_count(access);
        return count_all(tally, access, counts);
    }
    uint32_t hash = kind;
    for (int i = 0; i < WARP_LANES; i++)
        hash = hash_word(hash, (uint32_t)pattern.distance[i]);
    struct pattern *known = &tally->patterns[hash & (PATTERNS - 1)];
    if (known->kind != pattern.kind || memcmp(known->distance, pattern.distance, sizeof pattern.distance) != 0) {
        count_all(tally, access, pattern.counts);
        pattern.l1 = l1_count(access);
        *known = pattern;
    }
    *l1 = known->l1;
    return known->counts;
}

bool tally_add(struct tally *tally, unsigned code, const struct warp_access *access)
{
    uint64_t first = access->at[__builtin_ctz(access->mask)];
    if (tally->is_revisiting) {
        bool is_store = access->kind != EVENT_LOAD;
        return access->is_shared ||
               revisits_add(&tally->revisits, access, find_argument(tally, first, is_store), is_store);
    }
    struct tally_row *row = find_row(tally, code, access, first);
    if (!row)
        return false;
    struct access_counts fresh[TALLY_RULES_MAX];
    struct l1_counts l1;
    const struct access_counts *counts = count(tally, access, first, code & ((1u << EVENT_FLAG_BITS) - 1), fresh, &l1);
    for (size_t i = 0; i < tally->rule_count; i++) {
        row->counts[i].requests += tally->weight * counts[i].requests;
        row->counts[i].transactions += tally->weight * counts[i].transactions;
        row->counts[i].bytes_moved += tally->weight * counts[i].bytes_moved;
        row->counts[i].bytes_used += tally->weight * counts[i].bytes_used;
        row->counts[i].conflicts += tally->weight * counts[i].conflicts;
    }
    if (!access->is_shared && tally->rule_count > 0)
        partition_add(&tally->partitions, access, counts[0].bytes_moved);
    unsigned lanes = (unsigned)__builtin_popcount(access->mask), sectors = 0;
    if (!access->is_shared && !footprint_add(&tally->footprint, access, &sectors))
        return false;
    if (lanes > (unsigned)__builtin_popcount(row->sample.mask))
        row->sample = *access;
    row->first_sectors += tally->weight * sectors;
    row->lines += tally->weight * l1.lines;
    row->l1_passes += tally->weight * l1.passes;
    row->warp_accesses += tally->weight;
    row->lane_accesses += tally->weight * lanes;
    tally->recorded += lanes;
    return true;
}

bool tally_add_block(struct tally *tally, unsigned code)
{
    return tally->is_revisiting || block_counts_add(&tally->blocks, code, tally->program, tally->entry, tally->weight);
}

const struct block_counts *tally_blocks(const struct tally *tally)
{
    return &tally->blocks;
}

const struct tally_row *tally_rows(const struct tally *tally, size_t *count)
{
    *count = tally->row_count;
    return tally->rows;
}

struct partition_loads *tally_partitions(struct tally *tally)
{
    return &tally->partitions;
}

uint64_t tally_recorded(const struct tally *tally)
{
    return tally->recorded;
}
