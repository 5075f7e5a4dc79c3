#include "explain/cache/core_paths.h"

#include <stdlib.h>
#include <string.h>

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

struct core_paths *core_paths_create(const struct code_copy *copy, const struct core_step *steps)
{
    struct core_paths *paths = calloc(1, sizeof *paths);
    if (paths)
        paths->copy = copy, paths->steps = steps;
    return paths;
}

void core_paths_destroy(struct core_paths *paths)
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
        if (before->has_record || before->flow != CORE_NEXT)
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
    case CORE_JUMP:
        return (uint32_t)step->to;
    case CORE_CALL:
        if (search->call_count == CALLS_DEEP)
            return CORE_NOWHERE;
        search->calls[search->call_count++] = at + 1;
        return (uint32_t)step->to;
    case CORE_RETURN:
        if (returns_known) {
            uint32_t back = search->call_count > 0 ? search->calls[--search->call_count] : search->back;
            search->back = search->call_count > 0 ? search->back : CORE_NOWHERE;
            return back;
        }
        /* fall through */
    case CORE_UNKNOWN:
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
        if (paths->steps[at].flow != CORE_EITHER) {
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

struct core_path core_paths_find(struct core_paths *paths, uint32_t from, uint32_t to, uint32_t back)
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
