#include "report/html/svg_to_png.h"

#include <stdlib.h>
#include <string.h>

#include "base/dynamic_library.h"
#include "base/size.h"
#include "base/translation.h"
#include "report/html/chart.h"

#define PIXELS 2

/* The functions used of the two libraries. */
struct rectangle {
    double x, y, width, height;
};

struct glib_error {
    unsigned domain;
    int code;
    char *message;
};

struct rsvg {
    void *(*from_data)(const unsigned char *, size_t, struct glib_error **);
    int (*intrinsic_size)(void *, double *, double *);
    int (*render)(void *, void *, const struct rectangle *, struct glib_error **);
};

struct cairo {
    void *(*surface_create)(int, int, int);
    int (*surface_status)(void *);
    void *(*create)(void *);
    void (*destroy)(void *);
    void (*surface_destroy)(void *);
    int (*write_png)(void *, int (*)(void *, const unsigned char *, unsigned), void *);
};

struct gobject {
    void (*unref)(void *);
};

static const struct dynamic_symbol rsvg_symbols[] = {
    {"rsvg_handle_new_from_data", offsetof(struct rsvg, from_data), 0},
    {"rsvg_handle_get_intrinsic_size_in_pixels", offsetof(struct rsvg, intrinsic_size), 0},
    {"rsvg_handle_render_document", offsetof(struct rsvg, render), 0},
};
static const struct dynamic_symbol cairo_symbols[] = {
    {"cairo_image_surface_create", offsetof(struct cairo, surface_create), 0},
    {"cairo_surface_status", offsetof(struct cairo, surface_status), 0},
    {"cairo_create", offsetof(struct cairo, create), 0},
    {"cairo_destroy", offsetof(struct cairo, destroy), 0},
    {"cairo_surface_destroy", offsetof(struct cairo, surface_destroy), 0},
    {"cairo_surface_write_to_png_stream", offsetof(struct cairo, write_png), 0},
};
static const struct dynamic_symbol gobject_symbols[] = {{"g_object_unref", offsetof(struct gobject, unref), 0}};

static const char advice[] = N_("install librsvg2-2, or write the chart with --svg");
static const char *const rsvg_names[] = {"librsvg-2.so.2", NULL};
static const char *const cairo_names[] = {"libcairo.so.2", NULL};
static const char *const gobject_names[] = {"libgobject-2.0.so.0", NULL};

/* The libraries stay open: GLib's types cannot be unloaded. */
static enum status open_libraries(struct rsvg *rsvg, struct cairo *cairo, struct gobject *gobject, struct error *error)
{
    const struct dynamic_library libraries[] = {
        {"librsvg", rsvg_names, NULL, advice},
        {"Cairo", cairo_names, NULL, advice},
        {"GObject", gobject_names, NULL, advice},
    };
    void *handle;
    enum status status =
        dynamic_library_open(&libraries[0], rsvg_symbols, COUNT_OF(rsvg_symbols), rsvg, &handle, error);
    if (status == STATUS_OK)
        status = dynamic_library_open(&libraries[1], cairo_symbols, COUNT_OF(cairo_symbols), cairo, &handle, error);
    if (status == STATUS_OK)
        status =
            dynamic_library_open(&libraries[2], gobject_symbols, COUNT_OF(gobject_symbols), gobject, &handle, error);
    return status;
}

/* The PNG as it grows. */
struct growing {
    unsigned char *bytes;
    size_t count;
};

static int append(void *context, const unsigned char *data, unsigned count)
{
    struct growing *growing = context;
    unsigned char *bytes = realloc(growing->bytes, growing->count + count);
    if (!bytes)
        return 1; /* CAIRO_STATUS_NO_MEMORY */
    memcpy(bytes + growing->count, data, count);
    growing->bytes = bytes;
    growing->count += count;
    return 0;
}

static enum status render(const struct rsvg *rsvg, const struct cairo *cairo, void *picture, struct growing *png,
                          struct error *error)
{
    double width = CHART_WIDE, height = CHART_WIDE;
    struct glib_error *why = NULL;
    rsvg->intrinsic_size(picture, &width, &height);
    void *surface = cairo->surface_create(0 /* ARGB32 */, (int)(width * PIXELS), (int)(height * PIXELS));
    void *context = cairo->create(surface);
    struct rectangle whole = {0, 0, width * PIXELS, height * PIXELS};
    enum status status = STATUS_OK;
    if (cairo->surface_status(surface) != 0)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for a picture of %.0f × %.0f", whole.width, whole.height);
    else if (!rsvg->render(picture, context, &whole, &why))
        status =
            fail(error, STATUS_FAILED, "librsvg does not draw the chart: %s", why ? why->message : N_("no reason"));
    else if (cairo->write_png(surface, append, png) != 0)
        status = fail(error, STATUS_UNAVAILABLE, "no memory for the picture");
    cairo->destroy(context);
    cairo->surface_destroy(surface);
    return status;
}

enum status svg_to_png(const char *svg, size_t bytes, void **png, size_t *png_bytes, struct error *error)
{
    struct rsvg rsvg;
    struct cairo cairo;
    struct gobject gobject;
    struct growing growing = {0};
    struct glib_error *why = NULL;
    enum status status = open_libraries(&rsvg, &cairo, &gobject, error);
    if (status != STATUS_OK)
        return status;
    void *picture = rsvg.from_data((const unsigned char *)svg, bytes, &why);
    if (!picture)
        return fail(error, STATUS_FAILED, "librsvg does not read the chart: %s", why ? why->message : N_("no reason"));
    status = render(&rsvg, &cairo, picture, &growing, error);
    gobject.unref(picture);
    if (status != STATUS_OK) {
        free(growing.bytes);
        return status;
    }
    *png = growing.bytes;
    *png_bytes = growing.count;
    return STATUS_OK;
}
