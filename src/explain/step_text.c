#include "explain/step_text.h"

#include <math.h>
#include <stdio.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"

bool step_differs(double a, double b)
{
    return fabs(a - b) > 0.05 * fmax(a, b);
}

static const char *shown(char *text, size_t size, double value)
{
    snprintf(text, size, value < 1000 ? "%.3g" : "%.0f", value);
    return say_number(text);
}

void step_separate(char *text, size_t size)
{
    if (text[0])
        text_append(text, size, "; ");
}

void step_add_change(char *text, size_t size, const char *what, double before, double after)
{
    char numbers[2][32];
    if (!step_differs(before, after))
        return;
    step_separate(text, size);
    text_append(text, size, tr(what), shown(numbers[0], sizeof numbers[0], before),
                shown(numbers[1], sizeof numbers[1], after));
}

void step_add_ratio(char *text, size_t size, const char *fewer, const char *more, double before, double after)
{
    char number[32];
    if (before <= 0 || after <= 0 || !step_differs(before, after))
        return;
    step_separate(text, size);
    text_append(text, size, tr(before > after ? fewer : more),
                shown(number, sizeof number, before > after ? before / after : after / before));
}
