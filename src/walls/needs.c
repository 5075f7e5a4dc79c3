#include "walls/needs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/size.h"
#include "base/temporary_folder.h"

#define WORDS_MOST 8
#define OPTIONS_MOST 16
#define INTERPRETERS_MOST 4 /* a script's interpreter may be a script */
#define NEEDS_MOST 1024
#define SECONDS 20
#define NO_FOLDER 6 /* a call has six arguments */

void needs_environment(const char *folder)
{
    if (folder) {
        setenv("TMPDIR", folder, 1);
        setenv("DISTCC_DIR", folder, 1);
    }
    setenv("CCACHE_DISABLE", "1", 1); /* its folder is outside */
    setenv("DISTCC_HOSTS", "localhost", 1);
    setenv("ICECC", "no", 1);
}

/* ---- the compiler, in the process that is traced ---------------------------------------------------------------- */

/* Calls that name a file to start or to read. */
static const struct {
    int call;
    unsigned folder, name; /* arguments; NO_FOLDER: the current one */
    enum path_right right;
} calls[] = {
    {SCMP_SYS(execve), NO_FOLDER, 0, PATH_START}, {SCMP_SYS(execveat), 0, 1, PATH_START},
    {SCMP_SYS(open), NO_FOLDER, 0, PATH_READ},    {SCMP_SYS(openat), 0, 1, PATH_READ},
    {SCMP_SYS(openat2), 0, 1, PATH_READ},
};

static bool stop_at_calls(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = filter ? seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW) : -1;
    for (size_t i = 0; result == 0 && i < COUNT_OF(calls); i++)
        if (calls[i].call >= 0)
            result = seccomp_rule_add(filter, SCMP_ACT_TRACE(0), calls[i].call, 0);
    result = result == 0 ? seccomp_load(filter) : result;
    seccomp_release(filter);
    return result == 0;
}

struct trial {
    const char *arguments[WORDS_MOST + OPTIONS_MOST];
    char folder[PATH_MAX], source[PATH_MAX + 16], made[PATH_MAX + 16], said[PATH_MAX + 16];
};

