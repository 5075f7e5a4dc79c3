/* A backend that records its calls, and a run on it, for tests of device rungs. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fake_kernel.h"
#include "kernels/rung_header.h"

#include <cmocka.h>

static const struct kernel kernel_mover = {.name = "mover", .title = "moves", .moves_bits = true, MIX_MEMBERS};
const struct kernel *const kernels[] = {&kernel_mix, &kernel_mover, NULL};

/* ---- the recording device ------------------------------------------------------------------------------------- */

static struct {
    int builds, discards, launches;
    char name[64], defines[512];
    const char *text;
    enum language language;
    struct launch launch;
    struct argument_value arguments[SOURCE_ARGUMENTS_MAX];
} record;

static enum status recorder_build(struct device *device, const struct program_source *source, struct program **program,
                                  struct error *error)
{
    if (strstr(source->text, "#error"))
        return (fail)(error, STATUS_INVALID, "%s: it does not compile", source->name);
    record.builds++;
    snprintf(record.name, sizeof record.name, "%s", source->name);
    record.text = source->text;
    record.language = source->language;
    record.defines[0] = '\0';
    for (size_t i = 0; i < source->define_count; i++)
        text_append(record.defines, sizeof record.defines, "%s%s", i ? " " : "", source->defines[i]);
    *program = malloc(sizeof **program);
    assert_non_null(*program);
    (*program)->device = device;
    return STATUS_OK;
}

static void recorder_discard(struct program *program)
{
    record.discards++;
    free(program);
}

static enum status recorder_launch(struct program *program, const struct launch *launch, struct error *error)
{
    (void)program, (void)error;
    record.launches++;
    record.launch = *launch;
    for (size_t i = 0; i < launch->argument_count; i++)
        record.arguments[i] = launch->arguments[i];
    return STATUS_OK;
}

static const struct backend recorder = {.name = "opencl",
                                        .kind = BACKEND_OPENCL,
                                        .build = recorder_build,
                                        .discard = recorder_discard,
                                        .launch = recorder_launch};

static struct device device = {
    .backend = &recorder,
    .id = "opencl:0",
    .properties = {.group_items = 256, .group_size = {256, 256, 64}, .grid_groups = {0, 65535, 65535}}};

/* ---- a run ---------------------------------------------------------------------------------------------------- */

struct setting {
    struct problem problem;
    struct rung *rung;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[KERNEL_ARRAYS_MAX];
    struct buffer scratch;
    struct run run;
};

static void set_up(struct setting *setting, const char *problem, const char *text, const struct rung *host_half)
{
    struct error error = {{0}};
    memset(setting, 0, sizeof *setting);
    memset(&record, 0, sizeof record);
    if (problem_parse(problem, &setting->problem, &error) != STATUS_OK ||
        device_rung_read(setting->problem.kernel, "test/r.cl", text, host_half, &setting->rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        setting->buffers[i].device = &device;
    setting->scratch.device = &device;
    setting->run = (struct run){.rung = setting->rung,
                                .problem = &setting->problem,
                                .device = &device,
                                .arrays = setting->arrays,
                                .buffers = setting->buffers,
                                .scratch = &setting->scratch};
    if (kernel_describe(&setting->problem, setting->arrays, &setting->run.array_count, &error) != STATUS_OK ||
        rung_defaults(setting->rung, &setting->problem, &setting->run.parameters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void tear_down(struct setting *setting)
{
    device_rung_free(setting->rung);
}

static void expect_ok(enum status status, const struct error *error)
{
    if (status != STATUS_OK)
        fail_msg("%s", error->text);
}

#define HEADER \
    "// rung: r\n// idea: i\n// tune: TILE = 16 in 8 16\n// group: TILE, 2\n// groups: ceil(cols / TILE), rows\n"
