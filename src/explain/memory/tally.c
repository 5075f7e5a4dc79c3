/* Most accesses repeat a pattern: equal distances between lanes, at the same offset in a line of 256 bytes. A pattern's
 * counts are cached, as counting takes a microsecond. */
#include "explain/memory/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "explain/memory/buffers.h"

enum {
    PATTERNS = 4096,     /* cached patterns: a power of two */
    ROW_SLOTS = 1 << 15, /* slots of the table from a code to its rows: a power of two */
    PATTERN_LINE = 256,  /* no rule depends on a longer alignment */
    INACTIVE = INT32_MIN,
};

struct pattern {
    int32_t distance[WARP_LANES]; /* from the line of the first active lane */
    uint32_t kind;                /* the event's flags: kind, bytes and space of the access; 0: a free entry */
    struct l1_counts l1;
    struct access_counts counts[EXPLAIN_RULES_MAX];
};

struct tally {
    struct memory_rules rules[EXPLAIN_RULES_MAX];
    size_t rule_count;
    struct pattern *patterns;
    struct tally_row *rows;
    size_t row_count;
    uint32_t *row_of; /* index + 1 */
    struct footprint footprint;
    struct partition_loads partitions;
    struct revisits revisits;
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
    if (!made->patterns || !made->row_of || rule_count > EXPLAIN_RULES_MAX) {
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
    if (tally->row_count >= ROW_SLOTS / 2 || !array_grow(&tally->rows, tally->row_count, sizeof *tally->rows))
        return NULL;
    return &tally->rows[tally->row_count++];
}

/* The array in shared memory is found later, from the offset of its first access: arrays do not move. `access`: NULL of
 * a basic block. */
static struct tally_row *find_row(struct tally *tally, unsigned code, const struct warp_access *access)
{
    const uint64_t first = access ? access->at[__builtin_ctz(access->mask)] : 0;
    const bool is_global = access && !access->is_shared;
    int argument = is_global ? find_argument(tally, first, access->kind != EVENT_LOAD) : NO_ARGUMENT;
    uint32_t slot = hash_word(hash_word(code, (uint32_t)argument), (uint32_t)((uintptr_t)tally->program >> 4));
    for (;; slot++) {
        uint32_t *entry = &tally->row_of[slot & (ROW_SLOTS - 1)];
        struct tally_row *row = *entry ? &tally->rows[*entry - 1] : NULL;
        if (row && row->code == code && (!is_global || row->argument == argument) && row->program == tally->program &&
            strcmp(row->entry, tally->entry) == 0)
            return row;
        if (row)
            continue;
        if (!(row = add_row(tally)))
            return NULL;
        *row = (struct tally_row){
            .code = code, .argument = access && access->is_shared ? (int)first : argument, .program = tally->program};
        if (argument != NO_ARGUMENT)
            row->sums.array_bytes = (double)(tally->arguments[argument].end - tally->arguments[argument].begin);
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
    struct tally_row *row = find_row(tally, code, access);
    if (!row)
        return false;
    struct access_counts fresh[EXPLAIN_RULES_MAX];
    struct l1_counts l1;
    const struct access_counts *counts = count(tally, access, first, code & ((1u << EVENT_FLAG_BITS) - 1), fresh, &l1);
    for (size_t i = 0; i < tally->rule_count; i++)
        explain_counts_add(&row->sums.counts[i], &counts[i], tally->weight);
    if (!access->is_shared && tally->rule_count > 0)
        partition_add(&tally->partitions, access, counts[0].bytes_moved);
    unsigned sectors = 0;
    if (!access->is_shared && !footprint_add(&tally->footprint, access, &sectors))
        return false;
    explain_access_count(&row->sums, access, tally->weight);
    row->sums.lines += tally->weight * l1.lines;
    row->sums.l1_passes += tally->weight * l1.passes;
    row->sums.first_bytes += tally->weight * FOOTPRINT_SECTOR * sectors;
    row->sums.warp_accesses += tally->weight;
    tally->recorded += (unsigned)__builtin_popcount(access->mask);
    return true;
}

void tally_add_block(struct tally *tally, unsigned code)
{
    struct tally_row *row = tally->is_revisiting ? NULL : find_row(tally, code, NULL);
    if (row)
        row->sums.warp_accesses += tally->weight;
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
