#include "lab/verification/local_poison.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"
#include "lab/verification/canaries.h"

#define ITEMS 64
#define BYTES_MOST (48u << 10) /* what every CUDA device has without asking, and all that rungs use on it */
#define GROUPS_OF_A_UNIT 4     /* groups are handed out by need: each unit has some of them */

static size_t words_of(const struct device *device)
{
    uint64_t bytes = device->properties.local_bytes_per_group;
    return (size_t)(bytes < BYTES_MOST ? bytes : BYTES_MOST) / sizeof(int32_t);
}

static enum status build(struct local_poison *poison, struct device *device, struct error *error)
{
    char defines[2][32];
    snprintf(defines[0], sizeof defines[0], "ITEMS=%d", ITEMS);
    snprintf(defines[1], sizeof defines[1], "WORDS=%zu", words_of(device));
    const char *const list[] = {defines[0], defines[1]};
    const struct embedded_file *file = embedded_find("lab/verification/local_poison.cl");
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, list, COUNT_OF(list)};
    enum status status = buffer_allocate(device, sizeof(int32_t), &poison->sink, error);
    return status == STATUS_OK ? program_build(device, &source, &poison->program, error) : status;
}

enum status local_poison_fill(struct local_poison *poison, struct device *device, unsigned char byte,
                              struct error *error)
{
    struct error ignored;
    if (!poison->is_tried && (device->backend->kind & (BACKEND_OPENCL | BACKEND_CUDA)) && canaries_wanted() &&
        words_of(device) >= ITEMS && build(poison, device, &ignored) != STATUS_OK)
        poison->program = NULL;
    poison->is_tried = true;
    if (!poison->program)
        return STATUS_OK;
    int32_t word;
    memset(&word, byte, sizeof word);
    const struct argument_value arguments[] = {
        {.kind = ARGUMENT_BUFFER, .buffer = &poison->sink},
        {.kind = ARGUMENT_INT, .int_value = word},
        {.kind = ARGUMENT_INT, .int_value = 0},
    };
    const struct launch launch = {.entry = "fill_local",
                                  .rank = 1,
                                  .group = {ITEMS, 1, 1},
                                  .groups = {GROUPS_OF_A_UNIT * (size_t)(device->properties.units + 1), 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return program_launch(poison->program, &launch, error);
}

void local_poison_end(struct local_poison *poison)
{
    program_discard(poison->program);
    buffer_release(&poison->sink);
    memset(poison, 0, sizeof *poison);
}
