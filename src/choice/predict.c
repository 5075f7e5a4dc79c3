#include "choice/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "choice/expected.h"

/* ---- how far a measured problem is ------------------------------------------------------------------------------- */

/* The distance of two problems, in halves of a doubling of a size. Word alignment weighs most, then the element size:
 * by these two the ladders' rungs differ. On a CPU alignment counts less; on the cpu the size of the whole problem
 * counts, too: what fits a cache, or is worth threads. There a wave's rungs have other loops for rows of whole lines.
 */
#define DOUBLING 2.0
#define DOUBLING_OF_WORK 1.0
#define OTHER_ROWS 20.0     /* for each array: rows that are whole words here, and are not there */
#define OTHER_ALIGNMENT 2.0 /* for each array and doubling of what its rows are multiples of, on one side of a word */
#define OTHER_VECTORS \
    4.0 /* for each doubling of the vectors that rows are multiples of, where a CPU's rungs have some */
#define ALIGNMENT_ON_CPU 0.5 /* for each doubling of what the first array's rows are multiples of */
#define OTHER_LINES 8.0      /* a wave's rows are whole cache lines here, and are not there */
#define OTHER_ELEMENTS 8.0   /* for each doubling of their size */
#define OTHER_OPTION 4.0
#define OTHER_UNIT 8.0 /* a size of one here, of more there: a vector, a single step */
#define OTHER_TYPE 2.0
#define OTHER_THREADS 12.0 /* one thread here, several there; half of it for other numbers of several */
#define OTHER_DEVICE 12.0
#define OTHER_CORES 12.0  /* a machine with another number of cores: of caches and memory a core has another share */
#define OTHER_API 8.0     /* CUDA's times for OpenCL on the same GPU: it has all of OpenCL's rungs */
#define OTHER_KIND 1e6    /* otherwise: after all of the device's own kind */
#define SAME_TUNABLES 8.0 /* so near, on this very device, a rung's best tunables are taken to be the same */

static double doublings(double a, double b)
{
    return fabs(log2(a > 1 ? a : 1) - log2(b > 1 ? b : 1));
}

static double fields_distance(const struct problem *a, const struct problem *b)
{
    double far = OTHER_ELEMENTS * doublings(element_info(a->type)->bytes, element_info(b->type)->bytes) +
                 (a->type == b->type ? 0 : OTHER_TYPE);
    for (size_t i = 0; i < a->kernel->field_count; i++) {
        const enum field_kind kind = a->kernel->fields[i].kind;
        if (kind == FIELD_SIZE)
            far += DOUBLING * doublings((double)a->values[i].size, (double)b->values[i].size) +
                   ((a->values[i].size == 1) != (b->values[i].size == 1) ? OTHER_UNIT : 0);
        if (kind == FIELD_CHOICE && a->values[i].size != b->values[i].size)
            far += OTHER_OPTION;
    }
    return far;
}

static bool is_gpu(enum tuned_kind kind)
{
    return kind == TUNED_CUDA || kind == TUNED_OPENCL;
}

/* What is asked for. */
struct question {
    const struct problem *problem;
    const struct device *device;
    int threads;
    unsigned alignment;
    const struct rung *const *rungs;
    size_t count;
    enum tuned_lines lines;
    bool has_launches; /* of some rung the time is reckoned from its launches */
    bool has_vectors;  /* some rung has a tunable WIDE: vectors where rows are multiples of them */
    struct tuned_entries entries;
    const double *distances; /* of each entry; INFINITY where it says nothing about this device */
};

/* What the entry's device adds to the distance; INFINITY where it says nothing about the one asked for. */
static double device_distance(const struct tuned_entry *entry, const struct question *question)
{
    const enum tuned_kind kind = tuned_kind_of(question->device);
    const struct device_properties *properties = &question->device->properties;
    if (question->lines == LINES_SHIPPED ? !entry->is_shipped : entry->is_replaced)
        return INFINITY;
    if ((entry->kind != kind && !(is_gpu(kind) && is_gpu(entry->kind))) ||
        tuned_has_other_driver(entry, question->device))
        return INFINITY;
    const bool is_same = strcmp(entry->device, properties->name) == 0;
    if (is_same && entry->kind == TUNED_CUDA && kind == TUNED_OPENCL)
        return OTHER_API;
    double far = entry->kind == kind ? 0 : OTHER_KIND;
    if (!is_same || strcmp(entry->version, properties->version) != 0)
        far += OTHER_DEVICE;
    if (entry->cores > 0 && properties->cores > 0 && (uint32_t)entry->cores != properties->cores)
        far += OTHER_CORES;
    if (entry->threads != question->threads)
        far += entry->threads == 1 || question->threads == 1 ? OTHER_THREADS : OTHER_THREADS / 2;
    return far;
}

