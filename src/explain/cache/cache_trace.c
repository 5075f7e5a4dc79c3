#include "explain/cache/cache_trace.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/size.h"
#include "base/text.h"
#include "explain/cache/code_lines.h"
#include "explain/cache/recording.h"
#include "explain/compiled/decoder.h"

/* The process in which a rung is recorded. */

#define WAITS 5 /* wall-clock limit, in multiples of the CPU limit: other programs run, too */

static enum status judge(const struct recording_request *request, const struct recording *recording, int state,
                         struct error *error)
{
    if (WIFEXITED(state) && WEXITSTATUS(state) == 0) {
        if (recording->status != STATUS_OK)
            *error = recording->error;
        return recording->status;
    }
    if (WIFSIGNALED(state) && (WTERMSIG(state) == SIGALRM || WTERMSIG(state) == SIGXCPU || WTERMSIG(state) == SIGKILL))
        return fail(error, STATUS_UNAVAILABLE, "%s: its trace would take more than %u seconds", request->rung->name,
                    request->limits.seconds);
    return fail(error, STATUS_UNAVAILABLE, "%s: its recorded run ended by signal %d", request->rung->name,
                WIFSIGNALED(state) ? WTERMSIG(state) : 0);
}

/* Runs and returns recording->status; STATUS_UNAVAILABLE also when the process ended by itself. */
static enum status recording_run(const struct recording_request *request, struct recording *recording,
                                 struct error *error)
{
    int state = 0;
    recording->status = STATUS_UNAVAILABLE;
    pid_t child = fork();
    if (child < 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: no process for its trace: %s", request->rung->name,
                    strerror(errno));
    if (child == 0) {
        signal(SIGALRM, SIG_DFL);
        const struct rlimit limit = {request->limits.seconds, request->limits.seconds};
        setrlimit(RLIMIT_CPU, &limit);
        alarm(WAITS * request->limits.seconds);
        recorded_run(request, recording);
        _exit(0);
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        ;
    return judge(request, recording, state, error);
}

/* Limits in accesses and in CPU seconds; a recording usually takes a few seconds of one core. */
static const struct recording_limits usual_limits = {.whole = 10000000, .most = 300000000, .seconds = 60};

const char *cache_access_name(enum cache_access kind)
{
    static const char *const names[] = {"load", "store", "stream", "prefetch"};
    return names[kind];
}

/* ---- accesses of the source ------------------------------------------------------------------------------------- */

static void name_place(const struct array *arrays, int array_count, uint8_t place, struct cache_site *site)
{
    site->is_array = place < PLACE_OTHER;
    snprintf(site->array, sizeof site->array, "%s",
             place < array_count          ? arrays[place].name
             : place == KERNEL_ARRAYS_MAX ? "scratch"
                                          : "other");
}

/* Descending by bytes moved to and from L1, then by accesses. */
static int by_weight(const void *a, const void *b)
{
    const struct cache_site *one = a, *other = b;
    double ones = one->counts.misses[0] * 64 + one->counts.bypassed;
    double others = other->counts.misses[0] * 64 + other->counts.bypassed;
    if (ones != others)
        return ones < others ? 1 : -1;
    if (one->counts.accesses != other->counts.accesses)
        return one->counts.accesses < other->counts.accesses ? 1 : -1;
    return one->line - other->line;
}

static bool collect_sites(const struct cache_trace_request *request, const struct code_copy *copy,
                          struct recording *recording, struct explain_caches *caches)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int array_count = 0;
    struct error ignored;
    struct cache_site *all = calloc(copy->group_count * (PLACE_OTHER + 1) + 1, sizeof *all);
    kernel_describe(request->problem, arrays, &array_count, &ignored);
    for (size_t i = 0; all && i < copy->access_count; i++) {
        const struct cache_counts *counts = &recording_counts(recording)[i];
        const struct copied_access *access = &copy->accesses[i];
        uint8_t place = recording_places(recording)[i];
        if (counts->accesses == 0)
            continue;
        place = place > PLACE_OTHER ? PLACE_OTHER : place;
        struct cache_site *site = &all[access->group * (PLACE_OTHER + 1) + place];
        if (site->counts.accesses == 0) {
            name_place(arrays, array_count, place, site);
            site->line = access->line;
            site->kind = code_access_kind(&access->operand);
            snprintf(site->file, sizeof site->file, "%s", access->file);
        }
        site->bytes = access->operand.bytes > site->bytes ? access->operand.bytes : site->bytes;
        cache_counts_add(&site->counts, counts);
    }
    for (size_t i = 0; all && i < copy->group_count * (PLACE_OTHER + 1); i++)
        if (all[i].counts.accesses > 0)
            all[caches->site_count++] = all[i];
    if (all)
        qsort(all, caches->site_count, sizeof *all, by_weight);
    caches->sites = all;
    return all != NULL;
}

/* ---- instructions ----------------------------------------------------------------------------------------------- */

