/* What a CUDA program would call: NPP, NVIDIA's library of image functions. It has two functions for this. Neither says
 * in so many words where it puts a pixel's centre, so a small picture is doubled first, off the clock; a function that
 * does not answer as our convention says is not timed against rungs that do. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/size.h"
#include "base/text.h"
#include "base/translation.h"
#include "kernels/resize/resize.h"
#include "kernels/vendor_library.h"

/* After NVIDIA's reference of NPP (nppdefs.h, nppi_geometry_transforms.h). */
struct npp_size {
    int width, height;
};

struct npp_rectangle {
    int x, y, width, height;
};

struct npp_stream {
    void *stream;
    int device, multiprocessors, items_per_multiprocessor, items_per_group;
    size_t local_bytes_per_group;
    int major, minor;
    unsigned flags, reserved;
};

enum { NPPI_INTER_LINEAR = 2, STREAM_NON_BLOCKING = 1 };

struct npp {
    struct vendor_library library;
    int (*resize)(const void *in, int in_step, struct npp_size in_size, struct npp_rectangle in_part, void *out,
                  int out_step, struct npp_size out_size, struct npp_rectangle out_part, int interpolation,
                  struct npp_stream stream);
    int (*resize_square)(const void *in, struct npp_size in_size, int in_step, struct npp_rectangle in_part, void *out,
                         int out_step, struct npp_rectangle out_part, double factor_x, double factor_y, double shift_x,
                         double shift_y, int interpolation, struct npp_stream stream);
    struct npp_stream stream;
};

static const struct dynamic_symbol symbols[] = {
    {"nppiResize_8u_C4R_Ctx", offsetof(struct npp, resize), 0},
    {"nppiResizeSqrPixel_8u_C4R_Ctx", offsetof(struct npp, resize_square), 0},
};

static const char *const names[] = {"libnppig.so.13", "libnppig.so.12", "libnppig.so.11", "libnppig.so", NULL};
static const char *const folders[] = {"/usr/local/cuda/lib64", NULL};
static const struct dynamic_library library = {"NPP", names, folders, N_("install the CUDA toolkit's libnpp")};

static struct npp_stream stream_of(const struct device *device)
{
    const struct device_properties *p = &device->properties;
    struct npp_stream stream = {
        .stream = device->native_queue,
        .device = device->index,
        .multiprocessors = (int)p->units,
        .items_per_multiprocessor = (int)p->items_per_unit,
        .items_per_group = (int)p->group_items,
        .local_bytes_per_group = (size_t)p->local_bytes_per_group,
        .flags = STREAM_NON_BLOCKING,
    };
    sscanf(p->version, "%d.%d", &stream.major, &stream.minor);
    return stream;
}

typedef int (*resize_function)(const struct npp *npp, const void *in, void *out, struct npp_size from,
                               struct npp_size to);

static int resize(const struct npp *npp, const void *in, void *out, struct npp_size from, struct npp_size to)
{
    return npp->resize(in, from.width * CHANNELS, from, (struct npp_rectangle){0, 0, from.width, from.height}, out,
                       to.width * CHANNELS, to, (struct npp_rectangle){0, 0, to.width, to.height}, NPPI_INTER_LINEAR,
                       npp->stream);
}

static int resize_square(const struct npp *npp, const void *in, void *out, struct npp_size from, struct npp_size to)
{
    return npp->resize_square(in, from, from.width * CHANNELS, (struct npp_rectangle){0, 0, from.width, from.height},
                              out, to.width * CHANNELS, (struct npp_rectangle){0, 0, to.width, to.height},
                              (double)to.width / from.width, (double)to.height / from.height, 0, 0, NPPI_INTER_LINEAR,
                              npp->stream);
}

/* ---- which convention? ---------------------------------------------------------------------------------------- */

/* A picture whose columns rise by 40 and whose rows rise by 16: doubled, the first row is 0 10 30 50 … */
enum { SMALL = 4, STEP_X = 40, STEP_Y = 16 };

/* The value of any channel of the doubled picture, which is linear between the outermost centres. */
static int expected_at(int row, int col)
{
    struct place x = place_of(col, SMALL, 2L * SMALL), y = place_of(row, SMALL, 2L * SMALL);
    const int whole = 4 * SMALL;
    int sum = (int)(STEP_X * (x.low * whole + x.weight) + STEP_Y * (y.low * whole + y.weight));
    return (sum + whole / 2) / whole;
}

static enum status judge(const char *name, const unsigned char *doubled, struct error *error)
{
    char row_text[64] = "";
    int differing = 0;
    for (int i = 0; i < 4 * SMALL * SMALL; i++) {
        int error_units = abs(doubled[(ptrdiff_t)i * CHANNELS] - expected_at(i / (2 * SMALL), i % (2 * SMALL)));
        differing += error_units > 1;
    }
    for (int col = 0; col < 2 * SMALL; col++)
        text_append(row_text, sizeof row_text, " %d", doubled[(ptrdiff_t)col * CHANNELS]);
    if (differing == 0)
        return STATUS_OK;
    return fail(error, STATUS_UNAVAILABLE,
                "%s has another convention for pixels or leaves edges out. A row of 0 40 80 120, doubled, is%s, not 0 "
                "10 30 50 70 90 110 120 (0 before: not written)",
                name, row_text);
}

