/* The filter of system calls, by libseccomp. */
#include <errno.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lower_limit.h"
#include "base/size.h"
#include "walls/calls.h"
#include "walls/landlock.h"
#include "walls/namespaces.h"
#include "walls/walls.h"

#define PROCESSES_MOST 4500 /* more threads than --threads takes */
#define FILES_MOST 4096     /* each is memory of the system's, which no process has as its own */
#define SIGNALS_MOST 256    /* that wait: they count for all of the account's processes */

static bool is_entered;

bool walls_are_entered(void)
{
    return is_entered;
}

/* The next name of a list, cut off; NULL at its end. */
static char *next_name(char **at)
{
    char *name;
    while ((name = strsep(at, " ")) && !*name)
        continue;
    return name;
}

/* The number of a call; a negative one where this machine has none of that name. */
static int number_of(const char *name)
{
    return seccomp_syscall_resolve_name(name);
}

static int add_names(scmp_filter_ctx filter, uint32_t action, const char *names)
{
    char *text = strdup(names), *at = text, *name;
    int result = text ? 0 : -ENOMEM;
    while (text && result == 0 && (name = next_name(&at)))
        if (number_of(name) >= 0)
            result = seccomp_rule_add(filter, action, number_of(name), 0);
    free(text);
    return result;
}

static int add_rule(scmp_filter_ctx filter, const struct call_rule *rule)
{
    struct scmp_arg_cmp wanted[CALL_ARGUMENTS_MOST];
    for (unsigned i = 0; i < rule->count; i++) {
        const struct call_argument *one = &rule->arguments[i];
        const uint64_t value = one->is_own ? (uint64_t)getpid() : one->value;
        wanted[i] = (struct scmp_arg_cmp){one->index, SCMP_CMP_MASKED_EQ, one->mask, value};
    }
    const int call = number_of(rule->name);
    return call < 0 ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, rule->count, wanted);
}

static bool has_name(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

/* What the stage allows. `but` names calls that are not looked at. */
static int add_allowed(scmp_filter_ctx filter, enum walls_stage stage, const char *but)
{
    int result = 0;
    for (size_t i = 0; result == 0 && i < call_list_count; i++)
        if (call_lists[i].stages & (1u << stage))
            result = add_names(filter, SCMP_ACT_ALLOW, call_lists[i].names);
    for (size_t i = 0; result == 0 && i < call_rule_count; i++)
        if ((call_rules[i].stages & (1u << stage)) && !has_name(but, call_rules[i].name))
            result = add_rule(filter, &call_rules[i]);
    return result;
}

/* Calls that fail as unknown, and those that end the process: the stage allows them in no form. */
static int add_failures(scmp_filter_ctx filter)
{
    const int result = add_names(filter, SCMP_ACT_ERRNO(ENOSYS), call_unknown);
    return result == 0 ? add_names(filter, SCMP_ACT_KILL_PROCESS, call_ends) : result;
}

/* For all threads: another thread's stack is memory that code can change. Without SSB older systems slow all code of a
 * filtered process down. Libraries older than an attribute refuse it. */
static int load(scmp_filter_ctx filter)
{
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    return seccomp_load(filter);
}

/* A call whose arguments are not as wanted fails, as drivers try what they may. */
static int load_failing(enum walls_stage stage)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int result = filter ? add_allowed(filter, stage, "") : -ENOMEM;
    if (result == 0)
        result = add_failures(filter);
    if (result == 0)
        result = load(filter);
    seccomp_release(filter);
    return result;
}

/* Beside it, for C code: all but a few of those calls end the process. Of two filters the harsher one counts. */
static int load_ending(enum walls_stage stage)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    int result = filter ? add_allowed(filter, stage, call_failures) : -ENOMEM;
    if (result == 0)
        result = add_names(filter, SCMP_ACT_ALLOW, call_failures);
    if (result == 0)
        result = add_names(filter, SCMP_ACT_ALLOW, call_unknown);
    if (result == 0)
        result = add_names(filter, SCMP_ACT_ALLOW, "seccomp"); /* for the other one, which lets it fail from then on */
    if (result == 0)
        result = load(filter);
    seccomp_release(filter);
    return result;
}

/* A file that stops itself would be waited for as long as one that is stopped from outside. */
static int load_unstopping(void)
{
    static const struct {
        const char *name;
        unsigned signal; /* the argument */
    } senders[] = {{"kill", 1}, {"tgkill", 2}, {"rt_sigqueueinfo", 1}, {"rt_tgsigqueueinfo", 2}};
    static const int stops[] = {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    int result = filter ? 0 : -ENOMEM;
    for (size_t i = 0; result == 0 && i < COUNT_OF(senders) * COUNT_OF(stops); i++) {
        const struct scmp_arg_cmp is = {senders[i / COUNT_OF(stops)].signal, SCMP_CMP_MASKED_EQ, UINT32_MAX,
                                        (scmp_datum_t)stops[i % COUNT_OF(stops)]};
        const int call = number_of(senders[i / COUNT_OF(stops)].name);
        result = call < 0 ? 0 : seccomp_rule_add_array(filter, SCMP_ACT_KILL_PROCESS, call, 1, &is);
    }
    if (result == 0)
        result = load(filter);
    seccomp_release(filter);
    return result;
}

enum status walls_enter_filter(enum walls_stage stage, struct error *error)
{
    int result = load_unstopping();
    if (result == 0 && stage == WALLS_CODE)
        result = load_ending(stage);
    if (result == 0)
        result = load_failing(stage);
    if (result != 0)
        return fail(error, STATUS_UNAVAILABLE,
                    "the system filters no system calls (seccomp): a stranger's code is not run here: %s",
                    strerror(-result));
    is_entered = true;
    return STATUS_OK;
}

/* Processes and threads only where those of the account outside do not count; a GPU's driver has many files. */
static void limit_all(enum walls_stage stage, bool has_namespaces)
{
    lower_limit(RLIMIT_SIGPENDING, SIGNALS_MOST);
    if (stage != WALLS_GPU_DRIVER)
        lower_limit(RLIMIT_NOFILE, FILES_MOST);
    if (has_namespaces)
        lower_limit(RLIMIT_NPROC, PROCESSES_MOST);
}

enum status walls_enter_domain(const struct walls *walls, struct error *error)
{
    struct namespaces entered;
    struct path_list paths;
    paths_collect(walls, &paths);
    enum status status = namespaces_enter(&paths, &entered, error);
    if (status == STATUS_OK) {
        limit_all(walls->stage, entered.are_entered);
        landlock_enter(&paths);
    }
    paths_free(&paths);
    return status;
}

enum status walls_enter(const struct walls *walls, struct error *error)
{
    enum status status = walls_enter_domain(walls, error);
    return status == STATUS_OK ? walls_enter_filter(walls->stage, error) : status;
}
