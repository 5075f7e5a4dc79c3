#include "report/device_facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/size.h"
#include "report/figure.h"

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
    enum text title;
    enum fact_kind kind;
} facts[] = {
    {"name", TEXT_FACT_NAME, FACT_TEXT},
    {"vendor", TEXT_FACT_VENDOR, FACT_TEXT},
    {"driver", TEXT_FACT_DRIVER, FACT_TEXT},
    {"version", TEXT_FACT_VERSION, FACT_TEXT},
    {"memory_bytes", TEXT_FACT_MEMORY, FACT_BYTES},
    {"cache_bytes", TEXT_FACT_CACHE, FACT_BYTES},
    {"units", TEXT_FACT_UNITS, FACT_COUNT},
    {"clock_mhz", TEXT_FACT_CLOCK, FACT_MHZ},
    {"memory_clock_mhz", TEXT_FACT_MEMORY_CLOCK, FACT_MHZ},
    {"memory_bus_bits", TEXT_FACT_MEMORY_BUS, FACT_BITS},
    {"bus", TEXT_FACT_BUS, FACT_TEXT},
    {"warp_items", TEXT_FACT_WARP, FACT_COUNT},
    {"group_items", TEXT_FACT_GROUP_ITEMS, FACT_COUNT},
    {"group_size_x", TEXT_FACT_GROUP_X, FACT_COUNT},
    {"group_size_y", TEXT_FACT_GROUP_Y, FACT_COUNT},
    {"group_size_z", TEXT_FACT_GROUP_Z, FACT_COUNT},
    {"grid_groups_x", TEXT_FACT_GRID_X, FACT_COUNT},
    {"grid_groups_y", TEXT_FACT_GRID_Y, FACT_COUNT},
    {"grid_groups_z", TEXT_FACT_GRID_Z, FACT_COUNT},
    {"local_bytes_per_group", TEXT_FACT_LOCAL_GROUP, FACT_BYTES},
    {"local_bytes_per_group_limit", TEXT_FACT_LOCAL_LIMIT, FACT_BYTES},
    {"local_bytes_per_unit", TEXT_FACT_LOCAL_UNIT, FACT_BYTES},
    {"constant_bytes", TEXT_FACT_CONSTANT, FACT_BYTES},
    {"registers_per_group", TEXT_FACT_REGISTERS_GROUP, FACT_COUNT},
    {"registers_per_unit", TEXT_FACT_REGISTERS_UNIT, FACT_COUNT},
    {"items_per_unit", TEXT_FACT_RESIDENT, FACT_COUNT},
    {"has_double", TEXT_FACT_DOUBLE, FACT_FLAG},
    {"has_images", TEXT_FACT_IMAGES, FACT_FLAG},
    {"unified_memory", TEXT_FACT_UNIFIED, FACT_FLAG},
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
    return fact ? say(fact->title) : key;
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
        snprintf(shown.text, sizeof shown.text, "%s", say(yes ? TEXT_YES : TEXT_NO));
    } else if (number) {
        const char *unit = fact->kind == FACT_MHZ    ? say(TEXT_UNIT_MHZ)
                           : fact->kind == FACT_BITS ? say(TEXT_UNIT_BITS)
                                                     : "";
        snprintf(shown.text, sizeof shown.text, "%s%s",
                 fact->kind == FACT_BYTES ? figure_bytes((double)number).text : figure_count((size_t)number).text,
                 unit);
    }
    return shown;
}
