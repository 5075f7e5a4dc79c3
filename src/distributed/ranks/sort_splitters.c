/* A sample sort with exact splitters. Each rank sorts its part. Bisection on the keys finds all splitters together: in
 * each round every rank counts its keys below each candidate, and the counts are added. Each rank thus ends with
 * exactly as many elements as it began with, whatever the data. After one all-to-all exchange, each rank sorts the
 * elements it received.
 *
 * `resident` and `nccl` have the keys in device memory, and count there.
 *
 * Exact splitting by rounds of counting: C. Siebert, F. Wolf, "A scalable parallel sorting algorithm using exact
 * splitting" (2011). */
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"
#include "distributed/local_run.h"
#include "distributed/ranks/resident.h"
#include "kernels/part.h"
#include "kernels/sort/sort.h"

/* Numbers of keys below a splitter, and of keys not above it. */
struct tally {
    uint64_t below, up_to;
};

#define TALLY_GROUP 64

struct state {
    struct resident resident; /* all zero for keys in host memory */
    struct buffer arrived, candidates, tallies;
    struct program *program;
    struct local_run local;
    void *received;
    struct rank_pieces send, receive;
    uint64_t *splitters; /* count - 1 keys: rank r's first element has a key of at least splitters[r - 1] */
    struct tally *own;   /* count - 1 tallies of this rank's keys */
    struct tally *all;   /* the same for all ranks, rank by rank */
};

static struct place place(const struct problem *problem, const struct array *array, int index, int rank, int count)
{
    (void)problem, (void)index;
    size_t begin = part_begin(array->cols, (size_t)count, (size_t)rank);
    return (struct place){
        .rows = 1, .col = begin, .cols = part_begin(array->cols, (size_t)count, (size_t)rank + 1) - begin};
}

static enum status make_tables(struct method_run *run, struct error *error)
{
    size_t count = (size_t)run->ranks.count;
    struct state *state = run->state;
    if (!rank_pieces_make(&state->send, run->ranks.count) || !rank_pieces_make(&state->receive, run->ranks.count))
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    state->splitters = calloc(count, sizeof *state->splitters);
    state->own = calloc(count, sizeof *state->own);
    state->all = calloc(count * count, sizeof *state->all);
    return state->splitters && state->own && state->all ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory");
}

static enum status prepare(struct method_run *run, struct error *error)
{
    struct state *state = run->state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    enum status status = make_tables(run, error);
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    return status == STATUS_OK ? method_allocate(&state->received, own * element_info(run->problem->type)->bytes, error)
                               : status;
}

/* Prepares the counting kernel, its operands, and room for the received elements. */
static enum status make_counting(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t count = (size_t)run->ranks.count, element = element_info(run->problem->type)->bytes;
    const char *const defines[] = {element == 8 ? "ELEMENT_BYTES=8" : "ELEMENT_BYTES=4",
                                   element == 8 ? "ELEMENT=ulong" : "ELEMENT=uint", "TILE=3840", "GROUP=256",
                                   "ITEMS=15"};
    const struct embedded_file *file = embedded_find("distributed/sort/runs.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, COUNT_OF(defines)};
    enum status status = program_build(run->device, &source, &state->program, error);
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, state->resident.bytes[0], &state->arrived, error);
    if (status == STATUS_OK)
        status = buffer_allocate(run->device, count * sizeof(uint64_t), &state->candidates, error);
    return status == STATUS_OK ? buffer_allocate(run->device, count * sizeof(struct tally), &state->tallies, error)
                               : status;
}

static enum status prepare_resident(struct method_run *run, struct error *error)
{
    enum status status = resident_begin(run, sizeof(struct state), error);
    struct state *state = run->state;
    if (status == STATUS_OK)
        status = make_tables(run, error);
    if (status == STATUS_OK)
        status = make_counting(run, error);
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    struct problem local = *run->problem;
    problem_set_size(&local, "n", (int64_t)own);
    return status == STATUS_OK && own > 1
               ? local_run_make(&state->local, &local, run->device, state->resident.parts, error)
               : status;
}

static void finish(struct method_run *run)
{
    struct state *state = run->state;
    if (!state)
        return;
    local_run_finish(&state->local);
    program_discard(state->program);
    buffer_release(&state->arrived);
    buffer_release(&state->candidates);
    buffer_release(&state->tallies);
    free(state->received);
    free(state->splitters);
    free(state->own);
    free(state->all);
    rank_pieces_free(&state->send);
    rank_pieces_free(&state->receive);
    resident_end(run);
}

/* Sorted elements, read as keys. */
struct keys {
    const void *data;
    size_t count, bytes;
    struct key_order order;
};

