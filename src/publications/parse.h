/* The parts of publication_parse. */
#pragma once

#include "publications/json_reader.h"

#define SIZES_MOST 32
#define CHOICES_MOST 256
#define ROWS_MOST 64
#define COLUMNS_MOST 32
#define SAMPLES_MOST 1000

/* "run" and "over" by their ids, "size", "parameters", "technology", "over_technology". */
struct tie parse_tie(struct json_reader *reader, const char *place, json_t *object,
                     const struct publication *publication);

/* A positive whole size, 0 when absent. */
int64_t parse_size(struct json_reader *reader, const char *place, json_t *object, const char *name);

const struct publication_machine *parse_machine_of(struct json_reader *reader, const char *place, json_t *object,
                                                   const struct publication *publication);

void parse_tables(struct json_reader *reader, json_t *root, struct publication *publication);
void parse_plots(struct json_reader *reader, json_t *root, struct publication *publication);

/* One of: time rate ratio ceiling fact. */
enum quantity parse_quantity(struct json_reader *reader, const char *place, json_t *object);
void parse_claims(struct json_reader *reader, json_t *root, struct publication *publication);
