#include "publications/facts.h"

#include <string.h>

static const char *fact_of(const struct here *here, const char *device, const char *key)
{
    for (size_t i = 0; i < here->fact_count; i++)
        if (strcmp(here->facts[i].device, device) == 0 && strcmp(here->facts[i].key, key) == 0)
            return here->facts[i].value;
    return NULL;
}

/* "host:os" is the host's "os"; all else is a device's. */
static bool is_of_host(const char *property)
{
    return strncmp(property, "host:", 5) == 0;
}

static const char *value_for(const struct here *here, const char *device, const char *property)
{
    if (!property || is_of_host(property) != !*device)
        return NULL;
    return fact_of(here, device, is_of_host(property) ? property + 5 : property);
}

static bool add_device(struct panel_comparison *into, const struct here *here, const char *device,
                       struct here_column *(*add)(struct panel_comparison *))
{
    const struct panel *panel = into->panel;
    bool has_any = false;
    for (size_t r = 0; r < panel->row_count; r++)
        has_any = has_any || value_for(here, device, panel->rows[r].property);
    if (!has_any)
        return true;
    struct here_column *column = add(into);
    if (!column)
        return false;
    column->device = device;
    column->device_name = *device ? fact_of(here, device, "name") : NULL;
    column->technology = technology_of_device(device);
    for (size_t r = 0; r < panel->row_count; r++) {
        column->cells[r].text = value_for(here, device, panel->rows[r].property);
        column->cells[r].state = column->cells[r].text ? HERE_FACT : HERE_EMPTY;
        column->cells[r].is_version = panel->rows[r].property && strcmp(panel->rows[r].property, "version") == 0;
    }
    return true;
}

bool facts_fill(struct panel_comparison *into, const struct here *here,
                struct here_column *(*add)(struct panel_comparison *))
{
    for (size_t i = 0; i < here->fact_count; i++) {
        const char *device = here->facts[i].device;
        bool is_first = strcmp(device, "cpu") != 0; /* the host's own rows say it */
        for (size_t before = 0; before < i && is_first; before++)
            is_first = strcmp(here->facts[before].device, device) != 0;
        if (is_first && !add_device(into, here, device, add))
            return false;
    }
    return true;
}
