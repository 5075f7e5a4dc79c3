/* Ladders as rungs: made from their rows on first use. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/embedded.h"
#include "base/text.h"
#include "kernels/kernel.h"
#include "kernels/rung_header.h"

enum { NAMES_MAX = 64 };

/* A ladder whose headers have been read; it lives as long as the program. */
struct ladder {
    const struct kernel *kernel;
    const struct rung **rungs; /* RUNGS_ADDED_MOST places behind ladder.def's */
    size_t count;
    struct ladder *next;
};

#define RUNGS_ADDED_MOST 8

static struct ladder *ladders;
static pthread_mutex_t ladders_lock = PTHREAD_MUTEX_INITIALIZER;

/* A fault in a built-in rung is a failed check, not wrong input. A lack of memory stays what it is. */
static enum status of_own_rung(enum status status)
{
    return status == STATUS_INVALID ? STATUS_FAILED : status;
}

/* naive.glsl beside naive.cl, where there is one. */
static enum status join_twin(struct rung *rung, const char *file, struct error *error)
{
    char path[256];
    snprintf(path, sizeof path, "%.*s.glsl", (int)strcspn(file, "."), file);
    const struct embedded_file *twin = embedded_find(path);
    return twin ? of_own_rung(device_rung_join(rung, path, twin->text, error)) : STATUS_OK;
}

static enum status read_row(const struct kernel *kernel, const struct ladder_row *row, const struct rung **rung,
                            struct error *error)
{
    if (!row->file) {
        *rung = row->rung;
        return STATUS_OK;
    }
    const struct embedded_file *file = embedded_find(row->file);
    if (!file)
        return fail(error, STATUS_FAILED, "%s is on the ladder of %s and was not built into this program", row->file,
                    kernel->name);
    struct rung *made;
    const enum status status = of_own_rung(device_rung_read(kernel, row->file, file->text, row->rung, &made, error));
    if (status != STATUS_OK)
        return status;
    *rung = made;
    return row->rung ? STATUS_OK : join_twin(made, row->file, error);
}

static enum status check_unique(const struct kernel *kernel, const struct rung *const *rungs, size_t last,
                                struct error *error)
{
    for (size_t i = 0; i < last; i++)
        if (strcmp(rungs[i]->name, rungs[last]->name) == 0)
            return fail(error, STATUS_FAILED, "the ladder of %s has two rungs '%s'", kernel->name, rungs[i]->name);
    return STATUS_OK;
}

static void free_ladder(struct ladder *ladder)
{
    /* Rungs in C are constants; only what was read from a file was made here. */
    for (size_t i = 0; ladder->rungs && i < ladder->kernel->ladder_count; i++)
        if (ladder->rungs[i] && ladder->kernel->ladder[i].file)
            device_rung_free((struct rung *)ladder->rungs[i]);
    free(ladder->rungs);
    free(ladder);
}

static struct ladder *read_ladder(const struct kernel *kernel, enum status *status, struct error *error)
{
    struct ladder *ladder = calloc(1, sizeof *ladder);
    if (ladder)
        *ladder = (struct ladder){.kernel = kernel,
                                  .rungs = calloc(kernel->ladder_count + RUNGS_ADDED_MOST, sizeof(struct rung *)),
                                  .count = kernel->ladder_count};
    if (!ladder || !ladder->rungs) {
        free(ladder);
        *status = fail(error, STATUS_UNAVAILABLE, "no memory for the ladder of %s", kernel->name);
        return NULL;
    }
    *status = STATUS_OK;
    for (size_t i = 0; i < kernel->ladder_count && *status == STATUS_OK; i++) {
        *status = read_row(kernel, &kernel->ladder[i], &ladder->rungs[i], error);
        if (*status == STATUS_OK)
            *status = check_unique(kernel, ladder->rungs, i, error);
    }
    if (*status == STATUS_OK)
        return ladder;
    free_ladder(ladder);
    return NULL;
}

