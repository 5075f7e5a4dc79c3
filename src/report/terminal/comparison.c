#include "report/terminal/comparison.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/model/heading.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "store/cores.h"

#define RUNG_WIDTH 17
#define TIME_WIDTH 9
#define CHANGE_WIDTH 10
#define INTERVAL_WIDTH 17
#define WIDE 100    /* columns from which on a verdict and its reason share a line */
#define BEYOND 11.0 /* times as much time: how much more says nothing more */

static const char *const outcomes[] = {
    [OUTCOME_UNCLEAR] = N_("cannot tell"), [OUTCOME_FASTER] = N_("faster"), [OUTCOME_SLOWER] = N_("slower"),
    [OUTCOME_BROKEN] = N_("broken"),       [OUTCOME_MENDED] = N_("mended"), [OUTCOME_WITHOUT] = N_("not compared"),
};

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
    char title[HEADING_BYTES];
    fprintf(stream, "\n%s%s%s · %s — %s", strong(style), problem_title(m->problem, title), m->cold ? tr(" (cold)") : "",
            m->device, m->device_name);
    if (pair->a && pair->b && strcmp(pair->a->device_name, pair->b->device_name) != 0)
        fprintf(stream, " (A), %s (B)", pair->b->device_name);
    fprintf(stream, "%s\n  ", plain(style));
    column_left(stream, tr("rung"), RUNG_WIDTH);
    fprintf(stream, "%*s%*s", TIME_WIDTH, "A", TIME_WIDTH, "B");
    columns_print(stream, ">*  <*%\n", CHANGE_WIDTH, tr("time"), INTERVAL_WIDTH, tr("interval"), tr("verdict"));
}

static char *percent(double factor, char *text, size_t size)
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
    if (pair->is_void) {
        column_right(stream, tr("—, too noisy"), 2 * TIME_WIDTH + CHANGE_WIDTH);
        fprintf(stream, "%*s", 2 + INTERVAL_WIDTH, "");
        return;
    }
    column_time(stream, pair->time_a, TIME_WIDTH);
    column_time(stream, pair->time_b, TIME_WIDTH);
    percent(pair->ratio, low, sizeof low);
    snprintf(text, sizeof text, "%s %%", low);
    column_right(stream, say_number(text), CHANGE_WIDTH);
    snprintf(text, sizeof text, "%s … %s %%", percent(pair->low, low, sizeof low),
             percent(pair->high, high, sizeof high));
    fputs("  ", stream);
    column_left(stream, say_number(text), INTERVAL_WIDTH);
}

/* Does the scene have another pair of the same rung? Then only the parameters distinguish them. */
static bool is_one_of_several(const struct run_comparison *comparison, size_t at)
{
    const struct compared *pair = &comparison->items[at];
    for (size_t i = 0; i < comparison->count; i++)
        if (i != at && same_scene(&comparison->items[i], pair) &&
            strcmp(either(&comparison->items[i])->rung, either(pair)->rung) == 0)
            return true;
    return false;
}

