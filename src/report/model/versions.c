#include "report/model/versions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/translation.h"

struct version {
    const char *name;
    int64_t first; /* when it first measured */
};

static int compare_versions(const void *left, const void *right)
{
    const struct version *a = left, *b = right;
    return (a->first > b->first) - (a->first < b->first);
}

static size_t collect(const struct ladder *ladder, struct version *all)
{
    size_t count = 0;
    for (size_t i = 0; i < ladder->entry_count; i++) {
        const struct measurement *of = ladder->entries[i].measurement;
        size_t v = 0;
        if (!*of->code_version || of->kind == MEASURED_PROBE || !(ladder->entries[i].rate > 0))
            continue;
        while (v < count && strcmp(all[v].name, of->code_version) != 0)
            v++;
        if (v == count)
            all[count++] = (struct version){.name = of->code_version, .first = of->made_at};
        else if (of->made_at < all[v].first)
            all[v].first = of->made_at;
    }
    qsort(all, count, sizeof *all, compare_versions);
    return count;
}

static enum status choose_versions(const struct ladder *ladder, struct versions *versions, struct error *error)
{
    struct version *all = calloc(ladder->entry_count + 1, sizeof *all);
    if (!all)
        return fail(error, STATUS_UNAVAILABLE, "no memory for a chart of %zu measurements", ladder->entry_count);
    size_t count = collect(ladder, all), skipped = count > VERSIONS_MOST ? count - VERSIONS_MOST : 0;
    for (size_t v = skipped; v < count; v++)
        versions->names[versions->count++] = all[v].name;
    free(all);
    return STATUS_OK;
}

/* Entries are in the order of their runs. */
static const struct entry *entry_of(const struct ladder *ladder, const char *version, const struct measurement *like)
{
    const struct entry *best = NULL;
    for (size_t i = 0; i < ladder->entry_count; i++) {
        const struct entry *entry = &ladder->entries[i];
        const struct measurement *of = entry->measurement;
        if (!(entry->rate > 0) || of->kind != like->kind || strcmp(of->rung, like->rung) != 0 ||
            strcmp(of->code_version, version) != 0)
            continue;
        if (!best || of->run != best->measurement->run || entry->rate > best->rate)
            best = entry;
    }
    return best;
}

static void add_line(struct versions *versions, const struct ladder *ladder, const struct entry *any)
{
    struct sizes *sizes = &versions->sizes;
    struct size_line *line = &sizes->lines[sizes->line_count];
    *line = (struct size_line){
        .rung = any->measurement->rung, .kind = any->measurement->kind, .first = sizes->point_count, .series = -1};
    for (size_t v = 0; v < versions->count; v++) {
        const struct entry *entry = entry_of(ladder, versions->names[v], any->measurement);
        if (entry)
            sizes_add_point(sizes, line, (double)v + 1, entry);
    }
    sizes->line_count += line->count > 0;
}

enum status versions_make(const struct ladder *ladder, struct versions *versions, struct error *error)
{
    const struct entry *ceilings[LADDER_CEILINGS_MAX];
    *versions = (struct versions){0};
    enum status status = choose_versions(ladder, versions, error);
    if (status != STATUS_OK || versions->count < 2)
        return status;
    size_t lines = ladder->rung_count + LADDER_CEILINGS_MAX;
    status = sizes_begin(ladder, lines * versions->count, &versions->sizes, error);
    if (status != STATUS_OK)
        return status;
    snprintf(versions->sizes.axis, sizeof versions->sizes.axis, "%s", tr("version of the program"));
    versions->sizes.x_names = versions->names;
    versions->sizes.x_name_count = versions->count;
    for (size_t i = 0; i < ladder->rung_count; i++)
        add_line(versions, ladder, ladder->rungs[i]);
    for (size_t i = 0, count = ladder_ceilings(ladder, ceilings); i < count; i++)
        add_line(versions, ladder, ceilings[i]);
    sizes_end(&versions->sizes);
    return STATUS_OK;
}

void versions_free(struct versions *versions)
{
    sizes_free(&versions->sizes);
}
