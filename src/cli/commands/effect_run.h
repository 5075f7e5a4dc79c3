/* One effect on one device: timed by the lab like a bench, and predicted by the model of `uskor explain`. */
#ifndef USKOR_CLI_COMMANDS_EFFECT_RUN_H
#define USKOR_CLI_COMMANDS_EFFECT_RUN_H

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

/* All series and points of the effect on the request's device: interleaved in the rounds of one bench, each verified
 * before and after the timing. The measurements are added to `list`. STATUS_INTERRUPTED after Ctrl-C, with what was
 * measured until then in the chart. */
enum status effect_measure(const struct effect_request *request, struct effect_chart *chart,
                           struct measurement_list *list, struct error *error);

/* Adds each point's predicted time; the reason where a series has none. Where nothing was measured it makes the points,
 * too. */
enum status effect_predict(const struct effect_request *request, struct effect_chart *chart, struct error *error);

#endif
