#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/expression.h"
#include "base/text.h"
#include "base/translation.h"
#include "publications/reproduction.h"

static const struct localized_text not_measured = {N_("not measured"), NULL};
static const struct localized_text too_noisy = {N_("—, too noisy"), NULL};
static const struct localized_text too_near = {N_("too near to tell apart from the spread of the samples"), NULL};
static const struct localized_text no_base = {N_("what it is compared with was not measured on the same hardware"),
                                              NULL};
static const struct localized_text no_largest = {N_("the largest size was not measured"), NULL};

/* The inputs by which a claim is judged on one device. */
struct trial {
    const struct publication *publication;
    const struct here *here;
    const struct claim *claim;
    const char *device, *base; /* base: where `over` is measured; NULL when there is none */
    struct claim_result *result;
};

const char *judgement_name(enum judgement outcome)
{
    static const char *const names[] = {"holds", "does not hold", "cannot tell"};
    return names[outcome];
}

static void untold(struct trial *trial, const char *why)
{
    trial->result->outcome = JUDGED_UNTOLD;
    trial->result->why = why;
}

/* One side was not timed: its measurement's reason, where it has one. */
static void untold_for_want(struct trial *trial)
{
    const struct claim *claim = trial->claim;
    struct mean sides[2] = {measured_tie(trial->here->list, &claim->of, trial->device, trial->publication->end_to_end)};
    if (claim->over.run && trial->base)
        sides[1] = measured_tie(trial->here->list, &claim->over, trial->base, trial->publication->end_to_end);
    const char *why = localized_text(&not_measured);
    for (size_t i = 2; i-- > 0;)
        if (sides[i].measurement && sides[i].value <= 0 && sides[i].measurement->reason[0])
            why = sides[i].measurement->reason;
    untold(trial, why);
}

/* Where a value that may be off by the fraction `doubt` lies against the claim's bounds. */
static enum judgement against_bounds(const struct claim *claim, double value, double doubt)
{
    double low = value * (1 - doubt), high = value * (1 + doubt);
    if (low >= claim->least && high <= claim->most)
        return JUDGED_HOLDS;
    return high < claim->least || low > claim->most ? JUDGED_FAILS : JUDGED_UNTOLD;
}

/* The worse of two outcomes: a failure wins, then "cannot tell". */
static enum judgement worse(enum judgement a, enum judgement b)
{
    if (a == JUDGED_FAILS || b == JUDGED_FAILS)
        return JUDGED_FAILS;
    return a == JUDGED_UNTOLD || b == JUDGED_UNTOLD ? JUDGED_UNTOLD : JUDGED_HOLDS;
}

static void conclude(struct trial *trial, enum judgement outcome)
{
    trial->result->outcome = outcome;
    trial->result->why = outcome == JUDGED_UNTOLD ? localized_text(&too_near) : NULL;
}

static struct mean mean_at(const struct trial *trial, const struct tie *tie, int64_t size, const char *device)
{
    return measured_mean(trial->here->list, tie->run, size, tie->parameters, device, trial->publication->end_to_end);
}

/* The sizes at which the claim is looked at: the one it names, or all of the run's. */
static size_t size_count(const struct tie *tie)
{
    return tie->size || !tie->run->size_count ? 1 : tie->run->size_count;
}

static int64_t size_at(const struct tie *tie, size_t index)
{
    return tie->size || !tie->run->size_count ? tie->size : tie->run->sizes[index];
}

/* `of` against `over` at one size; value 0 where one of them was not timed. */
static struct ratio ratio_at(const struct trial *trial, int64_t size)
{
    struct mean of = mean_at(trial, &trial->claim->of, size, trial->device);
    struct mean over = mean_at(trial, &trial->claim->over, size, trial->base);
    return ratio_of(&of, &over);
}

static void print_range(char figure[128], double low, double high, const char *unit)
{
    int decimals = high < 9.995 ? 2 : high < 99.95 ? 1 : 0;
    if (low < high)
        snprintf(figure, 128, "%.*f … %.*f%s", low < 9.995 ? 2 : decimals, low, decimals, high, unit);
    else
        snprintf(figure, 128, "%.*f%s", decimals, high, unit);
}

static void judge_ratio(struct trial *trial)
{
    const struct tie *of = &trial->claim->of;
    enum judgement outcome = JUDGED_HOLDS;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < size_count(of); i++) {
        struct ratio ratio = ratio_at(trial, size_at(of, i));
        if (ratio.value <= 0)
            continue;
        outcome = worse(outcome, against_bounds(trial->claim, ratio.value, ratio.doubt));
        low = fmin(low, ratio.value);
        high = fmax(high, ratio.value);
    }
    if (high <= 0) {
        untold_for_want(trial);
        return;
    }
    print_range(trial->result->figure, low, high, "×");
    conclude(trial, outcome);
}

