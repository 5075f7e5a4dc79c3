/* uskor overlap: a job cut into parts that go through several queues. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "lab/bench/stored_times.h"
#include "lab/transfers/overlap.h"
#include "report/terminal/gantt.h"

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    struct overlap_options options;
    struct timeline_list timelines;
};

static const char doc[] =
    N_("Cut a job into parts and let them overlap: one part's copy in, another's computing, a third's "
       "copy out, on several queues (CUDA: streams). The result is compared with the longest of the "
       "three phases, each alone.\n\nTimes are from host memory to host memory, by the host's clock. "
       "The ceiling is the longest of the whole job's three phases, each alone, in the same rounds. "
       "both copies at once: what the bus reaches in both directions together; of both: the share of "
       "that, where it takes longer than the ceiling. Every element of each form's result is checked, "
       "before and after the timing.\n\nA PROBLEM is written as for uskor bench. Without --rung it is, "
       "on a GPU, a rung that leaves L2 to the copies (tunable EVICT_FIRST); else the rung that serves "
       "the problem on the device, by measurements. The timeline of each form is drawn below the table "
       "and kept in the store. The cpu has one queue, so nothing overlaps there.");

static bool parse_queues(const char *text, struct overlap_options *how)
{
    char copy[64];
    if (strlen(text) >= sizeof copy)
        return false;
    strcpy(copy, text);
    how->queues_count = 0;
    for (char *rest = copy, *word; (word = strsep(&rest, ","));) {
        int64_t number;
        if (how->queues_count == OVERLAP_FORMS_MAX)
            return false;
        if (strcmp(word, "phases") == 0)
            number = OVERLAP_BY_PHASE;
        else if (!text_integer(word, &number) || number < 1 || number > OVERLAP_QUEUES_MAX)
            return false;
        how->queues[how->queues_count++] = (unsigned)number;
    }
    return how->queues_count > 0;
}

static void read_queues(void *how, const char *argument, const struct options_state *state)
{
    if (!parse_queues(argument, how))
        refuse_use(state, "'%s' is not a list of numbers of queues from 1 to %d, e.g. 1,2,4,8,phases", argument,
                   OVERLAP_QUEUES_MAX);
}

static void read_memory(void *kind, const char *argument, const struct options_state *state)
{
    enum memory_kind *memory = kind;
    struct error error;
    if (memory_kind_parse(argument, memory, &error) != STATUS_OK)
        refuse_use(state, "%s", error.text);
    if (memory_kind_is_shared(*memory))
        refuse_use(state, "%s memory is not copied: there is nothing to overlap", argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    if (!((struct arguments *)input)->session.target_count)
        refuse_use(state, "which job? For example: uskor overlap transpose:rows=8192,cols=8192");
}

static const struct option options[] = {
    {"chunks", 0, "N", N_("Cut the job into N parts (default: 4 to 128, by its size)"),
     SETS_WHOLE(struct arguments, options.parts, 2, OVERLAP_PARTS_MAX)},
    {"queues", 0, "N,…", N_("Numbers of queues to try, 1 to 8; phases: one for each phase (default: 1,2,4,8,phases)"),
     READ_INTO(struct arguments, options, read_queues)},
    {"memory", 0, N_("KIND"), N_("Where the host's side lies: pinned (default), registered or pageable"),
     READ_INTO(struct arguments, options.memory, read_memory)},
    {0},
};

static const struct usage usage = {
    .options = options, .check = check_usage, .args_doc = N_("PROBLEM…"), .doc = doc, .shared = &measuring_usage};

/* Of the rungs that the user named, the last that does not refuse; the first one where all do, for its reason. */
static const struct candidate *choose_named(const struct candidate *candidates, size_t count,
                                            const struct problem *problem)
{
    const struct candidate *chosen = NULL;
    char reason[512];
    for (size_t i = 0; i < count; i++) {
        const struct candidate *each = &candidates[i];
        if (!chosen || !rung_refuses(each->rung, problem, each->device, &each->parameters, reason, sizeof reason))
            chosen = each;
    }
    return chosen;
}

static const struct candidate *preferred_of(const struct candidate *candidates, size_t count,
                                            const struct problem *problem)
{
    char reason[512];
    for (size_t i = 0; i < count; i++) {
        const struct candidate *each = &candidates[i];
        if (overlap_prefers(each->rung, each->device) &&
            !rung_refuses(each->rung, problem, each->device, &each->parameters, reason, sizeof reason))
            return each;
    }
    return NULL;
}

