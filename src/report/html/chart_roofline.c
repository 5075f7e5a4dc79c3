/* The roofline: performance over arithmetic intensity, both axes logarithmic. */
#include <limits.h>
#include <math.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/html/palette.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/roofline.h"

struct plane {
    struct scale x, y;
};

static struct plane plane_of(const struct chart *chart, const struct roofline *roofline)
{
    double arithmetic = roofline_highest(roofline, true), memory = roofline_lowest(roofline, false);
    double left = INFINITY, right = 0, low = INFINITY, high = arithmetic;
    for (size_t i = 0; i < roofline->point_count; i++) {
        left = fmin(left, roofline->points[i].intensity);
        right = fmax(right, roofline->points[i].intensity);
        low = fmin(low, roofline->points[i].performance);
        high = fmax(high, roofline->points[i].performance);
    }
    if (arithmetic > 0 && memory > 0) /* the ridge is seen, with a piece of level roof */
        right = fmax(right, 2 * arithmetic / memory);
    return (struct plane){
        .x = {SCALE_DECADES, left / 2, right * 2, chart->left, chart->right},
        .y = {SCALE_DECADES, low / 2, high * 2, chart->bottom, chart->top},
    };
}

struct box {
    double left, right, top, bottom;
};

/* Does any rung's mark, or the fastest's name beside it, lie in the box? */
static bool is_taken(const struct roofline *roofline, const struct plane *plane, struct box box)
{
    for (size_t i = 0; i < roofline->point_count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        double x = scale_at(&plane->x, point->intensity), y = scale_at(&plane->y, point->performance);
        double name = point->is_fastest ? 12 + chart_text_width(point->entry->measurement->rung) : 0;
        double left = x - 6, right = x + 6 + name;
        if (right > plane->x.to && name > 0) { /* the name is on the left side */
            left = x - 6 - name;
            right = x + 6;
        }
        if (right > box.left && left < box.right && y + 9 > box.top && y - 9 < box.bottom)
            return true;
    }
    return false;
}

/* The name of a level, above it: at its right end, or where no rung is in its way. */
static void draw_level_name(struct chart *chart, const struct roofline *roofline, const struct plane *plane,
                            const struct roof *roof, const char *text)
{
    double width = chart_text_width(text), y = scale_at(&plane->y, roof->rate) - 7, right = plane->x.to - 4;
    double memory = roofline_lowest(roofline, false);
    double ridge = memory > 0 ? scale_at(&plane->x, roof->rate / memory) : plane->x.from;
    for (int place = 0; right - 10 * place - width > ridge; place++) {
        double at = right - 10 * place;
        if (!is_taken(roofline, plane, (struct box){at - width, at, y - 12, y + 3})) {
            right = at;
            break;
        }
    }
    chart_text(chart, right, y, ANCHOR_END, "value ceiling-name", text);
}

/* How much of a text that begins at (left, top) and goes on along the angle lies on rungs: in pieces. */
static int covered(const struct roofline *roofline, const struct plane *plane, double left, double top, double angle,
                   double width)
{
    int count = 0;
    for (int piece = 0; 6 * piece <= width; piece++) {
        double along = 6 * piece, x = left + along * cos(angle), y = top + along * sin(angle);
        count += is_taken(roofline, plane, (struct box){x, x + 6, y - 12, y + 3});
    }
    return count;
}

/* The name of a slope, along it: each roof's a little further to the right than the one before, or as near to that as
 * no rung is in its way. */
static void draw_slope_name(struct chart *chart, const struct roofline *roofline, const struct plane *plane,
                            const struct roof *roof, const char *text)
{
    const double decades = log10(plane->x.high / plane->x.low), highest = roofline_highest(roofline, true);
    const double lowest = fmax(plane->x.low * 1.02, plane->y.low * 1.3 / roof->rate);
    const double wanted =
        fmax(lowest, plane->x.low * pow(10, 0.05 * decades * (1.4 + (double)(roof - roofline->roofs))));
    const double width = chart_text_width(text), run = plane->x.to - plane->x.from;
    const double rise = (plane->y.from - plane->y.to) / log10(plane->y.high / plane->y.low);
    const double angle = -atan(rise * decades / run);
    double best_left = 0, best_top = 0;
    int least = INT_MAX;
    for (int tries = 0; tries < 80; tries++) {
        int away = (tries + 1) / 2 * (tries % 2 ? -1 : 1);
        double x = wanted * pow(10, 0.008 * decades * away);
        double left = scale_at(&plane->x, x), top = scale_at(&plane->y, roof->rate * x) - 7;
        double end = x * pow(10, decades * width * cos(angle) / run);
        bool fits = x >= lowest && (highest <= 0 || end * roof->rate <= highest);
        int count = fits ? covered(roofline, plane, left, top, angle, width) : INT_MAX - 1;
        if (count < least) {
            least = count;
            best_left = left;
            best_top = top;
        }
    }
    html(chart->stream,
         "<text x=\"%.1f\" y=\"%.1f\" transform=\"rotate(%.1f %.1f %.1f)\" class=\"value ceiling-name\">%s</text>",
         best_left, best_top, angle * 180 / M_PI, best_left, best_top, text);
}

