/* Drivers and vendors' libraries are tried in a child process before this process loads them: one that crashes, hangs
 * or calls exit() is reported, and the program goes on without it.
 *
 * Where no child can be started (base/child_process.h: a user of the C library, a child itself) they are loaded
 * untried. */
#pragma once

#include "base/child_process.h"
#include "base/message.h"
#include "base/status.h"

#define TRIAL_SECONDS 60

/* Lets a child open the first of `paths` (NULL-terminated) that loads, once per process for each title.
 * STATUS_UNAVAILABLE with what it did to the child; STATUS_OK otherwise, also when none loads: that is the caller's
 * affair. While a driver is being asked for devices, and in a child, nothing is tried. */
enum status library_trial(const char *title, const char *const *paths, struct error *error);

/* The child's entry: "load" ADDRESSES TITLE PATH…. */
int load_child(struct child_link *parent, int argc, char **argv);

/* The report of a trial's child. */
struct trial_done {
    enum status status;
    int count; /* of a backend's devices; -1: not counted */
    struct error error;
    char origin[MESSAGE_ORIGIN_BYTES];
};

/* TRIAL_SECONDS or USKOR_DRIVER_SECONDS. */
double trial_patience(void);

/* Runs a child's entry that ends with trial_report. STATUS_OK when the child lived to report, with its report in
 * `done`; STATUS_UNAVAILABLE with what ended it in `why`. A child without a sign of life for TRIAL_SECONDS is ended;
 * USKOR_DRIVER_SECONDS sets another time. A signal meanwhile ends the program at once. */
enum status trial_run(const char *entry, const char *const *arguments, struct trial_done *done, struct error *why);

/* What a trial's child does first, with the text that trial_addresses made in its parent: it leaves itself as little of
 * the address space (ulimit -v) as the parent has, which holds the libraries before, and `spared` bytes less. */
#define TRIAL_ADDRESSES_BYTES 24
const char *trial_addresses(uint64_t spared, char text[TRIAL_ADDRESSES_BYTES]);
void trial_take_place(const char *addresses);

void trial_report(struct child_link *parent, struct trial_done *done);
