/* The part of EGL and OpenGL that Uskor uses, declared here after Khronos' specifications (EGL 1.5, OpenGL 4.3), so
 * that no header package is needed to build. libEGL is opened when the program runs; it knows the functions of the
 * drivers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* ---- EGL: a context without a window ---- */

typedef void *EGLDisplay;
typedef void *EGLContext;
typedef void *EGLDeviceEXT;
typedef int32_t EGLint;
typedef unsigned EGLenum;
typedef unsigned EGLBoolean;

enum {
    EGL_NONE = 0x3038,
    EGL_VENDOR = 0x3053,
    EGL_EXTENSIONS = 0x3055,
    EGL_OPENGL_API = 0x30A2,
    EGL_CONTEXT_MAJOR_VERSION = 0x3098,
    EGL_CONTEXT_MINOR_VERSION = 0x30FB,
    EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1,
    EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
    EGL_PLATFORM_DEVICE_EXT = 0x313F,
};

#define EGL_FUNCTIONS(X)                                                                                         \
    X(void *, GetProcAddress, (const char *name))                                                                \
    X(EGLint, GetError, (void))                                                                                  \
    X(const char *, QueryString, (EGLDisplay display, EGLint name))                                              \
    X(EGLBoolean, Initialize, (EGLDisplay display, EGLint * major, EGLint * minor))                              \
    X(EGLBoolean, BindAPI, (EGLenum api))                                                                        \
    X(EGLContext, CreateContext, (EGLDisplay display, void *config, EGLContext share, const EGLint *attributes)) \
    X(EGLBoolean, DestroyContext, (EGLDisplay display, EGLContext context))                                      \
    X(EGLBoolean, MakeCurrent, (EGLDisplay display, void *draw, void *read, EGLContext context))                 \
    X(EGLContext, GetCurrentContext, (void))

/* Extensions; NULL where the loader does not know them. */
#define EGL_LATER_FUNCTIONS(X)                                                                       \
    X(EGLDisplay, GetPlatformDisplayEXT, (EGLenum platform, void *native, const EGLint *attributes)) \
    X(EGLBoolean, QueryDevicesEXT, (EGLint most, EGLDeviceEXT * devices, EGLint * count))            \
    X(const char *, QueryDeviceStringEXT, (EGLDeviceEXT device, EGLint name))

struct egl_functions {
#define X(type, name, parameters) type(*name) parameters;
    EGL_FUNCTIONS(X)
    EGL_LATER_FUNCTIONS(X)
#undef X
};

/* ---- OpenGL ---- */

typedef unsigned GLenum;
typedef unsigned GLuint;
typedef int GLint;
typedef int GLsizei;
typedef intptr_t GLintptr;
typedef intptr_t GLsizeiptr;

enum {
    GL_NO_ERROR = 0,
    GL_INVALID_ENUM = 0x0500,
    GL_INVALID_VALUE = 0x0501,
    GL_INVALID_OPERATION = 0x0502,
    GL_OUT_OF_MEMORY = 0x0505,
    GL_CONTEXT_LOST = 0x0507,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_INT = 0x1404,
    GL_UNSIGNED_INT = 0x1405,
    GL_FLOAT = 0x1406,
    GL_DOUBLE = 0x140A,
    GL_VENDOR = 0x1F00,
    GL_RENDERER = 0x1F01,
    GL_VERSION = 0x1F02,
    GL_EXTENSIONS = 0x1F03,
    GL_NUM_EXTENSIONS = 0x821D,
    GL_MAJOR_VERSION = 0x821B,
    GL_MINOR_VERSION = 0x821C,
    GL_SHADING_LANGUAGE_VERSION = 0x8B8C,
    GL_MAX_UNIFORM_BLOCK_SIZE = 0x8A30,
    GL_MAX_COMPUTE_SHARED_MEMORY_SIZE = 0x8262,
    GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS = 0x90EB,
    GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS = 0x90DB,
    GL_MAX_SHADER_STORAGE_BLOCK_SIZE = 0x90DE,
    GL_MAX_COMPUTE_WORK_GROUP_COUNT = 0x91BE,
    GL_MAX_COMPUTE_WORK_GROUP_SIZE = 0x91BF,
    GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX = 0x9048, /* KiB */
    GL_WARP_SIZE_NV = 0x9339,
    GL_WARPS_PER_SM_NV = 0x933A,
    GL_SM_COUNT_NV = 0x933B,
    GL_COPY_READ_BUFFER = 0x8F36,
    GL_COPY_WRITE_BUFFER = 0x8F37,
    GL_SHADER_STORAGE_BUFFER = 0x90D2,
    GL_DYNAMIC_COPY = 0x88EA,
    GL_R8UI = 0x8232,
    GL_R32UI = 0x8236,
    GL_RED_INTEGER = 0x8D94,
    GL_COMPUTE_SHADER = 0x91B9,
    GL_COMPILE_STATUS = 0x8B81,
    GL_LINK_STATUS = 0x8B82,
    GL_INFO_LOG_LENGTH = 0x8B84,
    GL_ACTIVE_UNIFORMS = 0x8B86,
    GL_COMPUTE_WORK_GROUP_SIZE = 0x8267,
    GL_TIMESTAMP = 0x8E28,
    GL_QUERY_RESULT = 0x8866,
    GL_ALL_BARRIER_BITS = -1,
    GL_BUFFER_UPDATE_BARRIER_BIT = 0x0200,
    GL_SHADER_STORAGE_BARRIER_BIT = 0x2000,
};

