/* One effect on one device: timed by the lab like a bench, and predicted by the model of `uskor explain`. */
#pragma once

#include "cli/commands/explain_place.h"
#include "explain/effects/effects.h"
#include "lab/bench/bench.h"
#include "report/model/effect_chart.h"

struct effect_request {
    const struct effect *effect;
    int64_t size;                      /* of the problem; 0: the default */
    struct device *device;             /* NULL: nothing is timed */
    const struct explain_place *place; /* that is predicted for; NULL: nothing is predicted */
    const struct bench_options *bench; /* seconds for each point; progress */
};

/* Estimated seconds of effect_measure. */
double effect_seconds(const struct effect_request *request);

/* All series and points of the effect on the request's device: interleaved in the rounds of one bench, each verified
 * before and after the timing. The measurements are added to `list`. STATUS_INTERRUPTED after Ctrl-C, with what was
 * measured until then in the chart. */
enum status effect_measure(const struct effect_request *request, struct effect_chart *chart,
                           struct measurement_list *list, struct error *error);

/* The chart's series and points, to be predicted and not measured; none where the effect has no kernel of a GPU. */
enum status effect_plan(const struct effect_request *request, struct effect_chart *chart, struct error *error);

/* Adds each point's predicted time, and the reason where counts are missing, for every request that has a place, by as
 * many processes as there are processors. The charts lie in memory that processes share (effect_charts_create). */
enum status effect_predict(const struct effect_request *requests, struct effect_chart *charts, size_t count,
                           struct error *error);

/* Zeroed charts in shared memory; NULL when there is none. */
struct effect_chart *effect_charts_create(size_t count);
void effect_charts_destroy(struct effect_chart *charts, size_t count);
