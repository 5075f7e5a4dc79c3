/* stb_image_resize, for programs without libraries, through its shim. */
#include <stdio.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/resize/resize.h"
#include "kernels/vendor_shim.h"
#include "vendor_shims/stb/stb.h"

static struct {
    int (*resize)(const unsigned char *source, int width, int height, unsigned char *target, int target_width,
                  int target_height);
} stb;

static const struct dynamic_symbol symbols[] = {{"uskor_stb_resize", 0, 0}};

static struct vendor_shim shim = {
    .file = "libuskor_stb.so",
    .title = "stb's shim",
    .advice = N_("it is built with Uskor where stb_image_resize.h is (Debian: libstb-dev)"),
    .symbols = symbols,
    .symbol_count = COUNT_OF(symbols),
    .functions = &stb,
};

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    if (problem_size(problem, "out_width") >= problem_size(problem, "width") &&
        problem_size(problem, "out_height") >= problem_size(problem, "height"))
        return vendor_shim_refuses(&shim, reason, size);
    explain(reason, size, "making a picture smaller, stb_image_resize averages: another result");
    return reason;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct resizing r = resizing_of(run);
    int done = stb.resize(r.in, (int)r.width, (int)r.height, r.out, (int)r.out_width, (int)r.out_height);
    return done ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "stb_image_resize: no memory");
}

const struct rung resize_stb = {
    .name = "stb",
    .idea = "stb_image_resize with its triangle filter: one thread, floats",
    .kind = RUNG_VENDOR,
    .bound = "1 / 32 + 0.0000456 * (width + height)", /* floats; halves either way */
    .backends = BACKEND_CPU,
    .supports = supports,
    .enqueue = enqueue,
};
