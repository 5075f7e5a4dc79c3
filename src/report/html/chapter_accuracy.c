/* Speed over accuracy: a chart for each device and size, with the errors on every kind of inputs behind it. */
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/charts.h"
#include "report/html/html.h"
#include "report/model/accuracy.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"

static bool errors_of(const void *context, const struct measurement *measurement, struct accuracy *accuracy)
{
    const struct report_source *source = context;
    for (size_t i = source->attachment_count; i-- > 0;)
        if (source->attachments[i].measurement == measurement->id &&
            strcmp(source->attachments[i].kind, "accuracy") == 0)
            return accuracy_read(source->attachments[i].text, accuracy);
    return false;
}

bool report_has_accuracy(const struct report_source *source)
{
    for (size_t i = 0; i < source->attachment_count; i++)
        if (strcmp(source->attachments[i].kind, "accuracy") == 0)
            return true;
    return false;
}

static void write_error(struct page *page, double error)
{
    char text[32];
    snprintf(text, sizeof text, "%.1e", error);
    page_number(page, isinf(error) ? tr("infinite") : say_number(text));
}

static void write_table(struct page *page, const struct accuracy_chart *chart)
{
    const char *unit = chart->points[0].measurement->rate_unit;
    const char *headings[] = {
        tr("rung"), tr("inputs"), tr("#rate"), tr("#relative error"), tr("#componentwise"), tr("#largest error"), "",
    };
    page_table(page, "", headings, COUNT_OF(headings));
    for (size_t r = 0; r < chart->rung_count; r++)
        for (size_t i = 0; i < chart->input_count; i++) {
            const struct accuracy_point *point = accuracy_find(chart, chart->rungs[r], chart->inputs[i]);
            if (!point)
                continue;
            page_row(page, "", point->measurement->device);
            html(page->stream, "<td><code>%s</code></td>", chart->rungs[r]);
            page_cell(page, chart->inputs[i]);
            page_number(page, figure_rate(point->rate, unit).text);
            write_error(page, point->errors.relative);
            write_error(page, point->errors.componentwise);
            write_error(page, point->errors.largest);
            page_cell(page, say_message(point->measurement->detail));
            page_row_end(page);
        }
    page_table_end(page);
}

static void write_chart(struct page *page, const struct accuracy_chart *chart, size_t number)
{
    char name[CHART_NAME_MAX], title[HEADING_BYTES], caption[512];
    const struct measurement *first = chart->points[0].measurement;
    snprintf(name, sizeof name, "accuracy/%s/%zu", first->device, number);
    snprintf(caption, sizeof caption, "%s — %s: %s", first->device, first->device_name,
             problem_title(chart->size, title));
    page_figure(page, name, caption, first->device, draw_accuracy, chart);
    write_table(page, chart);
    page_figure_end(page);
    for (const struct cited_accuracy *each = accuracy_cited(chart, NULL); each; each = accuracy_cited(chart, each))
        if (each == accuracy_cited(chart, NULL))
            page_paragraph(page, "note", tr(each->source));
}

void chapter_accuracy(struct page *page, const struct report *report)
{
    struct accuracy_charts charts;
    if (!report_has_accuracy(report->source))
        return;
    if (accuracy_charts_make(report->source->measurements, errors_of, report->source, &charts) && charts.count) {
        fputs("<section>\n", page->stream);
        page_heading(page, 2, "accuracy", tr("Speed over accuracy"));
        page_paragraph(page, "note",
                       tr("A mark for each kind of inputs. Errors are relative (Frobenius), against sums in double of "
                          "exact products. Answers that are not finite are in the table only."));
        for (size_t c = 0; c < charts.count; c++)
            write_chart(page, &charts.items[c], c + 1);
        fputs("</section>\n", page->stream);
    }
    accuracy_charts_free(&charts);
}
