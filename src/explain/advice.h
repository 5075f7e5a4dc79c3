/* Advice on a rung, from its model: the gain when its binding resource is relieved, and the rung of the ladder that
 * does so. */
#pragma once

#include "explain/explain.h"

struct explain_advice {
    enum explain_resource relieve; /* the resource that takes longest */
    double gain; /* predicted speed-up when that resource takes no longer than the next one; at least 1 */
    const struct explanation *done_by; /* the first later rung that needs the resource for less than 70 % of the time
                                          and is predicted to be faster; NULL: none */
};

/* Makes the advice on `items[index]` of a ladder's explanations, in the ladder's order. Returns false when the model
 * knows fewer than two of its resources. */
bool explanation_advice(const struct explanation *items, size_t count, size_t index, struct explain_advice *advice);
