#include "blas/contexts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Idle contexts are in these places, without a lock, which a fork could leave locked. */
#define IDLE_MOST 64
static _Atomic(struct uskor *) idle[2][IDLE_MOST];

static char name[64]; /* of the device; "": none */
static pid_t owner;   /* the process that opened it: no driver survives a fork */

static void find_device(void)
{
    const char *wanted = getenv("USKOR_BLAS_DEVICE");
    struct uskor *context;
    if (!wanted || !wanted[0] || strcmp(wanted, "cpu") == 0)
        return;
    if (strlen(wanted) >= sizeof name || uskor_open(&context, wanted) != USKOR_OK) {
        fprintf(stderr, "uskor-blas: USKOR_BLAS_DEVICE=%s: %s\n", wanted, uskor_message(NULL));
        return;
    }
    owner = getpid();
    atomic_store(&idle[1][0], context);
    strcpy(name, wanted);
}

const char *blas_device_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_device);
    return name[0] ? name : NULL;
}

struct uskor *blas_context_take(bool on_device)
{
    struct uskor *context = NULL;
    if (on_device && (!blas_device_name() || getpid() != owner))
        return NULL;
    for (size_t i = 0; i < IDLE_MOST; i++) {
        context = atomic_load(&idle[on_device][i]) ? atomic_exchange(&idle[on_device][i], NULL) : NULL;
        if (context)
            return context;
    }
    return uskor_open(&context, on_device ? name : "cpu") == USKOR_OK ? context : NULL;
}

void blas_context_give(struct uskor *context, bool on_device)
{
    for (size_t i = 0; i < IDLE_MOST; i++) {
        struct uskor *none = NULL;
        if (atomic_compare_exchange_strong(&idle[on_device][i], &none, context))
            return;
    }
    uskor_close(context);
}
