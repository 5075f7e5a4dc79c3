/* Speed over accuracy: rates over relative errors, both logarithmic, the more accurate to the right. A rung's marks,
 * one for each kind of inputs, are joined by a line. */
#include <math.h>

#include "base/language.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/html/palette.h"
#include "report/model/accuracy.h"
#include "report/model/figure_text.h"

#define NAMES_MOST 64
#define NAME_HEIGHT 14

struct plane {
    struct scale x, y;
};

struct box {
    double left, right, top, bottom;
};

/* What names must keep clear of: marks and other names. */
struct taken {
    struct box boxes[8 * NAMES_MOST];
    size_t count;
};

static void take(struct taken *taken, struct box box)
{
    if (taken->count < COUNT_OF(taken->boxes))
        taken->boxes[taken->count++] = box;
}

static size_t overlaps(const struct taken *taken, struct box box)
{
    size_t count = 0;
    for (size_t i = 0; i < taken->count; i++)
        count += taken->boxes[i].left < box.right && taken->boxes[i].right > box.left &&
                 taken->boxes[i].top < box.bottom && taken->boxes[i].bottom > box.top;
    return count;
}

static bool is_shown(const struct accuracy_point *point)
{
    return point && point->rate > 0 && point->errors.relative > 0 && isfinite(point->errors.relative);
}

static double rate_of_cited(const struct cited_accuracy *cited)
{
    return 1000 * cited->rate; /* TFLOP/s */
}

static struct plane plane_of(const struct chart *chart, const struct accuracy_chart *of)
{
    double low = INFINITY, high = 0, slow = INFINITY, fast = 0;
    for (size_t i = 0; i < of->count; i++) {
        if (!is_shown(&of->points[i]))
            continue;
        low = fmin(low, of->points[i].errors.relative), high = fmax(high, of->points[i].errors.relative);
        slow = fmin(slow, of->points[i].rate), fast = fmax(fast, of->points[i].rate);
    }
    for (const struct cited_accuracy *each = accuracy_cited(of, NULL); each; each = accuracy_cited(of, each)) {
        low = fmin(low, each->low), high = fmax(high, each->high);
        slow = fmin(slow, rate_of_cited(each)), fast = fmax(fast, rate_of_cited(each));
    }
    if (!(high > 0))
        low = 1e-8, high = 1e-6, slow = 1, fast = 10;
    return (struct plane){
        .x = {SCALE_DECADES, low / 4, high * 2, chart->right, chart->left},
        .y = {SCALE_DECADES, slow / 1.6, fast * 1.6, chart->bottom, chart->top},
    };
}

static struct box moved(struct box box, double x, double y)
{
    return (struct box){box.left + x, box.right + x, box.top + y, box.bottom + y};
}

/* To the right of the marks, left of them, above or below, or at a corner: the first place where it meets nothing. */
static void draw_name(struct chart *chart, struct taken *taken, struct box marks, const char *name, const char *class)
{
    const double width = chart_name_width(name), height = marks.bottom - marks.top, half = NAME_HEIGHT / 2.0;
    const double middle = (marks.left + marks.right) / 2, y = (marks.top + marks.bottom) / 2;
    const struct box right = {marks.right + 4, marks.right + 4 + width, y - half, y + half};
    const struct box above = {middle - width / 2, middle + width / 2, marks.top - NAME_HEIGHT - 1, marks.top - 1};
    const struct box left = moved(right, marks.left - marks.right - 8 - width, 0);
    const struct box below = moved(above, 0, height + NAME_HEIGHT + 2);
    const struct box places[] = {
        right,
        left,
        above,
        below,
        moved(right, 0, -half),
        moved(left, 0, -half),
        moved(right, 0, half),
        moved(left, 0, half),
        moved(right, 0, NAME_HEIGHT),
        moved(left, 0, NAME_HEIGHT),
        moved(right, 0, -NAME_HEIGHT),
        moved(left, 0, -NAME_HEIGHT),
    };
    size_t best = 0, least = SIZE_MAX;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        const bool fits = places[i].left >= chart->left && places[i].right <= chart->width - 2 &&
                          places[i].top >= chart->top - 8 && places[i].bottom <= chart->bottom;
        const size_t met = fits ? overlaps(taken, places[i]) : 1000;
        if (met < least)
            best = i, least = met;
    }
    if (least == 0) {
        take(taken, places[best]);
        chart_text(chart, places[best].left, places[best].bottom - 3, ANCHOR_START, class, name);
    }
}

static void tip_of(const struct accuracy_point *point, char *tip, size_t size)
{
    char error[32];
    snprintf(error, sizeof error, "%.1e", point->errors.relative);
    snprintf(tip, size, "%s, %s: %s\n%s, %s %s", point->measurement->rung, tr("inputs"), point->input,
             figure_rate(point->rate, point->measurement->rate_unit).text, tr("relative error"), say_number(error));
}

