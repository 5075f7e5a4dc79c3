/* uskor tune: measures which rung suits which problem, and keeps it where the choice reads it. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "choice/choose_rung.h"
#include "choice/code_hash.h"
#include "choice/transfers.h"
#include "choice/tuning_problems.h"
#include "cli/command.h"
#include "cli/commands/tune_parts.h"
#include "cli/options/bench_session.h"
#include "cli/options/options.h"
#include "cli/options/outcome.h"
#include "cli/options/result.h"
#include "cli/options/time_needed.h"
#include "lab/bench/background_load.h"
#include "lab/bench/interrupt.h"

/* uskor tune --contribute: what was measured here, in one file to send. */
static bool is_named(const struct bench_session *session, const struct kernel *kernel)
{
    for (size_t t = 0; t < session->target_count; t++)
        if (strcmp(session->targets[t], kernel->name) == 0)
            return true;
    return session->target_count == 0;
}

static bool is_here(const struct tuned_entry *entry, const char *path, const struct device *device)
{
    return strcmp(entry->file, path) == 0 && tuned_is_of_device(entry, device) &&
           !tuned_has_other_driver(entry, device);
}

/* Frees the line. */
static bool write_line(char *line, FILE *stream)
{
    const bool is_written = line && fputs(line, stream) >= 0;
    free(line);
    return is_written;
}

/* The file's lines of a kernel on a device that are not stale. */
static size_t write_times(const char *path, const struct kernel *kernel, const struct device *device, FILE *stream)
{
    const struct tuned_entries entries = tuned_entries(kernel, tuned_kind_of(device));
    size_t written = 0;
    for (size_t i = 0; i < entries.count; i++) {
        const struct tuned_entry *entry = &entries.items[i];
        if (is_here(entry, path, device))
            written += write_line(tuned_line(entry), stream);
    }
    return written;
}

static void write_copies(const char *path, const struct device *device, FILE *stream)
{
    struct transfers all[TRANSFERS_MOST];
    const size_t count = transfers_read(all);
    for (size_t i = 0; i < count; i++)
        if (is_here(&all[i].of, path, device))
            write_line(transfers_line(&all[i]), stream);
}

/* Writes to `contribution` the lines of the tuned file at `path` about the session's devices that are not stale, of the
 * kernels that are its targets, or of all, and those about copies. Says how many. STATUS_UNAVAILABLE where there is
 * none. */
static enum status tune_contribute(const struct bench_session *session, const char *path, const char *contribution,
                                   struct error *error)
{
    struct result result;
    size_t written = 0;
    enum status status = result_open(contribution, false, &result, error);
    if (status != STATUS_OK)
        return status;
    for (size_t d = 0; d < session->selection.device_count; d++) {
        write_copies(path, session->selection.devices[d], result.stream);
        for (size_t k = 0; kernels[k]; k++)
            if (is_named(session, kernels[k]))
                written += write_times(path, kernels[k], session->selection.devices[d], result.stream);
    }
    if (written == 0)
        status = fail(error, STATUS_UNAVAILABLE, "%s has no times of these devices: 'uskor tune' measures them", path);
    status = result_close(&result, status, error);
    if (status == STATUS_OK)
        printf(tr_plural("%zu problem written to %s\n", "%zu problems written to %s\n", written), written,
               contribution);
    return status;
}

#define SECONDS 60.0
#define VERIFIED_SECONDS 0.005
#define VERIFIED_TIMES 3
#define PREDICTIONS_MOST 64
#define LONG_NS 0.02e9 /* a run that takes longer, and so many times as long as the fastest, is not measured */
#define HOPELESS 8.0

struct arguments {
    struct bench_session session; /* first member: a pointer to it points to this struct */
    double seconds;
    bool searches;            /* --tunables */
    const char *file;         /* NULL: the user's own */
    const char *cache;        /* --kernel-tuner; NULL: none */
    const char *contribution; /* --contribute; NULL: measure */
    bool libraries;           /* --libraries */
    char path[1024];
    int64_t deadline;
    double longest; /* ns for a problem so far */
    size_t measured, known, left, wrong, disturbed;
};

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->cache && (arguments->session.target_count != 1 || !strchr(arguments->session.targets[0], ':')))
        refuse_use(state, "--kernel-tuner needs the PROBLEM of the file's times");
}

