#include "base/translation.h"
#include "report/export/csv.h"
#include "report/model/command.h"
#include "report/model/figure_text.h"
#include "report/model/heading.h"
#include "report/model/view.h"
#include "report/terminal/report.h"

#include "base/message.h"

void markdown_cell(FILE *stream, const char *text)
{
    fputs("| ", stream);
    for (; *text; text++) {
        if (*text == '|' || *text == '\\')
            fputc('\\', stream);
        fputc(*text == '\n' ? ' ' : *text, stream);
    }
    fputc(' ', stream);
}

static void write_row(FILE *stream, const struct entry *entry)
{
    const struct measurement *measurement = entry->measurement;
    char verdict[1024];
    snprintf(verdict, sizeof verdict, "%s%s%s", say_verdict(measurement->verdict), *measurement->reason ? ": " : "",
             say_message(measurement->reason));
    markdown_cell(stream, measurement->rung);
    markdown_cell(stream, figure_duration(entry->rate > 0 ? entry->time.median : 0).text);
    markdown_cell(stream, entry->is_void ? tr("—, too noisy") : figure_rate(entry->rate, measurement->rate_unit).text);
    markdown_cell(stream, entry->share_is_void ? tr("—, too noisy") : figure_percent(entry->of_ceiling).text);
    markdown_cell(stream, entry->speed_up_is_void ? tr("—, too noisy") : figure_times(entry->speed_up).text);
    markdown_cell(stream, verdict);
    markdown_cell(stream, measurement->parameters);
    fputs("|\n", stream);
}

static void write_ladder(FILE *stream, const struct ladder *ladder)
{
    const char *const heads[] = {tr("rung"),     tr("median"),  tr("rate"),      tr("of the ceiling"),
                                 tr("speed-up"), tr("verdict"), tr("parameters")};
    const struct measurement *of = ladder_of(ladder);
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    char title[HEADING_BYTES];
    fprintf(stream, "### %s · %s — %s\n\n", problem_title(of->problem, title), of->device, of->device_name);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        markdown_cell(stream, heads[i]);
    fputs("|\n|---|--:|--:|--:|--:|---|---|\n", stream);
    for (size_t i = 0, count = ladder_ceilings(ladder, ceilings); i < count; i++)
        write_row(stream, ceilings[i]);
    for (size_t i = 0; i < ladder->rung_count; i++)
        write_row(stream, ladder->rungs[i]);
    fputc('\n', stream);
}

bool report_markdown(FILE *stream, const struct measurement_list *list)
{
    struct view view;
    if (view_make(list, &view, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < view.ladder_count; i++)
        if (view.ladders[i].rung_count)
            write_ladder(stream, &view.ladders[i]);
    view_free(&view);
    return fflush(stream) == 0 && !ferror(stream);
}
