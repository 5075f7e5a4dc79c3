#include "report/compared.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "report/columns.h"
#include "store/cores.h"

#define RUNG_WIDTH 18
#define TIME_WIDTH 10
#define INTERVAL_WIDTH 18
#define WIDE 100    /* columns in which a verdict without figures stands below the others */
#define BEYOND 11.0 /* times as much time: how much more says nothing more */

static const enum text outcomes[] = {
    [OUTCOME_UNCLEAR] = TEXT_OUTCOME_UNCLEAR, [OUTCOME_FASTER] = TEXT_OUTCOME_FASTER,
    [OUTCOME_SLOWER] = TEXT_OUTCOME_SLOWER,   [OUTCOME_BROKEN] = TEXT_OUTCOME_BROKEN,
    [OUTCOME_MENDED] = TEXT_OUTCOME_MENDED,   [OUTCOME_WITHOUT] = TEXT_OUTCOME_WITHOUT,
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
    fprintf(stream, "\n%s%s%s · %s — %s", style.colour ? "\033[1m" : "", m->problem,
            m->cold ? say(TEXT_HISTORY_COLD) : "", m->device, m->device_name);
    if (pair->a && pair->b && strcmp(pair->a->device_name, pair->b->device_name) != 0)
        fprintf(stream, " (A), %s (B)", pair->b->device_name);
    fprintf(stream, "%s\n  ", style.colour ? "\033[0m" : "");
    column_left(stream, say(TEXT_TABLE_RUNG), RUNG_WIDTH);
    fprintf(stream, "%*s%*s", TIME_WIDTH, "A", TIME_WIDTH, "B");
    column_right(stream, say(TEXT_COMPARED_TIME), 11);
    fputs("  ", stream);
    column_left(stream, say(TEXT_COMPARED_INTERVAL), INTERVAL_WIDTH);
    fprintf(stream, "%s\n", say(TEXT_REPORT_VERDICT));
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
    if (pair->is_void) {
        column_right(stream, say(TEXT_TOO_NOISY), 2 * TIME_WIDTH + 11);
        fprintf(stream, "%*s", 2 + INTERVAL_WIDTH, "");
        return;
    }
    text_duration(pair->time_a, text, sizeof text);
    column_right(stream, say_quantity(text, sizeof text), TIME_WIDTH);
    text_duration(pair->time_b, text, sizeof text);
    column_right(stream, say_quantity(text, sizeof text), TIME_WIDTH);
    percent(pair->ratio, low, sizeof low);
    snprintf(text, sizeof text, "%s %%", low);
    column_right(stream, say_number(text), 11);
    snprintf(text, sizeof text, "%s … %s %%", percent(pair->low, low, sizeof low),
             percent(pair->high, high, sizeof high));
    fputs("  ", stream);
    column_left(stream, say_number(text), INTERVAL_WIDTH);
}

/* Does the scene have another pair of the same rung? Then only their parameters tell them apart. */
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
        fprintf(stream, "%*s", 2 * TIME_WIDTH + 11 + 2 + INTERVAL_WIDTH, "");
    fprintf(stream, "%s%s%s%s%s\n", style.colour ? colours[pair->outcome] : "", say(outcomes[pair->outcome]),
            pair->why[0] ? ": " : "", say_message(pair->why), style.colour ? "\033[0m" : "");
    if (is_other_setting)
        fprintf(stream, say(TEXT_COMPARED_PARAMETERS), RUNG_WIDTH, "", pair->a->parameters, pair->b->parameters);
}

/* How far the machine's probes moved, where there were any. */
static void print_machine(FILE *stream, const struct compared *pair)
{
    char low[24], high[24];
    if (pair->units_a && (pair->machine_low < 1 || pair->machine_high > 1))
        fprintf(stream, say(TEXT_COMPARED_MACHINE), percent(pair->machine_low, low, sizeof low),
                percent(pair->machine_high, high, sizeof high));
}

/* … and where its threads sat, when that was not the same. */
static void print_cores(FILE *stream, const struct compared *pair)
{
    if (pair->units_a && cores_elsewhere(pair->cores_a, pair->cores_b))
        fprintf(stream, say(TEXT_COMPARED_CORES), pair->cores_a, pair->cores_b);
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
    fprintf(stream, say(TEXT_COMPARED_COUNTS), counts[OUTCOME_FASTER], counts[OUTCOME_SLOWER], counts[OUTCOME_UNCLEAR]);
    if (counts[OUTCOME_BROKEN] + counts[OUTCOME_MENDED])
        fprintf(stream, say(TEXT_COMPARED_VERDICTS), counts[OUTCOME_BROKEN], counts[OUTCOME_MENDED]);
    fprintf(stream, say(TEXT_COMPARED_OTHERS), counts[OUTCOME_WITHOUT]);
    columns_note(stream, style, say(TEXT_COMPARED_METHOD), 100 - 100 * options->alpha,
                 say(runs ? TEXT_COMPARED_RUNS : TEXT_COMPARED_ROUNDS), 100 * options->alpha, comparison->tests,
                 100 * options->least);
    if (!runs)
        columns_note(stream, style, "%s", say(TEXT_COMPARED_FEW));
}

void report_comparison(FILE *stream, const struct run_comparison *comparison, const struct comparison_options *options,
                       struct style style)
{
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
}
