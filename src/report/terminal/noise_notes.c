#include "report/terminal/noise_notes.h"

#include <string.h>

#include "base/message.h"
#include "store/noise.h"

/* Other warnings are columns. */
static bool is_disturbed(const struct measurement *measurement)
{
    return measurement->verdict == VERDICT_PASS && measurement_is_disturbed(measurement);
}

static bool says_the_same(const struct measurement *a, const struct measurement *b)
{
    return is_disturbed(a) && strcmp(a->warnings, b->warnings) == 0;
}

static bool is_named(const struct measurement *const *of, size_t first, size_t index)
{
    for (size_t i = first; i < index; i++)
        if (says_the_same(of[i], of[index]) && strcmp(of[i]->rung, of[index]->rung) == 0)
            return true;
    return false;
}

void noise_notes_print(FILE *stream, const struct measurement *const *of, size_t count, struct style style)
{
    for (size_t i = 0; i < count; i++) {
        bool is_told = !is_disturbed(of[i]);
        for (size_t j = 0; j < i && !is_told; j++)
            is_told = says_the_same(of[j], of[i]);
        if (is_told)
            continue;
        fputs(faint(style), stream);
        for (size_t j = i; j < count; j++)
            if (says_the_same(of[j], of[i]) && !is_named(of, i, j))
                fprintf(stream, "%s%s", j == i ? "  ! " : ", ", of[j]->rung);
        fprintf(stream, ": %s%s\n", say_message(of[i]->warnings), plain(style));
    }
}
