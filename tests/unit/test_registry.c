/* Ladders made of rows: what is read once and kept, and what is said of a ladder that is wrong. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "fake_kernel.h"
#include "kernels/rung_header.h"

#include <cmocka.h>

/* ---- files of this program alone ------------------------------------------------------------------------------ */

#define HEADER(name) "// rung: " name "\n// idea: i\n// group: 8\n// groups: rows\n"

const struct embedded_file embedded_files[] = {
    {"kernels/mix/good.cl", HEADER("good"), sizeof HEADER("good") - 1},
    {"kernels/mix/hosted.cl", HEADER("hosted"), sizeof HEADER("hosted") - 1},
    {"kernels/mix/bad.cl", "// rung: bad\n", 13},
    {"kernels/mix/serial.cl", HEADER("serial"), sizeof HEADER("serial") - 1},
};
const size_t embedded_file_count = COUNT_OF(embedded_files);

const struct embedded_file *embedded_find(const char *path)
{
    for (size_t i = 0; i < embedded_file_count; i++)
        if (strcmp(embedded_files[i].path, path) == 0)
            return &embedded_files[i];
    return NULL;
}

static enum status nothing(struct run *run, struct error *error)
{
    (void)run, (void)error;
    return STATUS_OK;
}

static const struct rung mix_serial = {
    .name = "serial", .kind = RUNG_HOST, .backends = BACKEND_CPU, .enqueue = nothing};
static const struct rung mix_hosted = {.enqueue = nothing};

#define LADDER(which, ...)                                         \
    static const struct ladder_row rows_##which[] = {__VA_ARGS__}; \
    static const struct kernel kernel_##which = {                  \
        .name = #which, MIX_MEMBERS, .ladder = rows_##which, .ladder_count = COUNT_OF(rows_##which)};
LADDER(whole, {&mix_serial, NULL, ""}, {NULL, "kernels/mix/good.cl", ""}, {&mix_hosted, "kernels/mix/hosted.cl", ""})
LADDER(broken, {&mix_serial, NULL, ""}, {NULL, "kernels/mix/good.cl", ""}, {NULL, "kernels/mix/bad.cl", ""})
LADDER(absent, {NULL, "kernels/mix/absent.cl", ""})
LADDER(twice, {&mix_serial, NULL, ""}, {NULL, "kernels/mix/serial.cl", ""})

const struct kernel *const kernels[] = {&kernel_whole, &kernel_broken, &kernel_absent, &kernel_twice, NULL};

/* ---- tests ---------------------------------------------------------------------------------------------------- */

static void kernels_by_name(void **state)
{
    (void)state;
    struct error error = {{0}};
    assert_ptr_equal(kernel_by_name("broken", &error), &kernel_broken);
    assert_null(kernel_by_name("brokne", &error));
    assert_string_equal(error.text, "there is no kernel 'brokne'; did you mean 'broken'?");
    assert_null(kernel_by_name("", &error));
    assert_string_equal(error.text, "there is no kernel ''; there are whole, broken, absent, twice");
    assert_null(kernel_by_name("nothing like it", NULL));
}

static void *ask(void *result)
{
    const struct rung *const **rungs = result;
    size_t count;
    return kernel_rungs(&kernel_whole, rungs, &count, NULL) == STATUS_OK && count == 3 ? result : NULL;
}

/* Concurrent first uses give one ladder. */
static void read_once(void **state)
{
    (void)state;
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    const struct rung *const *rungs[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &rungs[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert_ptr_equal(result, &rungs[i]);
        assert_ptr_equal(rungs[i], rungs[0]);
    }
    assert_ptr_equal(rungs[0][0], &mix_serial);
    assert_string_equal(rungs[0][1]->name, "good");
    assert_ptr_equal(rungs[0][1]->enqueue, device_rung_enqueue);
    assert_string_equal(rungs[0][2]->name, "hosted");
    assert_ptr_equal(rungs[0][2]->enqueue, nothing);
}

static void rungs_by_name(void **state)
{
    (void)state;
    struct error error = {{0}};
    assert_ptr_equal(rung_by_name(&kernel_whole, "serial", &error), &mix_serial);
    assert_string_equal(rung_by_name(&kernel_whole, "hosted", &error)->name, "hosted");
    assert_null(rung_by_name(&kernel_whole, "hoste", &error));
    assert_string_equal(error.text, "whole has no rung 'hoste'; did you mean 'hosted'?");
    assert_null(rung_by_name(&kernel_whole, "zz", &error));
    assert_string_equal(error.text, "whole has no rung 'zz'; it has serial, good, hosted");
}

static void a_ladders_rungs_and_added_ones(void **state)
{
    (void)state;
    const struct rung *serial = rung_by_name(&kernel_whole, "serial", NULL);
    assert_non_null(serial);
    assert_true(kernel_ladder_has(&kernel_whole, serial));
    static struct rung added;
    added = *serial;
    snprintf(added.name, sizeof added.name, "added");
    assert_false(kernel_ladder_has(&kernel_whole, &added));
    assert_int_equal(kernel_add_rung(&kernel_whole, &added, NULL), STATUS_OK);
    assert_ptr_equal(rung_by_name(&kernel_whole, "added", NULL), &added);
    assert_false(kernel_ladder_has(&kernel_whole, &added));
    assert_false(kernel_ladder_has(&kernel_broken, serial));
}

static void wrong_ladders(void **state)
{
    (void)state;
    static const struct {
        const struct kernel *kernel;
        const char *says;
    } cases[] = {
        {&kernel_broken, "kernels/mix/bad.cl:1: there is no '// idea: …' line"},
        {&kernel_absent, "kernels/mix/absent.cl is on the ladder of absent and was not built into this program"},
        {&kernel_twice, "the ladder of twice has two rungs 'serial'"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const struct rung *const *rungs;
        size_t count;
        struct error error = {{0}};
        assert_int_equal(kernel_rungs(cases[i].kernel, &rungs, &count, &error), STATUS_FAILED);
        assert_memory_equal(error.text, cases[i].says, strlen(cases[i].says));
        assert_null(rung_by_name(cases[i].kernel, "serial", &error));
        assert_memory_equal(error.text, cases[i].says, strlen(cases[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_by_name), cmocka_unit_test(read_once),
        cmocka_unit_test(rungs_by_name),   cmocka_unit_test(a_ladders_rungs_and_added_ones),
        cmocka_unit_test(wrong_ladders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
