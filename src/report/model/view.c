#include "report/model/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "report/model/figures.h"
#include "store/cores.h"

/* What a ladder is made of. */
static bool same_rung(const struct entry *a, const struct entry *b)
{
    return strcmp(a->measurement->rung, b->measurement->rung) == 0;
}

static bool is_ceiling(const struct entry *entry)
{
    return entry->measurement->kind == MEASURED_PROBE;
}

/* Is an earlier entry of the same rung and run? Entries of a run are adjacent. */
static bool repeats(const struct ladder *ladder, size_t index)
{
    const struct entry *entry = &ladder->entries[index];
    while (index-- > 0 && ladder->entries[index].measurement->run == entry->measurement->run)
        if (same_rung(&ladder->entries[index], entry))
            return true;
    return false;
}

/* The next run of the ladder from entry *at on, and how many rungs it measured; false when there is none. */
static bool next_run(const struct ladder *ladder, size_t *at, int64_t *run, size_t *rungs)
{
    if (*at == ladder->entry_count)
        return false;
    *run = ladder->entries[*at].measurement->run;
    *rungs = 0;
    for (; *at < ladder->entry_count && ladder->entries[*at].measurement->run == *run; ++*at)
        *rungs += !is_ceiling(&ladder->entries[*at]) && !repeats(ladder, *at);
    return true;
}

/* The newest run that measured more than half as many rungs as any other: what one run says is comparable. */
static int64_t main_run(const struct ladder *ladder)
{
    size_t most = 0, rungs;
    int64_t run, newest = 0;
    for (size_t at = 0; next_run(ladder, &at, &run, &rungs);)
        most = rungs > most ? rungs : most;
    for (size_t at = 0; next_run(ladder, &at, &run, &rungs);)
        newest = 2 * rungs > most ? run : newest;
    return newest;
}

/* Did the run measure several rungs? Then a rung's first measurement is the ladder's, and others are a sweep. */
static bool is_ladder_run(const struct ladder *ladder, int64_t wanted)
{
    int64_t run;
    size_t rungs;
    for (size_t at = 0; next_run(ladder, &at, &run, &rungs);)
        if (run == wanted)
            return rungs > 1;
    return false;
}

/* Should `b` stand for the rung rather than `a`, which came first? The main run's before others', then the newer run's;
 * in one run the ladder's, or the best of a sweep. */
static bool is_better(const struct ladder *ladder, const struct entry *a, const struct entry *b, int64_t run)
{
    int64_t run_a = a->measurement->run, run_b = b->measurement->run;
    if ((run_a == run) != (run_b == run))
        return run_b == run;
    if (run_a != run_b)
        return run_b > run_a;
    return b->rate > a->rate && !is_ladder_run(ladder, run_a);
}

/* The place of the entry's rung among the ladder's rungs; rung_count when it has none yet. */
static size_t place_of(const struct ladder *ladder, const struct entry *entry)
{
    size_t place = 0;
    while (place < ladder->rung_count && !same_rung(ladder->rungs[place], entry))
        place++;
    return place;
}

static void enter(struct ladder *ladder, const struct entry *entry, int64_t run)
{
    size_t place = place_of(ladder, entry);
    if (place == ladder->rung_count)
        ladder->rungs[ladder->rung_count++] = entry;
    else if (is_better(ladder, ladder->rungs[place], entry, run))
        ladder->rungs[place] = entry;
}

static void take_if_faster(const struct entry **best, const struct entry *entry)
{
    if (entry->rate > 0 && (!*best || entry->rate > (*best)->rate))
        *best = entry;
}

