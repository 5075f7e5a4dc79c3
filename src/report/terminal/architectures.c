#include "report/terminal/architectures.h"

#include <jansson.h>
#include <string.h>

#include "base/language.h"
#include "base/translation.h"
#include "report/export/json.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"
#include "report/terminal/text_grid.h"

#define TITLE_WIDTH 11
#define VALUE_WIDTH 9

static bool is_done(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream);
}

/* The last place is the mark's; an empty cell is unknown. */
static void fill_figure(char *cell, struct figure figure)
{
    if (figure_is_known(figure)) {
        snprintf(cell, GRID_CELL_BYTES, "%.6g%-1s", figure.value, figure_mark(figure));
        say_number(cell);
    }
}

static void fill_head(const struct text_grid *grid, size_t column, const char *title)
{
    snprintf(text_grid_cell(grid, 0, column), GRID_CELL_BYTES, "%s ", tr(title));
}

/* The columns' titles are short. */
static void print_meanings(FILE *stream, const struct column *columns, int count)
{
    for (int c = 0; c < count; c++) {
        fputs("  ", stream);
        column_left(stream, tr(columns[c].title), TITLE_WIDTH);
        fprintf(stream, "%s\n", tr(columns[c].meaning));
    }
}

static bool belongs(const struct gpu *gpu, const struct capability *only)
{
    return !only || strcmp(gpu->version, only->version) == 0;
}

/* ---- for people ---- */

static void print_capabilities(FILE *stream, struct style style)
{
    struct text_grid grid;
    fprintf(stream, "%s\n\n", tr("One multiprocessor, by compute capability"));
    if (!text_grid_make(&grid, capability_count + 1, CAPABILITY_COLUMNS + 1))
        return;
    snprintf(text_grid_cell(&grid, 0, 0), GRID_CELL_BYTES, "cc   %s", tr("architecture"));
    for (int c = 0; c < CAPABILITY_COLUMNS; c++)
        fill_head(&grid, (size_t)c + 1, capability_columns[c].title);
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *row = &capabilities[i];
        snprintf(text_grid_cell(&grid, i + 1, 0), GRID_CELL_BYTES, "%-5s%s", row->version, row->architecture);
        for (int c = 0; c < CAPABILITY_COLUMNS; c++)
            fill_figure(text_grid_cell(&grid, i + 1, (size_t)c + 1), row->figures[c]);
    }
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
    fputc('\n', stream);
    print_meanings(stream, capability_columns, CAPABILITY_COLUMNS);
    fputc('\n', stream);
    for (size_t i = 0; i < capability_count; i++)
        fprintf(stream, "  %-5s%s\n", capabilities[i].version, capabilities[i].examples);
}

/* The last three columns are operations for each byte, computed and published, and operations on doubles for each
 * watt, computed. */
static void print_gpus(FILE *stream, struct style style)
{
    struct text_grid grid;
    if (!text_grid_make(&grid, gpu_count + 1, GPU_COLUMNS + 4))
        return;
    snprintf(text_grid_cell(&grid, 0, 0), GRID_CELL_BYTES, "GPU");
    fill_head(&grid, 1, "cc");
    for (int c = 0; c < GPU_COLUMNS; c++)
        fill_head(&grid, (size_t)(c == GPU_BALANCE ? c + 3 : c + 2), gpu_columns[c].title);
    fill_head(&grid, GPU_BALANCE + 2, N_("FLOP:B"));
    fill_head(&grid, GPU_COLUMNS + 3, N_("FP64/W"));
    for (size_t i = 0; i < gpu_count; i++) {
        snprintf(text_grid_cell(&grid, i + 1, 0), GRID_CELL_BYTES, "%s", gpus[i].name);
        snprintf(text_grid_cell(&grid, i + 1, 1), GRID_CELL_BYTES, "%s", gpus[i].version);
        for (int c = 0; c < GPU_COLUMNS; c++)
            fill_figure(text_grid_cell(&grid, i + 1, (size_t)(c == GPU_BALANCE ? c + 3 : c + 2)), gpus[i].figures[c]);
        char *balance = text_grid_cell(&grid, i + 1, GPU_BALANCE + 2);
        snprintf(balance, GRID_CELL_BYTES, "%.1f ", gpu_balance(&gpus[i]));
        say_number(balance);
        char *per_watt = text_grid_cell(&grid, i + 1, GPU_COLUMNS + 3);
        if (gpu_doubles_per_watt(&gpus[i]) > 0)
            snprintf(per_watt, GRID_CELL_BYTES, "%.1f ", gpu_doubles_per_watt(&gpus[i]));
        say_number(per_watt);
    }
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
}

