#include "base/size.h"
#include "distributed/carrier.h"
#include "distributed/sort/merger.h"
#include "distributed/sort/sort.h"

#define SEARCHERS 64 /* of find_cuts: 16 bins, four runs at once */
#define CUTS_MOST ((size_t)GROUP_MAX * SORT_PIECES)

/* A device's memory, as addresses for all: the scratch memory has the sorted share, the received runs, and room for
 * merges. */
struct places {
    int64_t keys, sorted, received, merged;
};

struct runs {
    struct carried carried; /* each view: where the local sort leaves its keys */
    enum runs_joined joined;
    size_t pieces;
    struct merger mergers[GROUP_MAX];
    struct buffer table, ranks, cuts; /* on device 0 */
    struct places places[GROUP_MAX];
    /* [piece of the result, device by device][run]: where the piece begins in the run */
    int64_t cut[CUTS_MOST + 1][GROUP_MAX];
};

static size_t keys_of(const struct problem *problem, size_t index, size_t count)
{
    return keys_begin(problem, count, index + 1) - keys_begin(problem, count, index);
}

/* A third of the scratch memory. */
static size_t room_bytes(const struct problem *problem, size_t index, size_t count)
{
    size_t bytes = keys_of(problem, index, count) * element_info(problem->type)->bytes;
    return (bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT * BUFFER_ALIGNMENT;
}

size_t runs_scratch(const struct problem *problem, size_t index, size_t count)
{
    return 3 * room_bytes(problem, index, count);
}

double runs_work_again(const struct problem *problem, size_t count)
{
    (void)problem;
    return 2.0 / (double)count;
}

/* The first key of a piece of device `index`'s result, counted from the device's first. */
static size_t piece_begin(const struct device_run *run, size_t index, size_t piece)
{
    const struct runs *runs = run->state;
    return sort_piece_begin(keys_of(run->problem, index, run->group->count), runs->pieces, piece);
}

/* ---- preparing ------------------------------------------------------------------------------------------------ */

/* Allocates the operands and the result of find_cuts. */
static enum status make_table(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    struct device *first = run->group->devices[0];
    size_t count = run->group->count;
    int64_t table[2 * GROUP_MAX] = {0}, ranks[CUTS_MOST] = {0};
    enum status status = buffer_allocate(first, sizeof table, &runs->table, error);
    if (status == STATUS_OK)
        status = buffer_allocate(first, sizeof ranks, &runs->ranks, error);
    if (status == STATUS_OK)
        status = buffer_allocate(first, sizeof runs->cut, &runs->cuts, error);
    for (size_t i = 0; i < count; i++) {
        table[i] = runs->places[i].sorted;
        table[count + i] = (int64_t)keys_of(run->problem, i, count);
        runs->cut[count * runs->pieces][i] = table[count + i];
        for (size_t p = 0; p < runs->pieces; p++) /* the rank where a piece ends */
            ranks[i * runs->pieces + p] = (int64_t)(keys_begin(run->problem, count, i) + piece_begin(run, i, p + 1));
    }
    if (status == STATUS_OK)
        status = buffer_write(&runs->table, 0, table, sizeof table, error);
    return status == STATUS_OK ? buffer_write(&runs->ranks, 0, ranks, sizeof ranks, error) : status;
}

/* Rungs that sort again sort in the array both times; the others' arrays must be free for the result of the merges. */
static enum status make_sort(struct device_run *run, size_t index, struct error *error)
{
    struct runs *runs = run->state;
    struct problem local = *run->problem;
    const struct buffer *keys = &run->buffers[index][0];
    const bool in_place = runs->joined == RUNS_SORTED_AGAIN;
    enum status status =
        buffer_view(in_place ? keys : &run->scratch[index], 0, keys->bytes, &runs->carried.views[index], error);
    problem_set_size(&local, "n", (int64_t)keys_of(run->problem, index, run->group->count));
    if (status == STATUS_OK && keys->bytes)
        status =
            carried_local(run, index, &local, &runs->carried.views[index], NULL, &runs->carried.local[index], error);
    if (status == STATUS_OK && keys->bytes && !in_place)
        local_run_read_from(&runs->carried.local[index], keys);
    return status;
}

static enum status find_places(struct device_run *run, size_t index, struct error *error)
{
    struct runs *runs = run->state;
    struct places *places = &runs->places[index];
    const int64_t room = (int64_t)room_bytes(run->problem, index, run->group->count);
    int64_t scratch = 0;
    enum status status = group_address(run->group, index, &run->buffers[index][0], &places->keys, error);
    if (status == STATUS_OK)
        status = group_address(run->group, index, &run->scratch[index], &scratch, error);
    places->sorted = runs->joined == RUNS_SORTED_AGAIN ? places->keys : scratch;
    places->received = scratch + room;
    places->merged = scratch + 2 * room;
    return status;
}

enum status runs_prepare(struct device_run *run, struct error *error)
{
    enum status status = carried_begin(run, sizeof(struct runs), error);
    struct runs *runs = run->state;
    if (status != STATUS_OK)
        return status;
    size_t count = run->group->count;
    runs->joined = (enum runs_joined)run->rung->way;
    runs->pieces = runs->joined == RUNS_MERGED ? SORT_PIECES : 1;
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        status = make_sort(run, i, error);
        if (status == STATUS_OK)
            status = find_places(run, i, error);
        if (status == STATUS_OK)
            status = merger_make(&runs->mergers[i], run->group->devices[i], run->problem->type,
                                 keys_of(run->problem, i, count), error);
    }
    return status == STATUS_OK ? make_table(run, error) : status;
}