static void print_pair(FILE *stream, const struct compared *pair, bool is_of_several, struct style style)
{
    static const char *const colours[] = {"", "\033[32m", "\033[31m", "\033[31m", "\033[32m", "\033[2m"};
    const struct measurement *m = either(pair);
    char name[sizeof m->rung + sizeof m->parameters + 8];
    bool is_other_setting = pair->a && pair->b && strcmp(pair->a->parameters, pair->b->parameters) != 0;
    bool has_parameters = is_of_several && !is_other_setting && *m->parameters;
    snprintf(name, sizeof name, "%s%s%s%s", m->rung, is_other_setting ? "*" : "", has_parameters ? " " : "",
             has_parameters ? m->parameters : "");
    bool is_long = strlen(name) >= RUNG_WIDTH;
    if (is_long)
        fprintf(stream, "  %s\n", name);
    fputs("  ", stream);
    column_left(stream, is_long ? "" : name, RUNG_WIDTH);
    if (pair->units_a)
        print_figures(stream, pair);
    else if (style.width >= WIDE)
        fprintf(stream, "%*s", 2 * TIME_WIDTH + CHANGE_WIDTH + 2 + INTERVAL_WIDTH, "");
    const bool is_narrow = pair->units_a && style.width < WIDE; /* the reason has a line of its own */
    const bool has_why = pair->why[0] && !(is_narrow && pair->is_void);
    fprintf(stream, "%s%s%s", style.colour ? colours[pair->outcome] : "", tr(outcomes[pair->outcome]),
            !has_why    ? ""
            : is_narrow ? "\n"
                        : ": ");
    if (has_why)
        fprintf(stream, "%*s%s", is_narrow ? 2 + RUNG_WIDTH + 2 : 0, "", say_message(pair->why));
    fprintf(stream, "%s\n", plain(style));
    if (is_other_setting)
        fprintf(stream, tr("  %*s* %s in A, %s in B\n"), RUNG_WIDTH, "", pair->a->parameters, pair->b->parameters);
}

/* How far the machine's probes moved, where there were any. */
static void print_machine(FILE *stream, const struct compared *pair)
{
    char low[24], high[24];
    if (pair->units_a && (pair->machine_low < 1 || pair->machine_high > 1))
        fprintf(stream, tr("  the machine's own probes moved by %s … %s %%\n"),
                say_number(percent(pair->machine_low, low, sizeof low)),
                say_number(percent(pair->machine_high, high, sizeof high)));
}

/* … and where its threads sat, when that was not the same. */
static void print_cores(FILE *stream, const struct compared *pair)
{
    if (pair->units_a && cores_elsewhere(pair->cores_a, pair->cores_b))
        fprintf(stream, tr("  latency between the cores of threads 0 and 1: %.0f ns in A, %.0f ns in B\n"),
                pair->cores_a, pair->cores_b);
}

static void print_method(FILE *stream, const struct run_comparison *comparison,
                         const struct comparison_options *options, struct style style)
{
    size_t counts[OUTCOME_WITHOUT + 1] = {0};
    bool runs = false;
    for (size_t i = 0; i < comparison->count; i++) {
        counts[comparison->items[i].outcome]++;
        runs = runs || comparison->items[i].units_are_runs;
    }
    fprintf(stream, tr("\n%zu faster, %zu slower, %zu cannot be told"), counts[OUTCOME_FASTER], counts[OUTCOME_SLOWER],
            counts[OUTCOME_UNCLEAR]);
    if (counts[OUTCOME_BROKEN] + counts[OUTCOME_MENDED])
        fprintf(stream, tr(", %zu broken, %zu mended"), counts[OUTCOME_BROKEN], counts[OUTCOME_MENDED]);
    fprintf(stream, tr("; %zu not compared.\n"), counts[OUTCOME_WITHOUT]);
    columns_note(stream, style,
                 tr("time: B's over A's, with its %g %% interval; not reported: changes below %g %% or the "
                    "machine's own.%s More: uskor help compare"),
                 100 - 100 * options->alpha, 100 * options->least,
                 runs ? "" : tr(" Few runs: label eight or more alike."));
}

void report_comparison(FILE *out, const struct run_comparison *comparison, const struct comparison_options *options,
                       struct style style)
{
    FILE *stream = folded_begin(out, style);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct compared *pair = &comparison->items[i];
        if (i == 0 || !same_scene(&comparison->items[i - 1], pair))
            print_head(stream, pair, style);
        print_pair(stream, pair, is_one_of_several(comparison, i), style);
        if (i + 1 == comparison->count || !same_scene(pair, &comparison->items[i + 1])) {
            print_machine(stream, pair);
            print_cores(stream, pair);
        }
    }
    print_method(stream, comparison, options, style);
    folded_end(stream, out);
}
