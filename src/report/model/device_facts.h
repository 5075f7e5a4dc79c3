/* The rows of a device's property table: what a fact of the store is called, and in what it is counted. */
#pragma once

/* The fact's name in the reader's language; `key` itself when it is not known. */
const char *device_fact_title(const char *key);

/* Its value as people read it: bytes in binary units, MHz, yes and no. Empty for what says nothing (0). */
struct fact_value {
    char text[256];
} device_fact_value(const char *key, const char *value);
