#include "distributed/ranks/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/size.h"
#include "base/unpredictable.h"
#include "distributed/ranks/own_parts.h"

/* Distributes arrays over ranks, and collects them. */
struct dealing {
    const struct method_run *run;
    int array;
    size_t bytes; /* of an element */
    struct rank_pieces root, others;
    char *packed; /* on rank 0: every rank's rectangle, one after another */
};

static struct place place_of(const struct dealing *dealing, int rank)
{
    const struct method_run *run = dealing->run;
    return run->method->place(run->problem, &run->arrays[dealing->array], dealing->array, rank, run->ranks.count);
}

/* Prepares the transfer between rank 0 and each rank. */
static enum status begin(struct dealing *dealing, struct error *error)
{
    const struct ranks *ranks = &dealing->run->ranks;
    enum status status = STATUS_OK;
    dealing->bytes = element_info(dealing->run->arrays[dealing->array].type)->bytes;
    if (!rank_pieces_make(&dealing->root, ranks->count) || !rank_pieces_make(&dealing->others, ranks->count))
        status = fail(error, STATUS_UNAVAILABLE, "no memory");
    for (int r = 0; status == STATUS_OK && ranks->rank == 0 && r < ranks->count; r++)
        dealing->root.bytes[r] = place_of(dealing, r).rows * place_of(dealing, r).cols * dealing->bytes;
    if (status == STATUS_OK) {
        struct place own = place_of(dealing, ranks->rank);
        dealing->others.bytes[0] = own.rows * own.cols * dealing->bytes;
        status = method_allocate((void **)&dealing->packed, rank_pieces_pack(&dealing->root, ranks->count), error);
    }
    dealing->root.data = dealing->packed;
    return ranks_agree(ranks, status, error);
}

static void end(struct dealing *dealing)
{
    rank_pieces_free(&dealing->root);
    rank_pieces_free(&dealing->others);
    free(dealing->packed);
}

/* Copies between the whole array and the packed rectangles. */
static void pack(const struct dealing *dealing, char *whole, bool unpack)
{
    const struct ranks *ranks = &dealing->run->ranks;
    size_t pitch = dealing->run->arrays[dealing->array].cols * dealing->bytes;
    for (int r = 0; ranks->rank == 0 && r < ranks->count; r++) {
        struct place place = place_of(dealing, r);
        size_t width = place.cols * dealing->bytes;
        char *packed = dealing->packed + dealing->root.offsets[r];
        for (size_t row = 0; row < place.rows; row++) {
            char *at = whole + place_row(&place, row) * pitch + place.col * dealing->bytes;
            if (unpack)
                memcpy(at, packed + row * width, width);
            else
                memcpy(packed + row * width, at, width);
        }
    }
}

/* Collective: copies rank 0's `whole` array to every rank's part, and back. `whole` is NULL on other ranks. */
static enum status deal_out(const struct method_run *run, int array, const void *whole, void *part, struct error *error)
{
    struct dealing dealing = {.run = run, .array = array};
    enum status status = begin(&dealing, error);
    if (status == STATUS_OK) {
        pack(&dealing, (char *)whole, false);
        dealing.others.data = part;
        status = ranks_exchange(&run->ranks, &dealing.root, &dealing.others, error);
    }
    end(&dealing);
    return status;
}

static enum status collect(const struct method_run *run, int array, const void *part, void *whole, struct error *error)
{
    struct dealing dealing = {.run = run, .array = array};
    enum status status = begin(&dealing, error);
    if (status == STATUS_OK) {
        dealing.others.data = (void *)part;
        status = ranks_exchange(&run->ranks, &dealing.others, &dealing.root, error);
    }
    if (status == STATUS_OK)
        pack(&dealing, whole, true);
    end(&dealing);
    return status;
}

#define SAMPLES_LEAST 5
#define SAMPLES_MOST 101
#define OFF_THE_CLOCK 4 /* times the timed seconds: at most so long does a method take with what is around its runs */
#define PIECE_BYTES ((size_t)1 << 20) /* of a result: all threads take its digest */

