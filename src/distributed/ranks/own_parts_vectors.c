/* Own parts of kernels on vectors: the sort and the dot product. */
#include <stdlib.h>

#include "base/random.h"
#include "distributed/ranks/own_parts.h"
#include "kernels/dot/check.h"
#include "kernels/sort/check.h"
#include "kernels/sort/sort.h"

static void shape_vector(struct problem *problem, int array, struct place place)
{
    (void)array;
    problem_set_size(problem, "n", (int64_t)place.cols);
}

/* ---- sort ------------------------------------------------------------------------------------------------------ */

/* Sums of two random functions of the elements: two multisets that differ have equal ones by a chance of 2^-128. */
struct sums {
    uint64_t sums[2];
};

static void add_elements(struct sums *sums, const void *data, size_t count, size_t bytes, const uint64_t secrets[2],
                         uint64_t sign)
{
    uint64_t first = 0, second = 0;
#pragma omp parallel for schedule(static) reduction(+ : first, second)
    for (size_t i = 0; i < count; i++) {
        const uint64_t word = word_load(data, i, bytes);
        first += random_word(secrets[0], word);
        second += random_word(secrets[1], word);
    }
    sums->sums[0] += sign * first;
    sums->sums[1] += sign * second;
}

/* The first and the last key of a rank's part. */
struct ends {
    uint64_t count, first, last;
};

static enum status check_borders(const struct method_run *run, const struct ends *own, struct error *error)
{
    struct ends *all = calloc((size_t)run->ranks.count, sizeof *all);
    if (!all)
        ranks_abort(3);
    enum status status = ranks_gather_to_all(&run->ranks, own, sizeof *own, all, error);
    const struct ends *before = NULL;
    for (int r = 0; status == STATUS_OK && r < run->ranks.count; r++) {
        if (all[r].count == 0)
            continue;
        if (before && before->last > all[r].first)
            status =
                fail(error, STATUS_FAILED, "not in order: the elements of rank %d begin below those before them", r);
        before = &all[r];
    }
    free(all);
    return status;
}

static enum status judge_sort(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    const size_t bytes = element_info(run->problem->type)->bytes, count = own_place(run, 0, run->ranks.rank).cols;
    const struct key_order order = sort_key_order(run->problem);
    const char *data = run->parts[0];
    struct sums sums = {{0}};
    uint64_t secrets[2] = {random_word(seed, 17), random_word(seed, 23)};
    void *before = NULL;
    (void)worst;
    enum status status = ranks_agree(&run->ranks, method_allocate(&before, count * bytes, error), error);
    if (status != STATUS_OK)
        return status;
    status = ranks_agree(&run->ranks, part_fill(run, shape_vector, run->ranks.rank, 0, seed, before, error), error);
    if (status != STATUS_OK) {
        free(before);
        return status;
    }
    add_elements(&sums, before, count, bytes, secrets, 1);
    add_elements(&sums, data, count, bytes, secrets, (uint64_t)-1);
    free(before);
    const struct disorder disorder = sort_disorder(run->problem->type, false, data, count);
    const struct ends ends = {.count = count,
                              .first = count ? word_key(word_load(data, 0, bytes), &order, bytes) : 0,
                              .last = count ? word_key(word_load(data, count - 1, bytes), &order, bytes) : 0};
    struct ends seen = ends;
    if (order.numbers && seen.last >= order.numbers) /* NaNs rank alike */
        seen.last = order.numbers;
    if (order.numbers && seen.first >= order.numbers)
        seen.first = order.numbers;
    status = check_borders(run, &seen, error);
    if (status != STATUS_OK && status != STATUS_FAILED)
        return status;
    struct error later;
    const enum status added = ranks_sum_to_all(&run->ranks, sums.sums, 2, &later);
    if (added != STATUS_OK)
        return method_outcome(status, error, added, &later);
    if (disorder.wrong > 0)
        return fail(error, STATUS_FAILED, "%zu elements are not in order, the first at [%zu] of this part",
                    disorder.wrong, disorder.first);
    if (status == STATUS_OK && (sums.sums[0] || sums.sums[1]))
        return fail(error, STATUS_FAILED,
                    "in order, but not a permutation of the input: elements are lost, doubled or changed");
    return status;
}

const struct part_kernel parts_of_sort = {"sort", shape_vector, judge_sort, NULL};

/* ---- dot ------------------------------------------------------------------------------------------------------- */

/* Both vectors of a part have the place of one, and one generator makes both. */
static void refer_own(const struct method_run *run, struct dot_reference *reference)
{
    dot_refer(run->problem->type, run->parts[0], run->parts[1], own_place(run, 0, run->ranks.rank).cols, reference);
}

static enum status judge_dot(const struct method_run *run, uint32_t seed, double *worst, struct error *error)
{
    struct dot_reference own, *all = calloc((size_t)run->ranks.count, sizeof *all);
    struct check_result result = {0};
    (void)seed;
    if (!all)
        ranks_abort(3);
    refer_own(run, &own);
    enum status status = ranks_gather_to_all(&run->ranks, &own, sizeof own, all, error);
    for (int r = 1; status == STATUS_OK && r < run->ranks.count; r++)
        dot_reference_add(&all[0], &all[r]);
    if (status == STATUS_OK && run->ranks.rank == 0) {
        struct host_arrays output = {{NULL, NULL, run->parts[2], run->parts[3]}};
        dot_judge_sum(&all[0], dot_result(run->problem->type, output),
                      (enum dot_sum)problem_size(run->problem, "precision"), &result);
        *worst = result.worst;
        status = check_outcome(&result, error);
    }
    free(all);
    return status;
}

const struct part_kernel parts_of_dot = {"dot", shape_vector, judge_dot, NULL};
