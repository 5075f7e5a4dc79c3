#include "explain/advice.h"

#define RELIEF 0.7 /* least reduction of a resource's time, as a ratio; a smaller one is within the model's noise */

static bool is_explained(const struct explanation *explanation)
{
    return !explanation->refusal[0] && explanation->model.predicted_ns > 0;
}

bool explanation_advice(const struct explanation *items, size_t count, size_t index, struct explain_advice *advice)
{
    const struct explain_model *model = &items[index].model;
    if (!is_explained(&items[index]) || model->bound_count < 2)
        return false;
    enum explain_resource first = model->bound_by[0], next = model->bound_by[1];
    double relieved = model->predicted_ns - model->ns[first] + model->ns[next];
    *advice = (struct explain_advice){.relieve = first, .gain = relieved > 0 ? model->predicted_ns / relieved : 1};
    if (advice->gain < 1)
        advice->gain = 1;
    for (size_t i = index + 1; i < count && !advice->done_by; i++)
        if (is_explained(&items[i]) && items[i].model.is_known[first] &&
            items[i].model.ns[first] < RELIEF * model->ns[first] && items[i].model.predicted_ns < model->predicted_ns)
            advice->done_by = &items[i];
    return true;
}
