#include "explain/effects/effects.h"

#include <string.h>

#include "base/text.h"

#define EFFECT(name) extern const struct effect effect_##name;
#include "explain/effects/effects.def"
#undef EFFECT

#define EFFECT(name) &effect_##name,
const struct effect *const effects[] = {
#include "explain/effects/effects.def"
    NULL,
};
#undef EFFECT

#define NAMES_MOST 64

const struct effect *effect_by_name(const char *name, struct error *error)
{
    const char *names[NAMES_MOST] = {"all"};
    size_t count = 1;
    for (size_t i = 0; effects[i]; i++) {
        if (strcmp(effects[i]->name, name) == 0)
            return effects[i];
        if (count < NAMES_MOST)
            names[count++] = effects[i]->name;
    }
    const char *closest = text_closest(name, names, count);
    if (closest)
        fail(error, STATUS_INVALID, "there is no effect '%.100s'; did you mean '%s'?", name, closest);
    else
        fail(error, STATUS_INVALID, "there is no effect '%.100s'; 'uskor effect --list' lists them", name);
    return NULL;
}

enum status effect_problem(const struct effect *effect, const struct device *device, int64_t size,
                           struct problem *problem, struct error *error)
{
    bool is_opencl_cpu = device && device->properties.is_cpu && device->backend->kind != BACKEND_CPU;
    if (size == 0)
        size = is_opencl_cpu ? effect->size_cpu : effect->size;
    if (size < EFFECT_SIZE_LEAST || size > EFFECT_SIZE_MOST || (size & (size - 1)) != 0)
        return fail(error, STATUS_INVALID, "an effect's size is a power of two from %ld to %ld; this is %ld",
                    (long)EFFECT_SIZE_LEAST, (long)EFFECT_SIZE_MOST, (long)size);
    *problem = problem_default(effect->kernel);
    problem_set_size(problem, "n", size);
    return STATUS_OK;
}

enum status effect_runs_on(const struct effect *effect, const struct device *device, bool *runs, struct error *error)
{
    const struct rung *const *rungs;
    size_t count = 0;
    *runs = !effect->kernel && device->backend->kind != BACKEND_CPU;
    enum status status = effect->kernel ? kernel_rungs(effect->kernel, &rungs, &count, error) : STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        *runs = *runs || (rungs[i]->backends & device->backend->kind) != 0;
    *runs = *runs && !device_is_null(device);
    return status;
}

static const struct tunable *tunable_of(const struct effect *effect, const struct rung *rung)
{
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(rung->tunables[i].name, effect->parameter) == 0)
            return &rung->tunables[i];
    return NULL;
}

size_t effect_values(const struct effect *effect, const struct rung *rung, int64_t values[TUNABLE_VALUES_MAX])
{
    const struct tunable *tunable = tunable_of(effect, rung);
    for (size_t i = 0; tunable && i < tunable->value_count; i++)
        values[i] = tunable->values[i];
    return tunable ? tunable->value_count : 0;
}

enum status effect_parameters(const struct effect *effect, const struct rung *rung, const struct problem *problem,
                              int64_t value, struct parameters *parameters, struct error *error)
{
    const struct tunable *tunable = tunable_of(effect, rung);
    enum status status = rung_defaults(rung, problem, parameters, error);
    if (status == STATUS_OK && tunable)
        parameters->values[tunable - rung->tunables] = value;
    return status;
}
