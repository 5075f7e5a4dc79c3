/* Launches: buffers bound, numbers set, groups dispatched. */
#include "backends/opengl/program.h"
#include "base/translation.h"

static enum status fail_type(const struct opengl_program *program, size_t index, const char *given, struct error *error)
{
    return fail(error, STATUS_INVALID, "%s: argument %zu is given as %s, and the shader declares another type",
                program->source, index + 1, given);
}

/* An index in 32 bits: no buffer holds more. */
static enum status set_integer(const struct opengl_program *program, size_t index, int64_t value, struct error *error)
{
    const GLenum type = program->uniforms[index];
    if (type != 0 && type != GL_INT)
        return fail_type(program, index, N_("an integer"), error);
    if (value < INT32_MIN || value > INT32_MAX)
        return fail(error, STATUS_UNAVAILABLE, "%s: argument %zu is %ld; GLSL's integers have 32 bits", program->source,
                    index + 1, (long)value);
    if (type == GL_INT)
        gl.Uniform1i((GLint)index, (GLint)value);
    return STATUS_OK;
}

static enum status set_real(const struct opengl_program *program, size_t index, double value, GLenum given,
                            struct error *error)
{
    const GLenum type = program->uniforms[index];
    if (type != 0 && type != given)
        return fail_type(program, index, given == GL_FLOAT ? N_("a float") : N_("a double"), error);
    if (type == GL_FLOAT)
        gl.Uniform1f((GLint)index, (float)value);
    else if (type == GL_DOUBLE)
        gl.Uniform1d((GLint)index, value);
    return STATUS_OK;
}

static enum status bind_buffer(const struct opengl_program *program, size_t index, const struct buffer *buffer,
                               struct error *error)
{
    const struct opengl_device *device = (struct opengl_device *)program->base.device;
    const struct opengl_memory *memory = opengl_memory_of(buffer);
    if (index >= (size_t)device->storage_blocks)
        return fail(error, STATUS_UNAVAILABLE, "%s: argument %zu is a buffer; %s binds the first %d arguments only",
                    program->source, index + 1, device->base.id, device->storage_blocks);
    gl.BindBufferRange(GL_SHADER_STORAGE_BUFFER, (GLuint)index, memory->name, (GLintptr)memory->offset,
                       (GLsizeiptr)(buffer->bytes ? buffer->bytes : 1));
    return STATUS_OK;
}

static enum status set_argument(const struct opengl_program *program, size_t index,
                                const struct argument_value *argument, struct error *error)
{
    switch (argument->kind) {
    case ARGUMENT_BUFFER:
        return bind_buffer(program, index, argument->buffer, error);
    case ARGUMENT_INT:
        return set_integer(program, index, argument->int_value, error);
    case ARGUMENT_LONG:
        return set_integer(program, index, argument->long_value, error);
    case ARGUMENT_FLOAT:
        return set_real(program, index, argument->float_value, GL_FLOAT, error);
    case ARGUMENT_DOUBLE:
        return set_real(program, index, argument->double_value, GL_DOUBLE, error);
    case ARGUMENT_TEXTURE:
    case ARGUMENT_TILES:
        break;
    }
    return fail(error, STATUS_UNAVAILABLE,
                "%s: argument %zu is a texture or a tile map, which OpenGL's rungs do not have", program->source,
                index + 1);
}

static enum status check_group(const struct opengl_program *program, const struct launch *launch, struct error *error)
{
    for (int i = 0; i < 3; i++)
        if (launch->group[i] != (size_t)program->group[i])
            return fail(error, STATUS_INVALID,
                        "%s: the shader's group is %d x %d x %d items, and the launch asks for %zu x %zu x %zu",
                        program->source, program->group[0], program->group[1], program->group[2], launch->group[0],
                        launch->group[1], launch->group[2]);
    return STATUS_OK;
}

enum status opengl_launch(struct program *program, const struct launch *launch, struct error *error)
{
    const struct opengl_program *opengl = (struct opengl_program *)program;
    if (launch->local_bytes)
        return fail(error, STATUS_INVALID, "%s asks for dynamic local memory, which only CUDA C has", opengl->source);
    if (launch->argument_count > OPENGL_ARGUMENTS_MOST)
        return fail(error, STATUS_INVALID, "%s: %zu arguments; at most %d are taken", opengl->source,
                    launch->argument_count, OPENGL_ARGUMENTS_MOST);
    enum status status = check_group(opengl, launch, error);
    if (status == STATUS_OK)
        status = opengl_enter(program->device, error);
    if (status != STATUS_OK)
        return status;
    gl.UseProgram(opengl->name);
    for (size_t i = 0; status == STATUS_OK && i < launch->argument_count; i++)
        status = set_argument(opengl, i, &launch->arguments[i], error);
    if (status != STATUS_OK)
        return status;
    gl.DispatchCompute((GLuint)launch->groups[0], (GLuint)launch->groups[1], (GLuint)launch->groups[2]);
    /* Makes the stores visible to later launches and copies. */
    gl.MemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    return opengl_check(program->device, opengl->source, error);
}
