/* Measurements as people and programs read them. Everything here reads measurements and nothing else. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "store/measurement.h"

struct style {
    bool colour; /* terminal escapes */
    bool folds;  /* lines that are longer than the width go on in the next line (report/terminal/folded.h) */
    int width;   /* columns to fill */
};

/* Terminal escapes, or nothing. */
static inline const char *strong(struct style style)
{
    return style.colour ? "\033[1m" : "";
}
static inline const char *faint(struct style style)
{
    return style.colour ? "\033[2m" : "";
}
static inline const char *good(struct style style)
{
    return style.colour ? "\033[32m" : "";
}
static inline const char *bad(struct style style)
{
    return style.colour ? "\033[31m" : "";
}
static inline const char *plain(struct style style)
{
    return style.colour ? "\033[0m" : "";
}

/* The style for a stream: colours where it is a terminal (and NO_COLOR is unset); as wide as COLUMNS says, else as the
 * terminal is, and lines fold there. Elsewhere plain, 100 wide, and lines are as long as they are. */
struct style style_for(FILE *stream);

/* Colours from now on: "auto" (as above), "always", "never". False for another word. */
bool style_choose_colour(const char *when);

/* One table per problem and device: each rung's median time and spread, rate, % of the ceiling, speed-up over the
 * ladder's first rung, verdict; then what the figures mean. */
void report_tables(FILE *stream, const struct measurement_list *list, struct style style);

/* The same in parts, as problems end: the tables of those whose first measurement is the list's number `begin` or
 * later; and what the figures mean, in two lines of 80 columns, with what the measuring itself costs ("harness
 * overhead: …"; NULL: it is not said). */
void report_tables_from(FILE *out, const struct measurement_list *list, size_t begin, struct style style);
void report_legend(FILE *stream, const struct measurement_list *list, const char *overhead, struct style style);

/* A publication's protocol over sizes: for each rung the mean and standard deviation of its whole times, its speed-up
 * over the ladder's first rung with the error (s_first t + t_first s) / t², and the size from which on it is ahead; on
 * devices also what upload and download took in the same runs, and the whole over that. */
void report_protocol(FILE *out, const struct measurement_list *list, struct style style);

/* How fast data travels between host and device and within it: for each device a row per size and a column per way.
 * Reads the measurements of the kernel "bandwidth" and no others. */
void report_bandwidth(FILE *out, const struct measurement_list *list, struct style style);

/* Jobs in parts on several queues: each form's time, its share of the ceiling and its speed-up over the serial form,
 * below the phases alone. Reads the measurements of the kernel "overlap" and no others. */
void report_overlap(FILE *out, const struct measurement_list *list, struct style style);

/* One job with the host's side in memory of different kinds: the whole time and its parts for each. Reads the
 * measurements of the kernel "memory" and no others. */
void report_memory_kinds(FILE *out, const struct measurement_list *list, struct style style);

/* Verdicts of a check: one line per rung and device, with every failure listed. Returns the number of failures and
 * errors. */
size_t report_checks(FILE *out, const struct measurement_list *list, struct style style);

/* The same as CSV, a row for each rung and device. */
bool report_checks_csv(FILE *stream, const struct measurement_list *list);

/* A sweep of one or two parameters as a table of median times, coloured (or marked with characters) from best to worst,
 * the best cell marked. Columns are the first axis. Only `device`'s measurements are read. */
void report_heat_map(FILE *out, const struct measurement_list *list, const char *device, const char *const axes[],
                     size_t axis_count, struct style style);

/* One object per measurement, with all samples, as a JSON array; one row per measurement, medians and quartiles, as
 * CSV. False when the stream could not be written. */
bool report_json(FILE *stream, const struct measurement_list *list);
bool report_csv(FILE *stream, const struct measurement_list *list);

/* A Markdown table for each ladder. */
bool report_markdown(FILE *stream, const struct measurement_list *list);

/* The worst verdict as the program's result: STATUS_FAILED when anything FAILed or had an ERROR, STATUS_UNAVAILABLE
 * when nothing passed, else STATUS_OK. Ceilings do not count. */
enum status report_verdict(const struct measurement_list *list);

/* How fast devices exchange data: one heat map from sender (rows) to receiver (columns) for each means and direction,
 * latencies, the exchange of all with all; then reasons of what was not measured. Reads the measurements of the kernel
 * "peers" and no others. */
void report_peers(FILE *out, const struct measurement_list *list, struct style style);

/* A ladder over devices. For each problem: one device, then each number of devices with its rungs: time, rate, speed-up
 * over one device, share of the ceiling of the links; and a sentence on each number of devices: whether it pays. Where
 * the problem grows with the devices (`weak`) the speed-up is that of the work done in a time. Reads measurements whose
 * parameters begin with "devices=". */
void report_several_devices(FILE *out, const struct measurement_list *list, bool weak, struct style style);

/* The last lines of a long run. One line for each kernel and device: the problem that represents them, the fastest
 * rung, its rate, its share of the ceiling, and our own fastest rung against the library's. Nothing where nothing was
 * timed. */
void report_summary(FILE *out, const struct measurement_list *list, struct style style);

/* For each problem of the list two tables, one of kernel times and one of end-to-end times: each rung's rate on every
 * device, how many times faster it is than the CPU's first rung there, and how many times faster on the first device
 * than on each other one (CUDA : OpenCL, as the publications have it). Then each device's rates over the problems. Sets
 * of measurements without a device print nothing. */
void report_technologies(FILE *out, const struct measurement_list *list, struct style style);
