/* A ladder as bars: each rung's rate with its quartiles as whiskers, against the ceiling and the vendor's rungs. */
#include <math.h>
#include <stdlib.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/view.h"

#define TOP 62
#define CEILING_ROW 14 /* each ceiling's name has one, above the bars */
#define FAR_CEILING 4  /* a ceiling this many times beyond the fastest rung is named, not drawn to scale */

struct ladder_layout {
    struct scale x;
    double row, label; /* height of a row; width of the names' column (0: names are above their bars) */
    double top;        /* of the first bar */
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    size_t ceiling_count;
    double far; /* ceilings from this rate on are named, not drawn to scale */
};

static size_t shown_rungs(const struct ladder *ladder)
{
    size_t count = 0;
    for (size_t i = 0; i < ladder->rung_count; i++)
        count += ladder->rungs[i]->measurement->verdict != VERDICT_SKIP;
    return count;
}

static struct ladder_layout lay_out(const struct chart *chart, const struct ladder *ladder)
{
    struct ladder_layout layout = {.row = chart_is_narrow(chart) ? 42 : 27};
    double most = 0;
    for (size_t i = 0; i < ladder->rung_count; i++) {
        const struct entry *entry = ladder->rungs[i];
        layout.label = fmax(layout.label, chart_name_width(entry->measurement->rung) + 14);
        most = fmax(most, fmax(entry->rate, entry->rate_high));
    }
    layout.label = chart_is_narrow(chart) ? 4 : fmin(layout.label, 230);
    layout.ceiling_count = ladder_ceilings(ladder, layout.ceilings);
    layout.top = TOP + CEILING_ROW * (double)(layout.ceiling_count ? layout.ceiling_count - 1 : 0);
    layout.far = FAR_CEILING * most;
    double high = most;
    for (size_t i = 0; i < layout.ceiling_count; i++)
        high = fmax(high, layout.ceilings[i]->rate > layout.far ? most * 1.25 : layout.ceilings[i]->rate);
    layout.x = (struct scale){.high = high > 0 ? high : 1, .from = layout.label, .to = chart->width - 150};
    if (chart_is_narrow(chart))
        layout.x.to = chart->width - 10;
    return layout;
}

static const char *bar_class(const struct ladder *ladder, const struct entry *entry)
{
    static const char *const classes[] = {"bar host", "bar device", "bar vendor", "bar"};
    static const char *const best[] = {"bar host best", "bar device best", "bar vendor best", "bar"};
    enum measured_kind kind = entry->measurement->kind;
    return entry == ladder->fastest ? best[kind] : classes[kind];
}

static void draw_whiskers(struct chart *chart, const struct scale *x, const struct entry *entry, double middle)
{
    double low = scale_at(x, entry->rate_low), high = scale_at(x, entry->rate_high);
    chart_line(chart, low, middle, high, middle, "whisker");
    chart_line(chart, low, middle - 4, low, middle + 4, "whisker");
    chart_line(chart, high, middle - 4, high, middle + 4, "whisker");
}

static void draw_value(struct chart *chart, const struct ladder *ladder, const struct entry *entry, double x, double y)
{
    char text[96];
    if (entry->rate > 0)
        snprintf(text, sizeof text, "%s%s%s", figure_number(entry->rate).text, entry->of_ceiling > 0 ? " · " : "",
                 entry->of_ceiling > 0 ? figure_percent(entry->of_ceiling).text : "");
    else
        snprintf(text, sizeof text, "%s",
                 entry->is_void ? tr("—, too noisy") : say_verdict(entry->measurement->verdict));
    chart_text(chart, x, y, chart_is_narrow(chart) ? ANCHOR_END : ANCHOR_START,
               entry->is_void             ? "value soft"
               : !(entry->rate > 0)       ? "value bad"
               : entry == ladder->fastest ? "value strong"
                                          : "value soft",
               text);
}

