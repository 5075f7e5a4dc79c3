#include "explain/machine/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/compiled/compiled.h"
#include "explain/machine/request.h"
#include "explain/memory/kernel_text.h"
#include "explain/memory/l1_passes.h"

enum {
    TIMES = 16, /* executions per warp and instruction whose addresses are stored */
    BULK_UNIT = 16,
    NO_ARGUMENT = -1,
};

struct memory_place {
    size_t instruction;
    unsigned address;                     /* number of the address, as in machine_places_of */
    bool is_shared, is_bulk, has_unknown; /* has_unknown: some lane's address could not be worked out */
    unsigned kind, bytes;
    struct warp_access seen[TIMES];
    double bulk_bytes;
    /* Sums: over executions whose addresses were counted, and over all. */
    double counted, executed, lanes;
    double requests, transactions, moved, first, used, conflicts, lines, l1_passes;
    int argument;
};

static unsigned kind_of(const struct explain_instruction *instruction)
{
    return instruction->class == CODE_LOAD ? EVENT_LOAD : instruction->class == CODE_STORE ? EVENT_STORE : EVENT_ATOMIC;
}

static void add_place(struct machine_places *places, size_t instruction, unsigned address, bool is_shared,
                      unsigned kind)
{
    const struct explain_instruction *one = &places->kernel->instructions[instruction];
    struct memory_place *place = &places->places[places->count];
    *place = (struct memory_place){.instruction = instruction,
                                   .address = address,
                                   .is_shared = is_shared,
                                   .kind = kind,
                                   .bytes = one->bits >= 8 ? (unsigned)one->bits / 8 : 4,
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
        const struct explain_instruction *one = &kernel->instructions[i];
        places->place_of[i] = -1;
        if (one->space == CODE_SHARED)
            add_place(places, i, 0, true, kind_of(one));
        else if (one->space == CODE_GLOBAL)
            add_place(places, i, 0, false, kind_of(one));
        /* A copy to shared memory also stores there. */
        if (one->space == CODE_GLOBAL && one->is_copy)
            add_place(places, i, 1, true, EVENT_STORE);
    }
    return true;
}

void machine_places_free(struct machine_places *places)
{
    free(places->places);
    free(places->place_of);
    footprint_free(&places->loaded);
    footprint_free(&places->stored);
    *places = (struct machine_places){.count = 0};
}

bool machine_places_wants(const struct machine_places *places, size_t instruction)
{
    return places->place_of[instruction] >= 0;
}

/* "LDGSTS [shared], desc[…][global]", "UBLKCP [shared], [global], units": the second address is loaded, the first
 * stored. Bulk copies store their size above the address's 49 bits. */
unsigned machine_places_of(const struct machine_thread *thread, const struct machine_instruction *instruction,
                           uint64_t addresses[2])
{
    unsigned known = 0, count = 0;
    uint64_t found[2] = {0, 0};
    if (instruction->is_bulk) {
        struct operand from = instruction->operands[1];
        from.kind = OPERAND_UNIFORM;
        from.number = from.uniform;
        struct machine_word units = machine_read(thread, &instruction->operands[2]);
        bool is_known = machine_read_wide(thread, &from, false, &addresses[0]) && units.is_known;
        addresses[0] |= (uint64_t)units.value << 49;
        addresses[1] = addresses[0];
        return is_known ? 3 : 0;
    }
    for (size_t i = 0; i < instruction->operand_count && count < 2; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS) {
            known |= (unsigned)machine_address(thread, &instruction->operands[i], &found[count]) << count;
            count++;
        }
    addresses[0] = found[instruction->is_copy];
    addresses[1] = found[!instruction->is_copy];
    return instruction->is_copy ? (known >> 1 & 1) | (known & 1) << 1 : known;
}

/* ---- a warp ---- */

void machine_places_begin_group(struct machine_places *places)
{
    footprint_begin_group(&places->loaded);
    footprint_begin_group(&places->stored);
}

void machine_places_begin_warp(struct machine_places *places)
{
    for (size_t p = 0; p < places->count; p++) {
        places->places[p].bulk_bytes = 0;
        for (size_t t = 0; t < TIMES; t++)
            places->places[p].seen[t].mask = 0;
    }
}

static struct memory_place *next_place(struct machine_places *places, size_t instruction, struct memory_place *place)
{
    if (!place)
        return places->place_of[instruction] < 0 ? NULL : &places->places[places->place_of[instruction]];
    place++;
    return place < places->places + places->count && place->instruction == instruction ? place : NULL;
}

