#include "store/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/rank_test.h"
#include "base/translation.h"
#include "store/cores.h"
#include "store/matching.h"
#include "store/noise.h"

/* The values of one side of a comparison: logarithms of times, as independent as the samples allow. */

#define UNITS_MOST 25

#define RUNS_LEAST 8 /* of a side, for its runs to be the values: enough to distinguish 64 pairs at 1 % together */

struct observations {
    double logs[UNITS_MOST];
    size_t count;
    double median; /* of the times, ns */
};

/* Whether a side has runs enough, with times of that phase, to compare runs instead of rounds. */
static bool side_has_runs(const struct side *side, enum phase phase)
{
    size_t with_samples = 0;
    for (size_t i = 0; i < side->count; i++)
        with_samples += side->items[i]->phases[phase].count > 0;
    return with_samples >= RUNS_LEAST;
}

/* The latency between the cores: the median of the side's runs that have one; 0 when none has. */
static double side_core_latency(const struct side *side)
{
    double *known = calloc(side->count + 1, sizeof *known);
    size_t count = 0;
    for (size_t i = 0; known && i < side->count; i++)
        if (side->items[i]->core_latency > 0)
            known[count++] = side->items[i]->core_latency;
    double median = statistics_median(known, count);
    free(known);
    return median;
}

/* Appends the median of each round; the samples of a round are adjacent. */
static size_t add_rounds(const struct samples *samples, double *scratch, double *values, size_t count)
{
    for (size_t i = 0; i < samples->count;) {
        uint32_t round = samples->items[i].round;
        size_t taken = 0;
        for (; i < samples->count && samples->items[i].round == round; i++)
            scratch[taken++] = samples->items[i].nanoseconds;
        values[count++] = statistics_median(scratch, taken);
    }
    return count;
}

/* Joins neighbours until at most UNITS_MOST are left, and takes the logarithms. */
static void join(const double *values, size_t count, struct observations *units)
{
    size_t groups = count < UNITS_MOST ? count : UNITS_MOST;
    for (size_t g = 0; g < groups; g++) {
        size_t first = g * count / groups, end = (g + 1) * count / groups;
        double median = statistics_median(values + first, end - first);
        if (median > 0)
            units->logs[units->count++] = log(median);
    }
    units->median = statistics_median(values, count);
}

/* The side's values: medians of rounds or, with `runs`, of runs; many are joined, neighbours first, by their medians.
 * None when there are no samples or memory is out. */
static void observations_of(const struct side *side, enum phase phase, bool runs, struct observations *units)
{
    size_t total = 0, count = 0;
    *units = (struct observations){0};
    for (size_t i = 0; i < side->count; i++)
        total += side->items[i]->phases[phase].count;
    double *values = calloc(total + 1, sizeof *values), *scratch = calloc(total + 1, sizeof *scratch);
    for (size_t i = 0; values && scratch && i < side->count; i++) {
        const struct samples *samples = &side->items[i]->phases[phase];
        size_t rounds = add_rounds(samples, scratch, values + count, 0);
        if (runs && rounds) {
            values[count] = statistics_median(values + count, rounds);
            rounds = 1;
        }
        count += rounds;
    }
    if (values && scratch)
        join(values, count, units);
    free(values);
    free(scratch);
}

struct comparison_options comparison_defaults(void)
{
    return (struct comparison_options){.phase = PHASE_COMPUTE, .alpha = 0.01, .least = 0.01};
}

const char *outcome_name(enum outcome outcome)
{
    static const char *const names[] = {"cannot tell", "faster", "slower", "broken", "mended", "not compared"};
    return names[outcome];
}

void comparison_free(struct run_comparison *comparison)
{
    free(comparison->items);
    *comparison = (struct run_comparison){0};
}

static bool is_wrong(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
}

/* The phase to compare: the one requested, or, for compute times that neither side has, the first that both have. */
static enum phase phase_of(const struct comparison_options *options, const struct measurement *a,
                           const struct measurement *b)
{
    if (options->phase != PHASE_COMPUTE || !a || !b || a->phases[PHASE_COMPUTE].count || b->phases[PHASE_COMPUTE].count)
        return options->phase;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        if (a->phases[phase].count && b->phases[phase].count)
            return (enum phase)phase;
    return options->phase;
}

