#include "explain/causes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Causes: what loads, stores and atomic operations show. */

#define SECTOR 32.0
#define PAGE 65536.0  /* a distance that no translation spans for two items */
#define USED_WELL 0.6 /* of the bytes moved: no cause is looked for */
#define TILE 16.0     /* items that share what one loads, by a tile in shared memory */
#define ITEM_BYTES 16.0

static size_t kernel_of(const struct explanation *explanation, const struct explain_access *access)
{
    size_t k = 0;
    while (k < explanation->compiled.kernel_count && !explain_is_access_of(access, &explanation->compiled.kernels[k]))
        k++;
    return k;
}

/* One cause for each array and kind of access: its line is the one with most transactions. */
static struct explain_cause *add(struct cause_search *search, enum explain_cause_kind kind,
                                 const struct explain_access *access)
{
    size_t kernel = kernel_of(search->explanation, access);
    struct explain_cause *cause = NULL;
    if (kernel == search->explanation->compiled.kernel_count)
        return NULL;
    for (size_t i = 0; i < search->count && !cause; i++)
        if (search->found[i].kind == kind && search->found[i].kernel == kernel &&
            search->found[i].operation == access->operation && search->found[i].space == access->space &&
            strcmp(search->found[i].array, access->array) == 0)
            cause = &search->found[i];
    if (cause && cause->weight >= access->counts[0].transactions)
        return NULL;
    cause = cause ? cause : cause_add(search, kind, kernel);
    if (!cause)
        return NULL;
    cause->line = access->line;
    cause->operation = access->operation;
    cause->space = access->space;
    cause->weight = access->counts[0].transactions;
    snprintf(cause->array, sizeof cause->array, "%s", access->array);
    return cause;
}

static bool is_at(const struct explain_cause *cause, const struct explain_kernel *kernel,
                  const struct explain_access *access)
{
    return access->operation == cause->operation && access->space == cause->space &&
           strcmp(access->array, cause->array) == 0 && explain_is_access_of(access, kernel);
}

/* Bytes from each lane's word to the next lane's; the commonest, and whether most lanes have it. */
static double distance_of(const struct warp_access *access, bool *is_regular)
{
    double commonest = 0;
    int most = 0, pairs = 0;
    for (int l = 0; l + 1 < WARP_LANES; l++) {
        if ((access->mask >> l & 3) != 3)
            continue;
        int same = 0;
        for (int o = 0; o + 1 < WARP_LANES; o++)
            same +=
                (access->mask >> o & 3) == 3 && access->at[o + 1] - access->at[o] == access->at[l + 1] - access->at[l];
        pairs++;
        if (same > most) {
            most = same;
            commonest = fabs((double)(int64_t)(access->at[l + 1] - access->at[l]));
        }
    }
    *is_regular = 2 * most >= pairs;
    return commonest;
}

/* Bytes that would be moved if neighbouring items had neighbouring words. */
static double least_moved(const struct explain_access *access)
{
    return fmax(access->counts[0].requests * SECTOR, access->counts[0].bytes_used);
}

static void find_uncoalesced(struct cause_search *search, const struct explain_access *access)
{
    const struct explain_counts *counts = &access->counts[0];
    bool is_regular = true;
    double distance = distance_of(&access->sample, &is_regular);
    if (access->space != EXPLAIN_GLOBAL || access->operation == EXPLAIN_ATOMIC || counts->requests <= 0 ||
        least_moved(access) > USED_WELL * counts->bytes_moved)
        return;
    struct explain_cause *cause = add(search,
                                      !is_regular        ? CAUSE_SCATTERED
                                      : distance >= PAGE ? CAUSE_PAGES
                                                         : CAUSE_UNCOALESCED,
                                      access);
    if (!cause)
        return;
    cause->before = counts->transactions / counts->requests;
    cause->after = cause->before * least_moved(access) / counts->bytes_moved;
    cause->distance = distance;
}

static void find_banks(struct cause_search *search, const struct explain_access *access)
{
    const struct explain_counts *counts = &access->counts[0];
    struct explain_cause *cause = NULL;
    if (access->space != EXPLAIN_SHARED || counts->requests <= 0 || counts->transactions < 1.5 * counts->requests)
        return;
    double least = access->operation == EXPLAIN_ATOMIC ? counts->requests : counts->transactions - counts->conflicts;
    if (least < counts->transactions)
        cause = add(search, access->operation == EXPLAIN_ATOMIC ? CAUSE_SHARED_ATOMICS : CAUSE_BANKS, access);
    if (!cause)
        return;
    cause->before = counts->transactions / counts->requests;
    cause->after = fmax(1, least / counts->requests);
}

/* One operation for each group and address would do. */
static void find_atomics(struct cause_search *search, const struct explain_access *access)
{
    size_t kernel = kernel_of(search->explanation, access);
    if (access->space != EXPLAIN_GLOBAL || access->operation != EXPLAIN_ATOMIC ||
        kernel == search->explanation->compiled.kernel_count || access->hottest < 2)
        return;
    const struct explain_kernel *of = &search->explanation->compiled.kernels[kernel];
    double groups = explain_kernel_groups(of) * (double)of->launches;
    double units = fmax(1, search->request->target->units);
    struct explain_cause *cause = add(search, CAUSE_ATOMICS, access);
    if (!cause)
        return;
    cause->before = access->hottest;
    cause->after = access->hottest > 1.5 * groups ? groups : fmin(access->hottest, units);
}

