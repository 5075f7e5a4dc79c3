/* A small JSON object, read without a library: for what strangers' programs link, where the names of JSON libraries
 * meet. Its values are strings, numbers, words (true, false, null) and objects of such. */
#pragma once

#include <stddef.h>

#include "base/status.h"

enum { FLAT_JSON_MOST = 96, FLAT_JSON_BYTES = 8192 };

enum flat_json_kind { FLAT_STRING, FLAT_NUMBER, FLAT_WORD, FLAT_OBJECT };

struct flat_json_value {
    const struct flat_json_value *parent; /* the object that it is in; NULL: the outer one */
    const char *name, *text;              /* text: the string; "" of an object */
    double number;
    enum flat_json_kind kind;
};

struct flat_json {
    struct flat_json_value values[FLAT_JSON_MOST]; /* in the text's order; an object before what is in it */
    size_t count;
    char texts[FLAT_JSON_BYTES]; /* the values' names and texts */
};

/* Reads `length` bytes, all of which are one object. STATUS_INVALID says what is wrong, with "not JSON" where it is
 * not: two values of one name in one object, an object within a value's object, a list, and more than there is room for
 * are refused, too. `json` must not be moved. */
enum status flat_json_read(const char *text, size_t length, struct flat_json *json, struct error *error);

/* The value of that name in `parent` (NULL: the outer object); NULL where there is none. */
const struct flat_json_value *flat_json_find(const struct flat_json *json, const struct flat_json_value *parent,
                                             const char *name);
