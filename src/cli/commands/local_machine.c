#include "cli/commands/local_machine.h"

#include <stdlib.h>

#include "backends/trial.h"
#include "base/message.h"
#include "base/translation.h"
#include "lab/bench/device_facts.h"
#include "publications/machine_facts.h"

/* The reason why the selection has no device of the backend: it was not requested, or the probe's message. */
static void explain_absence(const struct selection *selection, enum backend_kind kind, char reason[512])
{
    reason[0] = 0;
    for (size_t i = 0; i < selection->device_count; i++)
        if (selection->devices[i]->backend->kind == kind)
            return;
    if (selection->device_name_count) {
        explain(reason, 512, "not among the devices chosen (--device)");
        return;
    }
    for (size_t b = 0; backends[b]; b++) {
        int count;
        struct error why = {N_("its device did not open")};
        if (backends[b]->kind != kind)
            continue;
        backend_probe(backends[b], &count, &why);
        explain(reason, 512, "no %s device: %.400s", kind == BACKEND_CUDA ? "CUDA" : "OpenCL", why.text);
    }
}

/* Ceilings are a help, not a need: without the store's there is one figure less. */
static void find_ceilings(struct store *store, struct ceiling_list *ceilings)
{
    int64_t machine;
    *ceilings = (struct ceiling_list){0};
    if (store && store_this_machine(store, &machine, NULL) == STATUS_OK)
        store_ceilings(store, machine, NULL, ceilings, NULL);
}

enum status local_machine_gather(const struct bench_session *session, struct local_machine *gathered,
                                 struct error *error)
{
    const struct selection *selection = &session->selection;
    struct machine machine;
    struct ceiling_list ceilings;
    *gathered = (struct local_machine){0};
    explain_absence(selection, BACKEND_OPENCL, gathered->no_opencl);
    explain_absence(selection, BACKEND_CUDA, gathered->no_cuda);
    machine_here(&machine);
    machine.devices = calloc(selection->device_count + 1, sizeof *machine.devices);
    if (!machine.devices)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the devices' properties");
    enum status status = STATUS_OK;
    while (status == STATUS_OK && machine.device_count < selection->device_count) {
        struct machine_device *into = &machine.devices[machine.device_count];
        status = device_describe(selection->devices[machine.device_count++], into, error);
    }
    find_ceilings(session->store, &ceilings);
    if (status == STATUS_OK)
        status = machine_facts_make(&machine, &ceilings, &gathered->facts, &gathered->fact_count, error);
    ceiling_list_free(&ceilings);
    machine_free(&machine);
    return status;
}

void local_machine_release(struct local_machine *gathered)
{
    free(gathered->facts);
    gathered->facts = NULL;
    gathered->fact_count = 0;
}

struct here local_machine_of(const struct local_machine *gathered, const struct measurement_list *list)
{
    return (struct here){
        .list = list,
        .facts = gathered->facts,
        .fact_count = gathered->fact_count,
        .no_opencl = gathered->no_opencl[0] ? gathered->no_opencl : NULL,
        .no_cuda = gathered->no_cuda[0] ? gathered->no_cuda : NULL,
    };
}
