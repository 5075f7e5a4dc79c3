#include "base/language.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/size.h"
#include "base/translation.h"

static enum reader_language current = LANGUAGE_ENGLISH;

bool language_parse(const char *name, enum reader_language *language)
{
    static const char *const russian[] = {"ru", "rus", "russian"}, *const english[] = {"en", "eng", "english", "c",
                                                                                       "posix"};
    size_t length = strcspn(name, "_.@");
    const char *charset = strchr(name, '.');
    if (charset && strncasecmp(charset, ".utf-8", 6) != 0 && strncasecmp(charset, ".utf8", 5) != 0)
        return false;
    for (size_t i = 0; i < COUNT_OF(russian); i++)
        if (strlen(russian[i]) == length && strncasecmp(name, russian[i], length) == 0)
            return *language = LANGUAGE_RUSSIAN, true;
    for (size_t i = 0; i < COUNT_OF(english); i++)
        if (strlen(english[i]) == length && strncasecmp(name, english[i], length) == 0)
            return *language = LANGUAGE_ENGLISH, true;
    return false;
}

enum reader_language language_of_environment(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    enum reader_language language = LANGUAGE_ENGLISH;
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) {
            language_parse(value, &language);
            break;
        }
    }
    return language;
}

void language_choose(enum reader_language language)
{
    current = language;
}

enum reader_language language_now(void)
{
    return current;
}

const char *language_code(enum reader_language language)
{
    static const char *const codes[] = {"en", "ru"};
    return codes[language];
}

const char *say_unit(const char *unit)
{
    static const char *const units[] = {
        N_("GB/s"),     N_("GFLOP/s"),  N_("Mkeys/s"),  N_("Mpixel/s"),  N_("Gpoints/s"), N_("ns"),
        N_("µs"),       N_("ms"),       N_("GHz"),      N_("GIPS"),      N_("s"),         N_("B"),
        N_("KiB"),      N_("MiB"),      N_("GiB"),      N_("TiB"),       N_("kB/s"),      N_("MB/s"),
        N_("TB/s"),     N_("kFLOP/s"),  N_("MFLOP/s"),  N_("TFLOP/s"),   N_("kkeys/s"),   N_("Gkeys/s"),
        N_("kpixel/s"), N_("Gpixel/s"), N_("Tpixel/s"), N_("kpoints/s"), N_("Mpoints/s"), N_("Tpoints/s"),
    };
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (strcmp(units[i], unit) == 0)
            return tr(units[i]);
    return unit;
}

static const char *(*kernel_heading)(const char *kernel);

void language_kernels(const char *(*heading)(const char *kernel))
{
    kernel_heading = heading;
}

const char *say_kernel(const char *kernel)
{
    const char *heading = kernel_heading ? kernel_heading(kernel) : NULL;
    return heading ? tr(heading) : kernel;
}

char *say_number(char *text)
{
    if (current == LANGUAGE_RUSSIAN)
        for (char *at = text; *at; at++)
            if (*at == '.' && at > text && isdigit((unsigned char)at[-1]) && isdigit((unsigned char)at[1]))
                *at = ',';
    return text;
}

char *say_quantity(char *text, size_t size)
{
    char *space = strrchr(text, ' ');
    if (space) {
        const char *unit = say_unit(space + 1); /* never the text's own letters, unless it is unchanged */
        size_t length = (size_t)(space + 1 - text);
        if (unit != space + 1 && length < size)
            snprintf(space + 1, size - length, "%s", unit);
    }
    return say_number(text);
}
