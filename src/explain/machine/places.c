#include "explain/machine/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/compiled/compiled.h"
#include "explain/machine/request.h"
#include "explain/machine/words.h"
#include "explain/memory/kernel_text.h"
#include "explain/memory/l1_passes.h"

enum {
    TIMES = 32, /* executions of a warp's instruction that are all looked at; behind them one in STEP */
    STEP = 8,
    BULK_UNIT = 16,
    WARP_BIT = 48, /* above all addresses */
    NO_ARGUMENT = -1,
    SHARED_WINDOW = 1 << 24, /* of a group: mapa adds its rank from this bit on */
};

struct memory_place {
    size_t instruction;
    unsigned address; /* number of the address, as in addresses_of */
    enum explain_space space;
    bool is_float, is_swap;    /* an atomic operation */
    bool is_bulk, has_unknown; /* has_unknown: some lane's address could not be worked out */
    unsigned kind, bytes;
    double bulk_bytes;
    /* Sums: over executions whose addresses were counted, and over all. */
    double counted, executed, lanes;
    double requests, transactions, moved, first, warp_first, used, conflicts, lines, l1_passes, merged;
    int argument;
    struct warp_access sample;
};

static unsigned kind_of(const struct explain_instruction *instruction)
{
    return instruction->class == CODE_LOAD ? EVENT_LOAD : instruction->class == CODE_STORE ? EVENT_STORE : EVENT_ATOMIC;
}

static void add_place(struct machine_places *places, size_t instruction, unsigned address, enum explain_space space,
                      unsigned kind)
{
    const struct explain_instruction *code = &places->kernel->instructions[instruction];
    struct memory_place *place = &places->places[places->count];
    *place = (struct memory_place){.instruction = instruction,
                                   .address = address,
                                   .space = space,
                                   .kind = kind,
                                   .bytes = code->bits >= 8 ? (unsigned)code->bits / 8 : 4,
                                   .argument = NO_ARGUMENT};
    if (places->place_of[instruction] < 0)
        places->place_of[instruction] = (int)places->count;
    places->count++;
}

bool machine_places_make(struct machine_places *places, const struct machine_request *request,
                         const struct explain_kernel *kernel)
{
    char capability[16];
    struct error error;
    *places = (struct machine_places){.request = request, .kernel = kernel};
    snprintf(capability, sizeof capability, "%d.%d", request->compute / 10, request->compute % 10);
    places->places = calloc(2 * kernel->instruction_count + 1, sizeof *places->places);
    places->place_of = calloc(kernel->instruction_count + 1, sizeof *places->place_of);
    if (!places->places || !places->place_of ||
        memory_rules_of(capability, L1_DEFAULT, false, &places->rules, &error) != STATUS_OK)
        return false;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *code = &kernel->instructions[i];
        places->place_of[i] = -1;
        if (code->space == CODE_SHARED)
            add_place(places, i, 0, EXPLAIN_SHARED, kind_of(code));
        else if (code->space == CODE_STACK)
            add_place(places, i, 0, EXPLAIN_OWN, kind_of(code));
        else if (code->space == CODE_GLOBAL)
            add_place(places, i, 0, EXPLAIN_GLOBAL, kind_of(code));
        /* A copy to shared memory also stores there; a generic address may lie there. */
        if (code->space == CODE_GLOBAL && code->is_copy)
            add_place(places, i, 1, EXPLAIN_SHARED, EVENT_STORE);
        else if (code->space == CODE_GLOBAL && !code->is_bulk)
            add_place(places, i, 0, EXPLAIN_SHARED, kind_of(code));
    }
    return true;
}

void machine_places_free(struct machine_places *places)
{
    free(places->places);
    free(places->place_of);
    footprint_free(&places->loaded);
    footprint_free(&places->stored);
    footprint_free(&places->by_warps);
    contention_free(&places->addresses);
    contention_free(&places->slices);
    *places = (struct machine_places){.count = 0};
}

void machine_places_begin_group(struct machine_places *places)
{
    footprint_begin_group(&places->loaded);
    footprint_begin_group(&places->stored);
    footprint_begin_group(&places->by_warps);
}

/* ---- one execution ---- */

/* "LDGSTS [shared], desc[…][global]", "UBLKCP [shared], [global], units": the second address is loaded, the first
 * stored. Returns the lanes that know the address; *bulk are the bytes of a bulk copy. */
