/* Which of a kernel's problems stands for it. */
#include <string.h>

#include "report/model/view.h"

/* A GPU that a CPU plays: its problems are small, and represent no kernel where another device is. */
static bool rehearses(const struct ladder *ladder)
{
    return ladder_of(ladder)->device_is_cpu && strcmp(ladder_of(ladder)->device, "cpu") != 0;
}

/* How many rungs passed on all devices of the kernel with this ladder's problem and state of the caches. */
static size_t weight(const struct kernel_view *kernel, const struct ladder *of)
{
    size_t sum = 0;
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct measurement *other = ladder_of(&kernel->ladders[i]);
        if (rehearses(&kernel->ladders[i]) == rehearses(of) && other->cold == ladder_of(of)->cold &&
            strcmp(other->problem, ladder_of(of)->problem) == 0)
            sum += kernel->ladders[i].passed;
    }
    return sum;
}

static bool is_heavier(const struct ladder *ladder, size_t own, const struct ladder *best, size_t best_own)
{
    if (!best || rehearses(ladder) != rehearses(best))
        return !best || rehearses(best);
    return own > best_own || (own == best_own && ladder_of(ladder)->bytes > ladder_of(best)->bytes);
}

/* The heaviest of the kernel's ladders, of equal ones that with the most bytes; of `device`'s only when it is not NULL.
 */
static const struct ladder *heaviest(const struct kernel_view *kernel, const struct ladder *device)
{
    const struct ladder *best = NULL;
    size_t best_own = 0;
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct ladder *ladder = &kernel->ladders[i];
        if (device && !ladder_same_device(ladder, device))
            continue;
        size_t own = weight(kernel, ladder);
        if (is_heavier(ladder, own, best, best_own)) {
            best = ladder;
            best_own = own;
        }
    }
    return best;
}

const struct ladder *kernel_representative(const struct kernel_view *kernel, const struct ladder *any)
{
    const struct measurement *wanted = ladder_of(heaviest(kernel, NULL));
    for (size_t i = 0; i < kernel->ladder_count; i++) {
        const struct measurement *other = ladder_of(&kernel->ladders[i]);
        if (ladder_same_device(&kernel->ladders[i], any) && other->cold == wanted->cold &&
            strcmp(other->problem, wanted->problem) == 0)
            return &kernel->ladders[i];
    }
    return heaviest(kernel, any);
}
