/* OpenCV's resize, the library call of most programs, through its shim. */
#include <omp.h>
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/resize/resize.h"
#include "kernels/vendor_shim.h"
#include "vendor_shims/opencv/opencv.h"

static struct {
    int (*resize)(const struct uskor_opencv_job *job, char *reason, size_t size);
} opencv;

static const struct dynamic_symbol symbols[] = {{"uskor_opencv_resize", 0, 0}};

static struct vendor_shim shim = {
    .file = "libuskor_opencv.so",
    .title = "OpenCV's shim",
    .advice = N_("it is built with Uskor where OpenCV's headers are (Debian: libopencv-imgproc-dev)"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &opencv,
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)problem, (void)device, (void)parameters;
    return vendor_shim_refuses(&shim, reason, size);
}

/* INTER_LINEAR keeps its coordinates as floats. */
#define SIDE_FLOAT 16384

static const char *supports_linear(const struct problem *problem, const struct device *device,
                                   const struct parameters *parameters, char *reason, size_t size)
{
    if (problem_size(problem, "width") <= SIDE_FLOAT && problem_size(problem, "height") <= SIDE_FLOAT)
        return supports(problem, device, parameters, reason, size);
    explain(reason, size,
            "beyond %d pixels along a side of the source, INTER_LINEAR's float coordinates are too coarse", SIDE_FLOAT);
    return reason;
}

static enum status resize(struct run *run, int exact, struct error *error)
{
    char reason[256];
    struct resizing r = resizing_of(run);
    const struct uskor_opencv_job job = {
        .source = r.in,
        .target = r.out,
        .width = (int)r.width,
        .height = (int)r.height,
        .target_width = (int)r.out_width,
        .target_height = (int)r.out_height,
        .exact = exact,
        .threads = omp_get_max_threads(),
    };
    return opencv.resize(&job, reason, sizeof reason) == 0 ? STATUS_OK
                                                           : fail(error, STATUS_SYSTEM, "OpenCV: %s", reason);
}

static enum status enqueue_linear(struct run *run, struct error *error)
{
    return resize(run, 0, error);
}

const struct rung resize_opencv = {
    .name = "opencv",
    .idea = "OpenCV's resize with INTER_LINEAR: fixed point, weights of 11 bits",
    .kind = RUNG_VENDOR,
    /* Weights off by 2^-12 for each axis, times 255; two products cut to quarters; float coordinates. */
    .bound = "1 / 8 + 1 / 2 + 0.0000456 * (width + height)",
    .backends = BACKEND_CPU,
    .supports = supports_linear,
    .enqueue = enqueue_linear,
};

static enum status enqueue_exact(struct run *run, struct error *error)
{
    return resize(run, 1, error);
}

const struct rung resize_opencv_exact = {
    .name = "opencv-exact",
    .idea = "OpenCV's resize with INTER_LINEAR_EXACT",
    .kind = RUNG_VENDOR,
    .bound = "1", /* weights of 8 bits: off by 2^-9 for each axis, times 255 */
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue_exact,
};
