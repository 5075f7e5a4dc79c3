#include "kernels/matmul/arrivals.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/unpredictable.h"

static atomic_int_fast64_t next;

static void begin(void)
{
    atomic_store(&next, (int_fast64_t)(unpredictable() >> 2)); /* leaves room to count upwards */
}

int64_t arrivals_epoch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, begin);
    return atomic_fetch_add(&next, 1);
}
