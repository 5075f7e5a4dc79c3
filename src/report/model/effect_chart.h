/* One effect on one device, as its tables, charts and files have it: series of points, each a value of the effect's
 * parameter with its measured and its predicted time. Plain data, made by whoever measures. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/message.h"
#include "store/measurement.h"

#define EFFECT_POINTS_MAX 16
#define EFFECT_SERIES_MAX 4

struct effect_point {
    int64_t value;        /* of the parameter */
    bool was_run;         /* what follows is known */
    enum verdict verdict; /* verified before and after the timing */
    char reason[512];     /* of any but PASS: a message */
    struct summary time;  /* ns of one run */
    double predicted;     /* ns; 0: none */
    char bound_by[16];    /* of the prediction: "dram"; empty: none */
};

struct effect_series {
    char name[48], idea[200];
    struct effect_point points[EFFECT_POINTS_MAX]; /* in ascending order of `value` */
    size_t count;
    char no_prediction[512]; /* why points have none, or a lower bound: a message; empty: all was counted */
    char no_prediction_origin[MESSAGE_ORIGIN_BYTES]; /* of that message, which another process makes */
};

struct effect_chart {
    const char *name, *title, *lesson, *axis, *parameter; /* of the effect; titles are translated when shown */
    char device[32], device_name[256];                    /* empty device: predicted only, for device_name */
    char problem[256];                                    /* canonical text; empty for transfers */
    bool is_cpu_opencl;
    int64_t steps; /* a terminal shows the time of one of so many; 0: of all */
    struct effect_series series[EFFECT_SERIES_MAX];
    size_t count;
};

/* The longest time of any point, measured or predicted: the chart's right edge; 0: there is none. */
double effect_chart_longest(const struct effect_chart *chart);

/* A point's time over that of the series' first point that has one; the predicted times where none were measured. 0:
 * unknown. */
double effect_point_ratio(const struct effect_series *series, size_t index);

/* The reason that all points of the series share; NULL: they do not. */
const char *effect_series_reason(const struct effect_series *series);
