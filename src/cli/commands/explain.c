/* uskor explain: what a rung does, counted, and how long it should take. */
#include <stdlib.h>
#include <string.h>

#include "base/child_process.h"
#include "base/compile_cache.h"
#include "base/temporary_folder.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/explain_place.h"
#include "cli/commands/explain_show.h"
#include "cli/options/options.h"
#include "cli/options/result.h"
#include "cli/options/selection.h"
#include "cli/options/store_options.h"
#include "cli/options/time_needed.h"
#include "explain/memory/traced_program.h"
#include "explain/tool_service.h"
#include "judge/user_rung.h"
#include "report/terminal/progress.h"
#include "report/terminal/report.h"
#include "walls/walls.h"

#define RUNGS_MOST 64

/* To explain one: compilers, and the run that is traced. */
#define DEVICE_RUNG_SECONDS 3.0
#define RUNG_SECONDS 1.0

struct arguments {
    const char *problem, *place, *against, *store_name;
    const char *file; /* a user's own rung */
    struct user_rung_options how;
    bool advises;
    struct selection selection;
    bool json, brief, balance;
};

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (!arguments->problem && !arguments->balance)
        refuse_use(state, "which problem? for example: uskor explain transpose --rung naive");
    if (!arguments->file &&
        (arguments->how.entry || arguments->how.arguments || arguments->how.group || arguments->how.groups))
        refuse_use(state, "--entry, --args, --group and --groups tell of the kernel in --file");
    if (arguments->brief + arguments->advises + (arguments->json || arguments->balance) > 1)
        refuse_use(state, "--brief, --advice, and --json or --balance: one of them");
}

static const struct option options[] = {
    {"rung", 'r', N_("RUNG"), N_("Explain this rung only (more than once: these)"),
     READ_INTO(struct arguments, selection, selection_read_rung)},
    {"file", 0, N_("FILE"), N_("Explain the kernel in this file (.cl, .cu or .c), as 'uskor try' takes it"),
     SETS_TEXT(struct arguments, file)},
    {"for", 0, N_("WHERE"),
     N_("An architecture (sm_90, 2.0), a GPU (\"Tesla K40\") or a device of this machine (cuda:0, this-cpu)"),
     SETS_TEXT(struct arguments, place)},
    {"against", 0, N_("RUNG"), N_("Say what changes from RUNG"), SETS_TEXT(struct arguments, against)},
    {"set", 's', N_("NAME=VALUE"), N_("Set a rung's parameter, e.g. TILE=32"),
     READ_INTO(struct arguments, selection, selection_read_set)},
    {.doc = N_("A file without a header:")},
    {"entry", 0, N_("NAME"), N_("The function (default: the one named like the KERNEL, or the only one)"),
     SETS_TEXT(struct arguments, how.entry)},
    {"args", 0, N_("LIST"), N_("Its arguments, e.g. 'a, b, c, int(n)' (default: by name or position)"),
     SETS_TEXT(struct arguments, how.arguments)},
    {"group", 0, N_("SIZES"), N_("Items of a group, e.g. '16, 16'"), SETS_TEXT(struct arguments, how.group)},
    {"groups", 0, N_("SIZES"), N_("Groups, e.g. 'ceil(n / 16), ceil(m / 16)'"),
     SETS_TEXT(struct arguments, how.groups)},
    {.doc = N_("What is shown:")},
    {"brief", 0, NULL, N_("One line for each rung: what changed, and what binds it"),
     SETS_FLAG(struct arguments, brief)},
    {"advice", 0, NULL,
     N_("What binds each rung, and at most three causes: line, array, remedy, and its predicted gain"),
     SETS_FLAG(struct arguments, advises)},
    {"balance", 0, NULL, N_("Show the FLOP:byte balance of GPUs instead"), SETS_FLAG(struct arguments, balance)},
    {"json", 0, NULL, N_("Write JSON"), SETS_FLAG(struct arguments, json)},
    {"store", 0, N_("FILE"), N_("The store (default: uskor/store.sqlite in the user's data folder)"),
     SETS_TEXT(struct arguments, store_name)},
    {0},
};

