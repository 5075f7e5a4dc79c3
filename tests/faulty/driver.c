/* A CUDA driver, an OpenCL driver and a BLAS that do harm: FAULT in the environment says where and what, "init-abort".
 * Places: load (a constructor), init (the first call), call (sgemm's and daxpy's kin); platform.c has more. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/driver.h"
#include "harm.h"

#define EXPORT __attribute__((visibility("default")))

static void cut(char *list)
{
    char *end = list ? strrchr(list, '/') : NULL;
    if (end)
        *end = 0;
}

void harm(const char *place)
{
    const char *fault = getenv("FAULT");
    size_t length = strlen(place);
    if (!fault || strncmp(fault, place, length) != 0 || fault[length] != '-')
        return;
    const char *what = fault + length + 1;
    if (strcmp(what, "abort") == 0)
        abort();
    if (strcmp(what, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(what, "exit0") == 0)
        exit(0);
    if (strcmp(what, "exit3") == 0)
        _exit(3);
    if (strcmp(what, "hang") == 0)
        for (;;)
            pause();
    if (strcmp(what, "cut") == 0 && getenv("CUT")) /* in the environment's own string, as Khronos's loader does */
        cut(getenv(getenv("CUT")));
    if (strcmp(what, "print") == 0) /* "PRINTED" into the program's output; and it ignores what ends the program */
        puts("PRINTED");
    for (int i = 1; strcmp(what, "print") == 0 && i < 32; i++)
        signal(i, SIG_IGN);
    for (int i = 0; strcmp(what, "mute") == 0 && i < 3; i++)
        close(i);
    if (strcmp(what, "mark") == 0 && getenv("MARK"))
        fclose(fopen(getenv("MARK"), "w"));
}

__attribute__((constructor)) static void load(void)
{
    harm("load");
}

__attribute__((destructor)) static void unload(void)
{
    harm("unload");
}

#define FUNCTION(name, version, optional, parameters) \
    EXPORT CUresult cu##name##version parameters;     \
    EXPORT CUresult cu##name##version parameters      \
    {                                                 \
        harm("init");                                 \
        return CUDA_ERROR_NO_DEVICE;                  \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"
CUDA_DRIVER_FUNCTIONS(FUNCTION) /* NOLINT(misc-unused-parameters): none of them is looked at */
