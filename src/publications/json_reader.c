#include "publications/json_reader.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES_MOST 600

void json_reader_refuse(struct json_reader *reader, const char *place, const char *format, ...)
{
    if (reader->failed)
        return;
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    reader->failed = true;
    fail(&reader->error, STATUS_INVALID, "%s: %s%s%s", reader->where, place, *place ? ": " : "", what);
}

/* One line that a terminal shows as it is. */
static bool is_plain(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            return false;
    return true;
}

static const char *plain_text(struct json_reader *reader, const char *place, const char *name, json_t *value)
{
    const char *text = json_string_value(value);
    if (!text)
        json_reader_refuse(reader, place, "\"%s\" is not a text", name);
    else if (json_string_length(value) > TEXT_BYTES_MOST || json_string_length(value) != strlen(text))
        json_reader_refuse(reader, place, "\"%s\" is longer than %d bytes or holds a zero", name, TEXT_BYTES_MOST);
    else if (!is_plain(text))
        json_reader_refuse(reader, place, "\"%s\" holds control characters", name);
    else
        return text;
    return NULL;
}

const char *read_text(struct json_reader *reader, const char *place, json_t *object, const char *name, bool needed)
{
    json_t *value = json_object_get(object, name);
    if (value)
        return plain_text(reader, place, name, value);
    if (needed)
        json_reader_refuse(reader, place, "\"%s\" is missing", name);
    return NULL;
}

struct localized_text read_localized_text(struct json_reader *reader, const char *place, json_t *object,
                                          const char *name, bool needed)
{
    json_t *value = json_object_get(object, name);
    struct localized_text phrase = {NULL, NULL};
    if (!json_is_object(value)) {
        phrase.english = read_text(reader, place, object, name, needed);
        return phrase;
    }
    read_known(reader, place, value, "en ru");
    phrase.english = read_text(reader, place, value, "en", true);
    phrase.russian = read_text(reader, place, value, "ru", true);
    return phrase;
}

double read_number(struct json_reader *reader, const char *place, json_t *object, const char *name, double absent)
{
    json_t *value = json_object_get(object, name);
    if (!value)
        return absent;
    double number = json_number_value(value);
    if (json_is_number(value) && isfinite(number) && number >= 0)
        return number;
    json_reader_refuse(reader, place, "\"%s\" is not a number of at least 0", name);
    return absent;
}

bool read_flag(struct json_reader *reader, const char *place, json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (value && !json_is_boolean(value))
        json_reader_refuse(reader, place, "\"%s\" is neither true nor false", name);
    return json_is_true(value);
}

json_t *read_array(struct json_reader *reader, const char *place, json_t *object, const char *name, size_t most,
                   bool needed)
{
    json_t *value = json_object_get(object, name);
    if (!value && !needed)
        return NULL;
    if (!json_is_array(value))
        json_reader_refuse(reader, place, "\"%s\" is not a list", name);
    else if (json_array_size(value) > most)
        json_reader_refuse(reader, place, "\"%s\" has more than %zu items", name, most);
    else
        return value;
    return NULL;
}

/* Whether `name` is one of the words, which are parted by blanks. */
static bool is_among(const char *words, const char *name)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (strlen(name) == length && memcmp(words, name, length) == 0)
            return true;
    }
    return false;
}

void read_known(struct json_reader *reader, const char *place, json_t *object, const char *known)
{
    if (!json_is_object(object)) {
        json_reader_refuse(reader, place, "is not an object");
        return;
    }
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (!is_among(known, name))
            json_reader_refuse(reader, place, "\"%.40s\" is none of: %s", name, known);
    }
}

enum technology read_technology(struct json_reader *reader, const char *place, json_t *object, const char *name)
{
    const char *text = read_text(reader, place, object, name, false);
    if (!text)
        return 0;
    enum technology technology = technology_by_name(text, strlen(text));
    if (!technology)
        json_reader_refuse(reader, place, "\"%s\" is none of: cpu opencl cuda", name);
    return technology;
}

void *read_allocate(struct json_reader *reader, size_t count, size_t bytes)
{
    void *items = calloc(count ? count : 1, bytes);
    if (!items)
        json_reader_refuse(reader, "", "no memory");
    return items;
}
