#include "cli/commands/bench_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "base/threads.h"
#include "base/unpredictable.h"
#include "cli/commands/ranks_table.h"
#include "cli/options/outcome.h"
#include "cli/options/recording.h"
#include "distributed/ranks/cost_model.h"
#include "distributed/ranks/links.h"
#include "distributed/ranks/measure.h"
#include "distributed/ranks/own_parts.h"
#include "store/noise.h"

#define METHODS_MAX 16

#define GROUPS_MOST 24 /* 1, 2, 4 … ranks, and all */

struct over_ranks {
    struct bench_session *session;
    const struct ranks_request *request;
    struct ranks world;
    struct device *device;
    const char *names[SELECTION_MAX]; /* of methods (--rung); none: all */
    size_t name_count;
    struct links links[GROUPS_MOST]; /* of the groups of 1, 2, 4 … ranks */
    int threads;
    bool has_nccl; /* all ranks can exchange by it: `resident` is then there for who names it */
    struct links nccl_links;
    double time_alone; /* ns: the median on one rank of the method under way, however noisy */
    bool has_failed, has_run;
    struct ranks_report report;
    json_t *document; /* for programs: the problems so far */
};

/* ---- what each rank computes with ---- */

/* "cuda" is this rank's own among the devices of its host; "cuda:1" is that one for all. `*shares`: another rank has
 * the same. */
static enum status open_device(struct over_ranks *over, const struct ranks *host, bool *shares, struct error *error)
{
    const struct selection *selection = &over->session->selection;
    const char *name = selection->device_name_count ? selection->device_names[0] : "cpu";
    char own[64];
    int count = 0;
    snprintf(own, sizeof own, "%s", name);
    *shares = host->count > 1;
    for (size_t i = 0; backends[i]; i++)
        if (strcmp(backends[i]->name, name) == 0 && backends[i]->kind != BACKEND_CPU &&
            backends[i]->probe(&count, NULL) == STATUS_OK && count > 0) {
            snprintf(own, sizeof own, "%s:%d", name, host->rank % count);
            *shares = host->count > count;
        }
    enum status status = device_open(own, &over->device, error);
    if (status == STATUS_OK && over->world.rank == 0) /* the session's, which keeps its facts and closes it */
        over->session->selection.devices[over->session->selection.device_count++] = over->device;
    return status;
}

/* More threads than there are cores for them take turns: what is timed is then the scheduler. */
static void warn_of_turns(const struct rank_share *share, int threads)
{
    if (share->sharers * threads > share->cores)
        report_warning("warning: %d ranks of %d threads on %d cores take turns; figures are worth little",
                       share->sharers, threads, share->cores);
}

static enum status begin_rank(struct over_ranks *over, struct error *error)
{
    struct ranks host;
    enum status status = ranks_on_host(&over->world, &host, error);
    if (status != STATUS_OK)
        return status;
    struct rank_share share = {.cores = 1, .sharers = 1};
    status = ranks_share(&host, &share, error);
    over->threads = over->session->threads ? over->session->threads : rank_share_threads(&share);
    threads_set(over->threads);
    if (status == STATUS_OK && over->world.rank == 0)
        warn_of_turns(&share, over->threads);
    bool shares = true;
    if (status == STATUS_OK)
        status = open_device(over, &host, &shares, error);
    ranks_free(&host);
    over->has_nccl = status == STATUS_OK && !shares;
    return status;
}

/* 1, 2, 4 … ranks, and all of them last. */
static int next_count(int count, int all)
{
    return count == all ? 0 : 2 * count < all ? 2 * count : all;
}

static struct links *links_of(struct over_ranks *over, int count)
{
    size_t index = 0;
    for (int before = 1; before < count; before = next_count(before, over->world.count))
        index++;
    return &over->links[index];
}

/* Of every group, while the other ranks sleep. */
static enum status measure_links(struct over_ranks *over, struct error *error)
{
    enum status status = STATUS_OK;
    for (int count = 1; status == STATUS_OK && count > 0; count = next_count(count, over->world.count)) {
        struct ranks part;
        status = ranks_split(&over->world, over->world.rank < count ? 0 : -1, &part, error);
        if (status == STATUS_OK && part.count > 0)
            status = links_measure(&part, over->session->options.seconds, links_of(over, count), error);
        ranks_free(&part);
        if (status == STATUS_OK)
            status = ranks_rest(&over->world, error);
    }
    return status;
}

