#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/size.h"
#include "base/terminal.h"
#include "base/text.h"
#include "report/terminal/report.h"

#define WIDTH_LEAST 60
#define WIDTH_MOST 10000

static const char *chosen_colour = "auto";

bool style_choose_colour(const char *when)
{
    static const char *const known[] = {"auto", "always", "never"};
    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (strcmp(when, known[i]) == 0)
            return chosen_colour = known[i], true;
    return false;
}

struct style style_for(FILE *stream)
{
    struct style style = {.width = 100};
    const char *none = getenv("NO_COLOR"), *columns = getenv("COLUMNS");
    struct winsize size;
    int descriptor = fileno(stream);
    int64_t width = 0;
    bool is_read = is_terminal(descriptor);
    style.colour =
        strcmp(chosen_colour, "auto") == 0 ? is_read && (!none || !*none) : strcmp(chosen_colour, "always") == 0;
    if (columns && (!text_integer(columns, &width) || width < 1 || width > WIDTH_MOST))
        width = 0; /* not a width: as if it were not set */
    if (width == 0 && is_read && ioctl(descriptor, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    style.folds = width > 0;
    if (width > 0)
        style.width = width < WIDTH_LEAST ? WIDTH_LEAST : (int)width;
    return style;
}
