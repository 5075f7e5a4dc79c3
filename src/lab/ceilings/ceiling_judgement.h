/* Judges the samples of a bench: warns of doubtful figures, and refuses rungs that are faster than the hardware allows.
 */
#pragma once

#include "lab/bench/bench_record.h"

/* Adds warnings: those that follow from the samples, and that of other programs' load during the rounds. */
void ceiling_warn(const struct bench *bench, const struct runner *runner);

/* Gives a rung that is faster than its ceiling the verdict ERROR, at any size. A ceiling of arithmetic counts too,
 * unless the rung declares that it uses tensor cores. A suspect is first timed again beside the probe
 * (lab/ceilings/ceiling_confirm.h), which may raise the ceiling instead. So all rungs are judged before any is
 * reported. */
void ceiling_judge(struct bench *bench, struct runner *runner);
