/* An MPI of processes that this one forks, over memory that they share: for tests of what runs over ranks, on machines
 * without MPI, too. A rank that ends otherwise than by its function's return ends all. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "distributed/ranks/mpi_library.h"
#include "distributed/ranks/ranks.h"

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#define FORKED_MOST 4
#define FORKED_GROUPS 12
#define FORKED_BYTES ((size_t)8 << 20) /* of one rank's part of an exchange; of a message half as many */
#define FORKED_MESSAGES 8              /* on their way from one rank to another */
#define FORKED_BLOCK 40 /* bytes: what is broadcast and shorter is a seed or a checksum, not a block of a matrix */
#define FORKED_SECONDS 60

struct forked_message {
    _Atomic int is_full;
    size_t bytes;
    int tag;
    unsigned char data[FORKED_BYTES / 2];
};

struct forked_group {
    _Atomic int arrived, turn;
    size_t sizes[FORKED_MOST][FORKED_MOST];
    unsigned char slots[FORKED_MOST][FORKED_BYTES];
    struct forked_message messages[FORKED_MOST][FORKED_MOST][FORKED_MESSAGES];
};

static struct {
    _Atomic int group_count;
    _Atomic int spoils; /* exchanged blocks and messages until one has a wrong byte; 0: never */
    _Atomic int fails;  /* operations until one fails; 0: never */
    struct forked_group groups[FORKED_GROUPS];
} * forked;

/* What one rank sees of a group. */
struct forked_view {
    struct forked_group *shared;
    int rank, count, host; /* on hosts of two ranks */
    unsigned sent[FORKED_MOST], received[FORKED_MOST];
};

/* One that was started. */
struct forked_request {
    struct forked_message *message; /* NULL: it is sent already */
    void *data;
    size_t bytes;
    int tag;
};

static struct forked_view forked_world;

/* Who waits for long sleeps: there may be fewer processors than ranks. */
static inline void forked_pause(int looks)
{
    if (looks < 50)
        sched_yield();
    else
        usleep(50);
}

static inline int forked_meet(const struct forked_view *view)
{
    struct forked_group *group = view->shared;
    const int turn = atomic_load(&group->turn);
    if (atomic_fetch_add(&group->arrived, 1) == view->count - 1) {
        atomic_store(&group->arrived, 0);
        atomic_fetch_add(&group->turn, 1);
    }
    for (int looks = 0; atomic_load(&group->turn) == turn; looks++)
        forked_pause(looks);
    return 0;
}

static inline bool forked_is_due(_Atomic int *left)
{
    return atomic_load(left) > 0 && atomic_fetch_sub(left, 1) == 1;
}

static inline int forked_outcome(void)
{
    return forked_is_due(&forked->fails) ? 5 : 0;
}

static inline void forked_put(void *to, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
    if (bytes && forked_is_due(&forked->spoils))
        ((unsigned char *)to)[bytes - 1] ^= 0x21; /* of the last element's exponent */
}

static inline void forked_fit(size_t bytes)
{
    if (bytes > FORKED_BYTES)
        _exit(90);
}

/* Everybody's `bytes` bytes lie in the slots until the second meeting. */
static inline struct forked_group *forked_show(const struct forked_view *view, const void *data, size_t bytes)
{
    forked_fit(bytes);
    memcpy(view->shared->slots[view->rank], data, bytes);
    forked_meet(view);
    return view->shared;
}

static int forked_start(void)
{
    return 0;
}

static void forked_abort(int code)
{
    _exit(code);
}

static void forked_version(char *text, size_t size)
{
    snprintf(text, size, "forked processes");
}

static void forked_error(int code, char *text, size_t size)
{
    snprintf(text, size, "code %d", code);
}

static void *forked_world_group(void)
{
    return &forked_world;
}

static int forked_rank(const void *group)
{
    return ((const struct forked_view *)group)->rank;
}

static int forked_count(const void *group)
{
    return ((const struct forked_view *)group)->count;
}

static int forked_gather(const void *group, const void *part, size_t bytes, void *all)
{
    const struct forked_view *view = group;
    struct forked_group *shared = forked_show(view, part, bytes);
    for (int r = 0; r < view->count; r++)
        memcpy((char *)all + (size_t)r * bytes, shared->slots[r], bytes);
    forked_meet(view);
    return forked_outcome();
}

