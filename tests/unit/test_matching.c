/* Which measurements of two lists are one thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#undef fail

#include "base/text.h"
#include "store/matching.h"

static void add(struct measurement_list *list, const char *problem, const char *device, const char *rung,
                const char *parameters, int64_t run)
{
    struct measurement *one = measurement_list_add(list);
    assert_non_null(one);
    strcpy(one->problem, problem);
    strcpy(one->device, device);
    one->cold = device[0] == 'C';
    one->kind = strcmp(rung, "copy") == 0 ? MEASURED_PROBE : MEASURED_DEVICE;
    strcpy(one->rung, rung);
    strcpy(one->parameters, parameters);
    one->run = run;
}

static void name_side(char *text, const struct side *side)
{
    for (size_t i = 0; i < side->count; i++)
        text_append(text, 1024, "%s%ld", i ? "," : "", (long)side->items[i]->run);
}

/* "p1 cpu naive 1,2:3 [9:8]": of problem, device and rung the runs of A and of B, and those of each probe. */
static void describe(const struct matching *matching, char text[1024])
{
    text[0] = '\0';
    for (size_t i = 0; i < matching->count; i++) {
        const struct pair *pair = &matching->items[i];
        const struct measurement *any = side_newest(pair->a.count ? &pair->a : &pair->b);
        text_append(text, 1024, "%s %s %s ", any->problem, any->device, any->rung);
        name_side(text, &pair->a);
        text_append(text, 1024, ":");
        name_side(text, &pair->b);
        for (size_t p = 0; p < pair->probe_count; p++) {
            text_append(text, 1024, " [");
            name_side(text, &pair->probes[p].a);
            text_append(text, 1024, ":");
            name_side(text, &pair->probes[p].b);
            text_append(text, 1024, "]");
        }
        text_append(text, 1024, "\n");
    }
}

static void pairs(void **state)
{
    (void)state;
    struct measurement_list a = {0}, b = {0};
    struct matching matching;
    char text[1024];
    add(&a, "p2", "cpu", "naive", "", 1);
    add(&a, "p1", "cpu", "tiled", "TILE=32", 2);
    add(&a, "p1", "cpu", "copy", "", 3);
    add(&a, "p1", "cpu", "naive", "", 4);
    add(&a, "p1", "cpu", "tiled", "TILE=32", 5);
    add(&a, "p1", "Cpu", "naive", "", 6); /* cold */
    add(&a, "p1", "gpu", "naive", "BX=1", 7);
    add(&a, "p1", "gpu", "naive", "BX=2", 8);
    add(&b, "p3", "cpu", "naive", "", 21);
    add(&b, "p1", "cpu", "copy", "", 22);
    add(&b, "p1", "cpu", "tiled", "TILE=16", 23); /* one set on each side: whatever they are */
    add(&b, "p1", "gpu", "naive", "BX=2", 24);
    add(&b, "p1", "gpu", "naive", "BX=3", 25);
    add(&b, "p1", "cpu", "simd", "", 26);
    add(&b, "p2", "cpu", "naive", "", 27);
    assert_int_equal(matching_make(&a, &b, &matching, NULL), STATUS_OK);
    describe(&matching, text);
    assert_string_equal(text, "p2 cpu naive 1:27\n"
                              "p1 cpu tiled 2,5:23 [3:22]\n"
                              "p1 cpu naive 4: [3:22]\n"
                              "p1 cpu simd :26 [3:22]\n"
                              "p1 Cpu naive 6:\n"
                              "p1 gpu naive 7:\n"
                              "p1 gpu naive 8:24\n"
                              "p1 gpu naive :25\n"
                              "p3 cpu naive :21\n");
    assert_int_equal(side_newest(&matching.items[1].a)->run, 5);
    assert_null(side_newest(&matching.items[2].b));
    matching_free(&matching);
    assert_null(matching.items);
    measurement_list_free(&a);
    measurement_list_free(&b);
}

static void empty_lists(void **state)
{
    (void)state;
    const struct measurement_list none = {0};
    struct matching matching;
    assert_int_equal(matching_make(&none, &none, &matching, NULL), STATUS_OK);
    assert_int_equal(matching.count, 0);
    matching_free(&matching);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(empty_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
