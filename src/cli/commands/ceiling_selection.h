/* Ceilings between the lab that measures them, the store that keeps them and the commands that use them. */
#pragma once

#include "cli/options/bench_session.h"

/* Measures a device's ceilings, `seconds` on the clock for each, and keeps them; they are added to session->ceilings.
 * `every_thread_count`: of the cpu, 1, 2, 4 … all threads; else 1 and all. */
enum status ceilings_measure(struct bench_session *session, struct device *device, double seconds,
                             bool every_thread_count, struct error *error);

/* Are there ceilings of this device, with its driver, and of the cpu with as many threads as it has now? */
bool ceilings_known(const struct bench_session *session, const struct device *device);

/* For 'uskor lab': measures briefly what is not kept, of every chosen device: about two seconds a device, nothing when
 * it was done before. */
enum status ceilings_ensure(struct bench_session *session, struct error *error);
