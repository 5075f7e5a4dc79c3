#include "backends/trial.h"

#include <pthread.h>
#include <string.h>

#include "backends/driver_start.h"
#include "base/library_trial.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/trial_memory.h"

#define BACKENDS_MOST 8
#define SPARED_BYTES ((uint64_t)128 << 20)

/* The results so far, in the order of `backends`. */
static struct {
    bool is_tried, is_harmful;
    struct trial_done done;
} tried[BACKENDS_MOST];

static atomic_bool is_driver_loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_foreign(const struct backend *backend)
{
    return backend->kind == BACKEND_OPENCL || backend->kind == BACKEND_CUDA || backend->kind == BACKEND_OPENGL;
}

static enum status run_trial(const struct backend *backend, uint64_t spared, struct trial_done *done, struct error *why)
{
    char addresses[TRIAL_ADDRESSES_BYTES];
    const char *const arguments[] = {backend->name, trial_addresses(spared, addresses), NULL};
    return trial_run("probe", arguments, done, why);
}

/* Drivers that get no memory fail, crash or do without, and do not take as much each time. Where memory is limited it
 * is tried with less, too. */
static enum status try_with_less(const struct backend *backend, const struct trial_done *done, struct error *why)
{
    struct trial_done less;
    if (!memory_is_limited())
        return STATUS_OK;
    enum status status = run_trial(backend, SPARED_BYTES, &less, why);
    if (status == STATUS_OK && less.count != done->count)
        status = fail(why, STATUS_UNAVAILABLE,
                      "devices that it lists: %d, and %d where 128 MiB less of memory are left (ulimit)", done->count,
                      less.count);
    return status;
}

/* False when the driver did harm. */
static bool try_backend(const struct backend *backend, struct trial_done *done)
{
    struct error why;
    *done = (struct trial_done){.status = STATUS_OK, .count = -1};
    if (trial_is_remembered(backend->name) ||
        (run_trial(backend, 0, done, &why) == STATUS_OK && try_with_less(backend, done, &why) == STATUS_OK))
        return true;
    done->status = fail(&done->error, STATUS_UNAVAILABLE, "its driver, asked for devices: %s", why.text);
    return false;
}

/* Its threads may begin with the first call. */
static enum status ask(const struct backend *backend, int *count, struct error *error)
{
    if (is_foreign(backend))
        atomic_store(&is_driver_loaded, true);
    return backend->probe(count, error);
}

static enum status probe_here(const struct backend *backend, int *count, struct error *error)
{
    under_way_begin(UNDER_WAY_DRIVER, backend->name, "", "");
    under_way_load();
    struct driver_start start;
    driver_start_begin(&start);
    enum status status = ask(backend, count, error);
    driver_start_end(&start);
    under_way_loaded();
    under_way_end();
    return status;
}

bool backend_driver_is_loaded(void)
{
    return atomic_load(&is_driver_loaded);
}

static size_t index_of(const struct backend *backend)
{
    size_t index = 0;
    while (backends[index] && backends[index] != backend)
        index++;
    return index;
}

enum status backend_probe(const struct backend *backend, int *count, struct error *error)
{
    size_t index = index_of(backend);
    *count = 0;
    if (!is_foreign(backend) || !child_process_possible() || index >= BACKENDS_MOST)
        return ask(backend, count, error);
    pthread_mutex_lock(&lock);
    if (!tried[index].is_tried)
        tried[index].is_harmful = !try_backend(backend, &tried[index].done);
    tried[index].is_tried = true;
    pthread_mutex_unlock(&lock);
    const struct trial_done *done = &tried[index].done;
    if (done->status != STATUS_OK)
        return fail(error, done->status, "%s", done->error.text);
    enum status status = probe_here(backend, count, error);
    if (status != STATUS_OK || done->count < 0 || done->count == *count)
        return status;
    tried[index].is_harmful = true;
    tried[index].done.status =
        fail(&tried[index].done.error, STATUS_UNAVAILABLE,
             "its driver listed %d devices to one process and %d to the next", done->count, *count);
    return fail(error, STATUS_UNAVAILABLE, "%s", tried[index].done.error.text);
}

bool backend_is_harmful(const struct backend *backend)
{
    size_t index = index_of(backend);
    return index < BACKENDS_MOST && tried[index].is_harmful;
}

void backend_describe_faults(const struct backend *backend, char *text, size_t size)
{
    size_t index = index_of(backend);
    text[0] = 0;
    if (index < BACKENDS_MOST && tried[index].is_harmful)
        explain(text, size, "%s", tried[index].done.error.text);
    else if (index >= BACKENDS_MOST || tried[index].done.status == STATUS_OK)
        backend_describe_missing(backend, true, text, size);
}

void backend_describe_missing(const struct backend *backend, bool faults_only, char *text, size_t size)
{
    struct driver_start start;
    text[0] = 0;
    if (!backend->describe_missing)
        return;
    driver_start_begin(&start);
    backend->describe_missing(faults_only, text, size);
    driver_start_end(&start);
}

static enum status try_devices(const struct backend *backend, int *count, struct error *error)
{
    enum status status = ask(backend, count, error);
    for (int i = 0; status == STATUS_OK && i < *count; i++) {
        struct device *device;
        under_way_step();
        if (backend->open(i, &device, NULL) ==
            STATUS_OK) /* a device that does not open is reported when it is requested */
            device_close(device);
    }
    return status;
}

int probe_child(struct child_link *parent, int argc, char **argv)
{
    struct trial_done done = {.status = STATUS_INVALID};
    trial_take_place(argc == 2 ? argv[1] : "0");
    for (size_t i = 0; argc == 2 && backends[i]; i++)
        if (strcmp(backends[i]->name, argv[0]) == 0) {
            under_way_begin(UNDER_WAY_DRIVER, argv[0], "", "");
            done.status = try_devices(backends[i], &done.count, &done.error);
        }
    if (done.status == STATUS_OK)
        trial_remember(argv[0]);
    trial_report(parent, &done);
    return 0;
}
