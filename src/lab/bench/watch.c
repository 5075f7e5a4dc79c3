#include "lab/bench/watch.h"

#include "base/under_way.h"

void watch_begin(const struct candidate *candidate, const struct problem *problem)
{
    char text[PROBLEM_TEXT_MAX], parameters[128];
    under_way_rung(candidate->rung->name, candidate_parameters(candidate, parameters, sizeof parameters),
                   problem_text(problem, text), candidate->device->id);
}
