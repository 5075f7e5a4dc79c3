#include <string.h>

#include "base/size.h"
#include "publications/publication.h"

static const struct {
    const char *name;
    enum technology technology;
} names[] = {
    {"cpu", TECHNOLOGY_CPU}, {"opencl", TECHNOLOGY_OPENCL}, {"cuda", TECHNOLOGY_CUDA}, {"opengl", TECHNOLOGY_OPENGL}};

enum technology technology_by_name(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i].name) == length && memcmp(names[i].name, name, length) == 0)
            return names[i].technology;
    return 0;
}

const char *technology_name(enum technology technology)
{
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (names[i].technology == technology)
            return names[i].name;
    return "";
}

enum technology technology_of_device(const char *device)
{
    return technology_by_name(device, strcspn(device, ":"));
}

const char *run_form_kernel(enum run_form form)
{
    static const char *const kernels[RUN_FORMS] = {[RUN_MEMORY_KINDS] = "memory", [RUN_PROGRAM] = "program"};
    return kernels[form];
}
