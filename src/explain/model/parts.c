/* Branches forwards and early exits: how often the code they skip is executed, estimated from the bytes that its loads
 * and stores moved, and from the executions of its lines. */
#include <math.h>
#include <stdlib.h>

#include "explain/model/model.h"

struct parts {
    const struct explain_kernel *kernel;
    const struct explain_trace *trace;
    double share, warps;
    const double *rounds;
    double *parts;
    size_t *first, *last; /* of each instruction: the first and the last one of its line */
};

struct region {
    size_t first, last; /* both included */
};

static bool is_in(const struct region *region, size_t at)
{
    return region->first <= at && at <= region->last;
}

static bool is_line_of(const struct explain_kernel *kernel, const struct explain_access *one,
                       const struct explain_access *other)
{
    return other->line == one->line && other->space == one->space && other->operation == one->operation &&
           explain_is_access_of(other, kernel);
}

static double rounds_at(const struct parts *all, size_t at)
{
    int loop = all->kernel->instructions[at].loop;
    return loop < 0 ? all->warps : all->rounds[loop];
}

/* ---- by accesses ---- */

struct evidence {
    double one, other; /* bytes, with all of either region executed in every round of its loop */
    double seen;       /* … as traced, less what loops beside them moved */
    double part;       /* of the line that moved the largest part of what it could */
};

/* Whether the loop lies beside the region: neither in it nor around it. */
static bool is_beside(const struct parts *all, int loop, const struct region *region)
{
    const struct explain_loop *one = loop < 0 ? NULL : &all->kernel->loops[loop];
    return one && (one->last < region->first || one->first > region->last);
}

enum { ONE, OTHER, BESIDE, PLACES };

/* Of one line: bytes that its accesses would move in two regions, and in loops beside them. False: some lie elsewhere,
 * or in a loop of the region's own: its rounds come from these very bytes. */
static bool is_possible(const struct parts *all, const struct explain_access *access, const struct region regions[2],
                        double possible[PLACES])
{
    const struct explain_instruction *instructions = all->kernel->instructions;
    for (size_t i = 0; i < all->kernel->instruction_count; i++) {
        if (!explain_is_of_line(&instructions[i], access))
            continue;
        int place = is_in(&regions[ONE], i) ? ONE : is_in(&regions[OTHER], i) ? OTHER : BESIDE;
        if (place == BESIDE ? !is_beside(all, instructions[i].loop, &regions[ONE])
                            : instructions[i].loop != instructions[regions[place].first].loop)
            return false;
        possible[place] += instructions[i].bits / 8.0 * rounds_at(all, i);
    }
    return true;
}

/* Bytes that a line moved, of all arrays; -1 where an earlier access of the trace has the same line. */
static double seen_of_line(const struct parts *all, size_t access)
{
    double seen = 0;
    for (size_t a = 0; a < all->trace->access_count; a++)
        if (is_line_of(all->kernel, &all->trace->accesses[access], &all->trace->accesses[a])) {
            if (a < access)
                return -1;
            seen += all->trace->accesses[a].warp_accesses * all->trace->accesses[a].bytes;
        }
    return all->share * seen;
}

static struct evidence look_at(const struct parts *all, const struct region *one, const struct region *other)
{
    const struct region regions[] = {*one, other ? *other : (struct region){1, 0}};
    struct evidence sum = {.seen = 0};
    for (size_t a = 0; a < all->trace->access_count; a++) {
        double possible[PLACES] = {0}, seen;
        if (!explain_is_access_of(&all->trace->accesses[a], all->kernel) || (seen = seen_of_line(all, a)) < 0 ||
            !is_possible(all, &all->trace->accesses[a], regions, possible))
            continue;
        if (possible[ONE] <= 0 || (other && possible[OTHER] <= 0))
            continue;
        double left = fmax(0, seen - possible[BESIDE]);
        sum.one += possible[ONE];
        sum.other += possible[OTHER];
        sum.seen += left;
        sum.part = fmax(sum.part, left / (possible[ONE] + possible[OTHER]));
    }
    return sum;
}

/* ---- by lines ---- */

/* Lines whose instructions are all in the region were executed as often as the trace says. Code behind a further branch
 * runs less often, so the busiest line counts. -1: no such line. */
