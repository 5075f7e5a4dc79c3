/* Least significant digit first, 8 bits at a time, to and fro between the array and scratch memory; every width has an
 * even number of digits, so that the keys end where they began.
 *
 * Keys of 256 digits go to 256 places, which is more than the processor's tables of pages and lines hold. So a thread
 * gathers a cache line of keys for each digit, which all fit its first-level cache, and writes whole lines past the
 * caches (software write-combining: Satish et al., "Fast sort on CPUs and GPUs", 2010). */
#include <string.h>

#include "base/pool.h"
#include "base/size.h"
#include "kernels/sort/sort.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define DIGITS 256
#define LINE 64
/* Fewer keys than these are not worth another thread. */
#define KEYS_PER_THREAD 32768.0

/* The working data of one thread. Places are counted from the last multiple of a line before the target's beginning. */
struct worker {
    unsigned char lines[DIGITS][LINE];
    size_t place[DIGITS]; /* of the digit's next key */
    size_t start[DIGITS]; /* of its first key of this thread */
    size_t count[DIGITS];
} __attribute__((aligned(LINE)));

/* One pass over one digit. */
struct pass {
    const void *source;
    void *target; /* at a multiple of a line: the keys begin `skew` keys later */
    size_t skew, count;
    unsigned shift;
    bool from_bits, to_bits; /* the first and the last pass */
    struct key_order order;
};

static void write_line(void *target, const void *line)
{
#if defined(__SSE2__)
    for (int i = 0; i < LINE / 16; i++)
        _mm_stream_si128((__m128i *)target + i, _mm_load_si128((const __m128i *)line + i));
#else
    memcpy(target, line, LINE);
#endif
}

static void finish_lines(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

static FOR_EACH_WIDTH size_t digit_of(const struct pass *pass, size_t index, bool from_bits, uint64_t *key,
                                      size_t bytes)
{
    uint64_t word = word_load(pass->source, index, bytes);
    *key = from_bits ? word_key(word, &pass->order, bytes) : word;
    return (size_t)(*key >> pass->shift) % DIGITS;
}

static FOR_EACH_WIDTH int count(struct worker *worker, const struct pass *pass, size_t begin, size_t end, size_t bytes)
{
    uint64_t key;
    memset(worker->count, 0, sizeof worker->count);
    if (pass->from_bits)
        for (size_t i = begin; i < end; i++)
            worker->count[digit_of(pass, i, true, &key, bytes)]++;
    else
        for (size_t i = begin; i < end; i++)
            worker->count[digit_of(pass, i, false, &key, bytes)]++;
    return 0;
}

/* Where each thread's keys of each digit begin: digit by digit, and thread by thread within it. */
static void sum_up(struct worker *workers, size_t threads, size_t skew)
{
    size_t place = skew;
    for (size_t digit = 0; digit < DIGITS; digit++)
        for (size_t t = 0; t < threads; t++) {
            workers[t].place[digit] = workers[t].start[digit] = place;
            place += workers[t].count[digit];
        }
}

/* Writes the keys gathered for this digit that lie in the line of `place`, which need not be whole. */
static FOR_EACH_WIDTH void write_part(struct worker *worker, const struct pass *pass, size_t digit, size_t end,
                                      size_t bytes)
{
    size_t per_line = LINE / bytes, begin = (end - 1) / per_line * per_line;
    begin = begin < worker->start[digit] ? worker->start[digit] : begin;
    for (size_t place = begin; place < end; place++)
        word_store(pass->target, place, word_load(worker->lines[digit], place % per_line, bytes), bytes);
}

static FOR_EACH_WIDTH void line_to_bits(void *line, const struct key_order *order, size_t bytes)
{
    for (size_t i = 0; i < LINE / bytes; i++)
        word_store(line, i, word_bits(word_load(line, i, bytes), order, bytes), bytes);
}

static FOR_EACH_WIDTH void move_keys(struct worker *worker, const struct pass *pass, size_t begin, size_t end,
                                     bool from_bits, size_t bytes)
{
    const size_t per_line = LINE / bytes;
    for (size_t i = begin; i < end; i++) {
        /* begin gather */
        uint64_t key;
        size_t digit = digit_of(pass, i, from_bits, &key, bytes), place = worker->place[digit]++;
        word_store(worker->lines[digit], place % per_line, key, bytes);
        if (place % per_line != per_line - 1)
            continue;
        /* end gather */
        if (pass->to_bits)
            line_to_bits(worker->lines[digit], &pass->order, bytes);
        if (place + 1 - per_line >= worker->start[digit] && place + 1 >= per_line)
            write_line((char *)pass->target + (place + 1 - per_line) * bytes, worker->lines[digit]);
        else
            write_part(worker, pass, digit, place + 1, bytes);
    }
}

static FOR_EACH_WIDTH int move(struct worker *worker, const struct pass *pass, size_t begin, size_t end, size_t bytes)
{
    if (pass->from_bits)
        move_keys(worker, pass, begin, end, true, bytes);
    else
        move_keys(worker, pass, begin, end, false, bytes);
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t place = worker->place[digit];
        if (place % (LINE / bytes) == 0 || place == worker->start[digit])
            continue;
        if (pass->to_bits)
            line_to_bits(worker->lines[digit], &pass->order, bytes);
        write_part(worker, pass, digit, place, bytes);
    }
    finish_lines();
    return 0;
}