static const struct option options[] = {
    {"time", 0, N_("SECONDS"), N_("Begin no problem that would end later (default: 60)"),
     SETS_NUMBER(struct arguments, seconds, 0.1, 86400)},
    {"tunables", 0, NULL, N_("Search the values of the fastest rungs' parameters, too, by successive halving"),
     SETS_FLAG(struct arguments, searches)},
    {"kernel-tuner", 0, N_("FILE"),
     N_("Take the fastest parameters of a rung from a cache file of Kernel Tuner, where they are faster here, too"),
     SETS_TEXT(struct arguments, cache)},
    {"contribute", 0, N_("FILE"),
     N_("Measure nothing: write the times of these devices, drivers and this version to FILE, to send to the project"),
     SETS_TEXT(struct arguments, contribution)},
    {"file", 'f', N_("FILE"), N_("Add to FILE (default: uskor/tuned.jsonl in the user's data folder)"),
     SETS_TEXT(struct arguments, file)},
    {"libraries", 0, NULL, N_("Measure the vendors' libraries, too: the interposing BLAS asks for their times"),
     SETS_FLAG(struct arguments, libraries)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = N_("[KERNEL|PROBLEM…]"),
    .doc =
        N_("Measure every rung of the ladders on problems of many shapes, on each device, and keep the times for the "
           "choice: 'uskor tuned' shows it. The fastest rung of each problem is verified. A further call goes on "
           "where the last one ended; a problem that is named is measured again."),
    .shared = &measuring_tuning,
};

/* ---- one problem ------------------------------------------------------------------------------------------------ */

/* Whether a run would take long and is far from the fastest, by what is known so far. */
static bool is_hopeless(const struct prediction *predictions, size_t count, const struct rung *rung)
{
    for (size_t i = 0; i < count; i++)
        if (predictions[i].rung == rung)
            return predictions[i].nanoseconds > LONG_NS && predictions[i].cost > HOPELESS * predictions[0].cost;
    return false;
}

static enum status own_candidates(const struct arguments *arguments, const struct problem *problem,
                                  struct device *device, struct candidate **candidates, size_t *count,
                                  struct error *error)
{
    struct selection selection = arguments->session.selection;
    selection.devices[0] = device;
    selection.device_count = 1;
    enum status status = selection_candidates(&selection, problem, candidates, count, error);
    struct prediction predictions[PREDICTIONS_MOST];
    const size_t known = choose_predictions(problem, device, predictions, PREDICTIONS_MOST);
    size_t made = 0;
    for (size_t i = 0; status == STATUS_OK && i < *count; i++)
        if ((arguments->libraries || (*candidates)[i].rung->kind != RUNG_VENDOR) &&
            !is_hopeless(predictions, known, (*candidates)[i].rung))
            (*candidates)[made++] = (*candidates)[i];
    *count = status == STATUS_OK ? made : 0;
    return status;
}

/* What a bench of a few ms says of the rung's result, with the reason. */
static enum verdict verify(const struct arguments *arguments, const struct problem *problem,
                           const struct candidate *candidate, struct error *reason)
{
    struct measurement_list list = {0};
    struct bench_options how = bench_defaults();
    how.seconds = VERIFIED_SECONDS;
    how.end_to_end = how.probe_ceilings = false;
    const enum status status =
        isolation_bench(&arguments->session.isolation, problem, candidate, 1, &how, &list, reason);
    const bool is_judged = status == STATUS_OK && list.count > 0;
    const enum verdict verdict = is_judged ? list.items[0].verdict : VERDICT_ERROR;
    if (is_judged)
        fail(reason, STATUS_FAILED, "%s", list.items[0].reason);
    measurement_list_free(&list);
    return verdict;
}

/* Verifies again what failed for another reason than its result, as beside other programs. Says why it is not right. */
static bool is_right(const struct arguments *arguments, const struct problem *problem,
                     const struct candidate *candidate)
{
    char text[PROBLEM_TEXT_MAX];
    struct error reason = {0};
    enum verdict verdict = VERDICT_ERROR;
    for (int times = 0; verdict == VERDICT_ERROR && times < VERIFIED_TIMES && !interrupt_requested(); times++)
        verdict = verify(arguments, problem, candidate, &reason);
    if (verdict != VERDICT_PASS && !interrupt_requested())
        report_warning("warning: %s of %s is left out: %s: %s", candidate->rung->name, problem_text(problem, text),
                       verdict_name(verdict), reason.text);
    return verdict == VERDICT_PASS;
}

/* Removes rungs from the front of the race until the fastest one is right. */
static void keep_right(struct arguments *arguments, const struct problem *problem, const struct candidate *candidates,
                       size_t count, struct tuned_entry *entry)
{
    while (entry->count > 0 && !interrupt_requested()) {
        size_t fastest = 0;
        for (size_t t = 1; t < entry->count; t++)
            if (entry->times[t].nanoseconds < entry->times[fastest].nanoseconds)
                fastest = t;
        for (size_t i = 0; i < count; i++)
            if (strcmp(candidates[i].rung->name, entry->times[fastest].rung) == 0 &&
                is_right(arguments, problem, &candidates[i]))
                return;
        arguments->wrong += !interrupt_requested();
        entry->times[fastest] = entry->times[--entry->count];
    }
}

static void note_code(struct tuned_entry *entry, const struct candidate *candidates, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct tuned_time *time = tune_time_of(entry, candidates[i].rung);
        if (time)
            time->code = code_hash(entry->problem.kernel, candidates[i].rung);
    }
}

