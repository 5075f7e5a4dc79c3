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

/* A rung or two that take small problems only make none of these stand for the kernel. */
static bool is_heavy(size_t weight, size_t most)
{
    return 4 * weight >= 3 * most;
}

/* Of the kernel's ladders with nearly as many rungs as any, that with the most bytes; of `device`'s only when it is not
 * NULL. */
static const struct ladder *heaviest(const struct kernel_view *kernel, const struct ladder *device)
{
    const struct ladder *best = NULL;
    bool performs = false;
    size_t most = 0;
    for (size_t i = 0; i < kernel->ladder_count; i++)
        performs = performs ||
                   (!rehearses(&kernel->ladders[i]) && (!device || ladder_same_device(&kernel->ladders[i], device)));
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < kernel->ladder_count; i++) {
            const struct ladder *ladder = &kernel->ladders[i];
            if ((device && !ladder_same_device(ladder, device)) || rehearses(ladder) == performs)
                continue;
            const size_t own = weight(kernel, ladder);
            if (pass == 0)
                most = own > most ? own : most;
            else if (is_heavy(own, most) && (!best || ladder_of(ladder)->bytes > ladder_of(best)->bytes))
                best = ladder;
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