/* Why two that are right cannot be compared: the phase was not timed, as whole times are not where nothing is moved. */
static void tell_untimed(struct compared *pair, bool timed_a, bool timed_b)
{
    const char *sides = timed_a ? "B" : timed_b ? "A" : N_("A and B");
    if (pair->phase == PHASE_END_TO_END)
        explain(pair->why, sizeof pair->why, "no end-to-end times in %s", sides);
    else
        explain(pair->why, sizeof pair->why, "no times in %s", sides);
}

/* Settles pairs that have no times to compare. */
static bool settle_without_times(struct compared *pair)
{
    const struct measurement *a = pair->a, *b = pair->b;
    bool right_a = a && a->phases[pair->phase].count, right_b = b && b->phases[pair->phase].count;
    pair->outcome = OUTCOME_WITHOUT;
    if (right_a && right_b)
        return false;
    if (!a || !b)
        explain(pair->why, sizeof pair->why, "only in %s", a ? "A" : "B");
    else if (right_a && is_wrong(b))
        pair->outcome = OUTCOME_BROKEN;
    else if (is_wrong(a) && right_b)
        pair->outcome = OUTCOME_MENDED;
    else if (a->verdict == VERDICT_PASS && b->verdict == VERDICT_PASS)
        tell_untimed(pair, right_a, right_b);
    else
        explain(pair->why, sizeof pair->why, "%s in A, %s in B", verdict_name(a->verdict), verdict_name(b->verdict));
    return true;
}

/* Tests the logarithms: a change is a factor. */
static enum status test_units(const struct observations *a, const struct observations *b, double alpha,
                              struct rank_test *test, struct error *error)
{
    if (rank_test(a->logs, a->count, b->logs, b->count, alpha, test))
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE, "no memory to compare with");
}

/* How far the probes of the pair's device moved: the hull of their intervals and of no movement. */
static enum status watch_machine(const struct pair *pair, const struct comparison_options *options,
                                 struct compared *compared, struct error *error)
{
    compared->machine_low = compared->machine_high = 1;
    for (size_t i = 0; i < pair->probe_count; i++) {
        struct observations a, b;
        struct rank_test test;
        observations_of(&pair->probes[i].a, compared->phase, false, &a);
        observations_of(&pair->probes[i].b, compared->phase, false, &b);
        if (!a.count || !b.count)
            continue;
        enum status status = test_units(&a, &b, options->alpha, &test, error);
        if (status != STATUS_OK)
            return status;
        /* Too few rounds give no interval; then the shift itself. */
        double low = isfinite(test.low) ? test.low : test.shift, high = isfinite(test.high) ? test.high : test.shift;
        compared->machine_low = fmin(compared->machine_low, exp(low));
        compared->machine_high = fmax(compared->machine_high, exp(high));
    }
    return STATUS_OK;
}

static bool is_void(const struct measurement *measurement, enum phase phase)
{
    const struct summary summary = measurement_summary(measurement, phase);
    return summary_is_void(&summary);
}

static enum status test_pair(const struct pair *pair, const struct comparison_options *options,
                             struct compared *compared, struct error *error)
{
    struct observations a, b;
    struct rank_test test;
    bool runs = side_has_runs(&pair->a, compared->phase) && side_has_runs(&pair->b, compared->phase);
    observations_of(&pair->a, compared->phase, runs, &a);
    observations_of(&pair->b, compared->phase, runs, &b);
    enum status status = test_units(&a, &b, options->alpha, &test, error);
    if (status != STATUS_OK)
        return status;
    compared->units_are_runs = runs;
    compared->units_a = a.count;
    compared->units_b = b.count;
    compared->time_a = a.median;
    compared->time_b = b.median;
    compared->ratio = exp(test.shift);
    compared->low = exp(test.low);
    compared->high = exp(test.high);
    compared->p = test.p;
    compared->is_void = !runs && (is_void(compared->a, compared->phase) || is_void(compared->b, compared->phase));
    compared->cores_a = side_core_latency(&pair->a);
    compared->cores_b = side_core_latency(&pair->b);
    return watch_machine(pair, options, compared, error);
}

/* The smallest p-value that this many values can reach: two of all possible permutations. */
static double least_p(size_t a, size_t b)
{
    double p = 2;
    for (size_t i = 1; i <= a; i++)
        p *= (double)i / (double)(b + i);
    return p;
}

