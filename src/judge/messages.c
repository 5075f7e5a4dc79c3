/* What a child may say: each message's exact size and the ranges of its numbers. A stranger's code may send in its
 * place. */
#include <string.h>

#include "base/size.h"
#include "judge/parcel.h"
#include "judge/protocol.h"

static bool is_text(const char *text, size_t size)
{
    return memchr(text, '\0', size) != NULL;
}

static bool is_done(const void *data, size_t bytes)
{
    struct judge_done done;
    memcpy(&done, data, bytes < sizeof done ? bytes : sizeof done);
    return done.status >= STATUS_OK && done.status <= STATUS_INTERRUPTED &&
           is_text(done.error.text, sizeof done.error.text) && is_text(done.origin, sizeof done.origin);
}

const struct child_rule judge_rules[] = {
    {JUDGE_MEASURED, PARCEL_LEAST, PARCEL_MOST, parcel_is_well},
    {JUDGE_FINAL, PARCEL_LEAST, PARCEL_MOST, parcel_is_well},
    {JUDGE_STAGE, sizeof(int64_t), sizeof(int64_t), NULL},
    {JUDGE_DONE, sizeof(struct judge_done), sizeof(struct judge_done), is_done},
};

const size_t judge_rule_count = COUNT_OF(judge_rules);