/* Of the first array, at most `most`. */
static int aligned(unsigned alignment, int most)
{
    const int power = (int)(alignment & ((1U << TUNED_ALIGNMENT_BITS) - 1));
    return power < most ? power : most;
}

static double alignment_distance(unsigned a, unsigned b)
{
    double far = 0;
    for (; a != b; a >>= TUNED_ALIGNMENT_BITS, b >>= TUNED_ALIGNMENT_BITS) {
        const int x = aligned(a, TUNED_SECTOR), y = aligned(b, TUNED_SECTOR);
        far += (x >= TUNED_WORD) != (y >= TUNED_WORD) ? OTHER_ROWS : OTHER_ALIGNMENT * abs(x - y);
    }
    return far;
}

/* Of the first array, up to vectors of four words. */
static double vectors_distance(unsigned a, unsigned b)
{
    return OTHER_VECTORS * abs(aligned(a, TUNED_VECTOR) - aligned(b, TUNED_VECTOR));
}

static double cpu_distance(const struct tuned_entry *entry, const struct question *question)
{
    const struct kernel *kernel = entry->problem.kernel;
    const int x = aligned(question->alignment, TUNED_LINE), y = aligned(entry->alignment, TUNED_LINE);
    const double far = ALIGNMENT_ON_CPU * abs(x - y);
    if (strcmp(kernel->name, "wave") == 0)
        return far + ((x == TUNED_LINE) != (y == TUNED_LINE) ? OTHER_LINES : 0);
    return far + DOUBLING_OF_WORK * doublings(kernel->work(question->problem), kernel->work(&entry->problem));
}

static double distance(const struct tuned_entry *entry, const struct question *question)
{
    double far = device_distance(entry, question);
    if (!isfinite(far))
        return far;
    far += fields_distance(question->problem, &entry->problem);
    if (is_gpu(entry->kind))
        far += alignment_distance(question->alignment, entry->alignment);
    if (entry->kind == TUNED_OPENCL_CPU && question->has_vectors)
        far += vectors_distance(question->alignment, entry->alignment);
    if (entry->kind == TUNED_CPU)
        far += cpu_distance(entry, question);
    return far;
}

/* ---- the nearest ones -------------------------------------------------------------------------------------------- */

enum { NEAREST = 4 };

#define NEAR 0.25       /* problems that are nearer than this weigh alike */
#define FARTHEST 1.5    /* of the nearest one's distance, about: beyond it a problem is of another sort */
#define NEAR_ON_CPU 0.5 /* on the cpu, whose lines are noisy: there more of them count */
#define FARTHEST_ON_CPU 2.0
#define NO_GROWTH 1.1 /* beside rungs that are reckoned by their launches, one whose growth is unknown */
#define UNKNOWN 2.0   /* a rung that was not measured there is taken to be so much slower than where it was */
#define LACKING \
    1.15          /* for each rung that near lines lack, through OpenCL on a CPU: there many name the fastest alone */
#define TRUST 1.0 /* weight of expected_time on a GPU, as if a problem at distance 0.75 had exactly that time */

struct near {
    const struct tuned_entry *entry;
    double distance, weight, fastest;
};

/* Inserts into the list of the nearest, nearest first; of equally far ones the earlier stays first. */
static void insert(struct near near[NEAREST], size_t *count, const struct tuned_entry *entry, double far)
{
    size_t at = *count;
    while (at > 0 && near[at - 1].distance > far)
        at--;
    if (at == NEAREST)
        return;
    if (*count < NEAREST)
        ++*count;
    memmove(&near[at + 1], &near[at], (*count - at - 1) * sizeof *near);
    near[at] = (struct near){.entry = entry, .distance = far};
}

static const struct tuned_time *find_time(const struct tuned_entry *entry, const struct rung *rung)
{
    for (size_t t = 0; t < entry->count; t++)
        if (strcmp(entry->times[t].rung, rung->name) == 0)
            return &entry->times[t];
    return NULL;
}

