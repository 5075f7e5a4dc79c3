/* Programs: the rung's file behind the prelude, compiled and linked. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opengl/program.h"
#include "base/embedded.h"
#include "base/message.h"
#include "base/size.h"
#include "base/text.h"

#define PRELUDE "backends/opengl/prelude.glsl"
#define LOG_LINES_MOST 3
#define LOG_MOST (64 << 20) /* a driver that tells of a longer one tells nonsense */

/* ---- the text ---- */

/* The version, which must come first, and a macro for each definition; NULL when memory is out. */
static char *write_top(const struct program_source *source)
{
    size_t size = sizeof "#version 430\n";
    for (size_t i = 0; i < source->define_count; i++)
        size += strlen(source->defines[i]) + sizeof "#define  1\n";
    char *text = malloc(size);
    if (!text)
        return NULL;
    text[0] = 0;
    text_append(text, size, "#version 430\n");
    for (size_t i = 0; i < source->define_count; i++) {
        const char *define = source->defines[i];
        const size_t name = strcspn(define, "=");
        text_append(text, size, "#define %.*s %s\n", (int)name, define, define[name] ? define + name + 1 : "1");
    }
    return text;
}

/* ---- the compiler's log ---- */

/* Where "0:12(5): …" (Mesa) or "1(12) : …" (NVIDIA) tells of line 12: what follows. Mesa gives every text the number 0;
 * that of the rung is the only one in which users make mistakes. */
static const char *find_line(const char *line, long *number)
{
    char *end;
    if (!isdigit((unsigned char)line[0]) || (line[1] != ':' && line[1] != '(') || !isdigit((unsigned char)line[2]))
        return NULL;
    *number = strtol(line + 2, &end, 10);
    if (line[1] == '(')
        return *end == ')' ? end + 1 : NULL;
    return *end == '(' && strchr(end, ')') ? strchr(end, ')') + 1 : NULL;
}

void opengl_log_errors(const char *log, const char *name, char *text, size_t size)
{
    int lines = 0;
    text[0] = 0;
    for (const char *at = log; *at && lines < LOG_LINES_MOST; at += strcspn(at, "\n"), at += *at == '\n') {
        const int length = (int)strcspn(at, "\n");
        long number;
        const char *rest = find_line(at, &number);
        if (!memmem(at, (size_t)length, "error", 5))
            continue;
        text_append(text, size, "%s", lines++ ? "; " : "");
        if (rest && rest < at + length) {
            rest += strspn(rest, " :");
            text_append(text, size, "%s:%ld: %.*s", name, number, (int)(at + length - rest), rest);
        } else {
            text_append(text, size, "%.*s", length, at);
        }
    }
}

static enum status fail_log(const struct device *device, const char *name, GLuint object, bool is_program,
                            struct error *error)
{
    GLint size = 0;
    char lines[768];
    if (is_program)
        gl.GetProgramiv(object, GL_INFO_LOG_LENGTH, &size);
    else
        gl.GetShaderiv(object, GL_INFO_LOG_LENGTH, &size);
    char *log = size > 0 && size < LOG_MOST ? calloc((size_t)size + 1, 1) : NULL;
    if (log && is_program)
        gl.GetProgramInfoLog(object, size, NULL, log);
    else if (log)
        gl.GetShaderInfoLog(object, size, NULL, log);
    opengl_log_errors(log ? log : "", name, lines, sizeof lines);
    if (!lines[0])
        snprintf(lines, sizeof lines, "%.*s", log ? (int)strcspn(log, "\n") : 0, log ? log : "");
    free(log);
    if (!lines[0])
        explain(lines, sizeof lines, "its driver gives no reason");
    return fail(error, STATUS_INVALID, "%s does not compile on %s: %s", name, device->id, lines);
}

/* ---- building ---- */

static enum status compile(const struct device *device, const struct program_source *source, GLuint *shader,
                           struct error *error)
{
    const struct embedded_file *prelude = embedded_find(PRELUDE);
    char *top = write_top(source);
    if (!prelude || !top) {
        free(top);
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to compile it", source->name);
    }
    const char *const texts[] = {top, prelude->text, "\n#line 1 1\n", source->text};
    GLint ok = 0;
    *shader = gl.CreateShader(GL_COMPUTE_SHADER);
    gl.ShaderSource(*shader, COUNT_OF(texts), texts, NULL);
    gl.CompileShader(*shader);
    gl.GetShaderiv(*shader, GL_COMPILE_STATUS, &ok);
    free(top);
    return ok ? STATUS_OK : fail_log(device, source->name, *shader, false, error);
}

static enum status link(const struct device *device, const char *name, GLuint shader, GLuint program,
                        struct error *error)
{
    GLint ok = 0;
    gl.AttachShader(program, shader);
    gl.LinkProgram(program);
    gl.GetProgramiv(program, GL_LINK_STATUS, &ok);
    return ok ? STATUS_OK : fail_log(device, name, program, true, error);
}

/* Which arguments the program reads as numbers, and of what type; those that it does not read have none. */
static void read_uniforms(struct opengl_program *program)
{
    GLint count = 0;
    gl.GetProgramiv(program->name, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; i++) {
        char name[128];
        GLint elements;
        GLenum type;
        gl.GetActiveUniform(program->name, (GLuint)i, sizeof name, NULL, &elements, &type, name);
        const GLint location = gl.GetUniformLocation(program->name, name);
        if (location >= 0 && location < OPENGL_ARGUMENTS_MOST)
            program->uniforms[location] = type;
    }
}

enum status opengl_build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error)
{
    if (source->language != LANGUAGE_GLSL)
        return fail(error, STATUS_UNAVAILABLE, "%s is not GLSL, which is what %s compiles", source->name, device->id);
    enum status status = opengl_enter(device, error);
    if (status != STATUS_OK)
        return status;
    struct opengl_program *made = calloc(1, sizeof *made);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory to compile it", source->name);
    GLuint shader = 0;
    made->base.device = device;
    made->name = gl.CreateProgram();
    snprintf(made->source, sizeof made->source, "%s", source->name);
    status = compile(device, source, &shader, error);
    if (status == STATUS_OK)
        status = link(device, source->name, shader, made->name, error);
    gl.DeleteShader(shader); /* goes with the program that it is attached to */
    if (status == STATUS_OK) {
        gl.GetProgramiv(made->name, GL_COMPUTE_WORK_GROUP_SIZE, made->group);
        read_uniforms(made);
        status = opengl_check(device, source->name, error);
    }
    if (status != STATUS_OK)
        opengl_discard(&made->base);
    else
        *program = &made->base;
    return status;
}

void opengl_discard(struct program *program)
{
    struct opengl_program *opengl = (struct opengl_program *)program;
    if (opengl_enter(program->device, NULL) == STATUS_OK)
        gl.DeleteProgram(opengl->name);
    free(opengl);
}
