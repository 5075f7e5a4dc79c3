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

static const char *const expected[] = {
    [FIELD_REAL] = N_("a number, null or \"infinite\""),
    [FIELD_FLAG] = N_("true or false"),
    [FIELD_VERDICT] = N_("a verdict: PASS, FAIL, SKIP or ERROR"),
    [FIELD_KIND] = N_("a kind: host, device, vendor or probe"),
};

/* The most of each kind of integers. */
static const int64_t most[] = {[FIELD_MOMENT] = MOMENT_MOST, [FIELD_BYTES] = INT64_MAX, [FIELD_UNSIGNED] = UINT32_MAX};

static enum status refuse_text(const char *name, size_t size, struct error *error)
{
    return fail(error, STATUS_INVALID, "'%s' is not a text of at most %zu bytes without control characters", name,
                size - 1);
}

static enum status take_field(const json_t *object, const struct stored_field *field, void *record, struct error *error)
{
    const json_t *member = json_object_get(object, field->name);
    bool taken = false;
    int64_t value;
    if (!member)
        return field->optional ? STATUS_OK : fail(error, STATUS_INVALID, "'%s' is missing", field->name);
    switch (field->kind) {
    case FIELD_REAL:
        /* Infinities are written as words, NaN as null: JSON has no numbers for them. */
        taken = json_is_number(member)
                    ? field_set_real(field, record, json_number_value(member))
                    : (json_is_null(member) && field_set_real(field, record, NAN)) ||
                          (json_is_string(member) && strcmp(json_string_value(member), "infinite") == 0 &&
                           field_set_real(field, record, INFINITY));
        break;
    case FIELD_FLAG:
        taken = json_is_boolean(member) && field_set_integer(field, record, json_is_true(member));
        break;
    case FIELD_MOMENT:
    case FIELD_BYTES:
    case FIELD_UNSIGNED:
        if (take_integer(object, field->name, 0, most[field->kind], &value, error) != STATUS_OK)
            return STATUS_INVALID;
        taken = field_set_integer(field, record, value);
        break;
    default:
        taken = json_is_string(member) && field_set_text(field, record, json_string_value(member));
    }
    if (taken)
        return STATUS_OK;
    if (field->kind == FIELD_TEXT)
        return refuse_text(field->name, field->size, error);
    return fail(error, STATUS_INVALID, "'%s' is not %s", field->name, expected[field->kind]);
}

static enum status take_fields(const json_t *object, const struct stored_fields *fields, void *record,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < fields->count; i++)
        status = take_field(object, &fields->items[i], record, error);
    return status;
}

static enum status take_machine(const json_t *root, struct machine *machine, struct error *error)
{
    const json_t *object = take_object(root, "machine", error);
    char fingerprint[sizeof machine->fingerprint];
    if (!object)
        return STATUS_INVALID;
    enum status status = take_fields(object, &machine_fields, machine, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "machine");
    memcpy(fingerprint, machine->fingerprint, sizeof fingerprint);
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
    enum status status = take_fields(object, &run_fields, run, error);
    if (status == STATUS_OK && (strlen(run->key) != 32 || strspn(run->key, "0123456789abcdef") != 32))
        status = fail(error, STATUS_INVALID, "'key' is not 32 hexadecimal digits");
    return status == STATUS_OK ? status : fail_in(error, status, "run");
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
        const char *text = json_string_value(value);
        if (!text || strlen(text) >= sizeof fact->value || !text_is_plain(text))
            return fail_in(error, refuse_text(key, sizeof fact->value, error), "device_facts");
        strcpy(fact->value, text);
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
    enum status status = take_fields(object, &ceiling_fields, ceiling, error);
    return status == STATUS_OK ? status : fail_in(error, status, "ceiling");
}

static enum status take_measurement(const json_t *root, struct transfer_line *line, struct error *error)
{
    struct measurement *measurement = &line->measurement;
    enum status status = take_run(root, &line->run, error);
    if (status == STATUS_OK)
        status = take_integer(root, "number", 1, INT64_MAX, &measurement->number, error);
    if (status == STATUS_OK)
        status = take_fields(root, &measurement_fields, measurement, error);
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

/* ---- to JSON ---- */

static json_t *real(double value)
{
    return isnan(value) ? json_null() : isinf(value) ? json_string("infinite") : json_real(value);
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

static json_t *value_of(const struct stored_field *field, const void *record)
{
    switch (field->kind) {
    case FIELD_REAL:
        return real(field_real(field, record));
    case FIELD_FLAG:
        return json_boolean(field_integer(field, record));
    case FIELD_MOMENT:
    case FIELD_BYTES:
    case FIELD_UNSIGNED:
        return json_integer(field_integer(field, record));
    default:
        return json_string(field_text(field, record));
    }
}

static bool add_fields(json_t *object, const struct stored_fields *fields, const void *record)
{
    bool whole = object != NULL;
    for (size_t i = 0; whole && i < fields->count; i++)
        whole = json_object_set_new(object, fields->items[i].name, value_of(&fields->items[i], record)) == 0;
    return whole;
}

/* The member `name` with all fields in it. */
static bool add_object(json_t *root, const char *name, const struct stored_fields *fields, const void *record)
{
    json_t *object = json_object();
    return json_object_set_new(root, name, object) == 0 && add_fields(object, fields, record);
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
    bool whole = add_object(root, "run", &run_fields, &line->run) &&
                 json_object_set_new(root, "number", json_integer(measurement->number)) == 0 &&
                 add_fields(root, &measurement_fields, measurement);
    for (size_t d = 0; whole && d < line->machine.device_count; d++)
        whole = json_object_set_new(root, "device_facts", facts_object(&line->machine.devices[d])) == 0;
    if (whole && line->attachment_count)
        whole = json_object_set_new(root, "attachments", attachments_object(line)) == 0;
    return whole && json_object_set_new(root, "samples", samples_object(measurement)) == 0;
}

char *transfer_compose(const struct transfer_line *line)
{
    json_t *root = json_pack("{s:i}", "uskor", FORMAT);
    bool whole =
        root && add_object(root, "machine", &machine_fields, &line->machine) &&
        (line->is_ceiling ? add_object(root, "ceiling", &ceiling_fields, &line->ceiling) : add_measurement(root, line));
    char *text = whole ? json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(root);
    return text;
}
