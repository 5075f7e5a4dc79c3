#include "store/accuracy.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"

bool accuracy_list_add(struct accuracy_list *list, const struct accuracy *accuracy)
{
    if (!array_grow(&list->items, list->count, sizeof *list->items))
        return false;
    list->items[list->count++] = *accuracy;
    return true;
}

void accuracy_list_free(struct accuracy_list *list)
{
    free(list->items);
    *list = (struct accuracy_list){0};
}

static const char *real_text(double value, char text[40])
{
    if (isfinite(value))
        snprintf(text, 40, "%.9g", value);
    else
        snprintf(text, 40, "\"infinite\"");
    return text;
}

const char *accuracy_json(const struct accuracy *accuracy, char text[ACCURACY_JSON_BYTES])
{
    char relative[40], componentwise[40], largest[40];
    snprintf(text, ACCURACY_JSON_BYTES,
             "{\"relative\": %s, \"componentwise\": %s, \"largest\": %s, \"rows\": %zu, \"all_rows\": %zu}",
             real_text(accuracy->relative, relative), real_text(accuracy->componentwise, componentwise),
             real_text(accuracy->largest, largest), accuracy->rows, accuracy->all_rows);
    return text;
}

static bool read_real(const json_t *root, const char *key, double *value)
{
    const json_t *member = json_object_get(root, key);
    const char *word = json_string_value(member);
    *value = word ? INFINITY : json_number_value(member);
    return (json_is_number(member) && *value >= 0) || (word && strcmp(word, "infinite") == 0);
}

static bool read_count(const json_t *root, const char *key, size_t *value)
{
    const json_t *member = json_object_get(root, key);
    *value = json_is_integer(member) && json_integer_value(member) >= 0 ? (size_t)json_integer_value(member) : 0;
    return json_is_integer(member) && json_integer_value(member) >= 0;
}

bool accuracy_read(const char *text, struct accuracy *accuracy)
{
    json_t *root = json_loads(text, 0, NULL);
    *accuracy = (struct accuracy){0};
    bool is_good = read_real(root, "relative", &accuracy->relative) &&
                   read_real(root, "componentwise", &accuracy->componentwise) &&
                   read_real(root, "largest", &accuracy->largest) && read_count(root, "rows", &accuracy->rows) &&
                   read_count(root, "all_rows", &accuracy->all_rows);
    json_decref(root);
    return is_good;
}
