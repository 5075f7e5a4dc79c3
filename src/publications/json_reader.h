/* Reading JSON that may hold anything: every value is checked, and the first thing that is wrong is remembered with its
 * place; what is read after that is empty. */
#pragma once

#include <jansson.h>

#include "publications/publication.h"

struct json_reader {
    const char *where; /* the file */
    bool failed;
    struct error error;
};

/* Remembers what is wrong unless something was before. `place` is "tables[2].panels[0]". */
void json_reader_refuse(struct json_reader *reader, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The member, which must be a text of at most 600 bytes on one line; NULL when it is not there and `needed` is false.
 */
const char *read_text(struct json_reader *reader, const char *place, json_t *object, const char *name, bool needed);

/* {"en": …, "ru": …}, or one text for both. */
struct localized_text read_localized_text(struct json_reader *reader, const char *place, json_t *object,
                                          const char *name, bool needed);

/* A finite number of at least 0, or `absent`. */
double read_number(struct json_reader *reader, const char *place, json_t *object, const char *name, double absent);
bool read_flag(struct json_reader *reader, const char *place, json_t *object, const char *name);

/* An array of at most `most` items (NULL when absent and not needed). */
json_t *read_array(struct json_reader *reader, const char *place, json_t *object, const char *name, size_t most,
                   bool needed);

/* Every member's name must be one of `known` (parted by blanks): a mistyped one would be silently without effect. */
void read_known(struct json_reader *reader, const char *place, json_t *object, const char *known);

/* "cpu", "opencl" or "cuda"; 0 when absent. */
enum technology read_technology(struct json_reader *reader, const char *place, json_t *object, const char *name);

/* `count` zeroed items of `bytes` bytes, at least one; NULL and a refusal when memory is out. */
void *read_allocate(struct json_reader *reader, size_t count, size_t bytes);
