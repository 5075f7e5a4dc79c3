#include "lab/bench/candidate.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

enum status overrides_add(struct overrides *overrides, const char *text, struct error *error)
{
    const char *equals = strchr(text, '=');
    struct override added;
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof added.name || !text_integer(equals + 1, &added.value))
        return fail(error, STATUS_INVALID, "'%s' is not NAME=VALUE with an integer value, e.g. TILE=32", text);
    if (overrides->count == TUNABLES_MAX)
        return fail(error, STATUS_INVALID, "more than %d parameters are set", TUNABLES_MAX);
    memcpy(added.name, text, length);
    added.name[length] = 0;
    overrides->items[overrides->count++] = added;
    return STATUS_OK;
}

static const struct tunable *find_tunable(const struct rung *rung, const char *name)
{
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(rung->tunables[i].name, name) == 0)
            return &rung->tunables[i];
    return NULL;
}

static bool offers(const struct tunable *tunable, int64_t value)
{
    for (size_t i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == value)
            return true;
    return false;
}

static enum status refuse_value(const struct tunable *tunable, const struct rung *rung, int64_t value,
                                struct error *error)
{
    char values[256] = "";
    for (size_t i = 0; i < tunable->value_count; i++)
        text_append(values, sizeof values, "%s%" PRId64, i ? ", " : "", tunable->values[i]);
    return fail(error, STATUS_INVALID, "%s of rung '%s' cannot be %ld; it can be %s", tunable->name, rung->name, value,
                values);
}

enum status overrides_check(const struct overrides *overrides, const struct rung *const *rungs, size_t count,
                            struct error *error)
{
    for (size_t i = 0; i < overrides->count; i++) {
        const struct override *wanted = &overrides->items[i];
        const struct rung *owner = NULL;
        const struct tunable *tunable = NULL;
        bool offered = false;
        for (size_t r = 0; r < count; r++) {
            const struct tunable *found = find_tunable(rungs[r], wanted->name);
            if (!found)
                continue;
            owner = rungs[r];
            tunable = found;
            offered = offered || offers(found, wanted->value);
        }
        if (!tunable)
            return fail(error, STATUS_INVALID,
                        "no rung chosen here has a parameter '%s' ('uskor list KERNEL' shows them)", wanted->name);
        if (!offered)
            return refuse_value(tunable, owner, wanted->value, error);
    }
    return STATUS_OK;
}

enum status candidate_make(struct device *device, const struct rung *rung, const struct problem *problem,
                           const struct overrides *overrides, struct candidate *candidate, struct error *error)
{
    candidate->device = device;
    candidate->rung = rung;
    enum status status = rung_defaults(rung, problem, &candidate->parameters, error);
    for (size_t i = 0; status == STATUS_OK && overrides && i < overrides->count; i++)
        for (size_t t = 0; t < rung->tunable_count; t++)
            if (strcmp(rung->tunables[t].name, overrides->items[i].name) == 0 &&
                offers(&rung->tunables[t], overrides->items[i].value))
                candidate->parameters.values[t] = overrides->items[i].value;
    return status;
}

const char *candidate_parameters(const struct candidate *candidate, char *text, size_t size)
{
    text[0] = 0;
    for (size_t i = 0; i < candidate->rung->tunable_count; i++)
        text_append(text, size, "%s%s=%" PRId64, i ? " " : "", candidate->rung->tunables[i].name,
                    candidate->parameters.values[i]);
    return text;
}

bool candidate_is_own_code(const struct candidate *candidate)
{
    return candidate->rung->kind == RUNG_HOST && candidate->device->backend->kind == BACKEND_CPU;
}
