/* uskor wave: time steps of the wave equation on a periodic grid, to a .npy file or a picture of a slice. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/language.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "file_jobs/wave_field.h"
#include "files/npy.h"

struct arguments {
    struct file_options data;
    const char *input;
    int64_t sides[3]; /* along x, y, z */
    int64_t steps;
    double courant;
};

static const char doc[] =
    N_("Solve the wave equation in three dimensions on a periodic grid.\n\nFor example:\n\n "
       " uskor wave -o field.npy --size 256x256x128 --steps 200\n "
       " uskor wave -o slice.png --size 256 --steps 150 --courant 0.5 --input plane\n\nOUT.npy gets "
       "the field after the last step: an array of 32-bit floats with the axes z, y, x. OUT.png gets "
       "its middle plane, red where the field is positive and blue where it is negative. Second order "
       "in time, fourth in space; the Courant number is speed · time step / spacing, and above 0.5 the "
       "scheme is not stable.\n\nInputs: pulse, a smooth bump at rest in the middle; plane, a plane "
       "wave; random, two random fields. Every point of the result is checked before it is written: a "
       "plane wave against its exact solution, the others against the scheme in double precision. "
       "Rounding may add 0.3 % of the field after 100 steps, a tenth after 1000.\n\nExit codes: 0 done "
       "and verified, 1 the check failed, 2 wrong use, 3 the device is not there.");

/* ---- arguments ------------------------------------------------------------------------------------------------ */

/* "256" or "256x128x64". */
static bool parse_sides(const char *text, int64_t sides[3])
{
    for (int axis = 0; axis < 3; axis++) {
        char number[24];
        size_t length = strcspn(text, "x");
        if (length >= sizeof number)
            return false;
        memcpy(number, text, length);
        number[length] = '\0';
        if (!text_integer(number, &sides[axis]) || sides[axis] < 1)
            return false;
        text += length;
        if (axis == 0 && *text == '\0') {
            sides[1] = sides[2] = sides[0];
            return true;
        }
        if ((*text == 'x') != (axis < 2))
            return false;
        text += *text == 'x';
    }
    return true;
}

static void read_sides(void *sides, const char *argument, const struct options_state *state)
{
    if (!parse_sides(argument, sides))
        refuse_use(state, "--size takes 256 or 256x256x128; this is '%s'", argument);
}

static void read_steps(void *at, const char *argument, const struct options_state *state)
{
    int64_t *steps = at;
    if (!text_integer(argument, steps) || *steps < 1)
        refuse_use(state, "--steps takes a number from 1; this is '%s'", argument);
}

static void read_courant(void *at, const char *argument, const struct options_state *state)
{
    double *courant = at;
    if (!text_real(argument, courant) || *courant <= 0 || *courant > 0.5)
        refuse_use(state, "--courant takes a number above 0 and up to 0.5; this is '%s'", argument);
}

static void read_beginning(void *at, const char *argument, const struct options_state *state)
{
    if (strcmp(argument, "pulse") != 0 && strcmp(argument, "plane") != 0 && strcmp(argument, "random") != 0)
        refuse_use(state, "--input takes pulse, plane or random; this is '%s'", argument);
    *(const char **)at = argument;
}

static void check_usage(void *input, const struct options_state *state)
{
    const char *output = ((struct arguments *)input)->data.output;
    if (!file_options_ends_in(output, ".npy") && !file_options_ends_in(output, ".png"))
        refuse_use(state, "the result's name ends in .npy or .png; this is '%s'", output);
}

static const struct option options[] = {
    {"size", 's', "NXxNYxNZ", N_("Points along x, y and z (128x128x128); one number stands for all three"),
     READ_INTO(struct arguments, sides, read_sides)},
    {"steps", 'n', "N", N_("Time steps (100)"), READ_INTO(struct arguments, steps, read_steps)},
    {"courant", 'c', N_("NUMBER"), N_("Courant number, above 0 and up to 0.5 (0.4)"),
     READ_INTO(struct arguments, courant, read_courant)},
    {"input", 'i', N_("NAME"), N_("What it begins with: pulse (the default), plane or random"),
     READ_INTO(struct arguments, input, read_beginning)},
    {0},
};

static const struct usage usage = {
    .options = options, .check = check_usage, .args_doc = N_("-o OUT"), .doc = doc, .shared = &data_usage};

/* ---- the work ------------------------------------------------------------------------------------------------- */

static const char *problem_of(const struct arguments *arguments, char text[PROBLEM_TEXT_MAX])
{
    char courant[32];
    bool is_plane = strcmp(arguments->input, "plane") == 0;
    snprintf(text, PROBLEM_TEXT_MAX,
             "wave:nx=%" PRId64 ",ny=%" PRId64 ",nz=%" PRId64 ",steps=%" PRId64 ",courant=%s,input=%s",
             arguments->sides[0], arguments->sides[1], arguments->sides[2], arguments->steps,
             text_from_real(arguments->courant, courant, sizeof courant), is_plane ? "plane" : "random");
    return text;
}