static const char doc[] = N_(
    "Explain rungs: what the compiler made of them, what they move, how many warps run at once, and how long they "
    "should take. No GPU is needed.\n\nFor example:\n\n"
    "  uskor explain transpose --rung naive\n"
    "  uskor explain matmul:m=1024,n=1024,k=1024 --for \"Tesla K40\"\n"
    "  uskor explain transpose --rung tiled --against naive --json\n"
    "  uskor explain matmul --file mine.cl\n\n"
    "Device rungs are explained for the first CUDA device, or for sm_90 where there is none; CPU rungs for this "
    "machine. What was measured here is shown beside the prediction.\n\n"
    "The table of accesses: 'requests' are accesses of warps, 'each' is how many transactions one becomes (sectors of "
    "32 bytes from 5.0 on; in the group's memory passes over the banks), 'used' the part of the moved bytes that an "
    "item asked for, 'conflicts' passes that the width does not ask for. 'own' memory is an item's: spills, arrays.");

static const struct usage usage = {
    .options = options,
    TAKES_ONE(struct arguments, problem, N_("one problem at a time")),
    .check = check_usage,
    .args_doc = N_("PROBLEM"),
    .doc = doc,
};

/* What rungs are explained for: `device` device rungs, `cpu` CPU rungs; the same one where the user named it. */
struct work {
    const struct arguments *arguments;
    struct selection selection; /* the arguments', and the file */
    struct problem problem;
    const struct rung *own; /* of the file; NULL: none */
    struct store *store;    /* NULL: none */
    struct explain_place device, cpu;
    struct explanation_request *requests; /* the list's */
    struct parameters *parameters;        /* … */
    double *measured_ns;                  /* … */
    struct explain_list list;
    struct temporary_folder folder; /* of a file: of all that is made of it */
};

static const struct explain_place *place_of(const struct work *work, const struct rung *rung)
{
    return rung->kind == RUNG_DEVICE || work->arguments->place ? &work->device : &work->cpu;
}

/* Adds the rung to the list; it is explained with the others. */
static enum status add_rung(struct work *work, const struct rung *rung, struct error *error)
{
    const struct explain_place *place = place_of(work, rung);
    size_t at = work->list.count;
    struct candidate candidate;
    enum status status =
        candidate_make(place->device, rung, &work->problem, &work->selection.overrides, &candidate, error);
    if (status != STATUS_OK)
        return status;
    work->parameters[at] = candidate.parameters;
    work->requests[at] =
        (struct explanation_request){&work->problem, rung, &work->parameters[at], &place->target, NULL};
    work->list.targets[at] = &place->target;
    work->list.count++;
    return STATUS_OK;
}

static enum status find_measured(struct work *work, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < work->list.count; i++) {
        const struct explanation_request *request = &work->requests[i];
        status = explain_measured_ns(work->store, place_of(work, request->rung), &work->problem, request->rung,
                                     request->parameters, &work->measured_ns[i], error);
    }
    return status;
}

/* Unless they are named, rungs that do not belong to the target are left out. */
static bool is_wanted(const struct work *work, const struct rung *rung)
{
    if (work->selection.rung_name_count > 0)
        return true;
    if (rung->kind == RUNG_VENDOR)
        return false;
    bool on_cpu = place_of(work, rung)->target.kind == BACKEND_CPU;
    return (rung->kind == RUNG_HOST) == on_cpu;
}

/* Which rungs are explained, and what was measured of them. */
static enum status choose_rungs(struct work *work, struct error *error)
{
    const struct rung *rungs[RUNGS_MOST + 1];
    size_t count;
    enum status status = selection_rungs(&work->selection, work->problem.kernel, rungs, RUNGS_MOST, &count, error);
    if (status == STATUS_OK)
        status = overrides_check(&work->selection.overrides, rungs, count, error);
    if (status == STATUS_OK && work->arguments->against) {
        rungs[count] = rung_by_name(work->problem.kernel, work->arguments->against, error);
        if (!rungs[count++])
            return STATUS_INVALID;
        work->list.has_against = true;
    }
    work->list.items = calloc(count + 1, sizeof *work->list.items);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    work->list.targets = calloc(count + 1, sizeof *work->list.targets);
    work->requests = calloc(count + 1, sizeof *work->requests);
    work->parameters = calloc(count + 1, sizeof *work->parameters);
    work->measured_ns = calloc(count + 1, sizeof *work->measured_ns);
    if (status == STATUS_OK &&
        (!work->list.items || !work->list.targets || !work->requests || !work->parameters || !work->measured_ns))
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu explanations", count);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        if (is_wanted(work, rungs[i]) || (work->list.has_against && i + 1 == count))
            status = add_rung(work, rungs[i], error);
    return status == STATUS_OK ? find_measured(work, error) : status;
}

