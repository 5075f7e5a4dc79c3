#include "choice/tunables.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool offers(const struct tunable *tunable, int64_t value)
{
    for (size_t i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == value)
            return true;
    return tunable->value_count == 0 && value >= 0;
}

static bool set(const struct rung *rung, const char *name, const char *text, struct parameters *parameters)
{
    int64_t value;
    for (size_t t = 0; t < rung->tunable_count; t++)
        if (strcmp(rung->tunables[t].name, name) == 0 && text_integer(text, &value) &&
            offers(&rung->tunables[t], value)) {
            parameters->values[t] = value;
            return true;
        }
    return false;
}

bool tunables_apply(const char *text, const struct rung *rung, struct parameters *parameters)
{
    struct parameters made = *parameters;
    char copy[256], *rest = copy, *word;
    if (strlen(text) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%s", text);
    while ((word = strsep(&rest, " ")) != NULL) {
        char *equals = strchr(word, '=');
        if (!*word)
            continue;
        if (!equals)
            return false;
        *equals = 0;
        if (!set(rung, word, equals + 1, &made))
            return false;
    }
    *parameters = made;
    return true;
}
