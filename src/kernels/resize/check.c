#include "kernels/resize/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/translation.h"
#include "base/worth_threads.h"
#include "kernels/layout.h"
#include "kernels/resize/check_pixels.h"
#include "kernels/resize/resize.h"

/* The judge of pictures of 16-bit integers and of floats. */
static long double number_at(const struct resizing *p, const uint8_t *row, int64_t index)
{
    return p->type == ELEMENT_U16 ? (long double)((const uint16_t *)(const void *)row)[index]
                                  : (long double)((const float *)(const void *)row)[index];
}

/* Pixels of weight 0 do not count, whatever they are. */
static long double mixed(long double a, long double b, const struct between *between)
{
    const long double whole = (long double)between->whole;
    return between->share == 0 ? a
                               : a * ((long double)(between->whole - between->share) / whole) +
                                     b * ((long double)between->share / whole);
}

struct expected {
    long double value;
    long double largest; /* of the magnitudes of the pixels around */
};

static struct expected expected_at(const struct resizing *p, const struct between *down, const struct between *across,
                                   int64_t channel)
{
    const uint8_t *top = p->in + down->low * p->in_pitch, *bottom = p->in + down->high * p->in_pitch;
    const int64_t left = across->low * p->channels + channel, right = across->high * p->channels + channel;
    const long double a = number_at(p, top, left), b = number_at(p, top, right);
    const long double c = number_at(p, bottom, left), d = number_at(p, bottom, right);
    const struct expected expected = {mixed(mixed(a, b, across), mixed(c, d, across), down),
                                      fmaxl(fmaxl(fabsl(a), fabsl(b)), fmaxl(fabsl(c), fabsl(d)))};
    return expected;
}

/* What a double's arithmetic may lose before the last rounding, of the largest pixel. */
#define DOUBLE_SLACK 0x1p-48L
#define FLOAT_HALF 0x1p-24L
#define FLOAT_LEAST 0x1p-150L

/* How far beyond what is allowed; 0: right. */
static long double excess(const struct resizing *p, const struct expected *expected, long double actual)
{
    const long double off = fabsl(actual - expected->value), slack = DOUBLE_SLACK * expected->largest;
    if (isnan(expected->value) || isnan(actual))
        return isnan(expected->value) && isnan(actual) ? 0 : HUGE_VALL;
    if (isinf(expected->value) || isinf(actual))
        return expected->value == actual ? 0 : HUGE_VALL;
    if (p->type == ELEMENT_U16 && resize_is_exact(p))
        return actual == floorl(expected->value + 0.5L) ? 0 : off;
    if (p->type == ELEMENT_U16)
        return off > 0.5L + slack ? off : 0;
    const long double allowed = FLOAT_HALF * (fabsl(expected->value) + slack) + FLOAT_LEAST + slack;
    return off > allowed ? off : 0;
}

struct number_findings {
    size_t wrong, first;
    double worst;
};

static void judge_row(const struct resizing *p, int64_t row, struct number_findings *number_findings)
{
    const struct between down = between_of(row, p->height, p->out_height);
    const uint8_t *out = p->out + row * p->out_pitch;
    for (int64_t i = 0; i < p->out_width * p->channels; i++) {
        const struct between across = between_of(i / p->channels, p->width, p->out_width);
        const struct expected expected = expected_at(p, &down, &across, i % p->channels);
        const long double beyond = excess(p, &expected, number_at(p, out, i));
        const size_t index = (size_t)(row * p->out_width * p->channels + i);
        if (beyond == 0)
            continue;
        number_findings->wrong++;
        number_findings->first = index < number_findings->first ? index : number_findings->first;
        number_findings->worst = fmax(number_findings->worst, (double)beyond);
    }
}

static struct number_findings judge(const struct resizing *p)
{
    size_t wrong = 0, first = SIZE_MAX;
    double worst = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) reduction(max : worst) if (is_worth_threads((size_t)(p->out_height * p->out_width)))
    for (int64_t row = 0; row < p->out_height; row++) {
        struct number_findings part = {.first = SIZE_MAX};
        judge_row(p, row, &part);
        wrong += part.wrong;
        first = part.first < first ? part.first : first;
        worst = fmax(part.worst, worst);
    }
    return (struct number_findings){wrong, first, worst};
}