static void draw_rung(struct chart *chart, const struct ladder *ladder, const struct ladder_layout *layout,
                      const struct entry *entry, double top)
{
    char tip[1024], command[640], name[96];
    bool narrow = chart_is_narrow(chart);
    double bar_top = top + (narrow ? 20 : 4), bar_height = 19, middle = bar_top + bar_height / 2;
    double end = scale_at(&layout->x, entry->rate), value_x = fmax(end, scale_at(&layout->x, entry->rate_high)) + 7;
    chart_mark_begin(chart, "", entry_tip(entry, tip, sizeof tip), entry_command(entry, command, sizeof command));
    chart_box(chart, 0, top, chart->width, layout->row, "catch");
    chart_fit(entry->measurement->rung, narrow ? chart->width - 125 : layout->label, name, sizeof name);
    const char *class = entry == ladder->fastest ? "name strong" : "name";
    if (narrow)
        chart_text(chart, layout->label, bar_top - 5, ANCHOR_START, class, name);
    else
        chart_text(chart, layout->label - 9, middle + 4.5, ANCHOR_END, class, name);
    if (entry->rate > 0) {
        chart_box(chart, layout->x.from, bar_top, end - layout->x.from, bar_height, bar_class(ladder, entry));
        if (entry->measurement->kind == MEASURED_VENDOR)
            chart_box(chart, layout->x.from, bar_top, end - layout->x.from, bar_height, "hatch");
        draw_whiskers(chart, &layout->x, entry, middle);
    }
    if (narrow)
        draw_value(chart, ladder, entry, chart->width - 14, bar_top - 5); /* left of a ceiling at the edge */
    else
        draw_value(chart, ladder, entry, value_x, middle + 4.5);
    chart_mark_end(chart);
}

static void draw_ceiling(struct chart *chart, const struct ladder_layout *layout, size_t place, double bottom)
{
    char text[160], tip[512];
    const struct entry *ceiling = layout->ceilings[place];
    bool is_far = ceiling->rate > layout->far;
    snprintf(text, sizeof text, "%s %s: %s%s", tr("ceiling"), ceiling->measurement->rung,
             figure_rate(ceiling->rate, ceiling->measurement->rate_unit).text, is_far ? " →" : "");
    double x = is_far ? layout->x.to + 20 : scale_at(&layout->x, ceiling->rate);
    chart_mark_begin(chart, "ceiling", entry_tip(ceiling, tip, sizeof tip), NULL);
    if (!is_far)
        chart_line(chart, x, layout->top - 12, x, bottom, "ceiling");
    double width = chart_text_width(text);
    double right = fmin(fmax(x + 4, width + 4), chart->width - 2);
    chart_text(chart, right, layout->top - 17 - CEILING_ROW * (double)place, ANCHOR_END, "ceiling-name", text);
    chart_mark_end(chart);
}

static void draw_legend(struct chart *chart, const struct ladder *ladder)
{
    static const struct {
        const char *class;
        const char *name;
    } kinds[] = {
        [MEASURED_HOST] = {"bar host", N_("CPU")},
        [MEASURED_DEVICE] = {"bar device", N_("device")},
        [MEASURED_VENDOR] = {"bar vendor", N_("library")},
    };
    double x = 2;
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        bool is_there = false;
        for (size_t i = 0; i < ladder->rung_count; i++)
            is_there = is_there || (ladder->rungs[i]->measurement->kind == kind && ladder->rungs[i]->rate > 0);
        if (is_there)
            x = chart_legend(chart, x, 16, kinds[kind].class, tr(kinds[kind].name));
    }
    if (!chart_is_narrow(chart))
        chart_text(chart, x + 6, 16, ANCHOR_START, "soft", tr("bar: median; whiskers: quartiles"));
}

void draw_ladder(struct chart *chart, const void *data)
{
    const struct ladder *ladder = data;
    const struct measurement *of = ladder_of(ladder);
    struct ladder_layout layout = lay_out(chart, ladder);
    double bottom = layout.top + layout.row * (double)shown_rungs(ladder);
    char label[512];
    snprintf(label, sizeof label, "%s, %s: %s", say_kernel(of->kernel), of->device, tr("the ladder: each rung's rate"));
    chart_begin(chart, bottom + 44, label);
    draw_legend(chart, ladder);
    chart->left = layout.x.from;
    chart->right = layout.x.to;
    chart->top = layout.top - 6;
    chart->bottom = bottom + 2;
    chart_x_axis(chart, &layout.x, say_unit(of->rate_unit));
    for (size_t i = 0; i < layout.ceiling_count; i++)
        if (layout.ceilings[i]->rate > 0) /* noise has not voided it */
            draw_ceiling(chart, &layout, i, bottom);
    double y = layout.top;
    for (size_t i = 0; i < ladder->rung_count; i++) {
        if (ladder->rungs[i]->measurement->verdict == VERDICT_SKIP)
            continue;
        draw_rung(chart, ladder, &layout, ladder->rungs[i], y);
        y += layout.row;
    }
    chart_end(chart);
}