static uint32_t addresses_of(const struct machine_warp *warp, const struct machine_instruction *instruction,
                             unsigned which, uint64_t at[MACHINE_LANES], double *bulk)
{
    if (instruction->is_bulk) {
        struct operand from = instruction->operands[1];
        struct machine_register room;
        from.kind = OPERAND_UNIFORM;
        from.number = from.uniform;
        const struct machine_register *units = machine_read(warp, &instruction->operands[2], &room);
        *bulk = (double)units->words[0] * BULK_UNIT;
        return machine_read_wide(warp, &from, false, at) & units->known;
    }
    unsigned wanted = instruction->is_copy ? 1 - which : which, count = 0;
    for (size_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS && count++ == wanted)
            return machine_addresses(warp, &instruction->operands[i], at);
    return 0;
}

static int argument_at(const struct machine_places *places, uint64_t at)
{
    const struct recorded_launch *launch = places->request->launch;
    for (size_t i = 0; i < launch->argument_count; i++)
        if (at >= launch->arguments[i].value && at - launch->arguments[i].value < launch->arguments[i].array_bytes)
            return (int)i;
    return NO_ARGUMENT;
}

static void count_bulk(struct memory_place *place, double weight)
{
    bool is_shared = place->space == EXPLAIN_SHARED;
    place->requests += weight;
    place->transactions += weight * place->bulk_bytes / (is_shared ? 128 : 32);
    place->moved += weight * place->bulk_bytes;
    place->first += weight * place->bulk_bytes;
    place->warp_first += weight * place->bulk_bytes;
    place->used += weight * place->bulk_bytes;
    place->lines += is_shared ? 0 : weight * place->bulk_bytes / 128;
    place->l1_passes += is_shared ? 0 : weight * place->bulk_bytes / 128;
}

/* Bytes of the sectors that the group touches for the first time. Copies to shared memory pass L1 by. */
static double first_bytes_of(struct machine_places *places, const struct memory_place *place,
                             const struct warp_access *access, double moved)
{
    unsigned added = 0;
    bool is_copy = places->kernel->instructions[place->instruction].is_copy;
    struct footprint *group = place->kind == EVENT_STORE ? &places->stored : &places->loaded;
    if (place->space != EXPLAIN_GLOBAL || is_copy || !footprint_add(group, access, &added))
        return moved;
    return fmin(moved, (double)added * FOOTPRINT_SECTOR);
}

/* … that the warp itself touches for the first time: what another warp of the group has just asked for is on its way,
 * and both wait for it. */
static double warp_first_bytes_of(struct machine_places *places, const struct memory_place *place,
                                  const struct machine_warp *warp, const struct warp_access *access, double moved)
{
    struct warp_access own = *access;
    unsigned added = 0;
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        own.at[l] |= (uint64_t)warp->number << WARP_BIT;
    if (place->space != EXPLAIN_GLOBAL || place->kind != EVENT_LOAD || !footprint_add(&places->by_warps, &own, &added))
        return moved;
    return fmin(moved, (double)added * FOOTPRINT_SECTOR);
}

static void count_words(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                        const struct warp_access *access, double weight)
{
    struct access_counts counts = {.requests = 0};
    struct l1_counts l1 = l1_count(access);
    memory_rules_count(&places->rules, access, &counts);
    place->requests += weight * counts.requests;
    place->transactions += weight * counts.transactions;
    place->moved += weight * counts.bytes_moved;
    place->first += weight * first_bytes_of(places, place, access, counts.bytes_moved);
    place->warp_first += weight * warp_first_bytes_of(places, place, warp, access, counts.bytes_moved);
    place->used += weight * counts.bytes_used;
    place->conflicts += weight * counts.conflicts;
    place->lines += weight * l1.lines;
    place->l1_passes += weight * l1.passes;
    if (place->kind == EVENT_STORE && place->space == EXPLAIN_GLOBAL) {
        uint64_t first = access->at[__builtin_ctz(access->mask)] / FOOTPRINT_SECTOR;
        bool is_again =
            places->stored_sector == first && places->stored_count == counts.transactions && places->stored_by == warp;
        place->merged += is_again ? weight * counts.bytes_moved : 0;
        places->stored_sector = first;
        places->stored_count = counts.transactions;
        places->stored_by = warp;
    }
}

/* Lanes' own memory: words of the same place lie side by side, one of each lane, so wide words are several. */
static void count_own(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                      const struct warp_access *access, double weight)
{
    double requests = place->requests;
    unsigned bytes = access->bytes < 4 ? access->bytes : 4;
    for (unsigned w = 0; w < access->bytes; w += 4) {
        struct warp_access words = *access;
        words.bytes = bytes;
        for (unsigned l = 0; l < MACHINE_LANES; l++) {
            uint64_t at = access->at[l] + w;
            words.at[l] = (at / 4 * MACHINE_LANES + l) * 4 + at % 4;
        }
        count_words(places, place, warp, &words, weight);
    }
    place->requests = requests + weight;
}