static _Noreturn void be_compiler(const struct trial *trial)
{
    static const char *const folders[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}; /* the user's own */
    const int in = open("/dev/null", O_RDONLY), said = open(trial->said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        unsetenv(folders[i]);
    setenv("LC_ALL", "C", 1);
    needs_environment(trial->folder);
    if (dup2(in, 0) == 0 && dup2(said, 1) == 1 && dup2(said, 2) == 2 && ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 &&
        raise(SIGSTOP) == 0 && stop_at_calls()) {
        close_range(3, ~0u, 0);
        execvp(trial->arguments[0], (char *const *)trial->arguments);
    }
    _exit(127);
}

/* ---- the process that traces it --------------------------------------------------------------------------------- */

static void report(int to, enum path_right right, const char *path)
{
    static const char *const others[] = {"/proc/", "/dev/", "/sys/"}; /* which the stage has, or has not, in itself */
    char line[PATH_MAX + 2];
    struct stat facts;
    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (strncmp(path, others[i], strlen(others[i])) == 0)
            return;
    if (stat(path, &facts) != 0 || !S_ISREG(facts.st_mode))
        return;
    const int length = snprintf(line, sizeof line, "%c%s", right == PATH_START ? 's' : 'r', path);
    if (length < (int)sizeof line && write(to, line, (size_t)length + 1) < 0)
        _exit(1);
}

/* A program; and if it is a script, the interpreter that its first line names. */
static void report_program(int to, const char *path)
{
    char line[PATH_MAX], program[PATH_MAX];
    snprintf(program, sizeof program, "%s", path);
    for (int i = 0; i < INTERPRETERS_MOST && program[0]; i++) {
        FILE *file = fopen(program, "re");
        const bool is_script = file && fgets(line, sizeof line, file) && strncmp(line, "#!", 2) == 0;
        if (file)
            fclose(file);
        report(to, PATH_START, program);
        const char *name = line + 2 + (is_script ? strspn(line + 2, " \t") : 0);
        snprintf(program, sizeof program, "%.*s", is_script ? (int)strcspn(name, " \t\r\n") : 0, name);
    }
}

/* What a link of /proc leads to, a folder, and `name` in it, unless that is absolute. */
static bool join(pid_t process, const char *link, const char *name, char path[PATH_MAX])
{
    char of[64], folder[PATH_MAX];
    snprintf(of, sizeof of, "/proc/%d/%s", (int)process, link);
    const ssize_t bytes = name[0] == '/' ? 0 : readlink(of, folder, sizeof folder - 1);
    folder[bytes > 0 ? bytes : 0] = '\0';
    return bytes >= 0 && snprintf(path, PATH_MAX, "%s%s%s", folder, bytes ? "/" : "", name) < PATH_MAX;
}

static bool read_text(pid_t process, uint64_t address, char text[PATH_MAX])
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", (int)process);
    const int file = open(memory, O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = file >= 0 ? pread(file, text, PATH_MAX, (off_t)address) : 0;
    if (file >= 0)
        close(file);
    return bytes > 0 && memchr(text, '\0', (size_t)bytes);
}

static void look_at_call(pid_t process, int to)
{
    struct __ptrace_syscall_info info;
    char name[PATH_MAX], path[PATH_MAX], link[32] = "cwd";
    size_t i = 0;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) <= 0 || info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        return;
    while (i < COUNT_OF(calls) && (uint64_t)calls[i].call != info.seccomp.nr)
        i++;
    if (i == COUNT_OF(calls) || !read_text(process, info.seccomp.args[calls[i].name], name))
        return;
    if (calls[i].folder != NO_FOLDER && (int)info.seccomp.args[calls[i].folder] != AT_FDCWD)
        snprintf(link, sizeof link, "fd/%d", (int)info.seccomp.args[calls[i].folder]);
    if (!join(process, link, name, path))
        return;
    if (calls[i].right == PATH_START)
        report_program(to, path);
    else
        report(to, PATH_READ, path);
}

/* The program that begins, and its loader: the system started both. */
static void look_at_start(pid_t process, int to)
{
    char name[64], line[PATH_MAX + 128];
    snprintf(name, sizeof name, "/proc/%d/maps", (int)process);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *path = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (path)
            report(to, PATH_START, path);
    }
    if (file)
        fclose(file);
}

/* Until all of them have ended. */
static void follow(int to)
{
    int state;
    for (pid_t process; (process = waitpid(-1, &state, __WALL)) > 0;) {
        const int event = state >> 16, signal = WIFSTOPPED(state) ? WSTOPSIG(state) : 0;
        if (!signal)
            continue;
        if (event == PTRACE_EVENT_SECCOMP)
            look_at_call(process, to);
        else if (event == PTRACE_EVENT_EXEC)
            look_at_start(process, to);
        ptrace(PTRACE_CONT, process, NULL, event || signal == SIGSTOP || signal == SIGTRAP ? 0L : (long)signal);
    }
}

static _Noreturn void be_tracer(const struct trial *trial, int to)
{
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP;
    int state;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const pid_t compiler = fork();
    if (compiler == 0)
        be_compiler(trial);
    if (compiler > 0 && waitpid(compiler, &state, 0) == compiler && WIFSTOPPED(state) &&
        ptrace(PTRACE_SETOPTIONS, compiler, NULL, options) == 0 && ptrace(PTRACE_CONT, compiler, NULL, 0L) == 0)
        follow(to);
    _exit(0);
}

/* ---- what it found ---------------------------------------------------------------------------------------------- */

