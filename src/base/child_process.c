/* The parent's side: starting a child, waiting for what it does, ending it. */
#include "base/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/child_marker.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/own_program.h"
#include "base/size.h"
#include "base/starting_environment.h"
#include "base/temporary_folder.h"
#include "base/text.h"

#define LOOK_MS 100
#define STOOD_STILL_NS ((int64_t)20 * LOOK_MS * 1000000)
#define STOPPED_LIMITS 5 /* so many times the limit a stopped process is waited for */
#define ARGUMENTS_MOST CHILD_ARGUMENTS_MOST
#define CHANNEL_MOST 1000 /* beyond what a program's own files are numbered, below the usual limit */

/* ---- starting ---- */

static unsigned high_descriptor(void)
{
    struct rlimit limit;
    bool is_low = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < CHANNEL_MOST + 8;
    return is_low ? (unsigned)limit.rlim_cur - 4 : CHANNEL_MOST;
}

/* The child's ends of everything. */
struct ends {
    int channel, memory, output, given;
};

static int start_program(const struct child_marker *marker, const struct ends *ends, const char *name,
                         const char *const *arguments, char *const *environment, pid_t *id)
{
    char text[128];
    char *argv[ARGUMENTS_MOST + 4] = {program_invocation_name, text, (char *)name};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    for (size_t i = 0; arguments && arguments[i] && i < ARGUMENTS_MOST; i++)
        argv[3 + i] = (char *)arguments[i];
    child_marker_write(marker, text, sizeof text);
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends->output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends->output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends->channel, (int)marker->channel);
    posix_spawn_file_actions_adddup2(&actions, ends->memory, (int)marker->memory);
    if (ends->given > 0)
        posix_spawn_file_actions_adddup2(&actions, ends->given, ends->given); /* it is not closed then */
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    int code = posix_spawn(id, own_program(), &actions, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* A variable that a child gets, unless the user has set one of `said`. */
struct own_variable {
    const char *text;
    const char *said[3];
};

/* Spinning takes processors from the threads that are waited for. */
static const struct own_variable passive = {"OMP_WAIT_POLICY=passive",
                                            {"OMP_WAIT_POLICY=", "GOMP_SPINCOUNT=", "KMP_BLOCKTIME="}};

/* 2^22 ticks of the processor's clock are one or two milliseconds; the default of 2^26 is 16 times as long. */
static const struct own_variable resting = {"OPENBLAS_THREAD_TIMEOUT=22", {"OPENBLAS_THREAD_TIMEOUT="}};

static bool is_said(const struct own_variable *variable, char *const *environment)
{
    for (; *environment; environment++)
        for (size_t i = 0; i < COUNT_OF(variable->said) && variable->said[i]; i++)
            if (strncmp(*environment, variable->said[i], strlen(variable->said[i])) == 0)
                return true;
    return false;
}

/* The starting environment with what the limits ask for. The caller frees it; NULL without memory. */
static char **make_environment(const struct child_limits *limits)
{
    char **from = starting_environment(), **made;
    size_t count = 0;
    while (from[count])
        count++;
    if (!(made = malloc((count + 3) * sizeof *made)))
        return NULL;
    memcpy(made, from, count * sizeof *made);
    if (limits->idle_threads_sleep && !is_said(&passive, from))
        made[count++] = (char *)passive.text;
    if (limits->libraries_rest && !is_said(&resting, from))
        made[count++] = (char *)resting.text;
    made[count] = NULL;
    return made;
}

static void close_all(const int *descriptors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
}

/* The child may write to all of the page; a text in it without an end ends at the zeros of the page behind it. */
#define SHARED_BYTES (2 * ((sizeof(struct under_way) + 4095) / 4096 * 4096))

static struct under_way *map_shared(int memory)
{
    void *room = mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return room;
    void *shared = mmap(room, sizeof(struct under_way), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory, 0);
    if (shared == MAP_FAILED)
        munmap(room, SHARED_BYTES);
    return shared;
}

/* Errors come as errno. */
static bool open_ends(struct child_process *child, int own[2], struct ends *ends)
{
    int channel[2] = {-1, -1}, output[2] = {-1, -1};
    int memory = memfd_create("uskor-under-way", MFD_CLOEXEC);
    struct under_way *shared = MAP_FAILED;
    if (memory >= 0 && ftruncate(memory, sizeof *shared) == 0)
        shared = map_shared(memory);
    if (shared == MAP_FAILED || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel) != 0 ||
        pipe2(output, O_CLOEXEC | O_NONBLOCK) != 0) {
        int why = errno;
        close_all((int[]){memory, channel[0], channel[1], output[0], output[1]}, 5);
        if (shared != MAP_FAILED)
            munmap(shared, SHARED_BYTES);
        errno = why;
        return false;
    }
    fcntl(output[1], F_SETFL, 0); /* a child that prints a lot waits, it does not fail */
    child->under_way = shared;
    own[0] = channel[0];
    own[1] = output[0];
    *ends = (struct ends){.channel = channel[1], .memory = memory, .output = output[1]};
    return true;
}

