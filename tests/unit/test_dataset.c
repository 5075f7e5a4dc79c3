/* The inputs of a problem and their changes: from seeds, exchanged with a second set, and mixed with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "lab/verification/dataset.h"

#include <cmocka.h>
#undef fail

static struct problem problem_of(const char *text)
{
    struct problem problem;
    struct error error = {""};
    assert_int_equal(problem_parse(text, &problem, &error), STATUS_OK);
    return problem;
}

static struct dataset dataset_of(const char *text)
{
    struct dataset dataset;
    struct error error = {""};
    const struct problem problem = problem_of(text);
    assert_int_equal(dataset_create(&problem, &dataset, &error), STATUS_OK);
    return dataset;
}

/* Whether the first input is what the kernel makes of the problem with that seed. */
static bool is_from(const struct dataset *dataset, const struct problem *problem, uint32_t seed)
{
    struct dataset fresh;
    struct problem seeded = *problem;
    seeded.seed = seed;
    assert_int_equal(dataset_create(&seeded, &fresh, NULL), STATUS_OK);
    const bool same = memcmp(fresh.input.data[0], dataset->input.data[0], fresh.arrays[0].bytes) == 0;
    dataset_destroy(&fresh);
    return same;
}

static void seeds(void **state)
{
    (void)state;
    struct dataset dataset = dataset_of("transpose:rows=100,cols=60,seed=5");
    const struct problem own = dataset.problem, bits = problem_of("transpose:rows=100,cols=60,input=bits");
    assert_int_equal(dataset.version, 1);
    assert_non_null(dataset.input.data[0]);
    assert_null(dataset.output.data[0]);
    assert_null(dataset.input.data[1]);
    assert_non_null(dataset.output.data[1]);
    assert_true((uintptr_t)dataset.input.data[0] % 64 == 0);
    assert_true(is_from(&dataset, &own, 5));
    dataset_renew(&dataset);
    assert_int_equal(dataset.version, 2);
    assert_int_not_equal(dataset.filled.seed, 5);
    assert_int_equal(dataset.problem.seed, 5);
    assert_true(is_from(&dataset, &own, dataset.filled.seed));
    assert_false(is_from(&dataset, &own, 5));
    dataset_fill_from(&dataset, 5);
    assert_int_equal(dataset.version, 3);
    assert_true(is_from(&dataset, &own, 5));
    dataset_renew_as(&dataset, &bits);
    assert_true(is_from(&dataset, &bits, dataset.filled.seed));
    assert_false(is_from(&dataset, &own, dataset.filled.seed));
    dataset_destroy(&dataset);
    assert_null(dataset.input.data[0]);
    assert_int_equal(dataset.array_count, 0);
}

static void a_second_set(void **state)
{
    (void)state;
    struct dataset dataset = dataset_of("transpose:rows=100,cols=60,seed=5");
    const struct problem own = dataset.problem;
    dataset_exchange(&dataset);
    const uint32_t second = dataset.filled.seed;
    assert_int_not_equal(second, 5);
    assert_int_equal(dataset.other_seed, 5);
    assert_int_equal(dataset.version, 2);
    assert_true(is_from(&dataset, &own, second));
    dataset_exchange(&dataset);
    assert_int_equal(dataset.filled.seed, 5);
    assert_int_equal(dataset.other_seed, second);
    assert_int_equal(dataset.version, 3);
    assert_true(is_from(&dataset, &own, 5));
    dataset_renew_other(&dataset); /* the inputs stay */
    assert_int_not_equal(dataset.other_seed, second);
    assert_int_equal(dataset.version, 3);
    assert_true(is_from(&dataset, &own, 5));
    dataset_exchange(&dataset);
    assert_true(is_from(&dataset, &own, dataset.filled.seed));
    dataset_destroy(&dataset);
}

struct changes {
    size_t count, bytes, least;
    bool are_of_lines;
    unsigned char *changed;
};