static int forked_split(const void *group, int colour, int key, void **part)
{
    const struct forked_view *view = group;
    int own[3] = {colour, key, 0}, all[FORKED_MOST][3], first = -1;
    forked_gather(group, own, sizeof own, all);
    struct forked_view made = {.host = view->host};
    for (int r = 0; r < view->count; r++) {
        if (all[r][0] != colour)
            continue;
        first = first < 0 ? r : first;
        made.count++;
        made.rank += all[r][1] < key || (all[r][1] == key && r < view->rank);
    }
    if (first == view->rank)
        own[2] = atomic_fetch_add(&forked->group_count, 1);
    if (own[2] >= FORKED_GROUPS)
        _exit(91);
    forked_gather(group, own, sizeof own, all);
    made.shared = &forked->groups[all[first][2]];
    *part = colour < 0 ? NULL : malloc(sizeof made);
    if (*part)
        memcpy(*part, &made, sizeof made);
    return forked_outcome();
}

static int forked_split_by_host(const void *group, void **part)
{
    const struct forked_view *view = group;
    return forked_split(group, view->host, view->rank, part);
}

static int forked_barrier(const void *group)
{
    forked_meet(group);
    return forked_outcome();
}

static int forked_broadcast(const void *group, void *data, size_t bytes, int root)
{
    const struct forked_view *view = group;
    struct forked_group *shared = forked_show(view, data, view->rank == root ? bytes : 0);
    if (view->rank != root && bytes >= FORKED_BLOCK)
        forked_put(data, shared->slots[root], bytes);
    else if (view->rank != root)
        memcpy(data, shared->slots[root], bytes);
    forked_meet(view);
    return forked_outcome();
}

static int forked_all_to_all(const void *group, const void *send, size_t bytes, void *receive)
{
    const struct forked_view *view = group;
    struct forked_group *shared = forked_show(view, send, bytes * (size_t)view->count);
    for (int r = 0; r < view->count; r++)
        memcpy((char *)receive + (size_t)r * bytes, shared->slots[r] + (size_t)view->rank * bytes, bytes);
    forked_meet(view);
    return forked_outcome();
}

static inline int forked_add(const struct forked_view *view, unsigned long long *numbers, size_t count, int end)
{
    struct forked_group *shared = forked_show(view, numbers, count * sizeof *numbers);
    memset(numbers, 0, count * sizeof *numbers);
    for (int r = 0; r < end; r++)
        for (size_t i = 0; i < count; i++)
            numbers[i] += ((unsigned long long *)(void *)shared->slots[r])[i];
    forked_meet(view);
    return forked_outcome();
}

static int forked_sum_to_all(const void *group, unsigned long long *numbers, size_t count)
{
    return forked_add(group, numbers, count, ((const struct forked_view *)group)->count);
}

static int forked_sum_before(const void *group, unsigned long long *numbers, size_t count)
{
    return forked_add(group, numbers, count, ((const struct forked_view *)group)->rank);
}

static int forked_exchange(const void *group, const void *send, const size_t *send_bytes, const size_t *send_offsets,
                           void *receive, const size_t *receive_bytes, const size_t *receive_offsets)
{
    const struct forked_view *view = group;
    struct forked_group *shared = view->shared;
    size_t at = 0;
    for (int r = 0; r < view->count; r++) {
        shared->sizes[view->rank][r] = send_bytes[r];
        forked_fit(at + send_bytes[r]);
        memcpy(shared->slots[view->rank] + at, (const char *)send + send_offsets[r], send_bytes[r]);
        at += send_bytes[r];
    }
    forked_meet(view);
    for (int r = 0; r < view->count; r++) {
        size_t from = 0;
        for (int before = 0; before < view->rank; before++)
            from += shared->sizes[r][before];
        if (r != view->rank && shared->sizes[r][view->rank] != receive_bytes[r])
            _exit(92); /* they do not agree */
        if (r != view->rank)
            forked_put((char *)receive + receive_offsets[r], shared->slots[r] + from, receive_bytes[r]);
    }
    forked_meet(view);
    return forked_outcome();
}

static int forked_sum(const void *group, void *data, size_t count, int is_double, int root)
{
    const struct forked_view *view = group;
    const size_t bytes = count * (is_double ? sizeof(double) : sizeof(float));
    struct forked_group *shared = forked_show(view, data, bytes);
    if (view->rank == root)
        memset(data, 0, bytes);
    for (int r = 0; r < view->count && view->rank == root; r++)
        for (size_t i = 0; i < count; i++) {
            if (is_double)
                ((double *)data)[i] += ((double *)(void *)shared->slots[r])[i];
            else
                ((float *)data)[i] += ((float *)(void *)shared->slots[r])[i];
        }
    if (view->rank == root && count && forked_is_due(&forked->spoils))
        ((unsigned char *)data)[bytes - 1] ^= 0x21;
    forked_meet(view);
    return forked_outcome();
}

static inline struct forked_request *forked_begin(void *data, size_t bytes, int tag)
{
    struct forked_request *made = calloc(1, sizeof *made);
    if (!made)
        _exit(93);
    *made = (struct forked_request){.data = data, .bytes = bytes, .tag = tag};
    return made;
}