static size_t workers_at(size_t elements, size_t bytes)
{
    return (elements * bytes + LINE - 1) / LINE * LINE;
}

static size_t scratch(const struct problem *problem, const struct device *device, const struct parameters *parameters)
{
    (void)device, (void)parameters;
    size_t elements = (size_t)problem_size(problem, "n"), bytes = element_info(problem->type)->bytes;
    return workers_at(elements, bytes) + pool_threads_for((double)elements, KEYS_PER_THREAD) * sizeof(struct worker);
}

/* A pass and those who do it: part t of the keys is worker t's, whichever thread it runs on. */
struct team {
    struct worker *workers;
    size_t parts, bytes;
    const struct pass *pass;
};

static void count_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct team *team = context;
    CALL_FOR_BYTES(team->bytes, count, &team->workers[index], team->pass,
                   pool_part(team->pass->count, team->parts, index),
                   pool_part(team->pass->count, team->parts, index + 1));
}

static void move_part(void *context, size_t index, size_t thread)
{
    (void)thread;
    const struct team *team = context;
    CALL_FOR_BYTES(team->bytes, move, &team->workers[index], team->pass,
                   pool_part(team->pass->count, team->parts, index),
                   pool_part(team->pass->count, team->parts, index + 1));
}

static void do_pass(struct team *team)
{
    parallel_for(team->parts, team->parts, count_part, team);
    sum_up(team->workers, team->parts, team->pass->skew);
    parallel_for(team->parts, team->parts, move_part, team);
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct sorting sorting = sorting_of(run);
    struct worker *workers = (void *)((char *)sorting.scratch + workers_at(sorting.count, sorting.bytes));
    size_t room = (run->scratch->bytes - workers_at(sorting.count, sorting.bytes)) / sizeof *workers;
    size_t threads = pool_threads_for((double)sorting.count, KEYS_PER_THREAD);
    threads = size_least(threads, room); /* the number of threads may have changed since */
    void *places[] = {sorting.data, sorting.scratch};
    for (unsigned i = 0; i < sorting.bytes; i++) {
        unsigned char *target = places[1 - i % 2];
        size_t beyond_line = (uintptr_t)target % LINE;
        struct pass pass = {
            .source = places[i % 2],
            .target = target - beyond_line,
            .skew = beyond_line / sorting.bytes,
            .count = sorting.count,
            .shift = 8 * i,
            .from_bits = i == 0,
            .to_bits = i + 1 == sorting.bytes,
            .order = sorting.order,
        };
        do_pass(&(struct team){workers, threads, sorting.bytes, &pass});
    }
    sort_finish(run, &sorting);
    return STATUS_OK;
}

const struct rung sort_radix = {
    .name = "radix",
    .idea = "no comparisons: 8 bits at a time, the order within a digit kept; whole cache lines are gathered and "
            "written by non-temporal stores",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = SORT_OPTIONS_OF_ONE,
    .rests_soon = true,
    .scratch = scratch,
    .enqueue = enqueue,
};
