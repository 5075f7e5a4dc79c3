/* One exported line, to and from JSON. */
#include <jansson.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"
#include "store/database.h"
#include "store/fields.h"
#include "store/transfer.h"

#define FORMAT 1
/* The last second of the year 9999: later ones have no date of four digits. */
#define MOMENT_MOST ((int64_t)253402300799)

void transfer_line_free(struct transfer_line *line)
{
    machine_free(&line->machine);
    for (size_t i = 0; i < line->attachment_count; i++)
        free(line->attachments[i].text);
    free(line->attachments);
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        free(line->measurement.phases[phase].items);
    memset(line, 0, sizeof *line);
}

/* ---- from JSON ---- */

/* A member's text into a bounded string; absent is "" unless it must be there. */
static enum status take_text(const json_t *object, const char *key, bool required, char *text, size_t size,
                             struct error *error)
{
    const json_t *member = json_object_get(object, key);
    const char *value = member ? json_string_value(member) : "";
    *text = 0;
    if (!member && required)
        return fail(error, STATUS_INVALID, "'%s' is missing", key);
    if (!value)
        return fail(error, STATUS_INVALID, "'%s' is not a text", key);
    if (strlen(value) >= size || !text_is_plain(value))
        return fail(error, STATUS_INVALID, "'%s' is longer than %zu bytes or has control characters", key, size - 1);
    strcpy(text, value);
    return STATUS_OK;
}

static enum status take_integer(const json_t *object, const char *key, int64_t least, int64_t most, int64_t *value,
                                struct error *error)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_integer(member) || json_integer_value(member) < least || json_integer_value(member) > most)
        return fail(error, STATUS_INVALID, "'%s' is not an integer from %ld to %ld", key, least, most);
    *value = json_integer_value(member);
    return STATUS_OK;
}

static const json_t *take_object(const json_t *object, const char *key, struct error *error)
{
    const json_t *member = json_object_get(object, key);
    if (!json_is_object(member)) {
        fail(error, STATUS_INVALID, "'%s' is not an object", key);
        return NULL;
    }
    return member;
}

static enum status take_machine(const json_t *root, struct machine *machine, struct error *error)
{
    const json_t *object = take_object(root, "machine", error);
    char fingerprint[sizeof machine->fingerprint];
    int64_t cores = 0, memory = 0;
    if (!object)
        return STATUS_INVALID;
    enum status status = take_text(object, "fingerprint", true, fingerprint, sizeof fingerprint, error);
    if (status == STATUS_OK)
        status = take_text(object, "cpu", true, machine->cpu, sizeof machine->cpu, error);
    if (status == STATUS_OK)
        status = take_text(object, "architecture", true, machine->architecture, sizeof machine->architecture, error);
    if (status == STATUS_OK)
        status = take_text(object, "kernel", true, machine->kernel, sizeof machine->kernel, error);
    if (status == STATUS_OK)
        status = take_text(object, "os", true, machine->os, sizeof machine->os, error);
    if (status == STATUS_OK)
        status = take_integer(object, "cores", 0, UINT32_MAX, &cores, error);
    if (status == STATUS_OK)
        status = take_integer(object, "memory_bytes", 0, INT64_MAX, &memory, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "machine");
    machine->cores = (unsigned)cores;
    machine->memory_bytes = (uint64_t)memory;
    machine_take_fingerprint(machine);
    return strcmp(machine->fingerprint, fingerprint) == 0
               ? STATUS_OK
               : fail(error, STATUS_INVALID, "machine: 'fingerprint' is not that of its facts");
}

static enum status take_run(const json_t *root, struct store_run *run, struct error *error)
{
    const json_t *object = take_object(root, "run", error);
    if (!object)
        return STATUS_INVALID;
    enum status status = take_text(object, "key", true, run->key, sizeof run->key, error);
    if (status == STATUS_OK && (strlen(run->key) != 32 || strspn(run->key, "0123456789abcdef") != 32))
        status = fail(error, STATUS_INVALID, "'key' is not 32 hexadecimal digits");
    if (status == STATUS_OK)
        status = take_integer(object, "started", 0, MOMENT_MOST, &run->started, error);
    if (status == STATUS_OK)
        status = take_text(object, "command", true, run->command, sizeof run->command, error);
    if (status == STATUS_OK)
        status = take_text(object, "label", false, run->label, sizeof run->label, error);
    if (status == STATUS_OK)
        status = take_text(object, "code_version", false, run->code_version, sizeof run->code_version, error);
    return status == STATUS_OK ? status : fail_in(error, status, "run");
}

