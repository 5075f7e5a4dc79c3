#include "distributed/ranks/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fatal_signal.h"
#include "base/hang_guard.h"
#include "base/mpi_launcher.h"
#include "base/sha256.h"
#include "base/size.h"
#include "base/under_way.h"
#include "distributed/ranks/mpi_library.h"

#define END_PAUSE_NS 20000000
#define RANKS_MOST (1 << 20) /* to be believed */

static char subject[96] = "MPI"; /* and this rank, once it is known */
static bool is_broken, has_ended;
static int leaving_code = -1; /* < 0: nothing leaves yet */

static bool begin(void)
{
    const bool is_first = atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING;
    if (is_first)
        under_way_begin(UNDER_WAY_RANKS, subject, "", "");
    return is_first;
}

static int end(bool is_first, int code)
{
    if (is_first)
        under_way_end();
    return code;
}

/* What ends the process in MPI's hands is named. */
#define CALLED(call) (begin() ? end(true, call) : (call))

/* Converts an MPI return code into a status; `since` is the time when the call began. */
static enum status told(const struct ranks *ranks, int64_t since, int code, const char *what, struct error *error)
{
    char words[256];
    if (ranks && ranks->communication)
        ranks->communication->nanoseconds += clock_now() - since;
    if (code == 0)
        return STATUS_OK;
    is_broken = true;
    words[0] = words[sizeof words - 1] = 0;
    mpi.error(code, words, sizeof words - 1);
    return fail(error, STATUS_SYSTEM, "MPI: %s: %s", what, words);
}

/* The same of a file, which says nothing of the ranks. */
static enum status told_of_file(int code, const char *path, struct error *error)
{
    const bool before = is_broken;
    enum status status = told(NULL, 0, code, path, error);
    is_broken = before;
    return status;
}

void ranks_break(void)
{
    is_broken = true;
}

bool ranks_are_broken(void)
{
    return is_broken;
}

/* Counts bytes that this rank sends. True: nothing is to travel. */
static bool stays_here(const struct ranks *ranks, double bytes)
{
    if (!ranks->communication || ranks->communication->is_muted)
        return ranks->communication != NULL;
    ranks->communication->bytes += bytes;
    return false;
}

static struct ranks view_of(void *group, struct communication *communication)
{
    struct ranks ranks = {.group = group, .communication = communication};
    if (group) {
        ranks.rank = CALLED(mpi.rank(group));
        ranks.count = CALLED(mpi.count(group));
    }
    return ranks;
}

static void *world_group(void)
{
    const bool is_first = begin();
    void *group = mpi.world();
    end(is_first, 0);
    return group;
}

/* The launcher of another MPI starts processes of which each thinks that it is alone: they would race for one output.
 */
static enum status compare_with_launcher(struct ranks *world, struct error *error)
{
    const char *name;
    const int started = mpi_launcher_count(&name);
    if (started == 0 || started == world->count)
        return STATUS_OK;
    enum status status = fail(error, STATUS_UNAVAILABLE,
                              "the launcher has started %d ranks (%s), and this program's MPI (%s) sees %d: "
                              "start them with that MPI's mpirun (Slurm: srun --mpi=pmix or pmi2)",
                              started, name, ranks_version(), world->count);
    CALLED(mpi.end());
    has_ended = true;
    *world = (struct ranks){0};
    return status;
}

/* The exit handlers of what was opened before MPI are left out, as main() leaves all of them out. */
static void leave(void)
{
    if (leaving_code >= 0)
        fatal_signal_leave(leaving_code);
}

void ranks_leave(int exit_code)
{
    if (!has_ended)
        return;
    leaving_code = exit_code;
    hang_guard_ending(exit_code);
    under_way_begin(UNDER_WAY_ENDING, subject, "", "");
    exit(exit_code);
}

