/* uskor devices: row V1's property table of every device, and why the rest is absent. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/size.h"
#include "base/text.h"
#include "cli/command.h"

struct arguments {
    bool json;
};

/* One line of the table: a text, a number with a unit, or bytes. */
enum line_kind {
    LINE_TEXT,
    LINE_NUMBER,
    LINE_BYTES,
    LINE_LARGE_NUMBER, /* 64 bits */
    LINE_FLAG,
};

struct line {
    const char *title, *key; /* for people, for JSON */
    enum line_kind kind;
    size_t offset;
    const char *unit;
};

#define AT(field) offsetof(struct device_properties, field)

static const struct line lines[] = {
    {"name", "name", LINE_TEXT, AT(name), ""},
    {"vendor", "vendor", LINE_TEXT, AT(vendor), ""},
    {"driver", "driver", LINE_TEXT, AT(driver), ""},
    {"version", "version", LINE_TEXT, AT(version), ""},
    {"memory", "memory_bytes", LINE_BYTES, AT(memory_bytes), ""},
    {"last-level cache", "cache_bytes", LINE_BYTES, AT(cache_bytes), ""},
    {"units (multiprocessors, cores)", "units", LINE_NUMBER, AT(units), ""},
    {"clock", "clock_mhz", LINE_NUMBER, AT(clock_mhz), " MHz"},
    {"memory clock", "memory_clock_mhz", LINE_NUMBER, AT(memory_clock_mhz), " MHz"},
    {"memory bus", "memory_bus_bits", LINE_NUMBER, AT(memory_bus_bits), " bits"},
    {"bus", "bus", LINE_TEXT, AT(bus), ""},
    {"warp", "warp_items", LINE_NUMBER, AT(warp_items), " items"},
    {"items in a group, at most", "group_items", LINE_NUMBER, AT(group_items), ""},
    {"items in a group, x", "group_size_x", LINE_NUMBER, AT(group_size[0]), ""},
    {"items in a group, y", "group_size_y", LINE_NUMBER, AT(group_size[1]), ""},
    {"items in a group, z", "group_size_z", LINE_NUMBER, AT(group_size[2]), ""},
    {"groups in a grid, x", "grid_groups_x", LINE_LARGE_NUMBER, AT(grid_groups[0]), ""},
    {"groups in a grid, y", "grid_groups_y", LINE_LARGE_NUMBER, AT(grid_groups[1]), ""},
    {"groups in a grid, z", "grid_groups_z", LINE_LARGE_NUMBER, AT(grid_groups[2]), ""},
    {"local memory of a group", "local_bytes_per_group", LINE_BYTES, AT(local_bytes_per_group), ""},
    {"local memory of a group, on request", "local_bytes_per_group_limit", LINE_BYTES, AT(local_bytes_per_group_limit),
     ""},
    {"local memory of a unit", "local_bytes_per_unit", LINE_BYTES, AT(local_bytes_per_unit), ""},
    {"constant memory", "constant_bytes", LINE_BYTES, AT(constant_bytes), ""},
    {"registers of a group", "registers_per_group", LINE_NUMBER, AT(registers_per_group), ""},
    {"registers of a unit", "registers_per_unit", LINE_NUMBER, AT(registers_per_unit), ""},
    {"resident items on a unit", "items_per_unit", LINE_NUMBER, AT(items_per_unit), ""},
    {"double precision", "has_double", LINE_FLAG, AT(has_double), ""},
    {"images", "has_images", LINE_FLAG, AT(has_images), ""},
    {"shares memory with the host", "unified_memory", LINE_FLAG, AT(unified_memory), ""},
};

static uint64_t number_of(const struct line *line, const struct device_properties *properties)
{
    const char *at = (const char *)properties + line->offset;
    if (line->kind == LINE_NUMBER)
        return *(const uint32_t *)at;
    if (line->kind == LINE_FLAG)
        return *(const bool *)at;
    return *(const uint64_t *)at;
}

static void print_line(const struct line *line, const struct device_properties *properties)
{
    char text[32];
    if (line->kind == LINE_TEXT) {
        const char *value = (const char *)properties + line->offset;
        if (*value)
            printf("  %-36s %s\n", line->title, value);
        return;
    }
    uint64_t number = number_of(line, properties);
    if (line->kind == LINE_FLAG)
        printf("  %-36s %s\n", line->title, number ? "yes" : "no");
    else if (number && line->kind == LINE_BYTES)
        printf("  %-36s %s\n", line->title, text_bytes((double)number, text, sizeof text));
    else if (number)
        printf("  %-36s %" PRIu64 "%s\n", line->title, number, line->unit);
}

static json_t *device_object(const struct device *device)
{
    json_t *object = json_object();
    json_object_set_new(object, "device", json_string(device->id));
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        const struct line *line = &lines[i];
        json_t *value = line->kind == LINE_TEXT   ? json_string((const char *)&device->properties + line->offset)
                        : line->kind == LINE_FLAG ? json_boolean(number_of(line, &device->properties))
                                                  : json_integer((json_int_t)number_of(line, &device->properties));
        json_object_set_new(object, line->key, value);
    }
    return object;
}

static void show_device(const char *name, bool json, json_t *array)
{
    struct device *device;
    struct error error;
    if (device_open(name, &device, &error) != STATUS_OK) {
        if (json)
            json_array_append_new(array, json_pack("{s:s, s:s}", "device", name, "absent", error.text));
        else
            printf("\n%s: does not open: %s\n", name, error.text);
        return;
    }
    if (json) {
        json_array_append_new(array, device_object(device));
    } else {
        printf("\n%s\n", device->id);
        for (size_t i = 0; i < COUNT_OF(lines); i++)
            print_line(&lines[i], &device->properties);
    }
    device_close(device);
}

static void show_backend(const struct backend *backend, bool json, json_t *array)
{
    int count = 0;
    struct error error;
    if (backend->probe(&count, &error) != STATUS_OK) {
        if (json)
            json_array_append_new(array, json_pack("{s:s, s:s}", "device", backend->name, "absent", error.text));
        else
            printf("\n%s: none: %s\n", backend->name, error.text);
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, backend->kind == BACKEND_CPU ? "%s" : "%s:%d", backend->name, i);
        show_device(name, json, array);
    }
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    if (key == ARGP_KEY_ARG)
        argp_error(state, "'%s': this command takes no arguments", argument);
    if (key != 'j')
        return ARGP_ERR_UNKNOWN;
    arguments->json = true;
    return 0;
}

static const struct argp_option options[] = {{"json", 'j', NULL, 0, "Write JSON", 0}, {0}};
static const struct argp argp = {
    .options = options,
    .parser = parse,
    .doc = "Show what runs here, its properties, and why the rest does not.",
};

int cmd_devices(int argc, char **argv)
{
    struct arguments arguments = {0};
    if (argp_parse(&argp, argc, argv, 0, NULL, &arguments) != 0)
        return EXIT_USE;
    json_t *array = json_array();
    for (size_t b = 0; backends[b]; b++)
        if (backends[b]->kind != BACKEND_NULL)
            show_backend(backends[b], arguments.json, array);
    if (arguments.json && (json_dumpf(array, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF))
        return EXIT_USE;
    json_decref(array);
    return EXIT_DONE;
}