static void count_work(const struct code_copy *copy, const uint64_t *executed, struct cache_work *work)
{
    for (size_t i = 0; i < copy->instruction_count; i++) {
        struct explain_instruction what;
        int vector_bits;
        double times = (double)executed[copy->instructions[i].block];
        const struct x86_instruction one = code_copy_decode(copy, i);
        if (times == 0 || !x86_classify(&one, &what, &vector_bits))
            continue;
        work->classes[what.class] += times;
        work->instructions += times;
    }
}

/* The windows' clocks, and those of instructions that are on no way between two accesses: loops that access nothing. */
static double clocks_of(const struct core_total *core, double instructions, double issue)
{
    return core->clocks + fmax(0, instructions - core->instructions) / issue;
}

static void collect_work(const struct code_copy *copy, struct recording *recording, struct explain_caches *caches)
{
    for (unsigned t = 0; t < recording->threads; t++) {
        struct cache_work work = {.instructions = 0};
        count_work(copy, recording_executed(recording, t), &work);
        work.core_clocks = clocks_of(&recording->core[t], work.instructions, caches->geometry.core->issue);
        work.mispredicted = recording->core[t].mispredicted;
        caches->all.instructions += work.instructions;
        caches->all.core_clocks += work.core_clocks;
        for (int class = 0; class < CODE_CLASSES; class ++)
            caches->all.classes[class] += work.classes[class];
        if (work.core_clocks > caches->busiest.core_clocks)
            caches->busiest = work;
        cache_traffic_add(&caches->traffic, &caches->most, &recording->traffic[t]);
    }
}

static double times_of(const struct code_copy *copy, struct recording *recording, size_t instruction)
{
    double times = 0;
    for (unsigned t = 0; t < recording->threads; t++)
        times += (double)recording_executed(recording, t)[copy->instructions[instruction].block];
    return times;
}

static bool collect_executed(const struct code_copy *copy, struct recording *recording, struct explain_caches *caches)
{
    caches->executed = calloc(copy->instruction_count + 1, sizeof *caches->executed);
    caches->executed_count = caches->executed ? copy->instruction_count : 0;
    for (size_t i = 0; i < caches->executed_count; i++)
        caches->executed[i] = (struct cache_executed){copy->instructions[i].address, times_of(copy, recording, i)};
    return caches->executed != NULL;
}

double explain_caches_times(const struct explain_caches *caches, uintptr_t address)
{
    size_t from = 0, to = caches->executed_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (caches->executed[middle].address < address)
            from = middle + 1;
        else
            to = middle;
    }
    return from < caches->executed_count && caches->executed[from].address == address ? caches->executed[from].times
                                                                                      : 0;
}

/* ---- divisions -------------------------------------------------------------------------------------------------- */

#define DIVIDER_CLOCKS 7   /* in which the divider is taken (core_steps.c) */
#define DIVIDER_SHARE 0.05 /* of all clocks: less is not named */

static void add_division(struct explain_caches *caches, const struct copied_access *access, double count)
{
    struct cache_division *all = caches->divisions;
    size_t i = 0;
    while (i < caches->division_count && (all[i].line != access->line || strcmp(all[i].file, access->file) != 0))
        i++;
    if (i == CACHE_DIVISIONS_MAX)
        return;
    caches->division_count += i == caches->division_count;
    snprintf(all[i].file, sizeof all[i].file, "%s", access->file);
    all[i].line = access->line;
    all[i].count += count;
}

static int by_count(const void *a, const void *b)
{
    const struct cache_division *one = a, *other = b;
    return one->count < other->count ? 1 : one->count > other->count ? -1 : one->line - other->line;
}

static void collect_divisions(const struct code_copy *copy, struct recording *recording, struct explain_caches *caches)
{
    for (size_t i = 0; i < copy->access_count; i++) {
        double times = copy->accesses[i].is_division ? times_of(copy, recording, copy->accesses[i].instruction) : 0;
        if (times > 0)
            add_division(caches, &copy->accesses[i], times);
    }
    qsort(caches->divisions, caches->division_count, sizeof *caches->divisions, by_count);
    while (caches->division_count > 0 && caches->divisions[caches->division_count - 1].count * DIVIDER_CLOCKS <
                                             DIVIDER_SHARE * caches->all.core_clocks)
        caches->division_count--;
}

static void count_unrecorded(const struct code_copy *copy, struct recording *recording, struct explain_caches *caches)
{
    struct x86_operand operand;
    for (size_t i = 0; i < copy->instruction_count; i++) {
        const struct x86_instruction one = code_copy_decode(copy, i);
        if (x86_operand_of(&one, &operand) == X86_OTHER)
            caches->unrecorded += (size_t)times_of(copy, recording, i);
    }
}

/* ---- all -------------------------------------------------------------------------------------------------------- */

static void scale(void *values, size_t bytes, double by)
{
    for (size_t i = 0; i < bytes / sizeof by; i++)
        ((double *)values)[i] *= by;
}

