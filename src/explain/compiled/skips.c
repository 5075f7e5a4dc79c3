#include "explain/compiled/skips.h"

#include <stdlib.h>

static bool is_forward(const struct skip_branch *branch, const struct explain_kernel *kernel)
{
    return branch->to > branch->at + 1 && branch->to <= kernel->instruction_count;
}

/* The first instruction behind `from` that a branch before `first` leads to, other than the branch `but`: warps come
 * there that did not come by. */
static size_t next_entry(const struct skip_branch *branches, size_t count, size_t first, size_t from, size_t but,
                         size_t end)
{
    for (size_t b = 0; b < count; b++)
        if (b != but && !branches[b].is_exit && branches[b].at < first && branches[b].to > from && branches[b].to < end)
            end = branches[b].to;
    return end;
}

/* Of a condition's first side, [first, last]: the second one lies behind it where the first ends with a branch over it,
 * or ends the kernel. Its last instruction; 0: there is none. */
static size_t other_side(const struct skip_branch *branches, size_t count, size_t from, size_t last)
{
    for (size_t b = from + 1; b < count && branches[b].at <= last; b++)
        if (branches[b].at == last && !branches[b].is_conditional && branches[b].to > last + 1)
            return branches[b].is_exit
                       ? next_entry(branches, count, branches[from].at, last + 1, from, branches[b].to) - 1
                       : branches[b].to - 1;
    return 0;
}

bool skips_find(struct explain_kernel *kernel, const struct skip_branch *branches, size_t count)
{
    kernel->skips = calloc(count + 1, sizeof *kernel->skips);
    for (size_t b = 0; kernel->skips && b < count; b++) {
        const struct skip_branch *branch = &branches[b];
        if (!is_forward(branch, kernel) || (branch->is_exit && !branch->is_conditional))
            continue;
        struct explain_skip skip = {.first = branch->at + 1, .last = branch->to - 1};
        if (branch->is_exit)
            skip.last = next_entry(branches, count, branch->at, branch->at + 1, b, branch->to) - 1;
        else if (branch->is_conditional)
            skip.other_last = other_side(branches, count, b, skip.last);
        kernel->skips[kernel->skip_count++] = skip;
    }
    return kernel->skips != NULL;
}