enum status ranks_start(struct ranks *world, struct error *error)
{
    *world = (struct ranks){0};
    atexit(leave);
    enum status status = mpi_library_open(error);
    if (mpi_launcher_lacks_pmix()) /* Open MPI may end the process for it, with exit() */
        snprintf(subject, sizeof subject, "MPI, which srun has started without PMIx (srun --mpi=pmix)");
    if (status == STATUS_OK)
        status = told(NULL, 0, CALLED(mpi.start()), "start", error);
    if (status == STATUS_OK)
        *world = view_of(world_group(), NULL);
    if (status == STATUS_OK && (world->rank < 0 || world->rank >= world->count || world->count > RANKS_MOST))
        status = fail(error, STATUS_SYSTEM, "MPI: this is rank %d of %d, which cannot be", world->rank, world->count);
    if (status == STATUS_OK)
        snprintf(subject, sizeof subject, "rank %d of %d, in MPI", world->rank, world->count);
    return status == STATUS_OK ? compare_with_launcher(world, error) : status;
}

/* MPICH before 4.2 may hang here over TCP: a rank waits for the answer to its last message from another one, which has
 * had its own answers, waits for the launcher and reads no more messages. That needs a rank that still is in the last
 * barrier while another one is past it, hence the pause. */
void ranks_end(struct ranks *world, int exit_code)
{
    if (world->group) {
        CALLED(mpi.barrier(world->group));
        clock_sleep(END_PAUSE_NS);
        snprintf(subject, sizeof subject, "rank %d of %d, in MPI_Finalize, after all output", world->rank,
                 world->count);
        hang_guard_ending(exit_code);
        under_way_begin(UNDER_WAY_ENDING, subject, "", "");
        mpi.end();
        under_way_end();
        has_ended = true;
    }
    *world = (struct ranks){0};
}

void ranks_abort(int exit_code)
{
    fflush(NULL);
    if (mpi.abort)
        mpi.abort(exit_code);
    exit(exit_code);
}

const char *ranks_version(void)
{
    static char text[64];
    const bool is_first = begin();
    if (!*text)
        mpi.version(text, sizeof text - 1);
    end(is_first, 0);
    return text;
}

enum status ranks_split(const struct ranks *ranks, int colour, struct ranks *part, struct error *error)
{
    void *group = NULL;
    int64_t since = clock_now();
    enum status status =
        told(ranks, since, CALLED(mpi.split(ranks->group, colour, ranks->rank, &group)), "split", error);
    *part = view_of(group, ranks->communication);
    return status;
}

enum status ranks_on_host(const struct ranks *ranks, struct ranks *part, struct error *error)
{
    void *group = NULL;
    enum status status = told(NULL, 0, CALLED(mpi.split_by_host(ranks->group, &group)), "split", error);
    *part = view_of(group, NULL);
    return status;
}

void ranks_free(struct ranks *part)
{
    const bool is_first = begin();
    if (part->group)
        mpi.free(part->group);
    end(is_first, 0);
    *part = (struct ranks){0};
}

/* A rank's state, as the other ranks receive it. */
struct state {
    int status;
    char text[sizeof(struct error)];
};

enum status ranks_agree(const struct ranks *ranks, enum status mine, struct error *error)
{
    if (stays_here(ranks, 0))
        return mine;
    int *all = calloc((size_t)ranks->count, sizeof *all);
    int own = (int)mine, first = 0, failed = 0;
    if (!all) /* without memory for the answers, an agreement is impossible */
        ranks_abort(3);
    enum status status = told(NULL, 0, CALLED(mpi.gather_to_all(ranks->group, &own, sizeof own, all)), "gather", error);
    for (int i = ranks->count - 1; status == STATUS_OK && i >= 0; i--)
        if (all[i] != STATUS_OK) {
            first = i;
            failed++;
        }
    free(all);
    if (status != STATUS_OK || failed == 0)
        return status;
    struct state state = {.status = own};
    snprintf(state.text, sizeof state.text, "%s", mine != STATUS_OK ? error->text : "");
    status = told(NULL, 0, CALLED(mpi.broadcast(ranks->group, &state, sizeof state, first)), "broadcast", error);
    if (status != STATUS_OK)
        return status;
    if (failed == ranks->count)
        return fail(error, (enum status)state.status, "%s", state.text);
    return fail(error, (enum status)state.status, "rank %d: %s", first, state.text);
}

