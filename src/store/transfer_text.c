/* One exported line as text. */
#include <jansson.h>

#include <math.h>
#include <stdbool.h>

#include "store/fields.h"
#include "store/transfer.h"

static json_t *real(double value)
{
    return isnan(value) ? json_null() : isinf(value) ? json_string("infinite") : json_real(value);
}

static json_t *machine_object(const struct machine *machine)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I}", "fingerprint", machine->fingerprint, "cpu", machine->cpu,
                     "architecture", machine->architecture, "kernel", machine->kernel, "os", machine->os, "cores",
                     (json_int_t)machine->cores, "memory_bytes", (json_int_t)machine->memory_bytes);
}

static json_t *run_object(const struct store_run *run)
{
    return json_pack("{s:s, s:I, s:s, s:s, s:s}", "key", run->key, "started", (json_int_t)run->started, "command",
                     run->command, "label", run->label, "code_version", run->code_version);
}

static json_t *facts_object(const struct machine_device *device)
{
    json_t *object = json_object();
    for (size_t i = 0; i < device->fact_count; i++)
        json_object_set_new(object, device->facts[i].key, json_string(device->facts[i].value));
    return object;
}

static json_t *samples_object(const struct measurement *measurement)
{
    json_t *object = json_object();
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct samples *samples = &measurement->phases[phase];
        json_t *times = json_array(), *rounds = json_array();
        for (size_t i = 0; i < samples->count; i++) {
            json_array_append_new(times, json_real(samples->items[i].nanoseconds));
            json_array_append_new(rounds, json_integer(samples->items[i].round));
        }
        json_t *both = json_pack("{s:o, s:o}", "ns", times, "rounds", rounds);
        if (samples->count)
            json_object_set(object, phase_name((enum phase)phase), both);
        json_decref(both);
    }
    return object;
}

static json_t *measurement_column_value(const struct measurement_column *field, const struct measurement *measurement)
{
    switch (field->kind) {
    case FIELD_REAL:
        return real(measurement_column_real(field, measurement));
    case FIELD_FLAG:
        return json_boolean(measurement_column_integer(field, measurement));
    case FIELD_INTEGER:
    case FIELD_UNSIGNED:
        return json_integer(measurement_column_integer(field, measurement));
    default:
        return json_string(measurement_column_text(field, measurement));
    }
}

static json_t *attachments_object(const struct transfer_line *line)
{
    json_t *object = json_object();
    for (size_t i = 0; i < line->attachment_count; i++)
        json_object_set_new(object, line->attachments[i].kind, json_string(line->attachments[i].text));
    return object;
}

static bool add_measurement(json_t *root, const struct transfer_line *line)
{
    const struct measurement *measurement = &line->measurement;
    bool whole = json_object_set_new(root, "run", run_object(&line->run)) == 0 &&
                 json_object_set_new(root, "number", json_integer(measurement->number)) == 0;
    for (size_t i = 0; whole && i < measurement_column_count; i++)
        whole = json_object_set_new(root, measurement_columns[i].name,
                                    measurement_column_value(&measurement_columns[i], measurement)) == 0;
    for (size_t d = 0; whole && d < line->machine.device_count; d++)
        whole = json_object_set_new(root, "device_facts", facts_object(&line->machine.devices[d])) == 0;
    if (whole && line->attachment_count)
        whole = json_object_set_new(root, "attachments", attachments_object(line)) == 0;
    return whole && json_object_set_new(root, "samples", samples_object(measurement)) == 0;
}

static json_t *ceiling_object(const struct ceiling *ceiling)
{
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:f, s:s, s:I}", "device", ceiling->device, "device_name",
                     ceiling->device_name, "driver", ceiling->driver, "threads", (json_int_t)ceiling->threads, "what",
                     ceiling->what, "rate", ceiling->rate, "unit", ceiling->unit, "made_at",
                     (json_int_t)ceiling->made_at);
}

char *transfer_compose(const struct transfer_line *line)
{
    json_t *root = json_pack("{s:i, s:o}", "uskor", 1, "machine", machine_object(&line->machine));
    bool whole = root && (line->is_ceiling ? json_object_set_new(root, "ceiling", ceiling_object(&line->ceiling)) == 0
                                           : add_measurement(root, line));
    char *text = whole ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    return text;
}
