/* Ladders as small multiples: rungs at the same height in all panels of a device, shares of the ceiling on one axis. */
#include <math.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/panels.h"

#define ROW 19
#define HEAD 40 /* above a row of panels: the device, and the problems */
#define GAP 14
#define VALUE 52 /* right of the longest bar: its figure */

struct panel_layout {
    double names, width; /* of the column of names, and of a panel */
    size_t columns;      /* in a line; a row with more panels takes several lines */
};

static double widest_title(const struct panels *panels)
{
    char title[HEADING_BYTES];
    double widest = 0;
    for (size_t r = 0; r < panels->row_count; r++)
        for (size_t i = 0; i < panels->rows[r].ladder_count; i++) {
            const struct measurement *of = ladder_of(panels->rows[r].ladders[i]);
            widest = fmax(widest, chart_text_width(problem_title_of_kernel(of->problem, of->kernel, title)));
        }
    return widest;
}

/* As many panels in a line as leave their titles whole. */
static struct panel_layout lay_out(const struct chart *chart, const struct panels *panels)
{
    struct panel_layout layout = {.columns = panels->columns};
    for (size_t r = 0; r < panels->row_count; r++)
        for (size_t i = 0; i < panels->rows[r].rung_count; i++)
            layout.names = fmax(layout.names, chart_name_width(panels->rows[r].rungs[i]) + 12);
    layout.names = fmin(layout.names, chart_is_narrow(chart) ? 110 : 190);
    if (chart_is_narrow(chart) && layout.columns > 2)
        layout.columns = 2;
    const double room = chart->width - layout.names, title = widest_title(panels);
    while (layout.columns > 1 && room / (double)layout.columns - GAP < title)
        layout.columns--;
    layout.width = room / (double)layout.columns - GAP;
    return layout;
}

static size_t lines_of(const struct panel_row *row, const struct panel_layout *layout)
{
    return (row->ladder_count + layout->columns - 1) / layout->columns;
}

static const char *bar_class(const struct ladder *ladder, const struct entry *entry)
{
    static const char *const classes[][2] = {{"bar host", "bar host best"},
                                             {"bar device", "bar device best"},
                                             {"bar vendor", "bar vendor best"},
                                             {"bar", "bar"}};
    return classes[entry->measurement->kind][entry == ladder->fastest];
}

/* Where the figure begins: behind the ceiling's mark, where it would lie on it. */
static double beside_mark(const struct scale *x, double at, const char *value)
{
    const double mark = scale_at(x, 1);
    return at < mark + 3 && at + chart_text_width(value) > mark - 3 ? mark + 5 : at;
}

static void draw_bar(struct chart *chart, const struct scale *x, const struct ladder *ladder, const struct entry *entry,
                     double top)
{
    char tip[1024], command[640], value[64];
    double end = scale_at(x, entry->share_is_void ? 0 : entry->of_ceiling);
    bool is_known = entry->of_ceiling > 0 && !entry->share_is_void;
    snprintf(value, sizeof value, "%s%s", is_known ? figure_percent(entry->of_ceiling).text : "—",
             entry->of_ceiling > x->high ? " →" : "");
    chart_mark_begin(chart, "", entry_tip(entry, tip, sizeof tip), entry_command(entry, command, sizeof command));
    chart_box(chart, x->from, top, x->to - x->from + VALUE, ROW, "catch");
    chart_box(chart, x->from, top + 3, end - x->from, ROW - 6, bar_class(ladder, entry));
    if (entry->measurement->kind == MEASURED_VENDOR)
        chart_box(chart, x->from, top + 3, end - x->from, ROW - 6, "hatch");
    chart_text(chart, beside_mark(x, end + 5, value), top + ROW - 5, ANCHOR_START,
               entry == ladder->fastest ? "tick value strong" : "tick value", value);
    chart_mark_end(chart);
}

static void draw_axis(struct chart *chart, const struct scale *x, double top, double bottom)
{
    for (int percent = 0; percent <= 100; percent += 50) {
        char text[16];
        double at = scale_at(x, percent / 100.0);
        chart_line(chart, at, top, at, bottom, percent == 100 ? "ceiling" : "grid");
        snprintf(text, sizeof text, "%d", percent);
        chart_text(chart, at, bottom + 13, ANCHOR_MIDDLE, "tick", text);
    }
}

static void draw_panel(struct chart *chart, const struct panels *panels, const struct panel_row *row,
                       const struct ladder *ladder, double left, double width, double top)
{
    char title[HEADING_BYTES], fitting[HEADING_BYTES];
    const struct measurement *of = ladder_of(ladder);
    struct scale x = {.high = panels->most, .from = left, .to = left + width - VALUE};
    chart_text(chart, left, top - 6, ANCHOR_START, "tick",
               chart_fit(problem_title_of_kernel(of->problem, of->kernel, title), width, fitting, sizeof fitting));
    draw_axis(chart, &x, top, top + ROW * (double)row->rung_count);
    for (size_t i = 0; i < row->rung_count; i++) {
        const struct entry *entry = panel_entry(ladder, row->rungs[i]);
        if (entry && entry->rate > 0)
            draw_bar(chart, &x, ladder, entry, top + ROW * (double)i);
    }
}

/* The rungs' names, and panels from the `first` on; returns where the next line may begin. */
static double draw_line(struct chart *chart, const struct panels *panels, const struct panel_row *row, size_t first,
                        const struct panel_layout *layout, double y)
{
    char text[512], fitting[512];
    const struct measurement *of = ladder_of(row->ladders[0]);
    double top = y + HEAD;
    snprintf(text, sizeof text, "%s — %s", of->device, of->device_name);
    if (first == 0)
        chart_text(chart, 2, y + 14, ANCHOR_START, "strong",
                   chart_fit(text, chart->width - 4, fitting, sizeof fitting));
    for (size_t i = 0; i < row->rung_count; i++)
        chart_text(chart, layout->names - 8, top + ROW * (double)(i + 1) - 5, ANCHOR_END, "name",
                   chart_fit(row->rungs[i], layout->names - 8, fitting, sizeof fitting));
    for (size_t i = first; i < row->ladder_count && i < first + layout->columns; i++)
        draw_panel(chart, panels, row, row->ladders[i], layout->names + (layout->width + GAP) * (double)(i - first),
                   layout->width, top);
    return top + ROW * (double)row->rung_count + 22;
}

void draw_panels(struct chart *chart, const void *data)
{
    const struct panels *panels = data;
    struct panel_layout layout = lay_out(chart, panels);
    double height = 24;
    char label[256];
    for (size_t r = 0; r < panels->row_count; r++)
        height += (double)lines_of(&panels->rows[r], &layout) * (HEAD + ROW * (double)panels->rows[r].rung_count + 22);
    snprintf(label, sizeof label, "%s: %s", say_kernel(ladder_of(panels->rows[0].ladders[0])->kernel),
             tr("each rung's share of the ceiling, over devices and problems"));
    chart_begin(chart, height, label);
    double y = 0;
    for (size_t r = 0; r < panels->row_count; r++)
        for (size_t first = 0; first < panels->rows[r].ladder_count; first += layout.columns)
            y = draw_line(chart, panels, &panels->rows[r], first, &layout, y);
    chart_text(chart, chart->width - 2, y + 14, ANCHOR_END, "soft", tr("percent of the ceiling"));
    chart_end(chart);
}
