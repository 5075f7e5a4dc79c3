/* The run, machine and size that a figure belongs to. */
#include <string.h>

#include "publications/parse.h"

int64_t parse_size(struct json_reader *reader, const char *place, json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    if (!value)
        return 0;
    json_int_t size = json_integer_value(value);
    if (json_is_integer(value) && size > 0 && size <= (json_int_t)1 << 40)
        return size;
    json_reader_refuse(reader, place, "\"%s\" is not a whole number from 1 to 2^40", name);
    return 0;
}

static const struct publication_run *run_of(struct json_reader *reader, const char *place, json_t *object,
                                            const char *name, const struct publication *publication)
{
    const char *id = read_text(reader, place, object, name, false);
    for (size_t i = 0; id && i < publication->run_count; i++)
        if (strcmp(publication->runs[i].id, id) == 0)
            return &publication->runs[i];
    if (id)
        json_reader_refuse(reader, place, "no run is called \"%.40s\"", id);
    return NULL;
}

const struct publication_machine *parse_machine_of(struct json_reader *reader, const char *place, json_t *object,
                                                   const struct publication *publication)
{
    const char *id = read_text(reader, place, object, "machine", false);
    for (size_t i = 0; id && i < publication->machine_count; i++)
        if (strcmp(publication->machines[i].id, id) == 0)
            return &publication->machines[i];
    if (id)
        json_reader_refuse(reader, place, "no machine is called \"%.40s\"", id);
    return NULL;
}

struct tie parse_tie(struct json_reader *reader, const char *place, json_t *object,
                     const struct publication *publication)
{
    return (struct tie){
        .run = run_of(reader, place, object, "run", publication),
        .over = run_of(reader, place, object, "over", publication),
        .size = parse_size(reader, place, object, "size"),
        .parameters = read_text(reader, place, object, "parameters", false),
        .technology = read_technology(reader, place, object, "technology"),
        .over_technology = read_technology(reader, place, object, "over_technology"),
    };
}
