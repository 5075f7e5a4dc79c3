/* Programs, launches and marks: what the device cannot launch is refused here, with the limit's name, because the
 * runtimes' own answer is one code for a dozen reasons. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/driver_call.h"
#include "base/clock.h"
#include "base/size.h"
#include "base/text.h"
#include "base/under_way.h"

/* Programs without a user that a device keeps: more than a ladder's rungs with a problem's types and tunables. */
#define PROGRAMS_KEPT 96

/* All that a program is made from, in one text; NULL when memory is out. */
static char *join_source(const struct program_source *source)
{
    size_t size = strlen(source->name) + strlen(source->text) + sizeof "1234567890\n\n\n";
    for (size_t i = 0; i < source->define_count; i++)
        size += strlen(source->defines[i]) + sizeof "\n";
    char *text = malloc(size);
    if (!text)
        return NULL;
    *text = 0;
    text_append(text, size, "%d\n%s\n", (int)source->language, source->name);
    for (size_t i = 0; i < source->define_count; i++)
        text_append(text, size, "%s\n", source->defines[i]);
    text_append(text, size, "\n%s", source->text);
    return text;
}

static struct program *find_alive(const struct device *device, const char *made_from)
{
    struct program *program = device->programs;
    while (program && strcmp(program->made_from, made_from) != 0)
        program = program->next;
    return program;
}

/* A compiler that crashes or hangs is named where no rung is under way. */
static enum status build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error)
{
    const bool is_first = atomic_load(&under_way_now()->kind) == UNDER_WAY_NOTHING;
    if (is_first)
        under_way_begin(UNDER_WAY_DRIVER, device->id, source->name, device->id);
    enum status status = device->backend->build(device, source, program, error);
    if (is_first)
        under_way_end();
    return status;
}

enum status program_build(struct device *device, const struct program_source *source, struct program **program,
                          struct error *error)
{
    *program = NULL;
    char *made_from = join_source(source);
    if (!made_from)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to compile it", source->name);
    struct program *found = find_alive(device, made_from);
    enum status status = found ? STATUS_OK : build(device, source, program, error);
    if (status == STATUS_OK && !found) {
        found = *program;
        found->made_from = made_from;
        found->users = 0;
        found->next = device->programs;
        device->programs = found;
    } else {
        free(made_from);
    }
    if (status == STATUS_OK) {
        found->users++;
        *program = found;
    }
    return status;
}

static void unlink_program(struct program *program)
{
    struct program **link = &program->device->programs;
    while (*link != program)
        link = &(*link)->next;
    *link = program->next;
}

static void release(struct program *program)
{
    unlink_program(program);
    free(program->made_from);
    const struct driver_call call = driver_call_begin(program->device);
    program->device->backend->discard(program);
    driver_call_end(call);
}

/* Releases the programs without a user, but for the `kept` that were used last: those are first in the list. */
static void release_idle(struct device *device, size_t kept)
{
    for (struct program *program = device->programs, *next; program; program = next) {
        next = program->next;
        if (program->users > 0)
            continue;
        if (kept == 0)
            release(program);
        else
            kept--;
    }
}

void program_discard(struct program *program)
{
    if (!program || --program->users > 0)
        return;
    struct device *device = program->device;
    if (!device->backend->keeps_programs) {
        release(program);
        return;
    }
    unlink_program(program);
    program->next = device->programs;
    device->programs = program;
    release_idle(device, PROGRAMS_KEPT);
}

void program_release_idle(struct device *device)
{
    release_idle(device, 0);
}

static enum status check_shape(const struct launch *launch, struct error *error)
{
    if (launch->rank < 1 || launch->rank > 3)
        return fail(error, STATUS_INVALID, "%s: an index space has 1, 2 or 3 dimensions, not %d", launch->entry,
                    launch->rank);
    size_t items = 1;
    for (int i = 0; i < 3; i++) {
        if (launch->group[i] == 0)
            return fail(error, STATUS_INVALID, "%s: the group has no items along dimension %d", launch->entry, i);
        if (i >= launch->rank && (launch->group[i] != 1 || launch->groups[i] != 1))
            return fail(error, STATUS_INVALID, "%s: group and groups must be 1 beyond the %d dimensions of the launch",
                        launch->entry, launch->rank);
        if (!size_multiply(items, launch->group[i], &items))
            return fail(error, STATUS_INVALID, "%s: the number of items in a group does not fit in 64 bits",
                        launch->entry);
    }
    for (int i = 0; i < 3; i++)
        if (launch->groups[i] != 0 && !size_multiply(items, launch->groups[i], &items))
            return fail(error, STATUS_INVALID, "%s: the number of items does not fit in 64 bits", launch->entry);
    return STATUS_OK;
}

