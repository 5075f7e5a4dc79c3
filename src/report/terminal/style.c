#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/terminal/report.h"

#define WIDTH_LEAST 60

struct style style_for(FILE *stream)
{
    struct style style = {.width = 100};
    int descriptor = fileno(stream);
    if (descriptor < 0 || !isatty(descriptor))
        return style;
    const char *none = getenv("NO_COLOR");
    style.colour = !none || !*none;
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        style.width = size.ws_col < WIDTH_LEAST ? WIDTH_LEAST : size.ws_col;
    return style;
}
