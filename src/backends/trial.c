#include "backends/trial.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/trial_memory.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"

enum trial_message {
    TRIAL_DONE = 1, /* struct trial_done */
};

struct trial_done {
    enum status status;
    struct error error;
    char origin[MESSAGE_ORIGIN_BYTES];
};

static double patience(void)
{
    const char *wish = getenv("USKOR_DRIVER_SECONDS");
    double seconds;
    return wish && text_real(wish, &seconds) && seconds > 0 ? seconds : TRIAL_SECONDS;
}

/* STATUS_OK when the child lived to tell, and what it told. A signal meanwhile ends the program at once. */
static enum status run_child(const char *entry, const char *const *arguments, struct trial_done *done,
                             struct error *why)
{
    const struct child_limits limits = {.seconds = patience()};
    struct child_process child;
    struct child_message message = {0};
    under_way_load();
    enum status status = child_start(entry, arguments, &limits, &child, why);
    if (status == STATUS_OK) {
        status = child_wait(&child, NULL, NULL, &message, why) == CHILD_MESSAGE ? STATUS_OK : STATUS_UNAVAILABLE;
        if (status == STATUS_OK && message.bytes == sizeof *done) {
            memcpy(done, message.data, sizeof *done);
            message_unpack(done->error.text, done->origin);
        }
        free(message.data);
        child_end(&child);
    } else {
        *done = (struct trial_done){.status = STATUS_OK}; /* without processes it goes untried */
        status = STATUS_OK;
    }
    under_way_loaded();
    return status;
}

static void report(struct child_link *parent, struct trial_done *done)
{
    message_pack(done->error.text, done->origin);
    child_report(parent, TRIAL_DONE, done, sizeof *done);
}

/* ---- backends ------------------------------------------------------------------------------------------------- */

#define BACKENDS_MOST 8

/* What has been found out, in the order of `backends`. */
static struct {
    bool is_tried;
    struct trial_done done;
} tried[BACKENDS_MOST];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_foreign(const struct backend *backend)
{
    return backend->kind == BACKEND_OPENCL || backend->kind == BACKEND_CUDA;
}

static void try_backend(const struct backend *backend, struct trial_done *done)
{
    const char *const arguments[] = {backend->name, NULL};
    struct error why;
    *done = (struct trial_done){.status = STATUS_OK};
    if (trial_is_remembered(backend->name))
        return;
    if (run_child("probe", arguments, done, &why) != STATUS_OK)
        done->status = fail(&done->error, STATUS_UNAVAILABLE, "its driver, asked for devices: %s", why.text);
}

static enum status probe_here(const struct backend *backend, int *count, struct error *error)
{
    under_way_begin(UNDER_WAY_DRIVER, backend->name, "", "");
    under_way_load();
    enum status status = backend->probe(count, error);
    under_way_loaded();
    under_way_end();
    return status;
}

enum status backend_probe(const struct backend *backend, int *count, struct error *error)
{
    size_t index = 0;
    while (backends[index] && backends[index] != backend)
        index++;
    *count = 0;
    if (!is_foreign(backend) || !child_process_possible() || index >= BACKENDS_MOST)
        return backend->probe(count, error);
    pthread_mutex_lock(&lock);
    if (!tried[index].is_tried)
        try_backend(backend, &tried[index].done);
    tried[index].is_tried = true;
    pthread_mutex_unlock(&lock);
    const struct trial_done *done = &tried[index].done;
    if (done->status != STATUS_OK)
        return fail(error, done->status, "%s", done->error.text);
    return probe_here(backend, count, error);
}

static enum status try_devices(const struct backend *backend, struct error *error)
{
    int count = 0;
    enum status status = backend->probe(&count, error);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        struct device *device;
        under_way_step();
        if (backend->open(i, &device, NULL) == STATUS_OK) /* one that does not open is told of when it is wanted */
            device_close(device);
    }
    return status;
}

int probe_child(struct child_link *parent, int argc, char **argv)
{
    struct trial_done done = {.status = STATUS_INVALID};
    for (size_t i = 0; argc == 1 && backends[i]; i++)
        if (strcmp(backends[i]->name, argv[0]) == 0) {
            under_way_begin(UNDER_WAY_DRIVER, argv[0], "", "");
            done.status = try_devices(backends[i], &done.error);
        }
    if (done.status == STATUS_OK)
        trial_remember(argv[0]);
    report(parent, &done);
    return 0;
}

/* ---- libraries ------------------------------------------------------------------------------------------------ */

#define PATHS_MOST 30

int load_child(struct child_link *parent, int argc, char **argv)
{
    struct trial_done done = {.status = STATUS_UNAVAILABLE};
    for (int i = 1; i < argc && done.status != STATUS_OK; i++)
        if (dlopen(argv[i], RTLD_NOW | RTLD_LOCAL))
            done.status = STATUS_OK;
    if (done.status == STATUS_OK)
        trial_remember(argv[0]);
    report(parent, &done);
    return 0;
}

static enum status try_library(const char *title, const char *const *paths, struct error *error)
{
    const char *arguments[PATHS_MOST + 2] = {title};
    struct trial_done done;
    struct error why;
    for (size_t i = 0; i < PATHS_MOST && paths[i]; i++)
        arguments[1 + i] = paths[i];
    if (trial_is_remembered(title))
        return STATUS_OK;
    if (run_child("load", arguments, &done, &why) != STATUS_OK)
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
