/* uskor bench KERNEL --devices: a ladder over several devices. */
#pragma once

#include "cli/options/bench_session.h"

/* The whole command from the session's start to its end: returns the exit code. `group` is what --devices says; `weak`:
 * the problem grows with the devices. */
int run_bench_devices(struct bench_session *session, const char *group, bool weak);
