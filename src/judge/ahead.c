/* The judge's side of compiling ahead: a child of its own, so that it runs beside the one that checks. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "judge/judge.h"
#include "judge/protocol.h"

enum status judge_ahead_start(struct judge_ahead *ahead, const struct child_limits *limits,
                              const struct problem *problem, const struct candidate *candidates, size_t count,
                              const struct bench_options *options, struct error *error)
{
    /* Without the user's rung: the child that checks it compiles it. */
    ahead->stages = 0;
    ahead->last_stage = 0;
    struct child_limits own = *limits;
    own.rules = judge_rules;
    own.rule_count = judge_rule_count;
    enum status status = child_start("bench", NULL, &own, &ahead->child, error);
    if (status != STATUS_OK)
        return status;
    status = judge_send_bench(&ahead->child, problem, candidates, count, NULL, options, true, error);
    if (status != STATUS_OK)
        judge_ahead_stop(ahead);
    return status;
}

struct patience {
    int64_t until;
    unsigned looks;
};

/* The first look comes before what the child has sent is read. */
static bool is_late(void *context)
{
    struct patience *patience = context;
    return judge_interrupted(NULL) || (patience->until && patience->looks++ > 0 && clock_now() > patience->until);
}

/* Messages are read long after they were sent. */
static void note_stage(struct judge_ahead *ahead, const struct child_message *message)
{
    ahead->stages++;
    memcpy(&ahead->last_stage, message->data, sizeof ahead->last_stage);
}

bool judge_ahead_wait(struct judge_ahead *ahead, size_t stages, int64_t until)
{
    struct child_message message;
    struct error why;
    struct patience patience = {.until = until};
    enum child_event event = CHILD_MESSAGE;
    while (ahead->child.id && ahead->stages < stages && event == CHILD_MESSAGE) {
        event = child_wait(&ahead->child, is_late, &patience, &message, &why);
        if (event == CHILD_CANCELLED)
            return false;
        if (event == CHILD_MESSAGE && message.type == JUDGE_STAGE)
            note_stage(ahead, &message);
        if (event != CHILD_MESSAGE || message.type == JUDGE_DONE)
            child_end(&ahead->child);
        if (event == CHILD_MESSAGE)
            free(message.data);
    }
    return true;
}

void judge_ahead_stop(struct judge_ahead *ahead)
{
    if (ahead->child.id)
        child_end(&ahead->child);
}
