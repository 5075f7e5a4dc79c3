/* Tables of measurements that nobody made, as a whole: what the tests of them share. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal/report.h"

#include "full_device.h"

#include <cmocka.h> /* last: it has a macro called fail */

static const struct style usual = {.width = 100}, narrow = {.width = 80};

static inline struct measurement *add(struct measurement_list *list, const char *problem, const char *rung,
                                      enum measured_kind kind, double nanoseconds)
{
    struct measurement *one = measurement_list_add(list);
    assert_non_null(one);
    snprintf(one->kernel, sizeof one->kernel, "%.*s", (int)strcspn(problem, ":"), problem);
    snprintf(one->problem, sizeof one->problem, "%s", problem);
    snprintf(one->rung, sizeof one->rung, "%s", rung);
    strcpy(one->device, "cuda:0");
    strcpy(one->device_name, "A GPU");
    strcpy(one->driver, "550.1");
    strcpy(one->rate_unit, "GB/s");
    strcpy(one->ceiling, "copy");
    one->kind = kind;
    one->run = 1;
    one->made_at = 1700000000; /* 2023-11-14 22:13:20 */
    one->batch = 1;
    one->bytes = one->work = 8e6;
    for (uint32_t round = 0; nanoseconds > 0 && round < 12; round++)
        assert_true(samples_add(&one->phases[PHASE_COMPUTE], nanoseconds, round));
    return one;
}

static inline struct measurement *judged(struct measurement *one, enum verdict verdict, const char *reason)
{
    one->verdict = verdict;
    snprintf(one->reason, sizeof one->reason, "%s", reason);
    return one;
}

/* What `show` prints to `stream` is that file of tests/data/tables. */
#define SHOWS(name, show)                              \
    do {                                               \
        char *text_ = NULL;                            \
        size_t size_ = 0;                              \
        FILE *stream = open_memstream(&text_, &size_); \
        assert_non_null(stream);                       \
        show;                                          \
        assert_int_equal(fclose(stream), 0);           \
        expect_file(name, text_);                      \
        free(text_);                                   \
    } while (0)

/* … and `write` says whether it arrives. */
#define WRITES(name, write)              \
    do {                                 \
        SHOWS(name, assert_true(write)); \
        FULL(write);                     \
    } while (0)

static inline void expect_file(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tables/%s", USKOR_TEST_DATA, name);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s is not there", path);
    const size_t room = strlen(text) + 2; /* one letter more is a difference, too */
    char *expected = calloc(room, 1);
    assert_non_null(expected);
    expected[fread(expected, 1, room - 1, file)] = '\0';
    fclose(file);
    size_t same = 0, begin = 0;
    for (; text[same] && text[same] == expected[same]; same++)
        begin = same > begin + 60 ? same - 60 : begin;
    if (text[same] != expected[same]) /* cmocka prints a thousand letters */
        fail_msg("%s, letter %zu: expected\n%.200s\nnot\n%.200s", name, same, expected + begin, text + begin);
    free(expected);
}
