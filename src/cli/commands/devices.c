/* uskor devices: the properties of every device, and the reason for each one that is absent. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/backend.h"
#include "backends/trial.h"
#include "base/message.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "lab/bench/device_facts.h"
#include "lab/ceilings/datasheet.h"
#include "report/export/json.h"
#include "report/model/device_facts.h"
#include "report/terminal/cells.h"
#include "report/terminal/folded.h"

struct arguments {
    bool json;
};

#define TITLE_WIDTH 38

static void print_line(const char *title, const char *value)
{
    FILE *stream = folded_begin(stdout, style_for(stdout));
    if (*value) {
        fputs("  ", stream);
        column_left(stream, title, TITLE_WIDTH);
        fprintf(stream, " %s\n", value);
    }
    folded_end(stream, stdout);
}

/* The published figures of a CUDA device's multiprocessors; 'uskor architectures' has the sources. */
static void print_capability(const struct device *device)
{
    const struct capability *capability = datasheet_capability(device);
    char text[96];
    if (!capability)
        return;
    snprintf(text, sizeof text, "%s (%s)", capability->architecture, capability->version);
    print_line(tr("architecture"), text);
    for (int c = 0; c <= CAPABILITY_SCHEDULERS; c++)
        if (figure_is_known(capability->figures[c])) {
            snprintf(text, sizeof text, tr("%.0f of a unit"), capability->figures[c].value);
            print_line(tr(capability_columns[c].meaning), text);
        }
}

static void print_device(const struct device *device)
{
    struct machine_device described;
    struct error error;
    printf("\n%s\n", device->id);
    if (device_describe(device, &described, &error) != STATUS_OK) {
        report_error(STATUS_UNAVAILABLE, &error);
        return;
    }
    for (size_t i = 0; i < described.fact_count; i++) {
        const struct device_fact *fact = &described.facts[i];
        print_line(device_fact_title(fact->key), device_fact_value(fact->key, fact->value).text);
    }
    free(described.facts);
    print_capability(device);
}

static json_t *device_object(const struct device *device)
{
    json_t *object = json_object();
    json_object_set_new(object, "device", json_string(device->id));
    const struct device_properties *properties = &device->properties;
    for (size_t i = 0; i < device_property_count; i++) {
        const struct property *property = &device_property_list[i];
        json_t *value = property->kind == PROPERTY_TEXT ? json_string(property_text(property, properties))
                        : property->kind == PROPERTY_FLAG
                            ? json_boolean(property_number(property, properties))
                            : json_integer((json_int_t)property_number(property, properties));
        json_object_set_new(object, property->key, value);
    }
    return object;
}

/* `format` has a name and a reason. */
__attribute__((format(printf, 1, 0))) static void print_absent(const char *format, const char *name, const char *why)
{
    const struct style style = style_for(stdout);
    FILE *stream = folded_begin(stdout, style);
    fputc('\n', stream);
    fprintf(stream, format, name, why);
    fputc('\n', stream);
    folded_end(stream, stdout);
}

static void show_device(const char *name, bool json, json_t *array)
{
    struct device *device;
    struct error error;
    if (device_open(name, &device, &error) != STATUS_OK) {
        if (json)
            json_array_append_new(array, json_pack("{s:s, s:s}", "device", name, "absent", error.text));
        else
            print_absent(tr("%s: does not open: %s"), name, say_message(error.text));
        return;
    }
    if (json) {
        json_array_append_new(array, device_object(device));
    } else {
        print_device(device);
    }
    device_close(device);
}

/* The registered drivers that give no device. */
static void show_missing(const struct backend *backend, bool json, json_t *array)
{
    char text[512] = "";
    backend_describe_missing(backend, false, text, sizeof text);
    if (!text[0])
        return;
    if (json)
        json_array_append_new(array, json_pack("{s:s, s:s}", "device", backend->name, "missing", text));
    else
        printf(tr("\n%s: without a device: %s\n"), backend->name, say_message(text));
}

static void show_backend(const struct backend *backend, bool json, json_t *array)
{
    int count = 0;
    struct error error;
    if (backend_probe(backend, &count, &error) != STATUS_OK) {
        if (json)
            json_array_append_new(array, json_pack("{s:s, s:s}", "device", backend->name, "absent", error.text));
        else
            print_absent(tr("%s: none: %s"), backend->name, say_message(error.text));
        return;
    }
    for (int i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, backend->kind == BACKEND_CPU ? "%s" : "%s:%d", backend->name, i);
        show_device(name, json, array);
        fflush(stdout); /* the next driver may end the program */
    }
    show_missing(backend, json, array);
}

static const struct option options[] = {{"json", 'j', NULL, N_("Write JSON"), SETS_FLAG(struct arguments, json)}, {0}};
static const struct usage usage = {
    .options = options,
    .doc = N_("Show what runs here, its properties, and why the rest does not."),
};

int cmd_devices(int argc, char **argv)
{
    struct arguments arguments = {0};
    options_parse(&usage, argc, argv, &arguments);
    json_t *array = json_array();
    for (size_t b = 0; backends[b]; b++)
        if (backends[b]->kind != BACKEND_NULL)
            show_backend(backends[b], arguments.json, array);
    if (arguments.json) { /* main tells what could not be written */
        (void)report_json_write(stdout, "uskor.devices/1", array);
    } else {
        json_decref(array);
    }
    return EXIT_DONE;
}
