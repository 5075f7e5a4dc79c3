/* Lines that are too long for a terminal go on in the next one, between words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/terminal/folded.h"

#include <cmocka.h> /* last: it has a macro called fail */

static void expect(const char *written, int width, const char *shown)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    FILE *stream = folded_begin(out, (struct style){.folds = true, .width = width});
    assert_ptr_not_equal(stream, out);
    fputs(written, stream);
    folded_end(stream, out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, shown);
    free(text);
}

static void lines_fold_between_words(void **state)
{
    (void)state;
    expect("short\n\nlines\n", 10, "short\n\nlines\n");
    expect("twenty letters here!\n", 20, "twenty letters here!\n");
    expect("  SKIP: there is no such device\n", 20, "  SKIP: there is no\n      such device\n");
    expect("no end", 20, "no end");
}

static void lines_go_on_below_their_text(void **state)
{
    (void)state;
    expect("  rung  the idea of it goes on and on\n", 30, "  rung  the idea of it goes on\n        and on\n");
}

/* Letters count, not bytes; escapes do not count. */
static void columns_are_letters(void **state)
{
    (void)state;
    expect("\u043f\u0440\u0435\u0434\u0435\u043b \u0433\u043e\u0440\u044f\u0447\u0438\u0439\n", 14,
           "\u043f\u0440\u0435\u0434\u0435\u043b \u0433\u043e\u0440\u044f\u0447\u0438\u0439\n");
    expect("\033[31mred and plain\033[0m\n", 13, "\033[31mred and plain\033[0m\n");
}

static void long_words_break_behind_slashes(void **state)
{
    (void)state;
    expect("/a/long/path/to/a/library.so\n", 20, "/a/long/path/to/a/\n    library.so\n");
}

static void nothing_folds_for_programs(void **state)
{
    (void)state;
    assert_ptr_equal(folded_begin(stdout, (struct style){.width = 60}), stdout);
    folded_end(stdout, stdout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_fold_between_words),   cmocka_unit_test(lines_go_on_below_their_text),
        cmocka_unit_test(columns_are_letters),        cmocka_unit_test(long_words_break_behind_slashes),
        cmocka_unit_test(nothing_folds_for_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