#define GL_FUNCTIONS(X)                                                                                            \
    X(GLenum, GetError, (void))                                                                                    \
    X(const unsigned char *, GetString, (GLenum name))                                                             \
    X(const unsigned char *, GetStringi, (GLenum name, GLuint index))                                              \
    X(void, GetIntegerv, (GLenum name, GLint * values))                                                            \
    X(void, GetInteger64v, (GLenum name, int64_t * values))                                                        \
    X(void, GetIntegeri_v, (GLenum name, GLuint index, GLint * values))                                            \
    X(void, Finish, (void))                                                                                        \
    X(void, GenBuffers, (GLsizei count, GLuint * buffers))                                                         \
    X(void, DeleteBuffers, (GLsizei count, const GLuint *buffers))                                                 \
    X(void, BindBuffer, (GLenum target, GLuint buffer))                                                            \
    X(void, BindBufferRange, (GLenum target, GLuint index, GLuint buffer, GLintptr offset, GLsizeiptr bytes))      \
    X(void, BufferData, (GLenum target, GLsizeiptr bytes, const void *data, GLenum usage))                         \
    X(void, BufferSubData, (GLenum target, GLintptr offset, GLsizeiptr bytes, const void *data))                   \
    X(void, GetBufferSubData, (GLenum target, GLintptr offset, GLsizeiptr bytes, void *data))                      \
    X(void, CopyBufferSubData, (GLenum from, GLenum to, GLintptr from_at, GLintptr to_at, GLsizeiptr bytes))       \
    X(void, ClearBufferSubData,                                                                                    \
      (GLenum target, GLenum internal, GLintptr offset, GLsizeiptr bytes, GLenum format, GLenum type,              \
       const void *data))                                                                                          \
    X(GLuint, CreateShader, (GLenum type))                                                                         \
    X(void, ShaderSource, (GLuint shader, GLsizei count, const char *const *texts, const GLint *lengths))          \
    X(void, CompileShader, (GLuint shader))                                                                        \
    X(void, GetShaderiv, (GLuint shader, GLenum name, GLint * value))                                              \
    X(void, GetShaderInfoLog, (GLuint shader, GLsizei size, GLsizei * length, char *log))                          \
    X(void, DeleteShader, (GLuint shader))                                                                         \
    X(GLuint, CreateProgram, (void))                                                                               \
    X(void, AttachShader, (GLuint program, GLuint shader))                                                         \
    X(void, LinkProgram, (GLuint program))                                                                         \
    X(void, GetProgramiv, (GLuint program, GLenum name, GLint * value))                                            \
    X(void, GetProgramInfoLog, (GLuint program, GLsizei size, GLsizei * length, char *log))                        \
    X(void, DeleteProgram, (GLuint program))                                                                       \
    X(void, UseProgram, (GLuint program))                                                                          \
    X(void, GetActiveUniform,                                                                                      \
      (GLuint program, GLuint index, GLsizei size, GLsizei * length, GLint * elements, GLenum * type, char *name)) \
    X(GLint, GetUniformLocation, (GLuint program, const char *name))                                               \
    X(void, Uniform1i, (GLint location, GLint value))                                                              \
    X(void, Uniform1f, (GLint location, float value))                                                              \
    X(void, Uniform1d, (GLint location, double value))                                                             \
    X(void, DispatchCompute, (GLuint x, GLuint y, GLuint z))                                                       \
    X(void, MemoryBarrier, (unsigned barriers))                                                                    \
    X(void, GenQueries, (GLsizei count, GLuint * queries))                                                         \
    X(void, DeleteQueries, (GLsizei count, const GLuint *queries))                                                 \
    X(void, QueryCounter, (GLuint query, GLenum what))                                                             \
    X(void, GetQueryObjectui64v, (GLuint query, GLenum name, uint64_t * value))

struct gl_functions {
#define X(type, name, parameters) type(*name) parameters;
    GL_FUNCTIONS(X)
#undef X
};

/* Filled by opengl_library_open: egl.Initialize is eglInitialize, gl.Finish is glFinish. */
extern struct egl_functions egl;
extern struct gl_functions gl;

/* Opens libEGL and looks its functions up, once; later calls repeat the first one's answer. */
enum status opengl_library_open(struct error *error);

/* The packages to install where OpenGL is missing; English (translate before showing). */
extern const char opengl_advice[];

/* Whether `name` is one of the words of `list`, which blanks part; false when the list is NULL. */
bool opengl_is_listed(const char *list, const char *name);