static enum status check_limits(const struct device *device, const struct launch *launch, struct error *error)
{
    const struct device_properties *limit = &device->properties;
    const size_t *group = launch->group;
    size_t items = group[0] * group[1] * group[2];
    if (limit->group_items && items > limit->group_items)
        return fail(error, STATUS_UNAVAILABLE, "%s: a group of %zu x %zu x %zu = %zu items; %s takes at most %u",
                    launch->entry, group[0], group[1], group[2], items, device->id, limit->group_items);
    for (int i = 0; i < 3; i++) {
        if (limit->group_size[i] && group[i] > limit->group_size[i])
            return fail(error, STATUS_UNAVAILABLE, "%s: a group of %zu items along dimension %d; %s takes at most %u",
                        launch->entry, group[i], i, device->id, limit->group_size[i]);
        if (limit->grid_groups[i] && launch->groups[i] > limit->grid_groups[i])
            return fail(error, STATUS_UNAVAILABLE, "%s: %zu groups along dimension %d; %s takes at most %lu",
                        launch->entry, launch->groups[i], i, device->id, limit->grid_groups[i]);
    }
    uint64_t local = limit->local_bytes_per_group_limit;
    if (local < limit->local_bytes_per_group)
        local = limit->local_bytes_per_group;
    if (launch->local_bytes > local)
        return fail(error, STATUS_UNAVAILABLE, "%s: %zu bytes of local memory for a group; %s has at most %lu",
                    launch->entry, launch->local_bytes, device->id, local);
    return STATUS_OK;
}

static enum status check_arguments(const struct device *device, const struct launch *launch, struct error *error)
{
    for (size_t i = 0; i < launch->argument_count; i++) {
        const struct argument_value *argument = &launch->arguments[i];
        if (argument->kind == ARGUMENT_TEXTURE && (!argument->texture || argument->texture->device != device))
            return fail(error, STATUS_INVALID, "%s: argument %zu is no texture of %s", launch->entry, i + 1,
                        device->id);
        if (argument->kind != ARGUMENT_BUFFER)
            continue;
        if (!argument->buffer || !argument->buffer->device)
            return fail(error, STATUS_INVALID, "%s: argument %zu is a buffer that was never allocated", launch->entry,
                        i + 1);
        if (argument->buffer->device != device)
            return fail(error, STATUS_INVALID, "%s: argument %zu is a buffer of %s, and the program is for %s",
                        launch->entry, i + 1, argument->buffer->device->id, device->id);
    }
    return STATUS_OK;
}

enum status launch_check(const struct device *device, const struct launch *launch, struct error *error)
{
    enum status status = check_shape(launch, error);
    return status == STATUS_OK ? check_limits(device, launch, error) : status;
}

enum status program_launch(struct program *program, const struct launch *launch, struct error *error)
{
    const struct device *device = program->device;
    enum status status = launch_check(device, launch, error);
    if (status == STATUS_OK)
        status = check_arguments(device, launch, error);
    if (status != STATUS_OK)
        return status;
    if (launch->groups[0] == 0 || launch->groups[1] == 0 || launch->groups[2] == 0)
        return STATUS_OK;
    const struct driver_call call = driver_call_begin_unnamed(device);
    return driver_call_done(call, device->backend->launch(program, launch, error));
}

/* ---- times: a driver's answer that is none would be taken for a rung's, or never end a bench ---- */

#define CLOCK_STEP_NS 1e6
#define CLOCK_DRIFT 1.5

enum status event_create(struct device *device, struct event **mark, struct error *error)
{
    *mark = NULL;
    const struct driver_call call = driver_call_begin(device);
    return driver_call_done(call, device->backend->event_create(device, mark, error));
}

enum status event_create_untimed(struct device *device, struct event **mark, struct error *error)
{
    const struct backend *backend = device->backend;
    *mark = NULL;
    return (backend->event_create_untimed ? backend->event_create_untimed : backend->event_create)(device, mark, error);
}

void event_destroy(struct event *mark)
{
    if (!mark)
        return;
    const struct driver_call call = driver_call_begin(mark->device);
    mark->device->backend->event_destroy(mark);
    driver_call_end(call);
}

/* Not before a CPU's mark: there it would be timed. */
enum status event_record(struct event *mark, struct error *error)
{
    if (mark->device->backend->kind != BACKEND_CPU) {
        under_way_step();
        mark->recorded = clock_now();
    }
    const struct driver_call call = driver_call_begin_unnamed(mark->device);
    return driver_call_done(call, mark->device->backend->event_record(mark, error));
}

enum status event_elapsed(struct event *from, struct event *to, double *nanoseconds, struct error *error)
{
    const struct device *device = from->device;
    const struct driver_call call = driver_call_begin_unnamed(device);
    enum status status = driver_call_done(call, device->backend->event_elapsed(from, to, nanoseconds, error));
    if (status == STATUS_OK && device->backend->kind == BACKEND_CPU && *nanoseconds < 0)
        return fail(error, STATUS_SYSTEM, "%s: the system's clock went back: %.3g s between two marks", device->id,
                    *nanoseconds * 1e-9);
    if (status != STATUS_OK || device->backend->kind == BACKEND_CPU)
        return status;
    const double most = (double)(clock_now() - from->recorded);
    if (*nanoseconds >= -CLOCK_STEP_NS && *nanoseconds <= CLOCK_DRIFT * most + CLOCK_STEP_NS) {
        *nanoseconds = *nanoseconds < 0 ? 0 : *nanoseconds;
        return STATUS_OK;
    }
    return fail(error, STATUS_SYSTEM,
                "%s: its driver's clock is wrong: %.3g s between two marks, and %.3g s by the host's", device->id,
                *nanoseconds * 1e-9, most * 1e-9);
}
