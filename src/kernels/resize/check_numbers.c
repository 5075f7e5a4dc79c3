/* Every channel against its value in long double, whose
 * rounding errors are far below what is allowed. */
#include <math.h>

#include "base/message.h"
#include "base/worth_threads.h"
#include "kernels/resize/check_numbers.h"
#include "kernels/resize/check_pixels.h"

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

struct findings {
    size_t wrong, first;
    double worst;
};

static void judge_row(const struct resizing *p, int64_t row, struct findings *findings)
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
        findings->wrong++;
        findings->first = index < findings->first ? index : findings->first;
        findings->worst = fmax(findings->worst, (double)beyond);
    }
}

static struct findings judge(const struct resizing *p)
{
    size_t wrong = 0, first = SIZE_MAX;
    double worst = 0;
#pragma omp parallel for schedule(static) reduction(+ : wrong) reduction(min : first) reduction(max : worst) if (is_worth_threads((size_t)(p->out_height * p->out_width)))
    for (int64_t row = 0; row < p->out_height; row++) {
        struct findings part = {.first = SIZE_MAX};
        judge_row(p, row, &part);
        wrong += part.wrong;
        first = part.first < first ? part.first : first;
        worst = fmax(part.worst, worst);
    }
    return (struct findings){wrong, first, worst};
}

void resize_check_numbers(const struct resizing *pictures, struct check_result *result)
{
    const struct resizing *p = pictures;
    const struct findings findings = judge(p);
    *result = (struct check_result){.passed = findings.wrong == 0, .worst = findings.worst};
    if (result->passed)
        return;
    const int64_t length = p->out_width * p->channels, row = (int64_t)findings.first / length,
                  i = (int64_t)findings.first % length;
    const struct between down = between_of(row, p->height, p->out_height),
                         across = between_of(i / p->channels, p->width, p->out_width);
    const struct expected expected = expected_at(p, &down, &across, i % p->channels);
    resize_place(p, findings.first, result->where, sizeof result->where);
    explain(result->reason, sizeof result->reason,
            "%zu of %zu channels are too far from the exact result (by up to %.3g), the first at %s: expected %.9Lg, "
            "got %.9Lg",
            findings.wrong, (size_t)(p->out_height * length), findings.worst, result->where, expected.value,
            number_at(p, p->out + row * p->out_pitch, i));
}
