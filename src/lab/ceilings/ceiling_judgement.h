/* What a bench's samples say of its rungs: what makes its figure doubtful, and whether it
 * is faster than the hardware can be. */
#ifndef USKOR_LAB_CEILINGS_CEILING_JUDGEMENT_H
#define USKOR_LAB_CEILINGS_CEILING_JUDGEMENT_H

#include "lab/bench/bench_record.h"

/* Writes down what the samples themselves give away, or what went on beside them. */
void ceiling_warn(const struct bench *bench, const struct runner *runner);

/* Concludes a rung that is faster than its ceiling as an error: at any size, and against a ceiling of arithmetic too,
 * unless it says that it uses tensor cores. What looks like it is timed again beside the probe
 * (lab/ceilings/ceiling_confirm.h), which may mend the ceiling's figure instead: all rungs are judged before any is
 * handed over. */
void ceiling_judge(struct bench *bench, struct runner *runner);

#endif
