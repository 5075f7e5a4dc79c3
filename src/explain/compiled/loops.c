#include "explain/compiled/loops.h"

#include <stdlib.h>

/* Backward branches to one target form one loop. */
static void add_loop(struct explain_kernel *kernel, size_t first, size_t last)
{
    for (size_t i = 0; i < kernel->loop_count; i++)
        if (kernel->loops[i].first == first) {
            if (kernel->loops[i].last < last)
                kernel->loops[i].last = last;
            return;
        }
    kernel->loops[kernel->loop_count++] = (struct explain_loop){.first = first, .last = last, .parent = -1};
}

static size_t length_of(const struct explain_loop *loop)
{
    return loop->last - loop->first;
}

static bool is_inside(const struct explain_loop *inner, const struct explain_loop *outer)
{
    return inner != outer && outer->first <= inner->first && inner->last <= outer->last;
}

static void nest_loops(struct explain_kernel *kernel)
{
    struct explain_loop *loops = kernel->loops;
    for (size_t i = 0; i < kernel->loop_count; i++) {
        loops[i].is_innermost = true;
        for (size_t o = 0; o < kernel->loop_count; o++) {
            if (is_inside(&loops[o], &loops[i]))
                loops[i].is_innermost = false;
            if (is_inside(&loops[i], &loops[o]) &&
                (loops[i].parent < 0 || length_of(&loops[o]) < length_of(&loops[loops[i].parent])))
                loops[i].parent = (int)o;
        }
    }
    for (size_t i = 0; i < kernel->loop_count; i++)
        for (size_t at = loops[i].first; at <= loops[i].last; at++) {
            int *loop = &kernel->instructions[at].loop;
            if (*loop < 0 || length_of(&loops[i]) < length_of(&loops[*loop]))
                *loop = (int)i;
        }
}

/* The instruction at the offset, or the first after it. */
static size_t instruction_at(const struct explain_kernel *kernel, uint32_t offset)
{
    size_t from = 0, to = kernel->instruction_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (kernel->instructions[middle].offset < offset)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

bool loops_find(struct explain_kernel *kernel, const struct loop_jump *jumps, size_t count)
{
    kernel->loops = calloc(count + 1, sizeof *kernel->loops);
    if (!kernel->loops)
        return false;
    for (size_t i = 0; i < count; i++) {
        size_t to = instruction_at(kernel, jumps[i].to), from = instruction_at(kernel, jumps[i].from);
        if (to <= from && from < kernel->instruction_count)
            add_loop(kernel, to, from);
    }
    nest_loops(kernel);
    return true;
}
