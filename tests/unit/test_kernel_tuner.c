/* Kernel Tuner's cache files: written whole, and what is taken from one. Times are in milliseconds; 20 us are 0.02. */
#include <unistd.h>

#include "base/size.h"
#include "cli/commands/tune_parts.h"
#include "own_folder.h"
#include "tables.h"

static const struct backend opencl = {.name = "opencl", .kind = BACKEND_OPENCL};
static struct device gpu = {.backend = &opencl, .id = "cuda:0", .properties = {.name = "A GPU"}};

static struct candidate candidate_of(const char *name)
{
    struct error error = {""};
    return (struct candidate){.device = &gpu, .rung = rung_by_name(kernel_by_name("transpose", &error), name, &error)};
}

static void print_file(FILE *stream, const char *path)
{
    char text[8192];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    fprintf(stream, "%.*s", (int)fread(text, 1, sizeof text, file), text);
    fclose(file);
}

/* A combination that was timed, one that was wrong, one that the device does not allow; others' times are not in it. */
static void what_is_written(void **state)
{
    (void)state;
    struct measurement_list list = {0};
    struct error error = {""};
    const char *problem = "transpose:rows=1000,cols=1000,f32";
    const struct candidate naive = candidate_of("naive");
    strcpy(add(&list, problem, "naive", MEASURED_DEVICE, 2e4)->parameters, "BX=8 BY=4");
    strcpy(judged(add(&list, problem, "naive", MEASURED_DEVICE, 5e4), VERDICT_FAIL, "wrong")->parameters, "BX=4 BY=4");
    strcpy(judged(add(&list, problem, "naive", MEASURED_DEVICE, 0), VERDICT_SKIP, "large")->parameters, "BX=64 BY=64");
    strcpy(add(&list, problem, "naive", MEASURED_DEVICE, 1e4)->parameters, "OTHER=8");
    strcpy(add(&list, problem, "tiled", MEASURED_DEVICE, 1e4)->parameters, "TILE=8 ROWS=4");
    add(&list, problem, "naive", MEASURED_PROBE, 1e4);
    strcpy(add(&list, problem, "naive", MEASURED_DEVICE, 1e4)->device, "cuda:1");
    list.items[0].phases[PHASE_COMPUTE].count = 3;
    const char *path = in_folder("written.json");
    assert_int_equal(kernel_tuner_write(path, &list, naive.rung, &gpu, &error), STATUS_OK);
    SHOWS("kernel-tuner.json", print_file(stream, path));
    assert_int_equal(kernel_tuner_write(path, &list, naive.rung, &gpu, &error), STATUS_INVALID); /* it is there */
    struct candidate winner;
    const struct candidate all[] = {candidate_of("tiled"), naive};
    assert_int_equal(kernel_tuner_read(path, all, 2, &winner, &error), STATUS_OK);
    assert_ptr_equal(winner.rung, naive.rung);
    assert_int_equal(winner.parameters.values[0], 8);
    assert_int_equal(winner.parameters.values[1], 4);
    unlink(path);
    measurement_list_free(&list);
}

static enum status take(const char *text, struct candidate *winner, struct error *error)
{
    const struct candidate all[] = {candidate_of("naive")};
    const char *path = in_folder("a");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    const enum status status = kernel_tuner_read(path, all, 1, winner, error);
    unlink(path);
    return status;
}

#define HEAD "{\"kernel_name\": \"transpose/naive\", \"tune_params_keys\": [\"BX\", \"BY\"], \"cache\": {"

static void what_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* NULL: BX=16 BY=2 */
    } rows[] = {
        {HEAD "\"8,4\": {\"BX\": 8, \"BY\": 4, \"time\": 2}, \"16,2\": {\"BX\": 16, \"BY\": 2, \"time\": 1.5}}}", NULL},
        {HEAD "\"16,2\": {\"BX\": 16, \"BY\": 2, \"time\": 1}, \"8,4\": {\"BX\": 8, \"BY\": 4, \"time\": 0},\n", NULL},
        {HEAD "\"8,4\": {\"BX\": 8, \"BY\": 4, \"time\": \"InvalidConfig\"}, \"16,2\": {\"BX\": 16, \"BY\": 2, "
              "\"time\": 9}}}",
         NULL},
        {HEAD "\"8,4\": {\"BX\": 8, \"BY\": 4, \"time\": \"InvalidConfig\"}}}", "no combination has a time"},
        {HEAD "\"8,4\": {\"BX\": 8, \"time\": 1}}}",
         "a parameter of its fastest combination is missing, or no integer"},
        {HEAD "\"8,4\": {\"BX\": 8.5, \"BY\": 4, \"time\": 1}}}",
         "a parameter of its fastest combination is missing, or no integer"},
        {HEAD "\"7,4\": {\"BX\": 7, \"BY\": 4, \"time\": 1}}}", "rung 'naive' does not offer BX=7 BY=4"},
        {"{\"kernel_name\": \"transpose/naive\", \"cache\": {}}",
         "not a cache file of Kernel Tuner: no tune_params_keys or no cache"},
        {"{\"kernel_name\": \"transpose/naive\", \"tune_params_keys\": []}",
         "not a cache file of Kernel Tuner: no tune_params_keys or no cache"},
        {"{\"kernel_name\": \"transpose/tiled\"}",
         "its kernel_name, 'transpose/tiled', is not KERNEL/RUNG of a rung that runs here"},
        {"{}", "its kernel_name, '', is not KERNEL/RUNG of a rung that runs here"},
        {"", "cannot be read, or is empty"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct candidate winner;
        struct error error = {""};
        const enum status status = take(rows[i].text, &winner, &error);
        assert_int_equal(status, rows[i].message ? STATUS_INVALID : STATUS_OK);
        if (rows[i].message)
            assert_non_null(strstr(error.text, rows[i].message));
        else
            assert_true(winner.parameters.values[0] == 16 && winner.parameters.values[1] == 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written), cmocka_unit_test(what_is_read)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
