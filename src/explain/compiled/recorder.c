#include "explain/compiled/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "kernels/prepared_run.h"

/* The recording device and its launches. */
struct recorder {
    struct device base;
    struct recording *recording;
    uintptr_t next; /* address for the next buffer */
};

struct recorder_program {
    struct program base;
    size_t index;
};

static struct recording *recording_of(const struct device *device)
{
    return ((const struct recorder *)device)->recording;
}

/* ---- memory: none ---- */

static enum status allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    struct recorder *recorder = (struct recorder *)device;
    (void)error;
    /* Buffers have disjoint addresses, as copies are checked for overlap. */
    *buffer = (struct buffer){.device = device, .bytes = bytes, .native = recorder->next};
    recorder->next += (bytes / BUFFER_ALIGNMENT + 1) * BUFFER_ALIGNMENT;
    return STATUS_OK;
}

static enum status view(const struct buffer *parent, size_t offset, size_t bytes, struct buffer *buffer,
                        struct error *error)
{
    (void)error;
    *buffer =
        (struct buffer){.device = parent->device, .bytes = bytes, .native = parent->native + offset, .is_view = true};
    return STATUS_OK;
}

static void release(struct buffer *buffer)
{
    (void)buffer;
}

static enum status write_nowhere(const struct buffer *buffer, size_t offset, const void *host, size_t bytes,
                                 struct error *error)
{
    (void)offset, (void)host, (void)bytes, (void)error;
    recording_of(buffer->device)->written_count++;
    return STATUS_OK;
}

static enum status read_zeros(const struct buffer *buffer, size_t offset, void *host, size_t bytes, struct error *error)
{
    (void)offset, (void)error;
    recording_of(buffer->device)->read_count++;
    memset(host, 0, bytes);
    return STATUS_OK;
}

static enum status copy_nothing(const struct buffer *target, size_t target_offset, const struct buffer *source,
                                size_t source_offset, size_t bytes, struct error *error)
{
    (void)target, (void)target_offset, (void)source, (void)source_offset, (void)bytes, (void)error;
    return STATUS_OK;
}

static enum status fill_nothing(const struct buffer *buffer, size_t offset, unsigned char value, size_t bytes,
                                struct error *error)
{
    (void)buffer, (void)offset, (void)value, (void)bytes, (void)error;
    return STATUS_OK;
}

static enum status create_texture(struct device *device, size_t width, size_t height, struct texture **texture,
                                  struct error *error)
{
    *texture = malloc(sizeof **texture);
    if (!*texture)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a texture");
    **texture = (struct texture){.device = device, .width = width, .height = height};
    return STATUS_OK;
}

static void destroy_texture(struct texture *texture)
{
    free(texture);
}

static enum status load_texture(struct texture *texture, const struct buffer *pixels, struct error *error)
{
    (void)texture, (void)pixels, (void)error;
    return STATUS_OK;
}

static enum status synchronize(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return STATUS_OK;
}

/* ---- programs ---- */

static bool copy_defines(const struct program_source *source, struct recorded_program *program)
{
    program->defines = calloc(source->define_count + 1, sizeof *program->defines);
    for (size_t i = 0; program->defines && i < source->define_count; i++) {
        program->defines[i] = strdup(source->defines[i]);
        if (!program->defines[i])
            return false;
        program->define_count++;
    }
    return program->defines != NULL;
}

static enum status build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error)
{
    struct recording *recording = recording_of(device);
    struct recorder_program *made = calloc(1, sizeof *made);
    if (!made || !array_grow(&recording->programs, recording->program_count, sizeof *recording->programs)) {
        free(made);
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a program", source->name);
    }
    struct recorded_program *record = &recording->programs[recording->program_count];
    *record = (struct recorded_program){
        .name = strdup(source->name), .text = strdup(source->text), .language = source->language};
    made->base.device = device;
    made->index = recording->program_count++;
    if (!record->name || !record->text || !copy_defines(source, record)) {
        free(made);
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a program", source->name);
    }
    *program = &made->base;
    return STATUS_OK;
}