/* Says so where the sides' cores were not at one distance; of single runs also where they moved meanwhile, which is
 * among the differences of many runs. */
static bool tell_cores(struct compared *pair)
{
    const struct measurement *moved = cores_moved(pair->a) ? pair->a : cores_moved(pair->b) ? pair->b : NULL;
    bool tells = pair->a->threads == CORES_THREADS && pair->b->threads == CORES_THREADS;
    if (tells && cores_elsewhere(pair->cores_a, pair->cores_b))
        explain(pair->why, sizeof pair->why, "the cores were elsewhere: %.0f ns apart in A, %.0f in B", pair->cores_a,
                pair->cores_b);
    else if (moved && !pair->units_are_runs)
        explain(pair->why, sizeof pair->why, "the cores moved in %s: %.0f to %.0f ns apart",
                moved == pair->a ? "A" : "B", moved->core_latency_low, moved->core_latency_high);
    else
        return false;
    return true;
}

/* The verdict, once the whole family's p are known. */
static void judge(const struct comparison_options *options, size_t tests, struct compared *pair)
{
    bool faster = pair->high<1 / (1 + options->least), slower = pair->low> 1 + options->least;
    pair->outcome = OUTCOME_UNCLEAR;
    if (pair->is_void)
        explain(pair->why, sizeof pair->why, "too noisy");
    else if (least_p(pair->units_a, pair->units_b) * (double)tests >= options->alpha)
        explain(pair->why, sizeof pair->why,
                pair->units_are_runs ? N_("too few runs: %zu and %zu, for %zu pairs")
                                     : N_("too few rounds: %zu and %zu, for %zu pairs"),
                pair->units_a, pair->units_b, tests);
    else if (pair->p >= options->alpha || (pair->low <= 1 && pair->high >= 1))
        explain(pair->why, sizeof pair->why, "within the noise");
    else if (!options->any_cores && tell_cores(pair))
        return;
    else if (!faster && !slower)
        explain(pair->why, sizeof pair->why, "perhaps less than %g %%", 100 * options->least);
    else if (faster ? pair->high >= pair->machine_low : pair->low <= pair->machine_high)
        explain(pair->why, sizeof pair->why, "the machine itself moved as much");
    else
        pair->outcome = faster ? OUTCOME_FASTER : OUTCOME_SLOWER;
}

static enum status judge_all(const struct comparison_options *options, struct run_comparison *comparison,
                             struct error *error)
{
    double *p = calloc(comparison->count + 1, sizeof *p);
    size_t tests = 0;
    if (!p)
        return fail(error, STATUS_UNAVAILABLE, "no memory to compare with");
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->items[i].units_a)
            p[tests++] = comparison->items[i].p;
    bool adjusted = holm_adjust(p, tests);
    comparison->tests = tests;
    for (size_t i = 0, test = 0; adjusted && i < comparison->count; i++)
        if (comparison->items[i].units_a) {
            comparison->items[i].p = p[test++];
            judge(options, tests, &comparison->items[i]);
        }
    free(p);
    return adjusted ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory to compare with");
}

enum status comparison_make(const struct measurement_list *a, const struct measurement_list *b,
                            const struct comparison_options *options, struct run_comparison *comparison,
                            struct error *error)
{
    struct matching pairing;
    *comparison = (struct run_comparison){0};
    enum status status = matching_make(a, b, &pairing, error);
    if (status != STATUS_OK)
        return status;
    comparison->items = calloc(pairing.count + 1, sizeof *comparison->items);
    if (!comparison->items)
        status = fail(error, STATUS_UNAVAILABLE, "no memory to compare with");
    for (size_t i = 0; status == STATUS_OK && i < pairing.count; i++) {
        struct compared *compared = &comparison->items[comparison->count++];
        compared->a = side_newest(&pairing.items[i].a);
        compared->b = side_newest(&pairing.items[i].b);
        compared->phase = phase_of(options, compared->a, compared->b);
        if (!settle_without_times(compared))
            status = test_pair(&pairing.items[i], options, compared, error);
    }
    if (status == STATUS_OK)
        status = judge_all(options, comparison, error);
    matching_free(&pairing);
    if (status != STATUS_OK)
        comparison_free(comparison);
    return status;
}