void machine_places_add(struct machine_places *places, size_t instruction, size_t time, unsigned lane, unsigned known,
                        const uint64_t addresses[2])
{
    for (struct memory_place *place = NULL; (place = next_place(places, instruction, place)) != NULL;) {
        place->has_unknown |= !(known >> place->address & 1);
        if (!(known >> place->address & 1) || time >= TIMES)
            continue;
        uint64_t at = addresses[place->address];
        if (places->kernel->instructions[instruction].is_bulk) {
            place->is_bulk = true;
            place->bulk_bytes = (double)(at >> 49) * BULK_UNIT;
            at &= ((uint64_t)1 << 49) - 1;
        }
        struct warp_access *access = &place->seen[time];
        access->is_shared = place->is_shared;
        access->kind = place->kind;
        access->bytes = place->bytes;
        access->mask |= 1u << lane;
        access->at[lane] = at;
    }
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
    place->requests += weight;
    place->transactions += weight * place->bulk_bytes / (place->is_shared ? 128 : 32);
    place->moved += weight * place->bulk_bytes;
    place->first += weight * place->bulk_bytes;
    place->used += weight * place->bulk_bytes;
    place->lines += place->is_shared ? 0 : weight * place->bulk_bytes / 128;
    place->l1_passes += place->is_shared ? 0 : weight * place->bulk_bytes / 128;
}

/* Bytes of the sectors that the group touches for the first time. Copies to shared memory pass L1 by. */
static double first_bytes_of(struct machine_places *places, const struct memory_place *place,
                             const struct warp_access *access, double moved)
{
    unsigned added = 0;
    bool is_copy = places->kernel->instructions[place->instruction].is_copy;
    struct footprint *group = place->kind == EVENT_STORE ? &places->stored : &places->loaded;
    if (place->is_shared || is_copy || !footprint_add(group, access, &added))
        return moved;
    return fmin(moved, (double)added * FOOTPRINT_SECTOR);
}

static void count_access(struct machine_places *places, struct memory_place *place, const struct warp_access *access,
                         double weight)
{
    struct access_counts counts = {.requests = 0};
    uint64_t first = access->at[__builtin_ctz(access->mask)];
    place->counted += weight;
    place->lanes += weight * __builtin_popcount(access->mask);
    if (!place->is_shared && place->argument == NO_ARGUMENT)
        place->argument = argument_at(places, first);
    if (place->is_bulk) {
        count_bulk(place, weight);
        return;
    }
    struct l1_counts l1 = l1_count(access);
    memory_rules_count(&places->rules, access, &counts);
    place->requests += weight * counts.requests;
    place->transactions += weight * counts.transactions;
    place->moved += weight * counts.bytes_moved;
    place->first += weight * first_bytes_of(places, place, access, counts.bytes_moved);
    place->used += weight * counts.bytes_used;
    place->conflicts += weight * counts.conflicts;
    place->lines += weight * l1.lines;
    place->l1_passes += weight * l1.passes;
}

/* A predicated-off lane makes no access. An execution without active lanes counts as no access. */
void machine_places_end_warp(struct machine_places *places, const double *executed, double weight)
{
    for (size_t p = 0; p < places->count; p++) {
        struct memory_place *place = &places->places[p];
        double times = executed[place->instruction], seen = times < TIMES ? times : TIMES;
        place->executed += weight * times;
        for (size_t t = 0; t < (size_t)seen; t++) {
            if (place->seen[t].mask)
                count_access(places, place, &place->seen[t], weight * times / seen);
            else
                place->counted += weight * times / seen;
        }
    }
}

bool machine_places_lack(const struct machine_places *places, const double *executed)
{
    for (size_t p = 0; p < places->count; p++)
        if (places->places[p].counted == 0 && executed[places->places[p].instruction] > 0)
            return true;
    return false;
}

void machine_places_pass(struct machine_places *places, const double *executed, double weight)
{
    for (size_t p = 0; p < places->count; p++)
        places->places[p].executed += weight * executed[places->places[p].instruction];
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
    if (place->is_shared || place->argument < 0) {
        snprintf(access->array, sizeof access->array, "%s",
                 !place->is_shared                                          ? "?"
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
        .space = place->is_shared ? EXPLAIN_SHARED : EXPLAIN_GLOBAL,
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
    into->lines += all * place->lines;
    into->l1_passes += all * place->l1_passes;
    into->counts[0].requests += all * place->requests;
    into->counts[0].transactions += all * place->transactions;
    into->counts[0].bytes_moved += all * place->moved;
    into->counts[0].bytes_used += all * place->used;
    into->counts[0].conflicts += all * place->conflicts;
    if (!place->is_bulk && __builtin_popcount(place->seen[0].mask) > __builtin_popcount(into->sample.mask))
        into->sample = place->seen[0];
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
