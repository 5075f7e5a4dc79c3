/* The model's times of an effect's points: each is compiled and traced by itself, which takes a second or more, so the
 * points are shared out among processes. */
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/message.h"
#include "base/threads.h"
#include "cli/commands/effect_run.h"
#include "lab/bench/interrupt.h"

#define WORKERS_MOST 64
#define LOOK_US 50000

struct effect_chart *effect_charts_create(size_t count)
{
    void *memory =
        mmap(NULL, count * sizeof(struct effect_chart), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void effect_charts_destroy(struct effect_chart *charts, size_t count)
{
    if (charts)
        munmap(charts, count * sizeof *charts);
}

static const char *reason_of(const struct explanation *explanation)
{
    const char *const reasons[] = {explanation->refusal, explanation->no_accesses, explanation->compiled.reason,
                                   explanation->compiled.no_code};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i][0])
            return reasons[i];
    return "";
}

static void keep_reason(struct effect_series *series, const char *reason)
{
    snprintf(series->no_prediction, sizeof series->no_prediction, "%s", reason);
    message_pack(series->no_prediction, series->no_prediction_origin);
}

/* What could not be counted has no time in the prediction, which is a lower bound then. */
static void take(const struct explanation *explanation, struct effect_series *series, struct effect_point *point)
{
    const struct explain_model *model = &explanation->model;
    const char *reason = reason_of(explanation);
    if (reason[0])
        keep_reason(series, reason);
    if (!explanation->refusal[0])
        point->predicted = model->predicted_ns;
    if (point->predicted > 0 && model->bound_count > 0)
        snprintf(point->bound_by, sizeof point->bound_by, "%s", explain_resource_keys[model->bound_by[0]]);
}

static void predict_point(const struct effect_request *request, const struct effect_chart *chart,
                          struct effect_series *series, struct effect_point *point)
{
    struct parameters parameters;
    struct explanation explanation;
    struct problem problem;
    struct error why;
    const struct rung *rung = rung_by_name(request->effect->kernel, series->name, &why);
    struct explanation_request one = {
        .problem = &problem, .rung = rung, .parameters = &parameters, .target = &request->place->target};
    (void)chart;
    enum status status = effect_problem(request->effect, request->device, request->size, &problem, &why);
    if (status == STATUS_OK)
        status = effect_parameters(request->effect, rung, &problem, point->value, &parameters, &why);
    if (status == STATUS_OK)
        status = explain_rung(&one, &explanation, &why);
    if (status != STATUS_OK) {
        keep_reason(series, why.text);
        return;
    }
    take(&explanation, series, point);
    explanation_free(&explanation);
}

/* The points of all charts in turn: every `workers`th from the `worker`th on. */
static void work(const struct effect_request *requests, struct effect_chart *charts, size_t count, size_t worker,
                 size_t workers)
{
    size_t task = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; requests[c].place && requests[c].effect->kernel && s < charts[c].count; s++)
            for (size_t i = 0; i < charts[c].series[s].count; i++)
                if (task++ % workers == worker)
                    predict_point(&requests[c], &charts[c], &charts[c].series[s], &charts[c].series[s].points[i]);
}

static size_t count_tasks(const struct effect_request *requests, const struct effect_chart *charts, size_t count)
{
    size_t tasks = 0;
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; requests[c].place && requests[c].effect->kernel && s < charts[c].count; s++)
            tasks += charts[c].series[s].count;
    return tasks;
}

/* Returns how many ended as they should. After Ctrl-C they are ended. */
static size_t wait_for(const pid_t *children, size_t count)
{
    size_t well = 0, left = count;
    bool is_done[WORKERS_MOST] = {false};
    while (left > 0) {
        for (size_t i = 0; i < count; i++) {
            int result;
            if (is_done[i] || waitpid(children[i], &result, WNOHANG) == 0)
                continue;
            is_done[i] = true;
            well += WIFEXITED(result) && WEXITSTATUS(result) == 0;
            left--;
        }
        for (size_t i = 0; interrupt_requested() && i < count; i++)
            if (!is_done[i])
                kill(children[i], SIGKILL);
        if (left > 0)
            usleep(LOOK_US);
    }
    return well;
}

enum status effect_predict(const struct effect_request *requests, struct effect_chart *charts, size_t count,
                           struct error *error)
{
    pid_t children[WORKERS_MOST];
    size_t tasks = count_tasks(requests, charts, count), workers = (size_t)omp_get_num_procs(), begun = 0;
    workers = workers < WORKERS_MOST ? workers : WORKERS_MOST;
    workers = workers < tasks ? workers : tasks;
    fflush(NULL); /* or each child would write it once more */
    for (; begun < workers; begun++) {
        children[begun] = fork();
        if (children[begun] < 0)
            break;
        if (children[begun] == 0) {
            threads_set(1); /* the parent's threads are not here */
            work(requests, charts, count, begun, workers);
            _exit(0);
        }
    }
    size_t well = wait_for(children, begun);
    for (size_t c = 0; c < count; c++)
        for (size_t s = 0; s < charts[c].count; s++)
            message_unpack(charts[c].series[s].no_prediction, charts[c].series[s].no_prediction_origin);
    if (interrupt_requested())
        return fail(error, STATUS_INTERRUPTED, "interrupted");
    return well == workers ? STATUS_OK : fail(error, STATUS_FAILED, "a process that made predictions ended early");
}