static enum status note(void *context, int array, size_t offset, size_t bytes, struct error *error)
{
    struct changes *changes = context;
    (void)error;
    assert_int_equal(array, 0);
    changes->count++;
    changes->bytes += bytes;
    changes->are_of_lines = changes->are_of_lines && offset % 64 == 0;
    memset(changes->changed + offset, 1, bytes);
    return STATUS_OK;
}

/* 1, 4 or 16 pieces of 64 or (of 4 MB) 3904 bytes; what was not told stays. */
static void mixing(void **state)
{
    (void)state;
    enum { BYTES = 4000000 };
    bool seen[17] = {false};
    struct dataset dataset = dataset_of("transpose:rows=1000,cols=1000,seed=5");
    unsigned char *before = malloc(BYTES), *changed = malloc(BYTES);
    assert_true(before && changed);
    for (int turn = 0; turn < 30; turn++) {
        struct changes changes = {.are_of_lines = true, .changed = changed};
        const uint64_t version = dataset.version;
        memset(changed, 0, BYTES);
        memcpy(before, dataset.input.data[0], BYTES);
        assert_int_equal(dataset_mix(&dataset, note, &changes, NULL), STATUS_OK);
        assert_true(changes.count == 1 || changes.count == 4 || changes.count == 16);
        assert_true(changes.are_of_lines && changes.bytes <= BYTES / 64);
        assert_true(changes.bytes <= changes.count * 3904);
        seen[changes.count] = true;
        assert_true(dataset.is_mixed && dataset.other_is_mixed);
        assert_int_equal(dataset.version, version + 1);
        const unsigned char *now = dataset.input.data[0];
        size_t untold = 0;
        for (size_t i = 0; i < BYTES; i++)
            untold += !changed[i] && before[i] != now[i];
        assert_int_equal(untold, 0);
    }
    assert_true(seen[1] && seen[4] && seen[16]);
    dataset_exchange(&dataset);
    assert_true(dataset.is_mixed && dataset.other_is_mixed);
    dataset_renew(&dataset);
    assert_false(dataset.is_mixed);
    free(before);
    free(changed);
    dataset_destroy(&dataset);
}

static void one_piece(void **state)
{
    (void)state;
    struct dataset dataset = dataset_of("transpose:rows=100,cols=60,seed=5");
    unsigned char before[200], other[200];
    assert_false(dataset_exchange_piece(&dataset, 0, 64, 100)); /* there is no second set */
    dataset_renew_other(&dataset);
    memcpy(before, dataset.input.data[0], sizeof before);
    memcpy(other, dataset.other.data[0], sizeof other);
    const uint64_t version = dataset.version;
    assert_true(dataset_exchange_piece(&dataset, 0, 64, 100));
    assert_memory_equal(dataset.input.data[0], before, 64);
    assert_memory_equal((char *)dataset.input.data[0] + 64, other + 64, 100);
    assert_memory_equal((char *)dataset.input.data[0] + 164, before + 164, 36);
    assert_memory_equal((char *)dataset.other.data[0] + 64, before + 64, 100);
    assert_memory_equal((char *)dataset.other.data[0] + 164, other + 164, 36);
    assert_true(dataset.is_mixed && dataset.other_is_mixed);
    assert_int_equal(dataset.version, version + 1);
    assert_false(dataset_exchange_piece(&dataset, 1, 0, 64)); /* an output */
    dataset_destroy(&dataset);
}