enum status kernel_rungs(const struct kernel *kernel, const struct rung *const **rungs, size_t *count,
                         struct error *error)
{
    enum status status = STATUS_OK;
    pthread_mutex_lock(&ladders_lock);
    struct ladder *ladder = ladders;
    while (ladder && ladder->kernel != kernel)
        ladder = ladder->next;
    if (!ladder) {
        ladder = read_ladder(kernel, &status, error);
        if (ladder) {
            ladder->next = ladders;
            ladders = ladder;
        }
    }
    pthread_mutex_unlock(&ladders_lock);
    if (ladder) {
        *rungs = ladder->rungs;
        *count = ladder->count;
    }
    return status;
}

size_t kernel_host_rungs(const struct kernel *kernel, const struct rung *rungs[KERNEL_RUNGS_MAX])
{
    size_t count = 0;
    for (size_t i = 0; i < kernel->ladder_count && count < KERNEL_RUNGS_MAX; i++)
        if (!kernel->ladder[i].file && kernel->ladder[i].rung->kind == RUNG_HOST)
            rungs[count++] = kernel->ladder[i].rung;
    return count;
}

const struct rung *kernel_host_half(const struct kernel *kernel, const char *name)
{
    const struct rung *const *rungs;
    size_t count;
    if (kernel_rungs(kernel, &rungs, &count, NULL) != STATUS_OK)
        return NULL;
    for (size_t i = 0; i < kernel->ladder_count; i++)
        if (kernel->ladder[i].file && strcmp(rungs[i]->name, name) == 0)
            return kernel->ladder[i].rung;
    return NULL;
}

bool kernel_ladder_has(const struct kernel *kernel, const struct rung *rung)
{
    const struct rung *const *rungs;
    size_t count;
    if (kernel_rungs(kernel, &rungs, &count, NULL) != STATUS_OK)
        return false;
    for (size_t i = 0; i < kernel->ladder_count; i++)
        if (rungs[i] == rung)
            return true;
    return false;
}

enum status kernel_add_rung(const struct kernel *kernel, const struct rung *rung, struct error *error)
{
    const struct rung *const *rungs;
    size_t count;
    enum status status = kernel_rungs(kernel, &rungs, &count, error);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < count; i++)
        if (strcmp(rungs[i]->name, rung->name) == 0)
            return fail(error, STATUS_INVALID, "%s has a rung '%s' already", kernel->name, rung->name);
    if (count == kernel->ladder_count + RUNGS_ADDED_MOST)
        return fail(error, STATUS_INVALID, "more than %d rungs are added to %s", RUNGS_ADDED_MOST, kernel->name);
    pthread_mutex_lock(&ladders_lock);
    struct ladder *ladder = ladders;
    while (ladder->kernel != kernel)
        ladder = ladder->next;
    ladder->rungs[ladder->count++] = rung;
    pthread_mutex_unlock(&ladders_lock);
    return STATUS_OK;
}

const struct rung *rung_by_name(const struct kernel *kernel, const char *name, struct error *error)
{
    const struct rung *const *rungs;
    size_t count = 0;
    if (kernel_rungs(kernel, &rungs, &count, error) != STATUS_OK)
        return NULL;
    const char *names[NAMES_MAX];
    char all[512] = "";
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rungs[i]->name, name) == 0)
            return rungs[i];
        if (i < NAMES_MAX)
            names[i] = rungs[i]->name;
        text_append(all, sizeof all, "%s%s", i > 0 ? ", " : "", rungs[i]->name);
    }
    const char *closest = text_closest(name, names, count < NAMES_MAX ? count : NAMES_MAX);
    if (closest)
        fail(error, STATUS_INVALID, "%s has no rung '%.100s'; did you mean '%s'?", kernel->name, name, closest);
    else
        fail(error, STATUS_INVALID, "%s has no rung '%.100s'; it has %s", kernel->name, name, all);
    return NULL;
}
