#include "publications/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MOST 64
#define RUNS_REPEATED_MOST 1000

static void parse_machines(struct json_reader *reader, json_t *root, struct publication *publication)
{
    json_t *list = read_array(reader, "", root, "machines", ITEMS_MOST, true);
    publication->machines = read_allocate(reader, json_array_size(list), sizeof *publication->machines);
    for (size_t i = 0; publication->machines && i < json_array_size(list); i++) {
        json_t *object = json_array_get(list, i);
        char place[64];
        snprintf(place, sizeof place, "machines[%zu]", i);
        read_known(reader, place, object, "id name about technology");
        publication->machines[publication->machine_count++] = (struct publication_machine){
            .id = read_text(reader, place, object, "id", true),
            .name = read_text(reader, place, object, "name", true),
            .about = read_localized_text(reader, place, object, "about", true),
            .technology = read_technology(reader, place, object, "technology"),
        };
        if (reader->failed)
            return;
    }
}

static void parse_sizes(struct json_reader *reader, const char *place, json_t *object, struct publication_run *run)
{
    json_t *list = read_array(reader, place, object, "sizes", SIZES_MOST, false);
    run->sizes = read_allocate(reader, json_array_size(list), sizeof *run->sizes);
    for (size_t i = 0; run->sizes && i < json_array_size(list); i++) {
        json_int_t size = json_integer_value(json_array_get(list, i));
        if (size <= (i ? run->sizes[i - 1] : 0) || size > (json_int_t)1 << 40) {
            json_reader_refuse(reader, place, "\"sizes\" are not whole numbers that rise");
            return;
        }
        run->sizes[run->size_count++] = size;
    }
    if ((run->size_count > 0) != (run->problem && strstr(run->problem, "{}")))
        json_reader_refuse(reader, place, "a run has \"sizes\" when its problem has {}, and only then");
}

static void parse_choices(struct json_reader *reader, const char *place, json_t *object, struct publication_run *run)
{
    json_t *list = read_array(reader, place, object, "choices", CHOICES_MOST, false);
    run->choices = read_allocate(reader, json_array_size(list), sizeof *run->choices);
    for (size_t i = 0; run->choices && i < json_array_size(list); i++) {
        const char *choice = json_string_value(json_array_get(list, i));
        if (!choice || strlen(choice) >= 128) {
            json_reader_refuse(reader, place, "\"choices\" are not texts of less than 128 bytes");
            return;
        }
        run->choices[run->choice_count++] = choice;
    }
}

static enum run_form parse_form(struct json_reader *reader, const char *place, json_t *object)
{
    const char *form = read_text(reader, place, object, "form", false);
    for (int i = RUN_MEMORY_KINDS; form && i < RUN_FORMS; i++)
        if (strcmp(run_form_kernel((enum run_form)i), form) == 0)
            return (enum run_form)i;
    if (form)
        json_reader_refuse(reader, place, "\"form\" is neither \"memory\" nor \"program\"");
    return RUN_RUNG;
}

static void parse_run(struct json_reader *reader, const char *place, json_t *object, struct publication_run *run)
{
    read_known(reader, place, object, "id problem rung form technologies sizes choices");
    run->id = read_text(reader, place, object, "id", true);
    run->problem = read_text(reader, place, object, "problem", true);
    run->rung = read_text(reader, place, object, "rung", true);
    run->form = parse_form(reader, place, object);
    json_t *list = read_array(reader, place, object, "technologies", 3, true);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        enum technology technology = name ? technology_by_name(name, strlen(name)) : 0;
        if (!technology)
            json_reader_refuse(reader, place, "\"technologies\" are of: cpu opencl cuda");
        run->technologies |= technology;
    }
    if (!run->technologies)
        json_reader_refuse(reader, place, "\"technologies\" names none");
    parse_sizes(reader, place, object, run);
    parse_choices(reader, place, object, run);
}

