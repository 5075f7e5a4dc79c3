#include "explain/machine/places.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/compiled/compiled.h"
#include "explain/machine/words.h"
#include "explain/memory/kernel_text.h"

enum {
    TIMES = 32, /* executions of a warp's instruction that are all looked at; behind them one in STEP */
    STEP = 8,
    BULK_UNIT = 16,
    WARP_BIT = 48,           /* above all addresses */
    SHARED_WINDOW = 1 << 24, /* of a group: mapa adds its rank from this bit on */
};

struct memory_place {
    size_t instruction;
    unsigned address;           /* number of the address, as in addresses_of */
    bool is_bulk, has_unknown;  /* has_unknown: some lane's address could not be worked out */
    double bulk_bytes;          /* … */
    double executed;            /* executions; of those whose addresses were counted: */
    struct explain_access sums; /* … */
};

static enum explain_operation operation_of(const struct explain_instruction *instruction)
{
    return instruction->class == CODE_LOAD    ? EXPLAIN_LOAD
           : instruction->class == CODE_STORE ? EXPLAIN_STORE
                                              : EXPLAIN_ATOMIC;
}

static void add_place(struct machine_places *places, size_t instruction, unsigned address, enum explain_space space,
                      enum explain_operation operation)
{
    const struct explain_instruction *code = &places->kernel->instructions[instruction];
    places->places[places->count] =
        (struct memory_place){.instruction = instruction,
                              .address = address,
                              .sums = {.line = code->line,
                                       .space = space,
                                       .operation = operation,
                                       .bytes = code->bits >= 8 ? (unsigned)code->bits / 8 : 4,
                                       .argument = NO_ARGUMENT}};
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
            add_place(places, i, 0, EXPLAIN_SHARED, operation_of(code));
        else if (code->space == CODE_STACK)
            add_place(places, i, 0, EXPLAIN_OWN, operation_of(code));
        else if (code->space == CODE_GLOBAL)
            add_place(places, i, 0, EXPLAIN_GLOBAL, operation_of(code));
        /* A copy to shared memory also stores there; a generic address may lie there. */
        if (code->space == CODE_GLOBAL && code->is_copy)
            add_place(places, i, 1, EXPLAIN_SHARED, EXPLAIN_STORE);
        else if (code->space == CODE_GLOBAL && !code->is_bulk)
            add_place(places, i, 0, EXPLAIN_SHARED, operation_of(code));
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
    struct explain_access *sums = &place->sums;
    const double bytes = weight * place->bulk_bytes;
    sums->counts[0].requests += weight;
    sums->counts[0].transactions += bytes / (sums->space == EXPLAIN_SHARED ? 128 : 32);
    sums->counts[0].bytes_moved += bytes;
    sums->counts[0].bytes_used += bytes;
    sums->first_bytes += bytes;
    sums->awaited_bytes += bytes;
    sums->lines += sums->space == EXPLAIN_SHARED ? 0 : bytes / 128;
    sums->l1_passes += sums->space == EXPLAIN_SHARED ? 0 : bytes / 128;
}

/* Bytes of the sectors that the group touches for the first time. Copies to shared memory pass L1 by. */
static double first_bytes_of(struct machine_places *places, const struct memory_place *place,
                             const struct warp_access *access, double moved)
{
    unsigned added = 0;
    bool is_copy = places->kernel->instructions[place->instruction].is_copy;
    struct footprint *group = access->kind == EVENT_STORE ? &places->stored : &places->loaded;
    if (place->sums.space != EXPLAIN_GLOBAL || is_copy || !footprint_add(group, access, &added))
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
    if (place->sums.space != EXPLAIN_GLOBAL || access->kind != EVENT_LOAD ||
        !footprint_add(&places->by_warps, &own, &added))
        return moved;
    return fmin(moved, (double)added * FOOTPRINT_SECTOR);
}

static void count_words(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                        const struct warp_access *access, double weight)
{
    struct access_counts counts = {.requests = 0};
    struct explain_access *sums = &place->sums;
    const struct l1_counts l1 = l1_count(access);
    memory_rules_count(&places->rules, access, &counts);
    explain_counts_add(&sums->counts[0], &counts, weight);
    sums->lines += weight * l1.lines;
    sums->l1_passes += weight * l1.passes;
    sums->first_bytes += weight * first_bytes_of(places, place, access, counts.bytes_moved);
    sums->awaited_bytes += weight * warp_first_bytes_of(places, place, warp, access, counts.bytes_moved);
    if (access->kind == EVENT_STORE && sums->space == EXPLAIN_GLOBAL) {
        uint64_t first = access->at[__builtin_ctz(access->mask)] / FOOTPRINT_SECTOR;
        bool is_again =
            places->stored_sector == first && places->stored_count == counts.transactions && places->stored_by == warp;
        sums->merged_bytes += is_again ? weight * counts.bytes_moved : 0;
        places->stored_sector = first;
        places->stored_count = counts.transactions;
        places->stored_by = warp;
    }
}

/* Lanes' own memory: words of the same place lie side by side, one of each lane, so wide words are several. */
static void count_own(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                      const struct warp_access *access, double weight)
{
    double requests = place->sums.counts[0].requests;
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
    place->sums.counts[0].requests = requests + weight;
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
    struct explain_access *sums = &place->sums;
    explain_access_count(sums, access, weight);
    if (sums->space == EXPLAIN_GLOBAL && sums->argument == NO_ARGUMENT)
        sums->argument = argument_at(places, access->at[__builtin_ctz(access->mask)]);
    if (place->is_bulk)
        count_bulk(place, weight);
    else if (sums->space == EXPLAIN_OWN)
        count_own(places, place, warp, access, weight);
    else
        count_words(places, place, warp, access, weight);
    if (access->kind == EVENT_ATOMIC && sums->space == EXPLAIN_GLOBAL)
        count_contention(places, access, weight);
}

