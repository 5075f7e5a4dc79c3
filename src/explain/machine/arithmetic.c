#include "explain/machine/arithmetic.h"

bool machine_compare(enum machine_comparison comparison, int64_t a, int64_t b)
{
    switch (comparison) {
    case COMPARE_LT:
        return a < b;
    case COMPARE_LE:
        return a <= b;
    case COMPARE_GT:
        return a > b;
    case COMPARE_GE:
        return a >= b;
    case COMPARE_EQ:
        return a == b;
    default:
        return a != b;
    }
}

static bool joined(one in, bool result, bool other)
{
    return has(in, MODIFIER_OR) ? result || other : has(in, MODIFIER_XOR) ? result != other : result && other;
}

void machine_finish_comparison(struct machine_thread *thread, one in, struct machine_word result)
{
    struct machine_word other = machine_predicate(thread, &in->operands[4]);
    bool is_known = result.is_known && other.is_known; /* an AND with false and an OR with true are, too: */
    if (other.is_known && !has(in, MODIFIER_XOR) && (other.value != 0) == has(in, MODIFIER_OR))
        is_known = true;
    machine_write_predicate(thread, &in->operands[0], known(joined(in, result.value, other.value), is_known));
    machine_write_predicate(thread, &in->operands[1], known(joined(in, !result.value, other.value), is_known));
}
