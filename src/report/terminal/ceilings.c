#include "report/terminal/ceilings.h"
#include "base/size.h"
#include "report/export/csv.h"
#include "report/export/json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/translation.h"
#include "report/model/command.h"
#include "report/terminal/cells.h"
#include "report/terminal/cores.h"
#include "report/terminal/folded.h"
#include "report/terminal/noise_notes.h"
#include "report/terminal/text_grid.h"
#include "store/noise.h"

/* The rates that the samples' quartiles stand for; all 0 when it did not pass. */
struct rates {
    double median, low, high, best, spread;
    bool is_void; /* noise voids the median (store/noise.h) */
    bool steady;
    size_t count;
};

static struct rates rates_of(const struct measurement *measurement)
{
    struct rates rates = {0};
    struct summary time = measurement_summary(measurement, PHASE_COMPUTE);
    if (measurement->verdict != VERDICT_PASS || !(time.minimum > 0))
        return rates;
    rates.steady = ceiling_is_steady(measurement, &rates.spread);
    rates.is_void = summary_is_void(&time);
    rates.median = measurement->work / time.median;
    rates.low = measurement->work / time.quartile3;
    rates.high = measurement->work / time.quartile1;
    rates.best = measurement->work / time.minimum;
    rates.count = time.count;
    return rates;
}

/* Four significant digits, as far as the point allows. */
static const char *rate_text(double rate, char *text, size_t size)
{
    snprintf(text, size, "%.*f", rate >= 1000 ? 0 : rate >= 100 ? 1 : rate >= 10 ? 2 : 3, rate);
    return say_number(text);
}

enum cells { NAME, THREADS, MEDIAN, QUARTILES, BEST, DATASHEET, REACHED, STEADY, COLUMNS };

static void fill_row(const struct text_grid *grid, size_t at, const struct ceiling_row *row)
{
    const struct measurement *measurement = row->measurement;
    struct rates rates = rates_of(measurement);
    char low[32], high[32];
    char *cells[COLUMNS];
    for (size_t c = 0; c < COLUMNS; c++)
        cells[c] = text_grid_cell(grid, at, c);
    snprintf(cells[NAME], GRID_CELL_BYTES, "%s", measurement->rung);
    if (measurement->threads)
        snprintf(cells[THREADS], GRID_CELL_BYTES, "%u", measurement->threads);
    if (rates.is_void)
        snprintf(cells[MEDIAN], GRID_CELL_BYTES, "%s", tr("—, too noisy"));
    else
        snprintf(cells[MEDIAN], GRID_CELL_BYTES, "%s %s", rate_text(rates.median, low, sizeof low),
                 say_unit(measurement->rate_unit));
    rate_text(rates.low, low, sizeof low);
    rate_text(rates.high, high, sizeof high);
    snprintf(cells[QUARTILES], GRID_CELL_BYTES, "%s … %s", low, high);
    rate_text(rates.best, cells[BEST], GRID_CELL_BYTES);
    if (row->datasheet > 0) {
        rate_text(row->datasheet, cells[DATASHEET], GRID_CELL_BYTES);
    }
    if (row->datasheet > 0 && !rates.is_void) {
        snprintf(cells[REACHED], GRID_CELL_BYTES, "%.1f %%", 100 * rates.median / row->datasheet);
        say_number(cells[REACHED]);
    }
    if (rates.steady)
        snprintf(cells[STEADY], GRID_CELL_BYTES, "%s", tr("steady"));
    else
        snprintf(cells[STEADY], GRID_CELL_BYTES, "±%.0f %%", 50 * rates.spread);
}

static bool same_device(const struct ceiling_row *a, const struct ceiling_row *b)
{
    return strcmp(a->measurement->device, b->measurement->device) == 0 &&
           strcmp(a->measurement->device_name, b->measurement->device_name) == 0;
}

static void print_head(FILE *stream, const struct ceiling_row *row, struct style style)
{
    char when[32];
    fprintf(stream, "\n%s%s — %s%s, ", strong(style), row->measurement->device, row->measurement->device_name,
            plain(style));
    fprintf(stream, tr(row->kept ? N_("stored since %s\n") : N_("measured %s\n")),
            text_moment(row->measurement->made_at, when, sizeof when));
}

static void print_noise(FILE *stream, const struct ceiling_row *rows, size_t count, struct style style)
{
    const struct measurement **of = calloc(count, sizeof *of); // NOLINT(bugprone-sizeof-expression): pointers
    for (size_t i = 0; of && i < count; i++)
        of[i] = rows[i].measurement;
    if (of)
        noise_notes_print(stream, of, count, style);
    free(of);
}

/* One device's ceilings that passed, and what their datasheet figures are made of. */
static void print_device(FILE *stream, const struct ceiling_row *rows, size_t count, struct style style)
{
    static const char *const heads[COLUMNS] = {
        N_("ceiling"), N_("threads"),   N_("median"),  N_("quartiles"),
        N_("best"),    N_("datasheet"), N_("reached"), N_("spread"),
    };
    struct text_grid grid;
    struct cores_seen cores = {0};
    print_head(stream, rows, style);
    if (!text_grid_make(&grid, count + 1, COLUMNS))
        return;
    grid.rows = 1;
    grid.labels = THREADS + 1;
    for (size_t c = 0; c < COLUMNS; c++)
        snprintf(text_grid_cell(&grid, 0, c), GRID_CELL_BYTES, "%s", tr(heads[c]));
    for (size_t i = 0; i < count; i++)
        if (rows[i].measurement->verdict == VERDICT_PASS)
            fill_row(&grid, grid.rows++, &rows[i]);
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
    for (size_t i = 0; i < count; i++) {
        const struct measurement *measurement = rows[i].measurement;
        if (measurement->verdict == VERDICT_PASS && rows[i].how[0])
            fprintf(stream, "  %s%s, %s: %s%s\n", faint(style), tr("datasheet"), measurement->rung,
                    say_message(rows[i].how), plain(style));
        cores_add(&cores, measurement);
    }
    cores_print(stream, &cores, style);
    print_noise(stream, rows, count, style);
}