static const char *const expected[] = {
    [FIELD_REAL] = N_("a number, null or \"infinite\""),
    [FIELD_INTEGER] = N_("an integer"),
    [FIELD_UNSIGNED] = N_("an integer from 0 to 4294967295"),
    [FIELD_FLAG] = N_("true or false"),
    [FIELD_VERDICT] = N_("a verdict: PASS, FAIL, SKIP or ERROR"),
    [FIELD_KIND] = N_("a kind: host, device, vendor or probe"),
};

static enum status take_column(const json_t *root, const struct measurement_column *field,
                               struct measurement *measurement, struct error *error)
{
    const json_t *member = json_object_get(root, field->name);
    bool taken = false;
    if (!member)
        return field->optional ? STATUS_OK : fail(error, STATUS_INVALID, "'%s' is missing", field->name);
    if (field->kind == FIELD_REAL)
        /* Infinities are written as words, NaN as null: JSON has no numbers for them. */
        taken = json_is_number(member)
                    ? measurement_column_set_real(field, measurement, json_number_value(member))
                    : (json_is_null(member) && measurement_column_set_real(field, measurement, NAN)) ||
                          (json_is_string(member) && strcmp(json_string_value(member), "infinite") == 0 &&
                           measurement_column_set_real(field, measurement, INFINITY));
    else if (field->kind == FIELD_FLAG)
        taken = json_is_boolean(member) && measurement_column_set_integer(field, measurement, json_is_true(member));
    else if (field->kind == FIELD_INTEGER || field->kind == FIELD_UNSIGNED)
        taken =
            json_is_integer(member) && measurement_column_set_integer(field, measurement, json_integer_value(member));
    else
        taken = json_is_string(member) && measurement_column_set_text(field, measurement, json_string_value(member));
    if (taken)
        return STATUS_OK;
    if (field->kind == FIELD_TEXT)
        return fail(error, STATUS_INVALID, "'%s' is not a text of at most %zu bytes without control characters",
                    field->name, field->size - 1);
    return fail(error, STATUS_INVALID, "'%s' is not %s", field->name, expected[field->kind]);
}

static enum status take_phase(const char *name, const json_t *object, struct measurement *measurement,
                              struct error *error)
{
    enum phase phase;
    const json_t *times = json_object_get(object, "ns"), *rounds = json_object_get(object, "rounds");
    if (!phase_from_name(name, &phase))
        return fail(error, STATUS_INVALID, "there is no such phase");
    if (!json_is_array(times) || !json_is_array(rounds) || json_array_size(times) != json_array_size(rounds))
        return fail(error, STATUS_INVALID, "'ns' and 'rounds' are not lists of one length");
    for (size_t i = 0; i < json_array_size(times); i++) {
        const json_t *time = json_array_get(times, i), *round = json_array_get(rounds, i);
        if (!json_is_number(time) || !(json_number_value(time) >= 0) || !json_is_integer(round) ||
            json_integer_value(round) < 0 || json_integer_value(round) > UINT32_MAX)
            return fail(error, STATUS_INVALID, "sample %zu is not a time and a round", i);
        if (!samples_add(&measurement->phases[phase], json_number_value(time), (uint32_t)json_integer_value(round)))
            return fail(error, STATUS_UNAVAILABLE, "no memory for its samples");
    }
    return STATUS_OK;
}

static enum status take_samples(const json_t *root, struct measurement *measurement, struct error *error)
{
    const json_t *object = take_object(root, "samples", error);
    const char *name;
    json_t *phase;
    if (!object)
        return STATUS_INVALID;
    json_object_foreach((json_t *)object, name, phase)
    {
        enum status status = take_phase(name, phase, measurement, error);
        if (status != STATUS_OK)
            return fail_in(error, status, "samples");
    }
    return STATUS_OK;
}

/* The properties of the measurement's device, if there are any. */
static enum status take_device(const json_t *root, struct transfer_line *line, struct error *error)
{
    const json_t *facts = json_object_get(root, "device_facts");
    const struct measurement *measurement = &line->measurement;
    const char *key;
    json_t *value;
    if (!facts)
        return STATUS_OK;
    struct machine_device *device = calloc(1, sizeof *device);
    if (!device)
        return fail(error, STATUS_UNAVAILABLE, "no memory for its device");
    line->machine.devices = device;
    line->machine.device_count = 1;
    memcpy(device->id, measurement->device, sizeof device->id);
    memcpy(device->name, measurement->device_name, sizeof device->name);
    memcpy(device->driver, measurement->driver, sizeof device->driver);
    device->facts = calloc(json_object_size(facts) + 1, sizeof *device->facts);
    if (!json_is_object(facts) || !device->facts)
        return fail(error, STATUS_INVALID, "'device_facts' is not an object");
    json_object_foreach((json_t *)facts, key, value)
    {
        struct device_fact *fact = &device->facts[device->fact_count++];
        if (strlen(key) >= sizeof fact->key || !text_is_plain(key))
            return fail(error, STATUS_INVALID, "device_facts: a name is longer than %zu bytes", sizeof fact->key - 1);
        strcpy(fact->key, key);
        enum status status = take_text(facts, key, true, fact->value, sizeof fact->value, error);
        if (status != STATUS_OK)
            return fail_in(error, status, "device_facts");
    }
    return STATUS_OK;
}

