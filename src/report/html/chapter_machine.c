/* The machine's table: its facts, then every device's properties side by side. */
#include <string.h>

#include "base/translation.h"
#include "report/html/chapters.h"
#include "report/html/html.h"
#include "report/model/device_facts.h"
#include "report/model/figure_text.h"
#include "report/terminal/cores.h"

static void write_fact(struct page *page, const char *name, const char *value)
{
    if (!*value)
        return;
    page_row(page, "", NULL);
    html(page->stream, "<th scope=\"row\">%s</th>", tr(name));
    page_cell(page, value);
    page_row_end(page);
}

static const char *distance_in(const struct view *view, char *text, size_t size)
{
    struct cores_seen seen = {0};
    for (size_t i = 0; i < view->entry_count; i++)
        cores_add(&seen, view->entries[i].measurement);
    return cores_distance(&seen, text, size);
}

static void write_facts(struct page *page, const struct report *report)
{
    const char *headings[] = {"", ""};
    const struct machine *machine = report->source->machine;
    char cores[64], distance[64];
    snprintf(cores, sizeof cores, "%u", machine->cores);
    page_table(page, "facts-table", headings, 2);
    write_fact(page, N_("CPU"), machine->cpu);
    write_fact(page, N_("logical cores"), cores);
    write_fact(page, N_("latency between the cores of threads 0 and 1, ns"),
               distance_in(report->view, distance, sizeof distance));
    write_fact(page, N_("memory"), figure_bytes((double)machine->memory_bytes).text);
    write_fact(page, N_("architecture"), machine->architecture);
    write_fact(page, N_("system"), machine->os);
    write_fact(page, N_("kernel of the system"), machine->kernel);
    write_fact(page, N_("fingerprint of these facts"), machine->fingerprint);
    page_table_end(page);
}

static const char *fact_of(const struct machine_device *device, const char *key)
{
    for (size_t i = 0; i < device->fact_count; i++)
        if (strcmp(device->facts[i].key, key) == 0)
            return device->facts[i].value;
    return NULL;
}

/* One property over all devices; omitted when no device reports it. */
static void write_property(struct page *page, const struct machine *machine, const char *key)
{
    bool is_told = false;
    for (size_t d = 0; d < machine->device_count; d++) {
        const char *value = fact_of(&machine->devices[d], key);
        is_told = is_told || (value && *device_fact_value(key, value).text);
    }
    if (!is_told)
        return;
    page_row(page, "", NULL);
    html(page->stream, "<th scope=\"row\">%s</th>", device_fact_title(key));
    for (size_t d = 0; d < machine->device_count; d++) {
        const char *value = fact_of(&machine->devices[d], key);
        page_cell(page, value ? device_fact_value(key, value).text : "");
    }
    page_row_end(page);
}

static bool is_known_before(const struct machine *machine, size_t device, size_t fact)
{
    for (size_t d = 0; d < device; d++)
        if (fact_of(&machine->devices[d], machine->devices[device].facts[fact].key))
            return true;
    return false;
}

static void write_devices(struct page *page, const struct machine *machine)
{
    html(page->stream, "<div class=\"scroll\"><table class=\"devices\"><thead><tr><th></th>");
    for (size_t d = 0; d < machine->device_count; d++)
        html(page->stream, "<th>%s</th>", machine->devices[d].id);
    fputs("</tr></thead><tbody>\n", page->stream);
    for (size_t d = 0; d < machine->device_count; d++)
        for (size_t f = 0; f < machine->devices[d].fact_count; f++)
            if (!is_known_before(machine, d, f))
                write_property(page, machine, machine->devices[d].facts[f].key);
    page_table_end(page);
}

void chapter_machine(struct page *page, const struct report *report)
{
    const struct machine *machine = report->source->machine;
    if (!machine)
        return;
    fputs("<section>\n", page->stream);
    page_heading(page, 2, "machine", tr("The machine"));
    write_facts(page, report);
    if (machine->device_count)
        write_devices(page, machine);
    fputs("</section>\n", page->stream);
}
