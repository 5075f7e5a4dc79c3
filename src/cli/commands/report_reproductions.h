/* The report's chapter of publications: those of whose protocols the store has measurements. */
#pragma once

#include "report/html/document.h"
#include "report/terminal/reproduction.h"

#define REPRODUCTIONS_MOST 16

struct reproductions {
    struct publication publications[REPRODUCTIONS_MOST];
    struct measurement_list lists[REPRODUCTIONS_MOST];
    struct reproduction items[REPRODUCTIONS_MOST];
    size_t count;
    struct here_fact *facts;
    struct reproduction_chapter context;
    struct chapter chapter; /* to be put into a report when count is not 0 */
};

/* Reads what a machine's runs with the label "reproduce:NAME" measured, and compares. It borrows nothing of the
 * machine's or the ceilings. The caller releases it with reproductions_free, on failure too. */
enum status reproductions_load(struct store *store, const struct machine *machine, const struct ceiling_list *ceilings,
                               struct reproductions *reproductions, struct error *error);
void reproductions_free(struct reproductions *reproductions);
