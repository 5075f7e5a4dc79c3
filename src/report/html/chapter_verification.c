/* Why the figures can be believed, in numbers: what was checked, how often it was timed, what is doubtful. */
#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/figure_text.h"

struct counts {
    size_t rungs, passed, wrong, skipped, doubtful, samples;
};

static struct counts count(const struct view *view)
{
    struct counts counts = {0};
    for (size_t i = 0; i < view->entry_count; i++) {
        const struct entry *entry = &view->entries[i];
        const struct measurement *measurement = entry->measurement;
        for (int phase = 0; phase < PHASE_COUNT; phase++)
            counts.samples += measurement->phases[phase].count;
        if (measurement->kind == MEASURED_PROBE)
            continue;
        counts.rungs++;
        counts.passed += measurement->verdict == VERDICT_PASS;
        counts.skipped += measurement->verdict == VERDICT_SKIP;
        counts.wrong += measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
        counts.doubtful += measurement->warnings[0] != 0;
    }
    return counts;
}

static void write_fact(FILE *stream, const char *class, size_t number, const char *words)
{
    html(stream, "<li class=\"%s\"><b>%s</b> %s</li>\n", class, figure_count(number).text, words);
}

void chapter_belief(struct page *page, const struct report *report)
{
    struct counts counts = count(report->view);
    FILE *stream = page->stream;
    page_heading(page, 2, "believe", tr("Why believe it"));
    fputs("<ul class=\"facts\">\n", stream);
    write_fact(stream, "good", counts.passed,
               tr_plural("measurement right in every element", "measurements right in every element", counts.passed));
    write_fact(stream, counts.wrong ? "bad" : "", counts.wrong,
               tr_plural("was wrong, and is shown as such", "were wrong, and are shown as such", counts.wrong));
    write_fact(stream, "", counts.skipped,
               tr_plural("could not run here; the reason is given", "could not run here; the reasons are given",
                         counts.skipped));
    write_fact(stream, "", counts.samples, tr_plural("sample, kept", "samples, all kept", counts.samples));
    write_fact(stream, "", counts.doubtful,
               tr_plural("doubtful figure, marked with !", "doubtful figures, marked with !", counts.doubtful));
    fputs("</ul>\n", stream);
    page_paragraph(page, "",
                   tr("Every result is checked, every element of it, before and after it is timed. Rungs that are "
                      "compared run in turns, beside a probe of the ceiling. A result faster than the hardware can be "
                      "is an error, not a record. Every figure here copies the command that measures it again."));
}
