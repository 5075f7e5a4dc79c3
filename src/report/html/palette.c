#include "report/html/palette.h"

#include <stdbool.h>
#include <string.h>

#include "base/embedded.h"
#include "base/size.h"

struct colour {
    const char *name, *light, *dark;
};

/* Text keeps a contrast of at least 4.5 : 1 to the paper, lines 3 : 1. The series are Okabe and Ito's colours, which
 * most eyes can tell apart, darkened or lightened to suit the paper. */
static const struct colour colours[] = {
    {"paper", "#ffffff", "#12161b"},    {"panel", "#f4f6f8", "#1b2128"},    {"ink", "#16202a", "#e9eef2"},
    {"soft", "#52606d", "#a3b1bd"},     {"grid", "#e3e8ec", "#29323b"},     {"rule", "#c3ccd4", "#3d4954"},
    {"host", "#2868b0", "#6fb0f2"},     {"device", "#0f7f68", "#3fc4a3"},   {"vendor", "#c46a12", "#f2a654"},
    {"ceiling", "#b3261e", "#ff8a80"},  {"good", "#1b7f3b", "#63d48a"},     {"bad", "#b00020", "#ff7b8a"},
    {"link", "#1f5fa8", "#84bdf7"},     {"series-0", "#0072b2", "#56b4e9"}, {"series-1", "#b85400", "#f0883e"},
    {"series-2", "#00785a", "#2fc79b"}, {"series-3", "#a2427f", "#e08fc0"}, {"series-4", "#806500", "#e0c13c"},
    {"series-5", "#4b3fb5", "#a79cf5"}, {"series-6", "#5f6a74", "#a9b4bd"}, {"series-7", "#7a3b10", "#d9a27c"},
};

static void write_variables(FILE *stream, const char *selector, bool dark)
{
    fprintf(stream, "%s{color-scheme:%s", selector, dark ? "dark" : "light");
    for (size_t i = 0; i < COUNT_OF(colours); i++)
        fprintf(stream, ";--%s:%s", colours[i].name, dark ? colours[i].dark : colours[i].light);
    fputs("}\n", stream);
}

void palette_write_page(FILE *stream)
{
    write_variables(stream, ":root", false);
    fputs("@media screen and (prefers-color-scheme:dark){", stream);
    write_variables(stream, ":root:not([data-theme=light])", true);
    fputs("}\n@media screen{", stream);
    write_variables(stream, ":root[data-theme=dark]", true);
    fputs("}\n", stream);
}

static const char *light(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(colours); i++)
        if (strlen(colours[i].name) == length && strncmp(colours[i].name, name, length) == 0)
            return colours[i].light;
    return "#000000";
}

void palette_write_standalone(FILE *stream)
{
    const struct embedded_file *sheet = embedded_find("report/html/chart.css");
    fputs("<style>\n", stream);
    for (const char *at = sheet->text; *at;) {
        const char *variable = strstr(at, "var(--");
        if (!variable) {
            fputs(at, stream);
            break;
        }
        (void)fwrite(at, 1, (size_t)(variable - at), stream);
        variable += strlen("var(--");
        size_t length = strcspn(variable, ")");
        fputs(light(variable, length), stream);
        at = variable + length + 1;
    }
    fputs("</style>\n", stream);
}