#define SLICE 512 /* bytes of global memory in one slice of L2 */

static void count_contention(struct machine_places *places, const struct warp_access *access, double weight)
{
    uint64_t sectors[MACHINE_LANES];
    unsigned count = access_atomic_sectors(access, sectors);
    for (unsigned l = 0; l < MACHINE_LANES; l++)
        if (access->mask >> l & 1)
            contention_add(&places->addresses, access->at[l], weight);
    for (unsigned i = 0; i < count; i++)
        contention_add(&places->slices, sectors[i] * 32 / SLICE * SLICE, weight);
}

static void count_access(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                         const struct warp_access *access, double weight)
{
    uint64_t first = access->at[__builtin_ctz(access->mask)];
    place->lanes += weight * __builtin_popcount(access->mask);
    if (place->space == EXPLAIN_GLOBAL && place->argument == NO_ARGUMENT)
        place->argument = argument_at(places, first);
    if (__builtin_popcount(access->mask) > __builtin_popcount(place->sample.mask))
        place->sample = *access;
    if (place->is_bulk)
        count_bulk(place, weight);
    else if (place->space == EXPLAIN_OWN)
        count_own(places, place, warp, access, weight);
    else
        count_words(places, place, warp, access, weight);
    if (place->kind == EVENT_ATOMIC && place->space == EXPLAIN_GLOBAL)
        count_contention(places, access, weight);
}

/* Those of `lanes` that access the place's memory: generic addresses below the buffers' are shared memory, the group's
 * own or, from the end of a group's window on, that of others of its cluster, which no place counts. */
static uint32_t lanes_in_space(const struct machine_places *places, const struct memory_place *place,
                               const struct machine_instruction *instruction, const uint64_t at[MACHINE_LANES],
                               uint32_t lanes)
{
    const struct explain_instruction *code = &places->kernel->instructions[place->instruction];
    const bool is_shared = place->space == EXPLAIN_SHARED;
    uint32_t in_space = 0;
    if (code->space != CODE_GLOBAL || (is_shared && code->is_copy))
        return lanes;
    if (is_shared && !machine_is_generic(instruction))
        return 0;
    EACH_LANE(l)
    in_space |= (uint32_t)(is_shared ? at[l] < SHARED_WINDOW : at[l] >= MACHINE_FIRST_ADDRESS) << l;
    return lanes & in_space;
}

/* A predicated-off lane makes no access. An execution without active lanes counts as no access. */
static void look_at(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                    double weight)
{
    const struct machine_instruction *instruction = &warp->code->instructions[place->instruction];
    struct warp_access access = {
        .is_shared = place->space == EXPLAIN_SHARED, .kind = place->kind, .bytes = place->bytes};
    uint32_t unknown, lanes = machine_warp_lanes(warp, instruction, &unknown);
    uint32_t known = addresses_of(warp, instruction, place->address, access.at, &place->bulk_bytes);
    place->has_unknown |= (lanes & ~known) != 0;
    access.mask = lanes_in_space(places, place, instruction, access.at, lanes & known);
    place->is_bulk = instruction->is_bulk;
    place->is_float = strstr(instruction->words, ".F") != NULL;
    place->is_swap = machine_has_word(instruction, "CAS");
    if (instruction->is_bulk)
        access.mask &= 0 - access.mask; /* one lane copies */
    if (access.mask) {
        place->counted += weight;
        count_access(places, place, warp, &access, weight);
    } else if (!(lanes & ~known)) {
        place->counted += weight;
    }
}

/* One execution in STEP, in no rhythm: what a loop does in every second or fourth round has its share. */
static bool is_chosen(size_t time)
{
    return (uint32_t)time * 2654435769u / (UINT32_MAX / STEP + 1) == 0;
}

void machine_places_add(struct machine_places *places, const struct machine_warp *warp, size_t instruction, size_t time,
                        double weight)
{
    for (int p = places->place_of[instruction]; p >= 0 && (size_t)p < places->count; p++) {
        struct memory_place *place = &places->places[p];
        if (place->instruction != instruction)
            return;
        place->executed += weight;
        if (time < TIMES || is_chosen(time))
            look_at(places, place, warp, time < TIMES ? weight : weight * STEP);
    }
}

bool machine_places_lack(const struct machine_places *places)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->places[p].has_unknown)
            return true;
    return false;
}

void machine_places_weigh(struct machine_places *places, size_t instruction, double times)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->places[p].instruction == instruction)
            places->places[p].executed *= times;
}