/* An unknown figure is an empty cell. */
static void print_cpus(FILE *stream, struct style style)
{
    struct text_grid grid;
    if (!text_grid_make(&grid, cpu_family_count + 1, CPU_COLUMNS + 2))
        return;
    snprintf(text_grid_cell(&grid, 0, 0), GRID_CELL_BYTES, "CPU");
    fill_head(&grid, 1, N_("model"));
    for (int c = 0; c < CPU_COLUMNS; c++)
        fill_head(&grid, (size_t)c + 2, cpu_columns[c].title);
    for (size_t i = 0; i < cpu_family_count; i++) {
        const struct cpu_family *row = &cpu_families[i];
        snprintf(text_grid_cell(&grid, i + 1, 0), GRID_CELL_BYTES, "%s", row->name);
        snprintf(text_grid_cell(&grid, i + 1, 1), GRID_CELL_BYTES, "%d, 0x%02x-0x%02x", row->family,
                 (unsigned)row->model_from, (unsigned)row->model_to);
        for (int c = 0; c < CPU_COLUMNS; c++)
            fill_figure(text_grid_cell(&grid, i + 1, (size_t)c + 2), row->figures[c]);
    }
    text_grid_print(stream, &grid, 1, 0, 2, style);
    text_grid_free(&grid);
    fputc('\n', stream);
    print_meanings(stream, cpu_columns, CPU_COLUMNS);
}

static void cite(bool cited[SOURCE_COUNT], const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        cited[figures[c].source] = true;
}

/* Only those that some figure of the tables cites. */
static void print_sources(FILE *stream, int width)
{
    bool cited[SOURCE_COUNT] = {false};
    for (size_t i = 0; i < capability_count; i++)
        cite(cited, capabilities[i].figures, CAPABILITY_COLUMNS);
    for (size_t i = 0; i < gpu_count; i++)
        cite(cited, gpus[i].figures, GPU_COLUMNS);
    for (size_t i = 0; i < cpu_family_count; i++)
        cite(cited, cpu_families[i].figures, CPU_COLUMNS);
    fprintf(stream, "\n%s\n", tr("How far the figures were checked:"));
    for (int c = 0; c < FIGURE_CHECKS; c++) {
        fputs("  ", stream);
        column_left(stream, figure_checks[c].mark[0] ? figure_checks[c].mark : tr("(none)"), TITLE_WIDTH);
        fprintf(stream, "%s\n", tr(figure_checks[c].meaning));
    }
    fprintf(stream, "\n%s\n", tr("Sources (--cc X.Y, --json and --csv name each figure's own):"));
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++)
        if (cited[s]) {
            fputs("  ", stream);
            columns_wrapped(stream, source_of((enum source_id)s)->title, 2, 4, width);
            fputs("      ", stream);
            columns_wrapped(stream, source_of((enum source_id)s)->note, 6, 6, width);
        }
}

bool architectures_print(FILE *out)
{
    const struct style style = style_for(out);
    FILE *stream = folded_begin(out, style);
    print_capabilities(stream, style);
    fprintf(stream, "\n%s\n\n", tr("GPUs: peaks in GFLOP/s, memory in GB/s, balance in operations per byte"));
    print_gpus(stream, style);
    fprintf(stream, "\n%s",
            tr("  FLOP:B     FP32 over GB/s: a kernel with fewer operations per byte waits for memory\n"
               "  publ.      the same as published\n"
               "  FP64/W     FP64 over the power limit: GFLOP/s for each watt\n"));
    fprintf(stream, "\n%s\n\n", tr("CPUs: one core in a cycle"));
    print_cpus(stream, style);
    print_sources(stream, style.width);
    folded_end(stream, out);
    return is_done(out);
}

/* "114  cores (source)" */
static void print_line(FILE *stream, struct figure figure, const char *meaning, const char *source, int width)
{
    char value[GRID_CELL_BYTES] = "", text[512];
    fill_figure(value, figure);
    fputs("  ", stream);
    column_right(stream, value, VALUE_WIDTH);
    fputs("  ", stream);
    snprintf(text, sizeof text, "%s (%s)", tr(meaning), source);
    columns_wrapped(stream, text, VALUE_WIDTH + 4, VALUE_WIDTH + 4, width);
}

static void print_lines(FILE *stream, const struct column *columns, const struct figure *figures, int count, int width)
{
    for (int c = 0; c < count; c++)
        print_line(stream, figures[c], columns[c].meaning,
                   figure_is_known(figures[c]) ? source_of(figures[c].source)->title : tr("no source"), width);
}

