/* The effects' table, kernels and checks: every device kernel is right on an OpenCL device and found wrong when it is
 * spoilt; and the model's counts of kernels whose counts are known. */
#include "opencl_device.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/embedded.h"
#include "base/size.h"
#include "explain/effects/effects.h"
#include "explain/memory/access_trace.h"
#include "kernels/rung_header.h"
#include "lab/verification/check.h"

#include "between.h"
#include "verdicts.h"

/* ---- the table ------------------------------------------------------------------------------------------------ */

static size_t sentences(const char *text)
{
    size_t count = 0, length = strlen(text);
    for (size_t i = 0; i + 1 < length; i++)
        count += strchr(".?!", text[i]) && text[i + 1] == ' ' && isupper((unsigned char)text[i + 2]);
    return count + (text[length - 1] == '.');
}

static void every_effect_is_whole(void **state)
{
    size_t count = 0;
    (void)state;
    for (; effects[count]; count++) {
        const struct effect *effect = effects[count];
        const struct rung *const *rungs;
        size_t rung_count = 0;
        assert_int_equal(strspn(effect->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(effect->name));
        assert_ptr_equal(effect_by_name(effect->name, &error), effect);
        assert_between(sentences(effect->lesson), 2, 3);
        assert_true(effect->title[0] && effect->axis[0]);
        if (!effect->kernel)
            continue;
        assert_int_equal(kernel_rungs(effect->kernel, &rungs, &rung_count, &error), STATUS_OK);
        assert_true(rung_count >= 1 && rung_count <= 4);
        for (size_t r = 0; r < rung_count; r++) {
            int64_t values[TUNABLE_VALUES_MAX];
            size_t value_count = effect_values(effect, rungs[r], values);
            assert_true(value_count >= 4);
            for (size_t i = 1; i < value_count; i++)
                assert_true(values[i - 1] < values[i]);
        }
    }
    assert_true(count >= 15);
}

static void sizes_are_powers_of_two(void **state)
{
    struct problem problem;
    const struct effect *effect = effect_by_name("stride", &error);
    (void)state;
    static const int64_t wrong[] = {-1, 1, EFFECT_SIZE_LEAST / 2, EFFECT_SIZE_LEAST + 1, EFFECT_SIZE_MOST * 2};
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(effect_problem(effect, NULL, wrong[i], &problem, &error), STATUS_INVALID);
    assert_int_equal(effect_problem(effect, NULL, EFFECT_SIZE_LEAST, &problem, &error), STATUS_OK);
    assert_int_equal(problem_size(&problem, "n"), EFFECT_SIZE_LEAST);
    assert_null(effect_by_name("strid", &error));
    assert_non_null(strstr(error.text, "did you mean 'stride'"));
}

/* ---- right and wrong kernels ---------------------------------------------------------------------------------- */

/* One slip in each file: a wrong number, or a last element that is left out. */
static const struct {
    const char *effect, *file, *right, *wrong;
} slips[] = {
    {"stride", "stride.cl", "in[word] + 1", "in[word] + 2"},
    {"structures", "structures.cl", "field < USED", "field < USED - 1"},
    {"structures", "arrays.cl", "out[first + field", "out[first + 1 + field"},
    {"bank-conflicts", "bank-conflicts.cl", "round < 8", "round < 7"},
    {"constant-cache", "constant-cache.cl", "step < 32", "step < 30"},
    {"cached-loads", "through-l1.cl", "+ 1 +", "+ 2 +"},
    {"cached-loads", "past-l1.cl", "+ 1 +", "+ 2 +"},
    {"cached-loads", "beside-local.cl", "+ 1 +", "+ 2 +"},
    {"latency", "latency.cl", "+ 1 +", "+ 2 +"},
    {"latency", "latency-local.cl", "+ 1 +", "+ 2 +"},
    {"private-arrays", "registers.cl", "round < 4", "round < 3"},
    {"private-arrays", "stack.cl", "first < 256", "first < 255 - WORDS"},
    {"atomics", "atomics.cl", "value ^ k", "value ^ (k + 1)"},
    {"divergence", "by-item.cl", "path < paths", "path < paths - 1"},
    {"divergence", "by-warp.cl", "k < 16", "k < 15"},
    {"uneven-load", "lanes.cl", "word < spread", "word < spread - 1"},
    {"uneven-load", "groups.cl", "word * 256", "word * 255"},
    {"double-precision", "double-precision.cl", "k < 64", "k < 63"},
    {"group-size", "group-size.cl", "out[i] = in[i]", "if (i + 1 < GROUP) out[i] = in[i]"},
    {"items", "items.cl", "i < n;", "i + 1 < n;"},
    {"concurrent-kernels", "concurrent-kernels.cl", "step < 4096", "step < 4095"},
};

static char *spoilt(const char *text, const char *right, const char *wrong)
{
    const char *at = strstr(text, right);
    char *result = malloc(strlen(text) + strlen(wrong) + 1);
    assert_non_null(at);
    assert_non_null(result);
    sprintf(result, "%.*s%s%s", (int)(at - text), text, wrong, at + strlen(right));
    return result;
}

static struct measurement verdict_of_rung(const struct effect *effect, const struct rung *rung)
{
    struct measurement_list list = {.count = 0};
    struct overrides none = {.count = 0};
    struct problem problem;
    assert_int_equal(effect_problem(effect, device, EFFECT_SIZE_LEAST, &problem, &error), STATUS_OK);
    assert_int_equal(lab_check(&problem, device, &rung, 1, &none, &list, &error), STATUS_OK);
    assert_int_equal(list.count, 1);
    const struct measurement measured = list.items[0]; /* of a check, it has no samples */
    measurement_list_free(&list);
    return measured;
}

/* With the parameter at 4, or the least value of it that shows what is spoilt. */
static const struct rung *rung_at(const struct effect *effect, const char *path, const char *text, struct rung **made)
{
    const struct rung *host_half = NULL;
    for (size_t r = 0; r < effect->kernel->ladder_count; r++)
        if (effect->kernel->ladder[r].file && strcmp(effect->kernel->ladder[r].file, path) == 0)
            host_half = effect->kernel->ladder[r].rung;
    assert_int_equal(device_rung_read(effect->kernel, path, text, host_half, made, &error), STATUS_OK);
    for (size_t t = 0; t < (*made)->tunable_count; t++)
        for (size_t v = 0; v < (*made)->tunables[t].value_count; v++)
            if ((*made)->tunables[t].values[v] == 4)
                snprintf((*made)->tunables[t].initial, sizeof(*made)->tunables[t].initial, "4");
    return *made;
}

static void slips_are_found(void **state)
{
    NEEDS_DEVICE();
    for (size_t i = 0; i < COUNT_OF(slips); i++) {
        const struct effect *effect = effect_by_name(slips[i].effect, &error);
        char path[128];
        snprintf(path, sizeof path, "explain/effects/%s", slips[i].file);
        const struct embedded_file *file = embedded_find(path);
        assert_non_null(file);
        struct rung *rung;
        char *text = spoilt(file->text, slips[i].right, slips[i].wrong);
        const struct measurement right = verdict_of_rung(effect, rung_at(effect, path, file->text, &rung));
        expect_reason(&right, VERDICT_PASS, "");
        device_rung_free(rung);
        const struct measurement wrong = verdict_of_rung(effect, rung_at(effect, path, text, &rung));
        expect_reason(&wrong, VERDICT_FAIL, "");
        device_rung_free(rung);
        free(text);
    }
}

/* No kernel file of an effect is left out above. */
static void every_kernel_file_has_a_slip(void **state)
{
    (void)state;
    for (size_t e = 0; effects[e]; e++)
        for (size_t r = 0; effects[e]->kernel && r < effects[e]->kernel->ladder_count; r++) {
            const char *file = effects[e]->kernel->ladder[r].file;
            bool found = !file;
            for (size_t i = 0; file && i < COUNT_OF(slips); i++)
                found = found || strcmp(strrchr(file, '/') + 1, slips[i].file) == 0;
            assert_true(found);
        }
}

/* A check that takes what nobody computed would verify nothing: the CPU's effects, too. */
static void checks_refuse_nothing(void **state)
{
    (void)state;
    for (size_t e = 0; effects[e]; e++) {
        struct array arrays[KERNEL_ARRAYS_MAX];
        struct host_arrays host = {.data = {NULL}};
        struct check_result result = {.passed = true};
        struct problem problem;
        int count;
        if (!effects[e]->kernel)
            continue;
        assert_int_equal(effect_problem(effects[e], NULL, EFFECT_SIZE_LEAST, &problem, &error), STATUS_OK);
        assert_int_equal(kernel_describe(&problem, arrays, &count, &error), STATUS_OK);
        for (int a = 0; a < count; a++)
            host.data[a] = calloc(1, arrays[a].bytes);
        problem.kernel->fill(&problem, arrays, host);
        problem.kernel->check(&problem, arrays, host, host, &result);
        expect_wrong(result);
        for (int a = 0; a < count; a++)
            free(host.data[a]);
    }
}

/* ---- the model's counts ----------------------------------------------------------------------------------------- */

struct totals {
    double requests, transactions, conflicts;
};

static bool count(const char *name, const char *rung_name, int64_t value, enum explain_space space,
                  enum explain_operation operation, struct totals *totals)
{
    const struct effect *effect = effect_by_name(name, &error);
    const struct rung *rung = rung_by_name(effect->kernel, rung_name, &error);
    struct memory_rules rules;
    struct explain_trace trace;
    struct problem problem;
    assert_int_equal(effect_problem(effect, NULL, EFFECT_SIZE_LEAST, &problem, &error), STATUS_OK);
    assert_int_equal(memory_rules_of("9.0", L1_DEFAULT, false, &rules, &error), STATUS_OK);
    struct explain_request request = {.rung = rung,
                                      .problem = &problem,
                                      .capability = "9.0",
                                      .local_bytes_per_group = 48 << 10,
                                      .rules = &rules,
                                      .rule_count = 1};
    assert_int_equal(effect_parameters(effect, rung, &problem, value, &request.parameters, &error), STATUS_OK);
    if (explain_trace_run(&request, &trace, &error) != STATUS_OK) {
        print_message("SKIP: %s\n", error.text);
        return false;
    }
    *totals = (struct totals){.requests = 0};
    for (size_t i = 0; i < trace.access_count; i++)
        if (trace.accesses[i].space == space && trace.accesses[i].operation == operation) {
            totals->requests += trace.accesses[i].counts[0].requests;
            totals->transactions += trace.accesses[i].counts[0].transactions;
            totals->conflicts += trace.accesses[i].counts[0].conflicts;
        }
    assert_int_equal(trace.race_count, 0);
    explain_trace_free(&trace);
    assert_true(totals->requests > 0);
    return true;
}

static void counts_are_as_reckoned(void **state)
{
    struct totals totals;
    (void)state;
    if (!count("stride", "strided", 1, EXPLAIN_GLOBAL, EXPLAIN_LOAD, &totals))
        skip();
    assert_float_equal(totals.transactions / totals.requests, 4, 1e-9);
    assert_true(count("stride", "strided", 8, EXPLAIN_GLOBAL, EXPLAIN_STORE, &totals));
    assert_float_equal(totals.transactions / totals.requests, 32, 1e-9);
    assert_true(count("structures", "structures", 1, EXPLAIN_GLOBAL, EXPLAIN_LOAD, &totals));
    assert_float_equal(totals.transactions / totals.requests, 32, 1e-9);
    assert_true(count("structures", "arrays", 1, EXPLAIN_GLOBAL, EXPLAIN_LOAD, &totals));
    assert_float_equal(totals.transactions / totals.requests, 4, 1e-9);
    assert_true(count("bank-conflicts", "strided", 8, EXPLAIN_SHARED, EXPLAIN_LOAD, &totals));
    assert_float_equal(totals.conflicts / totals.requests, 7, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_effect_is_whole), cmocka_unit_test(sizes_are_powers_of_two),
        cmocka_unit_test(slips_are_found),       cmocka_unit_test(every_kernel_file_has_a_slip),
        cmocka_unit_test(checks_refuse_nothing), cmocka_unit_test(counts_are_as_reckoned),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