static enum status prepare(const struct arguments *arguments, const char *text, struct uskor *context,
                           struct error *error)
{
    double bytes = 3.0 * sizeof(float); /* three fields, whatever the device has of its own */
    for (int axis = 0; axis < 3; axis++)
        bytes *= (double)arguments->sides[axis];
    enum status status = memory_suffices(bytes < 1e18 ? (uint64_t)bytes : UINT64_MAX, "wave", error);
    return status == STATUS_OK ? job_prepare(&context->job, context->device, text, context->job.times, error) : status;
}

static enum status run(struct arguments *arguments, struct job *job, struct wave_fields *fields, int64_t *nanoseconds,
                       struct error *error)
{
    enum status status = wave_fields_allocate(job->arrays[0].bytes, fields, error);
    if (status != STATUS_OK)
        return status;
    const struct host_arrays input = {{fields->data[0], fields->data[1]}};
    if (strcmp(arguments->input, "pulse") == 0)
        wave_fields_pulse(fields, arguments->sides, arguments->courant);
    else
        job->problem.kernel->fill(&job->problem, job->arrays, input);
    int64_t begun = clock_now();
    status = job_run(job, fields->data, error);
    *nanoseconds = clock_now() - begun;
    file_options_lap(&arguments->data, N_("computing"));
    if (status == STATUS_OK)
        status = file_options_check(job, input, (struct host_arrays){{NULL, NULL, fields->data[2]}}, error);
    file_options_lap(&arguments->data, N_("checking"));
    return status;
}

/* The result's file, begun before the work: whether it may be there, and has room, is known at once. */
struct target {
    struct npy_writer npy;
    struct output *picture;
};

static enum status begin(const struct arguments *arguments, struct target *target, struct error *error)
{
    struct npy_layout layout = {.kind = 'f', .order = '<', .item_bytes = sizeof(float), .rank = 3};
    const struct file_options *data = &arguments->data;
    if (!file_options_ends_in(data->output, ".npy"))
        return output_create(data->output, data->force, &target->picture, error);
    for (int axis = 0; axis < 3; axis++)
        layout.shape[axis] = (size_t)arguments->sides[2 - axis];
    return npy_create(data->output, data->force, &layout, &target->npy, error);
}

static enum status finish(const struct arguments *arguments, const struct wave_fields *fields, struct target *target,
                          struct error *error)
{
    struct output *picture = target->picture;
    target->picture = NULL;
    if (picture)
        return wave_fields_picture(fields, arguments->sides, picture, error);
    memcpy(target->npy.data, fields->data[2], target->npy.layout.bytes);
    return npy_finish(&target->npy, error);
}

static void report(const struct arguments *arguments, const struct uskor *context, int64_t nanoseconds)
{
    char time[32], rate[48] = "";
    double points = (double)arguments->sides[0] * (double)arguments->sides[1] * (double)arguments->sides[2];
    fprintf(stderr, tr("%ld steps of %ld×%ld×%ld points in %s"), arguments->steps, arguments->sides[0],
            arguments->sides[1], arguments->sides[2], file_options_duration(nanoseconds, time, sizeof time));
    if (nanoseconds > 0) {
        snprintf(rate, sizeof rate, "%.3g Gpoints/s", points * (double)arguments->steps / (double)nanoseconds);
        fprintf(stderr, " (%s, %s)", say_quantity(rate, sizeof rate), uskor_rung(context));
    }
    fputs(tr(", checked\n"), stderr);
}

int cmd_wave(int argc, char **argv)
{
    struct arguments arguments = {
        .data = {.too_many = N_("there is no input file; --input names what to begin with"),
                 .too_few = "a result is needed: uskor wave -o field.npy"},
        .sides = {128, 128, 128},
        .steps = 100,
        .courant = 0.4,
        .input = "pulse",
    };
    struct wave_fields fields = {{0}};
    struct target target = {.picture = NULL};
    struct uskor *context = NULL;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    int64_t nanoseconds = 0;
    options_parse(&usage, argc, argv, &arguments);
    enum status status = file_options_open(&arguments.data, problem_of(&arguments, text), &context, &error);
    if (status == STATUS_OK)
        status = prepare(&arguments, text, context, &error);
    if (status == STATUS_OK)
        status = begin(&arguments, &target, &error);
    if (status == STATUS_OK)
        status = run(&arguments, &context->job, &fields, &nanoseconds, &error);
    if (status == STATUS_OK)
        status = finish(&arguments, &fields, &target, &error);
    file_options_lap(&arguments.data, N_("writing"));
    if (status == STATUS_OK && file_options_tells(&arguments.data))
        report(&arguments, context, nanoseconds);
    npy_abandon(&target.npy);
    output_abandon(target.picture);
    wave_fields_free(&fields);
    status = file_options_close(&arguments.data, context, status, &error);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
