/* uskor devices: row V1's property table of every device, and why the rest is absent. */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "backends/backend.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/device_facts.h"
#include "cli/options.h"
#include "lab/datasheet.h"

struct arguments {
    bool json;
};

static void print_line(const struct fact *line, const struct device_properties *properties)
{
    char text[32];
    if (line->kind == FACT_TEXT) {
        const char *value = fact_text(line, properties);
        if (*value)
            printf("  %-36s %s\n", line->title, value);
        return;
    }
    uint64_t number = fact_number(line, properties);
    if (line->kind == FACT_FLAG)
        printf("  %-36s %s\n", line->title, number ? "yes" : "no");
    else if (number && line->kind == FACT_BYTES)
        printf("  %-36s %s\n", line->title, text_bytes((double)number, text, sizeof text));
    else if (number)
        printf("  %-36s %" PRIu64 "%s\n", line->title, number, line->unit);
}

/* What the maker says of a CUDA device's multiprocessors; 'uskor architectures' has the sources, and what ~ and ? say.
 */
static void print_capability(const struct device *device)
{
    const struct capability *capability = datasheet_capability(device);
    if (!capability)
        return;
    printf("  %-36s %s (%s)\n", "architecture", capability->architecture, capability->version);
    for (int c = 0; c <= CAPABILITY_SCHEDULERS; c++)
        if (figure_is_known(capability->figures[c]))
            printf("  %-36s %.0f%s of a unit\n", capability_columns[c].key, capability->figures[c].value,
                   figure_mark(capability->figures[c]));
}

static json_t *device_object(const struct device *device)
{
    json_t *object = json_object();
    json_object_set_new(object, "device", json_string(device->id));
    for (size_t i = 0; i < device_fact_count; i++) {
        const struct fact *line = &device_facts[i];
        json_t *value = line->kind == FACT_TEXT   ? json_string(fact_text(line, &device->properties))
                        : line->kind == FACT_FLAG ? json_boolean(fact_number(line, &device->properties))
                                                  : json_integer((json_int_t)fact_number(line, &device->properties));
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
        for (size_t i = 0; i < device_fact_count; i++)
            print_line(&device_facts[i], &device->properties);
        print_capability(device);
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
        refuse_use(state, "'%s': this command takes no arguments", argument);
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
    options_parse(&argp, argc, argv, &arguments);
    json_t *array = json_array();
    for (size_t b = 0; backends[b]; b++)
        if (backends[b]->kind != BACKEND_NULL)
            show_backend(backends[b], arguments.json, array);
    if (arguments.json && (json_dumpf(array, stdout, JSON_INDENT(1)) != 0 || putchar('\n') == EOF))
        return EXIT_USE;
    json_decref(array);
    return EXIT_DONE;
}
