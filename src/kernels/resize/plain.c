/* The plain signature of a resize: 4 bytes a pixel. */
#include "kernels/plain.h"
#include "base/size.h"
#include "kernels/resize/resize.h"

static const struct plain_argument arguments[] = {
    {"in", " input src source image d_in ", "in", .is_array = true},
    {"out", " output dst dest result d_out ", "out", .is_array = true},
    {"width", " w in_width src_width sw iw ", "width", .is_size = true},
    {"height", " h in_height src_height sh ih ", "height", .is_size = true},
    {"out_width", " ow dst_width dw new_width outwidth ", "out_width", .is_size = true},
    {"out_height", " oh dst_height dh new_height outheight ", "out_height", .is_size = true},
};

static void call(struct run *run, void (*function)(void))
{
    const struct problem *problem = run->problem;
    ((void (*)(const void *, void *, long, long, long, long))function)(
        run->buffers[0].host, run->buffers[1].host, (long)problem_size(problem, "width"),
        (long)problem_size(problem, "height"), (long)problem_size(problem, "out_width"),
        (long)problem_size(problem, "out_height"));
}

const struct plain_signature resize_plain = {
    .prototype = "void resize(const unsigned char *in, unsigned char *out, long width, long height,\n"
                 "            long out_width, long out_height)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .output = 1,
    .group = "16, 16",
    .groups = "ceil(out_width / 16), ceil(out_height / 16)",
    .bound = "1 / 32 + 0.0000456 * (width + height)", /* positions in floats */
    .call = call,
};
