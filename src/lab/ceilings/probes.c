#include "lab/ceilings/probes.h"

#include <string.h>

#include "store/ceiling.h"

/* Operations per byte. Below this, every machine is bound by memory. */
#define LEAST_INTENSITY 1.0

static bool is_floating(enum element_type type)
{
    return element_kind(type) >= 2;
}

/* What the rung declares; a vendor's library has tensor cores for elements of 16 bits. */
static unsigned products_of(const struct rung *rung, const struct problem *problem)
{
    const bool is_library = rung->kind == RUNG_VENDOR && (rung->backends & BACKEND_CUDA) != 0;
    return is_library && element_is_half(problem->type) ? 1 : rung->tensor_products;
}

/* The tensor cores' probe of a candidate; NULL when the candidate cannot use them on this device. */
static const struct rung *tensor_probe(const struct candidate *candidate, const struct problem *problem)
{
    char reason[256];
    unsigned products = products_of(candidate->rung, problem);
    if (!products ||
        rung_refuses(candidate->rung, problem, candidate->device, &candidate->parameters, reason, sizeof reason))
        return NULL;
    return &probe_tensor[products - 1];
}

static size_t add_once(const struct rung *probe, size_t count, const struct rung *rungs[PROBES_MAX])
{
    for (size_t i = 0; i < count; i++)
        if (rungs[i] == probe)
            return count;
    rungs[count] = probe;
    return count + 1;
}

size_t ceiling_probes(const struct problem *problem, const struct device *device, const struct candidate *candidates,
                      size_t count, const struct rung *rungs[PROBES_MAX])
{
    struct cost cost = problem->kernel->cost(problem);
    double bytes = cost.bytes_read + cost.bytes_written;
    size_t found = 0;
    if (device_is_null(device))
        return 0;
    if (bytes >= 2 && device->backend->kind != BACKEND_OPENGL) /* OpenGL has no memory probe in GLSL */
        rungs[found++] = cost.read_streams == 1 && cost.write_streams == 1 ? &probe_copy : &probe_streams;
    if (!is_floating(problem->type) || cost.operations <= LEAST_INTENSITY * bytes)
        return found;
    rungs[found++] = &probe_fma;
    for (size_t i = 0; i < count; i++) {
        const struct rung *probe = candidates[i].device == device ? tensor_probe(&candidates[i], problem) : NULL;
        if (probe)
            found = add_once(probe, found, rungs);
    }
    return found;
}

bool probe_applies(const struct rung *rung, const struct problem *problem, const struct rung *probe)
{
    return probe_is_of_memory(probe->name) || tensor_products_of(probe->name) == products_of(rung, problem);
}

double probe_operations(const struct rung *probe, const struct problem *problem)
{
    unsigned products = tensor_products_of(probe->name);
    return problem->kernel->cost(problem).operations * (products ? products : 1);
}

bool probe_is_of_memory(const char *rung)
{
    return strcmp(rung, probe_fma.name) != 0 && !tensor_products_of(rung);
}