static double time_of(const struct tuned_entry *entry, const struct rung *rung)
{
    const struct tuned_time *time = find_time(entry, rung);
    return time ? time->nanoseconds : 0;
}

/* The entry's time of the rung, as it would be for the problem asked for, by what it grows with; 0 where it was not
 * measured. Beside rungs that are reckoned by their launches, a rung of unknown growth keeps its ratio to them. */
static double growth(const struct tuned_entry *entry, const struct rung *rung, const struct question *question)
{
    const struct kernel *kernel = question->problem->kernel;
    const double here = question->has_launches
                            ? 0
                            : expected_time(rung, question->problem, question->device, question->threads),
                 there = here > 0 ? expected_time(rung, &entry->problem, question->device, entry->threads) : 0;
    return there > 0 ? here / there : kernel->work(question->problem) / kernel->work(&entry->problem);
}

static double scaled_time(const struct tuned_entry *entry, const struct rung *rung, const struct question *question)
{
    const double time = time_of(entry, rung);
    return time > 0 ? time * growth(entry, rung, question) : 0;
}

static double fastest_of(const struct tuned_entry *entry, const struct question *question)
{
    double fastest = INFINITY;
    for (size_t r = 0; r < question->count; r++) {
        const double time = scaled_time(entry, question->rungs[r], question);
        fastest = time > 0 ? fmin(fastest, time) : fastest;
    }
    return fastest;
}

/* The problems' distances alone tell how much each says: what the nearest one's device adds is common to all. Drops
 * what is much farther than the nearest one, and all others where the user measured this very problem; returns how many
 * remain. */
static size_t weigh(struct near near[NEAREST], size_t count, const struct question *question)
{
    const double common = count > 0 ? device_distance(near[0].entry, question) : 0;
    const bool is_cpu = tuned_kind_of(question->device) == TUNED_CPU;
    const double alike = is_cpu ? NEAR_ON_CPU : NEAR, farthest = is_cpu ? FARTHEST_ON_CPU : FARTHEST;
    const bool is_very_problem = count > 0 && near[0].distance == 0 && !near[0].entry->is_shipped;
    size_t kept = 0;
    for (size_t i = 0; i < (is_very_problem ? 1 : count); i++) {
        const double far = near[i].distance - common;
        if (i > 0 && far > farthest * (near[0].distance - common) + alike)
            break;
        near[i].weight = 1 / ((alike + far) * (alike + far));
        near[i].fastest = fastest_of(near[i].entry, question);
        kept++;
    }
    return kept;
}

/* The nearest entry with the rung, however far; NULL where there is none. */
static const struct tuned_entry *nearest_with(const struct question *question, const struct rung *rung)
{
    const struct tuned_entry *found = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < question->entries.count; i++)
        if (question->distances[i] < least && time_of(&question->entries.items[i], rung) > 0)
            found = &question->entries.items[i], least = question->distances[i];
    return found;
}

/* Of a rung that the entry lacks: there it was slower than the fastest one, but it may grow less. It is as slow as by
 * the nearest entry that has it, at least. */
static double lacking_ratio(const struct near *near, const struct rung *rung, const struct question *question,
                            double elsewhere)
{
    double fastest = INFINITY;
    for (size_t t = 0; t < near->entry->count; t++)
        fastest = fmin(fastest, near->entry->times[t].nanoseconds);
    return fmax(elsewhere, LACKING * fastest * growth(near->entry, rung, question) / near->fastest);
}

/* False where the rung was measured nowhere. */
static bool predict_rung(const struct question *question, const struct near *near, size_t count,
                         struct prediction *made)
{
    double sum = 0, weights = 0, known = 0, lacking = 0;
    const struct tuned_entry *nearest = nearest_with(question, made->rung);
    made->from = NULL;
    if (!nearest)
        return false;
    const double elsewhere = scaled_time(nearest, made->rung, question) / fastest_of(nearest, question);
    for (size_t i = 0; i < count; i++) {
        const double ratio = scaled_time(near[i].entry, made->rung, question) / near[i].fastest; /* 0: it lacks it */
        weights += near[i].weight;
        known += ratio > 0 ? near[i].weight : 0;
        sum += ratio > 0 ? near[i].weight * log(ratio) : 0;
        lacking += ratio > 0 ? 0 : near[i].weight * log(lacking_ratio(&near[i], made->rung, question, elsewhere));
        if (ratio > 0 && !made->from)
            made->from = near[i].entry;
    }
    const bool is_cpu_far = made->from && tuned_kind_of(question->device) == TUNED_CPU;
    if (!made->from) {
        made->from = nearest;
        known = near[0].weight; /* as if it were near */
        sum = known * log(elsewhere);
        weights = 1e3 * known;
    }
    made->cost = is_cpu_far ? exp((sum + lacking) / weights)
                            : exp((known > 0 ? sum / known : 0) + log(UNKNOWN) * (1 - known / weights));
    made->nanoseconds = scaled_time(made->from, made->rung, question);
    return true;
}

