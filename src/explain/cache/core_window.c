#include "explain/cache/core_window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_MOST 1024 /* instructions in flight */
#define SLOTS 4096       /* clocks for which units are booked ahead */
#define CELLS 4096       /* words of 4 bytes whose last store is remembered */
#define RENAMED 1.0      /* clocks from a store to its load, where the core renames memory (measured on Zen 3) */
#define STORED 12.0      /* clocks from a store's leaving the reorder buffer to its being in the first cache */
#define HISTORY 48       /* branches */
#define PERCEPTRONS 1024
#define TRAINED 106  /* 1.93 HISTORY + 14, the threshold of the publication */
#define TARGETS 1024 /* indirect branches */
#define FETCHED 8    /* operations in an entry of the cache of decoded instructions, of which one a clock is read */
#define QUEUED 10.0  /* clocks that reading is ahead at most: the queue of decoded instructions */
#define LINE 64      /* bytes, that a load crosses the end of in two parts */
#define RETIRED 8.0  /* instructions a clock; current cores retire at least so many */

/* The last store to a word: until when it is in the core, and when a load has its value. */
struct stored {
    uint64_t cell, address;
    unsigned bytes;
    double known, left;
};

struct core_window {
    const struct core_step *steps;
    const struct cpu_core *core;
    double ready[CORE_REGISTERS];
    double share;           /* of the core's front end that the thread has: 1 unless another one runs beside it */
    double issued, retired; /* clocks */
    struct {
        uint64_t block;
        size_t operations;
        double clock;
        bool is_over;              /* behind a taken branch */
    } fetch;                       /* the entry that is being issued */
    size_t in_flight;              /* operations, at most: two threads divide the reorder buffer */
    double leaves[WINDOW_MOST];    /* when the last operations leave the reorder buffer, a ring */
    size_t executed, mispredicted; /* operations, branches */
    struct {
        int64_t clock;
        float used;
    } slots[CORE_UNITS][SLOTS];
    struct stored stored[CELLS];
    signed char weights[PERCEPTRONS][HISTORY + 1];
    signed char history[HISTORY];
    size_t targets[TARGETS];
};

struct core_window *core_window_create(const struct core_step *steps, const struct cpu_core *core, double share)
{
    struct core_window *window = calloc(1, sizeof *window);
    if (window) {
        window->steps = steps;
        window->core = core;
        window->share = share;
        window->in_flight = (size_t)fmax(1, core->window * share);
        memset(window->history, 1, sizeof window->history);
        core_window_begin(window);
    }
    return window;
}

void core_window_destroy(struct core_window *window)
{
    free(window);
}

void core_window_begin(struct core_window *window)
{
    memset(window->ready, 0, sizeof window->ready);
    memset(window->leaves, 0, sizeof window->leaves);
    memset(window->slots, 0xff, sizeof window->slots);
    memset(window->stored, 0, sizeof window->stored);
    window->issued = window->retired = window->fetch.clock = 0;
    window->fetch.is_over = true;
    window->executed = 0;
}

/* ---- units ---------------------------------------------------------------------------------------------------- */

static float *slot(struct core_window *window, enum core_unit unit, int64_t clock)
{
    size_t place = (size_t)clock % SLOTS;
    if (window->slots[unit][place].clock != clock) {
        window->slots[unit][place].clock = clock;
        window->slots[unit][place].used = 0;
    }
    return &window->slots[unit][place].used;
}