/* The problem on this rank; rank 0 has the whole arrays. */
struct measuring {
    struct method_run run;
    struct problem problem; /* the problem that the run receives */
    struct problem filled;  /* the same with the inputs' seed */
    bool in_parts;          /* each rank makes and judges its own: there are no whole arrays */
    struct host_arrays input, output;
    void *pristine[KERNEL_ARRAYS_MAX]; /* this rank's original parts of ARRAY_INOUT */
    size_t part_bytes[KERNEL_ARRAYS_MAX];
    struct communication communication;
};

static size_t part_bytes(const struct measuring *m, int array)
{
    const struct method_run *run = &m->run;
    struct place place = run->method->place(&m->problem, &run->arrays[array], array, run->ranks.rank, run->ranks.count);
    return place.rows * place.cols * element_info(run->arrays[array].type)->bytes;
}

static enum status allocate(struct measuring *m, struct error *error)
{
    struct method_run *run = &m->run;
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++) {
        bool is_output = run->arrays[i].direction != ARRAY_IN;
        m->part_bytes[i] = part_bytes(m, i);
        status = method_allocate(&run->parts[i], m->part_bytes[i], error);
        if (status == STATUS_OK && run->arrays[i].direction == ARRAY_INOUT)
            status = method_allocate(&m->pristine[i], m->part_bytes[i], error);
        if (m->in_parts)
            continue;
        if (status == STATUS_OK && run->ranks.rank == 0)
            status = method_allocate(&m->input.data[i], run->arrays[i].bytes, error);
        if (status == STATUS_OK && run->ranks.rank == 0 && is_output)
            status = method_allocate(&m->output.data[i], run->arrays[i].bytes, error);
    }
    return status;
}

static void release(struct measuring *m)
{
    if (m->run.method->end)
        m->run.method->end(&m->run);
    job_finish(&m->run.job);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        free(m->run.parts[i]);
        free(m->pristine[i]);
        free(m->input.data[i]);
        free(m->output.data[i]);
    }
}

static void keep_pristine(struct measuring *m)
{
    for (int i = 0; i < m->run.array_count; i++)
        if (m->pristine[i])
            memcpy(m->pristine[i], m->run.parts[i], m->part_bytes[i]);
}

/* Distributes new inputs to all ranks. */
static enum status renew(struct measuring *m, uint32_t seed, struct error *error)
{
    struct method_run *run = &m->run;
    enum status status = STATUS_OK;
    m->filled = m->problem;
    m->filled.seed = seed;
    if (m->in_parts) {
        run->has_inputs = false;
        status = ranks_broadcast(&run->ranks, &m->filled.seed, sizeof m->filled.seed, 0, error);
        if (status == STATUS_OK)
            status = own_parts_fill(run, m->filled.seed, error);
        keep_pristine(m);
        return status;
    }
    if (run->ranks.rank == 0) {
        m->problem.kernel->fill(&m->filled, run->arrays, m->input);
    }
    run->has_inputs = false;
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++) {
        if (run->arrays[i].direction == ARRAY_OUT)
            continue;
        status = deal_out(run, i, m->input.data[i], run->parts[i], error);
    }
    keep_pristine(m);
    return status;
}

/* Poisons the outputs with a byte that no result consists of, and restores the arrays that runs change. */
static void restore(struct measuring *m)
{
    for (int i = 0; i < m->run.array_count; i++)
        if (m->pristine[i])
            memcpy(m->run.parts[i], m->pristine[i], m->part_bytes[i]);
        else if (m->run.arrays[i].direction == ARRAY_OUT)
            memset(m->run.parts[i], 0xE0 + (int)(unpredictable_below(32)), m->part_bytes[i]);
}

/* The SHA-256 of the SHA-256s of the result's pieces. */
static enum status take_digest(const void *data, size_t bytes, uint8_t digest[SHA256_BYTES], struct error *error)
{
    size_t pieces = bytes / PIECE_BYTES + 1;
    uint8_t(*all)[SHA256_BYTES] = malloc(pieces * sizeof *all);
    if (!all)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < pieces; i++)
        sha256((const char *)data + i * PIECE_BYTES, size_least(PIECE_BYTES, bytes - i * PIECE_BYTES), all[i]);
    sha256(all, pieces * sizeof *all, digest);
    free(all);
    return STATUS_OK;
}

