/* A job in parts on several queues: a row for each queue, a bar for each copy in, computation and copy out. Where
 * each phase has a queue of its own, the rows are the phases'. */
#include <math.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/model/figure_text.h"
#include "report/model/transfers.h"

#define ROW 26
#define TOP 34
#define TIPS_MOST 64 /* parts; with more, the bars are too narrow for numbers */

static const struct {
    const char *class;
    const char *name;
} phases[] = {
    {"bar series-0", N_("copy in")},
    {"bar series-2", N_("compute")},
    {"bar series-1", N_("copy out")},
};

static void draw_bar(struct chart *chart, const struct timeline_view *timeline, const struct scale *x, size_t index,
                     size_t phase)
{
    const struct timeline_bars *part = &timeline->parts[index];
    double from = scale_at(x, part->spans[phase][0]), to = scale_at(x, part->spans[phase][1]);
    double y = TOP + ROW * (timeline->by_phase ? (double)phase : part->queue) + 3 + (double)phase * 6;
    if (timeline->count <= TIPS_MOST) {
        char tip[256];
        snprintf(tip, sizeof tip, "%s %zu: %s\n%s … %s", tr("part"), index + 1, tr(phases[phase].name),
                 part->spans[phase][0] > 0 ? figure_duration(part->spans[phase][0]).text : "0",
                 figure_duration(part->spans[phase][1]).text);
        chart_mark_begin(chart, "", tip, NULL);
    }
    chart_box(chart, from, y, fmax(to - from - 0.5, 0.8), 8, phases[phase].class);
    if (timeline->count <= TIPS_MOST)
        chart_mark_end(chart);
}

void draw_timeline(struct chart *chart, const void *data)
{
    const struct timeline_view *timeline = data;
    double legend = 4;
    chart->left = 34;
    chart->right = chart->width - 14;
    chart->top = TOP;
    chart->bottom = TOP + ROW * timeline->queues + 4;
    struct scale x = {.high = timeline->end / 1e3, .from = chart->left, .to = chart->right};
    chart_begin(chart, chart->bottom + 46, tr("Timeline"));
    for (size_t phase = 0; phase < COUNT_OF(phases); phase++)
        legend = chart_legend(chart, legend, 16, phases[phase].class, tr(phases[phase].name));
    chart_x_axis(chart, &x, say_unit("µs"));
    x.high = timeline->end;
    for (unsigned queue = 0; queue < timeline->queues; queue++) {
        char name[16];
        snprintf(name, sizeof name, "%u", queue + 1);
        chart_text(chart, chart->left - 8, TOP + ROW * (queue + 0.5) + 5, ANCHOR_END, "tick", name);
    }
    if (timeline->count > TIPS_MOST)
        chart_mark_begin(chart, "", tr("Timeline"), NULL);
    for (size_t i = 0; i < timeline->count; i++)
        for (size_t phase = 0; phase < COUNT_OF(phases); phase++)
            draw_bar(chart, timeline, &x, i, phase);
    if (timeline->count > TIPS_MOST)
        chart_mark_end(chart);
    chart_end(chart);
}