/* Asks NCCL for a first exchange: whether it works here, and how fast. Off the clock of every method. */
static enum status try_nccl(struct over_ranks *over, struct error *error)
{
    struct error why;
    enum status status = ranks_agree(
        &over->world, over->has_nccl ? STATUS_OK : fail(&why, STATUS_UNAVAILABLE, "no device of its own"), &why);
    over->nccl_links = *links_of(over, over->world.count);
    if (status == STATUS_OK && over->world.count > 1)
        status = nccl_link_measure(&over->world, over->device, &over->nccl_links, &why);
    over->has_nccl = status == STATUS_OK;
    return status == STATUS_SYSTEM ? fail(error, status, "%s", why.text) : STATUS_OK;
}

/* ---- methods ---- */

/* Resident methods are for devices with memory of their own; on the cpu they are there for who names them. So are,
 * where NCCL is, those whose parts pass through host memory: they take tens of times as long. */
static bool is_wanted(const struct over_ranks *over, const struct method *method)
{
    if (over->name_count == 0 && method->resident && over->device &&
        (over->device->backend->kind == BACKEND_CPU || (over->has_nccl && !method->by_nccl)))
        return false;
    for (size_t i = 0; i < over->name_count; i++)
        if (strcmp(over->names[i], method->name) == 0)
            return true;
    return over->name_count == 0;
}

static size_t methods_for(const struct over_ranks *over, const struct kernel *kernel, const struct method *found[])
{
    size_t count = 0;
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel->name) == 0 && is_wanted(over, methods[i]) && count < METHODS_MAX)
            found[count++] = methods[i];
    return count;
}

/* STATUS_INVALID names the methods that there are. */
static enum status check_methods(const struct over_ranks *over, const struct kernel *kernel, struct error *error)
{
    const struct method *found[METHODS_MAX];
    char names[256] = "";
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel->name) == 0)
            text_append(names, sizeof names, "%s%s", *names ? ", " : "", methods[i]->name);
    if (!*names)
        return fail(error, STATUS_INVALID, "%s: is not solved over several ranks", kernel->name);
    if (methods_for(over, kernel, found) == 0)
        return fail(error, STATUS_INVALID, "%s: no such method over ranks; there are: %s", kernel->name, names);
    return STATUS_OK;
}

/* ---- measuring ---- */

static enum status measure_group(struct over_ranks *over, const struct problem *problem, const struct method *method,
                                 int count, uint32_t seed, struct ranks_row *row, struct error *error)
{
    const struct bench_options *options = &over->session->options;
    struct timing timing = {.seconds = options->seconds,
                            .samples = options->samples_least,
                            .seed = over->session->has_seed ? over->session->seed : seed,
                            .in_parts = over->request->weak};
    struct ranks part;
    enum status status = ranks_split(&over->world, over->world.rank < count ? 0 : -1, &part, error);
    if (status == STATUS_OK && part.count > 0)
        status = distributed_measure(method, problem, &part, over->device, &timing, &row->result, error);
    ranks_free(&part);
    if (status != STATUS_OK) /* the others wait in the next line, and would wait for ever */
        return status;
    return ranks_rest(&over->world, error);
}

/* Of methods by NCCL, which cannot be muted, the parts take one rank's time, shared out. */
static void estimate(struct over_ranks *over, const struct problem *problem, struct ranks_row *row)
{
    const struct method *method = row->method;
    const struct links *links = method->by_nccl ? &over->nccl_links : links_of(over, row->count);
    row->links = links;
    row->parts = method->by_nccl ? over->time_alone : row->result.parts;
    row->parts_count = method->by_nccl ? 1 : row->count;
    if (row->count > 1 && row->parts > 0 && links->ranks > 1)
        row->predicted = cost_predict(method, problem, row->count, row->parts, row->parts_count, links);
}