/* Collects the results and judges them. */
static enum status judge(struct measuring *m, struct distributed_result *result, struct error *error)
{
    struct method_run *run = &m->run;
    struct check_result check = {0};
    enum status status = run->method->download ? run->method->download(run, error) : STATUS_OK;
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK && m->in_parts)
        return own_parts_judge(run, m->filled.seed, &result->worst, error);
    for (int i = 0; status == STATUS_OK && i < run->array_count; i++)
        if (run->arrays[i].direction != ARRAY_IN)
            status = collect(run, i, run->parts[i], m->output.data[i], error);
    if (status != STATUS_OK || run->ranks.rank != 0)
        return status;
    m->problem.kernel->check(&m->filled, run->arrays, m->input, m->output, &check);
    result->worst = check.worst;
    snprintf(result->where, sizeof result->where, "%s", check.where);
    if ((status = check_outcome(&check, error)) != STATUS_OK)
        return status;
    int first = 0; /* output: dot's second output is never written */
    while (run->arrays[first].direction == ARRAY_IN)
        first++;
    return take_digest(m->output.data[first], run->arrays[first].bytes, result->digest, error);
}

/* Of the slowest rank: nanoseconds of a run, and in MPI's calls; bytes that a rank sends. */
struct sample_of_run {
    double taken, communication, sent;
};

static enum status largest(const struct ranks *ranks, struct sample_of_run *sample, struct error *error)
{
    enum status status = ranks_largest(ranks, &sample->taken, error);
    if (status == STATUS_OK)
        status = ranks_largest(ranks, &sample->communication, error);
    return status == STATUS_OK ? ranks_largest(ranks, &sample->sent, error) : status;
}

/* Until all ranks have ended what they began at `begin`. Ranks that share processors take turns: the time of one's own
 * part does not have the others' turns in it. A second barrier tells what the first takes by itself. */
static enum status wait_for_all(const struct ranks *ranks, int64_t begin, double *taken, struct error *error)
{
    enum status status = ranks_barrier(ranks, error);
    const int64_t all = clock_now();
    if (status == STATUS_OK)
        status = ranks_barrier(ranks, error);
    const double barrier = (double)(clock_now() - all), whole = (double)(all - begin) - barrier;
    *taken = whole > *taken ? whole : *taken;
    return status;
}

/* Times one run. A muted one computes, and nothing travels: what is received is what an earlier run has received. */
static enum status run_once(struct measuring *m, bool is_muted, struct sample_of_run *sample, struct error *error)
{
    const struct method *method = m->run.method;
    restore(m);
    enum status status = ranks_agree(&m->run.ranks, method->upload ? method->upload(&m->run, error) : STATUS_OK, error);
    m->run.has_inputs = status == STATUS_OK;
    if (status == STATUS_OK)
        status = ranks_barrier(&m->run.ranks, error);
    if (status != STATUS_OK)
        return status;
    m->communication = (struct communication){.is_muted = is_muted};
    struct error later;
    const int64_t begin = clock_now();
    status = method->run(&m->run, error);
    sample->taken = (double)(clock_now() - begin);
    sample->communication = (double)m->communication.nanoseconds;
    sample->sent = m->communication.bytes;
    m->communication = (struct communication){0};
    if (status == STATUS_SYSTEM) { /* an exchange broke: the others may still wait in it */
        ranks_break();
        return status;
    }
    if (is_muted)
        status = method_outcome(status, error, wait_for_all(&m->run.ranks, begin, &sample->taken, &later), &later);
    status = ranks_agree(&m->run.ranks, status, error);
    return status == STATUS_OK ? largest(&m->run.ranks, sample, error) : status;
}

