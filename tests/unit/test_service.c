/* Services for a process inside the walls: every thread that asks gets the answer to its own request. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "walls/service.h"

#include <cmocka.h>

enum { THREADS = 8, TIMES = 200 };

static void repeat(const char *data, size_t bytes, FILE *answer)
{
    fwrite(data, bytes, 1, answer);
}

static void twice(const char *data, size_t bytes, FILE *answer)
{
    fwrite(data, bytes, 1, answer);
    fwrite(data, bytes, 1, answer);
}

static const struct service services[] = {{"repeat", 64, repeat}, {"twice", 64, twice}, {0}};

static void *ask(void *number)
{
    const size_t mine = (size_t)number;
    size_t wrong = 0, bytes;
    for (size_t i = 0; i < TIMES; i++) {
        char request[32], expected[64];
        snprintf(request, sizeof request, "%zu.%zu,", mine, i);
        snprintf(expected, sizeof expected, "%s%s", request, mine % 2 ? request : "");
        char *answer = service_ask(services[mine % 2].name, request, strlen(request), &bytes);
        wrong += !answer || bytes != strlen(expected) || strcmp(answer, expected) != 0;
        free(answer);
    }
    return (void *)wrong;
}

static int inside(void *context)
{
    pthread_t threads[THREADS];
    size_t wrong = 0;
    (void)context;
    for (size_t i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, ask, (void *)i) != 0)
            return 100;
    for (size_t i = 0; i < THREADS; i++) {
        void *one;
        pthread_join(threads[i], &one);
        wrong += (size_t)one;
    }
    return wrong ? 1 : 0;
}

static void threads_get_their_own_answers(void **state)
{
    (void)state;
    int code = -1;
    assert_int_equal(service_run(services, NULL, inside, NULL, &code, NULL), STATUS_OK);
    assert_int_equal(code, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_get_their_own_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
