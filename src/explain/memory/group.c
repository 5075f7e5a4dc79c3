#include "explain/memory/group.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "explain/memory/crash_guard.h"

enum { PAGE_BYTES = 4096, STAGGER_BYTES = 320, STAGGERS = 61, ITEMS_AHEAD = 4 };

/* The runner of this thread: a coroutine's entry function takes no arguments. */
static _Thread_local struct group_runner *running;

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static void place_items(struct group_runner *runner)
{
    const size_t *size = runner->local_size;
    for (size_t i = 0; i < runner->item_count; i++) {
        struct place *place = &runner->items[i].place;
        place->local[0] = i % size[0];
        place->local[1] = i / size[0] % size[1];
        place->local[2] = i / (size[0] * size[1]);
        place->item = (unsigned)i;
    }
}

/* Each stack ends in a guard page. */
bool group_runner_make(struct group_runner *runner)
{
    size_t items = runner->local_size[0] * runner->local_size[1] * runner->local_size[2];
    void *stacks = mmap(NULL, items * GROUP_STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    runner->stacks = stacks == MAP_FAILED ? NULL : stacks;
    runner->items = calloc(items, sizeof *runner->items);
    runner->lanes = calloc(WARP_LANES, sizeof *runner->lanes);
    runner->item_count = items;
    if (!runner->stacks || !runner->items || !runner->lanes) {
        group_runner_free(runner);
        return false;
    }
    for (size_t i = 0; i < items; i++)
        mprotect(runner->stacks + i * GROUP_STACK_BYTES, PAGE_BYTES, PROT_NONE);
    place_items(runner);
    return true;
}

void group_runner_free(struct group_runner *runner)
{
    if (runner->stacks)
        munmap(runner->stacks, runner->item_count * GROUP_STACK_BYTES);
    free(runner->items);
    free(runner->lanes);
    runner->stacks = NULL;
    runner->items = NULL;
    runner->lanes = NULL;
}

/* ---- hooks that an item calls ----------------------------------------------------------------------------------- */

/* When an item of the warp has its turn. */
static size_t place_of(const struct group_runner *runner, size_t index)
{
    return index % WARP_LANES ^ runner->turn;
}

/* Whether it is an item of the warp, runs and has an empty record. */
static bool is_ready(const struct group_runner *runner, size_t index)
{
    size_t lane = index % WARP_LANES;
    return index < runner->warp_end && runner->items[index].state == ITEM_RUNS &&
           (!runner->link->recording || runner->taken[lane] >= runner->lanes[lane].count);
}

/* Makes the item the current one, with an empty record. */
static struct coroutine *begin(struct group_runner *runner, size_t index)
{
    struct item *item = &runner->items[index];
    struct lane *lane = &runner->lanes[index % WARP_LANES];
    struct trace_link *link = runner->link;
    if (link->recording)
        lane->count = runner->taken[index % WARP_LANES] = 0;
    runner->current = item;
    link->lane = lane;
    link->place = &item->place;
    return &item->coroutine;
}

/* The next item of the warp that can go on; NULL: none, and the scheduler decides. */
static struct coroutine *next_item(struct group_runner *runner)
{
    size_t place = place_of(runner, runner->current->place.item) + 1;
    if (runner->warp_end == 0 || runner->fault != GROUP_OK)
        return NULL;
    while (place < WARP_LANES && !is_ready(runner, runner->warp_first + (place ^ runner->turn)))
        place++;
    if (place == WARP_LANES)
        return NULL;
    const size_t index = runner->warp_first + (place ^ runner->turn);
    if (index + ITEMS_AHEAD < runner->item_count) /* its stack is in no near cache: there are too many */
        __builtin_prefetch(runner->items[index + ITEMS_AHEAD].coroutine.stack_pointer);
    return begin(runner, index);
}

/* What the item has written. Where its record was full, its last accesses, of one place in the code, may be yet to
 * come. */
static void note_writes(struct group_runner *runner, bool is_full)
{
    const size_t item = runner->current->place.item;
    const struct lane *lane = &runner->lanes[item % WARP_LANES];
    unsigned count = lane->count;
    while (is_full && count && lane->code[count - 1] == lane->code[lane->count - 1])
        count--;
    for (unsigned i = 0; i < count; i++) {
        const unsigned kind = lane->code[i] & EVENT_KIND, bytes = 1u << (lane->code[i] & EVENT_SIZE);
        const bool is_global = lane->code[i] & EVENT_GLOBAL;
        const uintptr_t address = (is_global ? runner->link->arena : runner->link->local) + lane->at[i];
        runner->of_items->is_ordered |= kind == EVENT_ATOMIC;
        runner->of_groups->is_ordered |= kind == EVENT_ATOMIC && is_global;
        if (kind == EVENT_STORE && !(clashes_add(runner->of_items, address, bytes) &&
                                     (!is_global || clashes_add(runner->of_groups, address, bytes))))
            runner->fault = GROUP_NO_MEMORY;
    }
    clashes_settle(runner->of_items, item);
}

/* The items' writes so far come before all that follow. */
static void end_clashes(struct group_runner *runner)
{
    if (runner->of_items)
        clashes_swap(runner->of_items);
}

/* Items hand over to each other: the one that waits at the same place is resumed there, as the processor predicts. Two
 * switches through the scheduler would mispredict every return. */
static void leave(struct group_runner *runner, enum item_state state)
{
    struct item *item = runner->current;
    item->state = state;
    runner->is_plain &= state == ITEM_DONE;
    if (runner->of_items && runner->fault == GROUP_OK)
        note_writes(runner, state == ITEM_RUNS);
    struct coroutine *next = next_item(runner);
    coroutine_switch(&item->coroutine, next ? next : &runner->scheduler);
}

static void item_main(void)
{
    running->enter(running->slots);
    leave(running, ITEM_DONE);
    abort(); /* a finished item is never resumed */
}

static void on_full(void)
{
    leave(running, ITEM_RUNS);
}

static void on_outside(unsigned long address)
{
    running->fault = GROUP_OUTSIDE;
    running->fault_at = address;
    leave(running, ITEM_DONE);
    abort();
}

static void on_barrier(void)
{
    leave(running, ITEM_AT_BARRIER);
}

/* Absent lanes contribute their last value. */
static unsigned meet(unsigned long value)
{
    struct group_runner *runner = running;
    unsigned lane = runner->current->place.item % WARP_LANES;
    unsigned now = runner->meeting % 2;
    runner->brought[now][lane] = value;
    runner->ballots[now] |= (uint32_t)(value != 0) << lane;
    leave(runner, ITEM_AT_MEETING);
    return now;
}

static unsigned long on_exchange(unsigned long value, unsigned lane)
{
    unsigned now = meet(value);
    return running->brought[now][lane % WARP_LANES];
}

static unsigned on_ballot(unsigned long value)
{
    unsigned now = meet(value);
    return running->ballots[now];
}

/* ---- a warp ----------------------------------------------------------------------------------------------------- */

static void resume(struct group_runner *runner, size_t index)
{
    coroutine_switch(&runner->scheduler, begin(runner, index));
}

/* True when lanes were waiting for their warp: they resume. */
static bool end_meeting(struct group_runner *runner, size_t first, size_t count)
{
    bool any = false;
    for (size_t i = 0; i < count; i++)
        if (runner->items[first + i].state == ITEM_AT_MEETING) {
            runner->items[first + i].state = ITEM_RUNS;
            any = true;
        }
    if (any) {
        runner->meeting++;
        runner->ballots[runner->meeting % 2] = 0;
        end_clashes(runner);
        if (runner->races)
            races_meeting(runner->races, (unsigned)(first / WARP_LANES));
    }
    return any;
}

/* Runs until every item of the warp is done or at a barrier. */
static void run_warp(struct group_runner *runner, size_t first, size_t count)
{
    bool any_runs = true;
    runner->warp_first = first;
    runner->warp_end = first + count;
    while (any_runs && runner->fault == GROUP_OK) {
        any_runs = false;
        for (size_t place = 0; place < WARP_LANES && runner->fault == GROUP_OK; place++) {
            const size_t i = first + (place ^ runner->turn);
            any_runs |= i < first + count && runner->items[i].state == ITEM_RUNS;
            if (!is_ready(runner, i))
                continue;
            resume(runner, i);
            place = place_of(runner, runner->current->place.item); /* the last that it handed over to */
        }
        if (runner->link->recording && runner->fault == GROUP_OK)
            warp_take_events(runner, first, count);
        if (!any_runs)
            any_runs = end_meeting(runner, first, count);
    }
    runner->warp_end = 0;
}

/* ---- a group ---------------------------------------------------------------------------------------------------- */

static void start_items(struct group_runner *runner, size_t first)
{
    for (size_t i = first; i < runner->item_count; i++) {
        struct item *item = &runner->items[i];
        unsigned char *stack = runner->stacks + i * GROUP_STACK_BYTES;
        item->state = ITEM_RUNS;
        /* Stacks at the same offset in a page would compete for the same cache sets. */
        coroutine_make(&item->coroutine, stack, GROUP_STACK_BYTES - i % STAGGERS * STAGGER_BYTES, item_main);
    }
}

static void link_up(struct group_runner *runner, bool recording)
{
    struct trace_link *link = runner->link;
    link->recording = recording;
    link->stacks = (unsigned long)runner->stacks;
    link->stacks_bytes = runner->item_count * GROUP_STACK_BYTES;
    link->slots = (unsigned long)runner->slots;
    link->slots_bytes = KERNEL_PARAMETERS_MAX * sizeof *runner->slots;
    link->group = &runner->place;
    link->full = on_full;
    link->outside = on_outside;
    link->barrier = on_barrier;
    link->exchange = on_exchange;
    link->ballot = on_ballot;
    runner->fault = GROUP_OK;
    runner->events = 0;
    runner->hash = 0;
    running = runner;
}

/* True when items were waiting for the others: they resume. */
static bool end_barrier(struct group_runner *runner)
{
    size_t waiting = 0;
    end_clashes(runner);
    for (size_t i = 0; i < runner->item_count; i++)
        if (runner->items[i].state == ITEM_AT_BARRIER) {
            runner->items[i].state = ITEM_RUNS;
            waiting++;
        }
    runner->barrier_missed |= waiting > 0 && waiting < runner->item_count;
    if (waiting > 0 && runner->races)
        races_barrier(runner->races);
    return waiting > 0;
}

static void all_items_main(void)
{
    struct group_runner *runner = running;
    for (size_t i = 0; i < runner->item_count; i++) {
        runner->current = &runner->items[i];
        runner->link->place = &runner->items[i].place;
        runner->enter(runner->slots);
        if (!runner->is_plain)
            break;
        runner->items[i].state = ITEM_DONE;
    }
    leave(runner, ITEM_DONE);
    abort(); /* a finished item is never resumed */
}

/* Until an item waits, all items run one after another on one stack. A waiting item stays on that stack, and the items
 * after it get their own. True when all are done. */
static bool run_plainly(struct group_runner *runner)
{
    runner->is_plain = true;
    coroutine_make(&runner->items[0].coroutine, runner->stacks, GROUP_STACK_BYTES, all_items_main);
    resume(runner, 0);
    if (runner->is_plain)
        return true;
    start_items(runner, (size_t)(runner->current - runner->items) + 1);
    return false;
}

/* Runs from barrier to barrier, until all items are done. */
static void run_intervals(struct group_runner *runner)
{
    const size_t warps = (runner->item_count + WARP_LANES - 1) / WARP_LANES;
    bool any_runs = true;
    while (any_runs && runner->fault == GROUP_OK) {
        for (size_t w = 0; w < warps && runner->fault == GROUP_OK; w++) {
            size_t first = (runner->is_backward ? warps - 1 - w : w) * WARP_LANES;
            size_t left = runner->item_count - first;
            for (int i = 0; i < WARP_LANES; i++)
                runner->lanes[i].count = runner->taken[i] = 0;
            run_warp(runner, first, left < WARP_LANES ? left : WARP_LANES);
        }
        any_runs = end_barrier(runner);
    }
}

enum group_fault group_run(struct group_runner *runner, const size_t group[3], bool recording)
{
    for (int d = 0; d < 3; d++)
        runner->place.group[d] = group[d];
    link_up(runner, recording);
    if (recording)
        start_items(runner, 0);
    else if (run_plainly(runner))
        return runner->fault;
    if (recording && runner->races && !races_begin_group(runner->races, runner->program, runner->link->local_bytes))
        return runner->fault = GROUP_NO_MEMORY;
    sigjmp_buf point;
    runner->fault_signal = sigsetjmp(point, 0);
    if (runner->fault_signal == 0) {
        crash_point = &point;
        run_intervals(runner);
    } else {
        runner->fault = GROUP_CRASHES;
    }
    crash_point = NULL;
    runner->link->recording = 0;
    return runner->fault;
}
