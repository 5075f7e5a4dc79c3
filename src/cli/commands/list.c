/* uskor list: kernels, and each kernel's fields and ladder. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/rung_source.h"
#include "cli/commands/why.h"
#include "cli/options/options.h"
#include "kernels/kernel.h"
#include "report/export/json.h"
#include "report/terminal/cells.h"
#include "report/terminal/report.h"

enum list_form {
    LIST_TEXT,
    LIST_MARKDOWN,
    LIST_JSON,
};

struct arguments {
    const char *kernel;
    enum list_form form;
    bool why, tunables;
};

/* The names of the kinds of rungs, for programs and for people. */
static const struct {
    const char *name;
    const char *title;
} kinds[] = {
    [RUNG_HOST] = {"cpu", N_("CPU")},
    [RUNG_DEVICE] = {"device", N_("device")},
    [RUNG_VENDOR] = {"vendor", N_("library")},
};

#define NAME_COLUMN 10 /* where what a kernel computes begins */
#define KIND_WIDTH 11
#define IDEA_COLUMN 38 /* where a rung's idea begins */
#define IDEA_BELOW 9   /* … in a line of its own, where the terminal is narrow */
#define NARROW 72
#define RUNGS_COLUMN 4 /* where the names of a kernel's rungs begin */

/* "opencl, cuda" */
static const char *where(const struct rung *rung, char *text, size_t size)
{
    text[0] = 0;
    for (size_t b = 0; backends[b]; b++)
        if (rung->backends & backends[b]->kind && backends[b]->kind != BACKEND_NULL)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "", backends[b]->name);
    return text;
}

static void print_tunables(const struct rung *rung, int column)
{
    for (size_t t = 0; t < rung->tunable_count; t++) {
        const struct tunable *tunable = &rung->tunables[t];
        char text[512];
        snprintf(text, sizeof text, tr("%s = %s in"), tunable->name, tunable->initial);
        for (size_t v = 0; v < tunable->value_count; v++)
            text_append(text, sizeof text, " %" PRId64, tunable->values[v]);
        printf("%*s", column, "");
        columns_wrapped(stdout, text, column, column + 2, style_for(stdout).width);
    }
}

static void print_fields(const struct kernel *kernel)
{
    printf(tr("\nfields of a problem (%s:field=value,…,type):\n"), kernel->name);
    for (size_t f = 0; f < kernel->field_count; f++) {
        const struct problem_field *field = &kernel->fields[f];
        char initial[48], text[512];
        if (field->kind == FIELD_CHOICE)
            snprintf(initial, sizeof initial, "%s", field->choices[field->initial]);
        else if (field->kind == FIELD_REAL)
            snprintf(initial, sizeof initial, "%g", field->initial_real);
        else if (field->derived)
            snprintf(initial, sizeof initial, "%s", field->derived);
        else
            snprintf(initial, sizeof initial, "%" PRId64, field->initial);
        snprintf(text, sizeof text, tr("%s (default: %s)"), tr(field->help), initial);
        printf("  %-10s ", field->name);
        columns_wrapped(stdout, text, 13, 13, style_for(stdout).width);
    }
    char types[256] = "", text[512];
    for (size_t t = 0; t < kernel->type_count; t++)
        text_append(types, sizeof types, "%s%s", t > 0 ? " " : "", element_info(kernel->types[t])->name);
    snprintf(text, sizeof text, tr("%s (default: %s)"), types, element_info(kernel->types[0])->name);
    fputs("  ", stdout);
    column_left(stdout, tr("type"), 10);
    putchar(' ');
    columns_wrapped(stdout, text, 13, 13, style_for(stdout).width);
}

