/* Kernels by name. */
#include <string.h>

#include "base/text.h"
#include "kernels/kernel.h"
#include "kernels/rung_header.h"

enum { NAMES_MAX = 64 };

const struct kernel *kernel_by_name(const char *name, struct error *error)
{
    const char *names[NAMES_MAX];
    char all[256] = "";
    size_t count = 0;
    for (; kernels[count] && count < NAMES_MAX; count++) {
        if (strcmp(kernels[count]->name, name) == 0)
            return kernels[count];
        names[count] = kernels[count]->name;
        text_append(all, sizeof all, "%s%s", count > 0 ? ", " : "", names[count]);
    }
    const char *closest = text_closest(name, names, count);
    if (closest)
        fail(error, STATUS_INVALID, "there is no kernel '%.100s'; did you mean '%s'?", name, closest);
    else
        fail(error, STATUS_INVALID, "there is no kernel '%.100s'; there are %s", name, all);
    return NULL;
}
