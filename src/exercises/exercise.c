#include "exercises/exercise.h"

#include <string.h>

#include "base/text.h"

const struct exercise *exercise_by_name(const char *name, struct error *error)
{
    const char *names[32];
    size_t count = 0;
    for (size_t i = 0; i < exercise_count; i++) {
        if (strcmp(exercises[i].name, name) == 0)
            return &exercises[i];
        names[count++] = exercises[i].name;
    }
    const char *closest = text_closest(name, names, count);
    if (closest)
        fail(error, STATUS_INVALID, "there is no exercise '%.60s'; did you mean '%s'?", name, closest);
    else
        fail(error, STATUS_INVALID, "there is no exercise '%.60s'; 'uskor exercise --list' shows them", name);
    return NULL;
}

size_t exercise_steps(const struct exercise *exercise)
{
    size_t count = 0;
    while (exercise->steps[count])
        count++;
    return count - 1;
}

size_t exercise_step(const struct exercise *exercise, const double *times, double mine, bool *is_close)
{
    size_t step = exercise_steps(exercise);
    while (step > 0 && !(times[step] > 0 && mine <= EXERCISE_LOST * times[step]))
        step--;
    *is_close = false;
    /* A little slower may still be lost, a little faster may still be reached. */
    for (size_t i = 1; i <= exercise_steps(exercise); i++)
        *is_close = *is_close || (times[i] > 0 && mine > EXERCISE_REACHED * times[i] &&
                                  mine <= EXERCISE_LOST * EXERCISE_LOST / EXERCISE_REACHED * times[i]);
    return step;
}

unsigned exercise_points(const struct exercise *exercise, size_t step)
{
    return EXERCISE_POINTS_RIGHT + (unsigned)(EXERCISE_POINTS_SPEED * step / exercise_steps(exercise));
}
