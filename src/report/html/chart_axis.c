#include <math.h>

#include "base/language.h"
#include "report/html/chart.h"

/* "2k", "64M" of powers of two; "0.5", "20", "5k" of others. */
static void name_tick(const struct scale *scale, double value, char *text, size_t size)
{
    static const char *const suffixes[] = {"", "k", "M", "G", "T", "P"};
    double base = scale->kind == SCALE_BINARY ? 1024 : 1000;
    size_t suffix = 0;
    for (; fabs(value) >= base && suffix + 1 < sizeof suffixes / sizeof suffixes[0]; suffix++)
        value /= base;
    snprintf(text, size, "%.4g%s", fabs(value) < 1e-9 ? 0 : value, suffixes[suffix]);
    say_number(text);
}

static void end_x_axis(struct chart *chart, const char *title)
{
    char fitting[256];
    chart_line(chart, chart->left, chart->bottom, chart->right, chart->bottom, "axis");
    chart_text(chart, chart->right, chart->bottom + 35, ANCHOR_END, "soft",
               chart_fit(title, chart->right - 4, fitting, sizeof fitting));
}

void chart_x_axis(struct chart *chart, const struct scale *scale, const char *title)
{
    double ticks[SCALE_TICKS_MAX];
    size_t count = scale_ticks(scale, (size_t)((chart->right - chart->left) / 55), ticks);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        double x = scale_at(scale, ticks[i]);
        name_tick(scale, ticks[i], name, sizeof name);
        chart_line(chart, x, chart->top, x, chart->bottom, "grid");
        chart_text(chart, x, chart->bottom + 17, ANCHOR_MIDDLE, "tick", name);
    }
    end_x_axis(chart, title);
}

void chart_x_names(struct chart *chart, const struct scale *scale, const char *const names[], size_t count,
                   const char *title)
{
    enum { LEAST_ROOM = 80, MARGIN = 8 };
    double step = (scale->to - scale->from) / (double)(count > 1 ? count - 1 : 1);
    size_t stride = step >= LEAST_ROOM ? 1 : (size_t)ceil(LEAST_ROOM / step);
    for (size_t i = 0; i < count; i++) {
        char fitting[64];
        bool is_last = i + 1 == count;
        double x = scale_at(scale, (double)i + 1);
        chart_line(chart, x, chart->top, x, chart->bottom, "grid");
        if ((count - 1 - i) % stride != 0) /* the newest has its name */
            continue;
        /* The outer names have half of the room, as they grow inwards. */
        double room = step * (double)stride * (i == 0 || is_last ? 0.5 : 1) - MARGIN;
        chart_text(chart,
                   i == 0    ? fmax(x - 8, 0)
                   : is_last ? x + 8
                             : x,
                   chart->bottom + 17,
                   i == 0    ? ANCHOR_START
                   : is_last ? ANCHOR_END
                             : ANCHOR_MIDDLE,
                   "tick", chart_fit(names[i], room + (i == 0 || is_last ? 8 : 0), fitting, sizeof fitting));
    }
    end_x_axis(chart, title);
}

void chart_y_axis(struct chart *chart, const struct scale *scale, const char *title)
{
    double ticks[SCALE_TICKS_MAX];
    size_t count = scale_ticks(scale, (size_t)((chart->bottom - chart->top) / 34), ticks);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        double y = scale_at(scale, ticks[i]);
        name_tick(scale, ticks[i], name, sizeof name);
        chart_line(chart, chart->left, y, chart->right, y, "grid");
        chart_text(chart, chart->left - 7, y + 4.5, ANCHOR_END, "tick", name);
    }
    chart_text(chart, 4, chart->top - 12, ANCHOR_START, "soft", title);
}
