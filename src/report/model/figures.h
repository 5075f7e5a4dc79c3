/* A measurement's figures besides its time: rate, share of the ceiling, speed-up, and which of them noise
 * voids. Worked out here and nowhere else: the terminal, the pages and the exports print (tests/house/figures.sh). */
#pragma once

#include "store/measurement.h"
#include "store/noise.h"

struct figures {
    struct summary time;        /* of the compute phase, ns; of the end-to-end time where nothing else was timed */
    struct summary end_to_end;  /* host memory to host memory; no samples where it was not measured */
    double rate;                /* in rate_unit, of the median; 0 where noise voids it */
    double rate_low, rate_high; /* of the quartiles */
    double spread;              /* half the distance between the quartiles of the time, relative to the median */
    bool is_void;               /* noise voids the time and all that follows from it (store/noise.h) */
};

/* All zero when the measurement has no samples. Its verdict is not looked at. */
struct figures figures_of(const struct measurement *measurement);

/* The rate of a measurement that passed: figures_of(…).rate; 0 for one that did not, and for NULL. */
double figures_rate(const struct measurement *measurement);

/* How many times faster `a` is than `b`: the share of a ceiling `b`, the speed-up over a base `b`. By the compute
 * phase, and by the end-to-end times where either has nothing else. 0 and not void when `b` is NULL or there are no
 * samples. */
struct measured_ratio figures_ratio(const struct measurement *a, const struct measurement *b);

/* The share of the ceiling that the list has for it (measurement_ceiling), and the ceiling; NULL and 0 when it has
 * none. */
struct measured_ratio figures_share(const struct measurement_list *list, const struct measurement *of,
                                    const struct measurement **ceiling);
