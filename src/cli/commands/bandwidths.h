/* Bandwidth measurements of a command: kept in the store as they are made, with progress shown. */
#pragma once

#include "cli/options/bench_session.h"
#include "lab/transfers/bandwidth.h"

/* Of one device, at the sizes and for the time that `how` names, added to session->list. Errors as lab_bandwidth. */
enum status measure_bandwidth(struct bench_session *session, struct device *device, struct bandwidth_options how,
                              struct error *error);
