#include "backends/opencl/pocl_turns.h"

#include <pthread.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static cl_command_queue last; /* the only one with launches under way; NULL: none has */

void pocl_turn_begin(cl_command_queue queue)
{
    pthread_mutex_lock(&turn);
    if (last && last != queue)
        cl.Finish(last);
    last = queue;
}

void pocl_turn_end(void)
{
    pthread_mutex_unlock(&turn);
}

void pocl_turns_forget(cl_command_queue queue)
{
    pthread_mutex_lock(&turn);
    if (last == queue)
        last = NULL;
    pthread_mutex_unlock(&turn);
}

void pocl_turns_leave(cl_command_queue queue)
{
    pthread_mutex_lock(&turn);
    if (last == queue) {
        cl.Finish(last);
        last = NULL;
    }
    pthread_mutex_unlock(&turn);
}