enum status ranks_same_text(const struct ranks *ranks, const char *text, struct error *error)
{
    uint8_t own[SHA256_BYTES], first[SHA256_BYTES];
    sha256(text, strlen(text), own);
    memcpy(first, own, sizeof first);
    enum status status = ranks_broadcast(ranks, first, sizeof first, 0, error);
    if (status != STATUS_OK)
        return status;
    if (memcmp(own, first, sizeof own) != 0)
        status = fail(error, STATUS_INVALID, "is told to do something else than rank 0: %s", text);
    return ranks_agree(ranks, status, error);
}

enum status ranks_barrier(const struct ranks *ranks, struct error *error)
{
    if (stays_here(ranks, 0))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.barrier(ranks->group)), "barrier", error);
}

enum status ranks_rest(const struct ranks *ranks, struct error *error)
{
    return told(NULL, 0, mpi.rest(ranks->group), "barrier", error); /* however long: no hang */
}

enum status ranks_broadcast(const struct ranks *ranks, void *data, size_t bytes, int root, struct error *error)
{
    if (stays_here(ranks, ranks->rank == root && ranks->count > 1 ? (double)bytes : 0))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.broadcast(ranks->group, data, bytes, root)), "broadcast", error);
}

enum status ranks_gather_to_all(const struct ranks *ranks, const void *part, size_t bytes, void *all,
                                struct error *error)
{
    if (stays_here(ranks, (double)bytes * (ranks->count - 1)))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.gather_to_all(ranks->group, part, bytes, all)), "gather", error);
}

enum status ranks_all_to_all(const struct ranks *ranks, const void *send, size_t bytes, void *receive,
                             struct error *error)
{
    if (stays_here(ranks, (double)bytes * (ranks->count - 1)))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.all_to_all(ranks->group, send, bytes, receive)), "exchange", error);
}

enum status ranks_sum_to_all(const struct ranks *ranks, uint64_t *numbers, size_t count, struct error *error)
{
    if (stays_here(ranks, 2.0 * (double)(count * sizeof *numbers) * (ranks->count - 1) / ranks->count))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.sum_to_all(ranks->group, (unsigned long long *)numbers, count)), "sum", error);
}

enum status ranks_sum_before(const struct ranks *ranks, uint64_t *numbers, size_t count, struct error *error)
{
    if (stays_here(ranks, ranks->rank + 1 < ranks->count ? (double)(count * sizeof *numbers) : 0))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.sum_before(ranks->group, (unsigned long long *)numbers, count)), "sum", error);
}

static double bytes_to_others(const struct ranks *ranks, const struct rank_pieces *send)
{
    double bytes = 0;
    for (int r = 0; r < ranks->count; r++)
        bytes += r == ranks->rank ? 0 : (double)send->bytes[r];
    return bytes;
}

enum status ranks_exchange(const struct ranks *ranks, const struct rank_pieces *send, const struct rank_pieces *receive,
                           struct error *error)
{
    const int own = ranks->rank;
    /* of one size, but where nothing travels and a size is of an earlier run */
    const size_t own_bytes = size_least(send->bytes[own], receive->bytes[own]);
    if (own_bytes)
        memcpy((char *)receive->data + receive->offsets[own], (const char *)send->data + send->offsets[own], own_bytes);
    if (stays_here(ranks, bytes_to_others(ranks, send)))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since,
                CALLED(mpi.exchange(ranks->group, send->data, send->bytes, send->offsets, receive->data, receive->bytes,
                                    receive->offsets)),
                "exchange", error);
}