/* A line for each rung: its row, its name, where it runs, its file, and as much of its idea as fits. */
static void print_lines(const struct kernel *kernel, const struct rung *const *rungs, size_t count)
{
    char text[64], line[256];
    const int width = style_for(stdout).width;
    int names = 0, files = 0;
    for (size_t r = 0; r < count; r++) {
        const struct embedded_file *file = rung_source(kernel, r);
        names = column_width(rungs[r]->name) > names ? column_width(rungs[r]->name) : names;
        files = file && 4 + column_width(file->path) > files ? 4 + column_width(file->path) : files;
    }
    for (size_t r = 0; r < count; r++) {
        const struct embedded_file *file = rung_source(kernel, r);
        const int before = 2 + 4 + names + 1, used = before + files + 1;
        const bool has_room = width - used > 3 * IDEA_BELOW;
        snprintf(line, sizeof line, "%s%s", file ? "src/" : "", file ? file->path : "");
        printf("  %-3s %-*s ", kernel->ladder[r].row, names, rungs[r]->name);
        column_left(stdout, line, files < width - before ? files : width - before);
        if (width > used) {
            putchar(' ');
            column_cut(stdout, has_room ? tr(rungs[r]->idea) : where(rungs[r], text, sizeof text), width - used);
        }
        putchar('\n');
    }
    columns_wrapped(stdout, tr("Ideas, parameters and their values: --tunables; a rung's source: uskor show RUNG"), 0,
                    0, width);
}

static void print_ideas(const struct kernel *kernel, const struct rung *const *rungs, size_t count)
{
    char text[64], idea[512];
    const int width = style_for(stdout).width, column = width < NARROW ? IDEA_BELOW : IDEA_COLUMN;
    for (size_t r = 0; r < count; r++) {
        printf("  %-3s  %-18s ", kernel->ladder[r].row, rungs[r]->name);
        column_left(stdout, tr(kinds[rungs[r]->kind].title), KIND_WIDTH);
        if (width < NARROW)
            printf("\n%*s", column, "");
        else
            putchar(' ');
        snprintf(idea, sizeof idea, "%s (%s)", tr(rungs[r]->idea), where(rungs[r], text, sizeof text));
        columns_wrapped(stdout, idea, column, column, width);
        print_tunables(rungs[r], column);
    }
}

static void print_ladder(const struct kernel *kernel, const struct rung *const *rungs, size_t count, bool has_tunables)
{
    const int width = style_for(stdout).width;
    printf("%s: ", kernel->name);
    columns_wrapped(stdout, tr(kernel->title), (int)strlen(kernel->name) + 2, 2, width);
    (has_tunables ? print_ideas : print_lines)(kernel, rungs, count);
    for (const struct ladder_view *view = kernel->views; view && view->row; view++) {
        printf("  %-3s  ", view->row);
        columns_wrapped(stdout, view->command, 7, 9, width);
    }
    print_fields(kernel);
}

/* One kernel of several: what it computes, and behind it, as far as there is room, the names of its rungs. */
static void print_names(const struct kernel *kernel, const struct rung *const *rungs, size_t count)
{
    const int width = style_for(stdout).width, behind = NAME_COLUMN + column_width(tr(kernel->title)) + 2;
    char names[1024] = "";
    for (size_t r = 0; r < count; r++)
        text_append(names, sizeof names, "%s%s", r > 0 ? " " : "", rungs[r]->name);
    printf("%-*s", NAME_COLUMN, kernel->name);
    if (behind + column_width(rungs[0]->name) <= width) {
        printf("%s  ", tr(kernel->title));
        columns_wrapped(stdout, names, behind, RUNGS_COLUMN, width);
        return;
    }
    columns_wrapped(stdout, tr(kernel->title), NAME_COLUMN, NAME_COLUMN, width);
    printf("%*s", RUNGS_COLUMN, "");
    columns_wrapped(stdout, names, RUNGS_COLUMN, RUNGS_COLUMN, width);
}

static void print_markdown(const struct rung *const *rungs, size_t count)
{
    char text[64];
    printf("| rung | runs on | idea |\n|---|---|---|\n");
    for (size_t r = 0; r < count; r++)
        printf("| `%s` | %s%s | %s |\n", rungs[r]->name, where(rungs[r], text, sizeof text),
               rungs[r]->kind == RUNG_VENDOR ? " (vendor)" : "", rungs[r]->idea);
}

