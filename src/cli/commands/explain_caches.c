#include "cli/commands/explain_show.h"

#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"

#define SITES_SHOWN 12
#define TEXT_MAX 1024

/* ---- for people ------------------------------------------------------------------------------------------------- */

static const char *count(char *text, size_t size, double value)
{
    snprintf(text, size, value < 1e9 ? "%.0f" : "%.3g", value);
    return say_number(text);
}

static void count_column(FILE *stream, double value, int width)
{
    char text[32];
    column_right(stream, count(text, sizeof text, value), width);
}

static const char *const kinds[] = {[CACHE_LOAD] = N_("load"),
                                    [CACHE_STORE] = N_("store"),
                                    [CACHE_BYPASS] = N_("stream"),
                                    [CACHE_PREFETCH] = N_("prefetch")};

static double moved_of(const struct cache_site *site, unsigned line)
{
    return site->counts.misses[0] * line + site->counts.bypassed;
}

static double used_of(const struct cache_site *site)
{
    return site->counts.used + site->counts.bypassed;
}

static void print_head(FILE *stream)
{
    columns_print(stream, "  >6 <8 <8>10>11>9>9>9>6\n", tr("line"), tr("array"), tr("access"), tr("accesses"),
                  tr("L1 misses"), "L2", "L3", tr("pages"), tr("used"));
}

static void print_site(FILE *stream, const struct cache_site *site, unsigned line)
{
    char text[32];
    double moved = moved_of(site, line);
    fprintf(stream, "  %6d ", site->line);
    columns_print(stream, "<8 <8", site->array, tr(kinds[site->kind]));
    count_column(stream, site->counts.accesses, 10);
    count_column(stream, site->counts.misses[0], 11);
    count_column(stream, site->counts.misses[1], 9);
    count_column(stream, site->counts.misses[2], 9);
    count_column(stream, site->counts.page_misses[1], 9);
    snprintf(text, sizeof text, "%.0f %%", moved > 0 ? 100 * used_of(site) / moved : 100);
    column_right(stream, moved > 0 ? text : "", 6);
    fputc('\n', stream);
}

static const char *bytes_of(double bytes, char *text, size_t size)
{
    text_bytes(bytes, text, size);
    return say_quantity(text, size);
}

/* "32 KiB L1 of 8 ways, …": what was simulated. */
static void print_geometry(FILE *stream, const struct explain_caches *caches)
{
    char text[TEXT_MAX] = "", size[32];
    text_append(text, sizeof text, "%s: ", caches->geometry.name);
    for (int i = 0; i < CACHE_LEVELS; i++)
        if (caches->geometry.levels[i].bytes)
            text_append(text, sizeof text, tr("%sL%d %s, %u ways"), i ? "; " : "", i + 1,
                        bytes_of((double)caches->geometry.levels[i].bytes, size, sizeof size),
                        caches->geometry.levels[i].ways);
    text_append(text, sizeof text, tr_plural("; %u thread", "; %u threads", caches->threads), caches->threads);
    text_append(text, sizeof text, tr("; pages of %s"), bytes_of((double)caches->page_bytes, size, sizeof size));
    if (caches->geometry.is_core_assumed)
        text_append(text, sizeof text, tr("; the core of %s stands in for this processor's"),
                    caches->geometry.core->name);
    explain_row(stream, tr("caches"), text);
}

static void print_moved(FILE *stream, const struct explain_caches *caches)
{
    static const char *const titles[] = {N_("into L1"), N_("into L2"), N_("from memory")};
    char text[TEXT_MAX] = "", size[32];
    const struct cache_traffic *traffic = &caches->traffic;
    double used = 0, moved = 0, line = caches->geometry.line;
    for (size_t i = 0; i < caches->site_count; i++) {
        used += used_of(&caches->sites[i]);
        moved += moved_of(&caches->sites[i], caches->geometry.line);
    }
    for (int i = 0; i < CACHE_LEVELS; i++)
        text_append(text, sizeof text, tr("%s%s %s"), i ? ", " : "",
                    bytes_of((double)traffic->fills[i] * line, size, sizeof size), tr(titles[i]));
    text_append(text, sizeof text, tr(", %s to memory"),
                bytes_of((double)traffic->writes[2] * line + (double)traffic->bypassed, size, sizeof size));
    if (moved > 0)
        text_append(text, sizeof text, tr("; %.0f %% of the bytes into L1 are used"), 100 * used / moved);
    explain_row(stream, tr("moved"), text);
}

