/* Why the figures can be believed, in numbers: what was checked, how often it was timed, what is doubtful. */
#include "base/language.h"
#include "report/chapters.h"
#include "report/figure.h"
#include "report/html.h"

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
        if (measurement->kind == MEASURED_LIMIT)
            continue;
        counts.rungs++;
        counts.passed += measurement->verdict == VERDICT_PASS;
        counts.skipped += measurement->verdict == VERDICT_SKIP;
        counts.wrong += measurement->verdict == VERDICT_FAIL || measurement->verdict == VERDICT_ERROR;
        counts.doubtful += measurement->warnings[0] != 0;
    }
    return counts;
}

static void write_fact(FILE *stream, const char *class, size_t number, enum text words)
{
    html(stream, "<li class=\"%s\"><b>%s</b> %s</li>\n", class, figure_count(number).text, say_counted(words, number));
}

void chapter_belief(struct page *page, const struct report *report)
{
    struct counts counts = count(report->view);
    FILE *stream = page->stream;
    page_heading(page, 2, "believe", say(TEXT_REPORT_BELIEVE));
    fputs("<ul class=\"facts\">\n", stream);
    write_fact(stream, "good", counts.passed, TEXT_REPORT_FACT_PASSED);
    write_fact(stream, counts.wrong ? "bad" : "", counts.wrong, TEXT_REPORT_FACT_WRONG);
    write_fact(stream, "", counts.skipped, TEXT_REPORT_FACT_SKIPPED);
    write_fact(stream, "", counts.samples, TEXT_REPORT_FACT_SAMPLES);
    write_fact(stream, "", counts.doubtful, TEXT_REPORT_FACT_DOUBTFUL);
    fputs("</ul>\n", stream);
    page_paragraph(page, "", say(TEXT_REPORT_BELIEVE_HOW));
}