/* ---- results ---- */

static void name_array(const struct machine_places *places, const struct memory_place *place,
                       struct explain_access *access)
{
    const struct recorded_launch *launch = places->request->launch;
    struct kernel_signature entries[KERNEL_ENTRIES_MAX];
    if (place->space != EXPLAIN_GLOBAL || place->argument < 0) {
        snprintf(access->array, sizeof access->array, "%s",
                 place->space == EXPLAIN_GLOBAL                             ? "?"
                 : place->space == EXPLAIN_OWN                              ? "own memory"
                 : places->kernel->instructions[place->instruction].is_copy ? "copied to shared memory"
                                                                            : "shared memory");
        return;
    }
    access->array_bytes = (double)launch->arguments[place->argument].array_bytes;
    snprintf(access->array, sizeof access->array, "argument %d", place->argument + 1);
    size_t count = kernel_text_signatures(places->request->source, entries);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, launch->entry) == 0 && (size_t)place->argument < entries[i].parameter_count)
            snprintf(access->array, sizeof access->array, "%s", entries[i].parameters[place->argument].name);
}

static bool is_same(const struct explain_access *a, const struct explain_access *b)
{
    return a->line == b->line && a->space == b->space && a->operation == b->operation && a->bytes == b->bytes &&
           strcmp(a->array, b->array) == 0;
}

static void add_result(const struct machine_places *places, const struct memory_place *place,
                       struct explain_kernel *kernel)
{
    double all = place->counted > 0 ? place->executed / place->counted : 0;
    struct explain_access access = {
        .line = kernel->instructions[place->instruction].line,
        .space = place->space,
        .operation = place->kind == EVENT_LOAD    ? EXPLAIN_LOAD
                     : place->kind == EVENT_STORE ? EXPLAIN_STORE
                                                  : EXPLAIN_ATOMIC,
        .bytes = place->bytes,
    };
    if (place->requests == 0)
        return;
    if (place->is_bulk)
        access.bytes = (unsigned)(place->moved / place->counted);
    snprintf(access.file, sizeof access.file, "%s", kernel->file);
    snprintf(access.kernel, sizeof access.kernel, "%s", kernel->name);
    name_array(places, place, &access);
    size_t i = 0;
    while (i < kernel->access_count && !is_same(&kernel->accesses[i], &access))
        i++;
    struct explain_access *into = &kernel->accesses[i];
    if (i == kernel->access_count) {
        *into = access;
        kernel->access_count++;
    }
    into->warp_accesses += all * place->counted;
    into->items_percent += all * place->lanes;
    into->first_bytes += all * place->first;
    into->awaited_bytes += all * place->warp_first;
    into->lines += all * place->lines;
    into->l1_passes += all * place->l1_passes;
    into->merged_bytes += all * place->merged;
    into->counts[0].requests += all * place->requests;
    into->counts[0].transactions += all * place->transactions;
    into->counts[0].bytes_moved += all * place->moved;
    into->counts[0].bytes_used += all * place->used;
    into->counts[0].conflicts += all * place->conflicts;
    if (place->kind == EVENT_ATOMIC && place->space == EXPLAIN_GLOBAL) {
        into->hottest = contention_most(&places->addresses);
        into->hottest_slice = contention_most(&places->slices);
        into->is_float_atomic |= place->is_float;
        into->is_swap |= place->is_swap;
    }
    if (!place->is_bulk && __builtin_popcount(place->sample.mask) > __builtin_popcount(into->sample.mask))
        into->sample = place->sample;
}

static double quotient(double a, double b)
{
    return b > 0 ? a / b : 0;
}

bool machine_places_results(const struct machine_places *places, struct explain_kernel *kernel)
{
    kernel->accesses = calloc(places->count + 1, sizeof *kernel->accesses);
    if (!kernel->accesses)
        return false;
    for (size_t p = 0; p < places->count; p++) {
        kernel->instructions[places->places[p].instruction].is_at_unknown |= places->places[p].has_unknown;
        add_result(places, &places->places[p], kernel);
    }
    for (size_t i = 0; i < kernel->access_count; i++) {
        struct explain_access *access = &kernel->accesses[i];
        struct explain_counts *counts = &access->counts[0];
        access->items_percent = quotient(100 * access->items_percent, 32 * access->warp_accesses);
        counts->per_request = quotient(counts->transactions, counts->requests);
        counts->bytes_used_percent = quotient(100 * counts->bytes_used, counts->bytes_moved);
        counts->conflicts_per_request = quotient(counts->conflicts, counts->requests);
    }
    return true;
}
