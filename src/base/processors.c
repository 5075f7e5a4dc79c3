#include "base/processors.h"

#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/control_group.h"

#define WIDTH_MOST (CPU_SETSIZE << 6)
#define IDS_MOST 4096

/* ---- affinity --------------------------------------------------------------------------------------------------- */

/* Of OpenMP, where the program has it. */
extern int omp_get_proc_bind(void) __attribute__((weak));
extern int omp_get_num_places(void) __attribute__((weak));
extern int omp_get_place_num_procs(int) __attribute__((weak));
extern void omp_get_place_proc_ids(int, int *) __attribute__((weak));

bool processors_are_bound(void)
{
    /* LLVM's has a place of all processors where nothing is bound. */
    return OF_PROGRAM(omp_get_place_num_procs) && OF_PROGRAM(omp_get_place_proc_ids) &&
           OF_PROGRAM(omp_get_num_places) && OF_PROGRAM(omp_get_proc_bind) && OF_PROGRAM(omp_get_proc_bind)() != 0 &&
           OF_PROGRAM(omp_get_num_places)() > 0;
}

static void add_place(int place, cpu_set_t *set, int width)
{
    const int count = OF_PROGRAM(omp_get_place_num_procs)(place);
    int *ids = count > 0 && count <= IDS_MOST ? malloc((size_t)count * sizeof *ids) : NULL;
    if (!ids)
        return;
    OF_PROGRAM(omp_get_place_proc_ids)(place, ids);
    for (int i = 0; i < count; i++)
        if (ids[i] >= 0 && ids[i] < width)
            CPU_SET_S((size_t)ids[i], CPU_ALLOC_SIZE((size_t)width), set);
    free(ids);
}

/* The system's mask may be wider than cpu_set_t. */
cpu_set_t *processors_mask(int *width)
{
    for (*width = CPU_SETSIZE; *width <= WIDTH_MOST; *width *= 2) {
        cpu_set_t *set = CPU_ALLOC((size_t)*width);
        if (!set)
            return NULL;
        if (sched_getaffinity(0, CPU_ALLOC_SIZE((size_t)*width), set) != 0) {
            CPU_FREE(set);
            continue;
        }
        for (int place = 0; processors_are_bound() && place < OF_PROGRAM(omp_get_num_places)(); place++)
            add_place(place, set, *width);
        return set;
    }
    return NULL;
}

void processors_unbind(void)
{
    int width;
    cpu_set_t *set = processors_are_bound() ? processors_mask(&width) : NULL;
    if (set) {
        sched_setaffinity(0, CPU_ALLOC_SIZE((size_t)width), set);
        CPU_FREE(set);
    }
}

void processors_avoid(struct processors_avoided *avoided, int processor)
{
    cpu_set_t now, others;
    if (processor < 0 || processor >= CPU_SETSIZE || sched_getcpu() != processor ||
        sched_getaffinity(0, sizeof now, &now) != 0)
        return;
    if (!CPU_EQUAL(&now, &avoided->left))
        avoided->all = now;
    others = avoided->all;
    CPU_CLR(processor, &others);
    if (CPU_COUNT(&others) > 0 && sched_setaffinity(0, sizeof others, &others) == 0)
        avoided->left = others;
}

/* ---- quota ------------------------------------------------------------------------------------------------------ */

struct quota {
    const char *root;
    double processors;
};

struct stops_seen {
    const char *root;
    struct processors_stops stops;
};

static bool read_pair(const char *root, const char *folder, const char *name, double *first, double *second)
{
    FILE *file = control_group_open(root, folder, name);
    const int count = file ? fscanf(file, "%lf %lf", first, second) : 0;
    if (file)
        fclose(file);
    return count >= 1;
}

/* Version 2: "150000 100000" or "max 100000" in one file; version 1: a file for each number, -1 without a quota. */
static void look(void *context, const char *folder, int version)
{
    struct quota *quota = context;
    double time = 0, period = 0, unused;
    bool is_read = version == 2 ? read_pair(quota->root, folder, "cpu.max", &time, &period)
                                : read_pair(quota->root, folder, "cpu.cfs_quota_us", &time, &unused) &&
                                      read_pair(quota->root, folder, "cpu.cfs_period_us", &period, &unused);
    if (is_read && time > 0 && period > 0)
        quota->processors = fmin(quota->processors, time / period);
}

double processors_quota(const char *root)
{
    struct quota quota = {.root = root, .processors = INFINITY};
    control_groups_each(root, "cpu", look, &quota);
    return quota.processors;
}

/* Lines "nr_throttled 12" and "throttled_usec 3400" (version 2) or "throttled_time 3400000", ns (version 1). */
static void look_at_stops(void *context, const char *folder, int version)
{
    struct stops_seen *seen = context;
    FILE *file = control_group_open(seen->root, folder, "cpu.stat");
    char line[128];
    int64_t number;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "nr_throttled %" SCNd64, &number) == 1)
            seen->stops.periods += number;
        else if (sscanf(line, version == 2 ? "throttled_usec %" SCNd64 : "throttled_time %" SCNd64, &number) == 1)
            seen->stops.nanoseconds += version == 2 ? 1000 * number : number;
    if (file)
        fclose(file);
}

struct processors_stops processors_stopped(const char *root)
{
    struct stops_seen seen = {.root = root};
    control_groups_each(root, "cpu", look_at_stops, &seen);
    return seen.stops;
}

size_t processors_within_quota(size_t threads)
{
    static _Atomic double known; /* 0: not yet read */
    double quota = known;
    if (quota == 0)
        known = quota = fmax(ceil(processors_quota("")), 1);
    return quota < (double)threads ? (size_t)quota : threads > 0 ? threads : 1;
}

/* ---- both ------------------------------------------------------------------------------------------------------- */

size_t processors_available(void)
{
    static _Atomic size_t known;
    size_t count = known;
    int width;
    if (count)
        return count;
    cpu_set_t *set = processors_mask(&width);
    count = set ? (size_t)CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)width), set) : 1;
    if (set)
        CPU_FREE(set);
    known = count = processors_within_quota(count);
    return count;
}