/* Those of `lanes` that access the place's memory: generic addresses below the buffers' are shared memory, the group's
 * own or, from the end of a group's window on, that of others of its cluster, which no place counts. */
static uint32_t lanes_in_space(const struct machine_places *places, const struct memory_place *place,
                               const struct machine_instruction *instruction, const uint64_t at[MACHINE_LANES],
                               uint32_t lanes)
{
    const struct explain_instruction *code = &places->kernel->instructions[place->instruction];
    const bool is_shared = place->sums.space == EXPLAIN_SHARED;
    uint32_t in_space = 0;
    if (code->space != CODE_GLOBAL || (is_shared && code->is_copy))
        return lanes;
    if (is_shared && !sass_is_one_of(instruction->opcode, "LD ST ATOM"))
        return 0;
    EACH_LANE(l)
    in_space |= (uint32_t)(is_shared ? at[l] < SHARED_WINDOW : at[l] >= MACHINE_FIRST_ADDRESS) << l;
    return lanes & in_space;
}

static const unsigned kinds[] = {
    [EXPLAIN_LOAD] = EVENT_LOAD, [EXPLAIN_STORE] = EVENT_STORE, [EXPLAIN_ATOMIC] = EVENT_ATOMIC};

/* A predicated-off lane makes no access. An execution without active lanes counts as no access. */
static void look_at(struct machine_places *places, struct memory_place *place, const struct machine_warp *warp,
                    double weight)
{
    const struct machine_instruction *instruction = &warp->code->instructions[place->instruction];
    struct warp_access access = {.is_shared = place->sums.space == EXPLAIN_SHARED,
                                 .kind = kinds[place->sums.operation],
                                 .bytes = place->sums.bytes};
    uint32_t unknown, lanes = machine_warp_lanes(warp, instruction, &unknown);
    uint32_t known = addresses_of(warp, instruction, place->address, access.at, &place->bulk_bytes);
    place->has_unknown |= (lanes & ~known) != 0;
    access.mask = lanes_in_space(places, place, instruction, access.at, lanes & known);
    place->is_bulk = instruction->is_bulk;
    if (instruction->is_bulk)
        access.mask &= 0 - access.mask; /* one lane copies */
    if (access.mask || !(lanes & ~known))
        place->sums.warp_accesses += weight;
    if (access.mask)
        count_access(places, place, warp, &access, weight);
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
    if (access->space != EXPLAIN_GLOBAL || access->argument < 0) {
        snprintf(access->array, sizeof access->array, "%s",
                 access->space == EXPLAIN_GLOBAL                            ? "?"
                 : access->space == EXPLAIN_OWN                             ? "own memory"
                 : places->kernel->instructions[place->instruction].is_copy ? "copied to shared memory"
                                                                            : "shared memory");
        return;
    }
    access->array_bytes = (double)launch->arguments[access->argument].array_bytes;
    snprintf(access->array, sizeof access->array, "argument %d", access->argument + 1);
    size_t count = kernel_text_signatures(places->request->source, entries);
    for (size_t i = 0; i < count; i++)
        if (strcmp(entries[i].name, launch->entry) == 0 && (size_t)access->argument < entries[i].parameter_count)
            snprintf(access->array, sizeof access->array, "%s", entries[i].parameters[access->argument].name);
}

static void add_result(const struct machine_places *places, const struct machine_code *code,
                       const struct memory_place *place, struct explain_kernel *kernel)
{
    struct explain_access access = place->sums;
    const struct machine_instruction *instruction = &code->instructions[place->instruction];
    if (access.counts[0].requests == 0)
        return;
    if (place->is_bulk) {
        access.bytes = (unsigned)(access.counts[0].bytes_moved / access.warp_accesses);
        access.sample.mask = 0;
    }
    snprintf(access.file, sizeof access.file, "%s", kernel->file);
    snprintf(access.kernel, sizeof access.kernel, "%s", kernel->name);
    name_array(places, place, &access);
    access.argument = 0;
    if (access.operation == EXPLAIN_ATOMIC && access.space == EXPLAIN_GLOBAL) {
        access.hottest = contention_most(&places->addresses);
        access.hottest_slice = contention_most(&places->slices);
        access.is_float_atomic = strstr(instruction->words, ".F") != NULL;
        access.is_swap = machine_has_word(instruction, "CAS");
    }
    explain_access_add(kernel->accesses, &kernel->access_count, &access,
                       access.warp_accesses > 0 ? place->executed / access.warp_accesses : 0);
}

bool machine_places_results(const struct machine_places *places, const struct machine_code *code,
                            struct explain_kernel *kernel)
{
    kernel->accesses = calloc(places->count + 1, sizeof *kernel->accesses);
    if (!kernel->accesses)
        return false;
    for (size_t p = 0; p < places->count; p++) {
        kernel->instructions[places->places[p].instruction].is_at_unknown |= places->places[p].has_unknown;
        add_result(places, code, &places->places[p], kernel);
    }
    explain_accesses_complete(kernel->accesses, kernel->access_count);
    return true;
}
