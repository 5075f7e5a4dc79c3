/* Finding the places where OpenGL runs without a window, and making a context there. */
#include <pthread.h>
#include <string.h>

#include "backends/opengl/opengl.h"
#include "base/size.h"

#define PLACES_MOST 32

/* ---- contexts ---- */

static enum status start_display(const struct opengl_place *place, EGLDisplay *display, struct error *error)
{
    EGLint major, minor;
    *display = egl.GetPlatformDisplayEXT(place->platform, place->native, NULL);
    if (!*display)
        return fail(error, STATUS_UNAVAILABLE, "EGL has no display for it (error 0x%x)", (unsigned)egl.GetError());
    if (!egl.Initialize(*display, &major, &minor))
        return fail(error, STATUS_UNAVAILABLE,
                    "its driver does not start (EGL error 0x%x): check that you may use the GPU (/dev/dri, "
                    "/dev/nvidia*)",
                    (unsigned)egl.GetError());
    const char *extensions = egl.QueryString(*display, EGL_EXTENSIONS);
    static const char *const needed[] = {"EGL_KHR_create_context", "EGL_KHR_no_config_context",
                                         "EGL_KHR_surfaceless_context"};
    for (size_t i = 0; i < COUNT_OF(needed); i++)
        if (!opengl_is_listed(extensions, needed[i]))
            return fail(error, STATUS_UNAVAILABLE, "its driver lacks %s: a context without a window is not to be had",
                        needed[i]);
    return STATUS_OK;
}

enum status opengl_context_create(const struct opengl_place *place, struct opengl_context *context, struct error *error)
{
    static const EGLint attributes[] = {
        EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    *context = (struct opengl_context){0};
    EGLDisplay display;
    enum status status = start_display(place, &display, error);
    if (status != STATUS_OK)
        return status;
    egl.BindAPI(EGL_OPENGL_API);
    EGLContext made = egl.CreateContext(display, NULL, NULL, attributes);
    if (!made)
        return fail(error, STATUS_UNAVAILABLE,
                    "its driver has no OpenGL 4.3, the first with compute shaders (EGL error 0x%x)",
                    (unsigned)egl.GetError());
    if (!egl.MakeCurrent(display, NULL, NULL, made)) {
        status = fail(error, STATUS_UNAVAILABLE, "its context cannot be used without a window (EGL error 0x%x)",
                      (unsigned)egl.GetError());
        egl.DestroyContext(display, made);
        return status;
    }
    *context = (struct opengl_context){display, made};
    return STATUS_OK;
}

/* The display stays: EGL has one for each place in the whole process. */
void opengl_context_destroy(struct opengl_context *context)
{
    if (!context->context)
        return;
    if (egl.GetCurrentContext() == context->context)
        egl.MakeCurrent(context->display, NULL, NULL, NULL);
    egl.DestroyContext(context->display, context->context);
    *context = (struct opengl_context){0};
}

/* ---- places ---- */

static struct opengl_place found[PLACES_MOST];
static int found_count;
static enum status find_status;
static struct error find_error;

static bool is_usable(const struct opengl_place *place, struct error *why)
{
    struct opengl_context context;
    if (opengl_context_create(place, &context, why) != STATUS_OK)
        return false;
    opengl_context_destroy(&context);
    return true;
}

/* Devices in EGL's order, the usable ones first. */
static int list_devices(const char *client, struct opengl_place *places, struct error *why)
{
    EGLDeviceEXT devices[PLACES_MOST];
    EGLint count = 0;
    bool usable[PLACES_MOST];
    int listed = 0;
    if (!egl.QueryDevicesEXT || !opengl_is_listed(client, "EGL_EXT_platform_device") ||
        !egl.QueryDevicesEXT(PLACES_MOST, devices, &count))
        return 0;
    count = count < PLACES_MOST ? count : PLACES_MOST;
    for (EGLint i = 0; i < count; i++) {
        const struct opengl_place place = {EGL_PLATFORM_DEVICE_EXT, devices[i], false};
        usable[i] = is_usable(&place, why);
    }
    for (int pass = 1; pass >= 0; pass--)
        for (EGLint i = 0; i < count; i++)
            if (usable[i] == (pass == 1))
                places[listed++] = (struct opengl_place){EGL_PLATFORM_DEVICE_EXT, devices[i], usable[i]};
    return listed;
}

static void find(void)
{
    struct error why = {0};
    find_status = opengl_library_open(&find_error);
    if (find_status != STATUS_OK)
        return;
    const char *client = egl.QueryString(NULL, EGL_EXTENSIONS);
    if (!egl.GetPlatformDisplayEXT) {
        find_status =
            fail(&find_error, STATUS_UNAVAILABLE,
                 "EGL knows no platforms (EGL_EXT_platform_base): another version is needed; %s", opengl_advice);
        return;
    }
    found_count = list_devices(client, found, &why);
    if (found_count > 0 && found[0].is_usable)
        return;
    const struct opengl_place surfaceless = {EGL_PLATFORM_SURFACELESS_MESA, NULL, true};
    if (opengl_is_listed(client, "EGL_MESA_platform_surfaceless") && is_usable(&surfaceless, &why)) {
        memmove(found + 1, found,
                (size_t)(found_count < PLACES_MOST - 1 ? found_count : PLACES_MOST - 1) * sizeof *found);
        found[0] = surfaceless;
        found_count += found_count < PLACES_MOST;
    }
    if (found_count == 0)
        find_status = fail(&find_error, STATUS_UNAVAILABLE,
                           "EGL is here, but no driver of it makes a device without a window: %s", opengl_advice);
}

enum status opengl_find_places(const struct opengl_place **places, int *count, struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find);
    *places = found;
    *count = found_count;
    if (find_status != STATUS_OK)
        return fail(error, find_status, "%s", find_error.text);
    return STATUS_OK;
}
