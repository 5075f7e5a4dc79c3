#include "cli/commands/report_reproductions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "publications/machine_facts.h"

/* Reads one publication's measurements; without any it is left out. */
static enum status load_one(struct store *store, const struct machine *machine, const char *name, size_t fact_count,
                            struct reproductions *into, struct error *error)
{
    char label[128];
    snprintf(label, sizeof label, "reproduce:%.80s", name);
    struct store_filter filter = {.machine = machine->id, .label = label};
    struct measurement_list list = {0};
    enum status status = store_measurements(store, &filter, &list, error);
    if (status != STATUS_OK || !list.count) {
        measurement_list_free(&list);
        return status;
    }
    size_t index = into->count;
    struct publication *publication = &into->publications[index];
    into->lists[index] = list;
    status = publication_open(name, publication, error);
    if (status != STATUS_OK) {
        measurement_list_free(&into->lists[index]);
        return status;
    }
    into->count++;
    struct here here = {.list = &into->lists[index], .facts = into->facts, .fact_count = fact_count};
    return reproduction_build(publication, &here, &into->items[index], error);
}

enum status reproductions_load(struct store *store, const struct machine *machine, const struct ceiling_list *ceilings,
                               struct reproductions *reproductions, struct error *error)
{
    size_t fact_count;
    *reproductions = (struct reproductions){.count = 0};
    enum status status = machine_facts_make(machine, ceilings, &reproductions->facts, &fact_count, error);
    for (size_t i = 0; status == STATUS_OK && publication_names[i] && i < REPRODUCTIONS_MOST; i++)
        status = load_one(store, machine, publication_names[i], fact_count, reproductions, error);
    reproductions->context = (struct reproduction_chapter){reproductions->items, reproductions->count};
    reproductions->chapter = (struct chapter){
        .id = "publications",
        .title = localized_text(&reproduction_chapter_title),
        .write = chapter_reproduction,
        .context = &reproductions->context,
    };
    return status;
}

void reproductions_free(struct reproductions *reproductions)
{
    for (size_t i = 0; i < reproductions->count; i++) {
        reproduction_free(&reproductions->items[i]);
        measurement_list_free(&reproductions->lists[i]);
        publication_free(&reproductions->publications[i]);
    }
    free(reproductions->facts);
    *reproductions = (struct reproductions){.count = 0};
}
