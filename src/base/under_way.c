#include "base/under_way.h"

#include <stdio.h>
#include <unistd.h>

static struct under_way own;
static struct under_way *now = &own;
static bool is_read; /* set before the first thread */

void under_way_read(void)
{
    is_read = true;
}

bool under_way_is_read(void)
{
    return is_read;
}

struct under_way *under_way_now(void)
{
    return now;
}

void under_way_keep_in(struct under_way *shared)
{
    now = shared ? shared : &own;
}

void under_way_begin(enum under_way_kind kind, const char *subject, const char *problem, const char *device)
{
    if (!is_read)
        return;
    atomic_store(&now->kind, UNDER_WAY_NOTHING); /* a handler must not see half of a text */
    snprintf(now->subject, sizeof now->subject, "%s", subject);
    snprintf(now->problem, sizeof now->problem, "%s", problem);
    snprintf(now->device, sizeof now->device, "%s", device);
    atomic_store(&now->kind, kind);
    under_way_step();
}

void under_way_rung(const char *rung, const char *parameters, const char *problem, const char *device)
{
    under_way_begin(UNDER_WAY_NOTHING, rung, problem, device);
    snprintf(now->parameters, sizeof now->parameters, "%s", parameters);
    atomic_store(&now->kind, UNDER_WAY_RUNG);
}

void under_way_end(void)
{
    atomic_store(&now->kind, UNDER_WAY_NOTHING);
    under_way_step();
}

static char suspected[512];

void under_way_suspect(const char *file)
{
    snprintf(suspected, sizeof suspected, "%s", file);
}

void under_way_condemn(void)
{
    if (suspected[0] && (atomic_load(&now->kind) == UNDER_WAY_DRIVER || atomic_load(&now->loading) > 0))
        unlink(suspected);
}

void under_way_judge(void)
{
    atomic_fetch_add(&now->judging, 1);
    under_way_step();
}

void under_way_judged(void)
{
    atomic_fetch_sub(&now->judging, 1);
    under_way_step();
}

void under_way_load(void)
{
    atomic_fetch_add(&now->loading, 1);
}

void under_way_loaded(void)
{
    atomic_fetch_sub(&now->loading, 1);
}
