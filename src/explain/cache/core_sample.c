#include "explain/cache/core_sample.h"

#include <stdlib.h>
#include <string.h>

#include "explain/cache/core_window.h"

#define KEPT 4096    /* paths */
#define CALLS_DEEP 8 /* calls within a path */
#define VISITS 20000 /* instructions that one search looks at */
#define BRANCHES 12  /* conditional branches within a path */

struct kept_path {
    uint32_t from, to, back, count;
    uint32_t *steps;
};

struct core_paths {
    const struct code_copy *copy;
    const struct core_step *steps;
    struct kept_path kept[KEPT];
    uint32_t found[CORE_PATH_MOST];
};

/* `is_leader` of the copy's instructions is read; both stay the caller's. NULL when memory is out. */
static struct core_paths *core_paths_create(const struct code_copy *copy, const struct core_step *steps)
{
    struct core_paths *paths = calloc(1, sizeof *paths);
    if (paths)
        paths->copy = copy, paths->steps = steps;
    return paths;
}

static void core_paths_destroy(struct core_paths *paths)
{
    for (size_t i = 0; paths && i < KEPT; i++)
        free(paths->kept[i].steps);
    free(paths);
}

/* ---- search --------------------------------------------------------------------------------------------------- */

struct search {
    struct core_paths *paths;
    uint32_t to, back;
    uint32_t calls[CALLS_DEEP]; /* where calls return to */
    unsigned call_count;
    uint32_t count; /* of the instructions found so far */
    unsigned visits;
    bool has_jumped; /* through an unknown address */
};

/* Where execution may enter the block of `to` from elsewhere: its beginning, or behind its last call or access. */
static uint32_t entry_of(const struct core_paths *paths, uint32_t to)
{
    uint32_t at = to;
    while (at > 0 && !paths->copy->instructions[at].is_leader) {
        const struct core_step *before = &paths->steps[at - 1];
        if (before->has_record || before->flow != X86_NEXT)
            break;
        at--;
    }
    return at;
}

/* Where an instruction leads, a conditional branch aside; CORE_NOWHERE where that is unknown. */
static uint32_t next_of(struct search *search, uint32_t at)
{
    const struct core_step *step = &search->paths->steps[at];
    bool returns_known = search->call_count > 0 || search->back != CORE_NOWHERE;
    switch (step->flow) {
    case X86_JUMP:
        return (uint32_t)step->to;
    case X86_CALL:
        if (search->call_count == CALLS_DEEP)
            return CORE_NOWHERE;
        search->calls[search->call_count++] = at + 1;
        return (uint32_t)step->to;
    case X86_RETURN:
        if (returns_known) {
            uint32_t back = search->call_count > 0 ? search->calls[--search->call_count] : search->back;
            search->back = search->call_count > 0 ? search->back : CORE_NOWHERE;
            return back;
        }
        /* fall through */
    case X86_UNKNOWN:
        if (search->has_jumped)
            return CORE_NOWHERE;
        search->has_jumped = true;
        return entry_of(search->paths, search->to);
    default:
        return at + 1;
    }
}

/* Depth first, with at most so many conditional branches. */
static bool lead(struct search *search, uint32_t at, unsigned branches)
{
    const struct core_paths *paths = search->paths;
    while (at != search->to) {
        if (at >= paths->copy->instruction_count || paths->steps[at].has_record || search->count == CORE_PATH_MOST ||
            ++search->visits > VISITS)
            return false;
        search->paths->found[search->count++] = at;
        if (paths->steps[at].flow != X86_EITHER) {
            at = next_of(search, at);
            continue;
        }
        if (branches-- == 0)
            return false;
        struct search before = *search;
        if (lead(search, at + 1, branches))
            return true;
        before.visits = search->visits;
        *search = before;
        at = (uint32_t)paths->steps[at].to;
    }
    return true;
}

static uint32_t find(struct core_paths *paths, uint32_t from, uint32_t to, uint32_t back)
{
    struct search search;
    for (unsigned branches = 0; from != CORE_NOWHERE && branches <= BRANCHES; branches++) {
        search = (struct search){.paths = paths, .to = to, .back = back};
        if (lead(&search, from + 1, branches))
            return search.count;
        if (search.visits > VISITS)
            break;
    }
    search = (struct search){.paths = paths, .to = to, .back = back};
    return lead(&search, entry_of(paths, to), 0) ? search.count : 0;
}

/* The way with the fewest conditional branches from the access of instruction `from` (CORE_NOWHERE: from the beginning
 * of its block) to that of `to` without another access between. `back`: where the innermost call returns to, or
 * CORE_NOWHERE. Valid until the next call. */
static struct core_path core_paths_find(struct core_paths *paths, uint32_t from, uint32_t to, uint32_t back)
{
    struct kept_path *kept = &paths->kept[(from * 31u + to * 7u + back * 131u) % KEPT];
    if (!kept->steps || kept->from != from || kept->to != to || kept->back != back) {
        uint32_t count = find(paths, from, to, back);
        uint32_t *steps = realloc(kept->steps, (count + 1) * sizeof *steps);
        if (!steps)
            return (struct core_path){paths->found, count};
        memcpy(steps, paths->found, count * sizeof *steps);
        *kept = (struct kept_path){from, to, back, count, steps};
    }
    return (struct core_path){kept->steps, kept->count};
}

