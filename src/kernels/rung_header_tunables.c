/* The tunables of a rung's header: "TILE = 32 in 16 32; ROWS = 8 in 1 2 4 8". */
#include <string.h>

#include "base/size.h"
#include "base/text.h"
#include "kernels/rung_header_reader.h"

static enum status check_tunable_name(struct reader *reader, const char *name)
{
    static const char *const reserved[] = {"ELEMENT", "ELEMENT_BYTES", "GROUP_X", "GROUP_Y", "GROUP_Z"};
    const struct rung *rung = &reader->made->rung;
    if (strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != strlen(name) || !source_is_identifier(name))
        return REFUSE(
            reader, "'%.40s' is not a tunable; it becomes a macro, so write it in capitals: TILE = 32 in 16 32", name);
    for (size_t i = 0; i < COUNT_OF(reserved); i++)
        if (strcmp(name, reserved[i]) == 0)
            return REFUSE(reader, "%s is defined for every rung; give the tunable another name", name);
    for (size_t i = 0; i < rung->tunable_count; i++)
        if (strcmp(name, rung->tunables[i].name) == 0)
            return REFUSE(reader, "%s is tuned twice", name);
    return STATUS_OK;
}

static enum status read_tunable_values(struct reader *reader, struct tunable *tunable, char *values)
{
    char *rest;
    for (char *word = strtok_r(values, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        int64_t value;
        if (!text_integer(word, &value) || value < 0)
            return REFUSE(reader, "'%.40s' is not a value of %s; integers from 0 are, with blanks between them", word,
                          tunable->name);
        for (size_t i = 0; i < tunable->value_count; i++)
            if (tunable->values[i] == value)
                return REFUSE(reader, "%s lists %s twice", tunable->name, word);
        if (tunable->value_count >= TUNABLE_VALUES_MAX)
            return REFUSE(reader, "%s lists more than %d values", tunable->name, TUNABLE_VALUES_MAX);
        tunable->values[tunable->value_count++] = value;
    }
    if (tunable->value_count == 0)
        return REFUSE(reader, "%s lists no values after 'in'", tunable->name);
    return STATUS_OK;
}

/* The word "in" between blanks, or NULL. */
static char *find_in(char *text)
{
    for (char *at = text; (at = strstr(at, "in")) != NULL; at += 2) {
        bool before = at > text && (at[-1] == ' ' || at[-1] == '\t');
        bool after = at[2] == '\0' || at[2] == ' ' || at[2] == '\t';
        if (before && after)
            return at;
    }
    return NULL;
}

/* A default that is a plain number must be one of the listed values: anything else is a slip. */
static enum status check_initial(struct reader *reader, const struct tunable *tunable)
{
    int64_t value;
    if (!text_integer(tunable->initial, &value) || tunable->value_count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < tunable->value_count; i++)
        if (tunable->values[i] == value)
            return STATUS_OK;
    return REFUSE(reader, "the default of %s, %s, is not in its list", tunable->name, tunable->initial);
}

/* "NAME = EXPRESSION in VALUE VALUE …" */
static enum status read_tunable(struct reader *reader, char *text)
{
    struct rung *rung = &reader->made->rung;
    char *sign = strchr(text, '=');
    if (!sign)
        return REFUSE(reader, "'%.40s' is not a tunable; TILE = 32 in 16 32 is one", text);
    if (rung->tunable_count >= TUNABLES_MAX)
        return REFUSE(reader, "more than %d tunables", TUNABLES_MAX);
    *sign = '\0';
    char *name = source_trim(text), *initial = sign + 1, *in = find_in(initial);
    enum status status = check_tunable_name(reader, name);
    struct tunable tunable = {.value_count = 0};
    if (status == STATUS_OK)
        status = source_copy(reader, "the tunable's name", name, tunable.name, sizeof tunable.name);
    if (status == STATUS_OK && in) {
        *in = '\0';
        status = read_tunable_values(reader, &tunable, in + 2);
    }
    char checked[SOURCE_EXPRESSION_MAX];
    /* A default may use the problem's names alone: the tunable is not on the list yet, and its elders are hidden. */
    size_t elders = rung->tunable_count;
    rung->tunable_count = 0;
    if (status == STATUS_OK)
        status = source_copy_expression(reader, "the tunable's default", source_trim(initial), checked);
    rung->tunable_count = elders;
    if (status == STATUS_OK)
        status = source_copy(reader, "the tunable's default", checked, tunable.initial, sizeof tunable.initial);
    if (status == STATUS_OK)
        status = check_initial(reader, &tunable);
    if (status == STATUS_OK)
        rung->tunables[rung->tunable_count++] = tunable;
    return status;
}

enum status source_tunables_read(struct reader *reader, char *value)
{
    enum status status = STATUS_OK;
    for (char *rest = value, *piece; status == STATUS_OK && (piece = source_cut(&rest, ';')) != NULL;)
        if (piece[0] != '\0')
            status = read_tunable(reader, piece);
    return status;
}
