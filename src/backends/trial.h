/* Drivers and vendors' libraries are tried in a child before they are let into this process: one that crashes, hangs or
 * calls exit() is then told of, and the program goes on without it.
 *
 * Where no child can be started (base/child_process.h: a user of the C library, a child itself) they are loaded
 * untried. */
#ifndef USKOR_BACKENDS_TRIAL_H
#define USKOR_BACKENDS_TRIAL_H

#include "backends/backend.h"
#include "base/child_process.h"

/* backend->probe, after a child has counted and opened its devices without harm, once per process. STATUS_UNAVAILABLE
 * with what the driver did to the child. A child without a sign of life for TRIAL_SECONDS is ended;
 * USKOR_DRIVER_SECONDS sets another time. */
enum status backend_probe(const struct backend *backend, int *count, struct error *error);

#define TRIAL_SECONDS 60

/* Lets a child open the first of `paths` (NULL-terminated) that loads, once per process for each title.
 * STATUS_UNAVAILABLE with what it did to the child; STATUS_OK otherwise, also when none loads: that is the caller's
 * affair. Within backend_probe, and in a child, nothing is tried. */
enum status library_trial(const char *title, const char *const *paths, struct error *error);

/* The children's entries: "probe" BACKEND, "load" TITLE PATH…. */
int probe_child(struct child_link *parent, int argc, char **argv);
int load_child(struct child_link *parent, int argc, char **argv);

#endif
