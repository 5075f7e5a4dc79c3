/* What instructions of integers and of floats share: words known or not, modifiers, and the end of a comparison. */
#ifndef USKOR_EXPLAIN_MACHINE_ARITHMETIC_H
#define USKOR_EXPLAIN_MACHINE_ARITHMETIC_H

#include "explain/machine/thread.h"

typedef const struct machine_instruction *one;

static inline struct machine_word known(uint32_t value, bool is_known)
{
    return (struct machine_word){value, is_known};
}

static inline bool has(one in, unsigned modifier)
{
    return (in->modifiers & modifier) != 0;
}

bool machine_compare(enum machine_comparison comparison, int64_t a, int64_t b);

/* Joins the result with the instruction's predicate, as its modifiers say, and writes both predicates. */
void machine_finish_comparison(struct machine_thread *thread, one in, struct machine_word result);

#endif
