/* uskor report: what the store has of this machine as one HTML file, or one of its charts. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_program.h"
#include "base/status.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/report_file.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "files/output.h"
#include "report/html/svg_to_png.h"

/* The source tree's pages and the reports of all machines as one static site (tools/site). */
#define PATH_BYTES 4096

/* tools/site of the tree whose build folder has this program: its own, so it may be trusted as this program is. */
static enum status find_tool(char tool[PATH_BYTES], char program[PATH_BYTES], struct error *error)
{
    static const char name[] = "/../tools/site";
    if (!own_program_name(program, PATH_BYTES))
        program[0] = '\0';
    const char *slash = strrchr(program, '/');
    const size_t folder = slash ? (size_t)(slash - program) : 0;
    if (slash && folder + sizeof name <= PATH_BYTES) {
        memcpy(tool, program, folder);
        memcpy(tool + folder, name, sizeof name);
        if (access(tool, X_OK) == 0)
            return STATUS_OK;
    }
    return fail(error, STATUS_UNAVAILABLE,
                "a site has the source tree's pages, and this program is installed: use build/uskor in a clone");
}

/* Makes or replaces the site in `folder`; `store` NULL: the default. The pages are those of the tree in whose build
 * folder this program is: STATUS_UNAVAILABLE where there is none. tools/site says itself what went wrong.
 * STATUS_INVALID where `folder` is something else than a site. */
static enum status report_site(const char *folder, const char *store, struct error *error)
{
    char tool[PATH_BYTES], program[PATH_BYTES];
    enum status status = find_tool(tool, program, error);
    if (status != STATUS_OK)
        return status;
    const char *const arguments[] = {tool, "--uskor", program, "--store", store, "--", folder, NULL};
    const char *const without[] = {tool, "--uskor", program, "--", folder, NULL};
    pid_t child;
    int ended = 0;
    fflush(stdout);
    errno = posix_spawn(&child, tool, NULL, NULL, (char *const *)(store ? arguments : without), environ);
    if (errno != 0)
        return fail(error, STATUS_SYSTEM, "%s: cannot be started: %s", tool, strerror(errno));
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return fail(error, STATUS_SYSTEM, "%s: %s", tool, strerror(errno));
    if (!WIFEXITED(ended))
        return fail(error, STATUS_FAILED, "%s was ended by a signal", tool);
    switch (WEXITSTATUS(ended)) {
    case 0:
        return STATUS_OK;
    case 2:
        return fail(error, STATUS_INVALID, "%s: no folder can be made there, or it is not a site: name another one",
                    folder);
    case 3:
        return fail(
            error, STATUS_UNAVAILABLE,
            "no generator of sites is here: 'tools/setup site' fetches mkdocs-material; Debian has python3-markdown");
    default:
        return fail(error, STATUS_FAILED, "tools/site failed; its reason is above");
    }
}

#define RUNS_MAX 256

struct arguments {
    struct report_request request;
    const char *output, *svg, *png, *site;
    bool force, charts;
    int64_t runs[RUNS_MAX];
};

static const char doc[] = N_("Write one HTML file with charts of what was measured on this machine.\n\n"
                             "The file needs no network and nothing beside it. Each chart can be had alone: "
                             "'uskor report --charts' lists their names, --svg and --png write one. "
                             "--lang en or --lang ru chooses the language (default: the locale's).");

static void parse_number(const struct options_state *state, const char *argument, const char *refusal, int64_t *value)
{
    if (!text_integer(argument, value) || *value < 1)
        refuse_use(state, refusal, argument);
}

static void read_run(void *input, const char *argument, const struct options_state *state)
{
    struct arguments *arguments = input;
    struct store_filter *filter = &arguments->request.filter;
    if (filter->run_count == RUNS_MAX)
        refuse_use(state, "more than %d runs", RUNS_MAX);
    parse_number(state, argument, N_("'%s' is not a run's number"), &arguments->runs[filter->run_count++]);
    filter->runs = arguments->runs;
}

static void read_machine(void *input, const char *argument, const struct options_state *state)
{
    struct report_request *request = input;
    request->all_machines = strcmp(argument, "all") == 0;
    if (!request->all_machines)
        parse_number(state, argument, N_("'%s' is not a machine's number, nor 'all'"), &request->filter.machine);
}

