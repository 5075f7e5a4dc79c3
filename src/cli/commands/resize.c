/* uskor resize: the user's own picture in another size. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "files/png.h"

__extension__ typedef unsigned __int128 wide;

/* mantissa * 10^exponent: as it was written, so that a half is a half. */
struct factor {
    uint64_t mantissa;
    int exponent;
};

struct arguments {
    struct file_options data;
    struct factor scale;   /* 0: not given */
    int64_t width, height; /* 0: not given, or to be kept in proportion */
    bool sized;
    uint64_t pixels_most; /* of IN.png */
};

static const char doc[] = N_(
    "Resize a picture bilinearly.\n\n"
    "For example:\n\n"
    "  uskor resize photo.png -o big.png --scale 2\n"
    "  uskor resize photo.png -o small.png --size 640x480\n"
    "  uskor resize photo.png -o small.png --size 640x\n\n"
    "IN.png may be grey, grey with alpha, RGB, RGBA or palette, of any depth; OUT.png is RGBA of 8 bits. Pixels are "
    "squares and both pictures cover the same area; channels are interpolated one by one, as they are stored. A "
    "picture made smaller is not averaged: by much more than half, fine patterns alias. A side of n and a half pixels "
    "becomes n + 1.\n\n"
    "Colour space (gAMA, cHRM, sRGB, iCCP, cICP, mDCV, cLLI), density (pHYs) and Exif are copied to OUT.png; a "
    "rotation that Exif states is not applied to the pixels. Text, time and other chunks are not copied. An animated "
    "PNG is "
    "refused.\n\n"
    "The result is checked, pixel by pixel, before it is written: OUT.png is whole and right or is not there. OUT.png "
    "may be IN.png itself with --force.\n\n"
    "Exit codes: 0 done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.");

/* ---- arguments ------------------------------------------------------------------------------------------------ */

static bool read_side(const char *text, size_t length, int64_t *side)
{
    char copy[16];
    *side = 0;
    if (length == 0)
        return true;
    if (length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return text_integer(copy, side) && *side >= 1 && *side <= IMAGE_SIDE_MAX;
}

static void read_size(void *input, const char *text, const struct options_state *state)
{
    struct arguments *arguments = input;
    const char *times = strchr(text, 'x');
    if (!times || !read_side(text, (size_t)(times - text), &arguments->width) ||
        !read_side(times + 1, strlen(times + 1), &arguments->height) || (!arguments->width && !arguments->height))
        refuse_use(state, "--size takes 640x480, 640x or x480, with sides of 1 to %d; this is '%s'", IMAGE_SIDE_MAX,
                   text);
    arguments->sized = true;
}

/* Reads what text_real takes, as a decimal number of up to 18 digits; the others are dropped. */
static bool read_factor(const char *text, struct factor *factor)
{
    enum { DIGITS_MOST = 18 };
    double value;
    int digits = 0, exponent = 0;
    bool is_fraction = false;
    uint64_t mantissa = 0;
    if (!text_real(text, &value) || value <= 0)
        return false;
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        if (*text == '+')
            continue;
        if (*text == '.') {
            is_fraction = true;
            continue;
        }
        if (digits < DIGITS_MOST) {
            mantissa = mantissa * 10 + (uint64_t)(*text - '0');
            digits += mantissa > 0;
            exponent -= is_fraction;
        } else {
            exponent += !is_fraction;
        }
    }
    if (*text)
        exponent += (int)strtol(text + 1, NULL, 10);
    *factor = (struct factor){mantissa, exponent};
    return true;
}

static void read_scale(void *scale, const char *argument, const struct options_state *state)
{
    if (!read_factor(argument, scale))
        refuse_use(state, "--scale takes a factor above 0, such as 2 or 0.5; this is '%s'", argument);
}

static void check_usage(void *input, const struct options_state *state)
{
    struct arguments *arguments = input;
    if (arguments->sized && arguments->scale.mantissa > 0)
        refuse_use(state, "either --scale or --size, not both");
    if (!arguments->sized && arguments->scale.mantissa == 0)
        refuse_use(state, "either --scale or --size is needed, such as --scale 2 or --size 640x480");
    if (!file_options_ends_in(arguments->data.output, ".png"))
        refuse_use(state, "the result's name ends in .png; this is '%s'", arguments->data.output);
}

static const struct option options[] = {
    {"scale", 's', N_("FACTOR"), N_("Multiply both sides by FACTOR, such as 2 or 0.5"),
     READ_INTO(struct arguments, scale, read_scale)},
    {"size", 'S', N_("WIDTHxHEIGHT"),
     N_("The result's size; with WIDTHx or xHEIGHT the other side keeps the proportion"), READ_BY(read_size)},
    {"max-pixels", 0, "N", N_("Take an IN.png of up to N pixels, 4 bytes each (default: 2^28)"),
     SETS_WHOLE(struct arguments, pixels_most, 1, (int64_t)IMAGE_SIDE_MAX *IMAGE_SIDE_MAX)},
    {0},
};

static const struct usage usage = {
    .options = options,
    .check = check_usage,
    .args_doc = "IN.png -o OUT.png",
    .doc = doc,
    .shared = &data_usage,
};

/* ---- the work ------------------------------------------------------------------------------------------------- */

