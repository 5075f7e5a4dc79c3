#include "explain/causes.h"

#include "explain/causes_accesses.h"
#include "explain/causes_code.h"

#define GAIN_LEAST 1.05

const char *const explain_cause_keys[CAUSES] = {
    [CAUSE_UNCOALESCED] = "uncoalesced",
    [CAUSE_PAGES] = "page-strides",
    [CAUSE_SCATTERED] = "scattered",
    [CAUSE_BANKS] = "bank-conflicts",
    [CAUSE_FP64] = "double-precision",
    [CAUSE_SPILLS] = "spills",
    [CAUSE_LOCAL_ARRAY] = "local-array",
    [CAUSE_RECURSION] = "calls",
    [CAUSE_ATOMICS] = "atomics",
    [CAUSE_SHARED_ATOMICS] = "shared-atomics",
    [CAUSE_DIVERGENCE] = "divergence",
    [CAUSE_DIVISION] = "integer-division",
    [CAUSE_NARROW] = "narrow",
    [CAUSE_REUSE] = "missing-reuse",
    [CAUSE_OCCUPANCY] = "occupancy",
    [CAUSE_FEW_ITEMS] = "few-items",
    [CAUSE_CHAIN] = "dependent-chain",
    [CAUSE_BARRIERS] = "barriers",
    [CAUSE_SPECIAL] = "special-functions",
    [CAUSE_GROUPS] = "group-starts",
    [CAUSE_TAIL] = "tail",
    [CAUSE_LAUNCH] = "launches",
};

static void predict(const struct cause_search *search, struct explain_cause *cause)
{
    const struct explain_model *model = &search->explanation->model;
    struct what_if what_if;
    cause->predicted_ns = model->predicted_ns;
    if (cause->kind == CAUSE_TAIL || cause->kind == CAUSE_LAUNCH)
        cause->predicted_ns -= cause->kind == CAUSE_TAIL ? model->ns[RESOURCE_TAIL] : cause->before - cause->after;
    else if (what_if_begin(search->request, search->explanation, &what_if)) {
        cause_remedy_accesses(&what_if, cause);
        cause_remedy_code(&what_if, cause);
        cause->predicted_ns = what_if_time(&what_if);
    }
    if (cause->kind != CAUSE_TAIL && cause->kind != CAUSE_LAUNCH)
        what_if_end(&what_if);
    cause->gain = cause->predicted_ns > 0 ? model->predicted_ns / cause->predicted_ns : 1;
}

size_t explain_causes(const struct explanation_request *request, const struct explanation *explanation,
                      struct explain_cause causes[EXPLAIN_CAUSES_MAX])
{
    struct cause_search search = {.request = request, .explanation = explanation};
    size_t count = 0;
    if (explanation->refusal[0] || request->rung->kind != RUNG_DEVICE || explanation->model.predicted_ns <= 0)
        return 0;
    causes_of_accesses(&search);
    causes_of_code(&search);
    for (size_t i = 0; i < search.count; i++) {
        struct explain_cause *one = &search.found[i];
        predict(&search, one);
        if (one->gain < GAIN_LEAST)
            continue;
        size_t at = count < EXPLAIN_CAUSES_MAX ? count++ : EXPLAIN_CAUSES_MAX;
        for (; at > 0 && causes[at - 1].gain < one->gain; at--)
            if (at < EXPLAIN_CAUSES_MAX)
                causes[at] = causes[at - 1];
        if (at < EXPLAIN_CAUSES_MAX)
            causes[at] = *one;
    }
    return count;
}
