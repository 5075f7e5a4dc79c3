#include "walls/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/clock.h"
#include "base/lower_limit.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "walls/needs.h"
#include "walls/paths.h"
#include "walls/walls.h"

#define SECONDS 120 /* a file can make its compiler read or count without end */
#define PATIENCE_NS 2000000000
#define LOOK_MS 100
#define FILE_BYTES ((rlim_t)2 << 30)
#define END_FILENO 3 /* its end of the connection, whose closing tells that it is over */
#define WORDS_MOST 8 /* of a compiler's command, "ccache gcc" */

/* ---- what may start ------------------------------------------------------------------------------------------- */

static bool find(const char *word, char path[PATH_MAX])
{
    const char *list = strchr(word, '/') ? NULL : getenv("PATH");
    snprintf(path, PATH_MAX, "%s", word);
    while (list && *list) {
        const int length = (int)strcspn(list, ":");
        snprintf(path, PATH_MAX, "%.*s/%s", length, list, word);
        if (access(path, X_OK) == 0)
            return true;
        list += length + (list[length] == ':');
    }
    return access(path, X_OK) == 0;
}

/* A compiler has its parts beside it: in lib, libexec and include of the folder above. The system's are named already.
 */
static void add_with_parts(struct path_list *programs, const char *path)
{
    static const char *const parts[] = {"lib", "libexec", "include"};
    char real[PATH_MAX], part[PATH_MAX + 16];
    paths_add(programs, path, PATH_START);
    if (!realpath(path, real))
        return;
    for (int i = 0; i < 2 && strrchr(real, '/'); i++)
        *strrchr(real, '/') = '\0';
    for (size_t i = 0; real[0] && strcmp(real, "/usr") != 0 && i < COUNT_OF(parts); i++) {
        snprintf(part, sizeof part, "%s/%s", real, parts[i]);
        paths_add(programs, part, PATH_START);
    }
}

/* The words of the command that are programs: "ccache" and "gcc". */
static void add_words(const char *const *arguments, struct path_list *programs)
{
    char path[PATH_MAX];
    for (size_t i = 0; arguments[i] && i < WORDS_MOST && arguments[i][0] != '-'; i++)
        if (find(arguments[i], path))
            add_with_parts(programs, path);
}