static int forked_send(const void *group, const void *data, size_t bytes, int to, int tag, void **message)
{
    struct forked_view *view = (void *)(uintptr_t)group;
    struct forked_message *slot = &view->shared->messages[view->rank][to][view->sent[to]++ % FORKED_MESSAGES];
    forked_fit(2 * bytes);
    for (int looks = 0; atomic_load(&slot->is_full); looks++)
        forked_pause(looks);
    forked_put(slot->data, data, bytes);
    slot->bytes = bytes;
    slot->tag = tag;
    atomic_store(&slot->is_full, 1);
    *message = forked_begin(NULL, bytes, tag);
    return forked_outcome();
}

/* Messages between two ranks arrive in the order in which they were sent. */
static int forked_receive(const void *group, void *data, size_t bytes, int from, int tag, void **message)
{
    struct forked_view *view = (void *)(uintptr_t)group;
    struct forked_request *made = forked_begin(data, bytes, tag);
    made->message = &view->shared->messages[from][view->rank][view->received[from]++ % FORKED_MESSAGES];
    *message = made;
    return forked_outcome();
}

static int forked_wait(void *message)
{
    struct forked_request *request = message;
    struct forked_message *from = request->message;
    for (int looks = 0; from && !atomic_load(&from->is_full); looks++)
        forked_pause(looks);
    if (from && (from->bytes > request->bytes || from->tag != request->tag))
        _exit(94); /* they do not agree */
    if (from) {
        memcpy(request->data, from->data, from->bytes);
        atomic_store(&from->is_full, 0);
    }
    free(request);
    return forked_outcome();
}

static int forked_file_open(const char *path, int writes, void **file)
{
    const int descriptor = open(path, writes ? O_RDWR : O_RDONLY);
    *file = (void *)((intptr_t)descriptor + 1);
    return descriptor < 0 ? errno : 0;
}

static int forked_file_read(void *file, size_t offset, void *data, size_t bytes)
{
    return pread((int)((intptr_t)file - 1), data, bytes, (off_t)offset) == (ssize_t)bytes ? 0 : 5;
}

static int forked_file_write(void *file, size_t offset, const void *data, size_t bytes)
{
    return pwrite((int)((intptr_t)file - 1), data, bytes, (off_t)offset) == (ssize_t)bytes ? 0 : 5;
}

static int forked_file_close(void *file)
{
    return close((int)((intptr_t)file - 1));
}

/* Runs the function in `count` processes; false, with their exit codes printed, unless it returns true in each of them.
 * `spoils`: the so-many-th block that travels has a wrong byte; `fails`: the so-many-th operation fails. 0: none. */
static inline bool over_ranks(int count, int spoils, int fails, bool (*work)(const struct ranks *world, void *context),
                              void *context)
{
    mpi = (struct mpi_functions){forked_start,
                                 forked_start,
                                 forked_abort,
                                 forked_version,
                                 forked_error,
                                 forked_world_group,
                                 forked_rank,
                                 forked_count,
                                 forked_split,
                                 forked_split_by_host,
                                 free,
                                 forked_barrier,
                                 forked_barrier,
                                 forked_broadcast,
                                 forked_gather,
                                 forked_all_to_all,
                                 forked_sum_to_all,
                                 forked_sum_before,
                                 forked_exchange,
                                 forked_sum,
                                 forked_send,
                                 forked_receive,
                                 forked_wait,
                                 forked_file_open,
                                 forked_file_read,
                                 forked_file_write,
                                 forked_file_close};
    forked = mmap(NULL, sizeof *forked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(forked != MAP_FAILED);
    forked->group_count = 1;
    forked->spoils = spoils;
    forked->fails = fails;
    pid_t children[FORKED_MOST];
    fflush(NULL);
    for (int r = 0; r < count; r++) {
        children[r] = fork();
        assert_true(children[r] >= 0);
        if (children[r] != 0)
            continue;
        alarm(FORKED_SECONDS);
        forked_world = (struct forked_view){.shared = forked->groups, .rank = r, .count = count, .host = r / 2};
        const struct ranks world = {.group = &forked_world, .rank = r, .count = count};
        _exit(work(&world, context) ? 0 : 1);
    }
    bool is_well = true;
    for (int left = count; left > 0; left--) {
        int state = 0;
        const pid_t ended = waitpid(-1, &state, 0);
        if (state != 0 && is_well) {
            print_error("a rank of %d: %s %d\n", count, WIFEXITED(state) ? "exit code" : "signal",
                        WIFEXITED(state) ? WEXITSTATUS(state) : WTERMSIG(state));
            is_well = false;
            for (int r = 0; r < count; r++)
                if (children[r] != ended)
                    kill(children[r], SIGKILL); /* they would wait for it */
        }
    }
    munmap(forked, sizeof *forked);
    return is_well;
}