/* Repeats runs until the time is used; rank 0 decides. */
static enum status time_runs(struct measuring *m, const struct timing *timing, struct distributed_result *result,
                             struct error *error)
{
    double communication[DISTRIBUTED_SAMPLES_MAX] = {0}, parts[DISTRIBUTED_SAMPLES_MAX] = {0};
    const bool has_parts = m->run.ranks.count > 1 && !m->run.method->by_nccl; /* NCCL is not muted */
    struct sample_of_run sample = {0}, muted = {0};
    int64_t begin = clock_now();
    enum status status = run_once(m, false, &sample, error);
    double whole = (double)(clock_now() - begin) / OFF_THE_CLOCK;
    if (status == STATUS_OK)
        status = ranks_largest(&m->run.ranks, &whole, error);
    whole = whole > sample.taken ? whole : sample.taken;
    double wanted = whole > 0 ? timing->seconds * 1e9 / whole : SAMPLES_MOST;
    const size_t least = timing->samples ? timing->samples : SAMPLES_LEAST;
    const size_t most = least > SAMPLES_MOST ? least : SAMPLES_MOST;
    size_t count = wanted < (double)least ? least : wanted > (double)most ? most : (size_t)wanted;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        if (has_parts)
            status = run_once(m, true, &muted, error);
        if (status == STATUS_OK)
            status = run_once(m, false, &sample, error);
        parts[i] = muted.taken;
        communication[i] = sample.communication;
        result->samples[i] = sample.taken;
        result->sent = sample.sent;
    }
    if (status != STATUS_OK)
        return status;
    if (!statistics_summarise(result->samples, count, &result->time))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    result->parts = has_parts ? statistics_median(parts, count) : 0;
    if (result->time.median > 0)
        result->communication = statistics_median(communication, count) / result->time.median;
    return STATUS_OK;
}

static enum status verify_and_time(struct measuring *m, const struct timing *timing, struct distributed_result *result,
                                   struct error *error)
{
    struct sample_of_run ignored;
    enum status status = renew(m, (uint32_t)unpredictable(), error);
    if (status == STATUS_OK)
        status = run_once(m, false, &ignored, error);
    if (status == STATUS_OK)
        status = ranks_agree(&m->run.ranks, judge(m, result, error), error);
    if (status == STATUS_OK)
        status = renew(m, timing->seed, error);
    if (status == STATUS_OK)
        status = time_runs(m, timing, result, error);
    if (status == STATUS_OK)
        status = ranks_agree(&m->run.ranks, judge(m, result, error), error);
    return status;
}

enum status distributed_measure(const struct method *method, const struct problem *problem, const struct ranks *ranks,
                                struct device *device, const struct timing *timing, struct distributed_result *result,
                                struct error *error)
{
    struct measuring *m = calloc(1, sizeof *m);
    struct error why;
    memset(result, 0, sizeof *result);
    if (!m)
        ranks_abort(3);
    m->problem = *problem;
    m->in_parts = timing->in_parts;
    m->run = (struct method_run){.method = method, .problem = &m->problem, .ranks = *ranks, .device = device};
    m->run.ranks.communication = &m->communication;
    enum status status = kernel_describe(problem, m->run.arrays, &m->run.array_count, error);
    const char *refused = status == STATUS_OK ? problem_field_refused(problem, "") : NULL;
    if (refused)
        explain(result->reason, sizeof result->reason, "%s", refused);
    else if (status == STATUS_OK && method->refuses)
        refused = method->refuses(problem, ranks->count, result->reason, sizeof result->reason);
    if (refused) {
        result->verdict = STATUS_UNAVAILABLE;
        free(m);
        return STATUS_OK;
    }
    status = ranks_agree(ranks, status == STATUS_OK ? allocate(m, &why) : status, &why);
    if (status == STATUS_OK)
        status = ranks_agree(ranks, method->begin(&m->run, &why), &why);
    if (status == STATUS_OK)
        status = verify_and_time(m, timing, result, &why);
    result->verdict = status;
    if (status != STATUS_OK)
        snprintf(result->reason, sizeof result->reason, "%s", why.text);
    release(m);
    free(m);
    return status == STATUS_SYSTEM ? fail(error, status, "%s", why.text) : STATUS_OK;
}