static double part_of_lines(const struct parts *all, const struct region *region)
{
    const struct explain_kernel *kernel = all->kernel;
    double possible = rounds_at(all, region->first), most = -1;
    for (size_t i = region->first; i <= region->last; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        bool is_own = instruction->line > 0 && all->first[i] == i && is_in(region, all->last[i]) &&
                      instruction->loop == kernel->instructions[region->first].loop;
        double warps = is_own ? all->share * explain_line_warps(kernel, all->trace, instruction->line) : 0;
        if (warps > 0 && possible > 0)
            most = fmax(most, warps / possible);
    }
    return most;
}

/* Code behind a further branch moves less, so the busiest line counts. -1: unknown. */
static double part_of_accesses(const struct parts *all, const struct region *region)
{
    struct evidence evidence = look_at(all, region, NULL);
    return evidence.one > 0 ? evidence.part : -1;
}

/* ---- both ---- */

static void apply(const struct parts *all, const struct region *region, double part)
{
    const struct explain_instruction *instructions = all->kernel->instructions;
    for (size_t i = region->first; part >= 0 && i <= region->last; i++)
        if (instructions[i].loop == instructions[region->first].loop)
            all->parts[i] = fmin(all->parts[i], fmin(1, part));
}

/* A condition's two sides move together what lines that both have moved: compilers make two copies of a loop where a
 * condition in it does not change. Where nothing tells the sides apart, either has an equal part. `most` are the parts
 * that the lines allow. */
static void share_sides(const struct parts *all, const struct region sides[2], double part[2], const double most[2])
{
    struct evidence both = look_at(all, &sides[0], &sides[1]);
    const double possible[] = {both.one, both.other};
    if (both.one <= 0 || both.other <= 0)
        return;
    for (int i = 0; i < 2; i++)
        if (part[i] < 0 && part[!i] < 0 && both.part > most[i])
            part[i] = most[i];
    if (part[0] < 0 && part[1] < 0)
        part[0] = part[1] = both.part;
    for (int i = 0; i < 2; i++)
        if (part[i] < 0)
            part[i] = fmax(0, both.seen - fmin(1, part[!i]) * possible[!i]) / possible[i];
}

static void look_at_skip(const struct parts *all, const struct explain_skip *skip)
{
    const struct region sides[] = {{skip->first, skip->last}, {skip->last + 1, skip->other_last}};
    const int count = skip->other_last > 0 ? 2 : 1;
    double part[2], most[2];
    for (int i = 0; i < count; i++) {
        part[i] = part_of_accesses(all, &sides[i]);
        most[i] = part_of_lines(all, &sides[i]);
    }
    if (count == 2 && (part[0] < 0 || part[1] < 0)) {
        const double bounds[] = {most[0] < 0 ? 1 : fmin(1, most[0]), most[1] < 0 ? 1 : fmin(1, most[1])};
        share_sides(all, sides, part, bounds);
    }
    for (int i = 0; i < count; i++)
        apply(all, &sides[i], part[i] < 0 ? most[i] : part[i]);
}

static void find_lines(struct parts *all)
{
    const struct explain_kernel *kernel = all->kernel;
    size_t count = kernel->instruction_count;
    for (size_t i = 0; i < count; i++) {
        all->first[i] = all->last[i] = i;
        for (size_t o = i; o-- > 0;)
            if (kernel->instructions[o].line == kernel->instructions[i].line) {
                all->first[i] = all->first[o];
                break;
            }
    }
    for (size_t i = count; i-- > 0;)
        if (all->first[i] != i && all->last[all->first[i]] < i)
            all->last[all->first[i]] = i;
}

void explain_parts(const struct explain_kernel *kernel, const struct explain_trace *trace, double share, double warps,
                   const double *rounds, double *parts)
{
    struct parts all = {.kernel = kernel, .trace = trace, .share = share, .warps = warps, .rounds = rounds};
    all.parts = parts;
    all.first = calloc(kernel->instruction_count + 1, sizeof *all.first);
    all.last = calloc(kernel->instruction_count + 1, sizeof *all.last);
    for (size_t i = 0; i < kernel->instruction_count; i++)
        parts[i] = kernel->instructions[i].is_slow_path ? 0 : 1;
    if (all.first && all.last) {
        find_lines(&all);
        for (size_t s = 0; s < kernel->skip_count; s++)
            look_at_skip(&all, &kernel->skips[s]);
    }
    free(all.first);
    free(all.last);
}