/* Fills in rungs (room for as many as there are entries), passed, fastest, own and vendor. */
static void ladder_choose(struct ladder *ladder)
{
    int64_t run = main_run(ladder);
    /* The main run's first: it has the ladder's order. */
    for (int others = 0; others < 2; others++)
        for (size_t i = 0; i < ladder->entry_count; i++) {
            const struct entry *entry = &ladder->entries[i];
            if (!is_ceiling(entry) && (entry->measurement->run != run) == others)
                enter(ladder, entry, run);
        }
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const struct entry *entry = ladder->rungs[i];
        ladder->passed += entry->rate > 0 || entry->is_void;
        take_if_faster(&ladder->fastest, entry);
        take_if_faster(entry->measurement->kind == MEASURED_VENDOR ? &ladder->vendor : &ladder->own, entry);
    }
}

static bool has_closer(const struct ladder *ladder, const struct entry *probe, const struct entry *of)
{
    for (size_t i = 0; i < ladder->entry_count; i++)
        if (is_ceiling(&ladder->entries[i]) &&
            measurement_is_closer(ladder->entries[i].measurement, probe->measurement, of->measurement))
            return true;
    return false;
}

/* The slowest probe of one run that the entry may be held against (store/measurement.h); NULL when it has none. */
static const struct entry *ceiling_of_run(const struct ladder *ladder, int64_t run, const char *name,
                                          const struct entry *of)
{
    const struct entry *slowest = NULL;
    for (size_t i = 0; i < ladder->entry_count; i++) {
        const struct entry *entry = &ladder->entries[i];
        if (measurement_may_limit(entry->measurement, of->measurement, name) && entry->time.median > 0 &&
            entry->measurement->run == run && !has_closer(ladder, entry, of) &&
            (!slowest || entry->time.median > slowest->time.median))
            slowest = entry;
    }
    return slowest;
}

/* The name of the ceiling that an entry is held against, or that its rung was held against in the newest run that had
 * ceilings; empty when there is none. */
static const char *ceiling_name(const struct ladder *ladder, const struct entry *entry)
{
    const char *name = entry->measurement->ceiling;
    for (size_t i = ladder->entry_count; i-- > 0 && !*name;)
        if (same_rung(&ladder->entries[i], entry))
            name = ladder->entries[i].measurement->ceiling;
    return name;
}

/* The run's ceiling of that name, where its cores were where the entry's were; else NULL. */
static const struct entry *ceiling_in(const struct ladder *ladder, int64_t run, const char *name,
                                      const struct entry *entry)
{
    const struct entry *ceiling = ceiling_of_run(ladder, run, name, entry);
    return ceiling && cores_alike(entry->measurement, ceiling->measurement) ? ceiling : NULL;
}

/* The ceiling that an entry is held against: its own run's, else the newest run's that has it. */
static const struct entry *ceiling_for(const struct ladder *ladder, const struct entry *entry)
{
    const char *name = ceiling_name(ladder, entry);
    const struct entry *ceiling = ceiling_in(ladder, entry->measurement->run, name, entry);
    for (size_t i = ladder->entry_count; i-- > 0 && !ceiling;)
        if (is_ceiling(&ladder->entries[i]))
            ceiling = ceiling_in(ladder, ladder->entries[i].measurement->run, name, entry);
    return ceiling;
}

size_t ladder_ceilings(const struct ladder *ladder, const struct entry *ceilings[LADDER_CEILINGS_MAX])
{
    size_t count = 0;
    if (ladder->ceiling)
        ceilings[count++] = ladder->ceiling;
    for (size_t i = 0; i < ladder->rung_count && count < LADDER_CEILINGS_MAX; i++) {
        const struct entry *ceiling = ladder->rungs[i]->ceiling;
        bool is_new = ceiling != NULL;
        for (size_t l = 0; is_new && l < count; l++)
            is_new = !same_rung(ceilings[l], ceiling);
        if (is_new)
            ceilings[count++] = ceiling;
    }
    return count;
}

static const struct entry *first_passed(const struct ladder *ladder)
{
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (ladder->rungs[i]->rate > 0 || ladder->rungs[i]->is_void) /* a void base stays the base */
            return ladder->rungs[i];
    return NULL;
}

