#include "lab/watch.h"

#include "base/under_way.h"

void watch_begin(const struct contender *contender, const struct problem *problem)
{
    char text[PROBLEM_TEXT_MAX], parameters[128];
    under_way_rung(contender->rung->name, contender_parameters(contender, parameters, sizeof parameters),
                   problem_text(problem, text), contender->device->id);
}