/* The first clock from `from` on in which the unit has room; books `busy` clocks of it. */
static double book(struct core_window *window, enum core_unit unit, double from, float busy)
{
    if (unit == CORE_UNITS)
        return from;
    int64_t first = (int64_t)from, clock = first;
    while (clock<first + SLOTS && * slot(window, unit, clock)> 0.999F)
        clock++;
    double start = clock == first ? from : (double)clock;
    for (float left = busy; left > 0.001F; clock++) {
        float *used = slot(window, unit, clock), part = fminf(left, fmaxf(0, 1 - *used));
        *used += part;
        left -= part;
    }
    return start;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

/* When a load from `from` on has its value: a store that covers it hands it over; otherwise it waits until all stores
 * that it meets have left the core for the cache. */
static double forwarded(const struct core_window *window, uint64_t address, unsigned bytes, double from, double clocks)
{
    double known = from + clocks;
    for (uint64_t cell = address / 4; address && cell <= (address + bytes - 1) / 4; cell++) {
        const struct stored *store = &window->stored[cell % CELLS];
        if (store->cell != cell || store->left <= from)
            continue;
        bool covers = store->address <= address && address + bytes <= store->address + store->bytes;
        known = fmax(known, covers ? store->known : store->left + clocks);
    }
    return known;
}

/* Of an access that crosses the end of an aligned block: two. */
static float parts_of(uint64_t address, unsigned bytes, unsigned block)
{
    return (address & (block - 1)) + bytes > block ? 2 : 1;
}

/* A plain register's value goes straight to a load by the same registers, without an index. */
static void store(struct core_window *window, const struct core_step *step, uint64_t address, double done)
{
    unsigned bytes = step->bytes;
    double clocks = step->is_vector || step->addresses[1] >= 0 ? window->core->clocks.forwarded : RENAMED;
    for (uint64_t cell = address / 4; address && cell <= (address + bytes - 1) / 4; cell++)
        window->stored[cell % CELLS] =
            (struct stored){cell, address, bytes, done + clocks, fmax(window->retired, done) + STORED};
}

static double load(struct core_window *window, const struct core_step *step, uint64_t address, double from)
{
    const struct cpu_core *core = window->core;
    double rate = step->is_vector && step->bytes > 8 ? core->units.vector_loads : core->units.loads;
    double clocks = step->is_vector ? core->clocks.vector_load : core->clocks.load;
    float parts = parts_of(address, step->bytes, LINE);
    double start = book(window, CORE_LOADS, from, parts * (float)(1 / rate));
    if (step->is_vector && step->bytes > 8)
        start = book(window, CORE_ACCESSES, start, parts * (float)(1 / core->units.vector_accesses));
    return forwarded(window, address, step->bytes, start, clocks);
}

/* ---- branches ------------------------------------------------------------------------------------------------- */

static bool predict_and_learn(struct core_window *window, size_t index, bool is_taken)
{
    signed char *weights = window->weights[index % PERCEPTRONS];
    int sum = 0, outcome = is_taken ? 1 : -1;
    sum += weights[HISTORY]; /* whatever the history */
    for (int i = 0; i < HISTORY; i++)
        sum += weights[i] * window->history[i];
    bool is_right = (sum >= 0) == is_taken;
    for (int i = 0; i <= HISTORY && (!is_right || abs(sum) <= TRAINED); i++) {
        int weight = weights[i] + outcome * (i < HISTORY ? window->history[i] : 1);
        weights[i] = (signed char)(weight > 127 ? 127 : weight < -127 ? -127 : weight);
    }
    memmove(window->history, window->history + 1, HISTORY - 1);
    window->history[HISTORY - 1] = (signed char)outcome;
    return is_right;
}

/* Code behind a taken branch is another entry to fetch; behind a mispredicted one it is fetched when that is known. */
static void branch(struct core_window *window, size_t index, size_t next, double known)
{
    const struct core_step *step = &window->steps[index];
    bool is_taken = next != index + 1, is_right = true;
    if (step->flow == X86_EITHER)
        is_right = predict_and_learn(window, index, is_taken);
    if (step->flow == X86_UNKNOWN) {
        is_right = window->targets[index % TARGETS] == next;
        window->targets[index % TARGETS] = next;
    }
    window->fetch.is_over |= is_taken;
    if (!is_right) {
        window->fetch.clock = fmax(window->fetch.clock, known + window->core->clocks.mispredicted);
        window->fetch.is_over = true;
        window->mispredicted++;
    }
}

/* ---- the front end ----------------------------------------------------------------------------------------------- */

/* When the operations can be issued, as far as fetching goes: an entry a clock, or every second one where two threads
 * take turns. An entry ends with its block of code, with a taken branch, or when it is full. */
static double fetched(struct core_window *window, uint64_t block, size_t operations)
{
    bool is_next =
        window->fetch.is_over || window->fetch.block != block || window->fetch.operations + operations > FETCHED;
    if (is_next) {
        window->fetch.clock = fmax(window->fetch.clock + 1 / window->share, window->issued - QUEUED);
        window->fetch.block = block;
        window->fetch.operations = 0;
        window->fetch.is_over = false;
    }
    window->fetch.operations += operations;
    return window->fetch.clock;
}

/* ---- an instruction ------------------------------------------------------------------------------------------- */

static double latest(const struct core_window *window, const signed char *registers, int count, double from)
{
    for (int i = 0; i < count; i++)
        if (registers[i] >= 0)
            from = fmax(from, window->ready[registers[i]]);
    return from;
}

void core_window_step(struct core_window *window, size_t index, size_t next, uint64_t address)
{
    const struct core_step *step = &window->steps[index];
    const struct cpu_core *core = window->core;
    if (step->operations <= 0)
        return;
    bool is_fused = step->is_fused && window->steps[index + 1].flow == X86_EITHER && next == index + 1;
    size_t operations = is_fused ? 0 : (size_t)step->operations;
    if (operations > 0) {
        double room = window->leaves[(window->executed + operations - 1) % window->in_flight];
        window->issued = fmax(window->issued + (double)operations / (core->issue * window->share),
                              fmax(room, fetched(window, step->fetched, operations)));
    }
    double addressed = latest(window, step->addresses, 3, window->issued);
    double start = latest(window, step->sources, 5, step->loads ? load(window, step, address, addressed) : addressed);
    double done = book(window, step->unit, start, step->busy) + step->clocks;
    if (step->stores) {
        float parts = parts_of(address, step->bytes, core->block);
        done = fmax(done, book(window, CORE_STORES, addressed, parts * step->stored));
        if (step->is_vector && step->bytes > 8)
            book(window, CORE_ACCESSES, done, parts * (float)(1 / core->units.vector_accesses));
        store(window, step, address, done);
    }
    if (step->target >= 0)
        window->ready[step->target] = done;
    if (step->sets_flags)
        window->ready[CORE_FLAGS] = done;
    if (step->flow != X86_NEXT)
        branch(window, index, next, done);
    window->retired = fmax(window->retired + (double)operations / RETIRED, done);
    for (size_t i = 0; i < operations; i++)
        window->leaves[window->executed++ % window->in_flight] = window->retired;
}

double core_window_clock(const struct core_window *window)
{
    return window->retired;
}

size_t core_window_mispredicted(const struct core_window *window)
{
    return window->mispredicted;
}
