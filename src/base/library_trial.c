#include "base/library_trial.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/size.h"
#include "base/text.h"
#include "base/trial_memory.h"

enum trial_message {
    TRIAL_DONE = 1, /* struct trial_done */
};

double trial_patience(void)
{
    const char *wish = getenv("USKOR_DRIVER_SECONDS");
    double seconds;
    return wish && text_real(wish, &seconds) && seconds > 0 ? seconds : TRIAL_SECONDS;
}

/* STATUS_OK when the child reported, and its report. A signal in the meantime ends the program at once. */
enum status trial_run(const char *entry, const char *const *arguments, struct trial_done *done, struct error *why)
{
    static const struct child_rule rule = {TRIAL_DONE, sizeof *done, sizeof *done, NULL};
    const struct child_limits limits = {.seconds = trial_patience(), .rules = &rule, .rule_count = 1};
    struct child_process child;
    struct child_message message = {0};
    under_way_load();
    enum status status = child_start(entry, arguments, &limits, &child, why);
    if (status == STATUS_OK) {
        status = child_wait(&child, NULL, NULL, &message, why) == CHILD_MESSAGE ? STATUS_OK : STATUS_UNAVAILABLE;
        if (status == STATUS_OK) {
            memcpy(done, message.data, sizeof *done);
            message_unpack(done->error.text, done->origin);
        }
        free(message.data);
        child_end(&child);
    } else {
        *done = (struct trial_done){.status = STATUS_OK, .count = -1}; /* without processes it goes untried */
        status = STATUS_OK;
    }
    under_way_loaded();
    return status;
}

void trial_report(struct child_link *parent, struct trial_done *done)
{
    message_pack(done->error.text, done->origin);
    child_report(parent, TRIAL_DONE, done, sizeof *done);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define PATHS_MOST 30

const char *trial_addresses(uint64_t spared, char text[TRIAL_ADDRESSES_BYTES])
{
    snprintf(text, TRIAL_ADDRESSES_BYTES, "%" PRIu64, memory_addresses() + spared);
    return text;
}

void trial_take_place(const char *addresses)
{
    memory_limit_as_with(strtoull(addresses, NULL, 10));
}

int load_child(struct child_link *parent, int argc, char **argv)
{
    struct trial_done done = {.status = STATUS_UNAVAILABLE};
    trial_take_place(argc > 0 ? argv[0] : "0");
    for (int i = 2; i < argc && done.status != STATUS_OK; i++)
        if (dlopen(argv[i], RTLD_NOW | RTLD_LOCAL))
            done.status = STATUS_OK;
    if (done.status == STATUS_OK)
        trial_remember(argv[1]);
    trial_report(parent, &done);
    return 0;
}

static enum status try_library(const char *title, const char *const *paths, struct error *error)
{
    char addresses[TRIAL_ADDRESSES_BYTES];
    const char *arguments[PATHS_MOST + 3] = {trial_addresses(0, addresses), title};
    struct trial_done done;
    struct error why;
    for (size_t i = 0; i < PATHS_MOST && paths[i]; i++)
        arguments[2 + i] = paths[i];
    if (trial_is_remembered(title))
        return STATUS_OK;
    if (trial_run("load", arguments, &done, &why) != STATUS_OK)
        return fail(error, STATUS_UNAVAILABLE, "%s, when it was loaded: %s", title, why.text);
    return STATUS_OK;
}

enum status library_trial(const char *title, const char *const *paths, struct error *error)
{
    static struct {
        const char *title;
        enum status status;
        struct error error;
    } known[64];
    static size_t count;
    size_t i = 0;
    if (!child_process_possible() || atomic_load(&under_way_now()->loading) > 0)
        return STATUS_OK;
    pthread_mutex_lock(&lock);
    while (i < count && strcmp(known[i].title, title) != 0)
        i++;
    if (i == count && count < COUNT_OF(known)) {
        known[i].title = title;
        known[i].status = try_library(title, paths, &known[i].error);
        count++;
    }
    enum status status = i < count ? known[i].status : STATUS_OK;
    if (status != STATUS_OK)
        fail(error, status, "%s", known[i].error.text);
    pthread_mutex_unlock(&lock);
    return status;
}
