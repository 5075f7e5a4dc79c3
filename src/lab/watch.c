#include "lab/watch.h"

#include "base/under_way.h"

void watch_begin(const struct contender *contender, const struct problem *problem)
{
    char text[PROBLEM_TEXT_MAX];
    under_way_begin(UNDER_WAY_RUNG, contender->rung->name, problem_text(problem, text), contender->device->id);
}
