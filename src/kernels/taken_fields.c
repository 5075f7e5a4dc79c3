/* Fields and types that most rungs do not know: who takes them. */
#include <string.h>

#include "base/translation.h"
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

static bool is_optional(const struct kernel *kernel, enum element_type type)
{
    for (size_t i = 0; i < kernel->common_types; i++)
        if (kernel->types[i] == type)
            return false;
    return kernel->common_types > 0;
}

bool kernel_has_optional(const struct kernel *kernel, const char *name)
{
    for (size_t i = 0; i < kernel->field_count; i++)
        if (kernel->fields[i].unless_taken && strcmp(kernel->fields[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < kernel->type_count; i++)
        if (strcmp(element_info(kernel->types[i])->name, name) == 0)
            return is_optional(kernel, kernel->types[i]);
    return false;
}

const char *problem_field_refused(const struct problem *problem, const char *takes)
{
    if (is_optional(problem->kernel, problem->type) && !takes_field(takes, element_info(problem->type)->name))
        return N_("does not know elements of this type");
    for (size_t i = 0; i < problem->kernel->field_count; i++) {
        const struct problem_field *field = &problem->kernel->fields[i];
        if (field->unless_taken && problem->values[i].size != field->initial && !takes_field(takes, field->name))
            return field->unless_taken;
    }
    return NULL;
}
