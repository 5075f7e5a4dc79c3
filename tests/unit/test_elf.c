/* Functions of ELF images: this very program has them in its file as in its memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elf.h"

#include <cmocka.h>

#define WANTED "a_function_to_be_found"
#define SHIFT 100

__attribute__((noinline, used)) int a_function_to_be_found(int x);

int a_function_to_be_found(int x)
{
    return x * 77 + 5;
}

static unsigned char *file; /* its bytes, SHIFT bytes of something else before them */
static size_t file_bytes;

static int read_own_file(void **state)
{
    (void)state;
    FILE *stream = fopen("/proc/self/exe", "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        return -1;
    file_bytes = (size_t)ftell(stream);
    rewind(stream);
    file = malloc(SHIFT + file_bytes);
    memset(file, 0x7f, SHIFT);
    memcpy(file + 10, "\177ELF\2\1", 6); /* no image follows */
    bool is_read = fread(file + SHIFT, 1, file_bytes, stream) == file_bytes;
    fclose(stream);
    return is_read ? 0 : -1;
}

static int free_file(void **state)
{
    (void)state;
    free(file);
    return 0;
}

static bool is_wanted(const char *name, const void *context)
{
    return strcmp(name, context) == 0;
}

static size_t find(const void *data, size_t bytes, const char *name, struct elf_function *found)
{
    return elf_functions_find(data, bytes, is_wanted, name, found, 1);
}

static void is_found(void **state)
{
    (void)state;
    struct elf_function found;
    int (*function)(int) = a_function_to_be_found;
    const void *address;
    memcpy(&address, &function, sizeof address);
    if (find(file + SHIFT, file_bytes, "main", &found) == 0)
        skip(); /* stripped */
    assert_int_equal(find(file + SHIFT, file_bytes, WANTED, &found), 1);
    assert_string_equal(found.name, WANTED);
    assert_true(found.bytes > 4 && found.bytes < 4096);
    assert_memory_equal(found.code, address, found.bytes);
    assert_int_equal(find(file + SHIFT, file_bytes, "no_such_function", &found), 0);
}

static void is_found_in_a_container(void **state)
{
    (void)state;
    struct elf_function alone, inside;
    if (find(file + SHIFT, file_bytes, WANTED, &alone) == 0)
        skip();
    assert_int_equal(find(file, SHIFT + file_bytes, WANTED, &inside), 1);
    assert_ptr_equal(inside.code, alone.code);
}

/* Never read beyond the end: a sanitizer sees it, as each piece is an allocation of its own. A piece that lacks the
 * last section alone may have the function. */
static void what_a_piece_has_lies_inside(void **state)
{
    (void)state;
    struct elf_function found;
    for (size_t bytes = 0; bytes < file_bytes; bytes += bytes < 200 ? 1 : file_bytes / 97 + 1) {
        unsigned char *piece = malloc(bytes + !bytes);
        memcpy(piece, file + SHIFT, bytes);
        if (find(piece, bytes, WANTED, &found) > 0) {
            const unsigned char *code = found.code;
            assert_true(bytes > file_bytes / 2 && code >= piece && code + found.bytes <= piece + bytes);
        }
        free(piece);
    }
}

/* Words of the headers are replaced by large ones: whatever is found lies inside. */
static void a_damaged_one_does_no_harm(void **state)
{
    (void)state;
    struct elf_function found;
    unsigned char *image = malloc(file_bytes);
    uint64_t table;
    memcpy(&table, file + SHIFT + 40, sizeof table); /* e_shoff */
    for (size_t at = 16; at < 64 + 40 * 64; at += 4) {
        size_t place = at < 64 ? at : (size_t)table + at - 64;
        memcpy(image, file + SHIFT, file_bytes);
        if (place + 4 > file_bytes)
            break;
        memset(image + place, 0xff, 4);
        if (find(image, file_bytes, WANTED, &found) > 0)
            assert_true((const unsigned char *)found.code >= image &&
                        (const unsigned char *)found.code + found.bytes <= image + file_bytes);
    }
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_found),
        cmocka_unit_test(is_found_in_a_container),
        cmocka_unit_test(what_a_piece_has_lies_inside),
        cmocka_unit_test(a_damaged_one_does_no_harm),
    };
    return cmocka_run_group_tests(tests, read_own_file, free_file);
}
