/* The judge's side of compiling ahead: a child of its own, so that it runs beside the one that checks. */
#include <stdlib.h>

#include "base/clock.h"
#include "judge/judge.h"
#include "judge/protocol.h"

enum status judge_ahead_start(struct judge_ahead *ahead, const struct child_limits *limits,
                              const struct problem *problem, const struct candidate *candidates, size_t count,
                              const struct bench_options *options, int niceness, struct error *error)
{
    /* Without the user's rung: the child that checks it compiles it. */
    enum status status = child_start("bench", NULL, limits, &ahead->child, error);
    if (status == STATUS_OK)
        judge_send_bench(&ahead->child, problem, candidates, count, NULL, options, niceness);
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

bool judge_ahead_end(struct judge_ahead *ahead, int64_t until)
{
    struct child_message message;
    struct error why;
    struct patience patience = {.until = until};
    enum child_event event = CHILD_LEFT;
    bool is_done = false;
    if (!ahead->child.id)
        return true;
    while (!is_done && (event = child_wait(&ahead->child, is_late, &patience, &message, &why)) == CHILD_MESSAGE) {
        is_done = message.type == JUDGE_DONE;
        free(message.data);
    }
    child_end(&ahead->child);
    return event != CHILD_CANCELLED;
}

void judge_ahead_stop(struct judge_ahead *ahead)
{
    if (ahead->child.id)
        child_end(&ahead->child);
}