static void note(struct over_ranks *over, const struct problem *problem, const struct method *method, int count,
                 struct ranks_row *row)
{
    row->method = method;
    row->problem = *problem;
    row->count = count;
    if (count == 1)
        over->time_alone = row->result.time.median;
    row->alone = count == 1 ? summary_figure(&row->result.time) : over->report.alone;
    over->report.alone = row->alone;
    estimate(over, problem, row);
    over->has_run = over->has_run || row->result.verdict == STATUS_OK;
    over->has_failed =
        over->has_failed || (row->result.verdict != STATUS_OK && row->result.verdict != STATUS_UNAVAILABLE);
}

/* Rank 0 keeps what was measured. */
static enum status keep(struct over_ranks *over, const struct ranks_row *row, struct error *error)
{
    if (!ranks_report_add(&over->report, row))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    if (over->world.rank != 0)
        return STATUS_OK;
    struct measurement *made = ranks_record(&over->session->list, &over->report, row);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    bench_session_keep(over->session, made);
    return STATUS_OK;
}

static enum status bench_method(struct over_ranks *over, const struct problem *problem, const struct method *method,
                                uint32_t seed, struct error *error)
{
    enum status status = STATUS_OK;
    over->report.alone = 0;
    for (int count = 1; status == STATUS_OK && count > 0; count = next_count(count, over->world.count)) {
        struct ranks_row row = {0};
        struct problem grown = *problem;
        if (over->request->weak)
            own_parts_grow(&grown, (size_t)count);
        status = measure_group(over, &grown, method, count, seed, &row, error);
        if (status != STATUS_OK)
            break;
        note(over, &grown, method, count, &row);
        if (row.result.verdict == STATUS_UNAVAILABLE && count != over->world.count)
            continue; /* one line says it: the last */
        status = keep(over, &row, error);
    }
    return status;
}

static enum status bench_problem(struct over_ranks *over, const struct problem *problem, struct error *error)
{
    const struct method *found[METHODS_MAX];
    uint32_t seed = (uint32_t)unpredictable();
    size_t count = methods_for(over, problem->kernel, found);
    enum status status = STATUS_OK;
    ranks_report_begin(&over->report, problem);
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        status = bench_method(over, problem, found[i], seed, error);
    if (status == STATUS_OK && over->world.rank == 0 && over->session->form == FORM_TABLE)
        ranks_report_print(&over->report, over->session->result.stream);
    if (status == STATUS_OK && over->document)
        json_array_append_new(over->document, ranks_report_json(&over->report));
    ranks_report_end(&over->report);
    return status;
}

static enum status each_problem(struct over_ranks *over, bool measures, struct error *error)
{
    struct bench_session *session = over->session;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < session->target_count; i++) {
        const char *text = session->targets[i];
        const struct kernel *kernel = strchr(text, ':') ? NULL : kernel_by_name(text, NULL);
        struct problem *problems;
        size_t count;
        status = problem_parse_range(kernel ? kernel->bench : text, &problems, &count, error);
        if (status != STATUS_OK)
            return status;
        for (size_t p = 0; status == STATUS_OK && p < count; p++) {
            if (session->has_seed)
                problems[p].seed = session->seed;
            status =
                measures ? bench_problem(over, &problems[p], error) : check_methods(over, problems[p].kernel, error);
        }
        free(problems);
    }
    return status;
}

/* ---- the command ---- */

const char *const options_over_ranks[] = {"device", "rung", "seed",   "threads", "limit", "time",  "samples", "weak",
                                          "json",   "csv",  "output", "force",   "store", "label", NULL};

/* What only rank 0 does: it opens the store and the output, and writes. */
static enum status begin_first(struct over_ranks *over, struct error *error)
{
    struct bench_session *session = over->session;
    enum status status = recording_open(session, error);
    if (status == STATUS_OK)
        status = result_open(session->output, session->force, &session->result, error);
    if (status == STATUS_OK && session->form == FORM_JSON)
        over->document = json_array();
    return status;
}