/* Scales the simulated sample to all accesses. Distinct lines and pages are counts already, and are not scaled. */
static void scale_counts(struct explain_caches *caches)
{
    double by = caches->simulated > 0 ? caches->accesses / caches->simulated : 1;
    for (size_t i = 0; i < caches->site_count; i++)
        scale(&caches->sites[i].counts, offsetof(struct cache_counts, lines), by);
    scale(&caches->traffic, sizeof caches->traffic, by);
    scale(&caches->most, sizeof caches->most, by);
}

static enum status collect(const struct cache_trace_request *request, const struct code_copy *copy,
                           struct recording *recording, struct explain_caches *caches, struct error *error)
{
    caches->threads = recording->threads;
    caches->accesses = (double)recording->accesses;
    caches->simulated = (double)recording->simulated;
    caches->is_sampled = recording->is_sampled;
    caches->is_cut = recording->is_cut;
    caches->was_warm = recording->was_warm;
    caches->page_bytes = recording->page_bytes;
    caches->regions = (double)recording->regions;
    for (size_t i = 0; i < recording->outside_count; i++)
        text_append(caches->outside, sizeof caches->outside, "%s%s", i ? ", " : "", recording->outside[i]);
    caches->is_partial = recording->is_partial;
    collect_work(copy, recording, caches);
    count_unrecorded(copy, recording, caches);
    collect_divisions(copy, recording, caches);
    if (!collect_sites(request, copy, recording, caches) || !collect_executed(copy, recording, caches))
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    bool has_arrays = false;
    for (size_t i = 0; i < caches->site_count; i++)
        has_arrays |= caches->sites[i].is_array;
    if (caches->site_count == 0)
        return fail(error, STATUS_UNAVAILABLE, "%s: none of its own code was executed", request->rung->name);
    if (!has_arrays)
        return fail(error, STATUS_UNAVAILABLE, "%s: its own code touches no array: other kernels' rungs do the work",
                    request->rung->name);
    if (caches->is_cut)
        scale_counts(caches);
    return STATUS_OK;
}

static enum status record(const struct cache_trace_request *request, struct code_copy *copy,
                          struct explain_caches *caches, struct error *error)
{
    struct recording *recording = cache_recording_create(copy);
    struct recording_request one = {.rung = request->rung,
                                    .problem = request->problem,
                                    .parameters = request->parameters,
                                    .geometry = request->geometry,
                                    .copy = copy,
                                    .threads = request->threads,
                                    .limits = usual_limits};
    if (!recording)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the trace");
    enum status status = recording_run(&one, recording, error);
    if (status == STATUS_OK)
        status = collect(request, copy, recording, caches, error);
    cache_recording_free(recording);
    return status;
}

static const void *enqueue_of(const struct rung *rung)
{
    enum status (*enqueue)(struct run *, struct error *) = rung->enqueue;
    const void *start;
    memcpy(&start, &enqueue, sizeof start);
    return start;
}

#define STARTS_MOST 32

/* The rung's own function, and those of the kernels that it runs rungs of. */
static size_t find_starts(const struct cache_trace_request *request, const void *starts[STARTS_MOST])
{
    const char *const *part = request->start ? NULL : request->problem->kernel->parts;
    size_t count = 0;
    starts[count++] = request->start ? request->start : enqueue_of(request->rung);
    for (; part && *part; part++) {
        struct error ignored;
        const struct rung *const *rungs;
        size_t rung_count = 0;
        const struct kernel *kernel = kernel_by_name(*part, &ignored);
        if (!kernel || kernel_rungs(kernel, &rungs, &rung_count, &ignored) != STATUS_OK)
            continue;
        for (size_t i = 0; i < rung_count && count < STARTS_MOST; i++)
            if (rungs[i]->kind == RUNG_HOST)
                starts[count++] = enqueue_of(rungs[i]);
    }
    return count;
}

enum status explain_caches_trace(const struct cache_trace_request *request, struct explain_caches *caches,
                                 struct error *error)
{
    *caches = (struct explain_caches){.geometry = *request->geometry};
    char folder[64];
    const void *starts[STARTS_MOST];
    struct code_copy copy;
    size_t count = find_starts(request, starts);
    snprintf(folder, sizeof folder, "/kernels/%s%s", count > 1 ? "" : request->problem->kernel->name,
             count > 1 ? "" : "/");
    enum status status = decoder_open(error);
    if (status != STATUS_OK)
        return status;
    status = code_copy_make(starts, count, request->folder ? request->folder : folder, &copy, error);
    if (status == STATUS_OK)
        status = code_lines_find(&copy, error);
    if (status == STATUS_OK)
        status = record(request, &copy, caches, error);
    code_copy_free(&copy);
    if (status != STATUS_OK)
        explain_caches_free(caches);
    return status;
}

void explain_caches_free(struct explain_caches *caches)
{
    free(caches->sites);
    free(caches->executed);
    *caches = (struct explain_caches){.sites = NULL};
}
