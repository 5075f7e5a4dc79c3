#include "cli/options/recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "cli/command.h"
#include "lab/bench/device_facts.h"
#include "lab/ceilings/ceiling.h"
#include "version.h"

/* The command line as a person would type it again to measure the same. */

/* Options that say where the figures go; with a value as the next argument, or "=" and the value. */
static const struct {
    const char *name;
    bool has_value;
} left_out[] = {
    {"-o", true},       {"--output", true}, {"--store", true}, {"--label", true},
    {"--force", false}, {"--json", false},  {"--csv", false},
};

/* How many arguments from this one on are left out: 0, 1 or 2. */
static int arguments_left_out(const char *argument)
{
    for (size_t i = 0; i < COUNT_OF(left_out); i++) {
        size_t length = strlen(left_out[i].name);
        if (strncmp(argument, left_out[i].name, length) != 0)
            continue;
        if (argument[length] == 0)
            return left_out[i].has_value ? 2 : 1;
        if (left_out[i].has_value && (argument[length] == '=' || length == 2))
            return 1;
    }
    return 0;
}

static void append_quoted(char *text, size_t size, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=:,./+@%^";
    if (*argument && strspn(argument, plain) == strlen(argument)) {
        text_append(text, size, "%s", argument);
        return;
    }
    text_append(text, size, "'");
    for (; *argument; argument++)
        text_append(text, size, *argument == '\'' ? "'\\''" : "%c", *argument);
    text_append(text, size, "'");
}

/* The same for arguments one after another, each with its end, as /proc/self/cmdline has them. */
static const char *command_line_from(const char *arguments, size_t bytes, char *text, size_t size)
{
    const char *end = arguments + bytes;
    int skip = 0;
    *text = 0;
    for (const char *argument = arguments; argument < end; argument += strlen(argument) + 1) {
        if (argument == arguments) {
            const char *slash = strrchr(argument, '/');
            append_quoted(text, size, slash ? slash + 1 : argument);
            continue;
        }
        if (skip == 0)
            skip = arguments_left_out(argument);
        if (skip > 0) {
            skip--;
            continue;
        }
        text_append(text, size, " ");
        append_quoted(text, size, argument);
    }
    return text;
}

/* "uskor bench transpose --device cpu": quoted for a shell, without the program's folder and without what says only
 * where the figures go (-o, --force, --store, --label, --json, --csv). Returns `text`, cut when it does not fit. */
static const char *command_line(char *text, size_t size)
{
    char arguments[8192];
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t bytes = file ? fread(arguments, 1, sizeof arguments - 1, file) : 0;
    if (file)
        fclose(file);
    arguments[bytes] = 0;
    return command_line_from(arguments, bytes, text, size);
}

#define LABEL_MOST 127

bool label_is_good(const char *label)
{
    size_t length = strlen(label);
    for (const char *c = label; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return length > 0 && length <= LABEL_MOST && !strpbrk(label, "*~/") && strcmp(label, "last") != 0 &&
           strspn(label, "0123456789") != length;
}

static void warn(const struct error *why)
{
    struct error line = *why;
    fail_in(&line, STATUS_SYSTEM, "warning: measurements are not stored");
    progress_end();
    report_error(STATUS_SYSTEM, &line);
}

enum status recording_open(struct bench_session *session, struct error *error)
{
    struct error why;
    const char *name = session->store_name;
    if (session->keeps_nothing && name && strcmp(name, "none") != 0)
        return fail(error, STATUS_INVALID, "--store %s: this command times nothing and keeps nothing; 'none' is taken",
                    name);
    if (session->keeps_nothing || (name && strcmp(name, "none") == 0))
        return STATUS_OK;
    enum status status = store_open(name, &session->store, name ? error : &why);
    if (status == STATUS_OK || name)
        return status;
    warn(&why);
    return STATUS_OK;
}

void ceilings_load(struct bench_session *session)
{
    struct error why;
    struct store_filter filter = {.kernel = CEILING_KERNEL, .all = true};
    session->options.ceilings = &session->ceilings;
    if (!session->store)
        return;
    enum status status = store_this_machine(session->store, &filter.machine, &why);
    if (status == STATUS_OK)
        status = store_measurements(session->store, &filter, &session->ceilings, &why);
    if (status != STATUS_OK) {
        progress_end();
        fail_in(&why, status, "warning: ceilings");
        report_error(status, &why);
    }
}

static enum status keep_device(struct store *store, int64_t machine, const struct device *device, struct error *error)
{
    struct machine_device kept;
    enum status status = device_describe(device, &kept, error);
    if (status != STATUS_OK)
        return status;
    status = store_put_device(store, machine, &kept, error);
    free(kept.facts);
    return status;
}

/* The run begins with its first measurement, so that none is empty. */
static enum status begin(struct bench_session *session, struct error *error)
{
    char command[1024];
    int64_t machine = 0;
    const struct selection *selection = &session->selection;
    struct run_facts facts = {
        .command = command_line(command, sizeof command),
        .label = session->label,
        .code_version = USKOR_CODE_VERSION,
    };
    enum status status = store_this_machine(session->store, &machine, error);
    for (size_t d = 0; status == STATUS_OK && d < selection->device_count; d++)
        status = keep_device(session->store, machine, selection->devices[d], error);
    return status == STATUS_OK ? store_begin_run(session->store, &facts, &session->run, error) : status;
}

/* Its place in the command's list, from 1, whichever is finished first; 0 when it is not in the list. */
static int64_t place(const struct measurement_list *list, const struct measurement *measurement)
{
    for (size_t i = 0; i < list->count; i++)
        if (&list->items[i] == measurement)
            return (int64_t)i + 1;
    return 0;
}

void bench_session_keep(void *context, struct measurement *measurement)
{
    struct bench_session *session = context;
    struct error why;
    if (!session->store)
        return;
    enum status status = session->run ? STATUS_OK : begin(session, &why);
    if (status == STATUS_OK && measurement->id) {
        status = store_replace(session->store, measurement->id, measurement, &why);
    } else if (status == STATUS_OK) {
        measurement->number = place(&session->list, measurement);
        status = store_add(session->store, session->run, measurement, &measurement->id, &why);
    }
    if (status == STATUS_OK) {
        measurement->run = session->run;
        return;
    }
    bench_session_lose_store(session, &why);
}

void bench_session_lose_store(struct bench_session *session, const struct error *why)
{
    warn(why);
    session->store_failed = true;
    store_close(session->store);
    session->store = NULL;
}
