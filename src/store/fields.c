#include "store/fields.h"

#include <string.h>

#include "base/size.h"
#include "base/visible.h"

#define FIELD(name, member, kind, optional)                                                                   \
    {                                                                                                         \
        name, kind, offsetof(struct measurement, member), sizeof(((struct measurement *)0)->member), optional \
    }

const struct measurement_column measurement_columns[] = {
    FIELD("kernel", kernel, FIELD_TEXT, false),
    FIELD("problem", problem, FIELD_TEXT, false),
    FIELD("rung", rung, FIELD_TEXT, false),
    FIELD("idea", idea, FIELD_TEXT, true),
    FIELD("kind", kind, FIELD_KIND, false),
    FIELD("parameters", parameters, FIELD_TEXT, true),
    FIELD("detail", detail, FIELD_TEXT, true),
    FIELD("device", device, FIELD_TEXT, false),
    FIELD("device_name", device_name, FIELD_TEXT, true),
    FIELD("driver", driver, FIELD_TEXT, true),
    FIELD("device_is_cpu", device_is_cpu, FIELD_FLAG, true),
    FIELD("threads", threads, FIELD_UNSIGNED, true),
    FIELD("code_version", code_version, FIELD_TEXT, true),
    FIELD("made_at", made_at, FIELD_INTEGER, false),
    FIELD("verdict", verdict, FIELD_VERDICT, false),
    FIELD("reason", reason, FIELD_TEXT, true),
    FIELD("worst_error", worst_error, FIELD_REAL, true),
    FIELD("worst_where", worst_where, FIELD_TEXT, true),
    FIELD("warnings", warnings, FIELD_TEXT, true),
    FIELD("cold", cold, FIELD_FLAG, true),
    FIELD("batch", batch, FIELD_UNSIGNED, true),
    FIELD("bytes", bytes, FIELD_REAL, true),
    FIELD("operations", operations, FIELD_REAL, true),
    FIELD("work", work, FIELD_REAL, true),
    FIELD("rate_unit", rate_unit, FIELD_TEXT, true),
    FIELD("ceiling_rung", ceiling, FIELD_TEXT, true),
    FIELD("core_latency", core_latency, FIELD_REAL, true),
    FIELD("core_latency_low", core_latency_low, FIELD_REAL, true),
    FIELD("core_latency_high", core_latency_high, FIELD_REAL, true),
    FIELD("throttled_samples", throttled, FIELD_UNSIGNED, true),
    FIELD("clock_mhz", clock_mhz, FIELD_REAL, true),
    FIELD("joules", joules, FIELD_REAL, true),
    FIELD("cycles", cycles, FIELD_REAL, true),
    FIELD("instructions", instructions, FIELD_REAL, true),
};

const size_t measurement_column_count = COUNT_OF(measurement_columns);

static const void *at(const struct measurement_column *field, const struct measurement *measurement)
{
    return (const char *)measurement + field->offset;
}

const char *measurement_column_text(const struct measurement_column *field, const struct measurement *measurement)
{
    if (field->kind == FIELD_VERDICT)
        return verdict_name(measurement->verdict);
    if (field->kind == FIELD_KIND)
        return measured_kind_name(measurement->kind);
    return at(field, measurement);
}

double measurement_column_real(const struct measurement_column *field, const struct measurement *measurement)
{
    double value;
    memcpy(&value, at(field, measurement), sizeof value);
    return value;
}

int64_t measurement_column_integer(const struct measurement_column *field, const struct measurement *measurement)
{
    if (field->kind == FIELD_FLAG)
        return *(const bool *)at(field, measurement);
    if (field->kind == FIELD_UNSIGNED)
        return *(const unsigned *)at(field, measurement);
    return *(const int64_t *)at(field, measurement);
}

bool text_is_plain(const char *text)
{
    return visible_is(text);
}

bool measurement_column_set_text(const struct measurement_column *field, struct measurement *measurement,
                                 const char *text)
{
    if (field->kind == FIELD_VERDICT)
        return verdict_from_name(text, &measurement->verdict);
    if (field->kind == FIELD_KIND)
        return measured_kind_from_name(text, &measurement->kind);
    if (field->kind != FIELD_TEXT || strlen(text) >= field->size || !text_is_plain(text))
        return false;
    strcpy((char *)measurement + field->offset, text);
    return true;
}

bool measurement_column_set_real(const struct measurement_column *field, struct measurement *measurement, double value)
{
    if (field->kind != FIELD_REAL)
        return false;
    memcpy((char *)measurement + field->offset, &value, sizeof value);
    return true;
}

bool measurement_column_set_integer(const struct measurement_column *field, struct measurement *measurement,
                                    int64_t value)
{
    void *to = (char *)measurement + field->offset;
    if (field->kind == FIELD_FLAG && (value == 0 || value == 1))
        *(bool *)to = value;
    else if (field->kind == FIELD_UNSIGNED && value >= 0 && value <= UINT32_MAX)
        *(unsigned *)to = (unsigned)value;
    else if (field->kind == FIELD_INTEGER)
        *(int64_t *)to = value;
    else
        return false;
    return true;
}