/* The folders of the user's own file. */
static enum status make_folders(char *path, struct error *error)
{
    for (char *at = path + 1; (at = strchr(at, '/')); *at++ = '/') {
        *at = 0;
        if (mkdir(path, 0755) != 0 && errno != EEXIST)
            return fail(error, STATUS_SYSTEM, "%s: cannot make the folder: %s", path, strerror(errno));
    }
    return STATUS_OK;
}

/* Before anything is measured: whether the file can be written, and makes its folders. A line that was cut, as where
 * the disk was full, is ended, so that the next one begins a line. */
static enum status prepare_file(struct arguments *arguments, struct error *error)
{
    char last = '\n', folder[sizeof arguments->path];
    if (!arguments->file && make_folders(arguments->path, error) != STATUS_OK)
        return STATUS_SYSTEM;
    const int file = open(arguments->path, O_RDWR | O_APPEND | O_CLOEXEC);
    snprintf(folder, sizeof folder, "%s", arguments->path);
    bool is_ready = file >= 0 || (errno == ENOENT && access(dirname(folder), W_OK) == 0);
    if (file >= 0 && lseek(file, -1, SEEK_END) >= 0 && read(file, &last, 1) == 1 && last != '\n')
        is_ready = write(file, "\n", 1) == 1;
    const enum status status =
        is_ready ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: cannot write: %s", arguments->path, strerror(errno));
    if (file >= 0)
        close(file);
    return status;
}