static struct measured_ratio entry_ratio(const struct entry *entry, const struct entry *over)
{
    return over ? figures_ratio(entry->measurement, over->measurement) : (struct measured_ratio){0};
}

/* Fills in the ladder's ceiling and base, and each entry's share of the ceiling and speed-up. `entries` are the
 * ladder's own, to be written; `first` is the ladder whose first rung is the base. */
static void ladder_relate(struct ladder *ladder, struct entry *entries, const struct ladder *first)
{
    ladder->base = first_passed(first);
    for (size_t i = 0; i < ladder->entry_count; i++) {
        struct entry *entry = &entries[i];
        if (!(entry->rate > 0))
            continue;
        entry->base = ladder->base;
        entry->ceiling = is_ceiling(entry) ? entry : ceiling_for(ladder, entry);
        const struct measured_ratio share = entry_ratio(entry, entry->ceiling),
                                    speed_up = entry_ratio(entry, ladder->base);
        entry->of_ceiling = share.value;
        entry->share_is_void = share.is_void;
        entry->speed_up = speed_up.value;
        entry->speed_up_is_void = speed_up.is_void;
    }
    if (ladder->fastest)
        ladder->ceiling = ladder->fastest->ceiling;
}

const struct measurement *ladder_of(const struct ladder *ladder)
{
    return ladder->entries[0].measurement;
}

bool ladder_same_device(const struct ladder *a, const struct ladder *b)
{
    const struct measurement *left = ladder_of(a), *right = ladder_of(b);
    return strcmp(left->device, right->device) == 0 && strcmp(left->device_name, right->device_name) == 0 &&
           left->threads == right->threads;
}

bool ladder_rehearses(const struct ladder *ladder)
{
    return ladder_of(ladder)->device_is_cpu && strncmp(ladder_of(ladder)->device, "opencl", 6) == 0;
}

bool ladder_is_first_of_device(const struct kernel_view *kernel, const struct ladder *ladder)
{
    for (const struct ladder *other = kernel->ladders; other < ladder; other++)
        if (ladder_same_device(other, ladder))
            return false;
    return true;
}

struct speed_up speed_up_of(const struct summary *first, const struct summary *rung)
{
    if (!first->count || !rung->count || !(rung->mean > 0))
        return (struct speed_up){0};
    return (struct speed_up){
        .value = first->mean / rung->mean,
        .error = (first->deviation * rung->mean + first->mean * rung->deviation) / (rung->mean * rung->mean),
    };
}

/* Kernels in teaching order; others follow by name. */
static size_t kernel_order(const char *name)
{
    static const char *const order[] = {"transpose", "sort", "dot", "matmul", "resize", "wave", "pipeline"};
    size_t place = 0;
    while (place < COUNT_OF(order) && strcmp(order[place], name) != 0)
        place++;
    return place;
}