/* value * numerator / denominator in whole pixels, halves up, at least 1. */
static wide scaled(uint32_t value, wide numerator, wide denominator)
{
    wide side = ((wide)2 * value * numerator + denominator) / (2 * denominator);
    return side > 0 ? side : 1;
}

/* A factor beyond 10^12 is too large for any side, and one below 10^-36 makes it 1: so far 128 bits suffice. */
static wide scaled_by(uint32_t value, struct factor factor)
{
    enum { LARGEST = 12, SMALLEST = -36 };
    wide power = 1;
    if (factor.exponent < SMALLEST)
        return 1;
    const int exponent = factor.exponent < LARGEST ? factor.exponent : LARGEST;
    for (int i = 0; i < abs(exponent); i++)
        power *= 10;
    return exponent < 0 ? scaled(value, factor.mantissa, power) : scaled(value, factor.mantissa * power, 1);
}

static enum status allocate(const struct arguments *arguments, const struct image *source, struct image *target,
                            struct error *error)
{
    wide width = (wide)arguments->width, height = (wide)arguments->height;
    if (!arguments->sized) {
        width = scaled_by(source->width, arguments->scale);
        height = scaled_by(source->height, arguments->scale);
    } else if (width == 0) {
        width = scaled(source->width, height, source->height);
    } else if (height == 0) {
        height = scaled(source->height, width, source->width);
    }
    if (width > IMAGE_SIDE_MAX || height > IMAGE_SIDE_MAX)
        return fail(error, STATUS_INVALID, "a picture of %.0f × %.0f pixels; each side may be 1 to %d", (double)width,
                    (double)height, IMAGE_SIDE_MAX);
    return image_allocate((uint32_t)width, (uint32_t)height, target, error);
}

/* The target gets what the source's file says beside its pixels; the rest is said. */
static void pass_on_extras(const char *path, struct image *source, struct image *target)
{
    target->extras = source->extras;
    source->extras = (struct png_extras){0};
    if (target->extras.orientation > 1)
        fprintf(stderr, tr("%s: its Exif orientation (%d) is copied, not applied to the pixels\n"), path,
                target->extras.orientation);
    if (target->extras.left_out[0])
        fprintf(stderr, tr("%s: not copied, as damaged or not for RGB pixels: %s\n"), path, target->extras.left_out);
}

static enum status resize(struct file_options *timed, struct uskor *context, const struct image *source,
                          const struct image *target, int64_t *nanoseconds, struct error *error)
{
    int64_t begun = clock_now();
    enum uskor_status done = uskor_resize(context, target->pixels, target->width, target->height, source->pixels,
                                          source->width, source->height);
    *nanoseconds = clock_now() - begun;
    enum status status = file_options_status(done, context, error);
    file_options_lap(timed, N_("computing"));
    if (status == STATUS_OK)
        status = file_options_check(context->last, (struct host_arrays){{source->pixels}},
                                    (struct host_arrays){{source->pixels, target->pixels}}, error);
    file_options_lap(timed, N_("checking"));
    return status;
}

static void report(const struct image *source, const struct image *target, int64_t nanoseconds)
{
    char time[32];
    fprintf(stderr, tr("resized %u×%u to %u×%u in %s, checked\n"), source->width, source->height, target->width,
            target->height, file_options_duration(nanoseconds, time, sizeof time));
}

static const char *problem_of(const struct image *source, const struct image *target, char text[PROBLEM_TEXT_MAX])
{
    snprintf(text, PROBLEM_TEXT_MAX, "resize:width=%u,height=%u,out_width=%u,out_height=%u", source->width,
             source->height, target->width, target->height);
    return text;
}

int cmd_resize(int argc, char **argv)
{
    struct arguments arguments = {
        .pixels_most = IMAGE_PIXELS_MOST,
        .data = {.input_count = 1,
                 .piped_end = ".png",
                 .too_many = N_("one input at a time; name the result with -o"),
                 .too_few = "an input and a result are needed: uskor resize photo.png -o big.png --scale 2"},
    };
    struct image source = {0}, target = {0};
    struct output *output = NULL;
    struct uskor *context = NULL;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    int64_t nanoseconds = 0;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = png_read_file(arguments.data.inputs[0], arguments.pixels_most, &source, &error);
    if (status == STATUS_OK)
        status = allocate(&arguments, &source, &target, &error);
    if (status == STATUS_OK)
        status = file_options_open(&arguments.data, problem_of(&source, &target, text), &context, &error);
    if (status == STATUS_OK)
        pass_on_extras(arguments.data.inputs[0], &source, &target);
    file_options_lap(&arguments.data, N_("reading"));
    if (status == STATUS_OK) /* before the work: whether it may be there is known at once */
        status = output_create(arguments.data.output, arguments.data.force, &output, &error);
    if (status == STATUS_OK) {
        status = resize(&arguments.data, context, &source, &target, &nanoseconds, &error);
        if (status == STATUS_OK)
            status = png_finish(output, &target, &error);
        else
            output_abandon(output);
        file_options_lap(&arguments.data, N_("writing"));
    }
    if (status == STATUS_OK && file_options_tells(&arguments.data))
        report(&source, &target, nanoseconds);
    status = file_options_close(&arguments.data, context, status, &error);
    image_free(&source);
    image_free(&target);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
