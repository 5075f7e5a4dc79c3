/* Reading and writing .npy files, against files that NumPy wrote (tests/data/make_npy.py). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/size.h"
#include "files/npy.h"
#include "own_folder.h"

#include <cmocka.h>

#define DATA USKOR_TEST_DATA "/npy/"

static size_t read_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    fclose(file);
    return length;
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static const struct {
    const char *name;
    char kind, order;
    size_t item;
    enum element_type element; /* on a little-endian machine */
} types[] = {
    {"b1", 'b', '|', 1, ELEMENT_TYPE_COUNT},
    {"i1", 'i', '|', 1, ELEMENT_I8},
    {"u1", 'u', '|', 1, ELEMENT_U8},
    {"le-i2", 'i', '<', 2, ELEMENT_I16},
    {"be-i2", 'i', '>', 2, ELEMENT_TYPE_COUNT},
    {"le-i4", 'i', '<', 4, ELEMENT_I32},
    {"be-i4", 'i', '>', 4, ELEMENT_TYPE_COUNT},
    {"le-i8", 'i', '<', 8, ELEMENT_I64},
    {"be-i8", 'i', '>', 8, ELEMENT_TYPE_COUNT},
    {"le-u2", 'u', '<', 2, ELEMENT_U16},
    {"be-u2", 'u', '>', 2, ELEMENT_TYPE_COUNT},
    {"le-u4", 'u', '<', 4, ELEMENT_U32},
    {"be-u4", 'u', '>', 4, ELEMENT_TYPE_COUNT},
    {"le-u8", 'u', '<', 8, ELEMENT_U64},
    {"be-u8", 'u', '>', 8, ELEMENT_TYPE_COUNT},
    {"le-f2", 'f', '<', 2, ELEMENT_F16},
    {"be-f2", 'f', '>', 2, ELEMENT_TYPE_COUNT},
    {"le-f4", 'f', '<', 4, ELEMENT_F32},
    {"be-f4", 'f', '>', 4, ELEMENT_TYPE_COUNT},
    {"le-f8", 'f', '<', 8, ELEMENT_F64},
    {"be-f8", 'f', '>', 8, ELEMENT_TYPE_COUNT},
    {"le-f16", 'f', '<', 16, ELEMENT_TYPE_COUNT},
    {"be-f16", 'f', '>', 16, ELEMENT_TYPE_COUNT},
    {"le-c8", 'c', '<', 8, ELEMENT_C64},
    {"be-c8", 'c', '>', 8, ELEMENT_TYPE_COUNT},
    {"le-c16", 'c', '<', 16, ELEMENT_C128},
    {"be-c16", 'c', '>', 16, ELEMENT_TYPE_COUNT},
};

