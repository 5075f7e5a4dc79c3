/* This machine's measurement for each figure of a publication. */
#pragma once

#include "publications/publication.h"
#include "store/measurement.h"

/* A mean over the samples of one measurement, in ns. */
struct mean {
    const struct measurement *measurement; /* where it is from; NULL: nothing was measured at all */
    double value, deviation;               /* 0 when it was not timed: the measurement's verdict says why */
    size_t count;
    int64_t size;
};

/* Whether the measurement is one of the run's: kernel, problem's fields, rung, at this size. Parameters are not looked
 * at. */
bool measured_belongs(const struct measurement *measurement, const struct publication_run *run, int64_t size);

/* Whether every "NAME=VALUE" of `wanted` is among the words of `parameters`. */
bool measured_with(const char *parameters, const char *wanted);

/* The run on a device at a size, at its best: of the choices (those that `parameters` names, NULL: all) the one with
 * the least mean of whole or kernel times. */
struct mean measured_mean(const struct measurement_list *list, const struct publication_run *run, int64_t size,
                          const char *parameters, const char *device, bool whole);

/* The same at the largest of the run's sizes at which it was timed, when `size` is 0. */
struct mean measured_tie(const struct measurement_list *list, const struct tie *tie, const char *device, bool whole);

struct ratio {
    double value, error; /* t_over / t_of, and (s_over t_of + t_over s_of) / t_of² */
    double doubt;        /* how far it may be off, as a fraction of it: two standard errors, at least 1 % */
};
struct ratio ratio_of(const struct mean *of, const struct mean *over);

/* The device that a ratio's base is measured on: `device` itself when `technology` is 0, else the device of that
 * technology, on the same hardware where there are several; NULL when there is none. */
const char *measured_base_device(const struct measurement_list *list, const char *device, enum technology technology);

/* The devices that have measurements, in their order; returns their number, at most `most`. The texts are the
 * measurements' own. */
size_t measured_devices(const struct measurement_list *list, const struct measurement *devices[], size_t most);
