#include "cli/architecture_tables.h"

#include <jansson.h>
#include <string.h>

static bool is_done(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream);
}

/* The last place is the mark's; an empty cell is unknown. */
static void print_figure(FILE *stream, struct figure figure, int width)
{
    if (!figure_is_known(figure))
        fprintf(stream, "%*s", width, "");
    else
        fprintf(stream, "%*.6g%-1s", width - 1, figure.value, figure_mark(figure));
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
        fprintf(stream, "%*s ", c ? 7 : 6, capability_columns[c].title);
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
        fprintf(stream, "%7s ", c == GPU_BALANCE ? "FLOP:B" : gpu_columns[c].title);
    fprintf(stream, "%7s\n", gpu_columns[GPU_BALANCE].title);
    for (size_t i = 0; i < gpu_count; i++) {
        if (!belongs(&gpus[i], only))
            continue;
        fprintf(stream, "  %-25s%5s", gpus[i].name, gpus[i].version);
        for (int c = 0; c < GPU_COLUMNS; c++)
            if (c == GPU_BALANCE)
                fprintf(stream, "%7.1f ", gpu_balance(&gpus[i]));
            else
                print_figure(stream, gpus[i].figures[c], 8);
        print_figure(stream, gpus[i].figures[GPU_BALANCE], 8);
        fputc('\n', stream);
    }
}

/* What is left out is said by an empty cell. */
static void print_cpus(FILE *stream)
{
    fprintf(stream, "  %-20s%-16s", "CPU", "model");
    for (int c = 0; c < CPU_COLUMNS; c++)
        fprintf(stream, "%8s ", cpu_columns[c].title);
    fputc('\n', stream);
    for (size_t i = 0; i < cpu_family_count; i++) {
        const struct cpu_family *row = &cpu_families[i];
        char model[32];
        snprintf(model, sizeof model, "%d, 0x%02x-0x%02x", row->family, (unsigned)row->model_from,
                 (unsigned)row->model_to);
        fprintf(stream, "  %-20s%-16s", row->name, model);
        for (int c = 0; c < CPU_COLUMNS; c++)
            print_figure(stream, row->figures[c], 9);
        fputc('\n', stream);
    }
    fputc('\n', stream);
    for (int c = 0; c < CPU_COLUMNS; c++)
        fprintf(stream, "  %-9s%s\n", cpu_columns[c].title, cpu_columns[c].meaning);
}

static void cite(bool cited[SOURCE_COUNT], const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        cited[figures[c].source] = true;
}

/* Only those that some figure of the tables cites. */
static void print_sources(FILE *stream)
{
    bool cited[SOURCE_COUNT] = {false};
    for (size_t i = 0; i < capability_count; i++)
        cite(cited, capabilities[i].figures, CAPABILITY_COLUMNS);
    for (size_t i = 0; i < gpu_count; i++)
        cite(cited, gpus[i].figures, GPU_COLUMNS);
    for (size_t i = 0; i < cpu_family_count; i++)
        cite(cited, cpu_families[i].figures, CPU_COLUMNS);
    fputs("\nHow far the figures were checked:\n", stream);
    for (int c = 0; c < FIGURE_CHECKS; c++)
        fprintf(stream, "  %-10s%s\n", figure_checks[c].mark[0] ? figure_checks[c].mark : "(none)",
                figure_checks[c].meaning);
    fputs("\nSources (--cc X.Y, --json and --csv name each figure's own):\n", stream);
    for (int s = SOURCE_NONE + 1; s < SOURCE_COUNT; s++)
        if (cited[s])
            fprintf(stream, "  %s\n      %s\n", source_of((enum source_id)s)->title,
                    source_of((enum source_id)s)->note);
}

bool architectures_print(FILE *stream)
{
    print_capabilities(stream);
    fputs("\nGPUs: peaks in GFLOP/s, memory in GB/s, and the operations they can do for each byte\n\n", stream);
    print_gpus(stream, NULL);
    fputs("\n  FLOP:B    FP32 over GB/s: a kernel with fewer operations for each byte waits for memory\n"
          "  publ.     the same as published\n",
          stream);
    fputs("\nCPUs: one core in a cycle\n\n", stream);
    print_cpus(stream);
    print_sources(stream);
    return is_done(stream);
}

static void print_lines(FILE *stream, const struct column *columns, const struct figure *figures, int count)
{
    for (int c = 0; c < count; c++)
        if (figure_is_known(figures[c]))
            fprintf(stream, "  %-72s%9.6g%-2s%s\n", columns[c].meaning, figures[c].value, figure_mark(figures[c]),
                    source_of(figures[c].source)->title);
        else
            fprintf(stream, "  %-72s%9s  no source\n", columns[c].meaning, "");
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
    fputc('\n', stream);
    for (int c = FIGURE_READ + 1; c < FIGURE_CHECKS; c++)
        fprintf(stream, "  %s  %s\n", figure_checks[c].mark, figure_checks[c].meaning);
    return is_done(stream);
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
