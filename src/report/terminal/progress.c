#include "report/terminal/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"

#define BAR 24
#define PIPE_WIDTH 100
#define TOLD_AFTER 3.0 /* seconds; before, an estimate says nothing */
#define TOLD_FROM 0.005
#define LINE_BYTES 512

bool progress_step(struct progress *progress, const char *name, double seconds)
{
    if (progress->is_counting) {
        progress->total += seconds;
        return false;
    }
    if (progress->started <= 0)
        progress->started = (double)clock_now();
    progress->done += progress->share;
    progress->share = seconds;
    progress->name = name;
    return true;
}

double progress_fraction(const struct progress *progress, double fraction)
{
    if (progress->total <= 0)
        return fraction;
    double whole = (progress->done + progress->share * fraction) / progress->total;
    return whole < 1 ? whole : 1;
}

/* "about 3 min left"; empty where it is not known. */
static void tell_left(const struct progress *progress, double fraction, double now, char *text, size_t size)
{
    double passed = (now - progress->started) / 1e9;
    *text = 0;
    if (progress->started <= 0 || passed < TOLD_AFTER || fraction < TOLD_FROM)
        return;
    double left = passed * (1 - fraction) / fraction;
    if (left < 60)
        snprintf(text, size, tr("about %.0f s left"), left);
    else
        snprintf(text, size, tr("about %.0f min left"), left / 60);
}

const char *progress_line(const struct progress *progress, const char *what, double fraction, double now, int width,
                          char *text, size_t size)
{
    char left[64], line[LINE_BYTES] = "";
    const double whole = progress_fraction(progress, fraction);
    tell_left(progress, whole, now, left, sizeof left);
    for (int i = 0; i < BAR; i++)
        text_append(line, sizeof line, "%s", i < (int)(whole * BAR) ? "█" : "░");
    text_append(line, sizeof line, " %3.0f %%  %s%s", 100 * whole, left, *left ? "  " : "");
    if (progress->name)
        text_append(line, sizeof line, "%s: ", progress->name);
    text_append(line, sizeof line, "%s", what);
    FILE *stream = fmemopen(text, size, "w");
    if (!stream)
        return snprintf(text, size, "%s", line), text;
    column_cut(stream, line, width);
    fclose(stream);
    return text;
}

void progress_show(void *context, const char *what, double fraction)
{
    struct progress *progress = context;
    const double now = (double)clock_now();
    const bool is_drawn = is_terminal(STDERR_FILENO);
    char text[LINE_BYTES];
    if (progress->total <= 0 && (progress->started <= 0 || fraction < progress->shown))
        progress->started = now;
    if (progress->told <= 0)
        progress->told = now;
    progress->shown = fraction;
    if (!is_drawn && now - progress->told < PROGRESS_LINE_SECONDS * 1e9)
        return;
    progress->told = now;
    const int width = is_drawn ? style_for(stderr).width - 3 : PIPE_WIDTH;
    progress_line(progress, what, fraction, now, width, text, sizeof text);
    fprintf(stderr, is_drawn ? "\r\033[K  %s" : "  %s\n", text);
    fflush(stderr);
}

void progress_end(void)
{
    if (is_terminal(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
