/* uskor list: kernels, and each kernel's fields and ladder. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "kernels/kernel.h"

enum list_form {
    LIST_TEXT,
    LIST_MARKDOWN,
    LIST_JSON,
};

struct arguments {
    const char *kernel;
    enum list_form form;
};

enum {
    KEY_MARKDOWN = 256,
    KEY_JSON,
};

static const char *const kind_names[] = {[RUNG_HOST] = "cpu", [RUNG_DEVICE] = "device", [RUNG_VENDOR] = "vendor"};

/* "opencl, cuda" */
static const char *where(const struct rung *rung, char *text, size_t size)
{
    text[0] = 0;
    for (size_t b = 0; backends[b]; b++)
        if (rung->backends & backends[b]->kind && backends[b]->kind != BACKEND_NULL)
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? ", " : "", backends[b]->name);
    return text;
}

static void print_tunables(const struct rung *rung)
{
    for (size_t t = 0; t < rung->tunable_count; t++) {
        const struct tunable *tunable = &rung->tunables[t];
        printf("                             %s = %s in", tunable->name, tunable->initial);
        for (size_t v = 0; v < tunable->value_count; v++)
            printf(" %" PRId64, tunable->values[v]);
        putchar('\n');
    }
}

static void print_fields(const struct kernel *kernel)
{
    printf("\nfields of a problem (%s:field=value,…,type):\n", kernel->name);
    for (size_t f = 0; f < kernel->field_count; f++) {
        const struct field *field = &kernel->fields[f];
        if (field->kind == FIELD_CHOICE)
            printf("  %-10s %s (default: %s)\n", field->name, field->help, field->choices[field->initial]);
        else if (field->kind == FIELD_REAL)
            printf("  %-10s %s (default: %g)\n", field->name, field->help, field->initial_real);
        else if (field->derived)
            printf("  %-10s %s (default: %s)\n", field->name, field->help, field->derived);
        else
            printf("  %-10s %s (default: %" PRId64 ")\n", field->name, field->help, field->initial);
    }
    printf("  type      ");
    for (size_t t = 0; t < kernel->type_count; t++)
        printf(" %s", element_info(kernel->types[t])->name);
    printf(" (default: %s)\n", element_info(kernel->types[0])->name);
}

static void print_ladder(const struct kernel *kernel, const struct rung *const *rungs, size_t count)
{
    char text[64];
    printf("%s: %s\n\n", kernel->name, kernel->title);
    for (size_t r = 0; r < count; r++) {
        printf("  %-3s  %-18s %-7s %s (%s)\n", kernel->ladder[r].row, rungs[r]->name, kind_names[rungs[r]->kind],
               rungs[r]->idea, where(rungs[r], text, sizeof text));
        print_tunables(rungs[r]);
    }
    for (const struct ladder_view *view = kernel->views; view && view->row; view++)
        printf("  %-3s  %s\n", view->row, view->command);
    print_fields(kernel);
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
    for (size_t r = 0; r < count; r++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "kernel", kernel->name, "row",
                                               kernel->ladder[r].row, "rung", rungs[r]->name, "kind",
                                               kind_names[rungs[r]->kind], "idea", rungs[r]->idea, "runs_on",
                                               where(rungs[r], text, sizeof text)));
}

static int show_kernel(const struct kernel *kernel, enum list_form form, json_t *array)
{
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
    else
        print_ladder(kernel, rungs, count);
    return EXIT_DONE;
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        if (arguments->kernel)
            refuse_use(state, "one kernel at a time");
        arguments->kernel = argument;
        return 0;
    case KEY_MARKDOWN:
        arguments->form = LIST_MARKDOWN;
        return 0;
    case KEY_JSON:
        arguments->form = LIST_JSON;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
    {"markdown", KEY_MARKDOWN, NULL, 0, "Write the rungs as a Markdown table", 0},
    {"json", KEY_JSON, NULL, 0, "Write JSON", 0},
    {0},
};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .args_doc = "[KERNEL]",
    .doc = "List the kernels, or one kernel's ladder: its rungs in teaching order, each with its idea.\v"
           "The first column is the row of the catalogue that a rung stands for: T transpose, S sort, D dot product, "
           "P their pipeline, M matrix product, R resize, W wave (docs/rungs.md). A row that is no rung is a command.",
};

int cmd_list(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    options_parse(&argp, argc, argv, &arguments);
    const struct kernel *only = arguments.kernel ? kernel_by_name(arguments.kernel, &error) : NULL;
    if (arguments.kernel && !only)
        return report_error(STATUS_INVALID, &error);
    json_t *array = json_array();
    int code = EXIT_DONE;
    for (size_t k = 0; kernels[k] && code == EXIT_DONE; k++) {
        if (only && kernels[k] != only)
            continue;
        if (k && !only && arguments.form != LIST_JSON)
            putchar('\n');
        code = show_kernel(kernels[k], arguments.form, array);
    }
    if (code == EXIT_DONE && arguments.form == LIST_JSON &&
        (json_dumpf(array, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF))
        code = EXIT_USE;
    json_decref(array);
    return code;
}
