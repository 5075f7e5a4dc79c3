#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child_process.h"
#include "base/message.h"
#include "base/size.h"
#include "base/visible.h"
#include "cli/commands/try_job.h"
#include "cli/options/outcome.h"
#include "explain/memory/access_trace.h"
#include "explain/memory/group.h"
#include "explain/memory/traced_program.h"
#include "explain/target.h"
#include "explain/tool_service.h"
#include "lab/bench/describe.h"
#include "walls/walls.h"

#define TARGET "sm_90" /* whose bounds of local memory and items hold */
#define LIMIT_NS 20000000000
#define OPERATIONS_MOST 1e6             /* an access takes some 20 ns here */
#define EVENTS_MOST (UINT64_C(1) << 22) /* of a group: one that waits for a group behind it does not end */

/* What the process prints first. */
static const char race_word[] = "race", update_word[] = "update", order_word[] = "order", clear_word[] = "clear";

/* ---- the judge's side ------------------------------------------------------------------------------------------ */

static double operations_of(const struct problem *problem)
{
    return problem->kernel->cost(problem).operations + problem->kernel->cost(problem).bytes_read;
}

void try_races_offer(struct try_job *job, const struct problem *problem, const struct measurement *measurement)
{
    struct try_races *races = &job->races;
    const double operations = operations_of(problem);
    size_t least = 0;
    if (!job->user.rung->source || (operations > OPERATIONS_MOST && races->count))
        return;
    for (size_t i = 0; i < races->count; i++)
        least = races->problems[i].operations < races->problems[least].operations ? i : least;
    const bool is_full = races->count == COUNT_OF(races->problems);
    if (is_full && races->problems[least].operations >= operations)
        return;
    struct races_problem *place = &races->problems[is_full ? least : races->count++];
    place->problem = *problem;
    place->operations = operations;
    snprintf(place->device, sizeof place->device, "%s", measurement->device);
}

static size_t add_option(const char **arguments, size_t count, const char *option, const char *value)
{
    if (value) {
        arguments[count++] = option;
        arguments[count++] = value;
    }
    return count;
}

void try_races_start(struct try_job *job)
{
    struct try_races *races = &job->races;
    const char *arguments[24] = {"try", job->kernel->name, job->user.path};
    char texts[COUNT_OF(races->problems)][PROBLEM_TEXT_MAX];
    size_t count = 3;
    if (!races->count || temporary_folder_make(FOLDER_ADVICE, &races->folder, NULL) != STATUS_OK)
        return;
    snprintf(races->said, sizeof races->said, "%s/races", races->folder.path);
    for (size_t i = 0; i < races->count; i++)
        arguments[count++] = problem_text(&races->problems[i].problem, texts[i]);
    count = add_option(arguments, count, "--entry", job->how.entry);
    count = add_option(arguments, count, "--args", job->how.arguments);
    count = add_option(arguments, count, "--group", job->how.group);
    count = add_option(arguments, count, "--groups", job->how.groups);
    count = add_option(arguments, count, "--store", "none");
    arguments[count] = "--races";
    races->process = (struct own_process){.arguments = arguments, .output = races->said, .limit_ns = LIMIT_NS};
    if (own_process_start(&races->process) != 0)
        try_races_end(job);
    races->process.arguments = NULL;
}

/* Lines of the process: a word; the problem's number, two lines and an array; the reason why the answer is wrong. Of a
 * lost update there is neither array nor reason. */
struct finding {
    char word[16], array[64], reason[256];
    size_t number;
    int lines[2];
};

static bool read_finding(const char *path, struct finding *finding)
{
    char line[128] = "";
    FILE *said = fopen(path, "re");
    *finding = (struct finding){.word = ""};
    bool is_read = said && fgets(line, sizeof line, said) &&
                   sscanf(line, "%15s %zu %d %d %63s", finding->word, &finding->number, &finding->lines[0],
                          &finding->lines[1], finding->array) >= 1;
    if (is_read && fgets(finding->reason, sizeof finding->reason, said))
        finding->reason[strcspn(finding->reason, "\n")] = '\0';
    if (said)
        fclose(said);
    visible_make(finding->array, sizeof finding->array);
    visible_make(finding->reason, sizeof finding->reason);
    return is_read;
}