static void print_limits(FILE *stream, const struct explain_caches *caches)
{
    char text[TEXT_MAX] = "", number[32];
    if (caches->is_sampled)
        text_append(text, sizeof text, "%s",
                    tr("one line in eight is simulated after the first 10 million accesses, and counts eightfold. "));
    if (caches->is_cut)
        text_append(text, sizeof text, tr("After %s accesses only instructions are counted, and misses are scaled. "),
                    count(number, sizeof number, caches->simulated));
    if (caches->outside[0])
        text_append(text, sizeof text, tr("Not traced: what %s access. "), caches->outside);
    if (caches->unrecorded > 0)
        text_append(text, sizeof text, tr("Not traced: %s gathers and string operations. "),
                    count(number, sizeof number, (double)caches->unrecorded));
    if (text[0])
        explain_row(stream, "", text);
}

static void print_divisions(FILE *stream, const struct explain_caches *caches)
{
    char text[TEXT_MAX] = "", number[32];
    for (size_t i = 0; i < caches->division_count; i++)
        text_append(text, sizeof text, tr("%s%s line %d: %s integer divisions"), i ? "; " : "",
                    caches->divisions[i].file[0] ? caches->divisions[i].file : "?", caches->divisions[i].line,
                    count(number, sizeof number, caches->divisions[i].count));
    if (text[0])
        explain_row(stream, tr("divisions"), text);
}

void explain_print_caches(FILE *stream, const struct explanation *explanation)
{
    const struct explain_caches *caches = &explanation->caches;
    const char *file = NULL;
    if (explanation->no_caches[0])
        explain_row(stream, tr("memory"), say_message(explanation->no_caches));
    if (caches->site_count == 0)
        return;
    print_geometry(stream, caches);
    for (size_t i = 0; i < caches->site_count && i < SITES_SHOWN; i++) {
        const struct cache_site *site = &caches->sites[i];
        if (i > 0 && site->counts.misses[0] == 0 && site->counts.bypassed == 0)
            break;
        if (!file)
            print_head(stream);
        if (!file || strcmp(file, site->file) != 0)
            fprintf(stream, "  %s\n", site->file[0] ? site->file : "?");
        file = site->file;
        print_site(stream, site, caches->geometry.line);
    }
    print_moved(stream, caches);
    print_divisions(stream, caches);
    print_limits(stream, caches);
}

/* ---- advice ----------------------------------------------------------------------------------------------------- */

static bool streams_stores(const struct explain_caches *caches)
{
    return caches->traffic.bypassed > 0;
}

/* The access that moves most bytes into the L1 cache: is less than half of them used? */
static bool wastes_lines(const struct explain_caches *caches)
{
    const struct cache_site *site = &caches->sites[0];
    double moved = moved_of(site, caches->geometry.line);
    return moved > 0 && used_of(site) < 0.5 * moved;
}

const char *explain_cpu_remedy(const struct explanation *explanation)
{
    const struct explain_caches *caches = &explanation->caches;
    const struct explain_model *model = &explanation->model;
    if (caches->site_count == 0 || model->bound_count == 0)
        return NULL;
    enum explain_resource first = model->bound_by[0];
    bool is_memory = first == RESOURCE_DRAM || first == RESOURCE_L3 || first == RESOURCE_L2;
    if ((is_memory || first == RESOURCE_LATENCY || first == RESOURCE_PAGES) && wastes_lines(caches))
        return tr("use whole lines while they are in the cache: another order of the loops, or tiles");
    if (first == RESOURCE_PAGES)
        return tr("fewer pages at once: tiles, or large pages");
    if (first == RESOURCE_LATENCY)
        return tr("addresses that a prefetcher foresees, or prefetches some iterations ahead");
    if (first == RESOURCE_DRAM && !streams_stores(caches) && caches->traffic.writes[2] > 0)
        return tr("non-temporal stores where results are not read again: an ordinary store reads its line first");
    if (is_memory)
        return tr("fewer passes over the data: blocks that stay in a nearer cache, or several steps in one pass");
    if (caches->division_count > 0)
        return tr("no integer divisions in inner loops: shifts, multiplications, or an index that is counted up");
    return caches->threads == 1 ? tr("wider vectors, independent sums in several registers, or more threads")
                                : tr("wider vectors, or independent sums in several registers");
}

/* ---- for programs ----------------------------------------------------------------------------------------------- */

static json_t *levels_array(const double values[CACHE_LEVELS])
{
    json_t *list = json_array();
    for (int i = 0; i < CACHE_LEVELS; i++)
        json_array_append_new(list, json_integer((json_int_t)values[i]));
    return list;
}

