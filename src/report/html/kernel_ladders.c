/* A kernel's ladders, one for each device: the bars, and behind them each rung's figures, idea, verdict, parameters. */
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/command.h"
#include "report/model/counters.h"
#include "report/model/figure_text.h"
#include "report/model/key_values.h"
#include "report/terminal/cores.h"

/* Samples by time, from the fastest to twice the median; the last bar has the slower ones, too. */
static void write_histogram(FILE *stream, const struct samples *samples, const struct summary *time)
{
    enum { BARS = 24, HIGH = 22, WIDE = 4 };
    size_t counts[BARS] = {0}, most = 1;
    double step = (2 * time->median - time->minimum) / BARS;
    fputs("<td>", stream);
    for (size_t i = 0; i < samples->count && step > 0; i++) {
        double bar = (samples->items[i].nanoseconds - time->minimum) / step;
        size_t at = bar < BARS - 1 ? (size_t)bar : BARS - 1;
        most = ++counts[at] > most ? counts[at] : most;
    }
    if (samples->count > 1) {
        html(stream,
             "<svg class=\"histogram\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\"><title>%zu: %s … %s</title>",
             BARS * WIDE, HIGH, samples->count, figure_duration(time->minimum).text,
             figure_duration(time->maximum).text);
        for (size_t at = 0; at < BARS; at++)
            if (counts[at])
                html(stream, "<rect x=\"%zu\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>", at * WIDE,
                     HIGH - HIGH * (double)counts[at] / (double)most, WIDE - 1,
                     HIGH * (double)counts[at] / (double)most);
        fputs("</svg>", stream);
    }
    fputs("</td>", stream);
}

static void write_rung(struct page *page, const struct entry *entry)
{
    static const char *const classes[] = {"", "bad", "skip", "bad"};
    const struct measurement *measurement = entry->measurement;
    char command[640], spread[64];
    page_row(page, classes[measurement->verdict], NULL);
    fputs("<td>", page->stream);
    source_link(page->stream, measurement->kernel, measurement->rung);
    fputs("</td>", page->stream);
    page_command_cell(page, entry_command(entry, command, sizeof command));
    page_number(page, figure_duration(entry->rate > 0 ? entry->time.median : 0).text);
    snprintf(spread, sizeof spread, "%s … %s", figure_number(entry->rate_low).text,
             figure_number(entry->rate_high).text);
    page_number(page, entry->is_void ? tr("—, too noisy") : figure_number(entry->rate).text);
    page_number(page, entry->rate > 0 ? spread : "—");
    write_histogram(page->stream, &measurement->phases[PHASE_COMPUTE], &entry->time);
    page_number(page, entry->share_is_void ? tr("—, too noisy") : figure_percent(entry->of_ceiling).text);
    page_number(page, entry->speed_up_is_void ? tr("—, too noisy") : figure_times(entry->speed_up).text);
    html(page->stream, "<td class=\"verdict\">%s</td><td>%s", say_verdict(measurement->verdict), tr(measurement->idea));
    if (*measurement->reason)
        html(page->stream, "<br><em>%s</em>", say_message(measurement->reason));
    if (*measurement->warnings)
        html(page->stream, "<br><em>! %s</em>", say_message(measurement->warnings));
    html(page->stream, "</td><td><code>%s</code> %s</td>", measurement->parameters, say_message(measurement->detail));
    page_row_end(page);
}

static void write_table(struct page *page, const struct ladder *ladder)
{
    char unit[64], quartiles[96];
    snprintf(unit, sizeof unit, "#%s", say_unit(ladder_of(ladder)->rate_unit));
    snprintf(quartiles, sizeof quartiles, "#%s", tr("quartiles"));
    const char *headings[] = {
        tr("rung"),
        "",
        tr("#median"),
        unit,
        quartiles,
        tr("samples"),
        tr("#of the ceiling"),
        tr("#speed-up"),
        tr("verdict"),
        tr("idea"),
        tr("parameters"),
    };
    page_table(page, "rungs", headings, COUNT_OF(headings));
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    size_t ceiling_count = ladder_ceilings(ladder, ceilings);
    for (size_t i = 0; i < ceiling_count; i++)
        write_rung(page, ceilings[i]);
    size_t own = 0;
    for (size_t i = 0; i < ladder->rung_count; i++) {
        own += entry_is_users(ladder->rungs[i]);
        if (!entry_is_users(ladder->rungs[i]))
            write_rung(page, ladder->rungs[i]);
    }
    if (own)
        html(page->stream, "<tr><th colspan=\"%zu\">%s</th></tr>\n", COUNT_OF(headings), tr("users' own files"));
    for (size_t i = 0; own && i < ladder->rung_count; i++)
        if (entry_is_users(ladder->rungs[i]))
            write_rung(page, ladder->rungs[i]);
    page_table_end(page);
}

