/* A backend's driver is tried in a child process before this process asks it (base/library_trial.h). */
#pragma once

#include "backends/backend.h"
#include "base/child_process.h"

/* backend->probe, after a child has counted and opened its devices without harm, once per process. STATUS_UNAVAILABLE
 * with what the driver did to the child. */
enum status backend_probe(const struct backend *backend, int *count, struct error *error);

/* Whether this process has loaded a driver. From then on it has threads, files, handlers of signals and mappings that
 * are the driver's, and change at any time. */
bool backend_driver_is_loaded(void);

/* Whether a driver did harm in the child that tried it, which is what backend_probe's message is about then. */
bool backend_is_harmful(const struct backend *backend);

/* For a backend that backend_probe was called for: what of it is left out though it is installed, with the reason: a
 * driver that did harm in the child, a platform that does not list its devices. "" where nothing is. To be told to the
 * user: what is absent by a fault must not look like what was never there. */
void backend_describe_faults(const struct backend *backend, char *text, size_t size);

/* backend->describe_missing, as drivers are asked for it; "" where the backend has none. */
void backend_describe_missing(const struct backend *backend, bool faults_only, char *text, size_t size);

/* The child's entry: "probe" BACKEND ADDRESSES. */
int probe_child(struct child_link *parent, int argc, char **argv);
