/* Wrong sorts: each is refused for the right reason, and a right one passes on the same inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "base/size.h"
#include "kernels/kernel.h"
#include "parsed.h"

#include <cmocka.h> /* last: it has a macro called fail */

/* The order again, in floating-point words. */
static int compare_floats(const void *a, const void *b)
{
    float x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    if (isnan(x) || isnan(y))
        return (isnan(x) != 0) - (isnan(y) != 0);
    if (x != y)
        return x < y ? -1 : 1;
    return (signbit(y) != 0) - (signbit(x) != 0);
}

static int compare_words(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static void right(uint32_t *data, size_t count)
{
    (void)data, (void)count;
}

static void last_is_doubled(uint32_t *data, size_t count)
{
    data[count - 1] = data[count - 2];
}

static void one_is_dropped_and_its_neighbour_doubled(uint32_t *data, size_t count)
{
    data[count / 3] = data[count / 3 + 1];
}

/* One up, one down by the same amount: sums stay. */
static void two_are_exchanged_for_others(uint32_t *data, size_t count)
{
    for (size_t i = count / 2; i + 3 < count; i++)
        if (data[i] + 1 < data[i + 1] && data[i + 1] + 1 < data[i + 2] && data[i] > 0 && data[i] < 0x7f000000) {
            data[i]++;
            data[i + 1]--;
            return;
        }
    fail_msg("no place for it");
}

static void first_is_everywhere(uint32_t *data, size_t count)
{
    for (size_t i = 1; i < count; i++)
        data[i] = data[0];
}

static void last_two_descend(uint32_t *data, size_t count)
{
    uint32_t last = data[count - 1];
    size_t other = count - 1;
    while (data[other] == last)
        other--;
    data[count - 1] = data[other];
    data[other] = last;
}

static void last_block_is_not_sorted(uint32_t *data, size_t count)
{
    for (size_t i = count - 2, j = 65536; j < i; i--, j++) {
        uint32_t word = data[i];
        data[i] = data[j];
        data[j] = word;
    }
}

static void zeros_change_places(uint32_t *data, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (data[i - 1] == 0x80000000 && data[i] == 0) {
            data[i - 1] = 0;
            data[i] = 0x80000000;
            return;
        }
    fail_msg("no zeros");
}

static void zeros_lose_their_sign(uint32_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data[i] = data[i] == 0x80000000 ? 0 : data[i];
}

static void nans_are_quieted(uint32_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        data[i] |= (data[i] & 0x7fffffff) > 0x7f800000 ? 0x400000 : 0;
}

static void negative_nans_are_first(uint32_t *data, size_t count)
{
    uint32_t *copy = malloc(count * sizeof *copy);
    assert_non_null(copy);
    size_t made = 0;
    for (size_t i = 0; i < count; i++)
        if (data[i] > 0xff800000)
            copy[made++] = data[i];
    for (size_t i = 0; i < count; i++)
        if (data[i] <= 0xff800000)
            copy[made++] = data[i];
    memcpy(data, copy, count * sizeof *copy);
    free(copy);
}

static void subnormals_are_flushed(uint32_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((data[i] & 0x7fffffff) < 0x800000)
            data[i] &= 0x80000000;
}

static void infinities_are_clamped(uint32_t *data, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((data[i] & 0x7fffffff) == 0x7f800000)
            data[i]--;
}

static struct check_result judged(const char *text, void (*spoil)(uint32_t *, size_t))
{
    struct problem problem = parsed(text);
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct check_result result;
    struct error error;
    int array_count;
    assert_int_equal(kernel_describe(&problem, arrays, &array_count, &error), STATUS_OK);
    uint32_t *input = malloc(arrays[0].bytes), *output = malloc(arrays[0].bytes);
    assert_true(input && output);
    problem.kernel->fill(&problem, arrays, (struct host_arrays){{input}});
    memcpy(output, input, arrays[0].bytes);
    bool wide = problem.type == ELEMENT_U64;
    qsort(output, arrays[0].cols, wide ? 8 : 4, wide ? compare_words : compare_floats);
    spoil(output, arrays[0].bytes / sizeof *output);
    problem.kernel->check(&problem, arrays, (struct host_arrays){{input}}, (struct host_arrays){{output}}, &result);
    free(input);
    free(output);
    return result;
}

static void right_ones_pass(void **state)
{
    (void)state;
    static const char *const inputs[] = {"uniform", "sorted", "reversed", "equal", "few",    "special",  "sawtooth",
                                         "organ",   "killer", "tiny",     "wide",  "mostly", "displaced"};
    for (size_t i = 0; i < 2 * COUNT_OF(inputs); i++) {
        char text[64];
        snprintf(text, sizeof text, "sort:n=3002,input=%s,%s", inputs[i / 2], i % 2 ? "f32" : "u64");
        struct check_result result = judged(text, right);
        if (!result.passed)
            fail_msg("%s: %s", text, result.reason);
    }
}

#define ORDER "stand behind a greater one"
#define LOST "in order, but not a permutation of the input"

static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        void (*spoil)(uint32_t *, size_t);
        const char *reason;
    } cases[] = {
        {"one dropped", "sort:n=70002", one_is_dropped_and_its_neighbour_doubled, LOST},
        {"one dropped of few", "sort:n=70002,input=special", last_is_doubled, LOST},
        {"sums kept", "sort:n=70002", two_are_exchanged_for_others, LOST},
        {"all alike", "sort:n=5000", first_is_everywhere, LOST},
        {"descends at the end", "sort:n=70002", last_two_descend,
         "1 of 70002 elements " ORDER ", the first at [70001]"},
        {"descends at the end", "sort:n=70002,input=few", last_two_descend, ORDER},
        {"the last block", "sort:n=65601", last_block_is_not_sorted, ORDER},
        {"zeros in the wrong order", "sort:n=5000,input=special", zeros_change_places, ORDER},
        {"zeros without sign", "sort:n=5000,input=special", zeros_lose_their_sign, LOST},
        {"NaNs quieted", "sort:n=5000,input=special", nans_are_quieted, LOST},
        {"NaNs first", "sort:n=5000,input=special", negative_nans_are_first, ORDER},
        {"flushed", "sort:n=5000,input=tiny", subnormals_are_flushed, "elements are lost, doubled or changed"},
        {"clamped", "sort:n=130,input=wide", infinities_are_clamped, "elements are lost, doubled or changed"},
        {"flushed", "sort:n=5000,input=special", subnormals_are_flushed, "elements are lost, doubled or changed"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct check_result result = judged(cases[i].text, cases[i].spoil);
        if (result.passed || !strstr(result.reason, cases[i].reason))
            fail_msg("%s on %s: %s, \"%s\"", cases[i].name, cases[i].text, result.passed ? "passed" : "refused",
                     result.reason);
    }
}