static int compare_sizes(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Numbers inside texts by value: "cuda:2" before "cuda:10", "n=512" before "n=4096". */
static int compare_text(const char *a, const char *b)
{
    return strverscmp(a, b);
}

/* 0 for entries of one ladder. */
static int compare_ladders(const struct measurement *a, const struct measurement *b)
{
    int order = compare_sizes(kernel_order(a->kernel), kernel_order(b->kernel));
    order = order ? order : strcmp(a->kernel, b->kernel);
    order = order ? order : compare_text(a->device, b->device);
    order = order ? order : strcmp(a->device_name, b->device_name);
    order = order ? order : compare_sizes(a->threads, b->threads);
    order = order ? order : a->cold - b->cold;
    return order ? order : compare_text(a->problem, b->problem);
}

/* In a ladder, runs and their measurements in the order in which they were made. */
static int compare_entries(const void *left, const void *right)
{
    const struct measurement *a = ((const struct entry *)left)->measurement,
                             *b = ((const struct entry *)right)->measurement;
    int order = compare_ladders(a, b);
    order = order ? order : compare_sizes((uint64_t)a->run, (uint64_t)b->run);
    return order ? order : compare_sizes((uintptr_t)a, (uintptr_t)b);
}

static void summarise(struct entry *entry, const struct measurement *measurement)
{
    const struct figures figures = figures_of(measurement);
    *entry = (struct entry){.measurement = measurement, .time = figures.time, .end_to_end = figures.end_to_end};
    if (measurement->verdict != VERDICT_PASS || !(figures.time.median > 0))
        return;
    if (!figures.end_to_end.count && strcmp(measurement->device, "cpu") == 0)
        entry->end_to_end = figures.time;
    entry->is_void = figures.is_void;
    entry->rate = figures.rate;
    entry->rate_low = figures.rate_low;
    entry->rate_high = figures.rate_high;
}

static bool same_ladder(const struct entry *a, const struct entry *b)
{
    return compare_ladders(a->measurement, b->measurement) == 0;
}

/* Cuts the sorted entries into ladders, and the ladders into kernels. */
static void group(struct view *view)
{
    const struct entry **rungs = view->rungs;
    for (size_t i = 0; i < view->entry_count;) {
        struct ladder *ladder = &view->ladders[view->ladder_count++];
        *ladder = (struct ladder){.entries = &view->entries[i], .rungs = rungs};
        while (i < view->entry_count && same_ladder(ladder->entries, &view->entries[i])) {
            ladder->entry_count++;
            i++;
        }
        ladder_choose(ladder);
        rungs += ladder->rung_count;
        const char *name = ladder_of(ladder)->kernel;
        if (!view->kernel_count || strcmp(view->kernels[view->kernel_count - 1].name, name) != 0)
            view->kernels[view->kernel_count++] = (struct kernel_view){.name = name, .ladders = ladder};
        view->kernels[view->kernel_count - 1].ladder_count++;
    }
}

/* The ladder of the CPU for the same problem and state of the caches; NULL when there is none. */
static const struct ladder *on_cpu(const struct kernel_view *kernel, const struct ladder *ladder)
{
    const struct measurement *of = ladder_of(ladder);
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct measurement *other = ladder_of(&kernel->ladders[i]);
        if (strcmp(other->device, "cpu") == 0 && kernel->ladders[i].passed && other->cold == of->cold &&
            strcmp(other->problem, of->problem) == 0)
            return &kernel->ladders[i];
    }
    return NULL;
}

static void relate(struct view *view)
{
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct kernel_view *kernel = &view->kernels[k];
        for (size_t l = 0; l < kernel->ladder_count; l++) {
            struct ladder *ladder = &view->ladders[&kernel->ladders[l] - view->ladders];
            const struct ladder *cpu = on_cpu(kernel, ladder);
            ladder_relate(ladder, &view->entries[ladder->entries - view->entries], cpu ? cpu : ladder);
        }
    }
}

enum status view_make(const struct measurement_list *list, struct view *view, struct error *error)
{
    size_t most = list->count ? list->count : 1;
    *view = (struct view){
        .entries = calloc(most, sizeof *view->entries),
        .ladders = calloc(most, sizeof *view->ladders),
        .kernels = calloc(most, sizeof *view->kernels),
        .rungs = calloc(most, sizeof *view->rungs), // NOLINT(bugprone-sizeof-expression): pointers
    };
    if (!view->entries || !view->ladders || !view->kernels || !view->rungs) {
        view_free(view);
        return fail(error, STATUS_UNAVAILABLE, "no memory for a report of %zu measurements", list->count);
    }
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].device, "null") != 0)
            summarise(&view->entries[view->entry_count++], &list->items[i]);
    qsort(view->entries, view->entry_count, sizeof *view->entries, compare_entries);
    group(view);
    relate(view);
    return STATUS_OK;
}

void view_free(struct view *view)
{
    free(view->entries);
    free(view->ladders);
    free(view->kernels);
    free(view->rungs);
    *view = (struct view){0};
}
