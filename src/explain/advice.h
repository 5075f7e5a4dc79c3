/* What would make a rung faster, by its model: its binding resource relieved; and which rung of the ladder does that.
 */
#ifndef USKOR_EXPLAIN_ADVICE_H
#define USKOR_EXPLAIN_ADVICE_H

#include "explain/explain.h"

struct explain_advice {
    enum explain_resource relieve; /* the resource that takes longest */
    double gain; /* predicted time over what is left when that resource takes no longer than the next one; at least 1 */
    const struct explanation *done_by; /* the first rung behind this one that needs the resource for less than 70 % of
                                          the time and is predicted to be faster; NULL: none of them */
};

/* Of `items[index]`, a ladder's explanations in its order. False: the model knows no two resources of it. */
bool explanation_advice(const struct explanation *items, size_t count, size_t index, struct explain_advice *advice);

#endif
