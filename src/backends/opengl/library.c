#include "backends/opengl/library.h"

#include <pthread.h>
#include <string.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"

struct egl_functions egl;
struct gl_functions gl;

const char opengl_advice[] =
    N_("install libegl1 and your GPU's driver, or libegl1, libegl-mesa0 and libgl1-mesa-dri to run on the processor");

static enum status open_status;
static struct error open_error;

/* Of the drivers', which libEGL finds; by name, as libGL and libOpenGL differ from system to system. */
struct driver_symbol {
    const char *name;
    size_t offset;
};

static const struct driver_symbol gl_symbols[] = {
#define X(type, name, parameters) {"gl" #name, offsetof(struct gl_functions, name)},
    GL_FUNCTIONS(X)
#undef X
};

static enum status look_up_driver(struct error *error)
{
    for (size_t i = 0; i < COUNT_OF(gl_symbols); i++) {
        void *address = egl.GetProcAddress(gl_symbols[i].name);
        if (!address)
            return fail(error, STATUS_UNAVAILABLE, "EGL knows no function %s: another version is needed; %s",
                        gl_symbols[i].name, opengl_advice);
        /* memcpy, because ISO C has no conversion from void * to a function pointer. */
        memcpy((char *)&gl + gl_symbols[i].offset, &address, sizeof address);
    }
    return STATUS_OK;
}

static void look_up_extensions(void)
{
    void *address;
#define X(type, name, parameters)              \
    address = egl.GetProcAddress("egl" #name); \
    memcpy(&egl.name, &address, sizeof address);
    EGL_LATER_FUNCTIONS(X)
#undef X
}

static void open_library(void)
{
    static const char *const names[] = {"libEGL.so.1", NULL};
    static const struct dynamic_symbol symbols[] = {
#define X(type, name, parameters) {"egl" #name, offsetof(struct egl_functions, name), 0},
        EGL_FUNCTIONS(X)
#undef X
    };
    const struct dynamic_library library = {.title = "EGL", .names = names, .advice = opengl_advice};
    void *handle;
    open_status = dynamic_library_open(&library, symbols, COUNT_OF(symbols), &egl, &handle, &open_error);
    if (open_status == STATUS_OK)
        open_status = look_up_driver(&open_error);
    if (open_status == STATUS_OK)
        look_up_extensions();
}

enum status opengl_library_open(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_library);
    if (open_status != STATUS_OK)
        return fail(error, open_status, "%s", open_error.text);
    return STATUS_OK;
}

bool opengl_is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}