static void reads_every_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(types); i++) {
        struct npy_array array;
        struct error error = {""};
        char path[256];
        snprintf(path, sizeof path, DATA "%s.npy", types[i].name);
        if (npy_open(path, &array, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(array.layout.kind, types[i].kind);
        assert_int_equal(array.layout.order, types[i].order);
        assert_int_equal(array.layout.item_bytes, types[i].item);
        assert_false(array.layout.fortran);
        assert_int_equal(array.layout.rank, 2);
        assert_int_equal(array.layout.shape[0], 2);
        assert_int_equal(array.layout.shape[1], 3);
        assert_int_equal(array.layout.bytes, 6 * types[i].item);
        if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
            assert_int_equal(array.element, types[i].element);
        assert_int_equal(npy_check(&array, &error), STATUS_OK);
        npy_close(&array);
        npy_close(&array);
    }
}

static void reads_values(void **state)
{
    (void)state;
    struct npy_array array;
    struct error error;
    assert_int_equal(npy_open(DATA "le-f4.npy", &array, &error), STATUS_OK);
    assert_memory_equal(array.data, ((float[]){0, 1, 2, 3, 4, 5}), 24);
    npy_close(&array);
    assert_int_equal(npy_open(DATA "fortran.npy", &array, &error), STATUS_OK);
    assert_true(array.layout.fortran);
    assert_memory_equal(array.data, ((float[]){0, 3, 1, 4, 2, 5}), 24);
    npy_close(&array);
    assert_int_equal(npy_open(DATA "be-u2.npy", &array, &error), STATUS_OK);
    assert_memory_equal(array.data, "\0\0\0\1\0\2\0\3\0\4\0\5", 12);
    npy_close(&array);
}

static void reads_every_shape_and_version(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int rank;
        size_t count;
    } rows[] = {
        {DATA "scalar.npy", 0, 1},    {DATA "vector.npy", 1, 5},      {DATA "cube.npy", 3, 24},
        {DATA "empty.npy", 2, 0},     {DATA "long-shape.npy", 30, 1}, {DATA "version-2.npy", 2, 6},
        {DATA "version-3.npy", 2, 6},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct npy_array array;
        struct error error = {""};
        if (npy_open(rows[i].path, &array, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(array.layout.rank, rows[i].rank);
        assert_int_equal(array.layout.count, rows[i].count);
        npy_close(&array);
    }
}

static void refused(const char *path, const char *word)
{
    struct npy_array array;
    struct error error = {""};
    assert_int_not_equal(npy_open(path, &array, &error), STATUS_OK);
    if (strncmp(error.text, path, strlen(path)) != 0 || !strstr(error.text, word) || strchr(error.text, '\n'))
        fail_msg("\"%s\" does not name %s and \"%s\" in one line", error.text, path, word);
}

static void refuses_what_is_no_number(void **state)
{
    (void)state;
    refused(DATA "refused-object.npy", "Python objects");
    refused(DATA "refused-unicode.npy", "Unicode strings");
    refused(DATA "refused-bytes.npy", "byte strings");
    refused(DATA "refused-date.npy", "dates");
    refused(DATA "refused-difference.npy", "time differences");
    refused(DATA "refused-void.npy", "raw bytes");
    refused(DATA "refused-record.npy", "records");
    refused(DATA "refused-complex-long-double.npy", "unknown item type '<c32'");
    refused(DATA "refused-archive.npy", ".npz");
    refused(DATA "absent.npy", "No such file");
    refused(DATA, "is a folder");
    refused("/dev/null", "not a regular file");
    mkfifo(in_folder("pipe"), 0600);
    refused(in_folder("pipe"), "not a regular file"); /* and does not wait for a writer */
    unlink(in_folder("pipe"));
}

/* A good file cut at every byte, and with bytes after its end. */
static void refuses_every_wrong_length(void **state)
{
    (void)state;
    unsigned char bytes[512] = {0};
    size_t length = read_file(DATA "le-f4.npy", bytes, sizeof bytes);
    for (size_t cut = 0; cut <= length + 2; cut++) {
        const char *path = in_folder("cut.npy");
        write_file(path, bytes, cut);
        if (cut == 0)
            refused(path, "is empty");
        else if (cut < 10)
            refused(path, "within the .npy header");
        else if (cut < 128)
            refused(path, "within its header");
        else if (cut != length)
            refused(path, cut < length ? "cut short" : "after its data");
        unlink(path);
    }
}

/* Written files are byte for byte those of NumPy. */
static void writes_as_numpy(void **state)
{
    (void)state;
    static const char *const others[] = {"fortran", "scalar", "vector", "cube", "empty", "long-shape"};
    for (size_t i = 0; i < COUNT_OF(types) + COUNT_OF(others); i++) {
        struct npy_array array;
        struct npy_writer writer;
        struct error error = {""};
        unsigned char expected[512], written[512];
        char path[256];
        snprintf(path, sizeof path, DATA "%s.npy", i < COUNT_OF(types) ? types[i].name : others[i - COUNT_OF(types)]);
        assert_int_equal(npy_open(path, &array, &error), STATUS_OK);
        assert_int_equal(npy_create(in_folder("made.npy"), false, &array.layout, &writer, &error), STATUS_OK);
        memcpy(writer.data, array.data, array.layout.bytes);
        assert_int_equal(npy_finish(&writer, &error), STATUS_OK);
        npy_close(&array);
        size_t length = read_file(path, expected, sizeof expected);
        assert_int_equal(read_file(in_folder("made.npy"), written, sizeof written), length);
        assert_memory_equal(written, expected, length);
        unlink(in_folder("made.npy"));
    }
}

static void abandons_without_a_trace(void **state)
{
    (void)state;
    struct npy_layout layout = {.kind = 'f', .order = '<', .item_bytes = 4, .rank = 1, .shape = {10}};
    struct npy_writer writer;
    struct error error;
    assert_int_equal(npy_create(in_folder("made.npy"), false, &layout, &writer, &error), STATUS_OK);
    memset(writer.data, 1, writer.layout.bytes);
    npy_abandon(&writer);
    npy_abandon(&writer);
    assert_int_not_equal(access(in_folder("made.npy"), F_OK), 0);
    layout.shape[0] = SIZE_MAX;
    assert_int_equal(npy_create(in_folder("made.npy"), false, &layout, &writer, &error), STATUS_INVALID);
}

/* Somebody cuts the input, and then the output, while both are mapped: an error, never a crash or a wrong file. */
static void notices_a_file_cut_short(void **state)
{
    (void)state;
    struct npy_layout layout = {.kind = 'u', .order = '|', .item_bytes = 1, .rank = 1, .shape = {100000}};
    struct npy_writer writer;
    struct npy_array array;
    struct error error;
    assert_int_equal(npy_create(in_folder("made.npy"), false, &layout, &writer, &error), STATUS_OK);
    memset(writer.data, 7, writer.layout.bytes);
    assert_int_equal(npy_finish(&writer, &error), STATUS_OK);
    assert_int_equal(npy_open(in_folder("made.npy"), &array, &error), STATUS_OK);
    const volatile unsigned char *data = array.data;
    assert_int_equal(data[99999], 7);
    assert_int_equal(truncate(in_folder("made.npy"), 5000), 0);
    assert_int_equal(data[99999], 0);
    assert_int_equal(data[100], 7);
    assert_int_equal(npy_check(&array, &error), STATUS_SYSTEM);
    assert_non_null(strstr(error.text, "made.npy: had 100128 bytes and has 5000 now"));
    npy_close(&array);

    assert_int_equal(npy_create(in_folder("made.npy"), true, &layout, &writer, &error), STATUS_OK);
    assert_int_equal(ftruncate(output_descriptor(writer.output), 0), 0);
    memset(writer.data, 7, writer.layout.bytes);
    assert_int_equal(npy_finish(&writer, &error), STATUS_SYSTEM);
    struct stat found;
    assert_int_equal(stat(in_folder("made.npy"), &found), 0);
    assert_int_equal(found.st_size, 5000); /* the old file is still there */
    unlink(in_folder("made.npy"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_type),
        cmocka_unit_test(reads_values),
        cmocka_unit_test(reads_every_shape_and_version),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(refuses_every_wrong_length),
        cmocka_unit_test(writes_as_numpy),
        cmocka_unit_test(abandons_without_a_trace),
        cmocka_unit_test(notices_a_file_cut_short),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
