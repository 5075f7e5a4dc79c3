/* The check of a transpose: equal for a true one, different after any one change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "file_jobs/fingerprint.h"

#include <cmocka.h>

static const size_t sizes[][2] = {{1, 1}, {3, 5}, {8, 8}, {17, 1}, {1, 29}, {130, 67}, {5, 9000}, {5000, 3}};

/* A random matrix and its transpose, each in a larger one with a column and a byte to spare. */
struct pair {
    unsigned char *memory[2];
    struct rectangle before, after;
};

static struct pair make(struct random *random, size_t rows, size_t cols, size_t bytes)
{
    struct pair pair;
    size_t row_bytes[2] = {(cols + 1) * bytes, (rows + 1) * bytes}, lines[2] = {rows, cols};
    for (size_t k = 0; k < 2; k++) {
        pair.memory[k] = malloc(lines[k] * row_bytes[k] + 1);
        assert_non_null(pair.memory[k]);
        random_bytes(random, pair.memory[k], lines[k] * row_bytes[k] + 1);
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            memcpy(pair.memory[1] + 1 + j * row_bytes[1] + i * bytes, pair.memory[0] + 1 + i * row_bytes[0] + j * bytes,
                   bytes);
    pair.before = (struct rectangle){
        .data = pair.memory[0] + 1, .row_bytes = row_bytes[0], .rows = rows, .cols = cols, .element_bytes = bytes};
    pair.after = (struct rectangle){.data = pair.memory[1] + 1,
                                    .row_bytes = row_bytes[1],
                                    .rows = cols,
                                    .cols = rows,
                                    .element_bytes = bytes,
                                    .transposed = true};
    return pair;
}

static void discard(struct pair *pair)
{
    free(pair->memory[0]);
    free(pair->memory[1]);
}

static void agrees_with_a_transpose(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 1);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2)
        for (size_t s = 0; s < COUNT_OF(sizes); s++) {
            struct pair pair = make(&random, sizes[s][0], sizes[s][1], bytes);
            uint64_t print = fingerprint(&pair.before);
            assert_true(print == fingerprint(&pair.after));
            assert_true(print == fingerprint_parallel(&pair.before));
            assert_true(print == fingerprint_parallel(&pair.after));
            discard(&pair);
        }
}

/* Parts add up, however they are cut. */
static void adds_up(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 2);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        struct pair pair = make(&random, 37, 41, bytes);
        uint64_t total = 0;
        for (size_t row = 0; row < 37; row += 10)
            for (size_t col = 0; col < 41; col += 13) {
                struct rectangle part = pair.before;
                part.data = (const unsigned char *)part.data + row * part.row_bytes + col * bytes;
                part.row = row;
                part.col = col;
                part.rows = 37 - row < 10 ? 37 - row : 10;
                part.cols = 41 - col < 13 ? 41 - col : 13;
                total += fingerprint(&part);
            }
        assert_true(total == fingerprint(&pair.after));
        discard(&pair);
    }
}

/* Any single bit, two elements exchanged, a row shifted by one: noticed. */
static void notices_every_change(void **state)
{
    (void)state;
    struct random random;
    random_seed(&random, 3);
    for (size_t bytes = 1; bytes <= 16; bytes *= 2) {
        struct pair pair = make(&random, 13, 11, bytes);
        uint64_t print = fingerprint(&pair.after);
        unsigned char *data = pair.memory[1] + 1;
        for (size_t row = 0; row < 11; row++)
            for (size_t bit = 0; bit < 13 * bytes * 8; bit++) {
                unsigned char *byte = data + row * pair.after.row_bytes + bit / 8;
                *byte ^= (unsigned char)(1 << bit % 8);
                assert_true(fingerprint(&pair.after) != print);
                *byte ^= (unsigned char)(1 << bit % 8);
            }
        memset(data, 0, bytes);
        memset(data + bytes, 1, bytes);
        print = fingerprint(&pair.after);
        memset(data, 1, bytes);
        memset(data + bytes, 0, bytes);
        assert_true(fingerprint(&pair.after) != print);
        print = fingerprint(&pair.after);
        memmove(data, data + bytes, 12 * bytes);
        assert_true(fingerprint(&pair.after) != print);
        discard(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_a_transpose),
        cmocka_unit_test(adds_up),
        cmocka_unit_test(notices_every_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
