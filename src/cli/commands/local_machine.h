/* The facts about this machine that a publication is compared with. */
#ifndef USKOR_CLI_COMMANDS_LOCAL_MACHINE_H
#define USKOR_CLI_COMMANDS_LOCAL_MACHINE_H

#include "cli/options/bench_session.h"
#include "publications/reproduction.h"

struct local_machine {
    struct here_fact *facts;
    size_t fact_count;
    char no_opencl[512], no_cuda[512]; /* the reason why there is no such device; empty when there is one */
};

/* Gathers the properties of the open devices and the host, the stored ceilings, and the reasons for missing devices. */
enum status local_machine_gather(const struct bench_session *session, struct local_machine *gathered,
                                 struct error *error);
void local_machine_release(struct local_machine *gathered);

/* Borrows both. */
struct here local_machine_of(const struct local_machine *gathered, const struct measurement_list *list);

#endif
