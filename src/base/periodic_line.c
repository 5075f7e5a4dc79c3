#include "base/periodic_line.h"

#include <pthread.h>
#include <stdalign.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
    periodic_line_maker *make; /* NULL: nothing is under way */
    alignas(max_align_t) unsigned char context[PERIODIC_LINE_CONTEXT];
    double begun, told;
} last;

static void take_lock(void)
{
    pthread_mutex_lock(&lock);
}

static void leave_lock(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child must not inherit a lock that its parent's other thread has. */
static void prepare(void)
{
    pthread_atfork(take_lock, leave_lock, leave_lock);
}

void periodic_line_set(periodic_line_maker *make, const void *context, size_t bytes, double now)
{
    pthread_once(&once, prepare);
    take_lock();
    last.begun = last.make ? last.begun : now;
    last.told = last.told > 0 ? last.told : now;
    last.make = make;
    if (bytes)
        memcpy(last.context, context, bytes < sizeof last.context ? bytes : sizeof last.context);
    leave_lock();
}

bool periodic_line_due(double now, double seconds, char *text, size_t size)
{
    take_lock();
    const bool is_due = last.make && now - last.told >= seconds * 1e9;
    if (is_due) {
        last.told = now;
        last.make(last.context, now, last.begun, text, size);
    }
    leave_lock();
    return is_due;
}

void periodic_line_end(void)
{
    take_lock();
    last.make = NULL;
    leave_lock();
}