/* The bytes in which some key alone differs from the first one of its kind: bit b for byte b. */
static unsigned bytes_that_decide(const unsigned char *keys, size_t count, size_t bytes)
{
    unsigned found = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            unsigned differing = 0;
            for (size_t b = 0; b < bytes; b++)
                differing |= (unsigned)(keys[i * bytes + b] != keys[j * bytes + b]) << b;
            if (__builtin_popcount(differing) == 1)
                found |= differing;
        }
    return found;
}

/* A sort that omits one byte of its keys is wrong for some structure: twenty successive seeds have all of them. An edge
 * case, which is tried on every type, has structures. */
static void every_byte_of_a_key_decides_once(void **state)
{
    (void)state;
    const struct kernel *kernel = kernel_by_name("sort", NULL);
    bool is_edge_case = false;
    for (const char *const *text = kernel->edge_cases; *text; text++)
        is_edge_case = is_edge_case || strstr(*text, "input=structured");
    assert_true(is_edge_case);
    for (size_t t = 0; t < kernel->type_count; t++) {
        const struct element_info *type = element_info(kernel->types[t]);
        unsigned found = 0;
        for (int seed = 41; seed <= 60; seed++) {
            char text[64];
            struct array arrays[KERNEL_ARRAYS_MAX];
            struct error error;
            int array_count;
            snprintf(text, sizeof text, "sort:n=300,input=structured,seed=%d,%s", seed, type->name);
            struct problem problem = parsed(text);
            assert_int_equal(kernel_describe(&problem, arrays, &array_count, &error), STATUS_OK);
            unsigned char *keys = malloc(arrays[0].bytes);
            assert_non_null(keys);
            kernel->fill(&problem, arrays, (struct host_arrays){{keys}});
            found |= bytes_that_decide(keys, arrays[0].cols, type->bytes);
            free(keys);
        }
        assert_int_equal(found, (1U << type->bytes) - 1);
    }
}

/* Code for a few elements is often a network of comparators: it is right if it is for all words of two values. Other
 * code is tried on every permutation. */
static void few_elements_have_every_order(void **state)
{
    (void)state;
    const struct kernel *kernel = kernel_by_name("sort", NULL);
    for (size_t n = 1; n <= 8; n++) {
        bool is_word[256] = {false};
        size_t words = 0, orders = 0, factorial = 1;
        bool is_order[3125] = {false}; /* numbers of five digits to the base five */
        for (size_t i = 2; i <= n; i++)
            factorial *= i;
        for (uint32_t seed = 7;
             seed < 7 + kernel->structures(&(struct problem){.kernel = kernel, .values[0].size = (int64_t)n}); seed++) {
            char text[64];
            float keys[8];
            struct array arrays[KERNEL_ARRAYS_MAX];
            struct error error;
            int array_count;
            snprintf(text, sizeof text, "sort:n=%zu,input=structured,seed=%u,f32", n, seed);
            struct problem problem = parsed(text);
            assert_int_equal(kernel_describe(&problem, arrays, &array_count, &error), STATUS_OK);
            kernel->fill(&problem, arrays, (struct host_arrays){{keys}});
            size_t word = 0, order = 0, values = 0;
            for (size_t i = 0; i < n; i++) {
                size_t below = 0, equal = 0;
                for (size_t k = 0; k < n; k++) {
                    below += keys[k] < keys[i];
                    equal += k < i && keys[k] == keys[i];
                }
                values += equal == 0;
                word |= (size_t)(keys[i] > 0) << i;
                order = 5 * order + below;
            }
            if (values == n && n <= 5) {
                orders += !is_order[order];
                is_order[order] = true;
            }
            if (values <= 2) {
                words += !is_word[word];
                is_word[word] = true;
            }
        }
        assert_int_equal(words, (size_t)1 << n);
        assert_true(n > 5 || orders == factorial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ones_pass),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(every_byte_of_a_key_decides_once),
        cmocka_unit_test(few_elements_have_every_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
