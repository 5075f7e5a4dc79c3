/* Row V1 as a table: every property of a device, for people, for JSON and for the store. */
#ifndef USKOR_CLI_DEVICE_FACTS_H
#define USKOR_CLI_DEVICE_FACTS_H

#include "backends/backend.h"
#include "store/store.h"

enum fact_kind {
    FACT_TEXT,
    FACT_NUMBER,
    FACT_BYTES,
    FACT_LARGE_NUMBER, /* 64 bits */
    FACT_FLAG,
};

struct fact {
    const char *title, *key; /* for people, for programs */
    enum fact_kind kind;
    size_t offset; /* in struct device_properties */
    const char *unit;
};

extern const struct fact device_facts[];
extern const size_t device_fact_count;

/* The property's value; a text's is "" when it is not known, a number's 0. */
const char *fact_text(const struct fact *fact, const struct device_properties *properties);
uint64_t fact_number(const struct fact *fact, const struct device_properties *properties);

/* What the store and a publication's page say of a device: every property that is known. `into` is the caller's, and
 * into->facts to be freed; STATUS_UNAVAILABLE: no memory. */
enum status device_describe(const struct device *device, struct machine_device *into, struct error *error);

#endif
