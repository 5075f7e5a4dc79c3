/* This machine, as a publication is compared with it. */
#ifndef USKOR_CLI_HERE_H
#define USKOR_CLI_HERE_H

#include "cli/measuring.h"
#include "publications/reproduction.h"

struct here_gathered {
    struct here_fact *facts;
    size_t fact_count;
    char no_opencl[512], no_cuda[512]; /* why there is no such device; empty where there is one */
};

/* The open devices' properties, the host's, what the store knows of their ceilings, and why there are no others. */
enum status here_gather(const struct measuring *measuring, struct here_gathered *gathered, struct error *error);
void here_release(struct here_gathered *gathered);

/* Borrows both. */
struct here here_of(const struct here_gathered *gathered, const struct measurement_list *list);

#endif
