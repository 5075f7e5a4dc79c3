#include "report/compared.h"

#include <math.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/columns.h"

#define RUNG_WIDTH 20
#define TIME_WIDTH 10
#define INTERVAL_WIDTH 20
#define BEYOND 11.0   /* times as much time: how much more says nothing more */
#define ELSEWHERE 1.5 /* times as far apart: threads on other cores */

static const struct measurement *either(const struct compared *pair)
{
    return pair->a ? pair->a : pair->b;
}

static bool same_scene(const struct compared *left, const struct compared *right)
{
    const struct measurement *a = either(left), *b = either(right);
    return strcmp(a->problem, b->problem) == 0 && strcmp(a->device, b->device) == 0 && a->cold == b->cold;
}

static void print_head(FILE *stream, const struct compared *pair, struct style style)
{
    const struct measurement *m = either(pair);
    fprintf(stream, "\n%s%s%s · %s — %s", style.colour ? "\033[1m" : "", m->problem, m->cold ? " (cold)" : "",
            m->device, m->device_name);
    if (pair->a && pair->b && strcmp(pair->a->device_name, pair->b->device_name) != 0)
        fprintf(stream, " (A), %s (B)", pair->b->device_name);
    fprintf(stream, "%s\n  %-*s%*s%*s%11s  %-*s%s\n", style.colour ? "\033[0m" : "", RUNG_WIDTH, "rung", TIME_WIDTH,
            "A", TIME_WIDTH, "B", "time", INTERVAL_WIDTH, "interval", "verdict");
}

static const char *percent(double factor, char *text, size_t size)
{
    if (isinf(factor) || factor <= 0)
        snprintf(text, size, "%s∞", factor > 1 ? "+" : "−");
    else if (factor >= BEYOND)
        snprintf(text, size, "> +%.0f", 100 * (BEYOND - 1));
    else
        snprintf(text, size, "%s%.1f", factor >= 1 ? "+" : "−", fabs(100 * (factor - 1)));
    return text;
}

static void print_figures(FILE *stream, const struct compared *pair)
{
    char text[64] = "", low[24], high[24];
    column_right(stream, text_duration(pair->time_a, text, sizeof text), TIME_WIDTH);
    column_right(stream, text_duration(pair->time_b, text, sizeof text), TIME_WIDTH);
    percent(pair->ratio, low, sizeof low);
    snprintf(text, sizeof text, "%s %%", low);
    column_right(stream, text, 11);
    snprintf(text, sizeof text, "%s … %s %%", percent(pair->low, low, sizeof low),
             percent(pair->high, high, sizeof high));
    fputs("  ", stream);
    column_left(stream, text, INTERVAL_WIDTH);
}

static void print_pair(FILE *stream, const struct compared *pair, struct style style)
{
    static const char *const colours[] = {"", "\033[32m", "\033[31m", "\033[31m", "\033[32m", "\033[2m"};
    const struct measurement *m = either(pair);
    char name[sizeof m->rung + 24];
    bool is_other_setting = pair->a && pair->b && strcmp(pair->a->parameters, pair->b->parameters) != 0;
    snprintf(name, sizeof name, "%s%s", m->rung, is_other_setting ? "*" : "");
    fputs("  ", stream);
    column_left(stream, name, RUNG_WIDTH);
    if (pair->units_a)
        print_figures(stream, pair);
    else
        fprintf(stream, "%*s", 2 * TIME_WIDTH + 11 + 2 + INTERVAL_WIDTH, "");
    fprintf(stream, "%s%s%s%s%s\n", style.colour ? colours[pair->outcome] : "", outcome_name(pair->outcome),
            pair->why[0] ? ": " : "", say_message(pair->why), style.colour ? "\033[0m" : "");
    if (is_other_setting)
        fprintf(stream, "  %*s* %s in A, %s in B\n", RUNG_WIDTH, "", pair->a->parameters, pair->b->parameters);
}

/* How far the machine's probes moved, where there were any. */
static void print_machine(FILE *stream, const struct compared *pair)
{
    char low[24], high[24];
    if (pair->units_a && (pair->machine_low < 1 || pair->machine_high > 1))
        fprintf(stream, "  the machine's own probes moved by %s … %s %%\n", percent(pair->machine_low, low, sizeof low),
                percent(pair->machine_high, high, sizeof high));
}

/* … and where its threads sat, when that was not the same. */
static void print_cores(FILE *stream, const struct compared *pair)
{
    double a = pair->units_a ? pair->a->core_distance : 0, b = pair->units_a ? pair->b->core_distance : 0;
    if (a > 0 && b > 0 && fmax(a, b) > ELSEWHERE * fmin(a, b))
        fprintf(stream, "  the first two threads' cores were %.0f ns apart in A, %.0f ns in B\n", a, b);
}

static void print_method(FILE *stream, const struct run_comparison *comparison,
                         const struct comparison_options *options)
{
    size_t counts[OUTCOME_WITHOUT + 1] = {0};
    bool runs = false;
    for (size_t i = 0; i < comparison->count; i++) {
        counts[comparison->items[i].outcome]++;
        runs = runs || comparison->items[i].units_are_runs;
    }
    fprintf(stream, "\n%zu faster, %zu slower, %zu cannot be told", counts[OUTCOME_FASTER], counts[OUTCOME_SLOWER],
            counts[OUTCOME_UNCLEAR]);
    if (counts[OUTCOME_BROKEN] + counts[OUTCOME_MENDED])
        fprintf(stream, ", %zu broken, %zu mended", counts[OUTCOME_BROKEN], counts[OUTCOME_MENDED]);
    fprintf(
        stream,
        "; %zu not compared.\n"
        "  time: B's over A's, by Hodges and Lehmann, with its %g %% interval. Told apart by the exact rank test of\n"
        "  Wilcoxon, Mann and Whitney on medians of %s, two-sided, at %g %% for all %zu pairs together (Holm). Changes "
        "below\n  %g %%, and those within what the machine's own probes moved, are not called.\n",
        counts[OUTCOME_WITHOUT], 100 - 100 * options->alpha, runs ? "runs (else rounds)" : "rounds",
        100 * options->alpha, comparison->tests, 100 * options->least);
    if (!runs)
        fputs("  Each side is few runs: what differs from run to run is in no interval. Label eight runs alike on each "
              "side "
              "to be sure.\n",
              stream);
}

void report_comparison(FILE *stream, const struct run_comparison *comparison, const struct comparison_options *options,
                       struct style style)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared *pair = &comparison->items[i];
        if (i == 0 || !same_scene(&comparison->items[i - 1], pair))
            print_head(stream, pair, style);
        print_pair(stream, pair, style);
        if (i + 1 == comparison->count || !same_scene(pair, &comparison->items[i + 1])) {
            print_machine(stream, pair);
            print_cores(stream, pair);
        }
    }
    print_method(stream, comparison, options);
}