/* The nearest entries, of a rung's times or of all; returns how many. */
static size_t collect(const struct question *question, const struct rung *rung, struct near near[NEAREST])
{
    size_t count = 0;
    for (size_t i = 0; i < question->entries.count; i++) {
        const struct tuned_entry *entry = &question->entries.items[i];
        if (isfinite(question->distances[i]) && (!rung || time_of(entry, rung) > 0))
            insert(near, &count, entry, question->distances[i]);
    }
    return weigh(near, count, question);
}

/* How much of the nearest entries' weight is of those that have the rung. */
static double share_with(const struct rung *rung, const struct near *near, size_t count)
{
    double with = 0, weights = 0;
    for (size_t i = 0; i < count; i++) {
        with += time_of(near[i].entry, rung) > 0 ? near[i].weight : 0;
        weights += near[i].weight;
    }
    return with / weights;
}

/* By the shape of its launches, corrected by what near problems took. False where that, or any time, is not known. */
static bool predict_by_launches(const struct question *question, const struct near *all, size_t all_count,
                                struct prediction *made)
{
    struct near near[NEAREST];
    const bool is_time = expected_is_time(made->rung, question->problem, question->device);
    const double expected =
        is_time ? expected_time(made->rung, question->problem, question->device, question->threads) : 0;
    const size_t count = expected > 0 ? collect(question, made->rung, near) : 0;
    /* Between CPUs the rungs' costs differ more: there a sum says only how a rung's time grows. */
    double sum = 0, weights = question->device->properties.is_cpu ? 0 : TRUST;
    for (size_t i = 0; i < count; i++) {
        const double there = expected_time(made->rung, &near[i].entry->problem, question->device, 0);
        sum += there > 0 ? near[i].weight * log(time_of(near[i].entry, made->rung) / there) : 0;
        weights += there > 0 ? near[i].weight : 0;
    }
    if (count == 0 || weights == 0)
        return false;
    made->from = near[0].entry;
    made->nanoseconds = made->cost = expected * exp(sum / weights);
    if (question->device->properties.is_cpu)
        made->cost *= pow(LACKING, 1 - share_with(made->rung, all, all_count));
    return true;
}

static int compare(const void *a, const void *b)
{
    const struct prediction *first = a, *second = b;
    return (first->cost > second->cost) - (first->cost < second->cost);
}

/* The tunables that were best near by, on this very device. */
static const char *tunables_of(const struct question *question, const struct prediction *made)
{
    const bool is_alike = device_distance(made->from, question) == 0 && distance(made->from, question) <= SAME_TUNABLES;
    return is_alike ? find_time(made->from, made->rung)->tunables : "";
}

static bool does_run(const struct question *question, const struct rung *rung)
{
    struct parameters parameters;
    char reason[512];
    return rung_defaults(rung, question->problem, &parameters, NULL) == STATUS_OK &&
           !rung_refuses(rung, question->problem, question->device, &parameters, reason, sizeof reason);
}

static struct question ask(const struct problem *problem, const struct device *device, int threads,
                           const struct rung *const *rungs, size_t count, enum tuned_lines lines)
{
    struct question question = {
        .problem = problem,
        .device = device,
        .threads = threads,
        .alignment = tuned_alignment(problem),
        .rungs = rungs,
        .count = count,
        .lines = lines,
        .entries = tuned_entries(problem->kernel, tuned_kind_of(device)),
    };
    for (size_t r = 0; r < count; r++) {
        question.has_launches |= expected_is_time(rungs[r], problem, device);
        for (size_t t = 0; t < rungs[r]->tunable_count; t++)
            question.has_vectors |=
                (rungs[r]->backends & BACKEND_OPENCL) && strcmp(rungs[r]->tunables[t].name, "WIDE") == 0;
    }
    return question;
}

