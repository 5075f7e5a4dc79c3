/* Every property of a device by its key: for JSON, for the store and (report/model/device_facts.h) for people. */
#pragma once

#include "backends/backend.h"
#include "store/store.h"

enum property_kind {
    PROPERTY_TEXT,
    PROPERTY_NUMBER,
    PROPERTY_LARGE_NUMBER, /* 64 bits */
    PROPERTY_FLAG,
};

struct property {
    const char *key;
    enum property_kind kind;
    size_t offset; /* in struct device_properties */
};

extern const struct property device_property_list[];
extern const size_t device_property_count;

/* The property's value: "" for an unknown text, 0 for an unknown number. The text belongs to `properties`. */
const char *property_text(const struct property *property, const struct device_properties *properties);
uint64_t property_number(const struct property *property, const struct device_properties *properties);

/* Collects every known property of a device, for the store and a publication's page. The caller owns `into` and frees
 * into->facts with free(). STATUS_UNAVAILABLE: out of memory; `into` then owns nothing. */
enum status device_describe(const struct device *device, struct machine_device *into, struct error *error);