bool try_races_found(struct try_job *job, struct measurement *measurement)
{
    struct try_races *races = &job->races;
    struct finding finding;
    if (!races->process.child || own_process_wait(&races->process) != 0 || !read_finding(races->said, &finding))
        return false;
    races->is_clear = strcmp(finding.word, clear_word) == 0;
    const bool is_race = strcmp(finding.word, race_word) == 0, is_order = strcmp(finding.word, order_word) == 0;
    const bool is_update = strcmp(finding.word, update_word) == 0;
    if ((!is_race && !is_order && !is_update) || finding.number >= races->count)
        return false;
    const struct races_problem *one = &races->problems[finding.number];
    struct candidate candidate;
    struct device *device = NULL;
    for (size_t d = 0; d < job->session.selection.device_count; d++)
        if (strcmp(job->session.selection.devices[d]->id, one->device) == 0)
            device = job->session.selection.devices[d];
    if (!device || candidate_make(device, job->user.rung, &one->problem, NULL, &candidate, NULL) != STATUS_OK)
        return false;
    describe_measurement(measurement, &one->problem, &candidate, false);
    measurement->verdict = VERDICT_FAIL;
    if (is_race)
        explain(
            measurement->reason, sizeof measurement->reason,
            "items race: lines %d and %d access the local array '%s' without a barrier in between; in another order "
            "of the items: %s",
            finding.lines[0], finding.lines[1], finding.array, finding.reason);
    else if (is_update)
        explain(measurement->reason, sizeof measurement->reason,
                "items race: lines %d and %d write an element of global memory that both items read before, without a "
                "barrier in between: updates are lost",
                finding.lines[0], finding.lines[1]);
    else
        explain(measurement->reason, sizeof measurement->reason,
                "the answer depends on the order of groups or items; in another one: %s", finding.reason);
    return true;
}

bool try_races_hide(const struct try_job *job, const struct device *device)
{
    return device->properties.is_cpu && device->properties.units == 1 && !job->races.is_clear;
}

bool try_races_unsearched(const struct try_job *job, const struct device *device)
{
    return device->properties.is_cpu && job->user.rung->source && !job->races.is_clear;
}

void try_races_end(struct try_job *job)
{
    own_process_stop(&job->races.process);
    if (job->races.said[0])
        temporary_folder_remove(&job->races.folder);
    job->races = (struct try_races){.count = 0};
}

/* ---- the process of the search ----------------------------------------------------------------------------------- */

/* The outputs of a traced run, checked beside the inputs as they were. */
struct checking {
    const struct problem *problem;
    const struct rung *rung;
    const struct parameters *parameters;
    struct check_result result;
};

static void check(void *context, const struct array *arrays, struct host_arrays host)
{
    struct checking *checking = context;
    const struct kernel *kernel = checking->problem->kernel;
    struct host_arrays input = {{NULL}};
    bool has_room = true;
    checking->result = (struct check_result){.passed = true};
    for (int i = 0; i < KERNEL_ARRAYS_MAX && arrays[i].name && host.data[i]; i++)
        if (arrays[i].direction != ARRAY_OUT)
            has_room = has_room && (input.data[i] = malloc(arrays[i].bytes ? arrays[i].bytes : 1));
    if (has_room && rung_bound(checking->rung, checking->problem, checking->parameters, &checking->result.bound,
                               NULL) == STATUS_OK) {
        checking->result.is_users = true;
        kernel->fill(checking->problem, arrays, input);
        kernel->check(checking->problem, arrays, input, host, &checking->result);
    }
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        free(input.data[i]);
}

