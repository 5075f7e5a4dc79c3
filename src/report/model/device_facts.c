#include "report/model/device_facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/translation.h"
#include "report/model/figure_text.h"

enum fact_kind {
    FACT_TEXT,
    FACT_BYTES,
    FACT_COUNT,
    FACT_MHZ,
    FACT_BITS,
    FACT_FLAG,
};

static const struct fact {
    const char *key;
    const char *title;
    enum fact_kind kind;
} facts[] = {
    {"name", N_("name"), FACT_TEXT},
    {"vendor", N_("vendor"), FACT_TEXT},
    {"driver", N_("driver"), FACT_TEXT},
    {"version", N_("version"), FACT_TEXT},
    {"memory_bytes", N_("memory"), FACT_BYTES},
    {"cache_bytes", N_("last-level cache"), FACT_BYTES},
    {"units", N_("units (multiprocessors, cores)"), FACT_COUNT},
    {"clock_mhz", N_("clock"), FACT_MHZ},
    {"memory_clock_mhz", N_("memory clock"), FACT_MHZ},
    {"memory_bus_bits", N_("memory bus"), FACT_BITS},
    {"bus", N_("bus"), FACT_TEXT},
    {"warp_items", N_("warp, items"), FACT_COUNT},
    {"group_items", N_("items in a group, at most"), FACT_COUNT},
    {"group_size_x", N_("items in a group, x"), FACT_COUNT},
    {"group_size_y", N_("items in a group, y"), FACT_COUNT},
    {"group_size_z", N_("items in a group, z"), FACT_COUNT},
    {"grid_groups_x", N_("groups in a grid, x"), FACT_COUNT},
    {"grid_groups_y", N_("groups in a grid, y"), FACT_COUNT},
    {"grid_groups_z", N_("groups in a grid, z"), FACT_COUNT},
    {"local_bytes_per_group", N_("local memory of a group"), FACT_BYTES},
    {"local_bytes_per_group_limit", N_("local memory of a group, on request"), FACT_BYTES},
    {"local_bytes_per_unit", N_("local memory of a unit"), FACT_BYTES},
    {"constant_bytes", N_("constant memory"), FACT_BYTES},
    {"registers_per_group", N_("registers of a group"), FACT_COUNT},
    {"registers_per_unit", N_("registers of a unit"), FACT_COUNT},
    {"items_per_unit", N_("resident items on a unit"), FACT_COUNT},
    {"has_double", N_("double precision"), FACT_FLAG},
    {"has_images", N_("images"), FACT_FLAG},
    {"unified_memory", N_("shares memory with the host"), FACT_FLAG},
};

static const struct fact *find(const char *key)
{
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        if (strcmp(facts[i].key, key) == 0)
            return &facts[i];
    return NULL;
}

const char *device_fact_title(const char *key)
{
    const struct fact *fact = find(key);
    return fact ? tr(fact->title) : key;
}

struct fact_value device_fact_value(const char *key, const char *value)
{
    const struct fact *fact = find(key);
    struct fact_value shown = {""};
    unsigned long long number = strtoull(value, NULL, 10);
    if (!fact || fact->kind == FACT_TEXT) {
        snprintf(shown.text, sizeof shown.text, "%s", value);
    } else if (fact->kind == FACT_FLAG) {
        bool yes = number || strcmp(value, "true") == 0 || strcmp(value, "yes") == 0;
        snprintf(shown.text, sizeof shown.text, "%s", tr(yes ? N_("yes") : N_("no")));
    } else if (number) {
        const char *unit = fact->kind == FACT_MHZ ? tr(" MHz") : fact->kind == FACT_BITS ? tr(" bits") : "";
        snprintf(shown.text, sizeof shown.text, "%s%s",
                 fact->kind == FACT_BYTES ? figure_bytes((double)number).text : figure_count((size_t)number).text,
                 unit);
    }
    return shown;
}
