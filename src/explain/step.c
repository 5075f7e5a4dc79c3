/* The change from one rung to the next, in one line. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "explain/explain.h"

/* By more than 5 % of the larger one. */
static bool step_differs(double a, double b)
{
    return fabs(a - b) > 0.05 * fmax(a, b);
}

static const char *shown(char *text, size_t size, double value)
{
    snprintf(text, size, value < 1000 ? "%.3g" : "%.0f", value);
    return say_number(text);
}

/* Before a part that is not the first. */
static void step_separate(char *text, size_t size)
{
    if (text[0])
        text_append(text, size, "; ");
}

/* Each adds one part, separated from those before it, and nothing where the figures do not differ. `what` is a format
 * with two %s, for the figures before and after; `fewer` and `more` have one %s, for the ratio, which is above 1. */
static void step_add_change(char *text, size_t size, const char *what, double before, double after)
{
    char numbers[2][32];
    if (!step_differs(before, after))
        return;
    step_separate(text, size);
    text_append(text, size, tr(what), shown(numbers[0], sizeof numbers[0], before),
                shown(numbers[1], sizeof numbers[1], after));
}

static void step_add_ratio(char *text, size_t size, const char *fewer, const char *more, double before, double after)
{
    char number[32];
    if (before <= 0 || after <= 0 || !step_differs(before, after))
        return;
    step_separate(text, size);
    text_append(text, size, tr(before > after ? fewer : more),
                shown(number, sizeof number, before > after ? before / after : after / before));
}

/* The parts of a step's line that belong to CPU rungs. */

#define SHARE_LEAST 0.1     /* of the predicted time: a resource that takes less changes little */
#define MISTAKE_CLOCKS 15.0 /* of a mispredicted branch, about: to tell whether such branches matter */

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double share_of(const struct explanation *explanation, enum explain_resource resource)
{
    return share(explanation->model.ns[resource], explanation->model.predicted_ns);
}

/* Every resource does where no time is predicted. */
static bool matters(const struct explanation *before, const struct explanation *after, enum explain_resource resource)
{
    if (before->model.predicted_ns <= 0 || after->model.predicted_ns <= 0)
        return true;
    return fmax(share_of(before, resource), share_of(after, resource)) >= SHARE_LEAST;
}

static double clocks_of(const struct explanation *explanation)
{
    const struct cache_work *busiest = &explanation->caches.busiest;
    return share(busiest->core_clocks, busiest->instructions);
}

/* Of a thousand instructions; fewer than matter count as none. */
static double mistakes_of(const struct explanation *explanation)
{
    const struct cache_work *busiest = &explanation->caches.busiest;
    bool matter = busiest->mispredicted * MISTAKE_CLOCKS >= SHARE_LEAST * busiest->core_clocks;
    return matter ? 1000 * share(busiest->mispredicted, busiest->instructions) : 0;
}

static double lines_of(const struct explanation *explanation)
{
    return explanation->caches.traffic.fills[0];
}

static double waits_of(const struct explanation *explanation)
{
    const struct cache_traffic *most = &explanation->caches.most;
    double waits = 0;
    for (int i = 0; i < CACHE_LEVELS; i++)
        waits += most->stalls[i] + most->conflicts[i];
    return waits;
}

static double pages_of(const struct explanation *explanation)
{
    return explanation->caches.most.page_misses;
}

static void add_core(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    step_add_change(text, size, N_("threads: %s → %s"), before->caches.threads, after->caches.threads);
    if (!matters(before, after, RESOURCE_ISSUE))
        return;
    step_add_ratio(text, size, N_("%s × fewer instructions"), N_("%s × as many instructions"),
                   before->caches.all.instructions, after->caches.all.instructions);
    step_add_change(text, size, N_("clocks an instruction: %s → %s"), clocks_of(before), clocks_of(after));
    step_add_change(text, size, N_("mispredicted branches of 1000 instructions: %s → %s"), mistakes_of(before),
                    mistakes_of(after));
}

static void add_cache_memory(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    if (matters(before, after, RESOURCE_L2))
        step_add_ratio(text, size, N_("%s × fewer lines into L1"), N_("%s × as many lines into L1"), lines_of(before),
                       lines_of(after));
    if (matters(before, after, RESOURCE_LATENCY))
        step_add_ratio(text, size, N_("%s × fewer waits for lines"), N_("%s × as many waits for lines"),
                       waits_of(before), waits_of(after));
    if (matters(before, after, RESOURCE_DRAM))
        step_add_ratio(text, size, N_("%s × fewer bytes of memory"), N_("%s × as many bytes of memory"),
                       before->model.dram_bytes, after->model.dram_bytes);
    if (matters(before, after, RESOURCE_PAGES))
        step_add_ratio(text, size, N_("%s × fewer address translations"), N_("%s × as many address translations"),
                       pages_of(before), pages_of(after));
}

/* The instructions, cache lines and translations of CPU rungs that were simulated: those on which a tenth of the
 * predicted time hangs, before or after. */
static void step_add_caches(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    bool is_known = before->caches.site_count > 0 && after->caches.site_count > 0;
    if (!is_known || before->caches.is_partial || after->caches.is_partial)
        return;
    add_core(before, after, text, size);
    add_cache_memory(before, after, text, size);
}

/* Requests, transactions, conflicts and bytes, summed over all accesses of one kind. */
struct sum {
    double requests, transactions, conflicts, moved, used;
};