static void discard(struct program *program)
{
    free(program);
}

static bool is_of_shape(const struct recorded_launch *record, size_t program, const struct launch *launch)
{
    return record->program == program && strcmp(record->entry, launch->entry) == 0 &&
           memcmp(record->group, launch->group, sizeof record->group) == 0 &&
           memcmp(record->groups, launch->groups, sizeof record->groups) == 0 &&
           record->local_bytes == launch->local_bytes && record->is_fallback == launch->is_fallback;
}

/* Addresses begin at 4 GiB, above those of a program without memory, and are aligned as a device's are. */
#define FIRST_ADDRESS ((uint64_t)1 << 32)

static uint64_t address_of(const struct buffer *buffer)
{
    return FIRST_ADDRESS + buffer->native - 1;
}

static struct recorded_argument argument_of(const struct argument_value *value)
{
    struct recorded_argument argument = {.bytes = 8, .kind = value->kind};
    switch (value->kind) {
    case ARGUMENT_BUFFER:
        argument.value = address_of(value->buffer);
        argument.array_bytes = value->buffer->bytes;
        break;
    case ARGUMENT_INT:
        argument.bytes = 4;
        memcpy(&argument.value, &value->int_value, 4);
        break;
    case ARGUMENT_FLOAT:
        argument.bytes = 4;
        memcpy(&argument.value, &value->float_value, 4);
        break;
    case ARGUMENT_LONG:
        memcpy(&argument.value, &value->long_value, 8);
        break;
    case ARGUMENT_DOUBLE:
        memcpy(&argument.value, &value->double_value, 8);
        break;
    case ARGUMENT_TEXTURE:
        argument.width = value->texture->width;
        argument.height = value->texture->height;
        break;
    case ARGUMENT_TILES: /* of CUDA alone */
        argument.bytes = sizeof(struct tile_map);
        break;
    }
    return argument;
}

static bool has_same_numbers(const struct recorded_launch *record, const struct launch *launch)
{
    for (size_t i = 0; i < launch->argument_count && i < record->argument_count; i++) {
        struct recorded_argument argument = argument_of(&launch->arguments[i]);
        if (argument.array_bytes == 0 && argument.value != record->arguments[i].value)
            return false;
    }
    return true;
}

#define SHAPE_MOST \
    4 /* launches of one shape that are told apart by their numbers; the last one stands for all others */

/* The launch that it repeats; NULL: none. */
static struct recorded_launch *earlier_of(struct recording *recording, size_t program, const struct launch *launch)
{
    struct recorded_launch *found = NULL;
    size_t count = 0;
    for (size_t i = 0; i < recording->launch_count; i++)
        if (is_of_shape(&recording->launches[i], program, launch)) {
            found = &recording->launches[i];
            count++;
            if (has_same_numbers(found, launch))
                return found;
        }
    return count >= SHAPE_MOST ? found : NULL;
}

static enum status launch(struct program *program, const struct launch *launch, struct error *error)
{
    struct recording *recording = recording_of(program->device);
    size_t index = ((struct recorder_program *)program)->index;
    struct recorded_launch *earlier = earlier_of(recording, index, launch);
    if (earlier) {
        earlier->count++;
        return STATUS_OK;
    }
    if (!array_grow(&recording->launches, recording->launch_count, sizeof *recording->launches))
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for a launch", launch->entry);
    struct recorded_launch *record = &recording->launches[recording->launch_count++];
    *record = (struct recorded_launch){.program = index,
                                       .rank = launch->rank,
                                       .local_bytes = launch->local_bytes,
                                       .count = 1,
                                       .is_fallback = launch->is_fallback};
    snprintf(record->entry, sizeof record->entry, "%s", launch->entry);
    memcpy(record->group, launch->group, sizeof record->group);
    memcpy(record->groups, launch->groups, sizeof record->groups);
    for (size_t i = 0; i < launch->argument_count && i < RECORDED_ARGUMENTS_MAX; i++)
        record->arguments[record->argument_count++] = argument_of(&launch->arguments[i]);
    return STATUS_OK;
}

