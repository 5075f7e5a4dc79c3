/* Fields that most rungs do not know: who takes them. */
#include <string.h>

#include "kernels/kernel.h"

bool takes_field(const char *takes, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = takes; *at; at += strspn(at, " ")) {
        const size_t next = strcspn(at, " ");
        if (next == length && strncmp(at, name, length) == 0)
            return true;
        at += next;
    }
    return strcmp(takes, TAKES_ALL) == 0;
}

const char *problem_field_refused(const struct problem *problem, const char *takes)
{
    for (size_t i = 0; i < problem->kernel->field_count; i++) {
        const struct problem_field *field = &problem->kernel->fields[i];
        if (field->unless_taken && problem->values[i].size != field->initial && !takes_field(takes, field->name))
            return field->unless_taken;
    }
    return NULL;
}
