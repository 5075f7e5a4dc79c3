/* What a device rung does, all of it from the header of its file. Everything is evaluated in prepare, so that enqueue
 * is one launch. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "base/translation.h"
#include "kernels/argument.h"
#include "kernels/scope.h"

/* The state that prepare leaves in run->state. */
struct device_state {
    struct program *program;
    struct launch launch;
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
    int arrays[SOURCE_ARGUMENTS_MAX]; /* of arguments that are buffers: the index in run->buffers */
};

/* ---- the launch ----------------------------------------------------------------------------------------------- */

static enum status evaluate(struct scope *scope, const char *what, const char *expression, size_t *value,
                            struct error *error)
{
    int64_t number;
    enum status status = scope_integer(scope, expression, &number, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s: %s", scope->rung->source->path, what);
    *value = (size_t)number;
    return STATUS_OK;
}

static enum status evaluate_shape(struct scope *scope, struct launch *launch, struct error *error)
{
    const struct device_source *source = scope->rung->source;
    launch->entry = source->entry;
    launch->rank = source->rank;
    enum status status = STATUS_OK;
    for (int i = 0; i < 3; i++) {
        launch->group[i] = launch->groups[i] = 1;
        if (status == STATUS_OK && i < source->rank)
            status = evaluate(scope, "group", source->group[i], &launch->group[i], error);
        if (status == STATUS_OK && i < source->rank)
            status = evaluate(scope, "groups", source->groups[i], &launch->groups[i], error);
    }
    launch->local_bytes = 0;
    if (status == STATUS_OK && source->local[0] != '\0')
        status = evaluate(scope, "local", source->local, &launch->local_bytes, error);
    return status;
}

static enum status evaluate_number(struct scope *scope, const struct argument *argument, struct argument_value *value,
                                   struct error *error)
{
    const char *path = scope->rung->source->path;
    double number;
    enum status status = scope_real(scope, argument->expression, &number, error);
    if (status != STATUS_OK)
        return fail_in(error, status, "%s: args", path);
    bool whole = argument->kind == ARGUMENT_INT || argument->kind == ARGUMENT_LONG;
    double limit = argument->kind == ARGUMENT_INT ? INT32_MAX : 0x1p53;
    char text[32];
    if (whole && !(number >= -limit && number <= limit && number == (double)(int64_t)number))
        return fail(error, STATUS_INVALID, "%s: args: %s is %s, which is no %s", path, argument->expression,
                    text_from_real(number, text, sizeof text),
                    argument->kind == ARGUMENT_INT ? N_("int of 32 bits") : N_("integer within 2^53"));
    switch (argument->kind) {
    case ARGUMENT_INT:
        value->int_value = (int32_t)number;
        break;
    case ARGUMENT_LONG:
        value->long_value = (int64_t)number;
        break;
    case ARGUMENT_FLOAT:
        value->float_value = (float)number;
        break;
    case ARGUMENT_DOUBLE:
        value->double_value = number;
        break;
    case ARGUMENT_BUFFER:
    case ARGUMENT_TEXTURE: /* no header has one: host halves do */
    case ARGUMENT_TILES:
        break;
    }
    return STATUS_OK;
}

static enum status evaluate_arguments(struct scope *scope, struct device_state *state, struct error *error)
{
    const struct device_source *source = scope->rung->source;
    struct argument arguments[SOURCE_ARGUMENTS_MAX];
    size_t count = source->argument_count;
    if (count == 0)
        count = argument_defaults(scope->problem, arguments);
    else
        for (size_t i = 0; i < count; i++)
            argument_read(scope->problem, source->arguments[i], &arguments[i], error); /* the header was checked */
    for (size_t i = 0; i < count; i++) {
        state->arguments[i] = (struct argument_value){.kind = arguments[i].kind};
        state->arrays[i] = arguments[i].array;
        if (arguments[i].kind == ARGUMENT_BUFFER)
            continue;
        enum status status = evaluate_number(scope, &arguments[i], &state->arguments[i], error);
        if (status != STATUS_OK)
            return status;
    }
    state->launch.arguments = state->arguments;
    state->launch.argument_count = count;
    return STATUS_OK;
}

static struct scope run_scope(const struct run *run)
{
    return (struct scope){.problem = run->problem, .rung = run->rung, .parameters = &run->parameters};
}

enum status device_rung_integer(const struct run *run, const char *expression, int64_t *value, struct error *error)
{
    struct scope scope = run_scope(run);
    return scope_integer(&scope, expression, value, error);
}

enum status device_rung_shape(const struct run *run, struct launch *launch, struct error *error)
{
    struct scope scope = run_scope(run);
    *launch = (struct launch){0};
    return evaluate_shape(&scope, launch, error);
}

enum status device_rung_launch(const struct run *run, struct program *program, const struct launch *launch,
                               struct error *error)
{
    struct launch whole = *launch;
    if (whole.rank == 0) {
        enum status status = device_rung_shape(run, &whole, error);
        if (status != STATUS_OK)
            return status;
        whole.arguments = launch->arguments;
        whole.argument_count = launch->argument_count;
    }
    whole.entry = launch->entry ? launch->entry : run->rung->source->entry;
    return program_launch(program, &whole, error);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

enum { DEFINES_MAX = 3 + 3 + 1 + PROBLEM_FIELDS_MAX + TUNABLES_MAX, DEFINE_LENGTH = 80 };

struct defines {
    char text[DEFINES_MAX][DEFINE_LENGTH];
    size_t count;
};

/* "TRANSA=1" for a choice called transa: what is chosen, the compiler knows. Of a size that the rung takes it knows
 * whether it has its default: "BATCH=0". What the rung does not take is not defined. */
static size_t write_fields(const struct rung *rung, const struct problem *problem, struct defines *defines,
                           size_t count)
{
    const struct kernel *kernel = problem->kernel;
    for (size_t i = 0; i < kernel->field_count; i++) {
        const struct problem_field *field = &kernel->fields[i];
        const bool is_taken = field->unless_taken && takes_field(rung->takes, field->name);
        const bool is_choice = field->kind == FIELD_CHOICE && !field->host_only && (is_taken || !field->unless_taken);
        if (!is_choice && !is_taken)
            continue;
        char *text = defines->text[count++];
        const int64_t value = problem->values[i].size;
        snprintf(text, DEFINE_LENGTH, "%.40s=%" PRId64, field->name, is_choice ? value : value != field->initial);
        for (; *text != '='; text++)
            *text = (char)toupper((unsigned char)*text);
    }
    return count;
}

/* The file's text behind the comments at its top. */
static const char *code_of(const char *text)
{
    const char *at = text;
    while (*at == '\n' || (at[0] == '/' && at[1] == '/'))
        at += *at == '\n' ? 1 : strcspn(at, "\n");
    return at;
}

static bool mentions(const char *code, const char *name)
{
    size_t length = strlen(name);
    const char *found = code;
    while ((found = strstr(found, name)) != NULL) {
        bool begins = found == code || !(isalnum((unsigned char)found[-1]) || found[-1] == '_');
        bool ends = !(isalnum((unsigned char)found[length]) || found[length] == '_');
        if (begins && ends)
            return true;
        found += length;
    }
    return false;
}

/* Unused macros are left out: they would make two programs out of one. */
static size_t define_if_asked(const char *code, const char *name, int64_t value, struct defines *defines, size_t count)
{
    if (mentions(code, name))
        snprintf(defines->text[count++], DEFINE_LENGTH, "%s=%" PRId64, name, value);
    return count;
}

static enum status write_defines(const struct rung *rung, const char *text, const struct problem *problem,
                                 const struct parameters *parameters, struct defines *defines, struct error *error)
{
    static const char *const group_names[] = {"GROUP_X", "GROUP_Y", "GROUP_Z"};
    const char *code = code_of(text);
    const struct element_info *element = element_info(problem->type);
    struct scope scope = {.problem = problem, .rung = rung, .parameters = parameters};
    struct launch launch = {0};
    enum status status = evaluate_shape(&scope, &launch, error);
    if (status != STATUS_OK)
        return status;
    size_t count = 0;
    snprintf(defines->text[count++], DEFINE_LENGTH, "ELEMENT=%s",
             problem->kernel->moves_bits ? element->device_bits : element->device_type);
    snprintf(defines->text[count++], DEFINE_LENGTH, "ELEMENT_BYTES=%zu", element->bytes);
    if (element_is_half(problem->type) && !problem->kernel->moves_bits)
        snprintf(defines->text[count++], DEFINE_LENGTH, "ELEMENT_HALF=%d", problem->type == ELEMENT_F16 ? 16 : 8);
    for (int i = 0; i < 3 && launch.rank > 0; i++)
        count = define_if_asked(code, group_names[i], (int64_t)launch.group[i], defines, count);
    if (launch.rank == 3) /* the CUDA prelude then leaves the second dimension as it is */
        snprintf(defines->text[count++], DEFINE_LENGTH, "USKOR_RANK=3");
    count = write_fields(rung, problem, defines, count);
    for (size_t i = 0; i < rung->tunable_count; i++)
        count = define_if_asked(code, rung->tunables[i].name, parameters->values[i], defines, count);
    defines->count = count;
    return STATUS_OK;
}

enum status device_rung_defines(const struct rung *rung, const struct problem *problem,
                                const struct parameters *parameters, char ***defines, size_t *count,
                                struct error *error)
{
    struct defines written;
    *defines = NULL;
    *count = 0;
    enum status status = write_defines(rung, rung->source->text, problem, parameters, &written, error);
    if (status != STATUS_OK)
        return status;
    char **list = calloc(written.count, sizeof *list);
    for (size_t i = 0; list && i < written.count; i++) {
        list[i] = strdup(written.text[i]);
        if (!list[i]) {
            device_rung_defines_free(list, i);
            list = NULL;
        }
    }
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its macros", rung->source->path);
    *defines = list;
    *count = written.count;
    return STATUS_OK;
}

void device_rung_defines_free(char **defines, size_t count)
{
    for (size_t i = 0; defines && i < count; i++)
        free(defines[i]);
    free(defines);
}

enum status device_rung_build(const struct run *run, struct program **program, struct error *error)
{
    const struct source_text source = device_source_for(run->rung->source, run->device);
    struct defines defines;
    *program = NULL;
    enum status status = write_defines(run->rung, source.text, run->problem, &run->parameters, &defines, error);
    if (status != STATUS_OK)
        return status;
    const char *list[DEFINES_MAX];
    for (size_t i = 0; i < defines.count; i++)
        list[i] = defines.text[i];
    struct program_source text = {.name = source.path,
                                  .text = source.text,
                                  .language = source.language,
                                  .defines = list,
                                  .define_count = defines.count};
    return program_build(run->device, &text, program, error);
}

/* ---- the rung's functions ------------------------------------------------------------------------------------- */

enum status device_rung_prepare(struct run *run, struct error *error)
{
    struct device_state *state = calloc(1, sizeof *state);
    if (!state)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for its launch", run->rung->source->path);
    struct scope scope = run_scope(run);
    enum status status = evaluate_shape(&scope, &state->launch, error);
    if (status == STATUS_OK)
        status = evaluate_arguments(&scope, state, error);
    if (status == STATUS_OK)
        status = device_rung_build(run, &state->program, error);
    if (status != STATUS_OK) {
        free(state);
        return status;
    }
    run->state = state;
    return STATUS_OK;
}

void device_rung_finish(struct run *run)
{
    struct device_state *state = run->state;
    if (state)
        program_discard(state->program);
    free(state);
    run->state = NULL;
}

struct program *device_rung_program(const struct run *run)
{
    return ((const struct device_state *)run->state)->program;
}

const struct launch *device_rung_ready(struct run *run)
{
    struct device_state *state = run->state;
    for (size_t i = 0; i < state->launch.argument_count; i++)
        if (state->arguments[i].kind == ARGUMENT_BUFFER)
            state->arguments[i].buffer =
                state->arrays[i] == ARGUMENT_SCRATCH ? run->scratch : &run->buffers[state->arrays[i]];
    return &state->launch;
}

enum status device_rung_enqueue(struct run *run, struct error *error)
{
    const struct launch *launch = device_rung_ready(run);
    return program_launch(device_rung_program(run), launch, error);
}

/* ---- refusing ------------------------------------------------------------------------------------------------- */

/* Types whose arithmetic is double, unless the kernel only moves them. */
static bool needs_double(const struct device_source *source, const struct problem *problem)
{
    bool wide = problem->type == ELEMENT_F64 || problem->type == ELEMENT_C128;
    return source->needs_double || (wide && !problem->kernel->moves_bits);
}

static const char *unmet_requirement(struct scope *scope, char *reason, size_t size)
{
    const struct device_source *source = scope->rung->source;
    struct error error = {{0}};
    for (size_t i = 0; i < source->requirement_count; i++) {
        double value = 0;
        if (scope_real(scope, source->requirements[i].condition, &value, &error) != STATUS_OK) {
            explain(reason, size, "require: %s", error.text);
            return reason;
        }
        if (value == 0) {
            explain(reason, size, "%s", source->requirements[i].reason);
            return reason;
        }
    }
    return NULL;
}

const char *device_rung_refuses(const struct rung *rung, const struct problem *problem, const struct device *device,
                                const struct parameters *parameters, char *reason, size_t size)
{
    const struct device_source *source = rung->source;
    struct scope scope = {.problem = problem, .rung = rung, .parameters = parameters, .device = device};
    if (needs_double(source, problem) && !device->properties.has_double) {
        explain(reason, size, "needs double precision, which %s does not have", device->id);
        return reason;
    }
    if (source->needs_images && !device->properties.has_images) {
        explain(reason, size, "needs images, which %s does not have", device->id);
        return reason;
    }
    if (element_is_half(problem->type) && !problem->kernel->moves_bits && device->backend->kind == BACKEND_OPENGL) {
        explain(reason, size, "OpenGL's language has no elements of 16 bits");
        return reason;
    }
    if (unmet_requirement(&scope, reason, size))
        return reason;
    struct device_state state = {0};
    struct error error = {{0}};
    enum status status = evaluate_shape(&scope, &state.launch, &error);
    if (status == STATUS_OK)
        status = evaluate_arguments(&scope, &state, &error);
    if (status == STATUS_OK && source->rank > 0)
        status = launch_check(device, &state.launch, &error);
    if (status == STATUS_OK)
        return NULL;
    explain(reason, size, "%s", error.text);
    return reason;
}