/* On a terminal a bar shows which rung of several is explained: one may take seconds. */
static enum status explain_all(struct work *work, struct error *error)
{
    enum status status = STATUS_OK;
    struct progress bar = {0};
    bool is_ladder = work->list.count > 1 && !work->arguments->file;
    double seconds = 0;
    for (size_t i = 0; i < work->list.count; i++)
        seconds += work->requests[i].rung->kind == RUNG_DEVICE ? DEVICE_RUNG_SECONDS : RUNG_SECONDS;
    time_needed_tell(seconds, 0, N_("one --rung makes it shorter"));
    for (size_t i = 0; status == STATUS_OK && i < work->list.count; i++) {
        if (is_ladder)
            progress_show(&bar, work->requests[i].rung->name, (double)i / (double)work->list.count);
        status = explain_rung(&work->requests[i], &work->list.items[i], error);
        work->list.items[i].measured_ns = work->measured_ns[i];
    }
    if (is_ladder)
        progress_end();
    return status;
}

static enum status open_places(struct work *work, struct error *error)
{
    const char *name = work->arguments->place;
    enum status status =
        name ? explain_place_open(name, &work->device, error) : explain_place_default(&work->device, error);
    if (status == STATUS_OK && !name)
        status = explain_place_open("this-cpu", &work->cpu, error);
    if (status == STATUS_OK)
        status = explain_place_measured(work->store, &work->device, error);
    if (status == STATUS_OK)
        status = explain_place_measured(work->store, &work->cpu, error);
    return status;
}

/* A store that the user named must be there; without the default one nothing was measured. */
static enum status open_store(struct work *work, struct error *error)
{
    struct error why;
    if (work->arguments->store_name && strcmp(work->arguments->store_name, "none") == 0)
        return STATUS_OK;
    enum status status = store_read(work->arguments->store_name, &work->store, &why);
    if (status == STATUS_OK || !work->arguments->store_name)
        return STATUS_OK;
    return fail(error, status, "%s", why.text);
}

/* The rung of a user's file, and no other one unless that is named. */
static enum status add_file(struct work *work, struct error *error)
{
    struct user_rung user;
    enum status status = user_rung_read(work->problem.kernel, work->arguments->file, work->problem.type,
                                        &work->arguments->how, &user, error);
    if (status == STATUS_OK && user.compiler[0])
        work->problem.type = user.type; /* that of its own elements */
    work->own = user.rung;
    if (status == STATUS_OK && user.assumed[0])
        tell("uskor", user.assumed);
    return status == STATUS_OK ? selection_add_rung(&work->selection, user.rung->name, error) : status;
}

/* A file that does not compile is wrong use; what its compiler says has several lines. */
static enum status require_compiled(const struct work *work, struct error *error)
{
    for (size_t i = 0; work->own && i < work->list.count; i++) {
        const struct explanation *explanation = &work->list.items[i];
        if (explanation->rung == work->own && explanation->compiled.is_broken)
            return fail(error, STATUS_INVALID, "%s", explanation->compiled.reason);
    }
    return STATUS_OK;
}

static enum status show(const struct work *work, struct error *error)
{
    enum status status = require_compiled(work, error);
    if (status == STATUS_OK && work->arguments->json && !explain_json(stdout, &work->list))
        status = fail(error, STATUS_SYSTEM, "standard output: cannot write: %s", result_reason(stdout));
    else if (status == STATUS_OK && !work->arguments->json)
        (work->arguments->advises ? explain_print_advice
         : work->arguments->brief ? explain_print_brief
                                  : explain_print)(stdout, &work->list);
    return status;
}

/* ---- a user's file: inside the walls -------------------------------------------------------------------------- */

