/* The meaning of a ladder table's figures, in two lines. */
#include <string.h>

#include "base/language.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"
#include "report/terminal/report.h"

/* The probes that the tables' shares refer to; NULL when there are none. */
static const char *ceiling_meaning(const struct measurement_list *list)
{
    bool has_copy = false, has_other = false, has_arithmetic = false;
    for (size_t i = 0; i < list->count; i++) {
        const char *rung = list->items[i].rung;
        bool is_probe = list->items[i].kind == MEASURED_PROBE, is_copy = strcmp(rung, "copy") == 0;
        has_copy = has_copy || (is_probe && is_copy);
        has_other = has_other || (is_probe && !is_copy);
        has_arithmetic =
            has_arithmetic || (is_probe && (strncmp(rung, "fma", 3) == 0 || strncmp(rung, "tensor", 6) == 0));
    }
    if (has_arithmetic)
        return N_("ceiling: the slower of the probes of memory and of arithmetic");
    if (has_copy && !has_other)
        return N_("ceiling: a copy of the same size, timed in the same rounds");
    return has_other ? N_("ceiling: a probe of the same bytes, timed in the same rounds") : NULL;
}

/* Of the list's only problem; 0 when it has several. */
static double bytes_of_all(const struct measurement_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(list->items[i].problem, list->items[0].problem) != 0)
            return 0;
    return list->items[0].bytes;
}

void report_legend(FILE *stream, const struct measurement_list *list, const char *overhead, struct style style)
{
    char text[512] = "", bytes[48];
    const char *ceiling = ceiling_meaning(list);
    if (!list->count)
        return;
    if (ceiling)
        text_append(text, sizeof text, "%s; ", tr(ceiling));
    if (bytes_of_all(list) > 0) {
        text_bytes(list->items[0].bytes, bytes, sizeof bytes);
        text_append(text, sizeof text, tr("bytes: %s, "), say_quantity(bytes, sizeof bytes));
    }
    text_append(text, sizeof text, "%s; ", tr(list->items[0].cold ? N_("caches cold") : N_("caches hot")));
    if (overhead)
        text_append(text, sizeof text, "%s; ", overhead);
    fputc('\n', stream);
    columns_note(stream, style, tr("%smore: uskor help counting"), text);
}
