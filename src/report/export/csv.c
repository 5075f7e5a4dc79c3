#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "report/export/csv.h"
#include "report/model/rows.h"
#include "report/terminal/report.h"

void csv_field(FILE *stream, const char *text)
{
    const char first = text[strspn(text, "'")]; /* "'=1" has one apostrophe more, too: two names stay two */
    const char *guard = first && strchr("=+-@\t\r", first) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n")) {
        fprintf(stream, "%s%s", guard, text);
        return;
    }
    fprintf(stream, "\"%s", guard);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

void csv_fields(FILE *stream, const char *const texts[], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        csv_field(stream, texts[i]);
        fputc(',', stream);
    }
}

char csv_cut(char **at, const char **field)
{
    char *from = *at, *to = *at;
    const bool is_quoted = *from == '"';
    *field = to;
    for (from += is_quoted; *from && (is_quoted || !strchr(",\r\n", *from)); *to++ = *from++)
        if (is_quoted && *from == '"' && *++from != '"')
            break;
    while (*from == '\r')
        from++;
    const char end = *from;
    *to = 0;
    *at = from + (end != 0);
    return end;
}

/* Nothing for a figure that noise voids (the column too_noisy says so), or for the deviation of a single sample. */
static void print_figure(FILE *stream, double value, bool is_void)
{
    if (!is_void)
        fprintf(stream, "%.9g", value);
}

bool report_csv(FILE *stream, const struct measurement_list *list)
{
    fputs("problem,device,device_name,rung,kind,parameters,verdict,reason,cache,samples,batch,median_ns,quartile1_ns,"
          "quartile3_ns,"
          "minimum_ns,mean_ns,deviation_ns,end_to_end_median_ns,bytes,operations,rate,rate_unit,of_ceiling,worst_error,"
          "warnings,"
          "code_version,made_at,core_latency_ns,core_latency_low_ns,core_latency_high_ns,too_noisy,throttled_samples,"
          "clock_mhz,"
          "joules,cycles,instructions\n",
          stream);
    for (size_t i = 0; i < list->count; i++) {
        const struct measurement *m = &list->items[i];
        struct row row = row_make(list, m, NULL);
        const char *const texts[] = {m->problem,
                                     m->device,
                                     m->device_name,
                                     m->rung,
                                     measured_kind_name(m->kind),
                                     m->parameters,
                                     verdict_name(m->verdict),
                                     m->reason,
                                     m->cold ? "cold" : "hot"};
        csv_fields(stream, texts, COUNT_OF(texts));
        fprintf(stream, "%zu,%u,%.9g,%.9g,%.9g,%.9g,%.9g,", row.time.count, m->batch, row.time.median,
                row.time.quartile1, row.time.quartile3, row.time.minimum, row.time.mean);
        print_figure(stream, row.time.deviation, isnan(row.time.deviation));
        fprintf(stream, ",%.9g,%.17g,%.17g,", row.end_to_end, m->bytes, m->operations);
        print_figure(stream, row.rate, row.is_void);
        fputc(',', stream);
        csv_field(stream, m->rate_unit);
        fputc(',', stream);
        print_figure(stream, row.of_ceiling, row.share_is_void);
        fprintf(stream, ",%.9g,", m->worst_error);
        csv_field(stream, m->warnings);
        fprintf(stream, ",%s,%" PRId64 ",%.4g,%.4g,%.4g,%s,%u,%.4g,%.4g,%.6g,%.6g\n", m->code_version, m->made_at,
                m->core_latency, m->core_latency_low, m->core_latency_high,
                row.is_void         ? "figure"
                : row.share_is_void ? "share"
                                    : "",
                m->throttled, m->clock_mhz, m->joules, m->cycles, m->instructions);
    }
    return fflush(stream) == 0 && !ferror(stream);
}
