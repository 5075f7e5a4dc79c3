#include <math.h>
#include <string.h>

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
    chart_line(chart, chart->left, chart->bottom, chart->right, chart->bottom, "axis");
    char fitting[256];
    chart_text(chart, chart->right, chart->bottom + 35, ANCHOR_END, "soft",
               chart_fit(title, chart->right - 4, fitting, sizeof fitting));
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
