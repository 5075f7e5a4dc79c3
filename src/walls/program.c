#include "walls/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_link.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/size.h"
#include "walls/walls.h"

#define SECONDS 120 /* a file can make its compiler read or count without end */
#define PATIENCE_NS 2000000000
#define LOOK_MS 100
#define FILE_BYTES ((rlim_t)2 << 30)
#define END_FILENO 3 /* its end of the connection, whose closing tells that it is over */
#define PROGRAMS_MOST 12
#define WORDS_MOST 8 /* of a compiler's command, "ccache gcc" */

/* ---- what may start ------------------------------------------------------------------------------------------- */

struct programs {
    char paths[PROGRAMS_MOST][PATH_MAX];
    const char *list[PROGRAMS_MOST + 1];
    size_t count;
};

static void add(struct programs *programs, const char *format, const char *path)
{
    if (programs->count == PROGRAMS_MOST)
        return;
    snprintf(programs->paths[programs->count], PATH_MAX, format, path);
    programs->list[programs->count] = programs->paths[programs->count];
    programs->count++;
}

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

static bool is_script(const char *path)
{
    char begin[2] = "";
    FILE *file = fopen(path, "re");
    const bool is = file && fread(begin, 1, 2, file) == 2 && memcmp(begin, "#!", 2) == 0;
    if (file)
        fclose(file);
    return is;
}

/* A compiler has its parts beside it: in lib, libexec and include of the folder above. The system's are named already.
 * A script that the user named in its place starts others. */
static void add_with_parts(struct programs *programs, const char *path)
{
    static const char *const parts[] = {"%s/lib", "%s/libexec", "%s/include"};
    char real[PATH_MAX];
    add(programs, "%s", path);
    if (!realpath(path, real))
        return;
    if (is_script(real)) {
        add(programs, "%s", "/usr/bin");
        add(programs, "%s", "/bin");
    }
    for (int i = 0; i < 2 && strrchr(real, '/'); i++)
        *strrchr(real, '/') = '\0';
    for (size_t i = 0; real[0] && strcmp(real, "/usr") != 0 && i < COUNT_OF(parts); i++)
        add(programs, parts[i], real);
}

/* The words of the command that are programs: "ccache" and "gcc". */
static void find_programs(const char *const *arguments, struct programs *programs)
{
    char path[PATH_MAX];
    programs->count = 0;
    for (size_t i = 0; arguments[i] && i < WORDS_MOST && arguments[i][0] != '-'; i++)
        if (find(arguments[i], path))
            add_with_parts(programs, path);
    programs->list[programs->count] = NULL;
}

/* ---- the new process ------------------------------------------------------------------------------------------ */

/* Lowers a limit; one that is lower stays. */
static void limit(int resource, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_cur > most)
        setrlimit(resource, &(struct rlimit){most, most});
}

static bool place(int file, int number)
{
    return file >= 0 && dup2(file, number) >= 0;
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
    if (program->folder)
        setenv("TMPDIR", program->folder, 1);
    setenv("CCACHE_DISABLE", "1", 1); /* its folder is outside */
    const bool is_placed =
        place(in, STDIN_FILENO) && place(out, STDOUT_FILENO) && place(out, STDERR_FILENO) && place(end, END_FILENO);
    close_range(END_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC);
    if (is_placed && program->is_own)
        execvp(program->arguments[0], (char *const *)program->arguments);
    if (is_placed && !program->is_own && walls_enter(walls, NULL) == STATUS_OK) {
        limit(RLIMIT_AS, program->memory ? program->memory : memory_available(NULL) / 4 * 3);
        limit(RLIMIT_FSIZE, FILE_BYTES);
        limit(RLIMIT_CORE, 0);
        execvp(program->arguments[0], (char *const *)program->arguments);
    }
    _exit(127);
}

/* It speaks through a socket: a pipe could be opened by a source that includes /proc/self/fd/1, which would wait for
 * itself. */
static bool start(const struct confined_program *program, pid_t *child, int *output)
{
    int ends[2];
    struct programs *programs = malloc(sizeof *programs);
    *output = -1;
    *child = -1;
    if (programs && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        find_programs(program->arguments, programs);
        const struct walls walls = {.stage = WALLS_COMPILE,
                                    .readable = program->readable,
                                    .programs = programs->list,
                                    .folder = program->folder};
        *child = fork();
        if (*child == 0)
            become(program, &walls, ends[1]);
        const int reason = errno;
        close(ends[1]);
        *output = ends[0];
        errno = reason;
    }
    free(programs);
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
        if (ready <= 0 || clock_now() - watch.last > LOOK_MS * 1000000)
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

int program_run(const struct confined_program *program, char *said)
{
    int output, status, code = PROGRAM_NONE;
    pid_t child;
    char path[PATH_MAX];
    if (said)
        said[0] = '\0';
    if (!program->arguments[0] || !find(program->arguments[0], path))
        return PROGRAM_NONE;
    if (!start(program, &child, &output)) {
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
    code = unended ? unended : WIFEXITED(status) ? WEXITSTATUS(status) : PROGRAM_KILLED;
    return code;
}
