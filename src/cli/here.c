#include "cli/here.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/device_facts.h"
#include "publications/machine_facts.h"

/* Why the selection has no device of the backend: it was not asked for, or the probe's own words. */
static void explain_absence(const struct selection *selection, enum backend_kind kind, char reason[512])
{
    reason[0] = 0;
    for (size_t i = 0; i < selection->device_count; i++)
        if (selection->devices[i]->backend->kind == kind)
            return;
    if (selection->device_name_count) {
        snprintf(reason, 512, "not among the devices chosen (--device)");
        return;
    }
    for (size_t b = 0; backends[b]; b++) {
        int count;
        struct error why = {"its device did not open"};
        if (backends[b]->kind != kind)
            continue;
        backends[b]->probe(&count, &why);
        snprintf(reason, 512, "no %s device: %.400s", kind == BACKEND_CUDA ? "CUDA" : "OpenCL", why.text);
    }
}

static enum status describe_device(const struct device *device, struct machine_device *into, struct error *error)
{
    snprintf(into->id, sizeof into->id, "%s", device->id);
    snprintf(into->name, sizeof into->name, "%s", device->properties.name);
    snprintf(into->driver, sizeof into->driver, "%s", device->properties.driver);
    into->facts = calloc(device_fact_count, sizeof *into->facts);
    if (!into->facts)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a device's properties");
    for (size_t i = 0; i < device_fact_count; i++) {
        const struct fact *fact = &device_facts[i];
        struct device_fact *entry = &into->facts[into->fact_count];
        uint64_t number = fact->kind == FACT_TEXT ? 0 : fact_number(fact, &device->properties);
        snprintf(entry->key, sizeof entry->key, "%s", fact->key);
        if (fact->kind == FACT_TEXT)
            snprintf(entry->value, sizeof entry->value, "%s", fact_text(fact, &device->properties));
        else if (number)
            snprintf(entry->value, sizeof entry->value, "%" PRIu64, number);
        into->fact_count += entry->value[0] != 0;
    }
    return STATUS_OK;
}

/* Ceilings are a help, not a need: without the store's there is one figure less. */
static void find_ceilings(struct store *store, struct ceiling_list *ceilings)
{
    int64_t machine;
    *ceilings = (struct ceiling_list){0};
    if (store && store_this_machine(store, &machine, NULL) == STATUS_OK)
        store_ceilings(store, machine, NULL, ceilings, NULL);
}

enum status here_gather(const struct measuring *measuring, struct here_gathered *gathered, struct error *error)
{
    const struct selection *selection = &measuring->selection;
    struct machine machine;
    struct ceiling_list ceilings;
    *gathered = (struct here_gathered){0};
    explain_absence(selection, BACKEND_OPENCL, gathered->no_opencl);
    explain_absence(selection, BACKEND_CUDA, gathered->no_cuda);
    machine_here(&machine);
    machine.devices = calloc(selection->device_count + 1, sizeof *machine.devices);
    if (!machine.devices)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the devices' properties");
    enum status status = STATUS_OK;
    while (status == STATUS_OK && machine.device_count < selection->device_count) {
        struct machine_device *into = &machine.devices[machine.device_count];
        status = describe_device(selection->devices[machine.device_count++], into, error);
    }
    find_ceilings(measuring->store, &ceilings);
    if (status == STATUS_OK)
        status = machine_facts_make(&machine, &ceilings, &gathered->facts, &gathered->fact_count, error);
    ceiling_list_free(&ceilings);
    machine_free(&machine);
    return status;
}

void here_release(struct here_gathered *gathered)
{
    free(gathered->facts);
    gathered->facts = NULL;
    gathered->fact_count = 0;
}

struct here here_of(const struct here_gathered *gathered, const struct measurement_list *list)
{
    return (struct here){
        .list = list,
        .facts = gathered->facts,
        .fact_count = gathered->fact_count,
        .no_opencl = gathered->no_opencl[0] ? gathered->no_opencl : NULL,
        .no_cuda = gathered->no_cuda[0] ? gathered->no_cuda : NULL,
    };
}