/* As check.h says. */
static void resize_check_numbers(const struct resizing *pictures, struct check_result *result)
{
    const struct resizing *p = pictures;
    const struct number_findings number_findings = judge(p);
    *result = (struct check_result){.passed = number_findings.wrong == 0, .worst = number_findings.worst};
    if (result->passed)
        return;
    const int64_t length = p->out_width * p->channels, row = (int64_t)number_findings.first / length,
                  i = (int64_t)number_findings.first % length;
    const struct between down = between_of(row, p->height, p->out_height),
                         across = between_of(i / p->channels, p->width, p->out_width);
    const struct expected expected = expected_at(p, &down, &across, i % p->channels);
    resize_place(p, number_findings.first, result->where, sizeof result->where);
    explain(result->reason, sizeof result->reason,
            "%zu of %zu channels are too far from the exact result (by up to %.3g), the first at %s: expected %.9Lg, "
            "got %.9Lg",
            number_findings.wrong, (size_t)(p->out_height * length), number_findings.worst, result->where,
            expected.value, number_at(p, p->out + row * p->out_pitch, i));
}

/* Fewer channels of one kind say nothing about a mean. */
#define BIAS_CHANNELS_LEAST 256

/* ---- findings ------------------------------------------------------------------------------------------------- */

enum rule { RULE_CONSTANT, RULE_EXACT, RULE_NEAR, RULE_COUNT };

/* A channel's exact values are counted by 8 bits of a hash, which tells few values from many. */
#define BINS 256

/* Differences of a channel's values from the exact ones rounded. */
struct tally {
    int64_t sum, count;
};

struct findings {
    size_t wrong[RULE_COUNT], first; /* and the smallest index of any */
    double expected;                 /* the exact value at `first`, in units */
    double worst;                    /* of those that count as wrong or nearly so: see check.h */
    int64_t apart;                   /* the largest difference from the exact value, times the weights' sum, of all */
    double largest;                  /* the same in units; known at the end */
    struct tally far[CHANNELS], near[CHANNELS]; /* of values away from a half, and near one */
    int64_t bins[CHANNELS][BINS];               /* by value; 0 where not asked for */
};

struct judgement {
    struct resizing pictures;
    bool exact;        /* rule 2 holds */
    bool states_bound; /* halves may go either way */
    bool is_coarse;    /* the bound is larger than the errors of floats: the values are counted */
    double slack;
    double inverse; /* near 1 / (2 whole), which is one number for all pixels */
    /* A value is a half, as floats see it, or near one, where what is left of 2 whole is below that, or as far from 2
     * whole. */
    int64_t half, near;
};

static void merge(struct findings *all, const struct findings *part)
{
    for (int rule = 0; rule < RULE_COUNT; rule++)
        all->wrong[rule] += part->wrong[rule];
    for (int c = 0; c < CHANNELS; c++) {
        all->far[c].sum += part->far[c].sum;
        all->far[c].count += part->far[c].count;
        all->near[c].sum += part->near[c].sum;
        all->near[c].count += part->near[c].count;
        for (int b = 0; b < BINS; b++)
            all->bins[c][b] += part->bins[c][b];
    }
    if (part->first < all->first) {
        all->first = part->first;
        all->expected = part->expected;
    }
    all->worst = fmax(all->worst, part->worst);
    all->apart = part->apart > all->apart ? part->apart : all->apart;
}

static void refuse(struct findings *findings, enum rule rule, size_t index, double expected)
{
    findings->wrong[rule]++;
    if (index < findings->first) {
        findings->first = index;
        findings->expected = expected;
    }
}

/* sum / whole rounded to the nearest integer, halves up; what is left over of 2 sum + whole is 0 where it was a half.
 * The estimate is at most one off, and integers say whether it is: a division takes ten times as long. */
static inline int64_t round_quotient(const struct judgement *judgement, int64_t sum, int64_t whole, int64_t *left)
{
    int64_t twice = 2 * sum + whole, quotient = (int64_t)((double)twice * judgement->inverse);
    int64_t rest = twice - 2 * whole * quotient;
    int64_t up = rest >= 2 * whole, down = rest < 0;
    *left = rest + 2 * whole * (down - up);
    return quotient + up - down;
}

static inline double larger(double a, double b)
{
    return b > a ? b : a;
}

/* The exact value of channel `c` is sum / whole; `index` is its place in the output, `flat` that its pixels are alike.
 */
static void judge_channel(const struct judgement *judgement, struct findings *findings, int64_t sum, int64_t whole,
                          int64_t value, size_t index, size_t c, bool flat)
{
    int64_t left, off = value - round_quotient(judgement, sum, whole, &left);
    int64_t difference = value * whole - sum, apart = difference < 0 ? -difference : difference;
    bool exact = judgement->exact && !judgement->states_bound;
    int64_t from_half = left < 2 * whole - left ? left : 2 * whole - left;
    struct tally *tally = &(from_half < judgement->near ? findings->near : findings->far)[c];
    if (from_half >= judgement->half) {
        tally->sum += off;
        tally->count++;
    }
    if (judgement->is_coarse)
        findings->bins[c][(uint64_t)sum * UINT64_C(0x9E3779B97F4A7C15) >> 56]++;
    findings->apart = apart > findings->apart ? apart : findings->apart;
    if (off == 0) /* as near as an integer can be */
        return;
    double distance = (double)apart / (double)whole;
    double beyond = exact ? fabs((double)off) : larger(distance - 0.5, 0);
    const double expected = (double)sum / (double)whole;
    findings->worst = larger(findings->worst, beyond);
    if (flat)
        refuse(findings, RULE_CONSTANT, index, expected);
    else if (exact)
        refuse(findings, RULE_EXACT, index, expected);
    else if (distance > 0.5 + judgement->slack)
        refuse(findings, RULE_NEAR, index, expected);
}

