/* Judges a bench's rungs by their samples: which figures are doubtful, and which rungs are faster than the hardware
 * allows. */
#ifndef USKOR_LAB_CEILINGS_CEILING_JUDGEMENT_H
#define USKOR_LAB_CEILINGS_CEILING_JUDGEMENT_H

#include "lab/bench/bench_record.h"

/* Adds the warnings that follow from the samples, or from other programs during the rounds. */
void ceiling_warn(const struct bench *bench, const struct runner *runner);

/* Concludes a rung that is faster than its ceiling as an error: at any size, and against a ceiling of arithmetic too,
 * unless it says that it uses tensor cores. A suspect is timed again beside the probe
 * (lab/ceilings/ceiling_confirm.h), which may mend the ceiling's figure instead: all rungs are judged before any is
 * reported. */
void ceiling_judge(struct bench *bench, struct runner *runner);

#endif
