#include "judge/parcel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/visible.h"

/* A stray write in the sending process may have overwritten a text, or its terminator; a file's own code may have
 * written what a terminal obeys. */
static void end_text(char *text, size_t size)
{
    text[size - 1] = '\0';
    if (!visible_is(text))
        visible_make(text, size);
}

static void end_texts(struct measurement *measurement)
{
    measurement->reason[sizeof measurement->reason - 1] = '\0';
    if (!visible_is(measurement->reason))
        explain(measurement->reason, sizeof measurement->reason,
                "overwrote its process's memory: its reason cannot be read");
#define END(member) end_text(measurement->member, sizeof measurement->member)
    END(kernel);
    END(problem);
    END(rung);
    END(idea);
    END(parameters);
    END(detail);
    END(device);
    END(device_name);
    END(driver);
    END(code_version);
    END(worst_where);
    END(warnings);
    END(rate_unit);
    END(ceiling);
#undef END
}

/* The messages' formats and arguments are sent, too, so that the parent can translate them. */
#define MESSAGES 3

static const char *message_of(const struct measurement *measurement, int index)
{
    const char *const messages[MESSAGES] = {measurement->reason, measurement->warnings, measurement->detail};
    return messages[index];
}

static const char *origin_of(const struct measurement *measurement, int index)
{
    const char *origin = message_origin(message_of(measurement, index));
    return origin ? origin : "";
}

static void take_origins(const struct measurement *measurement, const char *at, size_t left)
{
    for (int i = 0; i < MESSAGES; i++) {
        size_t length = strnlen(at, left);
        if (length == left)
            return;
        message_remember(message_of(measurement, i), at);
        at += length + 1;
        left -= length + 1;
    }
}

void *parcel_pack(const struct measurement *measurement, size_t *bytes)
{
    *bytes = sizeof *measurement;
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        *bytes += measurement->phases[phase].count * sizeof(struct sample);
    for (int i = 0; i < MESSAGES; i++)
        *bytes += strlen(origin_of(measurement, i)) + 1;
    char *data = malloc(*bytes), *at = data;
    if (!data)
        return NULL;
    memcpy(at, measurement, sizeof *measurement);
    at += sizeof *measurement;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        const struct samples *samples = &measurement->phases[phase];
        if (samples->count)
            memcpy(at, samples->items, samples->count * sizeof(struct sample));
        at += samples->count * sizeof(struct sample);
    }
    for (int i = 0; i < MESSAGES; i++)
        at = stpcpy(at, origin_of(measurement, i)) + 1;
    return data;
}

bool parcel_report(struct child_link *parent, uint32_t type, const struct measurement *measurement)
{
    size_t bytes;
    void *data = parcel_pack(measurement, &bytes);
    if (!data)
        return false;
    child_report(parent, type, data, bytes);
    free(data);
    return true;
}

static bool is_flag(const bool *flag)
{
    return *(const unsigned char *)flag <= 1;
}

static bool is_amount(double number)
{
    return isfinite(number) && number >= 0;
}

static bool are_fields_well(const struct measurement *measurement)
{
    return measurement->verdict >= VERDICT_PASS && measurement->verdict <= VERDICT_ERROR &&
           measurement->kind >= MEASURED_HOST && measurement->kind <= MEASURED_PROBE &&
           is_flag(&measurement->device_is_cpu) && is_flag(&measurement->cold) && is_amount(measurement->bytes) &&
           is_amount(measurement->operations) && is_amount(measurement->work) && is_amount(measurement->core_latency) &&
           is_amount(measurement->core_latency_low) && is_amount(measurement->core_latency_high) &&
           is_amount(measurement->clock_mhz) && is_amount(measurement->joules) && is_amount(measurement->cycles) &&
           is_amount(measurement->instructions);
}

bool parcel_is_well(const void *data, size_t bytes)
{
    struct measurement measurement;
    struct sample sample;
    const char *at = (const char *)data + sizeof measurement;
    size_t left = bytes - sizeof measurement;
    memcpy(&measurement, data, sizeof measurement);
    bool is_well = are_fields_well(&measurement);
    for (int phase = 0; is_well && phase < PHASE_COUNT; phase++) {
        const size_t count = measurement.phases[phase].count;
        is_well = count <= left / sizeof sample;
        for (size_t i = 0; is_well && i < count; i++, at += sizeof sample, left -= sizeof sample) {
            memcpy(&sample, at, sizeof sample);
            is_well = is_amount(sample.nanoseconds);
        }
    }
    return is_well;
}

static bool take_samples(struct samples *samples, size_t count, const char **at, size_t *left)
{
    if (count > *left / sizeof(struct sample))
        return false;
    if (count == 0)
        return true;
    samples->items = malloc(count * sizeof(struct sample));
    if (!samples->items)
        return false;
    memcpy(samples->items, *at, count * sizeof(struct sample));
    samples->count = samples->capacity = count;
    *at += count * sizeof(struct sample);
    *left -= count * sizeof(struct sample);
    return true;
}

bool parcel_unpack(const void *data, size_t bytes, struct measurement *measurement)
{
    const char *at = (const char *)data + sizeof *measurement;
    size_t left = bytes - sizeof *measurement, counts[PHASE_COUNT];
    if (bytes < sizeof *measurement)
        return false;
    memcpy(measurement, data, sizeof *measurement);
    end_texts(measurement);
    measurement->id = measurement->run = measurement->number = 0;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        counts[phase] = measurement->phases[phase].count;
        measurement->phases[phase] = (struct samples){0};
    }
    bool whole = true;
    for (int phase = 0; whole && phase < PHASE_COUNT; phase++)
        whole = take_samples(&measurement->phases[phase], counts[phase], &at, &left);
    for (int phase = 0; !whole && phase < PHASE_COUNT; phase++)
        free(measurement->phases[phase].items);
    if (whole)
        take_origins(measurement, at, left);
    return whole;
}