static enum status take_attachments(const json_t *root, struct transfer_line *line, struct error *error)
{
    const json_t *object = json_object_get(root, "attachments");
    const char *kind;
    json_t *text;
    if (!object)
        return STATUS_OK;
    if (!json_is_object(object))
        return fail(error, STATUS_INVALID, "'attachments' is not an object");
    line->attachments = calloc(json_object_size(object) + 1, sizeof *line->attachments);
    if (!line->attachments)
        return fail(error, STATUS_UNAVAILABLE, "no memory for its attachments");
    json_object_foreach((json_t *)object, kind, text)
    {
        struct attachment *attachment = &line->attachments[line->attachment_count];
        if (!json_is_string(text) || !*kind || strlen(kind) >= sizeof attachment->kind || !text_is_plain(kind))
            return fail(error, STATUS_INVALID, "attachments: one is not a text with a kind of at most %zu bytes",
                        sizeof attachment->kind - 1);
        strcpy(attachment->kind, kind);
        attachment->text = strdup(json_string_value(text));
        if (!attachment->text)
            return fail(error, STATUS_UNAVAILABLE, "no memory for its attachments");
        line->attachment_count++;
    }
    return STATUS_OK;
}

static enum status take_ceiling(const json_t *object, struct ceiling *ceiling, struct error *error)
{
    int64_t threads = 0;
    const json_t *rate = json_object_get(object, "rate");
    enum status status = take_text(object, "device", true, ceiling->device, sizeof ceiling->device, error);
    if (status == STATUS_OK)
        status = take_text(object, "device_name", true, ceiling->device_name, sizeof ceiling->device_name, error);
    if (status == STATUS_OK)
        status = take_text(object, "driver", false, ceiling->driver, sizeof ceiling->driver, error);
    if (status == STATUS_OK)
        status = take_text(object, "what", true, ceiling->what, sizeof ceiling->what, error);
    if (status == STATUS_OK)
        status = take_text(object, "unit", true, ceiling->unit, sizeof ceiling->unit, error);
    if (status == STATUS_OK)
        status = take_integer(object, "threads", 0, UINT32_MAX, &threads, error);
    if (status == STATUS_OK)
        status = take_integer(object, "made_at", 0, MOMENT_MOST, &ceiling->made_at, error);
    if (status == STATUS_OK && !json_is_number(rate))
        status = fail(error, STATUS_INVALID, "'rate' is not a number");
    ceiling->threads = (unsigned)threads;
    ceiling->rate = json_number_value(rate);
    return status == STATUS_OK ? status : fail_in(error, status, "ceiling");
}

static enum status take_measurement(const json_t *root, struct transfer_line *line, struct error *error)
{
    struct measurement *measurement = &line->measurement;
    enum status status = take_run(root, &line->run, error);
    if (status == STATUS_OK)
        status = take_integer(root, "number", 1, INT64_MAX, &measurement->number, error);
    for (size_t i = 0; status == STATUS_OK && i < measurement_column_count; i++)
        status = take_column(root, &measurement_columns[i], measurement, error);
    if (status == STATUS_OK)
        status = take_integer(root, "made_at", 0, MOMENT_MOST, &measurement->made_at, error);
    if (status == STATUS_OK)
        status = take_samples(root, measurement, error);
    if (status == STATUS_OK)
        status = take_device(root, line, error);
    return status == STATUS_OK ? take_attachments(root, line, error) : status;
}

static enum status take_line(const json_t *root, struct transfer_line *line, struct error *error)
{
    int64_t format;
    const json_t *ceiling = json_object_get(root, "ceiling");
    if (take_integer(root, "uskor", FORMAT, FORMAT, &format, NULL) != STATUS_OK)
        return fail(error, STATUS_INVALID, "not a measurement in a form that this version knows (\"uskor\": %d)",
                    FORMAT);
    enum status status = take_machine(root, &line->machine, error);
    line->is_ceiling = ceiling != NULL;
    if (status != STATUS_OK)
        return status;
    return ceiling ? take_ceiling(ceiling, &line->ceiling, error) : take_measurement(root, line, error);
}

enum status transfer_parse(const char *text, size_t length, struct transfer_line *line, struct error *error)
{
    json_error_t why;
    memset(line, 0, sizeof *line);
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return fail(error, STATUS_INVALID, "not JSON: at byte %d", why.position);
    enum status status = take_line(root, line, error);
    json_decref(root);
    if (status != STATUS_OK)
        transfer_line_free(line);
    return status;
}
