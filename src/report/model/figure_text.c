#include "report/model/figure_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/language.h"
#include "base/text.h"

/* Nothing that is measured here comes to this; digits without end would burst a table. */
#define HUGE 1e15
#define DECIMALS_MOST 9

#define NO_BREAK_SPACE "\u00A0"
#define NARROW_SPACE "\u202F"

int figure_decimals(double value, int most)
{
    const double size = fabs(value);
    int decimals = 0;
    double edge = 99.95;
    while (size < edge && decimals < most) {
        edge /= 10;
        decimals++;
    }
    return decimals;
}

struct figure figure_number(double value)
{
    struct figure figure = {"—"};
    if (value > 0 && isfinite(value)) {
        if (value < HUGE)
            snprintf(figure.text, sizeof figure.text, "%.*f", figure_decimals(value, DECIMALS_MOST), value);
        else
            snprintf(figure.text, sizeof figure.text, "%.2e", value);
        say_number(figure.text);
    }
    return figure;
}

/* The number with `unit` behind it, when there is one. */
static struct figure with_unit(struct figure number, const char *space, const char *unit)
{
    if (strcmp(number.text, "—") != 0)
        text_append(number.text, sizeof number.text, "%s%s", space, unit);
    return number;
}

/* "TFLOP/s" for "GFLOP/s" where the value has more than four digits, "MB/s" for "GB/s" where it is below 0.1. */
const char *figure_scale(double *value, const char *unit, char scaled[FIGURE_UNIT_BYTES])
{
    static const char prefixes[] = "kMGTP";
    const char *prefix = *unit ? strchr(prefixes, *unit) : NULL;
    snprintf(scaled, FIGURE_UNIT_BYTES, "%s", unit);
    while (prefix && *value >= 9999.5 && prefix[1]) {
        *value /= 1000;
        scaled[0] = *++prefix;
    }
    while (prefix && *value > 0 && *value < 0.09995 && prefix > prefixes) {
        *value *= 1000;
        scaled[0] = *--prefix;
    }
    return say_unit(scaled);
}

struct figure figure_rate(double value, const char *unit)
{
    char scaled[FIGURE_UNIT_BYTES];
    const char *said = figure_scale(&value, unit, scaled);
    return with_unit(figure_number(value), NO_BREAK_SPACE, said);
}

struct figure figure_percent(double fraction)
{
    return with_unit(figure_number(100 * fraction), NO_BREAK_SPACE, "%");
}

struct figure figure_times(double ratio)
{
    return with_unit(figure_number(ratio), "", "×");
}

/* As text_duration and text_bytes write it, with a space that does not break. */
static struct figure unbroken(const char *text)
{
    struct figure figure;
    const char *space = strchr(text, ' ');
    if (space)
        snprintf(figure.text, sizeof figure.text, "%.*s" NO_BREAK_SPACE "%s", (int)(space - text), text, space + 1);
    else
        snprintf(figure.text, sizeof figure.text, "%s", text);
    return figure;
}

struct figure figure_duration(double nanoseconds)
{
    char text[48];
    return nanoseconds > 0 && isfinite(nanoseconds)
               ? unbroken((text_duration(nanoseconds, text, sizeof text), say_quantity(text, sizeof text)))
               : (struct figure){"—"};
}

struct figure figure_bytes(double bytes)
{
    char text[48];
    return bytes > 0 && isfinite(bytes)
               ? unbroken((text_bytes(bytes, text, sizeof text), say_quantity(text, sizeof text)))
               : (struct figure){"—"};
}

struct figure figure_count(size_t count)
{
    struct figure figure = {""};
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%zu", count);
    for (int i = 0; i < length; i++)
        text_append(figure.text, sizeof figure.text, "%s%c",
                    i > 0 && length > 4 && (length - i) % 3 == 0 ? NARROW_SPACE : "", digits[i]);
    return figure;
}

struct figure figure_with_error(double value, double error)
{
    struct figure figure;
    if (!(value > 0) || !isfinite(value))
        return (struct figure){"—"};
    if (value >= HUGE || !isfinite(error))
        return figure_number(value);
    int decimals = error > 0 ? (int)fmin(fmax(1 - floor(log10(error)), 0), 6) : figure_decimals(value, DECIMALS_MOST);
    snprintf(figure.text, sizeof figure.text, "%.*f" NO_BREAK_SPACE "±" NO_BREAK_SPACE "%.*f", decimals, value,
             decimals, error);
    say_number(figure.text);
    return figure;
}

struct figure figure_moment(long long seconds)
{
    struct figure figure = {"—"};
    time_t moment = (time_t)seconds;
    struct tm parts;
    if (seconds > 0 && gmtime_r(&moment, &parts))
        strftime(figure.text, sizeof figure.text,
                 language_now() == LANGUAGE_RUSSIAN ? "%d.%m.%Y, %H:%M UTC" : "%Y-%m-%d %H:%M UTC", &parts);
    return figure;
}
