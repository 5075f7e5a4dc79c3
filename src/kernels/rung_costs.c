#include "kernels/rung_costs.h"

#include <pthread.h>

#include "base/size.h"

static const struct {
    enum rung_place place;
    const char *problem, *rungs;
} rows[] = {
#define MEASURED(place, problem, rungs) {PLACE_##place, problem, rungs},
#include "kernels/rung_costs.def"
#undef MEASURED
};
_Static_assert(COUNT_OF(rows) < RUNG_COSTS_MAX, "RUNG_COSTS_MAX has room for all of them and the end");

static struct rung_cost costs[RUNG_COSTS_MAX];
static pthread_once_t are_read = PTHREAD_ONCE_INIT;

static void read_all(void)
{
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct rung_cost *cost = &costs[count];
        if (problem_parse(rows[i].problem, &cost->problem, NULL) != STATUS_OK)
            continue;
        cost->place = rows[i].place;
        cost->rungs = rows[i].rungs;
        count++;
    }
    costs[count].rungs = NULL;
}

const struct rung_cost *rung_costs(void)
{
    pthread_once(&are_read, read_all);
    return costs;
}
