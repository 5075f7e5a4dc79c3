#include "explain/memory/accesses.h"

#include <math.h>
#include <string.h>

static const char *const space_names[] = {
    [EXPLAIN_GLOBAL] = "global", [EXPLAIN_SHARED] = "shared", [EXPLAIN_OWN] = "own"};
static const char *const operation_names[] = {
    [EXPLAIN_LOAD] = "load", [EXPLAIN_STORE] = "store", [EXPLAIN_ATOMIC] = "atomic"};

const char *explain_space_name(enum explain_space space)
{
    return space_names[space];
}

const char *explain_operation_name(enum explain_operation operation)
{
    return operation_names[operation];
}

void explain_access_count(struct explain_access *sum, const struct warp_access *access, double weight)
{
    const int lanes = __builtin_popcount(access->mask);
    sum->items_percent += weight * lanes;
    if (lanes > __builtin_popcount(sum->sample.mask))
        sum->sample = *access;
}

void explain_counts_add(struct explain_counts *sum, const struct access_counts *counts, double weight)
{
    sum->requests += weight * counts->requests;
    sum->transactions += weight * counts->transactions;
    sum->bytes_moved += weight * counts->bytes_moved;
    sum->bytes_used += weight * counts->bytes_used;
    sum->conflicts += weight * counts->conflicts;
}

static bool is_same(const struct explain_access *a, const struct explain_access *b)
{
    return a->line == b->line && a->space == b->space && a->operation == b->operation && a->bytes == b->bytes &&
           strcmp(a->array, b->array) == 0 && strcmp(a->file, b->file) == 0 && strcmp(a->kernel, b->kernel) == 0;
}

/* `own` times its sums, and `times` those of the other one. */
static void combine(struct explain_access *sum, double own, const struct explain_access *one, double times)
{
    sum->warp_accesses = own * sum->warp_accesses + times * one->warp_accesses;
    sum->items_percent = own * sum->items_percent + times * one->items_percent;
    sum->first_bytes = own * sum->first_bytes + times * one->first_bytes;
    sum->awaited_bytes = own * sum->awaited_bytes + times * one->awaited_bytes;
    sum->lines = own * sum->lines + times * one->lines;
    sum->l1_passes = own * sum->l1_passes + times * one->l1_passes;
    sum->merged_bytes = own * sum->merged_bytes + times * one->merged_bytes;
    for (size_t i = 0; i < EXPLAIN_RULES_MAX; i++) {
        struct explain_counts *counts = &sum->counts[i];
        const struct explain_counts *other = &one->counts[i];
        counts->requests = own * counts->requests + times * other->requests;
        counts->transactions = own * counts->transactions + times * other->transactions;
        counts->bytes_moved = own * counts->bytes_moved + times * other->bytes_moved;
        counts->bytes_used = own * counts->bytes_used + times * other->bytes_used;
        counts->conflicts = own * counts->conflicts + times * other->conflicts;
    }
}

void explain_access_add(struct explain_access *list, size_t *count, const struct explain_access *one, double times)
{
    size_t i = 0;
    while (i < *count && !is_same(&list[i], one))
        i++;
    struct explain_access *into = &list[i];
    if (i == *count) {
        *into = *one;
        combine(into, 0, one, times);
        ++*count;
        return;
    }
    combine(into, 1, one, times);
    into->array_bytes = fmax(into->array_bytes, one->array_bytes);
    into->is_float_atomic |= one->is_float_atomic;
    into->is_swap |= one->is_swap;
    if (__builtin_popcount(one->sample.mask) > __builtin_popcount(into->sample.mask))
        into->sample = one->sample;
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : 0;
}

void explain_accesses_complete(struct explain_access *list, size_t count)
{
    for (size_t a = 0; a < count; a++) {
        list[a].items_percent = quotient(100 * list[a].items_percent, WARP_LANES * list[a].warp_accesses);
        for (size_t i = 0; i < EXPLAIN_RULES_MAX; i++) {
            struct explain_counts *counts = &list[a].counts[i];
            counts->per_request = quotient(counts->transactions, counts->requests);
            counts->bytes_used_percent = quotient(100 * counts->bytes_used, counts->bytes_moved);
            counts->conflicts_per_request = quotient(counts->conflicts, counts->requests);
        }
    }
}