/* An index counts the channels of all pixels of the target, without the gaps between rows. */
static const uint8_t *resize_channel_at(const struct resizing *p, size_t index)
{
    const size_t row = (size_t)(p->out_width * p->channels);
    return p->out + index / row * (size_t)p->out_pitch + index % row;
}

static void judge_pixel(const struct judgement *judgement, struct findings *findings, const struct between *down,
                        const struct between *across, size_t pixel_row, size_t pixel_col)
{
    const struct resizing *p = &judgement->pictures;
    const int64_t channels = p->channels;
    const uint8_t *top = p->in + down->low * p->in_pitch, *bottom = p->in + down->high * p->in_pitch;
    const size_t first = pixel_col * (size_t)channels;
    const uint8_t *values = p->out + pixel_row * (size_t)p->out_pitch + first;
    for (int64_t c = 0; c < channels; c++) {
        int64_t a = top[across->low * channels + c], b = top[across->high * channels + c];
        int64_t d = bottom[across->low * channels + c], e = bottom[across->high * channels + c];
        int64_t upper = (across->whole - across->share) * a + across->share * b;
        int64_t lower = (across->whole - across->share) * d + across->share * e;
        const size_t index = pixel_row * (size_t)(p->out_width * channels) + first + (size_t)c;
        judge_channel(judgement, findings, (down->whole - down->share) * upper + down->share * lower,
                      across->whole * down->whole, values[c], index, (size_t)c, a == b && a == d && a == e);
    }
}

static struct findings judge_all(const struct judgement *judgement)
{
    const struct resizing *p = &judgement->pictures;
    struct findings findings = {.first = SIZE_MAX};
#pragma omp parallel if (is_worth_threads((size_t)(p->out_height * p->out_width)))
    {
        struct findings part = {.first = SIZE_MAX};
#pragma omp for schedule(static)
        for (int64_t row = 0; row < p->out_height; row++) {
            struct between down = between_of(row, p->height, p->out_height);
            for (int64_t col = 0; col < p->out_width; col++) {
                struct between across = between_of(col, p->width, p->out_width);
                judge_pixel(judgement, &part, &down, &across, (size_t)row, (size_t)col);
            }
        }
#pragma omp critical
        merge(&findings, &part);
    }
    findings.largest = (double)findings.apart * 2 * judgement->inverse;
    return findings;
}

/* The mean of a channel's differences. Rounding errors may take all values near a half to one side. Where more are near
 * than of evenly spread values, as in pictures of few, they are left out. */
static double mean_of(const struct judgement *judgement, const struct tally *far, const struct tally *near)
{
    double even = 1.25 * (double)judgement->near * 2 * judgement->inverse * (double)(far->count + near->count);
    bool many = (double)near->count > even;
    int64_t sum = far->sum + (many ? 0 : near->sum), count = far->count + (many ? 0 : near->count);
    return count < BIAS_CHANNELS_LEAST ? 0 : (double)sum / (double)count;
}

/* With fewer distinct values than this, weighted by how often they occur, a mean says nothing. A picture of 256 random
 * channels has 128. */
#define DISTINCT_LEAST 100

static bool has_few_values(const int64_t bins[BINS])
{
    double squares = 0, all = 0;
    for (int b = 0; b < BINS; b++) {
        squares += (double)bins[b] * (double)bins[b];
        all += (double)bins[b];
    }
    return all * all < DISTINCT_LEAST * squares;
}

/* The most biased channel; -1 when none is beyond what is allowed. */
static int biased_channel(const struct findings *findings, const struct judgement *judgement, double stated,
                          double *bias)
{
    double most = fmax(RESIZE_BIAS_MOST, stated / 2);
    int worst = -1;
    *bias = 0;
    for (int c = 0; c < CHANNELS; c++) {
        double mean = mean_of(judgement, &findings->far[c], &findings->near[c]);
        if (fabs(mean) > most && fabs(mean) > fabs(*bias) &&
            !(judgement->is_coarse && has_few_values(findings->bins[c]))) {
            *bias = mean;
            worst = c;
        }
    }
    return worst;
}

/* ---- the verdict ---------------------------------------------------------------------------------------------- */