static enum status begin(struct over_ranks *over, struct error *error)
{
    const struct bench_session *session = over->session;
    char honoured[256] = "";
    for (size_t i = 0; options_over_ranks[i]; i++)
        text_append(honoured, sizeof honoured, "%s--%s", i ? ", " : "", options_over_ranks[i]);
    if (over->request->refused)
        return fail(error, STATUS_INVALID, "--%s is not for several ranks; these are: %s", over->request->refused,
                    honoured);
    if (session->selection.device_name_count > 1)
        return fail(error, STATUS_INVALID, "over several ranks each has one --device");
    if (session->options.samples_least > DISTRIBUTED_SAMPLES_MAX)
        return fail(error, STATUS_INVALID, "--samples: at most %d over several ranks", DISTRIBUTED_SAMPLES_MAX);
    enum status status = each_problem(over, false, error);
    if (status == STATUS_OK && over->world.rank == 0)
        status = begin_first(over, error);
    return status == STATUS_OK ? begin_rank(over, error) : status;
}

/* Every rank's problems, methods, threads and devices must be the same: what is collective would wait for ever. */
static enum status compare_tasks(const struct over_ranks *over, struct error *error)
{
    char text[4096] = "";
    const struct selection *selection = &over->session->selection;
    for (size_t i = 0; i < over->session->target_count; i++)
        text_append(text, sizeof text, "%s ", over->session->targets[i]);
    for (size_t i = 0; i < over->name_count; i++)
        text_append(text, sizeof text, "--rung %s ", over->names[i]);
    for (size_t i = 0; i < selection->device_name_count; i++)
        text_append(text, sizeof text, "--device %s ", selection->device_names[i]);
    if (over->session->threads)
        text_append(text, sizeof text, "--threads %d ", over->session->threads);
    if (over->session->has_seed)
        text_append(text, sizeof text, "--seed %u ", over->session->seed);
    if (over->request->weak)
        text_append(text, sizeof text, "--weak ");
    text_append(text, sizeof text, "--samples %u --time %g", over->session->options.samples_least,
                over->session->options.seconds);
    return ranks_same_text(&over->world, text, error);
}

static bool write_json(FILE *stream, const struct bench_session *session)
{
    const struct over_ranks *over = session->context;
    return ranks_document_write(stream, &over->report, over->document);
}

static void print_nothing(FILE *stream, const struct bench_session *session, struct style style)
{
    (void)stream, (void)session, (void)style; /* each table was printed when it was made */
}

/* Rank 0 writes, and its verdict is everybody's exit code. */
static int end(struct over_ranks *over, enum status status, struct error *error)
{
    int code = status != STATUS_OK ? exit_code_for(status)
               : over->has_failed  ? EXIT_WRONG
               : over->has_run     ? EXIT_DONE
                                   : EXIT_NOTHING;
    if (ranks_are_broken() && over->world.rank > 0)
        report_error(fail_in(error, status, "rank %d", over->world.rank), error);
    if (over->world.rank == 0) {
        over->session->context = over;
        over->session->write_json = write_json;
        over->session->judges_nothing = true;
        const int ended = bench_session_end(over->session, status, error, print_nothing);
        code = ended != EXIT_DONE ? ended : code;
        json_decref(over->document);
    }
    if (over->world.rank > 0)
        device_close(over->device);
    return code;
}

int bench_over_ranks(struct bench_session *session, const struct ranks_request *request)
{
    struct over_ranks over = {.session = session, .request = request, .name_count = session->selection.rung_name_count};
    struct error error;
    memcpy(over.names, session->selection.rung_names, sizeof over.names);
    enum status status = ranks_start(&over.world, &error);
    if (status != STATUS_OK) /* the same on all ranks: one tells */
        return report_error_of_ranks(status, &error);
    status = compare_tasks(&over, &error);
    if (status == STATUS_OK)
        status = ranks_agree(&over.world, begin(&over, &error), &error);
    if (status == STATUS_OK)
        status = measure_links(&over, &error);
    if (status == STATUS_OK)
        status = try_nccl(&over, &error);
    over.report.world = over.world.count;
    over.report.weak = request->weak;
    over.report.threads = over.threads;
    over.report.links = links_of(&over, over.world.count);
    over.report.nccl_links = over.has_nccl ? &over.nccl_links : NULL;
    over.report.device = over.device;
    if (status == STATUS_OK)
        status = each_problem(&over, true, &error);
    const int code = said_all(end(&over, status, &error));
    if (ranks_are_broken())
        ranks_abort(code);
    ranks_end(&over.world, code);
    return code;
}
