/* A rung in two languages: whose header rules, and which text a device compiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fake_kernel.h"
#include "kernels/rung_header.h"

#include <cmocka.h>

const struct kernel *const kernels[] = {&kernel_mix, NULL};

#define HEADER                                        \
    "// rung:   r\n// idea:   i\n"                    \
    "// tune:   TILE = 16 in 8 16\n"                  \
    "// group:  TILE\n// groups: ceil(rows / TILE)\n" \
    "// args:   a, out, rows\n"

static const struct backend opengl = {.name = "opengl", .kind = BACKEND_OPENGL};
static const struct backend cuda = {.name = "cuda", .kind = BACKEND_CUDA};
static const struct device on_opengl = {.backend = &opengl, .id = "opengl:0", .properties = {.group_items = 1024}};
static const struct device on_cuda = {.backend = &cuda, .id = "cuda:0", .properties = {.group_items = 1024}};

static struct rung *read_cl(void)
{
    struct rung *rung;
    struct error error;
    if (device_rung_read(&kernel_mix, "r.cl", HEADER "one\n", NULL, &rung, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return rung;
}

static void a_rung_without_one_is_refused_on_opengl(void **state)
{
    (void)state;
    struct rung *rung = read_cl();
    struct problem problem = problem_default(&kernel_mix);
    struct parameters parameters = {{16}};
    char reason[256];
    const char *why = rung_refuses(rung, &problem, &on_opengl, &parameters, reason, sizeof reason);
    assert_non_null(why);
    assert_non_null(strstr(why, "no OpenGL source"));
    assert_null(rung_refuses(rung, &problem, &on_cuda, &parameters, reason, sizeof reason));
    device_rung_free(rung);
}

static void each_device_compiles_its_own(void **state)
{
    (void)state;
    struct rung *rung = read_cl();
    struct error error = {"untouched"};
    static const char twin[] = "// rung: r\n// idea: another word for it\n// tune: TILE=16 in 8 16\n"
                               "// group: TILE\n// groups: ceil(rows/TILE)\n// args: a, out, rows\ntwo\n";
    assert_int_equal(device_rung_join(rung, "r.glsl", twin, &error), STATUS_OK);
    assert_int_equal(rung->backends, BACKEND_OPENGL | BACKEND_OPENCL | BACKEND_CUDA | BACKEND_NULL);
    const struct source_text own = device_source_for(rung->source, &on_cuda);
    const struct source_text other = device_source_for(rung->source, &on_opengl);
    assert_string_equal(own.path, "r.cl");
    assert_int_equal(own.language, LANGUAGE_OPENCL_C);
    assert_string_equal(other.path, "r.glsl");
    assert_ptr_equal(other.text, twin);
    assert_int_equal(other.language, LANGUAGE_GLSL);
    assert_ptr_equal(device_source_for(rung->source, NULL).text, rung->source->text);
    device_rung_free(rung);
}

/* What one header says and the other does not, in either direction. */
static void headers_that_differ_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *twin, *words;
    } cases[] = {
        {"// rung: s\n// idea: i\n// tune: TILE = 16 in 8 16\n// group: TILE\n// groups: ceil(rows / TILE)\n"
         "// args: a, out, rows\n",
         "r.glsl:1: the header of r.cl has no such line: s"},
        {"// rung: r\n// idea: i\n// tune: TILE = 8 in 8 16\n// group: TILE\n// groups: ceil(rows / TILE)\n"
         "// args: a, out, rows\n",
         "r.glsl:3: "},
        {"// rung: r\n// idea: i\n// tune: TILE = 16 in 8 16\n// group: TILE\n// groups: ceil(rows / TILE)\n",
         "r.cl:6: the header of r.glsl has no such line: a, out, rows"},
        {HEADER "// require: rows > 1, it is flat\n", "r.glsl:7: "},
        {"// rung: r\n// nonsense\nvoid main() {}\n", "r.cl:3: "},
        {"// rung: r\n// rung: r\n", "r.glsl:2"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct rung *rung = read_cl();
        struct error error = {""};
        assert_int_equal(device_rung_join(rung, "r.glsl", cases[i].twin, &error), STATUS_INVALID);
        if (!strstr(error.text, cases[i].words))
            fail_msg("\"%s\" does not say \"%s\"", error.text, cases[i].words);
        assert_int_equal(rung->backends & BACKEND_OPENGL, 0);
        device_rung_free(rung);
    }
}

static void a_file_of_its_own_is_a_rung(void **state)
{
    (void)state;
    struct rung *rung;
    struct error error;
    assert_int_equal(device_rung_read(&kernel_mix, "own.glsl", HEADER, NULL, &rung, &error), STATUS_OK);
    assert_int_equal(rung->backends, BACKEND_OPENGL | BACKEND_NULL);
    assert_int_equal(rung->source->language, LANGUAGE_GLSL);
    device_rung_free(rung);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rung_without_one_is_refused_on_opengl),
        cmocka_unit_test(each_device_compiles_its_own),
        cmocka_unit_test(headers_that_differ_are_refused),
        cmocka_unit_test(a_file_of_its_own_is_a_rung),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