/* `line` is freed. */
static enum status append(struct arguments *arguments, char *line, struct error *error)
{
    errno = line ? ENOSPC : ENOMEM; /* a part of a line alone is written where the disk is full */
    const int file = open(arguments->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    const bool is_written = line && file >= 0 && write(file, line, strlen(line)) == (ssize_t)strlen(line);
    enum status status =
        is_written ? STATUS_OK : fail(error, STATUS_SYSTEM, "%s: cannot write: %s", arguments->path, strerror(errno));
    if (file >= 0)
        close(file);
    free(line);
    return status;
}

static void show(const struct tuned_entry *entry)
{
    char text[PROBLEM_TEXT_MAX], duration[32];
    size_t fastest = 0;
    for (size_t t = 1; t < entry->count; t++)
        if (entry->times[t].nanoseconds < entry->times[fastest].nanoseconds)
            fastest = t;
    text_duration(entry->times[fastest].nanoseconds, duration, sizeof duration);
    printf("%-18s %10s  %s%s%s\n", entry->times[fastest].rung, say_quantity(duration, sizeof duration),
           problem_text(&entry->problem, text), *entry->times[fastest].tunables ? "  " : "",
           entry->times[fastest].tunables);
    fflush(stdout);
}

/* Times the candidates, on a CPU a second time if other programs ran meanwhile. */
static enum status look(const struct arguments *arguments, const struct candidate *candidates, size_t count,
                        const struct device *device, struct tuned_entry *entry, bool *is_disturbed, struct error *error)
{
    enum status status = STATUS_OK;
    *is_disturbed = true;
    for (int times = 0; status == STATUS_OK && *is_disturbed && times < 2; times++) {
        const struct processor_times from = processor_times_now();
        entry->count = 0;
        status = tune_look(&arguments->session, &entry->problem, candidates, count, entry, error);
        const struct processor_times to = processor_times_now();
        *is_disturbed = device->properties.is_cpu && background_load_between(&from, &to) > BACKGROUND_DISTURBS;
    }
    return status;
}

/* A problem that is not named is left for a further call where other programs ran, too. */
static enum status tune(struct arguments *arguments, const struct problem *problem, struct device *device,
                        bool is_named, struct error *error)
{
    struct candidate *candidates;
    struct candidate winner = {0}; /* of the cache, which is refused before anything is measured */
    struct tuned_entry entry = {.problem = *problem};
    size_t count;
    bool is_disturbed = false;
    tuned_describe(device, omp_get_max_threads(), &entry);
    enum status status = own_candidates(arguments, problem, device, &candidates, &count, error);
    if (status != STATUS_OK)
        return status;
    if (arguments->cache)
        status = kernel_tuner_read(arguments->cache, candidates, count, &winner, error);
    if (status == STATUS_OK)
        status = look(arguments, candidates, count, device, &entry, &is_disturbed, error);
    if (status == STATUS_OK && is_disturbed && !is_named) {
        arguments->disturbed++;
        free(candidates);
        return STATUS_OK;
    }
    if (status == STATUS_OK && arguments->cache)
        status = tune_compare(&arguments->session, &entry, &winner, candidates, count, error);
    else if (status == STATUS_OK && arguments->searches)
        status = tune_tunables(&arguments->session, &entry, candidates, count, error);
    if (status == STATUS_OK) {
        note_code(&entry, candidates, count);
        keep_right(arguments, problem, candidates, count, &entry);
    }
    if (status == STATUS_OK && interrupt_requested())
        status = fail(error, STATUS_INTERRUPTED, "interrupted");
    if (status == STATUS_OK && entry.count > 0 &&
        (status = append(arguments, tuned_line(&entry), error)) == STATUS_OK) {
        arguments->measured++;
        show(&entry);
    }
    free(candidates);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------------------ */

static bool is_known(const struct arguments *arguments, const struct problem *problem, const struct device *device)
{
    const struct tuned_entries entries = tuned_entries(problem->kernel, tuned_kind_of(device));
    char text[PROBLEM_TEXT_MAX], other[PROBLEM_TEXT_MAX];
    struct tuned_entry here;
    tuned_describe(device, omp_get_max_threads(), &here);
    problem_text(problem, text);
    for (size_t i = 0; i < entries.count; i++) {
        const struct tuned_entry *entry = &entries.items[i];
        if (is_here(entry, arguments->path, device) && entry->threads == here.threads && entry->cores == here.cores &&
            strcmp(problem_text(&entry->problem, other), text) == 0 && !entry->is_cut)
            return true;
    }
    return false;
}

static enum status tune_list(struct arguments *arguments, const struct problem *problems, size_t count,
                             struct device *device, bool again, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const int64_t begun = clock_now();
        if (!again && is_known(arguments, &problems[i], device)) {
            arguments->known++;
        } else if ((double)begun + arguments->longest > (double)arguments->deadline) {
            arguments->left++;
        } else {
            status = tune(arguments, &problems[i], device, again, error);
            arguments->longest = fmax(arguments->longest, (double)(clock_now() - begun));
            arguments->left += status == STATUS_INTERRUPTED ? count - i : 0;
        }
    }
    return status;
}

/* `text` is a kernel, a problem or a range of problems; NULL: all kernels. */
static enum status tune_target(struct arguments *arguments, const char *text, struct device *device,
                               struct error *error)
{
    struct problem *problems;
    size_t count;
    const struct kernel *kernel = text && !strchr(text, ':') ? kernel_by_name(text, error) : NULL;
    const bool is_named = text && strchr(text, ':');
    if (text && !is_named && !kernel)
        return STATUS_INVALID;
    enum status status = is_named ? problem_parse_range(text, &problems, &count, error)
                                  : tuning_problems(kernel, device, &problems, &count, error);
    if (status != STATUS_OK)
        return status;
    status = tune_list(arguments, problems, count, device, is_named, error);
    free(problems);
    return status;
}

/* Whether any line of a file is a tuned file's: looked for with tuned_each_line. */
struct search {
    const char *path;
    bool is_found;
};

static void look_at(void *context, const char *line, size_t length, const char *file, size_t number)
{
    (void)number;
    struct search *search = context;
    struct tuned_entry entry;
    struct transfers transfers;
    if (!search->is_found && strcmp(file, search->path) == 0)
        search->is_found = tuned_read_line(line, length, file, &entry, NULL) != STATUS_INVALID ||
                           transfers_read_line(line, length, file, &transfers, NULL) == STATUS_OK;
}

/* A file that is there, as a kernel's source in place of the option's, is not added to unless it has such lines. Its
 * problems are known. */
static enum status name_file(struct arguments *arguments, struct error *error)
{
    struct search search = {arguments->path, false};
    struct stat about;
    if (!arguments->file)
        return tuned_own_file(arguments->path, sizeof arguments->path, error);
    snprintf(arguments->path, sizeof arguments->path, "%s", arguments->file);
    if (stat(arguments->path, &about) != 0)
        return STATUS_OK;
    setenv("USKOR_TUNED", arguments->path, 1);
    if (S_ISREG(about.st_mode) && about.st_size > 0)
        tuned_each_line(look_at, &search);
    return search.is_found || about.st_size == 0 || !S_ISREG(about.st_mode)
               ? STATUS_OK
               : fail(error, STATUS_INVALID,
                      "%s: not a tuned file, which --file names: none of its lines has times; a kernel's own file is "
                      "for "
                      "'uskor sweep --file'",
                      arguments->path);
}

/* The device's copies, once for each file; not where a problem is named. */
static enum status tune_copies(struct arguments *arguments, struct device *device, struct error *error)
{
    struct transfers transfers;
    const bool is_named = arguments->session.target_count > 0 && strchr(arguments->session.targets[0], ':');
    if (device->backend->kind == BACKEND_CPU || is_named || tune_transfers_known(device, arguments->path))
        return STATUS_OK;
    enum status status = tune_transfers(device, &transfers, error);
    return status == STATUS_OK ? append(arguments, transfers_line(&transfers), error) : status;
}

static enum status tune_all(struct arguments *arguments, struct error *error)
{
    struct bench_session *session = &arguments->session;
    enum status status = STATUS_OK;
    time_needed_tell(arguments->seconds, 0, N_("a smaller --time makes it shorter, and the next call continues"));
    arguments->deadline = clock_now() + (int64_t)(arguments->seconds * 1e9);
    for (size_t d = 0; status == STATUS_OK && d < session->selection.device_count; d++) {
        struct device *device = session->selection.devices[d];
        if (tuned_kind_of(device) == TUNED_KIND_COUNT)
            continue;
        status = tune_copies(arguments, device, error);
        if (status == STATUS_OK && session->target_count == 0)
            status = tune_target(arguments, NULL, device, error);
        for (size_t t = 0; status == STATUS_OK && t < session->target_count; t++)
            status = tune_target(arguments, session->targets[t], device, error);
    }
    return status;
}

int cmd_tune(int argc, char **argv)
{
    struct arguments arguments = {.seconds = SECONDS};
    struct bench_session *session = &arguments.session;
    struct error error;
    bench_session_init(session);
    session->targets_most = TARGETS_MOST;
    session->keeps_nothing = session->judges_nothing = true;
    session->store_name = "none";
    options_parse(&usage, argc, argv, &arguments);
    enum status status = name_file(&arguments, &error);
    if (status == STATUS_OK)
        status = bench_session_start(session, &error);
    if (status == STATUS_OK && arguments.contribution)
        return bench_session_end(session, tune_contribute(session, arguments.path, arguments.contribution, &error),
                                 &error, NULL);
    if (status == STATUS_OK)
        status = prepare_file(&arguments, &error);
    if (status == STATUS_OK)
        status = tune_all(&arguments, &error);
    progress_end();
    if (arguments.disturbed)
        printf(tr("%zu problems not kept: other programs ran meanwhile\n"), arguments.disturbed);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        printf(tr("%zu problems measured, %zu known before, %zu left; %zu not right; %s\n"), arguments.measured,
               arguments.known, arguments.left, arguments.wrong, arguments.path);
    return bench_session_end(session, status, &error, NULL);
}
