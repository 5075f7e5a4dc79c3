#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/export/csv.h"
#include "report/model/command.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/report.h"

/* The results of one rung on one device over all problems. */
struct tally {
    size_t passed, skipped, wrong;
    const struct measurement *first_skip;
};

static bool same_rung(const struct measurement *a, const struct measurement *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->rung, b->rung) == 0 && strcmp(a->device, b->device) == 0;
}

static struct tally tally_rung(const struct measurement_list *list, const struct measurement *of)
{
    struct tally tally = {0};
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!same_rung(measurement, of))
            continue;
        if (measurement->verdict == VERDICT_PASS) {
            tally.passed++;
        } else if (measurement->verdict == VERDICT_SKIP) {
            tally.skipped++;
            if (!tally.first_skip)
                tally.first_skip = measurement;
        } else {
            tally.wrong++;
        }
    }
    return tally;
}

/* The first few of a rung's wrong answers; the rest is counted. */
static void print_wrong(FILE *stream, const struct measurement_list *list, const struct measurement *of, size_t wrong)
{
    enum { SHOWN = 5 };
    size_t shown = 0;
    for (size_t i = 0; i < list->count && shown < SHOWN; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!same_rung(measurement, of) ||
            (measurement->verdict != VERDICT_FAIL && measurement->verdict != VERDICT_ERROR))
            continue;
        fprintf(stream, "    %s %s", say_verdict(measurement->verdict), measurement->problem);
        if (measurement->parameters[0] != '\0')
            fprintf(stream, " %s", measurement->parameters);
        if (measurement->threads > 0)
            fprintf(stream, " --threads %u", measurement->threads);
        fprintf(stream, ": %s\n", say_message(measurement->reason));
        shown++;
    }
    if (wrong > shown)
        fprintf(stream, tr("    … and %zu more (--json has them all)\n"), wrong - shown);
}

/* The width of the longest verdict, in the reader's language. */
static int verdict_width(void)
{
    static const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP};
    int width = 0;
    for (size_t i = 0; i < COUNT_OF(verdicts); i++) {
        int own = column_width(say_verdict(verdicts[i]));
        width = own > width ? own : width;
    }
    return width;
}

/* Whether the measurement is the first of its rung and device. */
static bool is_first_of_rung(const struct measurement_list *list, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (same_rung(&list->items[before], &list->items[index]))
            return false;
    return true;
}

static enum verdict verdict_of(const struct tally *tally)
{
    return tally->wrong ? VERDICT_FAIL : tally->passed ? VERDICT_PASS : VERDICT_SKIP;
}

bool report_checks_csv(FILE *stream, const struct measurement_list *list)
{
    fputs("kernel,device,rung,verdict,right,wrong,skipped,reason\n", stream);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!is_first_of_rung(list, i))
            continue;
        const struct tally tally = tally_rung(list, measurement);
        fprintf(stream, "%s,%s,%s,%s,%zu,%zu,%zu,", measurement->kernel, measurement->device, measurement->rung,
                verdict_name(verdict_of(&tally)), tally.passed, tally.wrong, tally.skipped);
        csv_field(stream, tally.first_skip ? tally.first_skip->reason : "");
        fputc('\n', stream);
    }
    return fflush(stream) == 0 && !ferror(stream);
}

size_t report_checks(FILE *out, const struct measurement_list *list, struct style style)
{
    FILE *stream = folded_begin(out, style);
    size_t wrong = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *measurement = &list->items[i];
        if (!is_first_of_rung(list, i))
            continue;
        struct tally tally = tally_rung(list, measurement);
        fputs(tally.wrong ? bad(style) : tally.passed ? good(style) : "", stream);
        column_left(stream, say_verdict(verdict_of(&tally)), verdict_width());
        fprintf(stream, "%s  %-8s %-9s %-18s ", plain(style), measurement->device, measurement->kernel,
                measurement->rung);
        fprintf(stream, tr("%zu right, %zu wrong, %zu skipped"), tally.passed, tally.wrong, tally.skipped);
        fprintf(stream, "%s%s\n", tally.first_skip ? ": " : "",
                tally.first_skip ? say_message(tally.first_skip->reason) : "");
        print_wrong(stream, list, measurement, tally.wrong);
        wrong += tally.wrong;
    }
    folded_end(stream, out);
    return wrong;
}
