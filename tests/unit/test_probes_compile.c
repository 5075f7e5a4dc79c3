/* The probes' device programs compile for CUDA, on any machine, in every form that the lab asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/compile.h"
#include "base/embedded.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static enum status try(const char *path, enum language language, const char *architecture, const char *const *defines,
                       size_t count, struct error *error)
{
    const struct embedded_file *file = embedded_find(path);
    assert_non_null(file);
    const struct program_source source = {file->path, file->text, language, defines, count};
    void *image = NULL;
    size_t bytes = 0;
    enum status status = cuda_compile_cached(&source, architecture, 0, &image, &bytes, error);
    free(image);
    assert_true(status != STATUS_OK || bytes > 0);
    return status;
}

static void skip_without_nvrtc(void)
{
    struct error error = {""};
    if (cuda_nvrtc_available(&error) == STATUS_OK)
        return;
    print_message("skipped: %s\n", error.text);
    skip();
}

static void compile(const char *path, const char *const *defines, size_t count)
{
    struct error error = {""};
    skip_without_nvrtc();
    enum status status = try(path, LANGUAGE_OPENCL_C, "sm_90", defines, count, &error);
    if (status != STATUS_OK)
        print_error("%s\n", error.text);
    assert_int_equal(status, STATUS_OK);
}

static void test_streams(void **state)
{
    (void)state;
    static const int shapes[][3] = {{1, 0, 8}, {2, 0, 8}, {1, 1, 1}, {2, 1, 1}, {0, 1, 1}, {1, 4, 1}};
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        char defines[3][32];
        snprintf(defines[0], sizeof defines[0], "READS=%d", shapes[i][0]);
        snprintf(defines[1], sizeof defines[1], "WRITES=%d", shapes[i][1]);
        snprintf(defines[2], sizeof defines[2], "UNROLL=%d", shapes[i][2]);
        const char *const list[] = {defines[0], defines[1], defines[2]};
        compile("lab/ceilings/streams.cl", list, COUNT_OF(list));
        const char *const kept[] = {defines[0], defines[1], defines[2], "KEPT=1"};
        compile("lab/ceilings/streams.cl", kept, COUNT_OF(kept));
        const char *const alone[] = {defines[0], defines[1], "STRETCH=1024"};
        compile("lab/ceilings/streams.cl", alone, COUNT_OF(alone));
    }
}

static void test_multiply_adds(void **state)
{
    (void)state;
    static const char *const floats[] = {"CHAINS=8", "UNROLL=16", "LANES=1", "SCALAR=float", "NUMBER=float"};
    static const char *const doubles[] = {"CHAINS=8", "UNROLL=16", "LANES=1", "SCALAR=double", "NUMBER=double"};
    compile("lab/ceilings/fma.cl", floats, COUNT_OF(floats));
    compile("lab/ceilings/fma.cl", doubles, COUNT_OF(doubles));
}

static void test_caches_and_local_memory(void **state)
{
    (void)state;
    static const char *const cache[] = {"UNROLL=4", "STRIDE=7919"}, *const local[] = {"UNROLL=8", "SPACING=64"};
    compile("lab/ceilings/cache_read.cl", cache, COUNT_OF(cache));
    compile("lab/ceilings/local_read.cl", local, COUNT_OF(local));
}

/* For every architecture that is named for a device; what has no such tensor cores says so. */
static void test_tensor_cores(void **state)
{
    static const int architectures[][2] = {{7, 5}, {8, 0}, {8, 6}, {8, 7}, {8, 9}, {9, 0}, {10, 0}, {12, 0}};
    (void)state;
    skip_without_nvrtc();
    for (size_t i = 0; i < COUNT_OF(architectures); i++) {
        char name[CUDA_ARCHITECTURE_MAX];
        struct error error = {""};
        enum status status = cuda_architecture(architectures[i][0], architectures[i][1], LANGUAGE_CUDA_C, name, &error);
        if (status == STATUS_OK)
            status = try("lab/ceilings/tensor.cu", LANGUAGE_CUDA_C, name, NULL, 0, &error);
        if (status == STATUS_UNAVAILABLE) {
            print_message("%s\n", error.text); /* an NVRTC that is older or newer than the architecture */
            continue;
        }
        if (architectures[i][0] < 8) {
            assert_int_equal(status, STATUS_INVALID);
            assert_non_null(strstr(error.text, "needs compute capability 8.0"));
        } else if (status != STATUS_OK) {
            fail_msg("%s: %s", name, error.text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_multiply_adds),
        cmocka_unit_test(test_caches_and_local_memory),
        cmocka_unit_test(test_tensor_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