/* Slopes that nearly coincide share one name: pointing at them, and the table, tell the others'. */
static bool has_room_for_name(const struct roofline *roofline, const struct roof *roof)
{
    for (const struct roof *other = roofline->roofs; other < roof; other++)
        if (!other->is_arithmetic && fmax(other->rate, roof->rate) < 1.6 * fmin(other->rate, roof->rate))
            return false;
    return true;
}

static void draw_roof(struct chart *chart, const struct roofline *roofline, const struct plane *plane,
                      const struct roof *roof)
{
    char text[192];
    snprintf(text, sizeof text, "%s %s", roof->name,
             figure_rate(roof->rate, roof->is_arithmetic ? "GFLOP/s" : "GB/s").text);
    double highest = roofline_highest(roofline, true), widest = roofline_highest(roofline, false);
    double from = plane->x.low, to = plane->x.high;
    if (roof->is_arithmetic && widest > 0)
        from = fmax(from, roof->rate / widest);
    if (!roof->is_arithmetic && highest > 0)
        to = fmin(to, highest / roof->rate);
    if (!roof->is_arithmetic)
        from = fmax(from, plane->y.low / roof->rate);
    if (!(to > from)) /* a cache's slope, left of every rung */
        return;
    chart_mark_begin(chart, "ceiling", text, NULL);
    chart_line(chart, scale_at(&plane->x, from),
               scale_at(&plane->y, roof->is_arithmetic ? roof->rate : roof->rate * from), scale_at(&plane->x, to),
               scale_at(&plane->y, roof->is_arithmetic ? roof->rate : roof->rate * to), "roof");
    if (roof->is_arithmetic)
        draw_level_name(chart, roofline, plane, roof, text);
    else if (has_room_for_name(roofline, roof))
        draw_slope_name(chart, roofline, plane, roof, text);
    chart_mark_end(chart);
}

static void draw_roofline_point(struct chart *chart, const struct plane *plane, const struct roofline_point *point)
{
    char tip[1024], both[1600], command[640], class[48];
    const struct measurement *measurement = point->entry->measurement;
    double x = scale_at(&plane->x, point->intensity), y = scale_at(&plane->y, point->performance);
    snprintf(both, sizeof both, "%s: %s\n%s, %s", say_kernel(measurement->kernel),
             entry_tip(point->entry, tip, sizeof tip), figure_rate(point->performance, "GFLOP/s").text,
             figure_rate(point->intensity, tr("flop/B")).text);
    snprintf(class, sizeof class, "point series-%zu%s", point->kernel % PALETTE_SERIES,
             measurement->kind == MEASURED_VENDOR ? " hollow" : "");
    chart_mark_begin(chart, "", both, entry_command(point->entry, command, sizeof command));
    chart_point(chart, x, y, point->kernel, class);
    chart_mark_end(chart);
    if (point->is_fastest && !chart_is_narrow(chart)) {
        bool left = x + 10 + chart_text_width(measurement->rung) > chart->right;
        chart_text(chart, left ? x - 9 : x + 9, y + 4.5, left ? ANCHOR_END : ANCHOR_START, "value soft",
                   measurement->rung);
    }
}

/* The kernels' names and colours, from y = 16 on; returns the legend's height. */
static double draw_kernels(struct chart *chart, const struct roofline *roofline, bool draw)
{
    double x = 4, y = 16;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < roofline->point_count; i++) {
        const struct roofline_point *point = &roofline->points[i];
        if (point->kernel == last)
            continue;
        last = point->kernel;
        const char *name = say_kernel(roofline->view->kernels[last].name);
        if (x + 30 + chart_text_width(name) > chart->width && x > 4) {
            x = 4;
            y += 20;
        }
        char class[48];
        snprintf(class, sizeof class, "point series-%zu", last % PALETTE_SERIES);
        if (draw) {
            chart_point(chart, x + 6, y - 4, last, class);
            chart_text(chart, x + 16, y, ANCHOR_START, "soft", name);
        }
        x += 34 + chart_text_width(name);
    }
    return y;
}

void draw_roofline(struct chart *chart, const void *data)
{
    const struct roofline *roofline = data;
    double legend = draw_kernels(chart, roofline, false);
    char label[256];
    chart->left = 54;
    chart->right = chart->width - 12;
    chart->top = legend + 38;
    chart->bottom = chart->top + (chart_is_narrow(chart) ? 260 : 380);
    struct plane plane = plane_of(chart, roofline);
    snprintf(label, sizeof label, "%s, %s", tr("Roofline"), ladder_of(roofline->device)->device);
    chart_begin(chart, chart->bottom + 46, label);
    draw_kernels(chart, roofline, true);
    chart_x_axis(chart, &plane.x, tr("operations per byte that must be moved"));
    chart_y_axis(chart, &plane.y, say_unit("GFLOP/s"));
    for (size_t i = 0; i < roofline->roof_count; i++)
        draw_roof(chart, roofline, &plane, &roofline->roofs[i]);
    for (size_t i = 0; i < roofline->point_count; i++)
        draw_roofline_point(chart, &plane, &roofline->points[i]);
    chart_end(chart);
}