static void add_objects(json_t *array, const struct kernel *kernel, const struct rung *const *rungs, size_t count)
{
    char text[64];
    for (size_t r = 0; r < count; r++) {
        const struct embedded_file *file = rung_source(kernel, r);
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "kernel", kernel->name, "row",
                                               kernel->ladder[r].row, "rung", rungs[r]->name, "kind",
                                               kinds[rungs[r]->kind].name, "idea", rungs[r]->idea, "runs_on",
                                               where(rungs[r], text, sizeof text), "source", file ? file->path : ""));
    }
}

static int show_kernel(const struct kernel *kernel, const struct arguments *arguments, bool is_only, json_t *array)
{
    const enum list_form form = arguments->form;
    const struct rung *const *rungs;
    size_t count;
    struct error error;
    enum status status = kernel_rungs(kernel, &rungs, &count, &error);
    if (status != STATUS_OK)
        return report_error(status, &error);
    if (form == LIST_JSON)
        add_objects(array, kernel, rungs, count);
    else if (form == LIST_MARKDOWN)
        print_markdown(rungs, count);
    else if (is_only)
        print_ladder(kernel, rungs, count, arguments->tunables);
    else
        print_names(kernel, rungs, count);
    return EXIT_DONE;
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->why && (!arguments->kernel || arguments->form != LIST_TEXT))
        refuse_use(state, "--why takes one KERNEL, and prints for people only: uskor list transpose --why");
}

static const struct option options[] = {
    {"markdown", 0, NULL, N_("Write the rungs as a Markdown table"), SETS_VALUE(struct arguments, form, LIST_MARKDOWN)},
    {"json", 0, NULL, N_("Write JSON"), SETS_VALUE(struct arguments, form, LIST_JSON)},
    {"tunables", 0, NULL, N_("Of one KERNEL: each rung's whole idea, its parameters and their values"),
     SETS_FLAG(struct arguments, tunables)},
    {"why", 0, NULL, N_("A line for each device rung: what changed from the rung before it, and what binds it"),
     SETS_FLAG(struct arguments, why)},
    {0},
};
static const struct usage usage = {
    .options = options,
    TAKES_ONE(struct arguments, kernel, N_("one kernel at a time")),
    .check = check_usage,
    .args_doc = N_("[KERNEL]"),
    .doc = N_(
        "List the kernels with the names of their rungs, or one kernel's ladder: its rungs in teaching order, each "
        "with "
        "its file.\n\n"
        "The first column is the row of the catalogue that a rung stands for: T transpose, S sort, D dot product, "
        "P their pipeline, M matrix product, R resize, W wave (docs/rungs.md). A row that is not a rung is a command."),
};

/* Of the kernel's default problem. */
static int show_why(const struct kernel *kernel)
{
    struct problem problem;
    struct error error;
    struct why_request request = {.problem = &problem};
    enum status status = problem_parse(kernel->bench, &problem, &error);
    if (status == STATUS_OK)
        status = why_print(stdout, &request, style_for(stdout), &error);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}

int cmd_list(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    const struct kernel *only = arguments.kernel ? kernel_by_name(arguments.kernel, &error) : NULL;
    if (arguments.kernel && !only)
        return report_error(STATUS_INVALID, &error);
    json_t *array = json_array();
    int code = EXIT_DONE;
    for (size_t k = 0; kernels[k] && code == EXIT_DONE; k++) {
        if (only && kernels[k] != only)
            continue;
        if (k && !only && arguments.form == LIST_MARKDOWN)
            putchar('\n');
        code = show_kernel(kernels[k], &arguments, only != NULL, array);
    }
    if (code == EXIT_DONE && only && arguments.why)
        code = show_why(only);
    if (code == EXIT_DONE && !only && arguments.form == LIST_TEXT)
        printf("%s\n", tr("More: uskor list KERNEL (ideas, parameters, fields)"));
    if (code == EXIT_DONE && arguments.form == LIST_JSON) { /* main tells what could not be written */
        (void)report_json_write(stdout, "uskor.kernels/1", array);
    } else {
        json_decref(array);
    }
    return code;
}
