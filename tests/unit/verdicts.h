/* Assertions on a verdict. Each prints the reason, without which a failure on another machine explains nothing
 * (tests/house/verdicts.sh: there are no others). To be included behind cmocka.h. */
#pragma once

#include <string.h>

#include "kernels/kernel.h"
#include "store/measurement.h"

static inline void verdict_is_unexpected(const struct measurement *measurement, const char *wanted, const char *word)
{
    print_error("%s, %s on %s: %s instead of %s%s%s%s: %s\n", measurement->problem, measurement->rung,
                measurement->device, verdict_name(measurement->verdict), wanted, *word ? " with '" : "", word,
                *word ? "'" : "", *measurement->reason ? measurement->reason : "without a reason");
    _fail(__FILE__, __LINE__);
}

/* Whether the text has one of the words, which '|' separates ("": any text). */
static inline bool has_one_of(const char *text, const char *words)
{
    for (const char *word = words;; word++) {
        const size_t length = strcspn(word, "|");
        if (memmem(text, strlen(text), word, length))
            return true;
        word += length;
        if (!*word)
            return false;
    }
}

/* The verdict, with a reason that has one of the words ("": any). */
static inline void expect_reason(const struct measurement *measurement, enum verdict verdict, const char *words)
{
    if (measurement->verdict != verdict || !has_one_of(measurement->reason, words))
        verdict_is_unexpected(measurement, verdict_name(verdict), words);
}

/* Any verdict but PASS, with a reason. */
static inline void expect_refusal(const struct measurement *measurement)
{
    if (measurement->verdict == VERDICT_PASS || !*measurement->reason)
        verdict_is_unexpected(measurement, "a refusal with its reason", "");
}

/* What a kernel's own check found. */
static inline void expect_right(struct check_result result)
{
    if (!result.passed) {
        print_error("found wrong: %s\n", result.reason);
        _fail(__FILE__, __LINE__);
    }
}

static inline void expect_wrong(struct check_result result)
{
    if (result.passed || !*result.reason) {
        print_error("%s\n", result.passed ? "not found wrong" : "found wrong without a reason");
        _fail(__FILE__, __LINE__);
    }
}
