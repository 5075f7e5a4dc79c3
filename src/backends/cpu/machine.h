/* The machine's resources that this process may use, as far as the system reports them. */
#pragma once

#include <sched.h>

#include "backends/backend.h"

/* Processors that this process may run on (base/processors.h: processors_mask), at least 1. */
int machine_processors(void);

/* What the system's files say: a file's first line without its end (false when there is no such file); the number at
 * its start (0 when there is none, as in "max"); the value of the first line "key : value" in /proc/cpuinfo. */
bool machine_read_line(const char *path, char *line, size_t size);
uint64_t machine_read_number(const char *path);
bool machine_read_cpuinfo(const char *key, char *value, size_t size);

/* The name of an ARM core's designer by the number that /proc/cpuinfo gives as "CPU implementer": "ARM" for "0x41". The
 * text itself where the number is unknown. */
const char *cpu_implementer(const char *code);

/* The highest clock of these processors, from a set as wide as `width`; 0 where the system does not say. `root` is put
 * before every path: "" for this machine. */
uint32_t machine_clock_mhz(const char *root, const cpu_set_t *usable, int width);

/* Bytes of memory: the machine's, or the control group's limit where that is lower. */
uint64_t machine_memory_bytes(void);

/* Fills name, vendor, driver, version, units, memory, cache, clock and vector width. */
void machine_describe(struct device_properties *properties);

/* Fills what rungs, their choice and allocations need, on x86-64 without reading a file: name, version, units, memory,
 * cache (an estimate), vector width. */
void machine_describe_bare(struct device_properties *properties);