/* Predicts with question's distances. */
static size_t predict_all(const struct question *question, struct prediction *predictions)
{
    struct near near[NEAREST];
    const size_t near_count = collect(question, NULL, near);
    double fastest = INFINITY; /* of those by their launches, whose costs are times as yet */
    bool by_launches[KERNEL_RUNGS_MAX];
    size_t made = 0;
    for (size_t r = 0; near_count > 0 && r < question->count; r++) {
        struct prediction *one = &predictions[made];
        one->rung = question->rungs[r];
        by_launches[made] = predict_by_launches(question, near, near_count, one);
        if (by_launches[made])
            fastest = does_run(question, one->rung) ? fmin(fastest, one->cost) : fastest;
        else if (!predict_rung(question, near, near_count, one))
            continue;
        else if (question->has_launches)
            one->cost *= NO_GROWTH;
        one->tunables = tunables_of(question, one);
        made++;
    }
    for (size_t i = 0; i < made; i++)
        predictions[i].cost /= by_launches[i] && isfinite(fastest) ? fastest : 1;
    qsort(predictions, made, sizeof *predictions, compare);
    return made;
}

size_t predict(const struct problem *problem, const struct device *device, int threads, const struct rung *const *rungs,
               size_t count, enum tuned_lines lines, struct prediction *predictions)
{
    struct question question = ask(problem, device, threads, rungs, count, lines);
    double *distances = calloc(question.entries.count + 1, sizeof *distances);
    if (!distances)
        return 0;
    for (size_t i = 0; i < question.entries.count; i++)
        distances[i] = distance(&question.entries.items[i], &question);
    question.distances = distances;
    const size_t made = predict_all(&question, predictions);
    free(distances);
    return made;
}

/* ---- the user's own measurements -----------------------------------------------------------------------------------
 */

#define OWN_FAR 8.0    /* four doublings of a size */
#define OWN_LINES 3    /* at least, */
#define OWN_EACH 1.05  /* each of which says so, by more than this, */
#define OWN_MEAN 1.15  /* and all together by more than this; */
#define OWN_EXACT 1.05 /* a line of this very problem decides alone */

/* By how much, as a logarithm, the second rung took longer than the first there. One that the line of this very problem
 * lacks was not worth a measurement, or wrong. */
static double gain_of(const struct near *near, const struct question *question)
{
    const double slower = scaled_time(near->entry, question->rungs[1], question);
    return slower > 0 ? log(slower / scaled_time(near->entry, question->rungs[0], question)) : INFINITY;
}

/* The user's nearest lines of this very device with both rungs; returns how many. */
static size_t collect_own(const struct question *question, struct near near[NEAREST])
{
    size_t count = 0;
    for (size_t i = 0; i < question->entries.count; i++) {
        const struct tuned_entry *entry = &question->entries.items[i];
        const bool is_own = !entry->is_shipped && device_distance(entry, question) == 0;
        const double far = is_own ? distance(entry, question) : INFINITY;
        if (far <= OWN_FAR && time_of(entry, question->rungs[0]) > 0 &&
            (far == 0 || time_of(entry, question->rungs[1]) > 0))
            insert(near, &count, entry, far);
    }
    return count;
}

bool predict_is_borne_out(const struct problem *problem, const struct device *device, int threads,
                          const struct rung *faster, const struct rung *slower)
{
    const struct rung *const both[] = {faster, slower};
    const struct question question = ask(problem, device, threads, both, 2, LINES_ALL);
    struct near near[NEAREST];
    const size_t count = collect_own(&question, near);
    double sum = 0, weights = 0, least = INFINITY;
    if (count > 0 && near[0].distance == 0)
        return gain_of(&near[0], &question) > log(OWN_EXACT);
    for (size_t i = 0; i < count; i++) {
        const double weight = 1 / ((NEAR + near[i].distance) * (NEAR + near[i].distance));
        sum += weight * gain_of(&near[i], &question);
        weights += weight;
        least = fmin(least, gain_of(&near[i], &question));
    }
    return count >= OWN_LINES && least > log(OWN_EACH) && sum / weights > log(OWN_MEAN);
}
