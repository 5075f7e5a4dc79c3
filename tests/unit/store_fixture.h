/* Stores in a folder of their own, and measurements to put into them. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "base/size.h"
#include "store/store.h"

static char folder[] = "/tmp/uskor-store-XXXXXX";

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* A name in the folder; the next call overwrites it. */
static inline const char *in_folder(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* STATUS_OK, or the test fails with the message. */
#define GOOD(call)                         \
    do {                                   \
        struct error error = {""};         \
        if ((call) != STATUS_OK)           \
            FAIL_WITH("%s\n", error.text); \
    } while (0)

static inline struct store *open_store(const char *path)
{
    struct store *store = NULL;
    GOOD(store_open(path, &store, &error));
    return store;
}

static inline int64_t begin(struct store *store, const char *label)
{
    int64_t run = 0;
    GOOD(store_begin_run(store, &(struct run_facts){.command = "uskor bench", .label = label, .code_version = "0.1"},
                         &run, &error));
    return run;
}

/* A measurement with three samples of the phase `compute`. */
static inline struct measurement sampled(const char *rung, enum measured_kind kind, int64_t made_at)
{
    struct measurement measurement = {.kind = kind, .made_at = made_at, .batch = 3, .bytes = 1e9, .work = 1e18};
    strcpy(measurement.kernel, "transpose");
    strcpy(measurement.problem, "transpose:rows=4,cols=5,f32");
    strcpy(measurement.device, "cpu");
    strcpy(measurement.device_name, "A processor");
    snprintf(measurement.rung, sizeof measurement.rung, "%s", rung);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(samples_add(&measurement.phases[PHASE_COMPUTE], 100.5 + i, i));
    return measurement;
}

static inline void forget(struct measurement *measurement)
{
    for (int phase = 0; phase < PHASE_COUNT; phase++)
        free(measurement->phases[phase].items);
}

static inline int64_t add(struct store *store, int64_t run, const char *rung, enum measured_kind kind, int64_t made_at)
{
    int64_t id = 0;
    struct measurement measurement = sampled(rung, kind, made_at);
    GOOD(store_add(store, run, &measurement, &id, &error));
    forget(&measurement);
    return id;
}

static inline struct measurement_list chosen(struct store *store, struct store_filter filter)
{
    struct measurement_list list = {0};
    GOOD(store_measurements(store, &filter, &list, &error));
    return list;
}
