/* Calls on inputs from a fresh seed, which the process has never held: work that a rung has kept from earlier calls
 * cannot help it there. */
#pragma once

#include "lab/bench/runner.h"

/* Fills the inputs from an unpredictable seed, changes pieces as before any sample, and times one call, ns. The least
 * of these times is runner->fresh_least. */
enum status fresh_call(struct runner *runner, bool cold, double *nanoseconds, struct error *error);

/* Judges what the last call left, in one of `one_in` cases at random. A call that saves its work is found wrong. */
enum status fresh_judge(struct runner *runner, unsigned one_in, struct error *error);

/* Measures what fetching fresh inputs costs (lab/verification/fetch.h), unless it is known. */
enum status fresh_know_fetch(struct runner *runner, bool cold, struct error *error);

/* That time, in CPU time, ns, as a call on fresh inputs is allowed it. */
double fresh_fetch_used(const struct runner *runner);

/* The longest time that a call on fresh inputs may take, ns, where timed ones take `usual`: half as long again (on a
 * device twice as long), and the time to fetch them. */
double fresh_limit(const struct runner *runner, double usual);

/* Whether such a call is worth its time now: none has been as fast as the last sample, or chance says so. */
bool fresh_is_wanted(const struct runner *runner, double last);

/* Whether `usual`, a time that timed samples took, is one that calls on fresh inputs reach, too. One such call
 * suffices: no rung can be fast there by what it has kept. Without one, further calls are timed in turn with samples.
 * The lower quartile of the samples finds a rung that keeps work in a quarter of its calls.
 *
 * Returns: STATUS_FAILED when a rank test finds the calls longer than the samples beside them; STATUS_SYSTEM, with a
 * reason that begins with DISTURBED, when it does not, and all are longer than the timed samples were. */
enum status fresh_compare(struct runner *runner, bool cold, double usual, struct error *error);