/* Whole lines but for the array's end; a piece is at most 64 KiB, of small arrays a line. */
static void pieces(void **state)
{
    (void)state;
    static const struct {
        size_t bytes, count, longest;
    } rows[] = {{0, 0, 0},           {1, 1, 1},        {64, 1, 64},        {65, 2, 64},
                {1000, 16, 64},      {130000, 16, 64}, {1 << 18, 16, 256}, {(64 << 20) - 1, 16, 65472},
                {1 << 30, 16, 65536}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t longest = 0, at_end = 0;
        for (int turn = 0; turn < 200; turn++) {
            struct piece chosen[PIECES_MAX];
            assert_int_equal(pieces_choose(rows[i].bytes, chosen), rows[i].count);
            for (size_t p = 0; p < rows[i].count; p++) {
                assert_int_equal(chosen[p].offset % 64, 0);
                assert_true(chosen[p].bytes > 0 && chosen[p].offset + chosen[p].bytes <= rows[i].bytes);
                assert_true(chosen[p].bytes >= 64 || chosen[p].offset + chosen[p].bytes == rows[i].bytes);
                longest = chosen[p].bytes > longest ? chosen[p].bytes : longest;
                at_end += chosen[p].offset + chosen[p].bytes == rows[i].bytes;
            }
        }
        assert_int_equal(longest, rows[i].longest);
        if (rows[i].bytes > 0 && rows[i].bytes < 2000)
            assert_true(at_end > 0);
    }
}

/* Those with one right answer; else all bits, or the extremes; none where the problem has them. */
static void exact_problems(void **state)
{
    (void)state;
    static const struct {
        const char *problem, *exact; /* NULL: none */
    } rows[] = {
        {"transpose:rows=10,cols=10", "transpose:rows=10,cols=10,input=bits,f32"},
        {"transpose:rows=10,cols=10,input=bits", NULL},
        {"matmul:m=8,n=8,k=8", "matmul:m=8,n=8,k=8,input=integers,f32"},
        {"wave:nx=8,ny=8,nz=8", "wave:nx=8,ny=8,nz=8,input=dyadic,f32"},
        {"resize:width=8,height=8,out_width=4,out_height=4",
         "resize:width=8,height=8,out_width=4,out_height=4,input=checkerboard,u8"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct dataset dataset = dataset_of(rows[i].problem);
        struct problem exact;
        char text[PROBLEM_TEXT_MAX];
        bool is_same_run;
        const bool has_one = dataset_exact_problem(&dataset, &exact, &is_same_run);
        assert_int_equal(has_one, rows[i].exact != NULL);
        if (has_one)
            assert_non_null(strstr(problem_text(&exact, text), strstr(rows[i].exact, "input=")));
        dataset_destroy(&dataset);
    }
}

static void words_of_seeds(void **state)
{
    (void)state;
    struct dataset dataset = dataset_of("transpose:rows=10,cols=10,seed=5");
    const struct problem bits = problem_of("transpose:rows=10,cols=10,input=bits");
    struct error error = {"wrong"};
    assert_int_equal(dataset_tell_seed(&dataset, STATUS_FAILED, &error), STATUS_FAILED);
    assert_string_equal(error.text, "wrong");
    dataset_fill_from(&dataset, 17);
    assert_int_equal(dataset_tell_seed(&dataset, STATUS_OK, &error), STATUS_OK);
    assert_string_equal(error.text, "wrong");
    assert_int_equal(dataset_tell_seed(&dataset, STATUS_FAILED, &error), STATUS_FAILED);
    assert_string_equal(error.text, "with seed=17: wrong");
    dataset_renew_as(&dataset, &bits);
    dataset.filled.seed = 18;
    strcpy(error.text, "wrong");
    assert_int_equal(dataset_tell_seed(&dataset, STATUS_FAILED, &error), STATUS_FAILED);
    assert_string_equal(error.text, "with input=bits,seed=18: wrong");
    dataset.is_mixed = true;
    strcpy(error.text, "wrong");
    assert_int_equal(dataset_tell_seed(&dataset, STATUS_FAILED, &error), STATUS_FAILED);
    assert_string_equal(error.text, "wrong");
    dataset_destroy(&dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds),          cmocka_unit_test(a_second_set), cmocka_unit_test(mixing),
        cmocka_unit_test(one_piece),      cmocka_unit_test(pieces),       cmocka_unit_test(exact_problems),
        cmocka_unit_test(words_of_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
