#include "store/fields.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "base/visible.h"
#include "store/ceiling.h"

#define FIELD(type, name, member, kind, optional)                                               \
    {                                                                                           \
        name, kind, offsetof(struct type, member), sizeof(((struct type *)0)->member), optional \
    }
#define FIELDS(of, items)          \
    {                              \
        of, items, COUNT_OF(items) \
    }

#define MEASURED(name, member, kind, optional) FIELD(measurement, name, member, kind, optional)

static const struct stored_field of_measurement[] = {
    MEASURED("kernel", kernel, FIELD_TEXT, false),
    MEASURED("problem", problem, FIELD_TEXT, false),
    MEASURED("rung", rung, FIELD_TEXT, false),
    MEASURED("idea", idea, FIELD_TEXT, true),
    MEASURED("kind", kind, FIELD_KIND, false),
    MEASURED("parameters", parameters, FIELD_TEXT, true),
    MEASURED("detail", detail, FIELD_TEXT, true),
    MEASURED("device", device, FIELD_TEXT, false),
    MEASURED("device_name", device_name, FIELD_TEXT, true),
    MEASURED("driver", driver, FIELD_TEXT, true),
    MEASURED("device_is_cpu", device_is_cpu, FIELD_FLAG, true),
    MEASURED("threads", threads, FIELD_UNSIGNED, true),
    MEASURED("code_version", code_version, FIELD_TEXT, true),
    MEASURED("made_at", made_at, FIELD_MOMENT, false),
    MEASURED("verdict", verdict, FIELD_VERDICT, false),
    MEASURED("reason", reason, FIELD_TEXT, true),
    MEASURED("worst_error", worst_error, FIELD_REAL, true),
    MEASURED("worst_where", worst_where, FIELD_TEXT, true),
    MEASURED("warnings", warnings, FIELD_TEXT, true),
    MEASURED("cold", cold, FIELD_FLAG, true),
    MEASURED("batch", batch, FIELD_UNSIGNED, true),
    MEASURED("bytes", bytes, FIELD_REAL, true),
    MEASURED("operations", operations, FIELD_REAL, true),
    MEASURED("work", work, FIELD_REAL, true),
    MEASURED("rate_unit", rate_unit, FIELD_TEXT, true),
    MEASURED("ceiling_rung", ceiling, FIELD_TEXT, true),
    MEASURED("core_latency", core_latency, FIELD_REAL, true),
    MEASURED("core_latency_low", core_latency_low, FIELD_REAL, true),
    MEASURED("core_latency_high", core_latency_high, FIELD_REAL, true),
    MEASURED("throttled_samples", throttled, FIELD_UNSIGNED, true),
    MEASURED("clock_mhz", clock_mhz, FIELD_REAL, true),
    MEASURED("joules", joules, FIELD_REAL, true),
    MEASURED("cycles", cycles, FIELD_REAL, true),
    MEASURED("instructions", instructions, FIELD_REAL, true),
};

#define FACT(member, kind) FIELD(machine, #member, member, kind, false)

static const struct stored_field of_machine[] = {
    FACT(fingerprint, FIELD_TEXT),   FACT(cpu, FIELD_TEXT), FACT(architecture, FIELD_TEXT),
    FACT(kernel, FIELD_TEXT),        FACT(os, FIELD_TEXT),  FACT(cores, FIELD_UNSIGNED),
    FACT(memory_bytes, FIELD_BYTES),
};

#define OF_RUN(member, kind, optional) FIELD(store_run, #member, member, kind, optional)

static const struct stored_field of_run[] = {
    OF_RUN(key, FIELD_TEXT, false),  OF_RUN(started, FIELD_MOMENT, false),   OF_RUN(command, FIELD_TEXT, false),
    OF_RUN(label, FIELD_TEXT, true), OF_RUN(code_version, FIELD_TEXT, true),
};

#define OF_CEILING(member, kind, optional) FIELD(ceiling, #member, member, kind, optional)

static const struct stored_field of_ceiling[] = {
    OF_CEILING(device, FIELD_TEXT, false), OF_CEILING(device_name, FIELD_TEXT, false),
    OF_CEILING(driver, FIELD_TEXT, true),  OF_CEILING(threads, FIELD_UNSIGNED, false),
    OF_CEILING(what, FIELD_TEXT, false),   OF_CEILING(rate, FIELD_REAL, false),
    OF_CEILING(unit, FIELD_TEXT, false),   OF_CEILING(made_at, FIELD_MOMENT, false),
};

