#include "cli/options/help.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/options/outcome.h"
#include "report/terminal/cells.h"

#define INDENT 2
#define DOC_COLUMN 28 /* where what an option does begins */
#define WIDTH_MOST 80
#define TEXT_MOST 4096

/* ---- lines ---- */

/* One paragraph: examples stay as they are written, all else is wrapped. */
static void print_paragraph(FILE *stream, const char *paragraph, int width)
{
    fputc('\n', stream);
    if (*paragraph == ' ')
        fprintf(stream, "%s\n", paragraph);
    else
        columns_wrapped(stream, paragraph, 0, 0, width);
}

/* Paragraphs are parted by an empty line. */
static void print_paragraphs(FILE *stream, const char *text, const char *end, int width)
{
    while (text < end) {
        char paragraph[TEXT_MOST];
        const char *stop = strstr(text, "\n\n");
        stop = stop && stop < end ? stop : end;
        snprintf(paragraph, sizeof paragraph, "%.*s", (int)(stop - text), text);
        size_t length = strlen(paragraph);
        if (length > 0 && paragraph[length - 1] == '\n')
            paragraph[length - 1] = 0;
        print_paragraph(stream, paragraph, width);
        text = stop + strspn(stop, "\n");
    }
}

/* ---- options ---- */

/* "  -o, --output=OUT" */
static void name_option(const struct option *option, char *text, size_t size)
{
    if (option->letter)
        snprintf(text, size, "%*s-%c, --%s", INDENT, "", option->letter, option->name);
    else
        snprintf(text, size, "%*s    --%s", INDENT, "", option->name);
    if (option->argument)
        text_append(text, size, option->is_optional ? "[=%s]" : "=%s", tr(option->argument));
}

static void print_option(FILE *stream, const struct option *option, int width)
{
    char name[128];
    if (!option->name) {
        fprintf(stream, "\n%s\n", tr(option->doc));
        return;
    }
    name_option(option, name, sizeof name);
    int column = column_width(name);
    fputs(name, stream);
    if (column + 2 > DOC_COLUMN)
        fprintf(stream, "\n%*s", DOC_COLUMN, "");
    else
        fprintf(stream, "%*s", DOC_COLUMN - column, "");
    columns_wrapped(stream, tr(option->doc), DOC_COLUMN, DOC_COLUMN, width);
}

static void print_options(FILE *stream, const struct option *option, int width)
{
    if (option && option->name)
        fputc('\n', stream);
    for (; option && (option->name || option->doc); option++)
        if (option->doc)
            print_option(stream, option, width);
}

void help_text(FILE *stream, const char *text, int width)
{
    print_paragraphs(stream, text, text + strlen(text), width < WIDTH_MOST ? width : WIDTH_MOST);
}

void help_print(FILE *stream, const struct usage *usage, const char *name, int width)
{
    const char *doc = usage->doc ? tr(usage->doc) : "", *end = doc + strlen(doc), *more = strstr(doc, "\n\n");
    width = width < WIDTH_MOST ? width : WIDTH_MOST;
    fprintf(stream, tr("Usage: %s [OPTION…]"), name);
    if (usage->args_doc)
        fprintf(stream, " %s", tr(usage->args_doc));
    fputc('\n', stream);
    print_paragraphs(stream, doc, more ? more : end, width);
    for (const struct usage *each = usage; each; each = each->shared)
        print_options(stream, each->options, width);
    print_options(stream, common_options, width);
    if (more)
        print_paragraphs(stream, more + 2, end, width);
}

static void show_help(void *arguments, const char *argument, const struct options_state *state)
{
    (void)arguments, (void)argument;
    help_print(stdout, state->usage, state->name, style_for(stdout).width);
    exit(said_all(EXIT_DONE));
}

const struct option common_options[] = {
    {"help", 'h', NULL, N_("Show this"), READ_BY(show_help)},
    {"lang", 0, "en|ru", N_("English or Russian (default: the locale's)"), .effect = OPTION_WITHOUT_EFFECT},
    {"color", 0, "auto|always|never", N_("Colours (default: auto, on a terminal unless NO_COLOR is set)"),
     .effect = OPTION_WITHOUT_EFFECT},
    {0},
};