static json_t *site_object(const struct cache_site *site, unsigned line)
{
    const struct cache_counts *counts = &site->counts;
    double moved = moved_of(site, line);
    json_t *object = json_pack("{s:s, s:i, s:s, s:s, s:i, s:I, s:I}", "file", site->file, "line", site->line, "array",
                               site->array, "operation", cache_access_name(site->kind), "bytes", (int)site->bytes,
                               "accesses", (json_int_t)counts->accesses, "bytes_accessed", (json_int_t)counts->bytes);
    json_object_set_new(object, "misses", levels_array(counts->misses));
    json_object_set_new(object, "foreseen", levels_array(counts->streamed));
    json_object_set_new(object, "page_misses",
                        json_pack("[I, I]", (json_int_t)counts->page_misses[0], (json_int_t)counts->page_misses[1]));
    json_object_set_new(object, "lines", site->is_array ? json_integer((json_int_t)counts->lines) : json_null());
    json_object_set_new(object, "pages", site->is_array ? json_integer((json_int_t)counts->pages) : json_null());
    json_object_set_new(object, "bytes_moved", json_real(moved));
    json_object_set_new(object, "bytes_used_percent", moved > 0 ? json_real(100 * used_of(site) / moved) : json_null());
    return object;
}

static json_t *geometry_object(const struct cache_geometry *geometry)
{
    json_t *levels = json_array();
    for (int i = 0; i < CACHE_LEVELS; i++)
        if (geometry->levels[i].bytes)
            json_array_append_new(
                levels, json_pack("{s:I, s:i, s:i, s:b}", "bytes", (json_int_t)geometry->levels[i].bytes, "ways",
                                  (int)geometry->levels[i].ways, "threads", (int)geometry->levels[i].sharers, "victim",
                                  (int)geometry->levels[i].is_victim));
    return json_pack("{s:s, s:s, s:b, s:i, s:o, s:i, s:i, s:i}", "name", geometry->name, "core", geometry->core->name,
                     "core_assumed", (int)geometry->is_core_assumed, "line_bytes", (int)geometry->line, "levels",
                     levels, "pages_small", (int)geometry->pages[0].entries, "pages_large",
                     (int)geometry->pages[0].large_entries, "pages_second", (int)geometry->pages[1].entries);
}

static json_t *divisions_array(const struct explain_caches *caches)
{
    json_t *list = json_array();
    for (size_t i = 0; i < caches->division_count; i++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:f}", "file", caches->divisions[i].file, "line",
                                              caches->divisions[i].line, "count", caches->divisions[i].count));
    return list;
}

json_t *explain_caches_json(const struct explanation *explanation)
{
    const struct explain_caches *caches = &explanation->caches;
    if (caches->site_count == 0)
        return json_null();
    json_t *sites = json_array(), *classes = json_object();
    for (size_t i = 0; i < caches->site_count; i++)
        json_array_append_new(sites, site_object(&caches->sites[i], caches->geometry.line));
    for (int class = 0; class < CODE_CLASSES; class ++)
        if (caches->all.classes[class] > 0)
            json_object_set_new(classes, code_classes[class].key, json_real(caches->all.classes[class]));
    json_t *object = json_pack("{s:o, s:i, s:f, s:b, s:b, s:b, s:I, s:I, s:s}", "geometry",
                               geometry_object(&caches->geometry), "threads", (int)caches->threads, "accesses",
                               caches->accesses, "sampled", (int)caches->is_sampled, "cut", (int)caches->is_cut, "warm",
                               (int)caches->was_warm, "page_bytes", (json_int_t)caches->page_bytes, "not_recorded",
                               (json_int_t)caches->unrecorded, "not_traced", caches->outside);
    json_object_set_new(object, "fills", levels_array(caches->traffic.fills));
    json_object_set_new(object, "written", levels_array(caches->traffic.writes));
    json_object_set_new(object, "waits", levels_array(caches->traffic.waits));
    json_object_set_new(object, "bytes_streamed", json_integer((json_int_t)caches->traffic.bypassed));
    json_object_set_new(object, "executed", classes);
    json_object_set_new(object, "core_clocks", json_real(caches->busiest.core_clocks));
    json_object_set_new(object, "mispredicted", json_real(caches->busiest.mispredicted));
    json_object_set_new(object, "divisions", divisions_array(caches));
    json_object_set_new(object, "sites", sites);
    return object;
}