void runs_finish(struct device_run *run)
{
    struct runs *runs = run->state;
    for (size_t i = 0; runs && i < GROUP_MAX; i++)
        merger_free(&runs->mergers[i]);
    if (runs) {
        buffer_release(&runs->table);
        buffer_release(&runs->ranks);
        buffer_release(&runs->cuts);
    }
    carried_end(run);
}

/* ---- running -------------------------------------------------------------------------------------------------- */

/* Finds the cuts on device 0 and reads them on the host, which waits for all devices' sorts. */
static enum status find_cuts(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count, cuts = count * runs->pieces - 1;
    struct argument_value arguments[4 + MERGER_ORDER_ARGUMENTS] = {
        {ARGUMENT_BUFFER, {.buffer = &runs->table}},
        {ARGUMENT_BUFFER, {.buffer = &runs->ranks}},
        {ARGUMENT_BUFFER, {.buffer = &runs->cuts}},
        {ARGUMENT_INT, {.int_value = (int32_t)count}},
    };
    merger_order_arguments(&runs->mergers[0], &arguments[4]);
    const struct launch launch = {.entry = "find_cuts",
                                  .rank = 1,
                                  .group = {SEARCHERS, 1, 1},
                                  .groups = {cuts, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    int64_t found[CUTS_MOST * GROUP_MAX];
    if (cuts == 0)
        return STATUS_OK;
    enum status status = program_launch(runs->mergers[0].program, &launch, error);
    if (status == STATUS_OK)
        status = buffer_read(&runs->cuts, 0, found, cuts * count * sizeof *found, error);
    for (size_t c = 1; status == STATUS_OK && c <= cuts; c++)
        for (size_t i = 0; i < count; i++)
            runs->cut[c][i] = found[(c - 1) * count + i];
    return status;
}

/* The keys of a piece of the result that run `from` has. */
static size_t keys_from(const struct runs *runs, size_t piece, size_t from)
{
    return (size_t)(runs->cut[piece + 1][from] - runs->cut[piece][from]);
}

/* Where the keys of run `from` land: the piece's first key, and as many further as earlier runs have. */
static size_t landing(const struct device_run *run, size_t to, size_t piece, size_t from)
{
    const struct runs *runs = run->state;
    size_t at = piece_begin(run, to, piece);
    for (size_t i = 0; i < from; i++)
        at += keys_from(runs, to * runs->pieces + piece, i);
    return at;
}

/* Copies one piece of each device's result from the runs of the others. Its own run is merged where it lies, unless it
 * is sorted again. */
static enum status send_piece(struct device_run *run, size_t piece, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count, element = runs->mergers[0].element;
    enum status status = STATUS_OK;
    for (size_t step = runs->joined == RUNS_SORTED_AGAIN ? 0 : 1; step < count; step++)
        for (size_t from = 0; status == STATUS_OK && from < count; from++) {
            size_t to = (from + step) % count, index = to * runs->pieces + piece;
            size_t room = room_bytes(run->problem, to, count);
            const struct peer_copy copy = {.source = &runs->carried.views[from],
                                           .target = &run->scratch[to],
                                           .source_offset = (size_t)runs->cut[index][from] * element,
                                           .target_offset = room + landing(run, to, piece, from) * element,
                                           .width = keys_from(runs, index, from) * element,
                                           .rows = 1};
            status = carrier_copy(&runs->carried.carrier, from, to, &copy, error);
        }
    return status;
}

/* Merges one piece of a device's result, beginning with its own run. In place, the first merges read the other runs in
 * the peers' memory: no two devices begin with the same peer. */
static enum status merge_piece(struct device_run *run, size_t to, size_t piece, struct error *error)
{
    const struct runs *runs = run->state;
    const struct places *places = &runs->places[to];
    struct sorted_run sorted[GROUP_MAX];
    size_t count = run->group->count, index = to * runs->pieces + piece, element = runs->mergers[to].element;
    const int64_t begin = (int64_t)(piece_begin(run, to, piece) * element);
    const int64_t rooms[2] = {places->merged + begin, places->received + begin};
    for (size_t turn = 0; turn < count; turn++) {
        size_t from = (to + turn) % count;
        bool in_place = from == to || runs->joined == RUNS_MERGED_IN_PLACE;
        int64_t at = in_place ? runs->places[from].sorted + runs->cut[index][from] * (int64_t)element
                              : places->received + (int64_t)(landing(run, to, piece, from) * element);
        sorted[turn] = (struct sorted_run){at, keys_from(runs, index, from)};
    }
    return merger_merge(&runs->mergers[to], sorted, count, rooms, places->keys + begin, error);
}

/* Makes the device's own queue wait for what has been sent to it. */
static enum status receive(struct device_run *run, size_t to, struct error *error)
{
    struct runs *runs = run->state;
    enum status status = STATUS_OK;
    for (size_t from = 0; status == STATUS_OK && from < run->group->count; from++)
        if (from != to)
            status = carrier_arrive(&runs->carried.carrier, from, to, error);
    return status;
}

/* All pairs finish a piece before any begins the next: a piece is merged when its last run is there. */
static enum status begin_piece(struct device_run *run, size_t piece, struct error *error)
{
    struct runs *runs = run->state;
    if (piece == runs->pieces)
        return STATUS_OK;
    enum status status = piece ? carrier_keep_step(&runs->carried.carrier, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = send_piece(run, piece, error);
    return status == STATUS_OK ? carrier_flush(&runs->carried.carrier, error) : status;
}

static enum status merge_received(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&runs->carried.carrier, error);
    if (status == STATUS_OK)
        status = begin_piece(run, 0, error);
    for (size_t piece = 0; status == STATUS_OK && piece < runs->pieces; piece++) {
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = receive(run, i, error);
        if (status == STATUS_OK) /* enqueued before the merges, so that the links never wait for the host */
            status = begin_piece(run, piece + 1, error);
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = merge_piece(run, i, piece, error);
    }
    return status;
}

static enum status merge_in_place(struct device_run *run, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = merge_piece(run, i, 0, error);
    return status;
}

static enum status sort_again(struct device_run *run, struct error *error)
{
    struct runs *runs = run->state;
    size_t count = run->group->count;
    enum status status = carrier_begin_all(&runs->carried.carrier, error);
    if (status == STATUS_OK)
        status = send_piece(run, 0, error);
    if (status == STATUS_OK)
        status = carrier_join(&runs->carried.carrier, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        const struct buffer *keys = &run->buffers[i][0];
        status = buffer_copy(keys, 0, &run->scratch[i], room_bytes(run->problem, i, count), keys->bytes, error);
        if (status == STATUS_OK)
            status = local_run_enqueue(&runs->carried.local[i], error);
    }
    return status;
}

enum status runs_enqueue(struct device_run *run, struct error *error)
{
    static enum status (*const join[])(struct device_run *, struct error *) = {
        [RUNS_SORTED_AGAIN] = sort_again, [RUNS_MERGED] = merge_received, [RUNS_MERGED_IN_PLACE] = merge_in_place};
    struct runs *runs = run->state;
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < run->group->count; i++)
        status = local_run_enqueue(&runs->carried.local[i], error);
    if (status == STATUS_OK)
        status = group_barrier(run->group, error);
    if (status == STATUS_OK)
        status = find_cuts(run, error);
    return status == STATUS_OK ? join[runs->joined](run, error) : status;
}
