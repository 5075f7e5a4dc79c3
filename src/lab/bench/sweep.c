#include "lab/bench/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/text.h"

static enum status add_value(struct axis *axis, int64_t value, struct error *error)
{
    if (axis->count == AXIS_VALUES_MAX)
        return fail(error, STATUS_INVALID, "more than %d values for %s", AXIS_VALUES_MAX, axis->name);
    axis->values[axis->count++] = value;
    return STATUS_OK;
}

/* "1..1024", "1..64x4", "8..64+8"; `dots` points at the "..". */
static enum status add_range(struct axis *axis, char *text, char *dots, struct error *error)
{
    int64_t first, last, step = 2;
    char *end = dots + 2, *operator= strpbrk(end, "x+");
    bool adds = operator&& * operator== '+';
    *dots = 0;
    bool good = true;
    if (operator) {
        *operator= 0;
        good = text_integer(operator+ 1, &step);
    }
    good = good && text_integer(text, &first) && text_integer(end, &last) && first >= 1 && first <= last;
    if (!good || step < (adds ? 1 : 2))
        return fail(error, STATUS_INVALID, "the range of %s is not FIRST..LAST, FIRST..LASTxFACTOR or FIRST..LAST+STEP",
                    axis->name);
    enum status status = STATUS_OK;
    bool fits = true;
    for (int64_t value = first; status == STATUS_OK && fits && value <= last;) {
        status = add_value(axis, value, error);
        fits = adds ? !__builtin_add_overflow(value, step, &value) : !__builtin_mul_overflow(value, step, &value);
    }
    return status;
}

enum status axis_parse(const char *text, struct axis *axis, struct error *error)
{
    memset(axis, 0, sizeof *axis);
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    char values[512];
    if (length == 0 || length >= sizeof axis->name || strlen(equals + 1) >= sizeof values || !equals[1])
        return fail(error, STATUS_INVALID, "'%s' is not NAME=VALUES, e.g. BX=1..1024 or BX=8,16,32", text);
    memcpy(axis->name, text, length);
    strcpy(values, equals + 1);
    enum status status = STATUS_OK;
    char *rest = values, *item;
    while (status == STATUS_OK && (item = strsep(&rest, ",")) != NULL) {
        char *dots = strstr(item, "..");
        int64_t value;
        if (dots)
            status = add_range(axis, item, dots, error);
        else if (text_integer(item, &value))
            status = add_value(axis, value, error);
        else
            status = fail(error, STATUS_INVALID, "'%s' is not a value for %s", item, axis->name);
    }
    return status;
}

/* Sets one tunable. The rung must offer the value. */
static enum status set_point(struct candidate *candidate, const struct axis *axis, int64_t value, struct error *error)
{
    struct overrides one = {.count = 1};
    strcpy(one.items[0].name, axis->name);
    one.items[0].value = value;
    enum status status = overrides_check(&one, &candidate->rung, 1, error);
    for (size_t t = 0; status == STATUS_OK && t < candidate->rung->tunable_count; t++)
        if (strcmp(candidate->rung->tunables[t].name, axis->name) == 0)
            candidate->parameters.values[t] = value;
    return status;
}

enum status sweep_candidates(struct device *device, const struct rung *rung, const struct problem *problem,
                             const struct overrides *overrides, const struct axis *axes, size_t axis_count,
                             struct candidate **candidates, size_t *count, struct error *error)
{
    size_t points = 1;
    for (size_t a = 0; a < axis_count; a++)
        if (!size_multiply(points, axes[a].count, &points) || points > 100000)
            return fail(error, STATUS_INVALID, "more than 100000 points to sweep");
    struct candidate *list = calloc(points, sizeof *list);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "no memory for %zu points", points);
    enum status status = STATUS_OK;
    for (size_t point = 0; status == STATUS_OK && point < points; point++) {
        status = candidate_make(device, rung, problem, overrides, &list[point], error);
        size_t rest = point;
        for (size_t a = axis_count; status == STATUS_OK && a-- > 0; rest /= axes[a].count)
            status = set_point(&list[point], &axes[a], axes[a].values[rest % axes[a].count], error);
    }
    if (status != STATUS_OK) {
        free(list);
        return status;
    }
    *candidates = list;
    *count = points;
    return STATUS_OK;
}
