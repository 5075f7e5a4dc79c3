/* What a bench's samples say of its rungs: which limit holds for each, what makes its figure doubtful, and whether it
 * is faster than the hardware can be. */
#ifndef USKOR_LAB_LIMIT_JUDGEMENT_H
#define USKOR_LAB_LIMIT_JUDGEMENT_H

#include "lab/bench_rounds.h"

/* Writes down which probe the rung is held against: the slowest of those that hold for it. */
void limit_name(const struct bench *bench, const struct runner *runner);

/* Writes down what the samples themselves give away, or what went on beside them. */
void limit_warn(const struct bench *bench, const struct runner *runner);

/* Concludes a rung that is faster than its limit as an error: at any size, and against a limit of arithmetic too,
 * unless it says that it uses tensor cores. What looks like it is timed again beside the probe (lab/limit_confirm.h),
 * which may mend the limit's figure instead: all rungs are judged before any is handed over. */
void limit_judge(struct bench *bench, struct runner *runner);

#endif
