#include "cli/architecture_tables.h"

#include <jansson.h>
#include <string.h>

static bool is_done(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream);
}

/* At most eight columns: an empty cell is unknown. */
static void print_figure(FILE *stream, struct figure figure, int width)
{
    if (!figure_is_known(figure))
        fprintf(stream, "%*s", width, "");
    else
        fprintf(stream, "%*.6g", width, figure.value);
}

static bool belongs(const struct gpu *gpu, const struct capability *only)
{
    return !only || strcmp(gpu->version, only->version) == 0;
}

/* ---- for people ---- */

static void print_capabilities(FILE *stream)
{
    fputs("One multiprocessor, by compute capability\n\n  cc   architecture", stream);
    for (int c = 0; c < CAPABILITY_COLUMNS; c++)
        fprintf(stream, "%*s", c ? 8 : 7, capability_columns[c].title);
    fputs("  products\n", stream);
    for (size_t i = 0; i < capability_count; i++) {
        const struct capability *row = &capabilities[i];
        fprintf(stream, "  %-5s%-12s", row->version, row->architecture);
        for (int c = 0; c < CAPABILITY_COLUMNS; c++)
            print_figure(stream, row->figures[c], c ? 8 : 7);
        fprintf(stream, "  %s\n", row->examples);
    }
    fputc('\n', stream);
    for (int c = 0; c < CAPABILITY_COLUMNS; c++)
        fprintf(stream, "  %-9s%s\n", capability_columns[c].title, capability_columns[c].meaning);
}

static void print_gpus(FILE *stream, const struct capability *only)
{
    fprintf(stream, "  %-25s%5s", "GPU", "cc");
    for (int c = 0; c < GPU_COLUMNS; c++)
        fprintf(stream, "%8s", c == GPU_BALANCE ? "FLOP:B" : gpu_columns[c].title);
    fprintf(stream, "%8s\n", gpu_columns[GPU_BALANCE].title);
    for (size_t i = 0; i < gpu_count; i++) {
        if (!belongs(&gpus[i], only))
            continue;
        fprintf(stream, "  %-25s%5s", gpus[i].name, gpus[i].version);
        for (int c = 0; c < GPU_COLUMNS; c++)
            if (c == GPU_BALANCE)
                fprintf(stream, "%8.1f", gpu_balance(&gpus[i]));
            else
                print_figure(stream, gpus[i].figures[c], 8);
        print_figure(stream, gpus[i].figures[GPU_BALANCE], 8);
        fputc('\n', stream);
    }
}

/* Only those that some figure of the tables cites. */
static void print_sources(FILE *stream)
{
    bool cited[SOURCE_COUNT] = {false};
    for (size_t i = 0; i < capability_count; i++)
        for (int c = 0; c < CAPABILITY_COLUMNS; c++)
            cited[capabilities[i].figures[c].source] = true;
    for (size_t i = 0; i < gpu_count; i++)
        for (int c = 0; c < GPU_COLUMNS; c++)
            cited[gpus[i].figures[c].source] = true;
    fputs("\nSources (--cc X.Y, --json and --csv name each figure's own):\n", stream);
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++)
        if (cited[s])
            fprintf(stream, "  %s\n", source_of((enum source_id)s)->title);
}

bool architectures_print(FILE *stream)
{
    print_capabilities(stream);
    fputs("\nGPUs: peaks in GFLOP/s, memory in GB/s, and the operations they can do for each byte\n\n", stream);
    print_gpus(stream, NULL);
    fputs("\n  FLOP:B    FP32 over GB/s: a kernel with fewer operations for each byte waits for memory\n"
          "  publ.     the same as published\n",
          stream);
    print_sources(stream);
    return is_done(stream);
}

static void print_lines(FILE *stream, const struct column *columns, const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            fprintf(stream, "  %-72s%9.6g  %s\n", columns[c].meaning, figures[c].value,
                    source_of(figures[c].source)->title);
        else
            fprintf(stream, "  %-72s%9s  not published\n", columns[c].meaning, "");
}

bool architecture_print(FILE *stream, const struct capability *only)
{
    fprintf(stream, "Compute capability %s: %s (%s)\n\nOne multiprocessor\n", only->version, only->architecture,
            only->examples);
    print_lines(stream, capability_columns, only->figures, CAPABILITY_COLUMNS);
    for (size_t i = 0; i < gpu_count; i++)
        if (belongs(&gpus[i], only)) {
            fprintf(stream, "\n%s\n", gpus[i].name);
            print_lines(stream, gpu_columns, gpus[i].figures, GPU_COLUMNS);
            fprintf(stream, "  %-72s%9.1f  FP32 over bandwidth\n", "operations for each byte", gpu_balance(&gpus[i]));
        }
    return is_done(stream);
}

/* ---- for programs ---- */

static json_t *figures_object(const struct column *columns, const struct figure *figures, int count)
{
    json_t *object = json_object();
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            json_object_set_new(
                object, columns[c].key,
                json_pack("{s:f, s:s}", "value", figures[c].value, "source", source_of(figures[c].source)->key));
        else
            json_object_set_new(object, columns[c].key, json_null());
    return object;
}

bool architectures_json(FILE *stream, const struct capability *only)
{
    json_t *rows = json_array(), *cards = json_array(), *sources = json_object();
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
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++)
        json_object_set_new(sources, source_of((enum source_id)s)->key,
                            json_string(source_of((enum source_id)s)->title));
    json_t *all = json_pack("{s:o, s:o, s:o}", "architectures", rows, "gpus", cards, "sources", sources);
    bool written =
        all && json_dumpf(all, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 && fputc('\n', stream) != EOF;
    json_decref(all);
    return written && is_done(stream);
}

static void print_rows(FILE *stream, const char *of, const char *version, const struct column *columns,
                       const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            fprintf(stream, "%s,%s,%s,%.9g,\"%s\"\n", of, version, columns[c].key, figures[c].value,
                    source_of(figures[c].source)->title);
        else
            fprintf(stream, "%s,%s,%s,,\n", of, version, columns[c].key);
}

bool architectures_csv(FILE *stream, const struct capability *only)
{
    fputs("of,compute_capability,figure,value,source\n", stream);
    for (size_t i = 0; i < capability_count; i++)
        if (!only || only == &capabilities[i])
            print_rows(stream, capabilities[i].architecture, capabilities[i].version, capability_columns,
                       capabilities[i].figures, CAPABILITY_COLUMNS);
    for (size_t i = 0; i < gpu_count; i++)
        if (belongs(&gpus[i], only)) {
            print_rows(stream, gpus[i].name, gpus[i].version, gpu_columns, gpus[i].figures, GPU_COLUMNS);
            fprintf(stream, "%s,%s,balance,%.9g,\"FP32 over bandwidth\"\n", gpus[i].name, gpus[i].version,
                    gpu_balance(&gpus[i]));
        }
    return is_done(stream);
}