#define BATCH 48      /* windows, after which half as many are taken */
#define FILLED 256    /* records, after which the core is full; they are not timed if enough others follow */
#define CALLS_MOST 32 /* calls within calls */

struct core_sample {
    const struct code_copy *copy;
    const struct core_step *steps;
    struct core_paths *paths;
    struct core_window *window;
    uint64_t parts, taken, every;
    uint64_t records;      /* in all */
    struct core_total sum; /* weighted by `every` */
    uint32_t calls[CALLS_MOST];
    unsigned call_count;
    struct {
        uint32_t index; /* the last instruction, which its follower makes complete */
        uint64_t address;
    } last;
    double executed;
};

struct core_sample *core_sample_create(const struct code_copy *copy, const struct core_step *steps,
                                       const struct cpu_core *core, double share)
{
    struct core_sample *sample = calloc(1, sizeof *sample);
    if (!sample)
        return NULL;
    *sample = (struct core_sample){.copy = copy, .steps = steps, .every = 1};
    sample->paths = core_paths_create(copy, steps);
    sample->window = core_window_create(steps, core, share);
    if (sample->paths && sample->window)
        return sample;
    core_sample_destroy(sample);
    return NULL;
}

void core_sample_destroy(struct core_sample *sample)
{
    if (sample) {
        core_paths_destroy(sample->paths);
        core_window_destroy(sample->window);
    }
    free(sample);
}

/* ---- a window ------------------------------------------------------------------------------------------------- */

static void follow_call(struct core_sample *sample, uint32_t index)
{
    const struct core_step *step = &sample->steps[index];
    bool is_call = step->flow == X86_CALL || (step->flow == X86_UNKNOWN && step->stores);
    if (is_call && sample->call_count < CALLS_MOST)
        sample->calls[sample->call_count++] = index + 1;
    else if (step->flow == X86_RETURN && sample->call_count > 0)
        sample->call_count--;
}

static void execute(struct core_sample *sample, uint32_t index, uint64_t address)
{
    if (sample->last.index != CORE_NOWHERE) {
        core_window_step(sample->window, sample->last.index, index, sample->last.address);
        sample->executed++;
        follow_call(sample, sample->last.index);
    }
    sample->last.index = index;
    sample->last.address = address;
}

static void take_window(struct core_sample *sample, const struct area_record *records, size_t count)
{
    uint32_t before = CORE_NOWHERE;
    size_t filled = count > (size_t)2 * FILLED ? FILLED : 0, wrong = 0;
    double clock = 0, executed = 0, accesses = 0;
    core_window_begin(sample->window);
    sample->last.index = CORE_NOWHERE;
    sample->call_count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t to = (uint32_t)sample->copy->accesses[records[i].site].instruction;
        uint32_t back = sample->call_count > 0 ? sample->calls[sample->call_count - 1] : CORE_NOWHERE;
        struct core_path path = core_paths_find(sample->paths, before, to, back);
        for (uint32_t k = 0; k < path.count; k++)
            execute(sample, path.steps[k], 0);
        execute(sample, to, records[i].address);
        accesses += i >= filled && !sample->copy->accesses[records[i].site].is_mark;
        before = to;
        if (i + 1 == filled || (i == 0 && filled == 0)) {
            clock = filled ? core_window_clock(sample->window) : 0;
            executed = filled ? sample->executed : sample->executed - 1;
            wrong = core_window_mispredicted(sample->window);
        }
    }
    double weight = (double)sample->every;
    sample->sum.records += weight * (double)(count - filled);
    sample->sum.accesses += weight * accesses;
    sample->sum.clocks += weight * (core_window_clock(sample->window) - clock);
    sample->sum.instructions += weight * (sample->executed - executed);
    sample->sum.mispredicted += weight * (double)(core_window_mispredicted(sample->window) - wrong);
}

/* ---- all ------------------------------------------------------------------------------------------------------ */

void core_sample_take(struct core_sample *sample, const struct area_record *records, size_t count)
{
    sample->records += count;
    if (count == 0 || sample->parts++ % sample->every != 0)
        return;
    take_window(sample, records, count);
    if (++sample->taken % BATCH == 0)
        sample->every *= 2;
}

void core_sample_reset(struct core_sample *sample)
{
    sample->parts = sample->taken = sample->records = 0;
    sample->every = 1;
    sample->sum = (struct core_total){.records = 0};
}

struct core_total core_sample_total(const struct core_sample *sample)
{
    double by = sample->sum.records > 0 ? (double)sample->records / sample->sum.records : 0;
    return (struct core_total){.records = (double)sample->records,
                               .accesses = by * sample->sum.accesses,
                               .instructions = by * sample->sum.instructions,
                               .clocks = by * sample->sum.clocks,
                               .mispredicted = by * sample->sum.mispredicted};
}