static const struct option options[] = {
    {"output", 'o', N_("FILE"), N_("Write to FILE (default: uskor-report.html; a single chart: the terminal)"),
     SETS_TEXT(struct arguments, output)},
    {"force", 0, NULL, N_("Overwrite FILE when it exists and is not a report"), SETS_FLAG(struct arguments, force)},
    {"svg", 0, N_("CHART"), N_("Write one chart as SVG, for a paper"), SETS_TEXT(struct arguments, svg)},
    {"png", 0, N_("CHART"), N_("Write one chart as PNG (needs librsvg)"), SETS_TEXT(struct arguments, png)},
    {"charts", 0, NULL, N_("List the charts' names"), SETS_FLAG(struct arguments, charts)},
    {"why", 0, NULL,
     N_("Add a chapter that explains device rungs: counts, predictions, pictures of accesses; takes seconds a rung"),
     SETS_FLAG(struct arguments, request.explains)},
    {"site", 0, N_("DIR"),
     N_("Write the reports of all machines and this source tree's pages into DIR, as a site that needs no server"),
     SETS_TEXT(struct arguments, site)},
    {"store", 0, N_("FILE"), N_("Read FILE instead of the user's store"), SETS_TEXT(struct arguments, request.store)},
    {"run", 0, "N", N_("Of run N only (any number of times; 'uskor history' lists them)"), READ_BY(read_run)},
    {"label", 0, N_("LABEL"), N_("Of runs with this label only"), SETS_TEXT(struct arguments, request.filter.label)},
    {"machine", 0, N_("N|all"),
     N_("Of machine N, or of all machines, side by side (default: this one, else the newest run's)"),
     READ_INTO(struct arguments, request, read_machine)},
    {"all", 0, NULL, N_("All runs, not only the newest 200"), SETS_FLAG(struct arguments, request.filter.all)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .doc = doc,
};

static enum status write_file(const char *path, bool force, const void *data, size_t bytes, struct error *error)
{
    struct output *output;
    enum status status = output_create(path, force, &output, error);
    if (status != STATUS_OK)
        return status;
    status = output_write(output, data, bytes, error);
    if (status != STATUS_OK) {
        output_abandon(output);
        return status;
    }
    return output_finish(output, error);
}

static enum status write_chart(const struct arguments *arguments, struct error *error)
{
    char *svg = NULL;
    void *png = NULL;
    size_t bytes = 0, png_bytes = 0;
    if (arguments->png && !arguments->output)
        return fail(error, STATUS_INVALID, "--png needs a FILE to write to: -o FILE");
    enum status status =
        report_chart(arguments->svg ? arguments->svg : arguments->png, &arguments->request, &svg, &bytes, error);
    if (status == STATUS_OK && arguments->png)
        status = svg_to_png(svg, bytes, &png, &png_bytes, error);
    if (status == STATUS_OK && arguments->output)
        status = write_file(arguments->output, arguments->force, png ? png : svg, png ? png_bytes : bytes, error);
    else if (status == STATUS_OK && (fwrite(svg, 1, bytes, stdout) != bytes || fflush(stdout) != 0))
        status = fail(error, STATUS_SYSTEM, "standard output: cannot write: %s", result_reason(stdout));
    free(svg);
    free(png);
    return status;
}

static enum status list_charts(FILE *stream, void *context, struct error *error)
{
    return report_chart_names(stream, context, error);
}

static enum status write_report(const struct arguments *arguments, struct error *error)
{
    const char *path = arguments->output ? arguments->output : REPORT_FILE;
    enum status status = report_to_file(path, arguments->force, &arguments->request, error);
    if (status == STATUS_OK)
        report_file_tell(stdout, path);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = STATUS_OK;
    if (arguments.svg && arguments.png)
        status = fail(&error, STATUS_INVALID, "--svg and --png: one chart at a time");
    else if (arguments.site && (arguments.svg || arguments.png || arguments.charts || arguments.output))
        status = fail(&error, STATUS_INVALID, "--site makes a whole site: without --svg, --png, --charts and --output");
    else if (arguments.site)
        status = report_site(arguments.site, arguments.request.store, &error);
    else if (arguments.charts)
        status = result_write(arguments.output, arguments.force, list_charts, &arguments.request, &error);
    else if (arguments.svg || arguments.png)
        status = write_chart(&arguments, &error);
    else
        status = write_report(&arguments, &error);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
