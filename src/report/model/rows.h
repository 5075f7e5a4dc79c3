/* A table's row for one measurement, computed from its samples. */
#pragma once

#include "store/measurement.h"

struct row {
    const struct measurement *measurement;
    struct summary time; /* compute */
    double end_to_end;   /* median ns of the whole, 0 when not measured */
    double rate;         /* in rate_unit */
    double of_ceiling;   /* fraction; 0 without a ceiling, or where noise voids it */
    double speed_up;     /* over the base; 0 without a base, or where noise voids it */
    bool is_void;        /* noise voids the figure itself (store/noise.h): then the rate is 0, too */
    bool share_is_void, speed_up_is_void;
    double spread; /* half the distance between quartiles, relative to the median */
};

/* `base` may be NULL. */
struct row row_make(const struct measurement_list *list, const struct measurement *measurement,
                    const struct measurement *base);

/* The measurement that speed-ups of this problem refer to: the first on the ladder that passed; NULL when none did. */
const struct measurement *row_base(const struct measurement_list *list, const char *problem);

/* Of one job: one kernel, problem, device and run. */
bool measured_together(const struct measurement *a, const struct measurement *b);

/* Whether no measurement before this one is like it: it names the group. */
bool is_first_alike(const struct measurement_list *list, size_t index,
                    bool (*alike)(const struct measurement *, const struct measurement *));

/* The number behind `name` ("queues=") in the parameters; 0 when there is none. */
unsigned parameter_of(const struct measurement *measurement, const char *name);