#define CONFLICTS_LEAST 0.01 /* a request; fewer change no time */

#define ANY (-1)

static struct sum sum_of(const struct explanation *explanation, enum explain_space space, int operation)
{
    struct sum sum = {.requests = 0};
    for (size_t i = 0; i < explanation->trace.access_count; i++) {
        const struct explain_access *access = &explanation->trace.accesses[i];
        if (access->space != space || (operation != ANY && (int)access->operation != operation))
            continue;
        sum.requests += access->counts[0].requests;
        sum.transactions += access->counts[0].transactions;
        sum.conflicts += access->counts[0].conflicts;
        sum.moved += access->counts[0].bytes_moved;
        sum.used += access->counts[0].bytes_moved * access->counts[0].bytes_used_percent / 100;
    }
    return sum;
}

/* Transactions tell of waste, unless as much of them is used as before: then requests are wider or narrower. */
static void add_requests(const struct sum *one, const struct sum *other, const char *transactions, const char *bytes,
                         char *text, size_t size)
{
    double before = share(one->transactions, one->requests), after = share(other->transactions, other->requests);
    if (!step_differs(before, after))
        return;
    if (step_differs(share(one->used, one->moved), share(other->used, other->moved)))
        step_add_change(text, size, transactions, before, after);
    else
        step_add_change(text, size, bytes, share(one->used, one->requests), share(other->used, other->requests));
}

static double conflicts_of(const struct sum *sum)
{
    double conflicts = share(sum->conflicts, sum->requests);
    return conflicts < CONFLICTS_LEAST ? 0 : conflicts;
}

static void add_memory(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    static const struct {
        enum explain_operation operation;
        const char *transactions, *bytes;
    } rows[] = {{EXPLAIN_LOAD, N_("reads: %s transactions a request → %s"), N_("reads: %s bytes a request → %s")},
                {EXPLAIN_STORE, N_("writes: %s transactions a request → %s"), N_("writes: %s bytes a request → %s")}};
    for (size_t i = 0; i < 2; i++) {
        struct sum one = sum_of(before, EXPLAIN_GLOBAL, (int)rows[i].operation),
                   other = sum_of(after, EXPLAIN_GLOBAL, (int)rows[i].operation);
        if (one.requests > 0 && other.requests > 0)
            add_requests(&one, &other, rows[i].transactions, rows[i].bytes, text, size);
    }
    struct sum one = sum_of(before, EXPLAIN_SHARED, ANY), other = sum_of(after, EXPLAIN_SHARED, ANY);
    if (one.requests > 0 || other.requests > 0)
        step_add_change(text, size, N_("bank conflicts: %s a request → %s"), conflicts_of(&one), conflicts_of(&other));
    if (before->caches.site_count == 0 && after->caches.site_count == 0)
        step_add_ratio(text, size, N_("%s × fewer bytes"), N_("%s × as many bytes"), before->model.moved_bytes,
                       after->model.moved_bytes);
}

/* Of the kernel that takes most of the time. */
static void add_kernel(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    const struct explanation *of[] = {before, after};
    double registers[2], warps[2];
    for (size_t i = 0; i < 2; i++) {
        if (of[i]->compiled.kernel_count == 0)
            return;
        size_t longest = of[i]->model.longest;
        registers[i] = of[i]->compiled.kernels[longest].registers;
        warps[i] = of[i]->occupancies ? of[i]->occupancies[longest].warps : 0;
    }
    step_add_change(text, size, N_("registers: %s → %s"), registers[0], registers[1]);
    if (before->occupancies && after->occupancies)
        step_add_change(text, size, N_("resident warps: %s → %s"), warps[0], warps[1]);
}

static void add_code(const struct explanation *before, const struct explanation *after, char *text, size_t size)
{
    struct explain_totals one = explain_totals_of(&before->compiled), other = explain_totals_of(&after->compiled);
    if (before->compiled.kernel_count == 0 || after->compiled.kernel_count == 0)
        return;
    if (one.spill_bytes >= 0 && other.spill_bytes >= 0)
        step_add_change(text, size, N_("spilled bytes: %s → %s"), one.spill_bytes, other.spill_bytes);
    if (one.fp64_instructions >= 0 && other.fp64_instructions >= 0)
        step_add_change(text, size, N_("FP64 instructions: %s → %s"), one.fp64_instructions, other.fp64_instructions);
}

const char *explanation_step(const struct explanation *before, const struct explanation *explanation, char *text,
                             size_t size)
{
    const struct explain_model *model = &explanation->model;
    text[0] = '\0';
    if (before && !before->refusal[0]) {
        add_memory(before, explanation, text, size);
        step_add_caches(before, explanation, text, size);
        if (explanation->compiled.kernel_count > 0 && explanation->compiled.kernels[0].rank > 0) {
            /* A CPU rung's code is that of all element types, and is not launched. */
            add_code(before, explanation, text, size);
            add_kernel(before, explanation, text, size);
        }
        step_add_ratio(text, size, N_("predicted %s × faster"), N_("predicted %s × slower"), before->model.predicted_ns,
                       model->predicted_ns);
    }
    if (model->bound_count > 0 && !explanation->caches.is_partial) {
        step_separate(text, size);
        text_append(text, size, tr("bound by %s"), tr(explain_resource_titles[model->bound_by[0]]));
        if (model->bound_count > 1)
            text_append(text, size, tr(", then by %s"), tr(explain_resource_titles[model->bound_by[1]]));
    }
    return text;
}