const struct stored_fields measurement_fields = FIELDS(N_("measurement"), of_measurement),
                           machine_fields = FIELDS(N_("machine"), of_machine), run_fields = FIELDS(N_("run"), of_run),
                           ceiling_fields = FIELDS(N_("ceiling"), of_ceiling);

static const void *at(const struct stored_field *field, const void *record)
{
    return (const char *)record + field->offset;
}

const char *field_text(const struct stored_field *field, const void *record)
{
    if (field->kind == FIELD_VERDICT)
        return verdict_name(*(const enum verdict *)at(field, record));
    if (field->kind == FIELD_KIND)
        return measured_kind_name(*(const enum measured_kind *)at(field, record));
    return at(field, record);
}

double field_real(const struct stored_field *field, const void *record)
{
    return *(const double *)at(field, record);
}

int64_t field_integer(const struct stored_field *field, const void *record)
{
    if (field->kind == FIELD_FLAG)
        return *(const bool *)at(field, record);
    if (field->kind == FIELD_UNSIGNED)
        return *(const unsigned *)at(field, record);
    return *(const int64_t *)at(field, record);
}

bool text_is_plain(const char *text)
{
    return visible_is(text);
}

bool field_set_text(const struct stored_field *field, void *record, const char *text)
{
    void *to = (char *)record + field->offset;
    if (field->kind == FIELD_VERDICT)
        return verdict_from_name(text, to);
    if (field->kind == FIELD_KIND)
        return measured_kind_from_name(text, to);
    if (field->kind != FIELD_TEXT || strlen(text) >= field->size || !text_is_plain(text))
        return false;
    strcpy(to, text);
    return true;
}

bool field_set_real(const struct stored_field *field, void *record, double value)
{
    if (field->kind != FIELD_REAL)
        return false;
    *(double *)((char *)record + field->offset) = value;
    return true;
}

bool field_set_integer(const struct stored_field *field, void *record, int64_t value)
{
    void *to = (char *)record + field->offset;
    if (field->kind == FIELD_FLAG && (value == 0 || value == 1))
        *(bool *)to = value;
    else if (field->kind == FIELD_UNSIGNED && value >= 0 && value <= UINT32_MAX)
        *(unsigned *)to = (unsigned)value;
    else if (field->kind == FIELD_MOMENT || field->kind == FIELD_BYTES)
        *(int64_t *)to = value;
    else
        return false;
    return true;
}

static bool is_text(const struct stored_field *field)
{
    return field->kind == FIELD_TEXT || field->kind == FIELD_VERDICT || field->kind == FIELD_KIND;
}

void fields_bind(sqlite3_stmt *statement, const struct stored_fields *fields, const void *record)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct stored_field *field = &fields->items[i];
        char name[32];
        snprintf(name, sizeof name, ":%s", field->name);
        if (field->kind == FIELD_REAL)
            bind_real(statement, name, field_real(field, record));
        else if (is_text(field))
            bind_text(statement, name, field_text(field, record));
        else
            bind_integer(statement, name, field_integer(field, record));
    }
}

static bool take_column(sqlite3_stmt *row, int column, const struct stored_field *field, void *record)
{
    if (field->kind == FIELD_REAL)
        return field_set_real(
            field, record, sqlite3_column_type(row, column) == SQLITE_NULL ? NAN : sqlite3_column_double(row, column));
    if (is_text(field)) {
        char text[sizeof(struct measurement)]; /* room for any field */
        column_text(row, column, text, field->kind == FIELD_TEXT ? field->size : sizeof text);
        return field_set_text(field, record, text);
    }
    return field_set_integer(field, record, sqlite3_column_int64(row, column));
}

enum status fields_take(const struct store *store, sqlite3_stmt *row, int first, const struct stored_fields *fields,
                        void *record, struct error *error)
{
    for (size_t i = 0; i < fields->count; i++)
        if (!take_column(row, first + (int)i, &fields->items[i], record))
            return fail(error, STATUS_INVALID, "%s: %s %ld has a '%s' that cannot be", store->path, fields->of,
                        (int64_t)sqlite3_column_int64(row, 0), fields->items[i].name);
    return STATUS_OK;
}