static enum status try_small(const struct npp *npp, struct device *device, const char *name, resize_function function,
                             struct error *error)
{
    unsigned char small[SMALL * SMALL * CHANNELS], doubled[4 * sizeof small];
    struct buffer in = {0}, out = {0};
    for (int i = 0; i < (int)sizeof small; i++)
        small[i] = (unsigned char)(STEP_X * (i / CHANNELS % SMALL) + STEP_Y * (i / CHANNELS / SMALL));
    enum status status = buffer_allocate(device, sizeof small, &in, error);
    if (status == STATUS_OK)
        status = buffer_allocate(device, sizeof doubled, &out, error);
    if (status == STATUS_OK)
        status = buffer_write(&in, 0, small, sizeof small, error);
    if (status == STATUS_OK)
        status = buffer_fill(&out, 0, 0, sizeof doubled, error);
    if (status == STATUS_OK) {
        int code = function(npp, (const void *)in.native, (void *)out.native, (struct npp_size){SMALL, SMALL},
                            (struct npp_size){2 * SMALL, 2 * SMALL});
        if (code != 0)
            status = fail(error, STATUS_UNAVAILABLE, "%s returned status %d", name, code);
    }
    if (status == STATUS_OK)
        status = buffer_read(&out, 0, doubled, sizeof doubled, error);
    if (status == STATUS_OK)
        status = judge(name, doubled, error);
    buffer_release(&out);
    buffer_release(&in);
    return status;
}

/* ---- the rungs ------------------------------------------------------------------------------------------------ */

/* Beyond this NPP 13.2 was seen to be off by 3 units (at 150001 pixels in a row, 0 at this). */
#define SIDE_NPP 8192

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    int64_t width = problem_size(problem, "width"), height = problem_size(problem, "height");
    if (width == 1 || height == 1)
        explain(reason, size, "NPP resizes no picture of one row or one column");
    else if (width > SIDE_NPP || height > SIDE_NPP || problem_size(problem, "out_width") > INT_MAX / CHANNELS)
        explain(reason, size, "beyond %d pixels along a side of the source, NPP's coordinates are too coarse",
                SIDE_NPP);
    else
        return NULL;
    return reason;
}

/* nppiResize agrees with the convention for these ratios alone. */
static const char *supports_resize(const struct problem *problem, const struct device *device,
                                   const struct parameters *parameters, char *reason, size_t size)
{
    int64_t width = problem_size(problem, "width"), height = problem_size(problem, "height");
    int64_t out_width = problem_size(problem, "out_width"), out_height = problem_size(problem, "out_height");
    bool width_agrees = out_width == width || out_width == 2 * width;
    bool height_agrees = out_height == height || out_height == 2 * height;
    if (!width_agrees || !height_agrees) {
        explain(reason, size,
                "nppiResize keeps another convention, which agrees with ours only where sides are kept or doubled");
        return reason;
    }
    return supports(problem, device, parameters, reason, size);
}

extern const struct rung resize_npp_square;

static bool is_square(const struct run *run)
{
    return run->rung == &resize_npp_square;
}

static enum status prepare(struct run *run, struct error *error)
{
    enum status status = vendor_library_prepare(run, sizeof(struct npp), &library, symbols, COUNT_OF(symbols), error);
    if (status != STATUS_OK)
        return status;
    struct npp *npp = run->state;
    npp->stream = stream_of(run->device);
    status = is_square(run) ? try_small(npp, run->device, "nppiResizeSqrPixel_8u_C4R", resize_square, error)
                            : try_small(npp, run->device, "nppiResize_8u_C4R", resize, error);
    if (status != STATUS_OK)
        vendor_library_finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct resizing r = resizing_of(run);
    int code = (is_square(run) ? resize_square : resize)(
        run->state, (const void *)run->buffers[0].native, (void *)run->buffers[1].native,
        (struct npp_size){(int)r.width, (int)r.height}, (struct npp_size){(int)r.out_width, (int)r.out_height});
    return code == 0 ? STATUS_OK : fail(error, STATUS_SYSTEM, "NPP returned status %d", code);
}

/* The bound is not documented; none was seen to be off by more than a unit after rounding. */
#define NPP                                                                                                           \
    .kind = RUNG_VENDOR, .bound = "1", .backends = BACKEND_CUDA, .prepare = prepare, .finish = vendor_library_finish, \
    .enqueue = enqueue

const struct rung resize_npp = {
    .name = "npp",
    .idea = "NPP's nppiResize_8u_C4R",
    .supports = supports_resize,
    NPP,
};

const struct rung resize_npp_square = {
    .name = "npp-square",
    .idea = "NPP's nppiResizeSqrPixel_8u_C4R, which knows of pixels' centres",
    .supports = supports,
    NPP,
};