static struct box box_of(const struct plane *plane, const struct accuracy_chart *of, const char *rung)
{
    struct box box = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t i = 0; i < of->input_count; i++) {
        const struct accuracy_point *point = accuracy_find(of, rung, of->inputs[i]);
        if (!is_shown(point))
            continue;
        const double x = scale_at(&plane->x, point->errors.relative), y = scale_at(&plane->y, point->rate);
        box.left = fmin(box.left, x - 6), box.right = fmax(box.right, x + 6);
        box.top = fmin(box.top, y - 6), box.bottom = fmax(box.bottom, y + 6);
    }
    return box;
}

/* The rung's shown points, the least accurate first; returns how many. */
static size_t collect(const struct accuracy_chart *of, const char *rung, const struct accuracy_point *points[],
                      size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < of->input_count && count < most; i++) {
        const struct accuracy_point *point = accuracy_find(of, rung, of->inputs[i]);
        size_t at = count;
        if (!is_shown(point))
            continue;
        for (; at > 0 && points[at - 1]->errors.relative < point->errors.relative; at--)
            points[at] = points[at - 1];
        points[at] = point;
        count++;
    }
    return count;
}

static void draw_rung(struct chart *chart, const struct plane *plane, const struct accuracy_chart *of, size_t index)
{
    char class[48], tip[512];
    const struct accuracy_point *points[NAMES_MOST];
    const size_t count = collect(of, of->rungs[index], points, COUNT_OF(points));
    html(chart->stream, "<path class=\"line series-%zu\" d=\"", index % PALETTE_SERIES);
    for (size_t i = 0; i < count; i++)
        html(chart->stream, "%c%.1f %.1f", i ? 'L' : 'M', scale_at(&plane->x, points[i]->errors.relative),
             scale_at(&plane->y, points[i]->rate));
    fputs("\"/>", chart->stream);
    for (size_t i = 0; i < count; i++) {
        snprintf(class, sizeof class, "point series-%zu%s", index % PALETTE_SERIES,
                 points[i]->measurement->kind == MEASURED_VENDOR ? " hollow" : "");
        tip_of(points[i], tip, sizeof tip);
        chart_mark_begin(chart, "", tip, NULL);
        chart_point(chart, scale_at(&plane->x, points[i]->errors.relative), scale_at(&plane->y, points[i]->rate), index,
                    class);
        chart_mark_end(chart);
    }
}

static struct box box_of_cited(const struct plane *plane, const struct cited_accuracy *cited)
{
    const double y = scale_at(&plane->y, rate_of_cited(cited));
    return (struct box){scale_at(&plane->x, cited->high), scale_at(&plane->x, cited->low), y - 6, y + 6};
}

static void draw_cited(struct chart *chart, const struct plane *plane, const struct cited_accuracy *cited)
{
    char tip[256];
    const struct box box = box_of_cited(plane, cited);
    snprintf(tip, sizeof tip, "%s\n%s", cited->name, tr(cited->source));
    chart_mark_begin(chart, "", tip, NULL);
    html(chart->stream, "<path class=\"line other dashed\" d=\"M%.1f %.1fL%.1f %.1f\"/>", box.left, box.top + 6,
         box.right, box.top + 6);
    chart_point(chart, box.left, box.top + 6, 0, "point other");
    chart_point(chart, box.right, box.top + 6, 0, "point other");
    chart_mark_end(chart);
}

static void draw_names(struct chart *chart, const struct plane *plane, const struct accuracy_chart *of)
{
    static struct taken none;
    struct taken taken = none;
    for (size_t i = 0; i < of->rung_count; i++)
        take(&taken, box_of(plane, of, of->rungs[i]));
    for (const struct cited_accuracy *each = accuracy_cited(of, NULL); each; each = accuracy_cited(of, each))
        take(&taken, box_of_cited(plane, each));
    for (size_t i = of->rung_count; i-- > 0;) { /* the fastest are the last of a ladder */
        char class[32];
        const struct box box = box_of(plane, of, of->rungs[i]);
        snprintf(class, sizeof class, "value name ink-%zu", i % PALETTE_SERIES);
        if (box.right > box.left)
            draw_name(chart, &taken, box, of->rungs[i], class);
    }
    for (const struct cited_accuracy *each = accuracy_cited(of, NULL); each; each = accuracy_cited(of, each))
        draw_name(chart, &taken, box_of_cited(plane, each), each->name, "value name soft");
}

void draw_accuracy(struct chart *chart, const void *data)
{
    const struct accuracy_chart *of = data;
    chart->left = 54;
    chart->right = chart->width - 16;
    chart->top = 34;
    chart->bottom = chart->top + (chart_is_narrow(chart) ? 320 : 420);
    const struct plane plane = plane_of(chart, of);
    chart_begin(chart, chart->bottom + 46, tr("Speed over accuracy"));
    chart_x_axis(chart, &plane.x, tr("relative error, more accurate to the right"));
    chart_y_axis(chart, &plane.y, say_unit(of->points[0].measurement->rate_unit));
    for (const struct cited_accuracy *each = accuracy_cited(of, NULL); each; each = accuracy_cited(of, each))
        draw_cited(chart, &plane, each);
    for (size_t i = 0; i < of->rung_count; i++)
        draw_rung(chart, &plane, of, i);
    draw_names(chart, &plane, of);
    chart_end(chart);
}
