#include "walls/service.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/clock.h"
#include "base/inherited_files.h"
#include "base/memory.h"
#include "base/temporary_folder.h"
#include "walls/sayings.h"

#define LOOK_MS 500
#define IDLE_LOOKS 60 /* half a minute in which no process inside does anything */
#define ANSWER 0x1000
#define DONE 0x2000 /* `inside` has returned; its exit code */

static struct child_link above = {.descriptor = -1};
static const struct service *known;

bool service_is_there(void)
{
    return above.descriptor >= 0;
}

static uint32_t index_of(const char *name)
{
    uint32_t i = 0;
    while (known[i].name && strcmp(known[i].name, name) != 0)
        i++;
    return i;
}

char *service_ask(const char *name, const void *data, size_t bytes, size_t *answer_bytes)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER; /* an answer says not to which request */
    struct child_message message = {0};
    const uint32_t type = service_is_there() ? index_of(name) : 0;
    *answer_bytes = 0;
    if (!service_is_there() || !known[type].name || bytes > known[type].most)
        return NULL;
    pthread_mutex_lock(&turn);
    const bool is_answered = child_send(&above, type, data, bytes) && child_receive(&above, &message);
    pthread_mutex_unlock(&turn);
    if (!is_answered)
        return NULL;
    *answer_bytes = message.bytes;
    return message.data ? message.data : calloc(1, 1);
}

/* ---- the process that serves ---- */

static bool serve(struct child_link *below, const struct service *service, const struct child_message *message)
{
    char *answer = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&answer, &bytes);
    if (stream && message->bytes <= service->most)
        service->serve(message->data ? message->data : "", message->bytes, stream);
    const bool is_made = stream && fclose(stream) == 0;
    const bool is_sent = is_made && child_send(below, ANSWER, answer, bytes);
    free(answer);
    below->lacks_memory = below->lacks_memory || !is_made;
    return is_sent;
}

/* What the processes inside take and do. */
struct watch {
    pid_t group;
    const char *folder;
    uint64_t most, ticks;
    int64_t last;
    unsigned idle;
};

static bool goes_too_far(struct watch *watch)
{
    const struct group_activity activity = activity_of(watch->group);
    watch->idle = activity.is_busy || activity.ticks != watch->ticks ? 0 : watch->idle + 1;
    watch->ticks = activity.ticks;
    watch->last = clock_now();
    return watch->idle > IDLE_LOOKS || memory_of_family(watch->group, watch->most) > watch->most ||
           (watch->folder && folder_bytes(watch->folder) > FOLDER_BYTES_MOST);
}

/* Takes a whole request, and looks meanwhile. */
static enum link_state await(struct child_link *below, struct watch *watch, struct child_message *message)
{
    enum link_state state = link_take(below, message);
    while (state == LINK_EMPTY) {
        struct pollfd wanted = {.fd = below->descriptor, .events = POLLIN};
        if (poll(&wanted, 1, LOOK_MS) > 0 && (state = link_read(below)) != LINK_READY && state != LINK_EMPTY)
            return state;
        if (clock_now() - watch->last >= LOOK_MS * INT64_C(1000000) && goes_too_far(watch))
            return LINK_BROKEN;
        state = link_take(below, message);
    }
    return state;
}

/* Until the other side is gone, done, or goes too far. Returns whether it is done. */
static bool serve_all(struct child_link *below, struct watch *watch, size_t count, int *code)
{
    struct child_message message;
    struct sayings sayings = {0};
    bool is_done = false, is_well = !goes_too_far(watch);
    while (is_well && !is_done && await(below, watch, &message) == LINK_READY) {
        is_done = message.type == DONE && message.bytes == sizeof *code;
        if (is_done)
            memcpy(code, message.data, sizeof *code);
        else if (message.type < count)
            is_well = serve(below, &known[message.type], &message);
        else
            is_well = sayings_take(&sayings, &message);
        watch->idle = 0;
        free(message.data);
    }
    sayings_show(&sayings);
    return is_done;
}

static _Noreturn void become_inside(int end, uint64_t token, int (*inside)(void *context), void *context)
{
    above = (struct child_link){.descriptor = end, .token = token};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    files_close_but(end);
    sayings_begin();
    const int code = inside(context);
    sayings_send(&above);
    child_send(&above, DONE, &code, sizeof code);
    _exit(code);
}

enum status service_run(const struct service *services, const char *folder, int (*inside)(void *context), void *context,
                        int *code, struct error *error)
{
    int ends[2], state = 0;
    size_t count = 0;
    struct child_link below = {.descriptor = -1};
    known = services;
    while (services[count].name)
        count++;
    if (getrandom(&below.token, sizeof below.token, 0) != (ssize_t)sizeof below.token ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(error, STATUS_SYSTEM, "the system starts no process: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become_inside(ends[1], below.token, inside, context);
    }
    const int reason = errno;
    close(ends[1]);
    below.descriptor = ends[0];
    struct watch watch = {.group = child, .folder = folder, .most = memory_available(NULL) / 4 * 3};
    const bool is_done = child > 0 && serve_all(&below, &watch, count, code);
    if (child > 0) {
        kill(-child, SIGKILL); /* with what it started */
        kill(child, SIGKILL);
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    free(below.incoming);
    if (child < 0)
        return fail(error, STATUS_SYSTEM, "the system starts no process: %s", strerror(reason));
    if (watch.idle > IDLE_LOOKS)
        return fail(error, STATUS_FAILED, "its code waits without end");
    if (below.lacks_memory)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a message");
    return is_done ? STATUS_OK : fail(error, STATUS_FAILED, "its code ended the process that looked at it");
}
