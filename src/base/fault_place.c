#include "base/fault_place.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"

/* Each ends with the array's name. */
static const char *const forms[] = {
    [FAULT_READ_BEFORE] = N_("read before the start of array '%s'"),
    [FAULT_READ_PAST] = N_("read past the end of array '%s'"),
    [FAULT_WROTE_BEFORE] = N_("wrote before the start of array '%s'"),
    [FAULT_WROTE_PAST] = N_("wrote past the end of array '%s'"),
    [FAULT_WROTE_INPUT] = N_("wrote to its input '%s'"),
};

static size_t append(char *text, size_t size, size_t length, const char *more, size_t count)
{
    for (size_t i = 0; i < count && more[i] && length + 1 < size; i++)
        text[length++] = more[i];
    text[length] = '\0';
    return length;
}

static size_t before_name(const char *form)
{
    size_t length = 0;
    while (form[length] != '%')
        length++;
    return length;
}

void fault_place_write(enum fault_place place, const char *array, char *text, size_t size)
{
    const char *form = forms[place];
    size_t length = append(text, size, 0, form, before_name(form));
    length = append(text, size, length, array, size);
    append(text, size, length, "'", 1);
}

const char *fault_place_message(const char *text, char *message, size_t size)
{
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        size_t before = before_name(forms[i]), length = strlen(text);
        char name[64];
        if (strncmp(text, forms[i], before) != 0 || length <= before)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(length - before - 1), text + before);
        return explain(message, size, forms[i], name);
    }
    return text;
}