/* One order. False: it cannot be traced. */
static bool run_in(enum explain_order order, const struct explain_target *target, struct checking *checking,
                   struct explain_race *race, bool *races)
{
    struct memory_rules rules;
    struct explain_trace trace;
    struct error unused;
    struct explain_request request = {
        .rung = checking->rung,
        .order = order,
        .problem = checking->problem,
        .parameters = *checking->parameters,
        .capability = target->capability->version,
        .local_bytes_per_group = target->properties.local_bytes_per_group,
        .rules = &rules,
        .rule_count = 1,
        .inspect = check,
        .context = checking,
    };
    if (memory_rules_of(request.capability, L1_DEFAULT, false, &rules, &unused) != STATUS_OK ||
        explain_trace_run(&request, &trace, &unused) != STATUS_OK)
        return false;
    for (size_t i = 0; i < trace.race_count; i++)
        if (!*races || trace.races[i].is_global) {
            *race = trace.races[i];
            *races = true;
        }
    explain_trace_free(&trace);
    return true;
}

/* A race in local memory counts where an order makes the answer wrong, a lost update always; an answer that is wrong in
 * order, too, without a race, is the trace's own. Returns whether something was printed. */
static bool search(const struct rung *rung, const struct problem *problem, size_t number,
                   const struct explain_target *target, bool *is_traced)
{
    struct parameters parameters;
    struct checking checking = {.problem = problem, .rung = rung, .parameters = &parameters};
    struct explain_race race;
    bool races = false, was_right;
    if (rung_defaults(rung, problem, &parameters, NULL) != STATUS_OK ||
        !run_in(EXPLAIN_FORWARD, target, &checking, &race, &races))
        return false;
    *is_traced = true;
    if (races && race.is_global) {
        printf("%s %zu %d %d\n", update_word, number, race.lines[0], race.lines[1]);
        return true;
    }
    was_right = checking.result.passed;
    for (enum explain_order order = EXPLAIN_BACKWARD; checking.result.passed && order <= EXPLAIN_OTHER_VALUES; order++)
        if (!run_in(order, target, &checking, &race, &races))
            return false;
    if (checking.result.passed || checking.result.unfinished || (!was_right && !races))
        return false;
    if (races)
        printf("%s %zu %d %d %s\n%s\n", race_word, number, race.lines[0], race.lines[1], race.array,
               checking.result.reason);
    else
        printf("%s %zu\n%s\n", order_word, number, checking.result.reason);
    return true;
}

static int search_all(struct try_job *job)
{
    struct explain_target target;
    const struct bench_session *session = &job->session;
    bool is_traced = false, is_found = false;
    group_events_max = EVENTS_MOST;
    if (explain_target_parse(TARGET, &target, NULL) != STATUS_OK)
        return EXIT_DONE;
    for (size_t t = 2; !is_found && t < session->target_count; t++) {
        struct problem problem;
        if (problem_parse(session->targets[t], &problem, NULL) == STATUS_OK)
            is_found = search(job->user.rung, &problem, t - 2, &target, &is_traced);
    }
    if (is_traced && !is_found)
        printf("%s\n", clear_word);
    return said_all(EXIT_DONE);
}

/* The kernel's code runs in this process. */
static int search_inside(void *context)
{
    struct try_job *job = context;
    struct error error;
    child_process_forbid();
    enum status status = walls_enter(&(struct walls){.stage = WALLS_EXPLAIN, .folder = job->races.folder.path}, &error);
    return status == STATUS_OK ? search_all(job) : report_error(status, &error);
}

int try_races_search(struct try_job *job)
{
    struct temporary_folder *folder = &job->races.folder;
    struct error error;
    int code = EXIT_DONE;
    enum status status = job->user.rung->source ? temporary_folder_make(FOLDER_TRACE, folder, &error) : STATUS_OK;
    if (status == STATUS_OK && !job->user.rung->source)
        return EXIT_DONE;
    traced_program_hold_hooks();
    if (status == STATUS_OK && setenv("TMPDIR", folder->path, 1) != 0)
        status = fail(&error, STATUS_SYSTEM, "no memory");
    if (status == STATUS_OK)
        status = service_run(explain_services, folder->path, search_inside, job, &code, &error);
    temporary_folder_remove(folder);
    return status == STATUS_OK ? code : report_error(status, &error);
}
