/* The programs of rungs over devices compile for CUDA, on any machine, in every form that the rungs ask for: each for
 * the oldest architecture or for Hopper, in turn; with USKOR_LONG set, for both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "backends/cuda/compile.h"
#include "base/embedded.h"
#include "base/size.h"

#include <cmocka.h> /* last: it has a macro called fail */

static void compile_for(const char *architecture, const struct program_source *source)
{
    struct error error = {""};
    void *image = NULL;
    size_t bytes = 0;
    if (cuda_compile_cached(source, architecture, 0, &image, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    free(image);
    assert_true(bytes > 0);
}

static void compile(const char *path, const char *const *defines, size_t count)
{
    const struct embedded_file *file = embedded_find(path);
    assert_non_null(file);
    const struct program_source source = {file->path, file->text, LANGUAGE_OPENCL_C, defines, count};
    static size_t turn;
    for (size_t i = 0; i < 2; i++)
        if (i == turn % 2 || getenv("USKOR_LONG"))
            compile_for(i ? "sm_90" : "sm_75", &source);
    turn++;
}

static void every_program_compiles(void **state)
{
    (void)state;
    struct error error = {""};
    if (cuda_nvrtc_available(&error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    static const struct {
        const char *path;
        const char *defines[6];
        size_t count;
    } programs[] = {
        {"distributed/helper.cl", {NULL}, 0},
        {"distributed/peer_words.cl", {"GROUP=256", "UNROLL=4", "ELEMENT=uint", "ELEMENT_BYTES=4"}, 4},
        {"distributed/dot/leaves.cl", {"ELEMENT=float", "ELEMENT_BYTES=4", "GROUP=256", "UNROLL=4"}, 4},
        {"distributed/dot/leaves.cl", {"ELEMENT=double", "ELEMENT_BYTES=8", "GROUP=256", "UNROLL=4"}, 4},
        {"distributed/sort/runs.cl", {"ELEMENT=uint", "ELEMENT_BYTES=4", "TILE=3840", "GROUP=256", "ITEMS=15"}, 5},
        {"distributed/sort/runs.cl", {"ELEMENT=ulong", "ELEMENT_BYTES=8", "TILE=3840", "GROUP=256", "ITEMS=15"}, 5},
    };
    for (size_t i = 0; i < COUNT_OF(programs); i++)
        compile(programs[i].path, programs[i].defines, programs[i].count);
    static const struct {
        const char *element, *bytes, *down, *across, *own;
    } elements[] = {
        {"ELEMENT=uchar", "ELEMENT_BYTES=1", "DOWN=128", "ACROSS=64", "WORD=1"},
        {"ELEMENT=ushort", "ELEMENT_BYTES=2", "DOWN=128", "ACROSS=64", "WORD=2"},
        {"ELEMENT=uint", "ELEMENT_BYTES=4", "DOWN=128", "ACROSS=64", "WORD=4"},
        {"ELEMENT=ulong", "ELEMENT_BYTES=8", "DOWN=64", "ACROSS=32", "WORD=8"},
        {"ELEMENT=ulong2", "ELEMENT_BYTES=16", "DOWN=32", "ACROSS=32", "WORD=16"},
    };
    for (int wide = 0; wide < 2; wide++)
        for (size_t i = 0; i < COUNT_OF(elements); i++) {
            const char *const defines[] = {elements[i].element,
                                           elements[i].bytes,
                                           elements[i].down,
                                           elements[i].across,
                                           wide ? "WORD=16" : elements[i].own,
                                           "ITEMS=256"};
            compile("distributed/transpose/tiles.cl", defines, COUNT_OF(defines));
        }
}

static void bulk_copies_compile_for_hopper(void **state)
{
    (void)state;
    struct error error = {""};
    char architecture[CUDA_ARCHITECTURE_MAX] = "";
    if (cuda_nvrtc_available(&error) != STATUS_OK ||
        cuda_architecture(9, 0, LANGUAGE_CUDA_C, architecture, &error) != STATUS_OK)
        skip();
    static const char *const forms[][4] = {
        {"ELEMENT=uchar", "ELEMENT_BYTES=1", "DOWN=256", "ACROSS=32"},
        {"ELEMENT=uint", "ELEMENT_BYTES=4", "DOWN=256", "ACROSS=32"},
        {"ELEMENT=ulong2", "ELEMENT_BYTES=16", "DOWN=64", "ACROSS=8"},
    };
    const struct embedded_file *file = embedded_find("distributed/transpose/peer_bulk.cu");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        const char *const defines[] = {forms[i][0], forms[i][1], forms[i][2], forms[i][3], "THREADS=256", "SLOTS=3"};
        const struct program_source source = {file->path, file->text, LANGUAGE_CUDA_C, defines, COUNT_OF(defines)};
        compile_for(architecture, &source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_program_compiles),
                                       cmocka_unit_test(bulk_copies_compile_for_hopper)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
