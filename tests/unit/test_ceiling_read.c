/* The probes that read a cache or local memory over and over, on a device that notes what it is asked for: as many
 * groups as are resident, and as many passes as the bytes need. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/backend.h"
#include "backends/cpu/host.h"
#include "base/size.h"
#include "base/text.h"
#include "lab/ceilings/ceiling.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct {
    char defines[128], entry[32];
    size_t groups, group, argument_count, source_bytes;
    int64_t words;
    int32_t passes;
    int alive; /* buffers and programs */
    bool is_broken;
} seen;

static enum status allocate(struct device *device, size_t bytes, struct buffer *buffer, struct error *error)
{
    seen.alive++;
    seen.source_bytes = bytes > seen.source_bytes ? bytes : seen.source_bytes;
    return host_allocate(device, bytes, buffer, error);
}

static void release(struct buffer *buffer)
{
    seen.alive--;
    host_release(buffer);
}

static enum status build(struct device *device, const struct program_source *source, struct program **program,
                         struct error *error)
{
    seen.defines[0] = '\0';
    for (size_t i = 0; i < source->define_count; i++)
        text_append(seen.defines, sizeof seen.defines, "%s ", source->defines[i]);
    if (seen.is_broken)
        return (fail)(error, STATUS_INVALID, "%s: it does not compile", source->name);
    assert_int_equal(source->language, LANGUAGE_OPENCL_C);
    *program = calloc(1, sizeof **program);
    assert_non_null(*program);
    (*program)->device = device;
    seen.alive++;
    return STATUS_OK;
}

static void discard(struct program *program)
{
    seen.alive--;
    free(program);
}

static enum status launch(struct program *program, const struct launch *launch, struct error *error)
{
    const struct argument_value *arguments = launch->arguments;
    const size_t last = launch->argument_count - 1;
    (void)program, (void)error;
    snprintf(seen.entry, sizeof seen.entry, "%s", launch->entry);
    seen.group = launch->group[0];
    seen.groups = launch->groups[0];
    seen.argument_count = launch->argument_count;
    assert_int_equal(launch->rank, 1);
    assert_int_equal(launch->group[1] * launch->group[2] * launch->groups[1] * launch->groups[2], 1);
    for (size_t i = 0; i + 1 < launch->argument_count && i < 2; i++)
        assert_int_equal(arguments[i].kind, ARGUMENT_BUFFER);
    assert_int_equal(arguments[last].kind, ARGUMENT_INT);
    seen.passes = arguments[last].int_value;
    seen.words = last == 3 ? arguments[2].long_value : 0;
    return STATUS_OK;
}

static const struct backend recorder = {.name = "opencl",
                                        .kind = BACKEND_OPENCL,
                                        .allocate = allocate,
                                        .release = release,
                                        .write = host_write,
                                        .read = host_read,
                                        .fill = host_fill,
                                        .build = build,
                                        .discard = discard,
                                        .launch = launch,
                                        .synchronize = host_synchronize};

static struct device device_of(unsigned units, unsigned items)
{
    return (struct device){
        .backend = &recorder,
        .id = "opencl:0",
        .properties = {.units = units, .items_per_unit = items, .group_items = 1024, .group_size = {1024, 1024, 64}}};
}

/* 256 items a group. A pass of the cache's probe reads 64 bytes an item, one of local memory's 128. */
static void test_groups_and_passes(void **state)
{
    (void)state;
    static const struct {
        const struct rung *rung;
        unsigned units, items;
        double bytes, times;
        const char *entry, *defines;
        size_t groups, argument_count;
        int64_t words;
        int32_t passes;
    } rows[] = {
        {&ceiling_cache, 2, 1024, 1 << 20, 8, "cache_read", "UNROLL=4 STRIDE=7919 ", 8, 4, 1 << 16, 64},
        {&ceiling_cache, 3, 0, 1 << 20, 24, "cache_read", "UNROLL=4 STRIDE=7919 ", 24, 4, 1 << 16, 64},
        {&ceiling_cache, 1, 700, 1 << 16, 1, "cache_read", "UNROLL=4 STRIDE=7919 ", 2, 4, 1 << 12, 2},
        {&ceiling_cache, 1, 100, 1 << 16, 1, "cache_read", "UNROLL=4 STRIDE=7919 ", 1, 4, 1 << 12, 4},
        {&ceiling_cache, 132, 2048, 1 << 16, 1, "cache_read", "UNROLL=4 STRIDE=7919 ", 1056, 4, 1 << 12, 1},
        {&ceiling_local, 2, 1024, 1 << 20, 8, "local_read", "UNROLL=8 SPACING=64 ", 8, 2, 0, 32},
        {&ceiling_local, 1, 0, 1 << 20, 1, "local_read", "UNROLL=8 SPACING=64 ", 8, 2, 0, 4},
        {&ceiling_local, 1, 256, 3 << 14, 1, "local_read", "UNROLL=8 SPACING=64 ", 1, 2, 0, 2}, /* 1.5 */
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct ceiling_work work = {.bytes = rows[i].bytes, .reads = 1, .times = rows[i].times};
        struct problem problem = ceiling_problem(CEILING_L2_READ, &work, 0, ELEMENT_F32);
        struct device device = device_of(rows[i].units, rows[i].items);
        struct run run = {.rung = rows[i].rung, .problem = &problem, .device = &device};
        struct error error = {""};
        memset(&seen, 0, sizeof seen);
        assert_int_equal(rows[i].rung->prepare(&run, &error), STATUS_OK);
        assert_int_equal(rows[i].rung->enqueue(&run, &error), STATUS_OK);
        assert_string_equal(seen.entry, rows[i].entry);
        assert_string_equal(seen.defines, rows[i].defines);
        assert_int_equal(seen.group, 256);
        assert_int_equal(seen.groups, rows[i].groups);
        assert_int_equal(seen.argument_count, rows[i].argument_count);
        assert_int_equal(seen.words, rows[i].words);
        assert_int_equal(seen.passes, rows[i].passes);
        assert_int_equal(seen.source_bytes, rows[i].rung == &ceiling_cache ? (size_t)rows[i].bytes : 16);
        assert_int_equal(seen.alive, rows[i].rung == &ceiling_cache ? 3 : 2);
        rows[i].rung->finish(&run);
        assert_int_equal(seen.alive, 0);
        assert_null(run.state);
        rows[i].rung->finish(&run); /* of nothing */
    }
}

/* Of what was made before a program that does not compile, nothing is left. */
static void test_a_probe_that_does_not_compile(void **state)
{
    (void)state;
    static const struct rung *const rungs[] = {&ceiling_cache, &ceiling_local};
    for (size_t i = 0; i < COUNT_OF(rungs); i++) {
        const struct ceiling_work work = {.bytes = 1 << 16, .reads = 1, .times = 1};
        struct problem problem = ceiling_problem(CEILING_L2_READ, &work, 0, ELEMENT_F32);
        struct device device = device_of(1, 1024);
        struct run run = {.rung = rungs[i], .problem = &problem, .device = &device};
        struct error error = {""};
        memset(&seen, 0, sizeof seen);
        seen.is_broken = true;
        assert_int_equal(rungs[i]->prepare(&run, &error), STATUS_INVALID);
        assert_non_null(strstr(error.text, "it does not compile"));
        assert_null(run.state);
        assert_int_equal(seen.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_and_passes),
        cmocka_unit_test(test_a_probe_that_does_not_compile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
