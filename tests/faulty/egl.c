/* A libEGL, put where the loader looks first: it hands all calls on to the real one, REAL_EGL, and does harm at the
 * function of EGL or OpenGL that FAULT names (harm.h), from its first call on: "glDispatchCompute-hang"; or when it is
 * loaded: "load-abort". With
 * "glFinish-null" a function does nothing and returns 0, with "-ones" -1. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "backends/opengl/library.h"
#include "harm.h"

#define EXPORT __attribute__((visibility("default")))

__attribute__((constructor)) static void load(void)
{
    harm("load");
}

static const char *at_work; /* what the function at fault does */

static intptr_t at_fault(void)
{
    harm_by(at_work);
    return strcmp(at_work, "ones") == 0 ? -1 : 0;
}

/* Pointers to functions go through memcpy: ISO C has no conversion from them to void *. */
static void *choose(const char *name, void *found)
{
    intptr_t (*harmful)(void) = at_fault;
    const char *fault = fault_at(name);
    if (!found || !fault)
        return found;
    at_work = fault;
    memcpy(&found, &harmful, sizeof found);
    return found;
}

static void *real(const char *name)
{
    static void *library;
    const char *path = getenv("REAL_EGL");
    if (!library)
        library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, name) : NULL;
    if (!address)
        abort();
    return choose(name, address);
}

#define REAL(type, name, parameters)   \
    type(*function) parameters;        \
    void *address = real("egl" #name); \
    memcpy(&function, &address, sizeof function)

EXPORT void *eglGetProcAddress(const char *name);
EXPORT EGLint eglGetError(void);
EXPORT const char *eglQueryString(EGLDisplay display, EGLint name);
EXPORT EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor);
EXPORT EGLBoolean eglBindAPI(EGLenum api);
EXPORT EGLContext eglCreateContext(EGLDisplay display, void *config, EGLContext share, const EGLint *attributes);
EXPORT EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context);
EXPORT EGLBoolean eglMakeCurrent(EGLDisplay display, void *draw, void *read, EGLContext context);
EXPORT EGLContext eglGetCurrentContext(void);

void *eglGetProcAddress(const char *name)
{
    REAL(void *, GetProcAddress, (const char *));
    return choose(name, function(name));
}

EGLint eglGetError(void)
{
    REAL(EGLint, GetError, (void));
    return function();
}

const char *eglQueryString(EGLDisplay display, EGLint name)
{
    REAL(const char *, QueryString, (EGLDisplay, EGLint));
    return function(display, name);
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor)
{
    REAL(EGLBoolean, Initialize, (EGLDisplay, EGLint *, EGLint *));
    return function(display, major, minor);
}

EGLBoolean eglBindAPI(EGLenum api)
{
    REAL(EGLBoolean, BindAPI, (EGLenum));
    return function(api);
}

EGLContext eglCreateContext(EGLDisplay display, void *config, EGLContext share, const EGLint *attributes)
{
    REAL(EGLContext, CreateContext, (EGLDisplay, void *, EGLContext, const EGLint *));
    return function(display, config, share, attributes);
}

EGLBoolean eglDestroyContext(EGLDisplay display, EGLContext context)
{
    REAL(EGLBoolean, DestroyContext, (EGLDisplay, EGLContext));
    return function(display, context);
}

EGLBoolean eglMakeCurrent(EGLDisplay display, void *draw, void *read, EGLContext context)
{
    REAL(EGLBoolean, MakeCurrent, (EGLDisplay, void *, void *, EGLContext));
    return function(display, draw, read, context);
}

EGLContext eglGetCurrentContext(void)
{
    REAL(EGLContext, GetCurrentContext, (void));
    return function();
}
