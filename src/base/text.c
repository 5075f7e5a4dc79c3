#include "base/text.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"

/* Longer names are not compared. */
enum { CLOSEST_LENGTH_MAX = 63 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Edits that turn `a` into `b`: insertions, deletions, substitutions, swaps of neighbours (optimal string alignment).
 */
static int edit_distance(const char *a, int a_length, const char *b, int b_length)
{
    int rows[3][CLOSEST_LENGTH_MAX + 1];
    for (int j = 0; j <= b_length; j++)
        rows[0][j] = j;
    for (int i = 1; i <= a_length; i++) {
        int *now = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[j - 1]);
            now[j] = smaller(above[j - 1] + (x != y), smaller(above[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) && tolower((unsigned char)a[i - 2]) == y)
                now[j] = smaller(now[j], above2[j - 2] + 1);
        }
    }
    return rows[a_length % 3][b_length];
}

const char *text_closest(const char *name, const char *const *names, size_t count)
{
    const char *best = NULL;
    int best_distance = 0;
    size_t length = strlen(name);
    if (length == 0 || length > CLOSEST_LENGTH_MAX)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other > CLOSEST_LENGTH_MAX)
            continue;
        int distance = edit_distance(name, (int)length, names[i], (int)other);
        bool near = 3 * (size_t)distance <= (length > other ? length : other);
        bool prefix = strncasecmp(name, names[i], length) == 0;
        if ((near || prefix) && (!best || distance < best_distance)) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

/* Digits only: strtoll would also take spaces and signs. */
static bool read_digits(const char **at, int64_t *value)
{
    const char *start = *at;
    int64_t sum = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, **at - '0', &sum))
            return false;
    *value = sum;
    return *at > start;
}

static int suffix_shift(char suffix)
{
    switch (suffix) {
    case 'k':
    case 'K':
        return 10;
    case 'm':
    case 'M':
        return 20;
    case 'g':
    case 'G':
        return 30;
    default:
        return 0;
    }
}

bool text_integer(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    const char *at = text + negative;
    int64_t number;
    if (!read_digits(&at, &number))
        return false;
    if (*at == '^') {
        int64_t power;
        at++;
        if (number != 2 || !read_digits(&at, &power) || power > 62)
            return false;
        number = (int64_t)1 << power;
    } else if (*at == 'e' || *at == 'E') {
        int64_t power;
        at++;
        if (!read_digits(&at, &power) || power > 18)
            return false;
        for (; power > 0; power--)
            if (__builtin_mul_overflow(number, (int64_t)10, &number))
                return false;
    } else if (suffix_shift(*at) > 0) {
        if (__builtin_mul_overflow(number, (int64_t)1 << suffix_shift(*at), &number))
            return false;
        at++;
    }
    if (*at != '\0')
        return false;
    *value = negative ? -number : number;
    return true;
}

bool text_real(const char *text, double *value)
{
    /* strtod alone would take spaces, hexadecimal, "inf" and "nan". */
    size_t length = strlen(text);
    if (length == 0 || strspn(text, "0123456789.eE+-") != length)
        return false;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    char *end;
    double number = strtod_l(text, &end, plain);
    freelocale(plain);
    if (*end != '\0' || !isfinite(number))
        return false;
    *value = number;
    return true;
}

const char *text_from_real(double value, char *buffer, size_t size)
{
    for (int digits = 1; digits <= 17; digits++) {
        double back;
        snprintf(buffer, size, "%.*g", digits, value);
        char *point = strpbrk(buffer, ",");
        if (point)
            *point = '.';
        if (text_real(buffer, &back) && back == value)
            break;
    }
    return buffer;
}

bool text_append(char *buffer, size_t size, const char *format, ...)
{
    size_t length = strnlen(buffer, size);
    if (length >= size)
        return false;
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(buffer + length, size - length, format, arguments);
    va_end(arguments);
    return written >= 0 && (size_t)written < size - length;
}

const char *text_after_mark(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return strncmp(text, mark, sizeof mark - 1) == 0 ? text + sizeof mark - 1 : text;
}

const char *text_duration(double nanoseconds, char *buffer, size_t size)
{
    static const char *const units[] = {"ns", "µs", "ms", "s"};
    size_t unit = 0;
    double value = nanoseconds;
    if (isfinite(value) && fabs(value) >= 1e18)
        return snprintf(buffer, size, "%.2e s", value / 1e9), buffer;
    /* 999.5 would be shown as 1000: the next unit's 1.00. */
    while (fabs(value) >= 999.5 && unit + 1 < COUNT_OF(units)) {
        value /= 1000;
        unit++;
    }
    double size_of_value = fabs(value);
    int decimals = value == 0 || size_of_value >= 99.95 ? 0
                   : size_of_value >= 9.995             ? 1
                   : size_of_value >= 0.9995            ? 2
                                                        : 3;
    snprintf(buffer, size, "%.*f %s", decimals, value, units[unit]);
    return buffer;
}

const char *text_bytes(double bytes, char *buffer, size_t size)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    size_t unit = 0;
    double value = bytes;
    if (!isfinite(value) || fabs(value) >= 1e24)
        return snprintf(buffer, size, isfinite(value) ? "%.2e B" : "— B", value), buffer;
    while (fabs(value) >= 1023.5 && unit + 1 < COUNT_OF(units)) {
        value /= 1024;
        unit++;
    }
    snprintf(buffer, size, "%.*g %s", fabs(value) >= 999.5 ? 4 : 3, value, units[unit]);
    return buffer;
}