/* Of the rungs that something was counted of. */
static void write_counters(struct page *page, const struct ladder *ladder)
{
    char names[COUNTERS][96];
    const char *headings[COUNTERS + 1] = {tr("rung")};
    size_t counted = 0;
    for (size_t i = 0; i < ladder->rung_count; i++)
        counted += counters_are_there(ladder->rungs[i]->measurement);
    if (!counted)
        return;
    for (size_t c = 0; c < COUNTERS; c++) {
        snprintf(names[c], sizeof names[c], "#%s", tr(counter_names[c]));
        headings[c + 1] = names[c];
    }
    page_table(page, "counters", headings, COUNTERS + 1);
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const struct measurement *measurement = ladder->rungs[i]->measurement;
        struct figure figures[COUNTERS];
        if (!counters_are_there(measurement))
            continue;
        counters_of(measurement, figures);
        page_row(page, "", measurement->device);
        html(page->stream, "<td><code>%s</code></td>", measurement->rung);
        for (size_t c = 0; c < COUNTERS; c++)
            page_number(page, figures[c].text);
        page_row_end(page);
    }
    page_table_end(page);
}

/* Rungs that could not run, each with its reason: what the chart does not show. */
static void write_skipped(struct page *page, const struct ladder *ladder)
{
    size_t skipped = 0;
    for (size_t i = 0; i < ladder->rung_count; i++)
        skipped += ladder->rungs[i]->measurement->verdict == VERDICT_SKIP;
    if (!skipped)
        return;
    html(page->stream, "<p class=\"note\">%s", tr("Could not run here (point for the reason):"));
    for (size_t i = 0; i < ladder->rung_count; i++)
        if (ladder->rungs[i]->measurement->verdict == VERDICT_SKIP)
            html(page->stream, " <code title=\"%s\">%s</code>", say_message(ladder->rungs[i]->measurement->reason),
                 ladder->rungs[i]->measurement->rung);
    fputs("</p>\n", page->stream);
}

static void write_cores(struct page *page, const struct ladder *ladder)
{
    char words[512];
    struct cores_seen seen = {0};
    for (size_t i = 0; i < ladder->rung_count; i++)
        cores_add(&seen, ladder->rungs[i]->measurement);
    if (*cores_words(&seen, words, sizeof words))
        html(page->stream, "<p class=\"note\">%s</p>\n", words);
}

static void write_ladder(struct page *page, const struct kernel_view *kernel, const struct ladder *ladder)
{
    char name[CHART_NAME_MAX], title[800], command[512], difference[256];
    const struct measurement *of = ladder_of(ladder);
    if (!ladder->rung_count)
        return;
    ladder_device_title(ladder, title, sizeof title);
    const char *shown = ladder_of(kernel_representative(kernel, kernel->ladders))->problem;
    if (strcmp(of->problem, shown) != 0)
        text_append(title, sizeof title, " · %s",
                    key_values_of_difference(of->problem, shown, difference, sizeof difference));
    page_figure(page, ladder_chart_name(kernel, ladder, "ladder", name), title, of->device, draw_ladder, ladder);
    html(page->stream, "<p class=\"note\"><code>%s</code></p>\n", ladder_command(ladder, command, sizeof command));
    write_table(page, ladder);
    write_counters(page, ladder);
    write_cores(page, ladder);
    write_skipped(page, ladder);
    page_figure_end(page);
    if (ladder_rehearses(ladder))
        html(page->stream, "<p class=\"note\" data-device=\"%s\">%s</p>\n", of->device,
             tr("OpenCL on a CPU: shows that the rungs are right; their order says nothing about a GPU"));
}

void kernel_ladders(struct page *page, const struct kernel_view *kernel)
{
    for_each_device(page, kernel, write_ladder);
}
