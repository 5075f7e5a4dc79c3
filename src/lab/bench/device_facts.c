#include "lab/bench/device_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"

#define AT(field) offsetof(struct device_properties, field)

const struct property device_property_list[] = {
    {"name", PROPERTY_TEXT, AT(name)},
    {"vendor", PROPERTY_TEXT, AT(vendor)},
    {"driver", PROPERTY_TEXT, AT(driver)},
    {"version", PROPERTY_TEXT, AT(version)},
    {"memory_bytes", PROPERTY_LARGE_NUMBER, AT(memory_bytes)},
    {"cache_bytes", PROPERTY_LARGE_NUMBER, AT(cache_bytes)},
    {"units", PROPERTY_NUMBER, AT(units)},
    {"clock_mhz", PROPERTY_NUMBER, AT(clock_mhz)},
    {"memory_clock_mhz", PROPERTY_NUMBER, AT(memory_clock_mhz)},
    {"memory_bus_bits", PROPERTY_NUMBER, AT(memory_bus_bits)},
    {"bus", PROPERTY_TEXT, AT(bus)},
    {"warp_items", PROPERTY_NUMBER, AT(warp_items)},
    {"group_items", PROPERTY_NUMBER, AT(group_items)},
    {"group_size_x", PROPERTY_NUMBER, AT(group_size[0])},
    {"group_size_y", PROPERTY_NUMBER, AT(group_size[1])},
    {"group_size_z", PROPERTY_NUMBER, AT(group_size[2])},
    {"grid_groups_x", PROPERTY_LARGE_NUMBER, AT(grid_groups[0])},
    {"grid_groups_y", PROPERTY_LARGE_NUMBER, AT(grid_groups[1])},
    {"grid_groups_z", PROPERTY_LARGE_NUMBER, AT(grid_groups[2])},
    {"local_bytes_per_group", PROPERTY_LARGE_NUMBER, AT(local_bytes_per_group)},
    {"local_bytes_per_group_limit", PROPERTY_LARGE_NUMBER, AT(local_bytes_per_group_limit)},
    {"local_bytes_per_unit", PROPERTY_LARGE_NUMBER, AT(local_bytes_per_unit)},
    {"constant_bytes", PROPERTY_LARGE_NUMBER, AT(constant_bytes)},
    {"registers_per_group", PROPERTY_NUMBER, AT(registers_per_group)},
    {"registers_per_unit", PROPERTY_NUMBER, AT(registers_per_unit)},
    {"items_per_unit", PROPERTY_NUMBER, AT(items_per_unit)},
    {"has_double", PROPERTY_FLAG, AT(has_double)},
    {"has_images", PROPERTY_FLAG, AT(has_images)},
    {"unified_memory", PROPERTY_FLAG, AT(unified_memory)},
};

const size_t device_property_count = COUNT_OF(device_property_list);

const char *property_text(const struct property *property, const struct device_properties *properties)
{
    return (const char *)properties + property->offset;
}

uint64_t property_number(const struct property *property, const struct device_properties *properties)
{
    const char *at = (const char *)properties + property->offset;
    if (property->kind == PROPERTY_NUMBER)
        return *(const uint32_t *)at;
    if (property->kind == PROPERTY_FLAG)
        return *(const bool *)at;
    return *(const uint64_t *)at;
}

enum status device_describe(const struct device *device, struct machine_device *into, struct error *error)
{
    *into = (struct machine_device){.facts = calloc(device_property_count, sizeof *into->facts)};
    if (!into->facts)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a device's properties");
    snprintf(into->id, sizeof into->id, "%s", device->id);
    snprintf(into->name, sizeof into->name, "%s", device->properties.name);
    snprintf(into->driver, sizeof into->driver, "%s", device->properties.driver);
    for (size_t i = 0; i < device_property_count; i++) {
        const struct property *property = &device_property_list[i];
        struct device_fact *entry = &into->facts[into->fact_count];
        uint64_t number = property->kind == PROPERTY_TEXT ? 0 : property_number(property, &device->properties);
        snprintf(entry->key, sizeof entry->key, "%s", property->key);
        if (property->kind == PROPERTY_TEXT)
            snprintf(entry->value, sizeof entry->value, "%s", property_text(property, &device->properties));
        else if (number || property->kind == PROPERTY_FLAG)
            snprintf(entry->value, sizeof entry->value, "%" PRIu64, number);
        into->fact_count += entry->value[0] != 0;
    }
    return STATUS_OK;
}
