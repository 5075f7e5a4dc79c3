/* Files that differ in comments, spaces and macros alone are the same; others are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/size.h"
#include "judge/user_tokens.h"
#include "own_folder.h"

static void hash_of(const char *name, const char *text, char hash[65])
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    user_tokens_hash(path, hash);
    assert_int_equal(unlink(in_folder(name)), 0);
}

static const char first[] = "int f(int n)\n{\n    return n + 1;\n}\n";

static void the_same(void **state)
{
    (void)state;
    static const char *const same[] = {
        "int f(int n) { return n+1; }\n",
        "/* mine */ int f(int n) // all of it\n{ return n + /* one */ 1; }\n",
        "#define ONE 1\n#define NUMBER int\nNUMBER f(NUMBER n) { return n + ONE; }\n",
        "#include <stddef.h>\n#if 0\nint other;\n#endif\nint f(int n) {\n return n \\\n+ 1; }\n",
    };
    char hash[65], other[65];
    hash_of("first.c", first, hash);
    assert_int_equal(strlen(hash), 64);
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        hash_of("same.c", same[i], other);
        assert_string_equal(other, hash);
    }
}

static void others(void **state)
{
    (void)state;
    static const char *const texts[] = {"int f(int n) { return n + 2; }\n", "int f(int m) { return m + 1; }\n",
                                        "#define ONE 2\nint f(int n) { return n + ONE; }\n"};
    char hash[65], other[65];
    hash_of("first.c", first, hash);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        hash_of("other.c", texts[i], other);
        assert_string_not_equal(other, hash);
    }
}

/* A file that no preprocessor here takes is compared as it is written. */
static void as_it_is_written(void **state)
{
    (void)state;
    char hash[65], other[65];
    hash_of("a.cu", "#include <no_such_header.h>\n__global__ void f() { /* a */ }\n", hash);
    hash_of("b.cu", "#include <no_such_header.h>\n__global__  void f() { }\n", other);
    assert_int_equal(strlen(hash), 64);
    assert_string_equal(other, hash);
    user_tokens_hash(in_folder("absent.c"), hash);
    assert_string_equal(hash, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_same), cmocka_unit_test(others),
                                       cmocka_unit_test(as_it_is_written)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
