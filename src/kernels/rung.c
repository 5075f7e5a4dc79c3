/* The questions before a run: default parameters, scratch memory, and whether the rung can run at all. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "kernels/rung_header.h"
#include "kernels/scope.h"

/* ---- parameters ----------------------------------------------------------------------------------------------- */

static bool takes(const struct tunable *tunable, int64_t value)
{
    for (size_t i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == value)
            return true;
    return tunable->value_count == 0 && value >= 0;
}

/* The largest listed value not above `wanted`, or the smallest of all. */
static int64_t nearest_below(const struct tunable *tunable, int64_t wanted)
{
    int64_t best = tunable->values[0];
    for (size_t i = 1; i < tunable->value_count; i++) {
        int64_t value = tunable->values[i];
        bool below = value <= wanted, best_below = best <= wanted;
        if (below == best_below ? (below ? value > best : value < best) : below)
            best = value;
    }
    return best;
}

enum status rung_defaults(const struct rung *rung, const struct problem *problem, struct parameters *parameters,
                          struct error *error)
{
    memset(parameters, 0, sizeof *parameters);
    struct scope scope = {.problem = problem};
    for (size_t i = 0; i < rung->tunable_count; i++) {
        const struct tunable *tunable = &rung->tunables[i];
        int64_t value;
        enum status status = scope_integer(&scope, tunable->initial, &value, error);
        if (status != STATUS_OK)
            return fail_in(error, status, "%s: the default of %s", rung->name, tunable->name);
        parameters->values[i] = takes(tunable, value) ? value : nearest_below(tunable, value);
    }
    return STATUS_OK;
}

int64_t run_parameter(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->rung->tunable_count; i++)
        if (strcmp(run->rung->tunables[i].name, name) == 0)
            return run->parameters.values[i];
    abort(); /* a rung read a tunable that it does not have */
}

enum status rung_scratch(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct parameters *parameters, size_t *bytes, struct error *error)
{
    *bytes = rung->scratch ? rung->scratch(problem, device, parameters) : 0;
    if (rung->scratch || !rung->source || rung->source->scratch[0] == '\0')
        return STATUS_OK;
    struct scope scope = {.problem = problem, .rung = rung, .parameters = parameters};
    int64_t value;
    enum status status = scope_integer(&scope, rung->source->scratch, &value, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s: scratch", rung->source->path);
    *bytes = value > 0 ? (size_t)value : 1;
    return STATUS_OK;
}

enum status rung_bound(const struct rung *rung, const struct problem *problem, const struct parameters *parameters,
                       double *bound, struct error *error)
{
    *bound = 0;
    if (rung->bound[0] == '\0')
        return STATUS_OK;
    struct scope scope = {.problem = problem, .rung = rung, .parameters = parameters};
    enum status status = scope_real(&scope, rung->bound, bound, error);
    return status == STATUS_OK ? status : fail_in(error, status, "rung '%s': bound", rung->name);
}

/* ---- refusing ------------------------------------------------------------------------------------------------- */

static const char *wrong_backend(const struct rung *rung, const struct device *device, char *reason, size_t size)
{
    static const struct {
        enum backend_kind kind;
        const char *name;
    } names[] = {{BACKEND_CPU, "cpu"},
                 {BACKEND_OPENCL, "opencl"},
                 {BACKEND_CUDA, "cuda"},
                 {BACKEND_OPENGL, "opengl"},
                 {BACKEND_NULL, "null"}};
    if (rung->backends & device->backend->kind)
        return NULL;
    if (rung->source && device->backend->kind == BACKEND_OPENGL)
        return explain(reason, size, "no OpenGL source: the rung has no .glsl file");
    /* The null device is never suggested. */
    unsigned offered = rung->backends & ~(unsigned)BACKEND_NULL;
    const char *on[COUNT_OF(names)] = {NULL};
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (offered & names[i].kind)
            on[count++] = names[i].name;
    if (count == 2)
        return explain(reason, size, "runs on %s and %s, this is %s", on[0], on[1], device->backend->name);
    char all[64] = "";
    for (size_t i = 0; i < count; i++)
        text_append(all, sizeof all, "%s%s", i ? ", " : "", on[i]);
    return explain(reason, size, "runs on %s, this is %s", all, device->backend->name);
}

static const char *wrong_parameter(const struct rung *rung, const struct parameters *parameters, char *reason,
                                   size_t size)
{
    for (size_t i = 0; i < rung->tunable_count; i++) {
        const struct tunable *tunable = &rung->tunables[i];
        if (takes(tunable, parameters->values[i]))
            continue;
        if (tunable->value_count == 0)
            return explain(reason, size, "%s=%ld is below 0", tunable->name, (long)parameters->values[i]);
        char all[256] = "";
        for (size_t k = 0; k < tunable->value_count; k++)
            text_append(all, sizeof all, "%s%" PRId64, k ? " " : "", tunable->values[k]);
        return explain(reason, size, "%s=%ld is not one of %s", tunable->name, (long)parameters->values[i], all);
    }
    return NULL;
}

static const char *lacks_subnormals(const struct problem *problem, const struct device *device)
{
    bool needs = problem->kernel->needs_subnormals && problem->kernel->needs_subnormals(problem);
    if (!needs || !device->properties.flushes_subnormals)
        return NULL;
    if (device->backend->kind == BACKEND_OPENGL)
        return N_("the device takes subnormal floats for zeros, as OpenGL allows, so that nothing there is right");
    return N_("the device takes subnormal floats for zeros, as it "
              "declares (CL_FP_DENORM), so that nothing there is right");
}

const char *rung_refuses(const struct rung *rung, const struct problem *problem, const struct device *device,
                         const struct parameters *parameters, char *reason, size_t size)
{
    const char *refused = wrong_backend(rung, device, reason, size);
    if (!refused)
        refused = lacks_subnormals(problem, device);
    if (!refused)
        refused = problem_field_refused(problem, rung->takes);
    if (!refused)
        refused = wrong_parameter(rung, parameters, reason, size);
    if (!refused && rung->source)
        refused = device_rung_refuses(rung, problem, device, parameters, reason, size);
    if (!refused && rung->supports)
        refused = rung->supports(problem, device, parameters, reason, size);
    return refused;
}