static void parse_runs(struct json_reader *reader, json_t *root, struct publication *publication)
{
    json_t *list = read_array(reader, "", root, "runs", ITEMS_MOST, true);
    publication->runs = read_allocate(reader, json_array_size(list), sizeof *publication->runs);
    for (size_t i = 0; publication->runs && !reader->failed && i < json_array_size(list); i++) {
        char place[64];
        snprintf(place, sizeof place, "runs[%zu]", i);
        parse_run(reader, place, json_array_get(list, i), &publication->runs[publication->run_count++]);
    }
}

static void parse_head(struct json_reader *reader, json_t *root, struct publication *publication)
{
    read_known(reader, "", root,
               "name title source protocol repeat phase rooflines machines runs tables claims remarks plots");
    publication->name = read_text(reader, "", root, "name", true);
    publication->title = read_localized_text(reader, "", root, "title", true);
    publication->source = read_text(reader, "", root, "source", true);
    publication->protocol = read_localized_text(reader, "", root, "protocol", true);
    double repeat = read_number(reader, "", root, "repeat", 0);
    if (repeat > RUNS_REPEATED_MOST || repeat != (unsigned)repeat || repeat == 1)
        json_reader_refuse(reader, "", "\"repeat\" is not 0 or a whole number from 2 to %d", RUNS_REPEATED_MOST);
    else
        publication->repeat = (unsigned)repeat;
    publication->has_rooflines = read_flag(reader, "", root, "rooflines");
    const char *phase = read_text(reader, "", root, "phase", true);
    publication->end_to_end = phase && strcmp(phase, "end-to-end") == 0;
    if (phase && !publication->end_to_end && strcmp(phase, "kernel") != 0)
        json_reader_refuse(reader, "", "\"phase\" is neither \"kernel\" nor \"end-to-end\"");
}

enum status publication_parse(const char *text, size_t bytes, const char *where, struct publication *publication,
                              struct error *error)
{
    *publication = (struct publication){0};
    struct json_reader reader = {.where = where};
    json_error_t why;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &why);
    if (!root)
        return fail(error, STATUS_INVALID, "%s: line %d: %s", where, why.line, why.text);
    publication->root = root;
    parse_head(&reader, root, publication);
    if (!reader.failed)
        parse_machines(&reader, root, publication);
    if (!reader.failed)
        parse_runs(&reader, root, publication);
    if (!reader.failed)
        parse_tables(&reader, root, publication);
    if (!reader.failed)
        parse_claims(&reader, root, publication);
    if (!reader.failed)
        parse_plots(&reader, root, publication);
    if (!reader.failed)
        return STATUS_OK;
    publication_free(publication);
    return fail(error, STATUS_INVALID, "%s", reader.error.text);
}

static void free_panel(struct panel *panel)
{
    for (size_t i = 0; panel->cells && i < panel->row_count * panel->column_count; i++)
        free(panel->cells[i].samples);
    free(panel->cells);
    for (size_t i = 0; i < panel->prediction_count; i++)
        free(panel->predictions[i].cells);
    free(panel->predictions);
    free(panel->rows);
    free(panel->columns);
}

void publication_free(struct publication *publication)
{
    for (size_t t = 0; t < publication->table_count; t++) {
        for (size_t p = 0; p < publication->tables[t].panel_count; p++)
            free_panel(&publication->tables[t].panels[p]);
        free(publication->tables[t].panels);
    }
    for (size_t r = 0; r < publication->run_count; r++) {
        free(publication->runs[r].sizes);
        free(publication->runs[r].choices);
    }
    for (size_t r = 0; r < publication->remark_count; r++)
        free(publication->remarks[r].cells);
    free(publication->machines);
    free(publication->runs);
    free(publication->tables);
    free(publication->claims);
    free(publication->remarks);
    free(publication->plots);
    json_decref(publication->root);
    *publication = (struct publication){0};
}
