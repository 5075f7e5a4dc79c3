/* Audits: checks of randomly chosen timed runs. A rung cannot work in audited runs and do less in timed ones. */
#pragma once

#include "lab/bench/runner.h"

/* Repeats a sample and judges its result. The data change as before a sample, and once more between two runs of a
 * batch; the rung cannot distinguish it from a timed run. With `fresh`, it is one call on inputs from a fresh seed
 * (fresh_calls.h). STATUS_FAILED: "in a timed run: …". */
enum status audit_run(struct runner *runner, bool cold, bool fresh, double *worst, struct error *error);

/* After a sample of `last` nanoseconds: judges its result, or repeats it and judges that, or does neither,
 * unpredictably. Takes at most a third of a rung's time, but for the first call on fresh inputs. */
enum status audit_perhaps(struct runner *runner, bool cold, double last, double *worst, struct error *error);

/* After the timing: repeats up to eight samples and judges each; only one where a check takes long. */
enum status audit_last(struct runner *runner, bool cold, double *worst, struct error *error);

/* Compares two kinds of batches on the host: in one, every run finds other data; in the other, runs follow each other
 * unchanged. STATUS_FAILED when the first kind takes much longer in three comparisons: the rung works only where data
 * have changed. Nothing is compared for batches of fewer than four runs. */
enum status audit_pace(struct runner *runner, bool cold, struct error *error);

/* The same comparison for `count` samples of each kind, ns. True when even the shortest sample with changes exceeds the
 * median without changes by half and by 3 us. */
bool pace_differs(const double *usual, const double *changing, size_t count);

/* Whether one more full check stays within a third of the rung's time. */
bool audit_is_affordable(const struct runner *runner);