/* The candidate that spares the copies' cache (overlap_prefers), or else whose rung serves the problem there
 * (choose_rung, with the session's stored measurements). Where every rung refuses, the first one of the device's kind,
 * for its reason; NULL where there is none. */
static const struct candidate *choose_best(struct bench_session *session, const struct candidate *candidates,
                                           size_t count, const struct problem *problem, struct device *device)
{
    const enum rung_kind kind = device->backend->kind == BACKEND_CPU ? RUNG_HOST : RUNG_DEVICE;
    const struct candidate *first = preferred_of(candidates, count, problem);
    struct stored_times stored;
    struct rung_choice choice = {0};
    struct error why;
    if (first)
        return first;
    stored_times_borrow(&stored, session->store);
    if (choose_rung(problem, device, &stored.times, &choice, &why) != STATUS_OK)
        choice.rung = NULL;
    stored_times_close(&stored);
    for (size_t i = count; i-- > 0;) {
        if (candidates[i].rung == choice.rung)
            return &candidates[i];
        if (candidates[i].rung->kind == kind)
            first = &candidates[i];
    }
    return first;
}

/* A timeline is beside its measurement in the store; one that cannot be kept takes nothing else away. */
static void keep_timeline(struct bench_session *session, const struct timeline *timeline)
{
    const struct measurement *measurement = &session->list.items[timeline->measurement];
    struct error why;
    char *text = timeline_json(timeline);
    if (session->store && measurement->id && measurement->verdict == VERDICT_PASS && text &&
        store_put_attachment(session->store, measurement->id, "timeline", text, &why) != STATUS_OK)
        bench_session_lose_store(session, &why);
    free(text);
}

static enum status overlap_on(struct arguments *arguments, const struct problem *problem, struct device *device,
                              const struct candidate *candidates, size_t count, struct error *error)
{
    struct bench_session *session = &arguments->session;
    struct candidate own[64];
    size_t own_count = 0;
    for (size_t i = 0; i < count && own_count < 64; i++)
        if (candidates[i].device == device)
            own[own_count++] = candidates[i];
    const struct candidate *chosen = session->selection.rung_name_count > 0
                                         ? choose_named(own, own_count, problem)
                                         : choose_best(session, own, own_count, problem, device);
    if (!chosen)
        return STATUS_OK; /* this kernel has no rung for the device */
    struct overlap_options how = arguments->options;
    how.progress = progress_show;
    how.progress_context = &session->progress;
    how.seconds = session->options.seconds;
    size_t before = session->list.count, timelines_before = arguments->timelines.count;
    enum status status =
        lab_overlap(problem, chosen, &session->selection.overrides, &how, &session->list, &arguments->timelines, error);
    for (size_t i = before; i < session->list.count; i++)
        bench_session_keep(session, &session->list.items[i]);
    for (size_t i = timelines_before; i < arguments->timelines.count; i++)
        keep_timeline(session, &arguments->timelines.items[i]);
    return status;
}

static enum status overlap_problem(struct bench_session *session, const struct problem *problem, struct error *error)
{
    struct arguments *arguments = session->context;
    const struct selection *selection = &session->selection;
    struct candidate *candidates;
    size_t count;
    enum status status = selection_candidates(selection, problem, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++)
        status = overlap_on(arguments, problem, selection->devices[d], candidates, count, error);
    free(candidates);
    return status;
}

static void print(FILE *stream, const struct bench_session *session, struct style style)
{
    const struct arguments *arguments = session->context;
    report_overlap(stream, &session->list, style);
    for (size_t i = 0; i < arguments->timelines.count; i++) {
        const struct timeline *timeline = &arguments->timelines.items[i];
        if (session->list.items[timeline->measurement].verdict == VERDICT_PASS)
            gantt_print(stream, timeline, style);
    }
}

int cmd_overlap(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct error error;
    bench_session_init(&arguments.session);
    arguments.session.context = &arguments;
    arguments.session.targets_most = TARGETS_MOST;
    arguments.options = overlap_defaults();
    arguments.session.options.seconds = arguments.options.seconds;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = bench_session_start(&arguments.session, &error);
    if (status == STATUS_OK)
        status = bench_session_each_problem(&arguments.session, overlap_problem, &error);
    int code = bench_session_end(&arguments.session, status, &error, print);
    timeline_list_free(&arguments.timelines);
    return code;
}