/* Coordinates are floats that three operations round: 3 · 2^-24 of a side, times the 255 that neighbours may differ by,
 * for each axis. */
static double coordinates_slack(const struct resizing *pictures)
{
    return 255 * 3 * 0x1p-24 * ((double)pictures->width + (double)pictures->height);
}

/* And the interpolation's own roundings, of values up to 255: fixed point of 7 bits between the passes and weights of
 * 14 bits err by 1/40 (resize/simd.h). */
static double float_slack(const struct resizing *pictures)
{
    return 0x1p-5 + coordinates_slack(pictures);
}

/* The roundings of an interpolation in floats. */
#define HALF_SLACK 0x1p-12

/* An output that holds one byte over and over was poisoned and never written. */
static bool untouched(const struct resizing *p, size_t bytes)
{
    return bytes > 1 && p->out_pitch == p->out_width * p->channels && memcmp(p->out, p->out + 1, bytes - 1) == 0;
}

static void describe(const struct findings *findings, const struct judgement *judgement, size_t channels,
                     struct check_result *result)
{
    size_t wrong = 0;
    int worst = 0;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        wrong += findings->wrong[rule];
        worst = findings->wrong[rule] > findings->wrong[worst] ? rule : worst;
    }
    resize_place(&judgement->pictures, findings->first, result->where, sizeof result->where);
    const char *never = untouched(&judgement->pictures, channels) ? N_(": the output was never written") : "";
    const unsigned actual = *resize_channel_at(&judgement->pictures, findings->first);
    switch ((enum rule)worst) {
    case RULE_CONSTANT:
        explain(result->reason, sizeof result->reason,
                "%zu of %zu channels are not the value of all their pixels (by up to %.3g units), the first at %s: "
                "expected %.6g, got %u%s",
                wrong, channels, findings->largest, result->where, findings->expected, actual, never);
        break;
    case RULE_EXACT:
        explain(result->reason, sizeof result->reason,
                "%zu of %zu channels are not the exact result rounded (by up to %.3g units), the first at %s: expected "
                "%.6g, got %u%s",
                wrong, channels, findings->largest, result->where, findings->expected, actual, never);
        break;
    default:
        explain(result->reason, sizeof result->reason,
                "%zu of %zu channels are too far from the exact result (by up to %.3g units), the first at %s: "
                "expected %.6g, got %u%s",
                wrong, channels, findings->largest, result->where, findings->expected, actual, never);
    }
}

/* No library states more; a rung that does would be believed whatever it draws. In a wide picture positions in floats
 * are off by more. */
#define RESIZE_BOUND_MOST 1.0

static void check_bytes(const struct resizing *pictures, struct check_result *result)
{
    const struct resizing p = *pictures;
    const double floats = float_slack(&p), stated = fmin(result->bound, fmax(RESIZE_BOUND_MOST, floats)),
                 twice = 8 * (double)p.out_width * (double)p.out_height;
    struct judgement judgement = {
        .pictures = p,
        .exact = resize_is_exact(&p),
        .states_bound = stated > 0,
        .is_coarse = stated > floats,
        .slack = stated > 0 ? stated : floats,
        .inverse = 1 / twice,
    };
    if (!judgement.exact || judgement.states_bound) {
        judgement.half = (int64_t)((HALF_SLACK + coordinates_slack(&p)) * twice) + 1;
        judgement.near = (int64_t)(floats * twice) + 1;
    }
    struct findings findings = judge_all(&judgement);
    double bias;
    int biased = biased_channel(&findings, &judgement, stated, &bias);
    bool points = findings.first == SIZE_MAX;
    *result = (struct check_result){.bound = stated, .passed = points && biased < 0, .worst = findings.worst};
    if (!points) {
        describe(&findings, &judgement, (size_t)(p.out_width * p.out_height * p.channels), result);
    } else if (biased >= 0) {
        snprintf(result->where, sizeof result->where, "%s", resize_channel_name(biased));
        explain(result->reason, sizeof result->reason,
                "%s is off by %+.3g units in the mean: more than rounding to the nearest makes",
                resize_channel_name(biased), bias);
    }
}

void resize_check(const struct problem *problem, const struct array *arrays, struct host_arrays input,
                  struct host_arrays output, struct check_result *result)
{
    const struct resizing p = resizing_of_problem(problem, input.data[0], output.data[1]);
    const size_t bytes = element_info(p.type)->bytes;
    const struct layout layout = {(size_t)p.out_height, (size_t)(p.out_width * p.channels), arrays[1].cols, 1, 0};
    if (p.type == ELEMENT_U8)
        check_bytes(&p, result);
    else
        resize_check_numbers(&p, result);
    if (result->passed && arrays[1].direction == ARRAY_INOUT)
        layout_check_gaps(&layout, input.data[1], output.data[1], bytes, "out", result);
}
