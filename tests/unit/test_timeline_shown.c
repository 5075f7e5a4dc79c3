/* A kept timeline, read back for its chart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail /* ours is base/status.h's */

#include "report/html/chart.h"
#include "report/html/charts.h"
#include "report/model/transfers.h"

#define PART "{\"queue\": 0, \"in\": [0, 10], \"compute\": [10, 20], \"out\": [20, 40]}"

/* The y of each bar of the drawing; how many there are. */
static size_t bars_of(const char *text, double *y, size_t most)
{
    struct timeline_view timeline;
    assert_true(timeline_read(text, &timeline));
    char *drawing = NULL;
    size_t bytes = 0, count = 0;
    FILE *stream = open_memstream(&drawing, &bytes);
    assert_non_null(stream);
    struct chart chart = {.stream = stream, .width = CHART_WIDE};
    draw_timeline(&chart, &timeline);
    fclose(stream);
    for (const char *at = drawing; (at = strstr(at, "<rect")) != NULL; at++) {
        const char *end = strchr(at, '>'), *class = strstr(at, "class=\"bar series-"), *place = strstr(at, " y=\"");
        const char *height = strstr(at, " height=\"8.0\""); /* the legend's are higher */
        if (class && class < end && place && place < end && height && height < end && count < most)
            y[count++] = strtod(place + 4, NULL);
    }
    free(drawing);
    timeline_view_free(&timeline);
    return count;
}

static void rows_are_queues_or_phases(void **state)
{
    (void)state;
    double y[8];
    assert_int_equal(bars_of("{\"queues\": 3, \"by_phase\": false, \"unit\": \"ns\", \"parts\": [" PART "]}", y, 8), 3);
    assert_true(y[2] - y[0] < 20); /* one queue's row */
    assert_int_equal(bars_of("{\"queues\": 3, \"by_phase\": true, \"unit\": \"ns\", \"parts\": [" PART "]}", y, 8), 3);
    assert_true(y[1] - y[0] > 20 && y[2] - y[1] > 20);
}

static void what_is_no_timeline_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{}",
        ("{\"queues\": 0, \"parts\": [" PART "]}"),
        "{\"queues\": 1, \"parts\": []}",
        "{\"queues\": 1, \"parts\": [{\"queue\": 1, \"in\": [0, 10], \"compute\": [10, 20], \"out\": [20, 40]}]}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct timeline_view timeline;
        assert_false(timeline_read(texts[i], &timeline));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_queues_or_phases),
        cmocka_unit_test(what_is_no_timeline_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
