#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "publications/parse.h"

#define CLAIMS_MOST 64
#define CELLS_MOST 16

static const char *const kinds[] = {"ratio",   "spread",     "best", "crossing", "greatest",
                                    "ceiling", "end-to-end", "fall", "untold"};

static struct tie parse_side(struct json_reader *reader, const char *place, json_t *claim, const char *name,
                             bool needed, const struct publication *publication)
{
    json_t *object = json_object_get(claim, name);
    char at[96];
    snprintf(at, sizeof at, "%s.%s", place, name);
    if (!object) {
        if (needed)
            json_reader_refuse(reader, at, "is missing");
        return (struct tie){0};
    }
    read_known(reader, at, object, "run size parameters technology");
    struct tie tie = parse_tie(reader, at, object, publication);
    if (!tie.run)
        json_reader_refuse(reader, at, "\"run\" is missing");
    return tie;
}

static void parse_claim(struct json_reader *reader, size_t number, json_t *object,
                        const struct publication *publication, struct claim *claim)
{
    char place[64];
    snprintf(place, sizeof place, "claims[%zu]", number);
    read_known(reader, place, object, "kind text published of over least most condition reason");
    const char *kind = read_text(reader, place, object, "kind", true);
    size_t index = 0;
    while (index < COUNT_OF(kinds) && (!kind || strcmp(kinds[index], kind) != 0))
        index++;
    if (index == COUNT_OF(kinds)) {
        json_reader_refuse(reader, place, "\"kind\" is none of ours");
        return;
    }
    claim->kind = (enum claim_kind)index;
    bool compares = claim->kind == CLAIM_RATIO || claim->kind == CLAIM_CROSSING || claim->kind == CLAIM_GREATEST;
    claim->text = read_localized_text(reader, place, object, "text", true);
    claim->published = read_text(reader, place, object, "published", true);
    claim->of = parse_side(reader, place, object, "of", claim->kind != CLAIM_UNTOLD, publication);
    claim->over = parse_side(reader, place, object, "over", compares, publication);
    claim->least = read_number(reader, place, object, "least", 0);
    claim->most = read_number(reader, place, object, "most", INFINITY);
    claim->condition = read_text(reader, place, object, "condition", claim->kind == CLAIM_BEST);
    claim->reason = read_localized_text(reader, place, object, "reason", claim->kind == CLAIM_UNTOLD);
    if (claim->least > claim->most)
        json_reader_refuse(reader, place, "\"least\" is above \"most\"");
}

static size_t parse_index(struct json_reader *reader, const char *place, json_t *object, const char *name)
{
    json_t *value = json_object_get(object, name);
    json_int_t index = json_integer_value(value);
    if (json_is_integer(value) && index >= 0 && index < ROWS_MOST)
        return (size_t)index;
    json_reader_refuse(reader, place, "\"%s\" is not a number from 0", name);
    return 0;
}

static void parse_remark(struct json_reader *reader, size_t number, json_t *object, struct remark *remark)
{
    char place[64];
    snprintf(place, sizeof place, "remarks[%zu]", number);
    read_known(reader, place, object, "text cells");
    remark->text = read_localized_text(reader, place, object, "text", true);
    json_t *list = read_array(reader, place, object, "cells", CELLS_MOST, false);
    remark->cells = read_allocate(reader, json_array_size(list), sizeof *remark->cells);
    for (size_t i = 0; remark->cells && !reader->failed && i < json_array_size(list); i++) {
        json_t *cell = json_array_get(list, i);
        read_known(reader, place, cell, "table panel row column");
        remark->cells[remark->cell_count++] = (struct doubtful_cell){
            .table = read_text(reader, place, cell, "table", true),
            .panel = parse_index(reader, place, cell, "panel"),
            .row = parse_index(reader, place, cell, "row"),
            .column = parse_index(reader, place, cell, "column"),
        };
    }
}

void parse_claims(struct json_reader *reader, json_t *root, struct publication *publication)
{
    json_t *claims = read_array(reader, "", root, "claims", CLAIMS_MOST, true);
    publication->claims = read_allocate(reader, json_array_size(claims), sizeof *publication->claims);
    for (size_t i = 0; publication->claims && !reader->failed && i < json_array_size(claims); i++)
        parse_claim(reader, i, json_array_get(claims, i), publication,
                    &publication->claims[publication->claim_count++]);
    json_t *remarks = reader->failed ? NULL : read_array(reader, "", root, "remarks", CLAIMS_MOST, false);
    publication->remarks = read_allocate(reader, json_array_size(remarks), sizeof *publication->remarks);
    for (size_t i = 0; publication->remarks && !reader->failed && i < json_array_size(remarks); i++)
        parse_remark(reader, i, json_array_get(remarks, i), &publication->remarks[publication->remark_count++]);
}
