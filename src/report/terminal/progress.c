#include "report/terminal/progress.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/periodic_line.h"
#include "base/terminal.h"
#include "base/text.h"
#include "base/translation.h"
#include "report/terminal/cells.h"

#define BAR 24
#define PIPE_WIDTH 100
#define TOLD_AFTER 3.0 /* seconds; before, an estimate says nothing */
#define TOLD_FROM 0.005
#define LINE_BYTES 512

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

double progress_line_seconds(void)
{
    const char *wish = getenv("USKOR_PROGRESS_SECONDS");
    double seconds;
    return wish && text_real(wish, &seconds) && seconds > 0 ? seconds : PROGRESS_LINE_SECONDS;
}

/* The work as it was shown last. */
struct shown {
    struct progress progress;
    double fraction;
    char name[64], what[256];
};

static void make_line(const void *context, double now, double begun, char *text, size_t size)
{
    struct shown shown = *(const struct shown *)context;
    (void)begun;
    if (shown.progress.name)
        shown.progress.name = shown.name;
    progress_line(&shown.progress, shown.what, shown.fraction, now, PIPE_WIDTH, text, size);
}

/* How much there is to do is not known yet. */
static void make_begun(const void *context, double now, double begun, char *text, size_t size)
{
    (void)context;
    snprintf(text, size, tr("at work for %.0f s"), (now - begun) / 1e9);
}

static void remember(const struct progress *progress, const char *what, double fraction, double now)
{
    struct shown shown = {.progress = *progress, .fraction = fraction};
    static_assert(sizeof shown <= PERIODIC_LINE_CONTEXT, "is copied whole");
    snprintf(shown.name, sizeof shown.name, "%s", progress->name ? progress->name : "");
    snprintf(shown.what, sizeof shown.what, "%s", what);
    periodic_line_set(make_line, &shown, sizeof shown, now);
}

void progress_begin(void)
{
    periodic_line_set(make_begun, NULL, 0, (double)clock_now());
}

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
    remember(progress, "", 0, (double)clock_now());
    return true;
}

bool progress_due(double now, char *text, size_t size)
{
    return periodic_line_due(now, progress_line_seconds(), text, size);
}

void progress_tick(int64_t now)
{
    char text[LINE_BYTES];
    if (is_terminal(STDERR_FILENO) || !progress_due((double)now, text, sizeof text))
        return;
    fprintf(stderr, "  %s\n", text);
    fflush(stderr);
}

void progress_show(void *context, const char *what, double fraction)
{
    struct progress *progress = context;
    const double now = (double)clock_now();
    char text[LINE_BYTES];
    if (progress->total <= 0 && (progress->started <= 0 || fraction < progress->shown))
        progress->started = now;
    progress->shown = fraction;
    remember(progress, what, fraction, now);
    if (!is_terminal(STDERR_FILENO)) {
        progress_tick((int64_t)now);
        return;
    }
    progress_line(progress, what, fraction, now, style_for(stderr).width - 3, text, sizeof text);
    fprintf(stderr, "\r\033[K  %s", text);
    fflush(stderr);
}

void progress_end(void)
{
    periodic_line_end();
    if (is_terminal(STDERR_FILENO))
        fputs("\r\033[K", stderr);
}