bool architecture_print(FILE *out, const struct capability *only)
{
    const int width = style_for(out).width;
    FILE *stream = folded_begin(out, style_for(out));
    fprintf(stream, tr("Compute capability %s: %s (%s)\n\nOne multiprocessor\n"), only->version, only->architecture,
            only->examples);
    print_lines(stream, capability_columns, only->figures, CAPABILITY_COLUMNS, width);
    for (size_t i = 0; i < gpu_count; i++)
        if (belongs(&gpus[i], only)) {
            char balance[32];
            fprintf(stream, "\n%s\n", gpus[i].name);
            print_lines(stream, gpu_columns, gpus[i].figures, GPU_COLUMNS, width);
            snprintf(balance, sizeof balance, "%.1f ", gpu_balance(&gpus[i]));
            fprintf(stream, "  %*s  %s (%s)\n", VALUE_WIDTH, say_number(balance), tr("operations per byte"),
                    tr("FP32 over bandwidth"));
        }
    fputc('\n', stream);
    for (int c = FIGURE_READ + 1; c < FIGURE_CHECKS; c++)
        fprintf(stream, "  %s  %s\n", figure_checks[c].mark, tr(figure_checks[c].meaning));
    folded_end(stream, out);
    return is_done(out);
}

/* ---- for programs ---- */

static json_t *figures_object(const struct column *columns, const struct figure *figures, int count)
{
    json_t *object = json_object();
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            json_object_set_new(object, columns[c].key,
                                json_pack("{s:f, s:s, s:s}", "value", figures[c].value, "source",
                                          source_of(figures[c].source)->key, "checked",
                                          figure_checks[figures[c].check].key));
        else
            json_object_set_new(object, columns[c].key, json_null());
    return object;
}

bool architectures_json(FILE *stream, const struct capability *only)
{
    json_t *rows = json_array(), *cards = json_array(), *cores = json_array(), *sources = json_object();
    for (size_t i = 0; i < capability_count; i++)
        if (!only || only == &capabilities[i])
            json_array_append_new(
                rows, json_pack("{s:s, s:s, s:s, s:o}", "compute_capability", capabilities[i].version, "architecture",
                                capabilities[i].architecture, "products", capabilities[i].examples, "figures",
                                figures_object(capability_columns, capabilities[i].figures, CAPABILITY_COLUMNS)));
    for (size_t i = 0; i < gpu_count; i++)
        if (belongs(&gpus[i], only))
            json_array_append_new(cards, json_pack("{s:s, s:s, s:f, s:o}", "name", gpus[i].name, "compute_capability",
                                                   gpus[i].version, "balance", gpu_balance(&gpus[i]), "figures",
                                                   figures_object(gpu_columns, gpus[i].figures, GPU_COLUMNS)));
    for (size_t i = 0; i < cpu_family_count && !only; i++)
        json_array_append_new(cores,
                              json_pack("{s:s, s:s, s:i, s:i, s:i, s:o}", "name", cpu_families[i].name, "vendor",
                                        cpu_families[i].vendor, "family", cpu_families[i].family, "model_from",
                                        cpu_families[i].model_from, "model_to", cpu_families[i].model_to, "figures",
                                        figures_object(cpu_columns, cpu_families[i].figures, CPU_COLUMNS)));
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++) {
        const struct source *source = source_of((enum source_id)s);
        json_object_set_new(sources, source->key,
                            json_pack("{s:s, s:s}", "title", source->title, "note", source->note));
    }
    json_t *all =
        json_pack("{s:o, s:o, s:o, s:o}", "architectures", rows, "gpus", cards, "cpus", cores, "sources", sources);
    return report_json_write(stream, "uskor.architectures/1", all) && is_done(stream);
}

static void print_rows(FILE *stream, const char *of, const char *version, const struct column *columns,
                       const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            fprintf(stream, "\"%s\",%s,%s,%.9g,%s,\"%s\"\n", of, version, columns[c].key, figures[c].value,
                    figure_checks[figures[c].check].key, source_of(figures[c].source)->title);
        else
            fprintf(stream, "\"%s\",%s,%s,,,\n", of, version, columns[c].key);
}

bool architectures_csv(FILE *stream, const struct capability *only)
{
    fputs("of,compute_capability,figure,value,checked,source\n", stream);
    for (size_t i = 0; i < capability_count; i++)
        if (!only || only == &capabilities[i])
            print_rows(stream, capabilities[i].architecture, capabilities[i].version, capability_columns,
                       capabilities[i].figures, CAPABILITY_COLUMNS);
    for (size_t i = 0; i < gpu_count; i++)
        if (belongs(&gpus[i], only)) {
            print_rows(stream, gpus[i].name, gpus[i].version, gpu_columns, gpus[i].figures, GPU_COLUMNS);
            fprintf(stream, "\"%s\",%s,balance,%.9g,,\"FP32 over bandwidth\"\n", gpus[i].name, gpus[i].version,
                    gpu_balance(&gpus[i]));
        }
    for (size_t i = 0; i < cpu_family_count && !only; i++)
        print_rows(stream, cpu_families[i].name, "", cpu_columns, cpu_families[i].figures, CPU_COLUMNS);
    return is_done(stream);
}
