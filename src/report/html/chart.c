#include "report/html/chart.h"

#include <string.h>

#include "report/html/html.h"
#include "report/html/palette.h"

void chart_begin(struct chart *chart, double height, const char *label)
{
    chart->height = height;
    html(chart->stream, "<svg class=\"chart %s\"", chart_is_narrow(chart) ? "narrow" : "wide");
    if (chart->standalone)
        html(chart->stream, " xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\"", chart->width,
             height);
    html(chart->stream, " viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">", chart->width, height, label);
    if (chart->standalone) {
        palette_write_standalone(chart->stream);
        chart_write_hatch(chart->stream);
        chart_box(chart, 0, 0, chart->width, height, "paper");
    }
}

void chart_write_hatch(FILE *stream)
{
    fputs("<defs><pattern id=\"hatch\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\" "
          "patternTransform=\"rotate(45)\"><rect width=\"2\" height=\"7\" class=\"hatching\"/></pattern></defs>\n",
          stream);
}

void chart_end(struct chart *chart)
{
    fputs("</svg>\n", chart->stream);
}

bool chart_is_narrow(const struct chart *chart)
{
    return chart->width < 500;
}

void chart_text(struct chart *chart, double x, double y, enum anchor anchor, const char *class, const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    html(chart->stream, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
    fputs(anchors[anchor], chart->stream);
    if (*class)
        html(chart->stream, " class=\"%s\"", class);
    html(chart->stream, ">%s</text>", text);
}

void chart_line(struct chart *chart, double x1, double y1, double x2, double y2, const char *class)
{
    html(chart->stream, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>", x1, y1, x2, y2, class);
}

void chart_box(struct chart *chart, double x, double y, double width, double height, const char *class)
{
    html(chart->stream, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>", x, y,
         width > 0 ? width : 0, height > 0 ? height : 0, class);
}

void chart_point(struct chart *chart, double x, double y, size_t shape, const char *class)
{
    switch (shape % 4) {
    case 0:
        html(chart->stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"%s\"/>", x, y, class);
        break;
    case 1:
        html(chart->stream, "<path d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\" class=\"%s\"/>", x, y - 5, class);
        break;
    case 2:
        html(chart->stream, "<path d=\"M%.1f %.1fl4.5 8h-9z\" class=\"%s\"/>", x, y - 5, class);
        break;
    default:
        html(chart->stream, "<path d=\"M%.1f %.1fh7v7h-7z\" class=\"%s\"/>", x - 3.5, y - 3.5, class);
    }
}

void chart_mark_begin(struct chart *chart, const char *class, const char *tip, const char *command)
{
    html(chart->stream, "<g class=\"mark %s\"", class);
    if (command && !chart->standalone)
        html(chart->stream, " data-copy=\"%s\"", command);
    html(chart->stream, "><title>%s</title>", tip);
}

void chart_mark_end(struct chart *chart)
{
    fputs("</g>\n", chart->stream);
}

double chart_legend(struct chart *chart, double x, double y, const char *class, const char *name)
{
    chart_box(chart, x, y - 10, 18, 11, class);
    chart_text(chart, x + 24, y, ANCHOR_START, "soft", name);
    return x + 24 + chart_text_width(name) + 18;
}

/* Columns of 13-pixel sans-serif type, on the wide side, as fonts differ. */
static double letter_width(const unsigned char *at)
{
    if (at[0] >= 0xC0)
        return at[0] == 0xD0 || at[0] == 0xD1 ? 8.3 : 8.0;
    if (strchr("ilj.,:;'|!()[]", at[0]))
        return 4.4;
    if (at[0] == ' ')
        return 4.2;
    return strchr("mwMW%", at[0]) ? 11.5 : at[0] >= 'A' && at[0] <= 'Z' ? 9.2 : 7.8;
}

double chart_text_width(const char *text)
{
    double width = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if ((at[0] & 0xC0) != 0x80)
            width += letter_width(at);
    return width;
}

double chart_name_width(const char *name)
{
    return 7.7 * (double)strlen(name);
}

const char *chart_fit(const char *text, double width, char *buffer, size_t size)
{
    if (chart_text_width(text) <= width || size < 8) {
        snprintf(buffer, size, "%s", text);
        return buffer;
    }
    double used = 9; /* the ellipsis */
    size_t length = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        bool begins = (at[0] & 0xC0) != 0x80;
        used += begins ? letter_width(at) : 0;
        if (begins && (used > width || length + 8 > size))
            break;
        buffer[length++] = (char)at[0];
    }
    snprintf(buffer + length, size - length, "…");
    return buffer;
}