/* What the copy engine would be told is not needed: its tiles are not followed. */
static enum status describe_nothing(const struct buffer *buffer, const struct tile_map_shape *shape,
                                    struct tile_map *map, struct error *error)
{
    (void)buffer, (void)shape, (void)error;
    *map = (struct tile_map){{0}};
    return STATUS_OK;
}

#define RECORDER(name_, kind_)                                                                                        \
    {                                                                                                                 \
        .name = name_, .kind = kind_, .allocate = allocate, .view = view, .release = release, .write = write_nowhere, \
        .read = read_zeros, .copy = copy_nothing, .fill = fill_nothing, .texture_create = create_texture,             \
        .texture_destroy = destroy_texture, .texture_load = load_texture, .build = build, .discard = discard,         \
        .tile_map = describe_nothing, .launch = launch, .synchronize = synchronize,                                   \
    }

static const struct backend recorder_cuda = RECORDER("cuda", BACKEND_CUDA);
static const struct backend recorder_opencl = RECORDER("opencl", BACKEND_OPENCL);

/* ---- a recorded run ---- */

static enum status record(struct recorder *recorder, const struct run *run, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[KERNEL_ARRAYS_MAX], scratch;
    struct prepared_run prepared;
    int count = 0;
    enum status status = kernel_describe(run->problem, arrays, &count, error);
    if (status == STATUS_OK)
        status = prepared_run_plan(&prepared, run->rung, run->problem, &recorder->base, &run->parameters, error);
    for (int i = 0; status == STATUS_OK && i < count; i++)
        status = allocate(&recorder->base, arrays[i].bytes, &buffers[i], error);
    if (status == STATUS_OK)
        status = allocate(&recorder->base, prepared.scratch_bytes, &scratch, error);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < count; i++)
        recorder->recording->array_addresses[i] = address_of(&buffers[i]);
    recorder->recording->scratch_address = address_of(&scratch);
    recorder->recording->scratch_bytes = prepared.scratch_bytes;
    status = prepared_run_make(&prepared, arrays, count, buffers, &scratch, error);
    if (status != STATUS_OK)
        return status;
    recorder->recording->read_count = recorder->recording->written_count = 0;
    status = prepared_run_enqueue(&prepared, error);
    prepared_run_finish(&prepared);
    return status;
}

enum status recording_make(const struct problem *problem, const struct rung *rung, const struct parameters *parameters,
                           const struct explain_target *target, struct recording *recording, struct error *error)
{
    *recording = (struct recording){.program_count = 0};
    struct recorder recorder = {.base = {.backend = target->kind == BACKEND_OPENCL ? &recorder_opencl : &recorder_cuda,
                                         .properties = target->properties},
                                .recording = recording,
                                .next = 1};
    snprintf(recorder.base.id, sizeof recorder.base.id, "%.31s", target->name);
    if (!recorder.base.properties.units)
        recorder.base.properties.units = 1;
    char reason[256];
    const char *refused = rung_refuses(rung, problem, &recorder.base, parameters, reason, sizeof reason);
    if (refused)
        return fail(error, STATUS_UNAVAILABLE, "%s: %s", rung->name, refused);
    struct run run = {.rung = rung, .problem = problem, .device = &recorder.base, .parameters = *parameters};
    enum status status = record(&recorder, &run, error);
    if (status != STATUS_OK)
        recording_free(recording);
    return status;
}

void recording_free(struct recording *recording)
{
    for (size_t i = 0; i < recording->program_count; i++) {
        struct recorded_program *program = &recording->programs[i];
        for (size_t d = 0; d < program->define_count; d++)
            free(program->defines[d]);
        free(program->defines);
        free(program->name);
        free(program->text);
    }
    free(recording->programs);
    free(recording->launches);
    *recording = (struct recording){.program_count = 0};
}
