/* Named state of the process: environment variables, locale. */
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/verification/process_parts.h"

static struct {
    char *variables; /* strings one after another, each with its terminating 0 */
    size_t bytes, capacity;
    bool is_missing; /* no memory for the variables: nothing is compared */
    char locale[512];
    locale_t of_thread;
} noted;

/* ---- the environment ------------------------------------------------------------------------------------------- */

static void note_variables(void)
{
    size_t bytes = 0;
    for (char **variable = environ; variable && *variable; variable++)
        bytes += strlen(*variable) + 1;
    if (bytes > noted.capacity) {
        char *grown = realloc(noted.variables, 2 * bytes);
        noted.is_missing = !grown;
        if (!grown)
            return;
        noted.variables = grown;
        noted.capacity = 2 * bytes;
    }
    noted.bytes = 0;
    for (char **variable = environ; variable && *variable; variable++) {
        size_t length = strlen(*variable) + 1;
        memcpy(noted.variables + noted.bytes, *variable, length);
        noted.bytes += length;
    }
}

static bool same_variables(void)
{
    size_t at = 0;
    if (noted.is_missing)
        return true;
    for (char **variable = environ; variable && *variable; variable++) {
        if (at >= noted.bytes || strcmp(*variable, noted.variables + at) != 0)
            return false;
        at += strlen(*variable) + 1;
    }
    return at == noted.bytes;
}

static void restore_variables(void)
{
    clearenv();
    for (size_t at = 0; at < noted.bytes; at += strlen(noted.variables + at) + 1) {
        char *variable = noted.variables + at, *equals = strchr(variable, '=');
        if (!equals)
            continue;
        *equals = 0;
        setenv(variable, equals + 1, 1);
        *equals = '=';
    }
}

/* ---- all of it ------------------------------------------------------------------------------------------------- */

static void note_locale(void)
{
    const char *locale = setlocale(LC_ALL, NULL);
    noted.of_thread = uselocale((locale_t)0);
    noted.locale[0] = 0;
    if (locale && strlen(locale) < sizeof noted.locale)
        strcpy(noted.locale, locale);
}

void process_names_note(void)
{
    note_variables();
    note_locale();
}

static enum status compare_locale(struct error *error)
{
    const char *locale = setlocale(LC_ALL, NULL);
    bool is_same = !noted.locale[0] || (locale && strcmp(locale, noted.locale) == 0);
    if (is_same && uselocale((locale_t)0) == noted.of_thread)
        return STATUS_OK;
    if (noted.locale[0])
        setlocale(LC_ALL, noted.locale);
    uselocale(noted.of_thread);
    return fail(error, STATUS_FAILED, "left another locale");
}

enum status process_names_compare(struct error *error)
{
    enum status status = compare_locale(error);
    if (!same_variables()) {
        restore_variables();
        status = fail(error, STATUS_FAILED, "left another environment (setenv)");
    }
    return status;
}