/* The items of a launch load the array's bytes again and again. */
static void find_reuse(struct cause_search *search, const struct explain_access *access)
{
    bool is_regular = true;
    double bytes = access->warp_accesses * WARP_LANES * access->items_percent / 100 * access->bytes;
    size_t kernel = kernel_of(search->explanation, access);
    distance_of(&access->sample, &is_regular);
    if (access->space != EXPLAIN_GLOBAL || access->operation != EXPLAIN_LOAD || access->array_bytes <= 0 ||
        !is_regular || least_moved(access) <= USED_WELL * access->counts[0].bytes_moved ||
        kernel == search->explanation->compiled.kernel_count)
        return;
    double times = bytes / access->array_bytes / (double)search->explanation->compiled.kernels[kernel].launches;
    struct explain_cause *cause = times >= 4 ? add(search, CAUSE_REUSE, access) : NULL;
    if (!cause)
        return;
    cause->before = times;
    cause->after = fmax(1, times / TILE);
}

static void find_narrow(struct cause_search *search, const struct explain_access *access)
{
    bool is_regular = true;
    double distance = distance_of(&access->sample, &is_regular);
    if (access->space != EXPLAIN_GLOBAL || access->operation == EXPLAIN_ATOMIC || access->bytes > 4 || !is_regular ||
        distance > ITEM_BYTES || distance == 0)
        return;
    struct explain_cause *cause = add(search, CAUSE_NARROW, access);
    if (!cause)
        return;
    cause->before = access->bytes;
    cause->after = fmin(4.0 * access->bytes, ITEM_BYTES);
}

static void causes_of_accesses(struct cause_search *search)
{
    const struct explain_trace *trace = &search->explanation->trace;
    for (size_t a = 0; a < trace->access_count; a++) {
        find_uncoalesced(search, &trace->accesses[a]);
        find_banks(search, &trace->accesses[a]);
        find_atomics(search, &trace->accesses[a]);
        find_reuse(search, &trace->accesses[a]);
        find_narrow(search, &trace->accesses[a]);
    }
}

/* ---- remedies ---- */

static void coalesce(struct explain_access *access)
{
    struct explain_counts *counts = &access->counts[0];
    double moved = least_moved(access);
    if (moved >= counts->bytes_moved)
        return;
    counts->transactions *= moved / counts->bytes_moved;
    counts->bytes_moved = moved;
    access->lines = fmin(access->lines, fmax(counts->requests, moved / 128));
    access->l1_passes = fmin(access->l1_passes, fmax(counts->requests, moved / 128));
    access->first_bytes = fmin(access->first_bytes, moved);
    access->awaited_bytes = fmin(access->awaited_bytes, moved);
    access->merged_bytes = fmin(access->merged_bytes, moved);
}

static bool is_load_at(const struct explain_instruction *one, int line)
{
    return one->line == line && one->class == CODE_LOAD && one->space == CODE_GLOBAL;
}

/* The line loads from a tile of shared memory, which is filled with a part of the loads. */
static void share(struct what_if *what_if, const struct explain_cause *cause, struct explain_access *access)
{
    double part = cause->after / cause->before;
    struct explain_kernel *kernel = &what_if->compiled.kernels[cause->kernel];
    struct explain_access *tile = what_if->added;
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (is_load_at(&kernel->instructions[i], access->line))
            kernel->instructions[i].space = CODE_SHARED;
    if (tile->kernel[0] == '\0') { /* one for all lines of the array */
        *tile = *access;
        tile->space = EXPLAIN_SHARED;
        tile->counts[0] =
            (struct explain_counts){.requests = access->counts[0].requests, .transactions = access->counts[0].requests};
        what_if->trace.access_count++;
    } else
        tile->counts[0].transactions += access->counts[0].requests;
    coalesce(access);
    what_if_thin(access, part);
}

static void widen(struct what_if *what_if, const struct explain_cause *cause, struct explain_access *access)
{
    double part = cause->before / cause->after;
    struct explain_kernel *kernel = &what_if->compiled.kernels[cause->kernel];
    enum code_class class = access->operation == EXPLAIN_LOAD ? CODE_LOAD : CODE_STORE;
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].line == access->line && kernel->instructions[i].class == class && kernel->executed)
            kernel->executed[i] *= part; /* a warp waits for the wide one as long */
    access->counts[0].requests *= part;
    access->l1_passes = fmax(access->l1_passes * part, access->counts[0].bytes_moved / 128);
    access->lines = fmax(access->lines * part, access->counts[0].bytes_moved / 128);
    access->merged_bytes = 0;
    access->counts[0].bytes_moved -= fmax(0, access->counts[0].bytes_moved - access->counts[0].bytes_used) / 2;
}