/* The next report, without its letter, in `path`; false at the end, or when the time is over. */
static bool next_report(int from, int64_t until, char path[PATH_MAX + 2])
{
    size_t length = 0;
    do {
        struct pollfd wanted = {.fd = from, .events = POLLIN};
        const int64_t left = until - clock_now();
        if (length == PATH_MAX + 2 || left <= 0 || poll(&wanted, 1, (int)(left / 1000000) + 1) <= 0 ||
            read(from, path + length, 1) != 1)
            return false;
    } while (path[length++] != '\0');
    return true;
}

static void take(const char *path, enum path_right right, const struct path_list *named, struct path_list *needs)
{
    if (needs->count < NEEDS_MOST && !paths_have(named, path, right) && !paths_have(needs, path, right))
        paths_add(needs, path, right);
}

static void take_reports(const struct trial *trial, int from, const struct path_list *named, struct path_list *needs)
{
    const int64_t until = clock_now() + (int64_t)SECONDS * 1000000000;
    char report[PATH_MAX + 2];
    while (next_report(from, until, report))
        if (strncmp(report + 1, trial->folder, strlen(trial->folder)) != 0)
            take(report + 1, report[0] == 's' ? PATH_START : PATH_READ, named, needs);
}

/* The folders of headers, as a compiler lists them when it is asked to be verbose: a line each, behind a blank. */
static void take_folders(const struct trial *trial, const struct path_list *named, struct path_list *needs)
{
    char line[PATH_MAX];
    bool is_list = false;
    FILE *file = fopen(trial->said, "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != ' ')
            is_list = strstr(line, "search starts here:") != NULL;
        else if (is_list && line[1] == '/' && line[2])
            take(line + 1, PATH_READ, named, needs);
    }
    if (file)
        fclose(file);
}

static bool prepare(const char *const *arguments, const char *folder, struct trial *trial)
{
    size_t count = 0;
    const char *language = "c";
    for (size_t i = 0; arguments[i]; i++)
        language = strcmp(arguments[i], "-x") == 0 && arguments[i + 1] ? arguments[i + 1] : language;
    snprintf(trial->folder, sizeof trial->folder, "%s", folder);
    snprintf(trial->source, sizeof trial->source, "%s/own.c", folder);
    snprintf(trial->made, sizeof trial->made, "%s/own.so", folder);
    snprintf(trial->said, sizeof trial->said, "%s/said", folder);
    while (count < WORDS_MOST && arguments[count] && arguments[count][0] != '-') {
        trial->arguments[count] = arguments[count];
        count++;
    }
    const char *const options[OPTIONS_MOST] = {"-v",    "-x", language,    "-fopenmp",    "-shared",
                                               "-fPIC", "-o", trial->made, trial->source, "-lm"};
    memcpy(trial->arguments + count, options, sizeof options);
    FILE *file = fopen(trial->source, "we");
    const bool is_open = file != NULL, is_written = is_open && fputs("int own;\n", file) >= 0;
    return is_open && fclose(file) == 0 && is_written;
}

void needs_find(const char *const *arguments, const struct path_list *named, struct path_list *needs)
{
    struct temporary_folder folder;
    struct error unused;
    int ends[2];
    struct trial *trial = calloc(1, sizeof *trial);
    if (temporary_folder_make(FOLDER_MODULE, &folder, &unused) != STATUS_OK) {
        free(trial);
        return;
    }
    if (trial && prepare(arguments, folder.path, trial) && pipe2(ends, O_CLOEXEC) == 0) {
        const pid_t tracer = fork();
        if (tracer == 0)
            be_tracer(trial, ends[1]);
        close(ends[1]);
        if (tracer > 0)
            take_reports(trial, ends[0], named, needs);
        close(ends[0]);
        if (tracer > 0) {
            kill(tracer, SIGKILL); /* and what it traces */
            while (waitpid(tracer, NULL, 0) < 0 && errno == EINTR)
                continue;
        }
        take_folders(trial, named, needs);
    }
    free(trial);
    temporary_folder_remove(&folder);
}