enum status ranks_sum(const struct ranks *ranks, void *data, size_t count, bool is_double, int root,
                      struct error *error)
{
    if (stays_here(ranks, ranks->rank != root ? (double)count * (is_double ? 8 : 4) : 0))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.sum(ranks->group, data, count, is_double, root)), "sum", error);
}

enum status ranks_largest(const struct ranks *ranks, double *value, struct error *error)
{
    double *all = calloc((size_t)ranks->count, sizeof *all);
    enum status status = ranks_agree(ranks, all ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory"), error);
    if (status == STATUS_OK)
        status = ranks_gather_to_all(ranks, value, sizeof *value, all, error);
    for (int i = 0; all && status == STATUS_OK && i < ranks->count; i++)
        *value = all[i] > *value ? all[i] : *value;
    free(all);
    return status;
}

enum status ranks_send(const struct ranks *ranks, const void *data, size_t bytes, int to, void **message,
                       struct error *error)
{
    *message = NULL;
    if (stays_here(ranks, (double)bytes))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.send(ranks->group, data, bytes, to, 0, message)), "send", error);
}

enum status ranks_receive(const struct ranks *ranks, void *data, size_t bytes, int from, void **message,
                          struct error *error)
{
    *message = NULL;
    if (stays_here(ranks, 0))
        return STATUS_OK;
    int64_t since = clock_now();
    return told(ranks, since, CALLED(mpi.receive(ranks->group, data, bytes, from, 0, message)), "receive", error);
}

enum status ranks_wait(const struct ranks *ranks, void **messages, size_t count, struct error *error)
{
    enum status status = STATUS_OK;
    int64_t since = clock_now();
    for (size_t i = 0; i < count; i++) {
        enum status ended = messages[i] ? told(NULL, 0, CALLED(mpi.wait(messages[i])), "wait", error) : STATUS_OK;
        status = status == STATUS_OK ? ended : status;
        messages[i] = NULL;
    }
    if (ranks->communication)
        ranks->communication->nanoseconds += clock_now() - since;
    return status;
}

bool rank_pieces_make(struct rank_pieces *pieces, int count)
{
    pieces->data = NULL;
    pieces->bytes = calloc((size_t)count, sizeof *pieces->bytes);
    pieces->offsets = calloc((size_t)count, sizeof *pieces->offsets);
    if (pieces->bytes && pieces->offsets)
        return true;
    rank_pieces_free(pieces);
    return false;
}

size_t rank_pieces_pack(struct rank_pieces *pieces, int count)
{
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        pieces->offsets[i] = at;
        at += pieces->bytes[i];
    }
    return at;
}

void rank_pieces_free(struct rank_pieces *pieces)
{
    free(pieces->bytes);
    free(pieces->offsets);
    *pieces = (struct rank_pieces){0};
}

enum status ranks_file_open(const char *path, bool writes, void **file, struct error *error)
{
    if (access(path, writes ? W_OK : R_OK) != 0) /* MPI's own words may not name the cause */
        return fail(error, STATUS_INVALID, "%s: %s; every rank must see this folder", path, strerror(errno));
    return told_of_file(CALLED(mpi.file_open(path, writes, file)), path, error);
}

enum status ranks_file_read(void *file, const char *path, size_t offset, void *data, size_t bytes, struct error *error)
{
    return told_of_file(CALLED(mpi.file_read(file, offset, data, bytes)), path, error);
}

enum status ranks_file_write(void *file, const char *path, size_t offset, const void *data, size_t bytes,
                             struct error *error)
{
    return told_of_file(CALLED(mpi.file_write(file, offset, data, bytes)), path, error);
}

enum status ranks_file_close(void *file, const char *path, struct error *error)
{
    return told_of_file(CALLED(mpi.file_close(file)), path, error);
}