static void combine(struct what_if *what_if, const struct explain_cause *cause, struct explain_access *access)
{
    double part = cause->after / cause->before;
    struct explain_kernel *kernel = &what_if->compiled.kernels[cause->kernel];
    for (size_t i = 0; i < kernel->instruction_count; i++)
        if (kernel->instructions[i].line == access->line && kernel->instructions[i].class == CODE_ATOMIC)
            what_if_scale(kernel, i, part);
    what_if_thin(access, part);
}

static void change(struct what_if *what_if, const struct explain_cause *cause, struct explain_access *access)
{
    switch (cause->kind) {
    case CAUSE_UNCOALESCED:
    case CAUSE_PAGES:
    case CAUSE_SCATTERED:
        coalesce(access);
        break;
    case CAUSE_BANKS:
        access->counts[0].transactions -= access->counts[0].conflicts;
        break;
    case CAUSE_SHARED_ATOMICS:
        access->counts[0].transactions = access->counts[0].requests;
        break;
    case CAUSE_ATOMICS:
        combine(what_if, cause, access);
        break;
    case CAUSE_REUSE:
        share(what_if, cause, access);
        break;
    case CAUSE_NARROW:
        widen(what_if, cause, access);
        break;
    default:
        break;
    }
}

/* Changes the counts as the remedy would; nothing where the cause is not one of these. */
static void cause_remedy_accesses(struct what_if *what_if, const struct explain_cause *cause)
{
    size_t count = what_if->trace.access_count;
    for (size_t a = 0; a < count; a++)
        if (is_at(cause, &what_if->compiled.kernels[cause->kernel], &what_if->trace.accesses[a]))
            change(what_if, cause, &what_if->trace.accesses[a]);
}

#define GAIN_LEAST 1.05

const char *const explain_cause_keys[CAUSES] = {
    [CAUSE_UNCOALESCED] = "uncoalesced",
    [CAUSE_PAGES] = "page-strides",
    [CAUSE_SCATTERED] = "scattered",
    [CAUSE_BANKS] = "bank-conflicts",
    [CAUSE_FP64] = "double-precision",
    [CAUSE_SPILLS] = "spills",
    [CAUSE_LOCAL_ARRAY] = "local-array",
    [CAUSE_RECURSION] = "calls",
    [CAUSE_ATOMICS] = "atomics",
    [CAUSE_SHARED_ATOMICS] = "shared-atomics",
    [CAUSE_DIVERGENCE] = "divergence",
    [CAUSE_DIVISION] = "integer-division",
    [CAUSE_NARROW] = "narrow",
    [CAUSE_REUSE] = "missing-reuse",
    [CAUSE_OCCUPANCY] = "occupancy",
    [CAUSE_FEW_ITEMS] = "few-items",
    [CAUSE_CHAIN] = "dependent-chain",
    [CAUSE_BARRIERS] = "barriers",
    [CAUSE_SPECIAL] = "special-functions",
    [CAUSE_GROUPS] = "group-starts",
    [CAUSE_TAIL] = "tail",
    [CAUSE_LAUNCH] = "launches",
};

static void predict(const struct cause_search *search, struct explain_cause *cause)
{
    const struct explain_model *model = &search->explanation->model;
    struct what_if what_if;
    cause->predicted_ns = model->predicted_ns;
    if (cause->kind == CAUSE_TAIL || cause->kind == CAUSE_LAUNCH)
        cause->predicted_ns -= cause->kind == CAUSE_TAIL ? model->ns[RESOURCE_TAIL] : cause->before - cause->after;
    else if (what_if_begin(search->request, search->explanation, &what_if)) {
        cause_remedy_accesses(&what_if, cause);
        cause_remedy_code(&what_if, cause);
        cause->predicted_ns = what_if_time(&what_if);
    }
    if (cause->kind != CAUSE_TAIL && cause->kind != CAUSE_LAUNCH)
        what_if_end(&what_if);
    cause->gain = cause->predicted_ns > 0 ? model->predicted_ns / cause->predicted_ns : 1;
}

size_t explain_causes(const struct explanation_request *request, const struct explanation *explanation,
                      struct explain_cause causes[EXPLAIN_CAUSES_MAX])
{
    struct cause_search search = {.request = request, .explanation = explanation};
    size_t count = 0;
    if (explanation->refusal[0] || request->rung->kind != RUNG_DEVICE || explanation->model.predicted_ns <= 0)
        return 0;
    causes_of_accesses(&search);
    causes_of_code(&search);
    for (size_t i = 0; i < search.count; i++) {
        struct explain_cause *one = &search.found[i];
        predict(&search, one);
        if (one->gain < GAIN_LEAST)
            continue;
        size_t at = count < EXPLAIN_CAUSES_MAX ? count++ : EXPLAIN_CAUSES_MAX;
        for (; at > 0 && causes[at - 1].gain < one->gain; at--)
            if (at < EXPLAIN_CAUSES_MAX)
                causes[at] = causes[at - 1];
        if (at < EXPLAIN_CAUSES_MAX)
            causes[at] = *one;
    }
    return count;
}