/* What the last command that failed was found to need besides: for a process's next runs of the same one. */
static struct {
    pthread_mutex_t lock;
    char command[PATH_MAX];
    struct path_list needs;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The command's words and language, which are what needs_find takes of it. */
static void write_command(const char *const *arguments, char command[PATH_MAX])
{
    bool is_word = true;
    command[0] = '\0';
    for (size_t i = 0; arguments[i]; i++) {
        is_word = is_word && arguments[i][0] != '-';
        if (is_word || (i && strcmp(arguments[i - 1], "-x") == 0))
            text_append(command, PATH_MAX, "%s\n", arguments[i]);
    }
}

/* Adds what is known of the command; `is_asked`: it is found out, if nothing is. Returns whether anything was added. */
static bool add_needs(const struct confined_program *program, bool is_asked, struct path_list *programs)
{
    const size_t count = programs->count;
    char command[PATH_MAX];
    write_command(program->arguments, command);
    pthread_mutex_lock(&known.lock);
    const bool is_known = strcmp(command, known.command) == 0;
    if (!is_known && is_asked) {
        struct path_list named;
        paths_collect(&(struct walls){.stage = WALLS_COMPILE, .others = programs}, &named);
        paths_free(&known.needs);
        needs_find(program->arguments, &named, &known.needs);
        paths_free(&named);
        strcpy(known.command, command);
    }
    for (size_t i = 0; is_known != is_asked && i < known.needs.count; i++)
        paths_add(programs, known.needs.items[i].path, known.needs.items[i].right);
    pthread_mutex_unlock(&known.lock);
    return programs->count > count;
}

/* ---- the new process ------------------------------------------------------------------------------------------ */

static bool place(int file, int number)
{
    return file >= 0 && dup2(file, number) >= 0;
}

/* In its place. A program that is there and has a script's first line may name what is not. */
static _Noreturn void say_unstarted(const char *name)
{
    const char *reason =
        errno == ENOENT ? tr("neither it nor the interpreter that it names is in reach") : strerror(errno);
    dprintf(STDERR_FILENO, tr("%s: cannot be started: %s"), name, reason);
    _exit(127);
}

static _Noreturn void become(const struct confined_program *program, const struct walls *walls, int said)
{
    const int in = program->data > 0
                       ? dup(program->data)
                       : open(program->input ? program->input : "/dev/null", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const int out = dup(program->output > 0 ? program->output : said), end = dup(said);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);
    needs_environment(program->folder);
    const bool is_placed =
        place(in, STDIN_FILENO) && place(out, STDOUT_FILENO) && place(out, STDERR_FILENO) && place(end, END_FILENO);
    close_range(END_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
    if (!is_placed || (!program->is_own && walls_enter(walls, NULL) != STATUS_OK))
        _exit(127);
    if (!program->is_own) {
        lower_limit(RLIMIT_AS, program->memory ? program->memory : memory_available(NULL) / 4 * 3);
        lower_limit(RLIMIT_FSIZE, FILE_BYTES);
        lower_limit(RLIMIT_CORE, 0);
    }
    execvp(program->arguments[0], (char *const *)program->arguments);
    say_unstarted(program->arguments[0]);
}

/* It speaks through a socket: a pipe could be opened by a source that includes /proc/self/fd/1, which would wait for
 * itself. */
static bool start(const struct confined_program *program, const struct path_list *programs, pid_t *child, int *output)
{
    const struct walls walls = {
        .stage = WALLS_COMPILE, .readable = program->readable, .others = programs, .folder = program->folder};
    int ends[2];
    *output = -1;
    *child = -1;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    *child = fork();
    if (*child == 0)
        become(program, &walls, ends[1]);
    const int reason = errno;
    close(ends[1]);
    *output = ends[0];
    errno = reason;
    return *child > 0;
}

struct watch {
    int64_t last, until, idle_since;
    uint64_t ticks;
};

/* PROGRAM_LATE, PROGRAM_WAITED, or 0. Time for which it is stopped from outside, or this process was, does not count.
 */
static int look_at(pid_t group, struct watch *watch)
{
    const int64_t now = clock_now(), spent = now - watch->last;
    const struct group_activity activity = activity_of(group);
    const bool stood_still = activity.is_stopped || spent > PATIENCE_NS;
    if (stood_still)
        watch->until += spent;
    if (stood_still || activity.is_busy || activity.ticks != watch->ticks)
        watch->idle_since = now;
    watch->ticks = activity.ticks;
    watch->last = now;
    return now - watch->idle_since > PATIENCE_NS ? PROGRAM_WAITED : now > watch->until ? PROGRAM_LATE : 0;
}

/* Reads until the end, or until look_at says why not. */
static int read_output(int output, pid_t group, unsigned seconds, char *said)
{
    size_t length = 0;
    char rest[512];
    const int64_t begun = clock_now();
    struct watch watch = {begun, begun + (int64_t)(seconds ? seconds : SECONDS) * 1000000000, begun, 0};
    ssize_t got = 1;
    int code = 0;
    while (got > 0 && !code) {
        struct pollfd wanted = {.fd = output, .events = POLLIN};
        const bool is_full = !said || length + 1 >= PROGRAM_SAID;
        const int ready = poll(&wanted, 1, LOOK_MS);
        if (ready <= 0 || clock_now() - watch.last > LOOK_MS * INT64_C(1000000))
            code = look_at(group, &watch);
        if (ready <= 0)
            continue;
        got = is_full ? read(output, rest, sizeof rest) : read(output, said + length, PROGRAM_SAID - 1 - length);
        length += !is_full && got > 0 ? (size_t)got : 0;
    }
    if (said)
        said[length] = '\0';
    return got <= 0 ? 0 : code;
}

/* Once its output is closed it is about to end, unless it only closed that. */
static void await_end(pid_t child)
{
    siginfo_t about = {.si_pid = 0};
    const int64_t until = clock_now() + PATIENCE_NS;
    while (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0 && !about.si_pid && clock_now() < until)
        clock_sleep(500000);
}

static int run(const struct confined_program *program, const struct path_list *programs, char *said)
{
    int output, status;
    pid_t child;
    if (said)
        said[0] = '\0';
    if (!start(program, programs, &child, &output)) {
        const int reason = errno;
        if (output >= 0)
            close(output);
        errno = reason;
        return PROGRAM_UNSTARTED;
    }
    const int unended = read_output(output, child, program->seconds, said);
    close(output);
    if (!unended)
        await_end(child);
    kill(-child, SIGKILL); /* what it left behind */
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return unended ? unended : WIFEXITED(status) ? WEXITSTATUS(status) : PROGRAM_KILLED;
}

/* Its input and output are as at first. */
static bool begin_again(const struct confined_program *program)
{
    return (program->data <= 0 || lseek(program->data, 0, SEEK_SET) == 0) &&
           (program->output <= 0 || (ftruncate(program->output, 0) == 0 && lseek(program->output, 0, SEEK_SET) == 0));
}

int program_run(const struct confined_program *program, char *said)
{
    char path[PATH_MAX];
    struct path_list programs = {.count = 0};
    if (said)
        said[0] = '\0';
    if (!program->arguments[0] || !find(program->arguments[0], path))
        return PROGRAM_NONE;
    add_words(program->arguments, &programs);
    add_needs(program, false, &programs);
    int code = run(program, &programs, said);
    if (code > 0 && code < PROGRAM_KILLED && !program->is_own && add_needs(program, true, &programs) &&
        begin_again(program))
        code = run(program, &programs, said);
    const int reason = errno;
    paths_free(&programs);
    errno = reason;
    return code;
}