static void judge_spread(struct trial *trial)
{
    const struct publication_run *run = trial->claim->of.run;
    struct mean best = {0}, worst = {0};
    size_t found = 0;
    int64_t size = size_at(&trial->claim->of, size_count(&trial->claim->of) - 1);
    for (size_t i = 0; i < run->choice_count; i++) {
        char choice[192];
        if (!fill_size(run->choices[i], size, choice, sizeof choice))
            continue;
        struct tie tie = {.run = run, .parameters = choice};
        struct mean mean = mean_at(trial, &tie, size, trial->device);
        if (mean.value <= 0)
            continue;
        best = !found || mean.value < best.value ? mean : best;
        worst = !found || mean.value > worst.value ? mean : worst;
        found++;
    }
    if (found < 2) {
        untold_for_want(trial);
        return;
    }
    struct ratio ratio = ratio_of(&best, &worst);
    print_range(trial->result->figure, ratio.value, ratio.value, "×");
    conclude(trial, against_bounds(trial->claim, ratio.value, ratio.doubt));
}

/* The value of "BX" in "BX=4 BY=128". */
static bool parameter_value(void *context, const char *name, int length, double *value)
{
    for (const char *at = context; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strncmp(at, name, (size_t)length) == 0 && at[length] == '=') {
            char number[32];
            int64_t integer;
            snprintf(number, sizeof number, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
            bool good = text_integer(number, &integer);
            *value = (double)integer;
            return good;
        }
    return false;
}

/* The best choice that fulfils the condition against the best that does not. */
static void judge_best(struct trial *trial)
{
    const struct publication_run *run = trial->claim->of.run;
    struct mean best[2] = {{0}, {0}};
    int64_t size = size_at(&trial->claim->of, size_count(&trial->claim->of) - 1);
    for (size_t i = 0; i < run->choice_count; i++) {
        char choice[192];
        double fulfils = 0;
        struct tie tie = {.run = run, .parameters = choice};
        if (!fill_size(run->choices[i], size, choice, sizeof choice) ||
            expression_evaluate(trial->claim->condition, parameter_value, choice, &fulfils, NULL) != STATUS_OK)
            continue;
        struct mean mean = mean_at(trial, &tie, size, trial->device), *of = &best[fulfils != 0];
        if (mean.value > 0 && (of->value <= 0 || mean.value < of->value))
            *of = mean;
    }
    if (best[0].value <= 0 || best[1].value <= 0) {
        untold_for_want(trial);
        return;
    }
    struct ratio ratio = ratio_of(&best[1], &best[0]);
    snprintf(trial->result->figure, sizeof trial->result->figure, "%.120s",
             best[best[1].value < best[0].value].measurement->parameters);
    conclude(trial, ratio.value * (1 - ratio.doubt) > 1   ? JUDGED_HOLDS
                    : ratio.value * (1 + ratio.doubt) < 1 ? JUDGED_FAILS
                                                          : JUDGED_UNTOLD);
}

static void judge_crossing(struct trial *trial)
{
    const struct publication_run *run = trial->claim->of.run;
    int64_t from = 0, first = 0, last = 0;
    size_t measured = 0;
    for (size_t i = 0; i < run->size_count; i++) {
        struct ratio ratio = ratio_at(trial, run->sizes[i]);
        if (ratio.value <= 0)
            continue;
        measured++;
        first = first ? first : run->sizes[i];
        last = run->sizes[i];
        from = ratio.value <= 1 ? 0 : from ? from : last;
    }
    if (measured < 2) {
        untold_for_want(trial);
        return;
    }
    char *figure = trial->result->figure;
    if (from)
        snprintf(figure, 128, "N ≥ %lld", (long long)from);
    else
        snprintf(figure, 128, "N > %lld", (long long)last);
    if (from > first)
        conclude(trial, JUDGED_HOLDS);
    else if (from || last == run->sizes[run->size_count - 1])
        conclude(trial, JUDGED_FAILS);
    else
        untold_for_want(trial);
}

static void judge_greatest(struct trial *trial)
{
    const struct publication_run *run = trial->claim->of.run;
    struct ratio greatest = {0}, last = {0};
    int64_t at = 0;
    for (size_t i = 0; i < run->size_count; i++) {
        struct ratio ratio = ratio_at(trial, run->sizes[i]);
        if (ratio.value > greatest.value) {
            greatest = ratio;
            at = run->sizes[i];
        }
        last = ratio;
    }
    if (greatest.value <= 0) {
        untold_for_want(trial);
        return;
    }
    snprintf(trial->result->figure, sizeof trial->result->figure, "%.2f ± %.2f, N = %lld", greatest.value,
             greatest.error, (long long)at);
    if (last.value <= 0)
        untold(trial, localized_text(&no_largest));
    else if (at == run->sizes[run->size_count - 1])
        conclude(trial, JUDGED_HOLDS);
    else
        conclude(trial, last.value + last.error < greatest.value - greatest.error ? JUDGED_FAILS : JUDGED_UNTOLD);
}

/* Work in a nanosecond at one size; 0 where it was not timed. */
static double rate_at(const struct trial *trial, int64_t size, double *doubt)
{
    struct mean mean = mean_at(trial, &trial->claim->of, size, trial->device);
    if (mean.value <= 0)
        return 0;
    *doubt = fmax(0.01, mean.count > 1 ? 2 * mean.deviation / mean.value / sqrt((double)mean.count) : 1);
    return mean.measurement->work / mean.value;
}

static void judge_fall(struct trial *trial)
{
    const struct publication_run *run = trial->claim->of.run;
    double best = 0, best_doubt = 0, last = 0, last_doubt = 0;
    for (size_t i = 0; i < run->size_count; i++) {
        double doubt = 0, rate = rate_at(trial, run->sizes[i], &doubt);
        if (i + 1 == run->size_count) {
            last = rate;
            last_doubt = doubt;
        } else if (rate > best) {
            best = rate;
            best_doubt = doubt;
        }
    }
    if (best <= 0 || last <= 0) {
        untold_for_want(trial);
        return;
    }
    print_range(trial->result->figure, last / best, last / best, "×");
    conclude(trial, against_bounds(trial->claim, last / best, sqrt(best_doubt * best_doubt + last_doubt * last_doubt)));
}

static void judge_ceiling(struct trial *trial)
{
    const struct tie *of = &trial->claim->of;
    struct mean mean = measured_tie(trial->here->list, of, trial->device, trial->publication->end_to_end);
    const struct measurement *ceiling =
        mean.value > 0 ? measurement_ceiling(trial->here->list, mean.measurement) : NULL;
    if (!ceiling) {
        untold_for_want(trial);
        return;
    }
    double share = measurement_ratio(mean.measurement, ceiling);
    if (!(share > 0)) {
        untold(trial, localized_text(&too_noisy));
        return;
    }
    snprintf(trial->result->figure, sizeof trial->result->figure, "%.1f %%", 100 * share);
    conclude(trial, against_bounds(trial->claim, share,
                                   mean.count > 1 ? 2 * mean.deviation / mean.value / sqrt((double)mean.count) : 1));
}

static void judge_whole(struct trial *trial)
{
    struct mean mean = measured_tie(trial->here->list, &trial->claim->of, trial->device, true);
    struct summary launch = {0};
    if (mean.value > 0)
        launch = measurement_summary(mean.measurement, PHASE_LAUNCH);
    if (!launch.count) {
        untold_for_want(trial);
        return;
    }
    double share = 1 - launch.mean / mean.value;
    snprintf(trial->result->figure, sizeof trial->result->figure, "%.0f %%", 100 * share);
    conclude(trial, against_bounds(trial->claim, share, 0.01));
}

static void judge_on(struct trial *trial)
{
    static void (*const judges[])(struct trial *) = {
        [CLAIM_RATIO] = judge_ratio,       [CLAIM_SPREAD] = judge_spread,     [CLAIM_BEST] = judge_best,
        [CLAIM_CROSSING] = judge_crossing, [CLAIM_GREATEST] = judge_greatest, [CLAIM_CEILING] = judge_ceiling,
        [CLAIM_WHOLE] = judge_whole,       [CLAIM_FALL] = judge_fall,
    };
    if (trial->claim->over.run && !trial->base)
        untold(trial, localized_text(&no_base));
    else
        judges[trial->claim->kind](trial);
}

static unsigned technologies_of(const struct claim *claim)
{
    return claim->of.technology ? claim->of.technology : claim->of.run->technologies;
}

/* The reason why no device here could be judged. */
static const char *nothing_told(const struct here *here, unsigned technologies)
{
    const char *reason = technologies & TECHNOLOGY_CUDA ? here->no_cuda : here->no_opencl;
    if (technologies & TECHNOLOGY_OPENCL && !here->no_opencl)
        reason = NULL;
    return reason ? reason : localized_text(&not_measured);
}

size_t claims_judge(const struct publication *publication, const struct here *here, const struct claim *claim,
                    struct claim_result *results, size_t most)
{
    if (!most)
        return 0;
    results[0] = (struct claim_result){.claim = claim, .outcome = JUDGED_UNTOLD};
    if (claim->kind == CLAIM_UNTOLD) {
        results[0].why = localized_text(&claim->reason);
        return 1;
    }
    const struct measurement *devices[HERE_DEVICES_MOST];
    size_t count = measured_devices(here->list, devices, HERE_DEVICES_MOST), made = 0;
    unsigned technologies = technologies_of(claim);
    for (size_t d = 0; d < count && made < most; d++) {
        if (!(technology_of_device(devices[d]->device) & technologies))
            continue;
        results[made] = (struct claim_result){
            .claim = claim,
            .device = devices[d]->device,
            .device_name = devices[d]->device_name,
            .is_cpu = devices[d]->device_is_cpu,
        };
        struct trial trial = {
            .publication = publication,
            .here = here,
            .claim = claim,
            .device = devices[d]->device,
            .base = measured_base_device(here->list, devices[d]->device, claim->over.technology),
            .result = &results[made++],
        };
        judge_on(&trial);
    }
    if (!made)
        results[made++].why = nothing_told(here, technologies);
    return made;
}