/* The ceilings that the device lacks, once for each reason. */
static void print_missing(FILE *stream, const struct ceiling_row *rows, size_t count, struct style style)
{
    for (size_t i = 0; i < count && same_device(&rows[0], &rows[i]); i++) {
        const struct measurement *measurement = rows[i].measurement;
        bool told = false;
        for (size_t j = 0; j < i; j++)
            told = told || (strcmp(rows[j].measurement->rung, measurement->rung) == 0 &&
                            strcmp(rows[j].measurement->reason, measurement->reason) == 0);
        if (measurement->verdict != VERDICT_PASS && !told)
            fprintf(stream, "  %s%-12s%s  %s%s\n", faint(style), measurement->rung, say_verdict(measurement->verdict),
                    say_message(measurement->reason), plain(style));
    }
}

static void print_legend(FILE *stream, const struct ceiling_row *rows, size_t count, struct style style)
{
    bool marked = false;
    for (size_t i = 0; i < count; i++)
        marked = marked || strpbrk(rows[i].how, "~?");
    fputc('\n', stream);
    columns_note(stream, style, "%s%s",
                 tr("GB: 10^9 bytes; steady: a bench may reuse the figure. More: uskor help ceilings"),
                 marked ? tr("; ~, ?: not read in the vendor's own document, see uskor architectures") : "");
}

void report_ceilings(FILE *out, const struct ceiling_row *rows, size_t count, struct style style)
{
    FILE *stream = folded_begin(out, style);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_device(&rows[first], &rows[end]);)
            end++;
        print_device(stream, &rows[first], end - first, style);
        print_missing(stream, &rows[first], end - first, style);
    }
    if (count)
        print_legend(stream, rows, count, style);
    folded_end(stream, out);
}

static json_t *row_object(const struct ceiling_row *row)
{
    const struct measurement *measurement = row->measurement;
    struct rates rates = rates_of(measurement);
    enum ceiling_kind kind = ceiling_by_name(measurement->rung);
    json_t *object = json_pack(
        "{s:s, s:s, s:s, s:s, s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:o, s:b, s:o, s:s, s:b, s:I, s:s, s:s}",
        "ceiling", measurement->rung, "device", measurement->device, "device_name", measurement->device_name, "driver",
        measurement->driver, "threads", (int)measurement->threads, "verdict", verdict_name(measurement->verdict),
        "reason", measurement->reason, "unit", measurement->rate_unit, "rate", report_real(rates.median), "quartile1",
        report_real(rates.low), "quartile3", report_real(rates.high), "best", report_real(rates.best), "samples",
        (int)rates.count, "spread", report_real(rates.spread), "steady", (int)rates.steady, "datasheet",
        report_real(row->datasheet), "datasheet_from", row->how, "kept", (int)row->kept, "made_at",
        (json_int_t)measurement->made_at, "counted", kind == CEILING_KINDS ? "" : ceiling_info(kind)->counted,
        "warnings", measurement->warnings);
    return object;
}

bool report_ceilings_json(FILE *stream, const struct ceiling_row *rows, size_t count)
{
    json_t *array = json_array();
    bool written = array != NULL;
    for (size_t i = 0; written && i < count; i++) {
        json_t *object = row_object(&rows[i]);
        written = object && json_array_append_new(array, object) == 0;
    }
    if (written)
        return report_json_write(stream, "uskor.ceilings/1", array);
    json_decref(array);
    return false;
}

bool report_ceilings_csv(FILE *stream, const struct ceiling_row *rows, size_t count)
{
    fputs("ceiling,device,device_name,driver,verdict,reason,warnings,datasheet_from,unit,threads,rate,quartile1,"
          "quartile3,best,"
          "samples,spread,steady,datasheet,kept,made_at\n",
          stream);
    for (size_t i = 0; i < count; i++) {
        const struct measurement *measurement = rows[i].measurement;
        struct rates rates = rates_of(measurement);
        const char *const texts[] = {measurement->rung,
                                     measurement->device,
                                     measurement->device_name,
                                     measurement->driver,
                                     verdict_name(measurement->verdict),
                                     measurement->reason,
                                     measurement->warnings,
                                     rows[i].how,
                                     measurement->rate_unit};
        csv_fields(stream, texts, COUNT_OF(texts));
        fprintf(stream, "%u,%.9g,%.9g,%.9g,%.9g,%zu,%.4g,%d,%.9g,%d,%" PRId64 "\n", measurement->threads, rates.median,
                rates.low, rates.high, rates.best, rates.count, rates.spread, rates.steady, rows[i].datasheet,
                rows[i].kept, measurement->made_at);
    }
    return fflush(stream) == 0 && !ferror(stream);
}
