/* The C library, as its users call it: only uskor.h. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uskor.h"

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const size_t sizes[][2] = {{1, 1},   {1, 1000}, {1000, 1}, {3, 4},     {31, 33},
                                  {64, 64}, {67, 129}, {257, 31}, {300, 500}, {1025, 1023}};

/* Transposes a matrix whose arrays begin `shift` bytes off, and looks at every byte around and in the result. */
static void transposes(struct uskor *uskor, size_t rows, size_t columns, size_t bytes, size_t shift)
{
    const size_t fence = 64, size = rows * columns * bytes;
    unsigned char *source = malloc(size + shift), *target = malloc(size + shift + fence);
    assert_true(source && target);
    for (size_t i = 0; i < size; i++)
        source[shift + i] = (unsigned char)(i * 2654435761u >> 11 ^ i);
    memset(target, 0xa5, size + shift + fence);
    if (uskor_transpose(uskor, target + shift, source + shift, rows, columns, bytes) != USKOR_OK)
        fail_msg("%zu x %zu x %zu: %s", rows, columns, bytes, uskor_message(uskor));
    assert_string_equal(uskor_message(uskor), "");
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            if (memcmp(target + shift + (j * rows + i) * bytes, source + shift + (i * columns + j) * bytes, bytes) != 0)
                fail_msg("%s: %zu x %zu x %zu, shift %zu: wrong at [%zu][%zu]", uskor_rung(uskor), rows, columns, bytes,
                         shift, j, i);
    for (size_t i = 0; i < shift; i++)
        assert_int_equal(target[i], 0xa5);
    for (size_t i = 0; i < fence; i++)
        assert_int_equal(target[shift + size + i], 0xa5);
    free(source);
    free(target);
}

static void transposes_every_size(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, NULL), USKOR_OK);
    assert_string_equal(uskor_device(uskor), "cpu");
    assert_string_equal(uskor_rung(uskor), "");
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (size_t bytes = 1; bytes <= 16; bytes *= 2)
            for (size_t shift = 0; shift <= 48; shift = shift < 2 ? shift + 1 : shift * 2 + shift % 3)
                transposes(uskor, sizes[s][0], sizes[s][1], bytes, shift);
    assert_string_not_equal(uskor_rung(uskor), "");
    uskor_close(uskor);
}

/* On devices with memory of their own, where there are any. */
static void transposes_on_devices(void **state)
{
    (void)state;
    static const char *const devices[] = {"opencl:0", "cuda:0"};
    for (size_t d = 0; d < COUNT(devices); d++) {
        struct uskor *uskor;
        if (uskor_open(&uskor, devices[d]) != USKOR_OK) {
            assert_null(uskor);
            assert_string_not_equal(uskor_message(NULL), "");
            continue;
        }
        assert_string_equal(uskor_device(uskor), devices[d]);
        transposes(uskor, 67, 129, 4, 0);
        transposes(uskor, 67, 129, 4, 1); /* prepared once, run twice */
        transposes(uskor, 129, 67, 4, 0);
        transposes(uskor, 300, 500, 1, 0);
        transposes(uskor, 31, 33, 16, 0);
        uskor_close(uskor);
    }
}

static void refused(struct uskor *uskor, void *target, const void *source, size_t rows, size_t columns, size_t bytes,
                    const char *word)
{
    assert_int_equal(uskor_transpose(uskor, target, source, rows, columns, bytes), USKOR_INVALID);
    if (!strstr(uskor_message(uskor), word))
        fail_msg("\"%s\" does not say \"%s\"", uskor_message(uskor), word);
}

static void refuses_wrong_arguments(void **state)
{
    (void)state;
    struct uskor *uskor;
    unsigned char memory[64] = {0};
    assert_int_equal(uskor_open(&uskor, "auto"), USKOR_OK);
    refused(uskor, memory, memory + 32, 2, 2, 65537, "1 to 65536");
    refused(uskor, memory, memory + 32, 2, 2, 0, "elements of 0 bytes");
    refused(uskor, memory, memory + 32, SIZE_MAX, 2, 1, "no memory");
    refused(uskor, memory, memory + 32, SIZE_MAX / 4, 2, 4, "no memory");
    refused(uskor, memory, memory + 32, SIZE_MAX / 2, 1, 2, "no memory");
    refused(uskor, NULL, memory, 2, 2, 4, "target is NULL");
    refused(uskor, memory, NULL, 2, 2, 4, "source is NULL");
    refused(uskor, memory, memory, 2, 2, 4, "overlap");
    refused(uskor, memory, memory + 15, 2, 2, 4, "overlap");
    refused(uskor, memory + 15, memory, 2, 2, 4, "overlap");
    assert_int_equal(uskor_transpose(uskor, memory, memory + 16, 2, 2, 4), USKOR_OK);
    assert_int_equal(uskor_transpose(uskor, NULL, NULL, 0, 5, 4), USKOR_OK);
    assert_int_equal(uskor_transpose(uskor, NULL, NULL, 5, 0, 4), USKOR_OK);
    assert_string_equal(uskor_message(uskor), "");
    uskor_close(uskor);
    uskor_close(NULL);
}

static void refuses_wrong_devices(void **state)
{
    (void)state;
    struct uskor *uskor;
    assert_int_equal(uskor_open(&uskor, "cpy"), USKOR_INVALID);
    assert_null(uskor);
    assert_non_null(strstr(uskor_message(NULL), "cpu"));
    assert_int_equal(uskor_open(&uskor, "null"), USKOR_INVALID);
    assert_non_null(strstr(uskor_message(NULL), "computes nothing"));
    assert_int_equal(uskor_open(&uskor, "cpu"), USKOR_OK);
    assert_string_equal(uskor_message(NULL), "");
    uskor_close(uskor);
    int major, minor, patch;
    assert_int_equal(sscanf(uskor_version(), "%d.%d.%d", &major, &minor, &patch), 3);
}

/* The error message, or NULL. */
static const char *work_alone(void)
{
    struct uskor *uskor;
    unsigned source[30 * 50], target[50 * 30];
    for (unsigned i = 0; i < COUNT(source); i++)
        source[i] = i;
    if (uskor_open(&uskor, "cpu") != USKOR_OK)
        return "cannot open";
    for (int round = 0; round < 50; round++)
        if (uskor_transpose(uskor, target, source, 30, 50, sizeof *source) != USKOR_OK)
            return "cannot transpose";
    uskor_close(uskor);
    for (unsigned i = 0; i < 30; i++)
        for (unsigned j = 0; j < 50; j++)
            if (target[j * 30 + i] != source[i * 50 + j])
                return "wrong";
    return NULL;
}

static void *run_thread(void *wrong)
{
    *(const char **)wrong = work_alone();
    return NULL;
}

static void serves_threads_with_contexts_of_their_own(void **state)
{
    (void)state;
    pthread_t threads[4];
    const char *wrong[COUNT(threads)];
    for (size_t i = 0; i < COUNT(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_thread, &wrong[i]), 0);
    for (size_t i = 0; i < COUNT(threads); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        if (wrong[i])
            fail_msg("%s", wrong[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_threads_with_contexts_of_their_own), /* first: nothing is set up yet */
        cmocka_unit_test(transposes_every_size),
        cmocka_unit_test(transposes_on_devices),
        cmocka_unit_test(refuses_wrong_arguments),
        cmocka_unit_test(refuses_wrong_devices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