/* Number of keys below `key`; with `equal`, number of keys not above it. */
static size_t count_below(const struct keys *keys, uint64_t key, bool equal)
{
    size_t low = 0, high = keys->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t found = word_key(word_load(keys->data, middle, keys->bytes), &keys->order, keys->bytes);
        if (found < key || (equal && found == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct argument_value key_argument(const struct keys *keys, uint64_t value)
{
    return keys->bytes == 8 ? (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)value}}
                            : (struct argument_value){ARGUMENT_INT, {.int_value = (int32_t)(uint32_t)value}};
}

static enum status tally_on_device(struct method_run *run, const struct keys *keys, size_t splitters,
                                   struct error *error)
{
    struct state *state = run->state;
    const struct argument_value arguments[] = {{ARGUMENT_BUFFER, {.buffer = &state->resident.parts[0]}},
                                               {ARGUMENT_LONG, {.long_value = (int64_t)keys->count}},
                                               {ARGUMENT_BUFFER, {.buffer = &state->candidates}},
                                               {ARGUMENT_BUFFER, {.buffer = &state->tallies}},
                                               {ARGUMENT_INT, {.int_value = (int32_t)splitters}},
                                               key_argument(keys, keys->order.negative),
                                               key_argument(keys, keys->order.always),
                                               key_argument(keys, keys->order.below)};
    const struct launch launch = {.entry = "tally",
                                  .rank = 1,
                                  .group = {TALLY_GROUP, 1, 1},
                                  .groups = {(splitters + TALLY_GROUP - 1) / TALLY_GROUP, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    enum status status =
        buffer_write(&state->candidates, 0, state->splitters, splitters * sizeof *state->splitters, error);
    if (status == STATUS_OK)
        status = program_launch(state->program, &launch, error);
    return status == STATUS_OK ? buffer_read(&state->tallies, 0, state->own, splitters * sizeof *state->own, error)
                               : status;
}

/* Gathers every rank's tallies for the current splitters. */
static enum status tally_all(struct method_run *run, const struct keys *keys, struct error *error)
{
    struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    for (size_t i = 0; !run->method->resident && i < splitters; i++)
        state->own[i] =
            (struct tally){count_below(keys, state->splitters[i], false), count_below(keys, state->splitters[i], true)};
    if (run->method->resident) {
        enum status status = ranks_agree(&run->ranks, tally_on_device(run, keys, splitters, error), error);
        if (status != STATUS_OK)
            return status;
    }
    return ranks_gather_to_all(&run->ranks, state->own, splitters * sizeof *state->own, state->all, error);
}

/* Number of keys below a splitter, over all ranks. */
static uint64_t total_below(const struct method_run *run, size_t splitter)
{
    const struct state *state = run->state;
    size_t count = (size_t)run->ranks.count;
    uint64_t total = 0;
    for (size_t r = 0; r < count; r++)
        total += state->all[r * (count - 1) + splitter].below;
    return total;
}

/* Number of elements of all ranks before the one that a splitter begins. */
static uint64_t wanted_below(const struct method_run *run, size_t splitter)
{
    return part_begin(run->arrays[0].cols, (size_t)run->ranks.count, splitter + 1);
}

/* Finds each splitter bit by bit, from the highest: the largest key with no more elements below it than the ranks
 * before it own. */
static enum status find_splitters(struct method_run *run, const struct keys *keys, struct error *error)
{
    struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    enum status status = STATUS_OK;
    memset(state->splitters, 0, splitters * sizeof *state->splitters);
    for (unsigned bit = (unsigned)keys->bytes * 8; status == STATUS_OK && bit-- > 0;) {
        for (size_t i = 0; i < splitters; i++)
            state->splitters[i] |= (uint64_t)1 << bit;
        status = tally_all(run, keys, error);
        for (size_t i = 0; status == STATUS_OK && i < splitters; i++)
            if (total_below(run, i) > wanted_below(run, i))
                state->splitters[i] &= ~((uint64_t)1 << bit);
    }
    return status;
}

/* The place where rank `rank` cuts its elements for splitter i. Smaller elements go before the cut. Of the
 * elements equal to the splitter, as many go before the cut as are still missing there, rank by rank. */
static size_t cut_of(const struct method_run *run, size_t splitter, size_t rank)
{
    const struct state *state = run->state;
    size_t splitters = (size_t)run->ranks.count - 1;
    uint64_t missing = wanted_below(run, splitter) - total_below(run, splitter);
    for (size_t r = 0; r < rank; r++) {
        const struct tally *tally = &state->all[r * splitters + splitter];
        uint64_t equal = tally->up_to - tally->below;
        missing -= equal < missing ? equal : missing;
    }
    const struct tally *own = &state->all[rank * splitters + splitter];
    uint64_t equal = own->up_to - own->below;
    return (size_t)(own->below + (equal < missing ? equal : missing));
}

/* Computes the sizes of all messages from the cuts of all ranks, which every rank knows. */
static void plan(struct method_run *run, const struct keys *keys)
{
    struct state *state = run->state;
    size_t count = (size_t)run->ranks.count, rank = (size_t)run->ranks.rank;
    for (size_t r = 0; r < count; r++) {
        size_t own = place(NULL, &run->arrays[0], 0, (int)r, (int)count).cols;
        size_t from = rank == 0 ? 0 : cut_of(run, rank - 1, r), to = rank + 1 == count ? own : cut_of(run, rank, r);
        state->receive.bytes[r] = (to - from) * keys->bytes;
        from = r == 0 ? 0 : cut_of(run, r - 1, rank);
        to = r + 1 == count ? keys->count : cut_of(run, r, rank);
        state->send.bytes[r] = (to - from) * keys->bytes;
    }
    rank_pieces_pack(&state->send, (int)count);
    rank_pieces_pack(&state->receive, (int)count);
    state->send.data = run->parts[0];
    state->receive.data = state->received;
}

static enum status sort_own(struct method_run *run, size_t count, struct error *error)
{
    struct problem local = *run->problem;
    problem_set_size(&local, "n", (int64_t)count);
    return count > 1 ? method_compute(run, &local, (void *[]){run->parts[0]}, error) : STATUS_OK;
}

/* Finds the splitters and plans the exchange, on every rank or on none. */
static enum status split(struct method_run *run, const struct keys *keys, struct error *error)
{
    enum status status = find_splitters(run, keys, error);
    if (status == STATUS_OK)
        status = tally_all(run, keys, error);
    if (status == STATUS_OK)
        plan(run, keys);
    return status;
}

static enum status run_on_device(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    const struct buffer *own = &state->resident.parts[0];
    size_t bytes = element_info(run->problem->type)->bytes;
    const struct keys keys = {.count = own->bytes / bytes, .bytes = bytes, .order = key_order(run->problem->type)};
    enum status status = local_run_enqueue(&state->local, error);
    if (status == STATUS_OK)
        status = device_synchronize(run->device, error);
    if (run->ranks.count == 1)
        return status;
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK)
        status = split(run, &keys, error);
    if (status == STATUS_OK)
        status = resident_exchange(run, own, &state->send, &state->arrived, &state->receive, error);
    if (status == STATUS_OK && own->bytes)
        status = buffer_copy(own, 0, &state->arrived, 0, own->bytes, error);
    if (status == STATUS_OK)
        status = local_run_enqueue(&state->local, error);
    return status == STATUS_OK ? device_synchronize(run->device, error) : status;
}

static enum status run_once(struct method_run *run, struct error *error)
{
    struct state *state = run->state;
    size_t own = place(NULL, &run->arrays[0], 0, run->ranks.rank, run->ranks.count).cols;
    struct keys keys = {.data = run->parts[0],
                        .count = own,
                        .bytes = element_info(run->problem->type)->bytes,
                        .order = key_order(run->problem->type)};
    enum status status = sort_own(run, own, error);
    if (run->ranks.count == 1)
        return status;
    /* All ranks stop if one rank's sort failed: its keys are unsorted, and its tallies meaningless. */
    status = ranks_agree(&run->ranks, status, error);
    if (status == STATUS_OK)
        status = split(run, &keys, error);
    if (status != STATUS_OK)
        return status;
    status = ranks_exchange(&run->ranks, &state->send, &state->receive, error);
    if (status != STATUS_OK)
        return status;
    memcpy(run->parts[0], state->received, own * keys.bytes);
    return sort_own(run, own, error);
}

static struct traffic traffic(const struct problem *problem, int count)
{
    double bits = 8.0 * (double)element_info(problem->type)->bytes;
    double bytes = (double)problem_size(problem, "n") * bits / 8 / count;
    if (count == 1)
        return (struct traffic){.work = 1};
    return (struct traffic){.work = 2.0 / count,
                            .messages = (bits + 2) * tree_steps(count) + count - 1,
                            .bytes = bytes * (count - 1) / count + (bits + 1) * 16.0 * count * (count - 1)};
}

const struct method method_sort_splitters = {
    .kernel = "sort",
    .name = "splitters",
    .idea = "each rank sorts its part; exact splitters; one exchange of all with all; each sorts what it got",
    .place = place,
    .begin = prepare,
    .end = finish,
    .run = run_once,
    .traffic = traffic,
};

const struct method method_sort_resident = {
    .kernel = "sort",
    .name = "resident",
    .idea = "as splitters, with the keys in the devices' memory; they pass through host memory and MPI",
    .resident = true,
    .place = place,
    .begin = prepare_resident,
    .end = finish,
    .upload = resident_upload,
    .download = resident_download,
    .run = run_on_device,
    .traffic = traffic,
};

const struct method method_sort_nccl = {
    .kernel = "sort",
    .name = "nccl",
    .idea = "as resident; NCCL carries the keys from device to device",
    .resident = true,
    .by_nccl = true,
    .place = place,
    .begin = prepare_resident,
    .end = finish,
    .upload = resident_upload,
    .download = resident_download,
    .run = run_on_device,
    .traffic = traffic,
};
