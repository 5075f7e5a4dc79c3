#include "exercises/exercise.h"

#include <math.h>
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

size_t exercise_levels_of_step(const struct exercise *exercise)
{
    size_t steps = exercise_steps(exercise), levels = EXERCISE_POINTS_SPEED / EXERCISE_LEVEL_POINTS;
    return steps && levels > steps ? levels / steps : 1;
}

size_t exercise_levels(const struct exercise *exercise)
{
    return exercise_levels_of_step(exercise) * exercise_steps(exercise);
}

double exercise_limit(const struct exercise *exercise, const double *times, size_t level)
{
    size_t parts = exercise_levels_of_step(exercise), step = (level + parts - 1) / parts;
    double below = (double)(step * parts - level), slower = times[step - 1], faster = times[step];
    double notches = pow(EXERCISE_NOTCH, below);
    double way = slower > faster && faster > 0 ? pow(slower / faster, below / (double)parts) : 1;
    return EXERCISE_TOLERANCE * faster * (way > notches ? way : notches);
}

size_t exercise_level(const struct exercise *exercise, const double *times, double mine, bool *is_close)
{
    size_t reached = 0;
    *is_close = false;
    for (size_t level = exercise_levels(exercise); level > 0; level--) {
        double limit = exercise_limit(exercise, times, level);
        if (limit <= 0)
            continue;
        *is_close = *is_close || (reached == 0 && mine < limit * EXERCISE_CLOSE && mine > limit / EXERCISE_CLOSE);
        if (reached == 0 && mine <= limit)
            reached = level;
    }
    return reached;
}

bool exercise_is_flat(const struct exercise *exercise, const double *times)
{
    double last = times[exercise_steps(exercise)];
    return times[0] > 0 && last > 0 && times[0] <= EXERCISE_TOLERANCE * last;
}

unsigned exercise_points(const struct exercise *exercise, size_t level)
{
    return EXERCISE_POINTS_RIGHT + (unsigned)(EXERCISE_POINTS_SPEED * level / exercise_levels(exercise));
}

size_t exercise_step(const struct exercise *exercise, size_t level)
{
    return level / exercise_levels_of_step(exercise);
}

/* ---- looks ---------------------------------------------------------------------------------------------------- */

static size_t count_looks(const struct exercise_looks *looks, size_t level)
{
    size_t count = 0;
    for (size_t i = 0; i < looks->count; i++)
        count += looks->level[i] == level;
    return count;
}

size_t exercise_looks_level(const struct exercise_looks *looks)
{
    size_t best = looks->level[0];
    for (size_t i = 1; i < looks->count; i++) {
        size_t mine = count_looks(looks, looks->level[i]), others = count_looks(looks, best);
        if (mine > others || (mine == others && looks->level[i] > best))
            best = looks->level[i];
    }
    return best;
}

bool exercise_look(struct exercise_looks *looks, size_t level, bool is_close)
{
    looks->level[looks->count++] = level;
    looks->was_close = looks->was_close || is_close;
    size_t best = exercise_looks_level(looks), next = 0;
    for (size_t i = 0; i < looks->count; i++) {
        size_t others = looks->level[i] == best ? 0 : count_looks(looks, looks->level[i]);
        next = others > next ? others : next;
    }
    size_t wanted = looks->was_close ? 4 : 2;
    return count_looks(looks, best) < next + wanted && looks->count < EXERCISE_LOOKS_MOST;
}
