/* A program of the OpenGL backend: one compute shader. */
#pragma once

#include "backends/opengl/opengl.h"

#define OPENGL_ARGUMENTS_MOST 32

struct opengl_program {
    struct program base;
    GLuint name;
    GLint group[3];                         /* items; compiled in */
    GLenum uniforms[OPENGL_ARGUMENTS_MOST]; /* the type of argument k where it is a number that is read; else 0 */
    char source[128];                       /* its file, for messages */
};

/* The first errors of a compiler's log in one line, the rung's file named as "name:LINE". Empty when the log has none.
 * The rung's text is number 1 of those compiled. */
void opengl_log_errors(const char *log, const char *name, char *text, size_t size);
