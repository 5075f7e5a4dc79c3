#include "kernels/scope.h"

#include <stdio.h>
#include <string.h>

#include "base/expression.h"
#include "base/message.h"
#include "base/text.h"

enum { NAMES_MAX = PROBLEM_FIELDS_MAX + TUNABLES_MAX + 5 };

static bool same(const char *known, const char *name, int length)
{
    return strncmp(known, name, (size_t)length) == 0 && known[length] == '\0';
}

static bool look_up_device(const struct device *device, const char *name, int length, double *value)
{
    if (same("compute", name, length)) {
        bool is_cuda = device->backend && device->backend->kind == BACKEND_CUDA;
        if (!is_cuda || !text_real(device->properties.version, value))
            *value = 0;
        return true;
    }
    if (same("local_bytes", name, length)) {
        *value = (double)device->properties.local_bytes_per_group;
        return true;
    }
    return false;
}

static bool look_up(void *context, const char *name, int length, double *value)
{
    struct scope *scope = context;
    const struct kernel *kernel = scope->problem->kernel;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (same(kernel->fields[i].name, name, length)) {
            const union field_value *field = &scope->problem->values[i];
            *value = kernel->fields[i].kind == FIELD_REAL ? field->real : (double)field->size;
            return true;
        }
    for (size_t i = 0; scope->rung && i < scope->rung->tunable_count; i++)
        if (same(scope->rung->tunables[i].name, name, length)) {
            *value = (double)scope->parameters->values[i];
            return true;
        }
    if (same("element_bytes", name, length)) {
        *value = (double)element_info(scope->problem->type)->bytes;
        return true;
    }
    if (same("element_kind", name, length)) {
        *value = element_kind(scope->problem->type);
        return true;
    }
    if (same("epsilon", name, length)) {
        const enum element_type type = scope->problem->type;
        *value = element_epsilon(element_is_half(type) ? ELEMENT_F32 : type); /* of the type of sums */
        return true;
    }
    if (scope->device && look_up_device(scope->device, name, length, value))
        return true;
    snprintf(scope->unknown, sizeof scope->unknown, "%.*s", length < 64 ? length : 63, name);
    return false;
}

/* Adds to the message about an unknown name what there is instead. */
static enum status list_names(const struct scope *scope, enum status status, struct error *error)
{
    if (status == STATUS_OK || scope->unknown[0] == '\0' || !error)
        return status;
    const struct kernel *kernel = scope->problem->kernel;
    const char *names[NAMES_MAX];
    size_t count = 0;
    for (size_t i = 0; i < kernel->field_count; i++)
        names[count++] = kernel->fields[i].name;
    for (size_t i = 0; scope->rung && i < scope->rung->tunable_count; i++)
        names[count++] = scope->rung->tunables[i].name;
    names[count++] = "element_bytes";
    names[count++] = "element_kind";
    names[count++] = "epsilon";
    if (scope->device) {
        names[count++] = "compute";
        names[count++] = "local_bytes";
    }
    const char *closest = text_closest(scope->unknown, names, count);
    if (closest) {
        explain_more(error->text, sizeof error->text, "; did you mean '%s'?", closest);
        return status;
    }
    char all[256] = "";
    for (size_t i = 0; i < count; i++)
        text_append(all, sizeof all, "%s%s", i > 0 ? ", " : "", names[i]);
    explain_more(error->text, sizeof error->text, "; there are %s", all);
    return status;
}

enum status scope_integer(struct scope *scope, const char *expression, int64_t *value, struct error *error)
{
    scope->unknown[0] = '\0';
    return list_names(scope, expression_integer(expression, look_up, scope, value, error), error);
}

enum status scope_real(struct scope *scope, const char *expression, double *value, struct error *error)
{
    scope->unknown[0] = '\0';
    return list_names(scope, expression_evaluate(expression, look_up, scope, value, error), error);
}

enum status scope_check(struct scope *scope, const char *expression, struct error *error)
{
    scope->unknown[0] = '\0';
    return list_names(scope, expression_check(expression, look_up, scope, error), error);
}
