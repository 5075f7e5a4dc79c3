#include "distributed/transpose/tiles.h"

#include <stdio.h>

#include "base/embedded.h"
#include "base/size.h"

#define PLACING_GROUPS_PER_UNIT 8

const char *tiles_element(size_t bytes)
{
    static const char *const words[] = {[1] = "ELEMENT=uchar",
                                        [2] = "ELEMENT=ushort",
                                        [4] = "ELEMENT=uint",
                                        [8] = "ELEMENT=ulong",
                                        [16] = "ELEMENT=ulong2"};
    return words[bytes];
}

void tiles_describe(size_t element, bool wide, struct tiles *tiles)
{
    /* The fastest of seven shapes on two H200 with floats. Larger elements take smaller tiles, because they fill local
     * memory sooner. */
    tiles->down = element > 8 ? 32 : element > 4 ? 64 : 128;
    tiles->across = element > 4 ? 32 : 64;
    const struct {
        const char *name;
        size_t value;
    } macros[] = {
        {"ELEMENT_BYTES", element}, {"DOWN", tiles->down}, {"ACROSS", tiles->across}, {"WORD", wide ? 16 : element}};
    tiles->defines[0] = tiles_element(element);
    tiles->defines[1] = "ITEMS=256";
    for (size_t i = 0; i < COUNT_OF(macros); i++) {
        snprintf(tiles->texts[i], sizeof tiles->texts[i], "%s=%zu", macros[i].name, macros[i].value);
        tiles->defines[2 + i] = tiles->texts[i];
    }
    const struct embedded_file *file = embedded_find("distributed/transpose/tiles.cl");
    tiles->source =
        (struct program_source){file->path, file->text, LANGUAGE_OPENCL_C, tiles->defines, COUNT_OF(tiles->defines)};
}

static struct argument_value number(size_t value)
{
    return (struct argument_value){ARGUMENT_LONG, {.long_value = (int64_t)value}};
}

static enum status launch(struct program *program, const char *entry, size_t groups, const struct rectangle *rectangle,
                          struct error *error)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_BUFFER, {.buffer = rectangle->in}},
        number(rectangle->in_at),
        number(rectangle->in_pitch),
        {ARGUMENT_BUFFER, {.buffer = rectangle->out}},
        number(rectangle->out_at),
        number(rectangle->out_pitch),
        number(rectangle->rows),
        number(rectangle->cols),
    };
    const struct launch launch = {.entry = entry,
                                  .rank = 1,
                                  .group = {TILE_ITEMS, 1, 1},
                                  .groups = {groups, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    return rectangle->rows && rectangle->cols ? program_launch(program, &launch, error) : STATUS_OK;
}

enum status tiles_turn(const struct tiles *tiles, struct program *program, const struct rectangle *rectangle,
                       struct error *error)
{
    size_t down = (rectangle->rows + tiles->down - 1) / tiles->down;
    size_t across = (rectangle->cols + tiles->across - 1) / tiles->across;
    return launch(program, "turn", down * across, rectangle, error);
}

enum status tiles_place(struct program *program, const struct rectangle *rectangle, struct error *error)
{
    size_t most = (size_t)program->device->properties.units * PLACING_GROUPS_PER_UNIT;
    return launch(program, "place", size_least(rectangle->rows, most), rectangle, error);
}
