#include "backends/trial.h"

#include <pthread.h>
#include <string.h>

#include "base/library_trial.h"
#include "base/trial_memory.h"
#include "base/under_way.h"

#define BACKENDS_MOST 8

/* What has been found out, in the order of `backends`. */
static struct {
    bool is_tried;
    struct trial_done done;
} tried[BACKENDS_MOST];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_foreign(const struct backend *backend)
{
    return backend->kind == BACKEND_OPENCL || backend->kind == BACKEND_CUDA || backend->kind == BACKEND_OPENGL;
}

static void try_backend(const struct backend *backend, struct trial_done *done)
{
    const char *const arguments[] = {backend->name, NULL};
    struct error why;
    *done = (struct trial_done){.status = STATUS_OK};
    if (trial_is_remembered(backend->name))
        return;
    if (trial_run("probe", arguments, done, &why) != STATUS_OK)
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
    trial_report(parent, &done);
    return 0;
}
