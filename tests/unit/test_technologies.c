/* bench --technologies: which devices, sizes and rungs are compared, and what is said of a technology that is absent.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/all.h"
#include "backends/trial.h"
#include "base/size.h"
#include "base/text.h"
#include "cli/options/technologies.h"

#include <cmocka.h> /* last: it has a macro called fail */

static struct device cpu = {.backend = &backend_cpu, .id = "cpu", .properties = {.is_cpu = true}},
                     opencl_cpu = {.backend = &backend_opencl, .id = "opencl:0", .properties = {.is_cpu = true}},
                     opencl_gpu = {.backend = &backend_opencl, .id = "opencl:1"},
                     cuda = {.backend = &backend_cuda, .id = "cuda:0"};

/* ---- sizes ---- */

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *targets[2];
        size_t count;
        struct device *devices[2];
        const char *sizes;
    } rows[] = {
        {{"matmul"}, 1, {&cpu, &opencl_cpu}, "matmul:64 matmul:128 "},
        {{"matmul"}, 1, {&cpu, &cuda}, "matmul:256 matmul:512 matmul:1024 matmul:2048 "},
        {{"matmul"}, 1, {&opencl_gpu, &cpu}, "matmul:256 matmul:512 matmul:1024 matmul:2048 "},
        {{"matmul:100"}, 1, {&cpu, &cuda}, "matmul:100 "},
        {{"matmul", "sort"}, 2, {&cpu, &cuda}, "matmul sort "},
        {{"sort"}, 1, {&cpu, &cuda}, "sort "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static struct bench_session session;
        char sizes[128] = "";
        memset(&session, 0, sizeof session);
        session.target_count = rows[i].count;
        memcpy(session.targets, rows[i].targets, sizeof rows[i].targets);
        memcpy(session.selection.devices, rows[i].devices, sizeof rows[i].devices);
        session.selection.device_count = COUNT_OF(rows[i].devices);
        technologies_sizes(&session);
        for (size_t t = 0; t < session.target_count; t++)
            text_append(sizes, sizeof sizes, "%s ", session.targets[t]);
        assert_string_equal(sizes, rows[i].sizes);
    }
}

/* ---- rungs ---- */

#define EVERYWHERE (BACKEND_CUDA | BACKEND_OPENCL | BACKEND_OPENGL)

static const struct rung host = {.name = "host", .kind = RUNG_HOST, .backends = BACKEND_CPU},
                         next_host = {.name = "next", .kind = RUNG_HOST, .backends = BACKEND_CPU},
                         library = {.name = "library", .kind = RUNG_VENDOR, .backends = BACKEND_CPU},
                         device_library = {.name = "vendor", .kind = RUNG_VENDOR, .backends = BACKEND_CUDA},
                         several = {.name = "several", .kind = RUNG_DEVICE, .backends = EVERYWHERE | BACKEND_NULL},
                         cuda_only = {.name = "only", .kind = RUNG_DEVICE, .backends = BACKEND_CUDA | BACKEND_NULL};

/* Device rungs that several technologies have, and the processor's first; of rungs that are named all. */
static void test_compared(void **state)
{
    (void)state;
    static const struct candidate all[] = {
        {&cpu, &library, {{0}}},         {&cpu, &host, {{0}}},           {&cpu, &next_host, {{0}}},
        {&cuda, &host, {{0}}},           {&cuda, &several, {{0}}},       {&cuda, &cuda_only, {{0}}},
        {&cuda, &device_library, {{0}}}, {&opencl_cpu, &several, {{0}}}, {&opencl_cpu, &library, {{0}}},
    };
    static const struct {
        size_t named;
        const char *left;
    } rows[] = {
        {0, "cpu/host cuda:0/several opencl:0/several "},
        {1, "cpu/library cpu/host cpu/next cuda:0/several cuda:0/only cuda:0/vendor opencl:0/several "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        static struct selection selection;
        struct candidate candidates[COUNT_OF(all)];
        char left[256] = "";
        memcpy(candidates, all, sizeof all);
        selection.rung_name_count = rows[i].named;
        const size_t count = technologies_filter(&selection, candidates, COUNT_OF(all));
        for (size_t c = 0; c < count; c++)
            text_append(left, sizeof left, "%s/%s ", candidates[c].device->id, candidates[c].rung->name);
        assert_string_equal(left, rows[i].left);
    }
}

/* ---- devices ---- */

/* The processor, and a device of each technology that is there, once; devices that are named stay as they are. */
static void test_chosen(void **state)
{
    (void)state;
    static struct bench_session session;
    struct error error = {""};
    int count;
    size_t wanted = 1;
    for (size_t b = 0; backends[b]; b++)
        wanted += backends[b]->kind & EVERYWHERE && backend_probe(backends[b], &count, &error) == STATUS_OK;
    assert_int_equal(technologies_choose(&session, &error), STATUS_OK);
    const struct selection *selection = &session.selection;
    assert_int_equal(selection->device_name_count, wanted);
    assert_string_equal(selection->device_names[0], "cpu");
    for (size_t i = 1; i < wanted; i++) {
        const char *name = selection->device_names[i];
        const size_t length = strcspn(name, ":");
        assert_true(strncmp(name, "cuda", length) == 0 || strncmp(name, "open", 4) == 0);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(strncmp(name, selection->device_names[k], length), 0);
    }
    memset(&session, 0, sizeof session);
    assert_int_equal(selection_add_device(&session.selection, "null", &error), STATUS_OK);
    assert_int_equal(technologies_choose(&session, &error), STATUS_OK);
    assert_int_equal(session.selection.device_name_count, 1);
    assert_string_equal(session.selection.device_names[0], "null");
}

/* A line for each that has no device and is not among those that are compared, with the reason of its own. */
static void test_absent(void **state)
{
    (void)state;
    static struct selection none, all;
    static struct device one_of[3];
    struct error error = {""};
    size_t absent = 0, lines = 0, bytes = 0;
    char *text = NULL;
    int count;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    technologies_absent(stream, &none);
    assert_int_equal(fclose(stream), 0);
    for (size_t b = 0; backends[b]; b++) {
        char begin[32];
        snprintf(begin, sizeof begin, "\n%s: none: ", backends[b]->name);
        if (!(backends[b]->kind & EVERYWHERE))
            continue;
        one_of[all.device_count].backend = backends[b];
        all.devices[all.device_count] = &one_of[all.device_count];
        all.device_count++;
        const bool is_absent = backend_probe(backends[b], &count, &error) != STATUS_OK;
        assert_int_equal(strstr(text, begin) != NULL, is_absent);
        absent += is_absent;
    }
    for (const char *at = text; (at = strstr(at, ": none: ")); at++)
        lines++;
    assert_int_equal(lines, absent);
    free(text);
    stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    technologies_absent(stream, &all);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(text, "");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_compared),
        cmocka_unit_test(test_chosen),
        cmocka_unit_test(test_absent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