enum status child_start(const char *name, const char *const *arguments, const struct child_limits *limits,
                        struct child_process *child, struct error *error)
{
    int own[2];
    struct ends ends;
    *child = (struct child_process){.link = {.descriptor = -1}, .output = -1, .limits = *limits};
    if (!open_ends(child, own, &ends))
        return fail(error, STATUS_SYSTEM, "the system starts no process: %s", strerror(errno));
    struct child_marker marker = {.channel = high_descriptor(), .parent = (unsigned)getpid()};
    marker.memory = marker.channel + 1;
    if (getrandom(&marker.token, sizeof marker.token, 0) != (ssize_t)sizeof marker.token)
        marker.token = (uint64_t)clock_now();
    child->link.descriptor = own[0];
    child->link.token = marker.token;
    child->link.rules = limits->rules;
    child->link.rule_count = limits->rule_count;
    child->output = own[1];
    ends.given = limits->given;
    char **own_environment = make_environment(limits);
    int code = start_program(&marker, &ends, name, arguments,
                             own_environment ? own_environment : starting_environment(), &child->id);
    free(own_environment);
    close_all((int[]){ends.channel, ends.memory, ends.output}, 3);
    if (code != 0) {
        child->id = 0;
        child_end(child);
        return fail(error, STATUS_SYSTEM, "the system starts no process: %s", strerror(code));
    }
    child_family_enter(child->id);
    /* A child that reads nothing must not hold its parent up. */
    const struct timeval patience = {.tv_sec = CHILD_SECONDS};
    setsockopt(child->link.descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (child->limits.seconds <= 0)
        child->limits.seconds = CHILD_SECONDS;
    if (!child->limits.memory_bytes)
        child->limits.memory_bytes = memory_available(NULL) / 10 * 9;
    child->last_look = child->last_message = clock_now();
    child->silence = (struct silence){.process = child->id, .since = child->last_look};
    return STATUS_OK;
}

/* ---- waiting ---- */

/* Keeps the end of what the child prints. */
static void read_output(struct child_process *child)
{
    char more[4096];
    ssize_t count;
    while (child->output >= 0 && (count = read(child->output, more, sizeof more)) > 0) {
        size_t most = sizeof child->printed - 1, added = (size_t)count < most ? (size_t)count : most;
        size_t kept = child->printed_bytes < most - added ? child->printed_bytes : most - added;
        memmove(child->printed, child->printed + child->printed_bytes - kept, kept);
        memcpy(child->printed + kept, more + count - added, added);
        child->printed_bytes = kept + added;
        child->printed[child->printed_bytes] = 0;
    }
    if (child->output >= 0 && count == 0) { /* it has closed its own end: poll would not wait any more */
        close(child->output);
        child->output = -1;
    }
}

pid_t child_worker(const struct child_process *child)
{
    return child->link.process ? child->link.process : child->id;
}

int64_t child_waited(const struct child_process *child)
{
    return child->id > 0 ? run_delay_of(child_worker(child)) : 0;
}

/* Steps and messages are signs of life. Time in which this process itself stood still is not held against the child. */
static bool is_silent(struct child_process *child)
{
    int64_t now = clock_now();
    unsigned steps = atomic_load(&child->under_way->steps);
    const bool stood_still = now - child->last_look > STOOD_STILL_NS;
    if (steps != child->last_steps || stood_still || child->silence.process != child_worker(child))
        silence_broken(&child->silence, now);
    child->silence.process = child_worker(child);
    child->last_message += stood_still ? now - child->last_look : 0;
    child->last_steps = steps;
    child->last_look = now;
    /* Between rungs and behind a run our own code is at work, outside of a driver's calls: a reference may take long,
     * and comes to an end. */
    const struct under_way *there = child->under_way;
    bool is_own = atomic_load(&there->calling) <= 0 &&
                  (atomic_load(&there->kind) == UNDER_WAY_NOTHING || atomic_load(&there->judging) > 0);
    double factor = is_own ? 10 : 1;
    double limit = factor * child->limits.seconds * 1e9;
    return silence_exceeds(&child->silence, limit < 9e18 ? (int64_t)limit : INT64_MAX, now, run_delay_of);
}

static bool is_of_stopped(char state)
{
    return state == 'T' || state == 't';
}

/* The state of the process that works. Once it has ended, the one that stands for it may be stopped, and say nothing of
 * the end. */
static char state_of(const struct child_process *child, unsigned *threads)
{
    char state = 0, outer = 0;
    *threads = threads_of(child_worker(child), &state);
    if (!*threads || state == 'Z')
        threads_of(child->id, &outer);
    return is_of_stopped(outer) ? outer : state;
}

/* Whether a signal or a debugger has stopped it: that time does not count, nor that in which this process stood still.
 */
static bool is_stopped(struct child_process *child, char state)
{
    const int64_t now = clock_now(), spent = now - child->last_look;
    if (!is_of_stopped(state)) {
        child->stopped = 0;
        return false;
    }
    child->stopped += spent < STOOD_STILL_NS ? spent : 0;
    child->last_message += spent;
    child->last_look = now;
    silence_broken(&child->silence, now);
    return true;
}

static void over(struct child_process *child, enum child_event event)
{
    child->is_over = true;
    child->end = event;
    if (!child->is_awaited)
        kill(child->id, SIGKILL); /* it would go on sending */
}

#define HEADLESS_LOOKS 50 /* five seconds: on a busy machine a process that ends is so for a while */

/* Whether its first thread has ended and others go on. */
static bool is_headless(struct child_process *child, char state)
{
    child->headless_looks = state == 'Z' ? child->headless_looks + 1 : 0;
    return child->headless_looks > HEADLESS_LOOKS;
}

/* Signs of life are in memory that a file's code can write to; messages have a token. */
static bool is_endless(const struct child_process *child)
{
    const double most = child->limits.seconds_in_all;
    return most > 0 && (double)(clock_now() - child->last_message) > most * 1e9;
}

#define FAMILY_LOOKS 10 /* a second: the processes of the whole system are looked through */

/* At least what it uses; exact where that is more than it may. */
static uint64_t memory_used(struct child_process *child)
{
    const uint64_t own = memory_resident(child_worker(child));
    if (own <= child->limits.memory_bytes && ++child->looks % FAMILY_LOOKS)
        return own;
    return memory_of_family(child->id, child->limits.memory_bytes);
}

static bool fills_its_folder(const struct child_process *child)
{
    const char *folder = child->limits.folder;
    return folder && child->looks % FAMILY_LOOKS == 0 && folder_bytes(folder) > FOLDER_BYTES_MOST;
}

/* Looks whether it has ended, stopped or gone too far. */
static void look_after(struct child_process *child)
{
    int status;
    unsigned threads;
    uint64_t used;
    const char state = state_of(child, &threads);
    if (waitpid(child->id, &status, WNOHANG) == child->id) {
        read_output(child);
        child->is_awaited = true;
        over(child, child_describe_end(child, status, &child->why));
    } else if (is_stopped(child, state)) {
        if ((double)child->stopped <= STOPPED_LIMITS * child->limits.seconds * 1e9)
            return;
        fail(&child->why, STATUS_UNAVAILABLE, "disturbed: stopped from outside for %g s",
             STOPPED_LIMITS * child->limits.seconds);
        over(child, CHILD_STOPPED);
    } else if (threads > child->limits.threads && child->limits.threads) {
        fail(&child->why, STATUS_FAILED, "started %u threads, more than %u", threads, child->limits.threads);
        over(child, CHILD_LEFT);
    } else if (is_headless(child, state)) {
        fail(&child->why, STATUS_FAILED, "ended the thread that called it");
        over(child, CHILD_LEFT);
    } else if ((used = memory_used(child)) > child->limits.memory_bytes) {
        char text[32];
        fail(&child->why, STATUS_UNAVAILABLE, "used %s of memory, more than there is for it",
             text_bytes((double)used, text, sizeof text));
        over(child, CHILD_FULL);
    } else if (fills_its_folder(child)) {
        fail(&child->why, STATUS_FAILED, "wrote more files than there is room for");
        over(child, CHILD_LEFT);
    } else if (is_silent(child) || is_endless(child)) {
        fail(&child->why, STATUS_FAILED, "no answer for %g s: it hangs, or needs a longer --limit",
             is_endless(child) ? child->limits.seconds_in_all : child->limits.seconds);
        over(child, CHILD_SILENT);
    }
}

static bool take(struct child_process *child, struct child_message *message, bool *is_broken)
{
    enum link_state state = link_take(&child->link, message);
    *is_broken = state == LINK_BROKEN;
    if (state == LINK_READY) {
        child->last_message = clock_now();
        silence_broken(&child->silence, child->last_message);
    }
    return state == LINK_READY;
}

/* Messages that it sent before it ended are still delivered. */
static bool read_all(struct child_process *child)
{
    enum link_state state;
    while ((state = link_read(&child->link)) == LINK_READY)
        ;
    return state != LINK_CLOSED && state != LINK_BROKEN;
}

/* Of a child that has ended: whether there was more. */
static bool read_more(struct child_process *child)
{
    const size_t before = child->link.incoming_bytes - child->link.taken;
    read_all(child);
    return child->link.incoming_bytes - child->link.taken != before;
}

/* A child that closed its end is about to end; if it is not, something closed the channel under it. */
static void lose(struct child_process *child)
{
    for (int i = 0; i < 20 && !child->is_over; i += child->stopped == 0) {
        look_after(child);
        if (!child->is_over)
            clock_sleep((int64_t)LOOK_MS * 1000000);
    }
    if (child->is_over)
        return;
    fail(&child->why, STATUS_FAILED, "closed files that are not its own");
    atomic_store(&child->under_way->channel_lost, 1);
    over(child, CHILD_LEFT);
}

enum child_event child_wait(struct child_process *child, bool (*look)(void *context), void *context,
                            struct child_message *message, struct error *why)
{
    bool is_broken;
    for (;;) {
        if (take(child, message, &is_broken))
            return CHILD_MESSAGE;
        if (is_broken && child->link.lacks_memory) {
            fail(&child->why, STATUS_UNAVAILABLE, "no memory for a message");
            over(child, CHILD_LACKING);
        } else if (is_broken && !child->is_over) {
            fail(&child->why, STATUS_FAILED,
                 "sent its judge what is no message, or wrote into a file that is not its own");
            over(child, CHILD_LEFT);
        }
        if (child->is_over && !is_broken && read_more(child))
            continue;
        if (child->is_over) {
            *why = child->why;
            return child->end;
        }
        if (look && look(context))
            return CHILD_CANCELLED;
        struct pollfd wanted[] = {{.fd = child->link.descriptor, .events = POLLIN},
                                  {.fd = child->output, .events = POLLIN}};
        poll(wanted, 2, LOOK_MS);
        read_output(child);
        bool is_open = read_all(child);
        if (!is_open || clock_now() - child->last_look >= (int64_t)LOOK_MS * 1000000)
            look_after(child);
        if (child->is_over)
            read_all(child);
        else if (!is_open)
            lose(child);
    }
}

void child_end(struct child_process *child)
{
    if (child->id)
        child_kill_family(child->id);
    close_all((int[]){child->link.descriptor, child->output}, child->under_way ? 2 : 0);
    if (child->under_way)
        munmap(child->under_way, SHARED_BYTES);
    free(child->link.incoming);
    *child = (struct child_process){.link = {.descriptor = -1}, .output = -1};
}