static int report(const struct work *work, enum status status, const struct error *error)
{
    if (status == STATUS_INVALID && work->arguments->file) {
        tell_lines("uskor", error->text);
        return said_all(EXIT_USE);
    }
    return said_all(status == STATUS_OK ? EXIT_DONE : report_error(status, error));
}

/* Of all that was opened outside only the rung's own file is left. What is kept on disk is neither read nor written
 * from now on: the file's code would be the one that writes it. */
static enum status enter_walls(const struct work *work, struct error *error)
{
    child_process_forbid();
    return walls_enter(&(struct walls){.stage = WALLS_EXPLAIN, .folder = work->folder.path}, error);
}

static int explain_inside(void *context)
{
    struct work *work = context;
    const void *code = NULL;
    struct error error;
    enum status status = enter_walls(work, &error);
    if (status == STATUS_OK)
        status = user_rung_code(&code, &error);
    for (size_t i = 0; i < work->list.count; i++)
        if (work->requests[i].rung == work->own)
            work->requests[i].code = code;
    if (status == STATUS_OK)
        status = explain_all(work, &error);
    if (status == STATUS_OK)
        status = show(work, &error);
    return report(work, status, &error);
}

/* The process inside has no terminal to ask. */
static enum status hold_style(struct error *error)
{
    const struct style style = style_for(stdout);
    char columns[16];
    snprintf(columns, sizeof columns, "%d", style.width);
    style_choose_colour(style.colour ? "always" : "never");
    return style.folds && setenv("COLUMNS", columns, 1) != 0 ? fail(error, STATUS_SYSTEM, "no memory") : STATUS_OK;
}

/* Everything that the file's code must not have is closed before it is loaded. */
static enum status explain_confined(struct work *work, int *code, struct error *error)
{
    store_close(work->store);
    work->store = NULL;
    enum status status = temporary_folder_make(FOLDER_TRACE, &work->folder, error);
    if (status == STATUS_OK)
        status = user_rung_lay_out(work->folder.path, error);
    if (user_rung_is_module())
        cache_keep_within();
    else
        traced_program_hold_hooks();
    if (status == STATUS_OK && setenv("TMPDIR", work->folder.path, 1) != 0)
        status = fail(error, STATUS_SYSTEM, "no memory");
    if (status == STATUS_OK)
        status = hold_style(error);
    if (status == STATUS_OK)
        status = service_run(explain_services, work->folder.path, explain_inside, work, code, error);
    temporary_folder_remove(&work->folder);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------------------------ */

static enum status explain_problem(struct work *work, int *code, struct error *error)
{
    enum status status = problem_parse(work->arguments->problem, &work->problem, error);
    work->list.problem = &work->problem;
    if (status == STATUS_OK && work->arguments->file)
        status = add_file(work, error);
    if (status == STATUS_OK)
        status = open_store(work, error);
    if (status == STATUS_OK)
        status = open_places(work, error);
    if (status == STATUS_OK)
        status = choose_rungs(work, error);
    if (status == STATUS_OK && work->arguments->file)
        return explain_confined(work, code, error);
    if (status == STATUS_OK)
        status = explain_all(work, error);
    return status == STATUS_OK ? show(work, error) : status;
}

static void release(struct work *work)
{
    for (size_t i = 0; i < work->list.count; i++)
        explanation_free(&work->list.items[i]);
    free(work->list.items);
    free(work->list.targets);
    free(work->requests);
    free(work->parameters);
    free(work->measured_ns);
    explain_place_close(&work->device);
    explain_place_close(&work->cpu);
    store_close(work->store);
}

int cmd_explain(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct work work = {.arguments = &arguments};
    struct error error;
    options_parse(&usage, argc, argv, &arguments);
    if (arguments.balance) {
        if (arguments.json)
            explain_balance_json(stdout);
        else
            explain_balance_print(stdout);
        return said_all(EXIT_DONE);
    }
    work.selection = arguments.selection;
    progress_begin();
    int code = EXIT_DONE; /* of the process inside the walls, which has reported */
    enum status status = explain_problem(&work, &code, &error);
    progress_end();
    release(&work);
    return status == STATUS_OK && code != EXIT_DONE ? code : report(&work, status, &error);
}
