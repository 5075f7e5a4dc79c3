/* The reader of .npy headers against good, damaged and hostile ones; every buffer ends where its bytes end, so that
 * the address sanitizer sees a read too far. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/size.h"
#include "files/npy_header.h"
#include "files/npy_type.h"

#include <cmocka.h>

static enum status parse_bytes(const void *bytes, size_t length, struct npy_layout *layout, struct error *error)
{
    char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    enum status status = npy_header_parse(exact, length, layout, error);
    free(exact);
    return status;
}

static enum status parse(const char *text, struct npy_layout *layout, struct error *error)
{
    return parse_bytes(text, strlen(text), layout, error);
}

static void good(const char *text, char kind, char order, size_t item, bool fortran, int rank, size_t bytes)
{
    struct npy_layout layout;
    struct error error = {""};
    if (parse(text, &layout, &error) != STATUS_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(layout.kind, kind);
    assert_int_equal(layout.order, order);
    assert_int_equal(layout.item_bytes, item);
    assert_int_equal(layout.fortran, fortran);
    assert_int_equal(layout.rank, rank);
    assert_int_equal(layout.bytes, bytes);
    assert_int_equal(layout.count, bytes / item);
}

static void bad(const char *text, const char *word)
{
    struct npy_layout layout;
    struct error error = {""};
    assert_int_equal(parse(text, &layout, &error), STATUS_INVALID);
    if (!strstr(error.text, word))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, error.text, word);
    assert_null(strchr(error.text, '\n'));
}

static void accepts_what_python_writes(void **state)
{
    (void)state;
    good("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }      \n", 'f', '<', 4, false, 2, 48);
    good("{'shape':(3,4),'descr':'>c16','fortran_order':True}", 'c', '>', 16, true, 2, 192);
    good("{\"fortran_order\": False, \"shape\": (), \"descr\": \"|b1\"}", 'b', '|', 1, false, 0, 1);
    good("{'descr': '<i8', 'fortran_order': False, 'shape': (3L, 4L), }\n", 'i', '<', 8, false, 2, 96);
    good("{'descr': '|?', 'fortran_order': False, 'shape': (7,), }\n", 'b', '|', 1, false, 1, 7);
    good("{'descr': '<u1', 'fortran_order': False, 'shape': (7,)}", 'u', '|', 1, false, 1, 7);
    good("{u'descr': u'<f4', U\"fortran_order\": False, r'shape': (3,)}", 'f', '<', 4, false, 1, 12);
    good("# made by hand\n{'descr': # the type, '}'\n'<f4', 'fortran_order': False, 'shape': (3,)} # end", 'f', '<', 4,
         false, 1, 12);
    good("{'descr': '|f4', 'fortran_order': False, 'shape': (1_000,)}", 'f', '<', 4, false, 1, 4000);
    good("{'descr': 'float64', 'fortran_order': False, 'shape': (3,)}", 'f', '<', 8, false, 1, 24);
    good("{'descr': '>d', 'fortran_order': False, 'shape': (3,)}", 'f', '>', 8, false, 1, 24);
    good("{'descr': 'bool', 'fortran_order': False, 'shape': (3,)}", 'b', '|', 1, false, 1, 3);
    good(" \t\r\n{ 'descr' : '<f8' , 'fortran_order' : False , 'shape' : ( 2 , 0 , ) , } ", 'f', '<', 8, false, 2, 0);
}

/* What ast.literal_eval reads, NumPy reads. */
static void accepts_what_python_reads(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "({'descr': ('<f4'), 'fortran_order': (False), 'shape': (((3),)), })",
        "{('descr'): '<f4', 'fortran_order': False, 'shape': ((3,))}",
        "{'de' 'scr': '<' u\"f4\", 'fortran_order': False, 'shape': (3,)}",
        "{'''descr''': \"\"\"<f4\"\"\", 'fortran_order': False, 'shape': (3,)}",
        "{'d\\x65scr': '\\074f\\u0034', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0x3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0B_1_1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0o3,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (+3,)}",
        "{'descr': '<i8', 'shape': (), 'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f4', \\\n'fortran_order': False, 'shape': (3,)} \\\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} # 3 W\xc3\xb6rter\tund\x01 mehr",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        good(texts[i], 'f', '<', 4, false, 1, 12);
    good("{'descr': 'longlong', 'fortran_order': False, 'shape': (3,)}", 'i', '<', 8, false, 1, 24);
    good("{'descr': '>uintp', 'fortran_order': False, 'shape': (3,)}", 'u', '>', 8, false, 1, 24);
}

static void refuses_damage(void **state)
{
    (void)state;
    bad("", "'{' expected, its end found");
    bad("[]", "'{'");
    bad("{", "a key's string");
    bad("{}", "no key 'descr'");
    bad("{'descr': '<f4', 'fortran_order': False}", "no key 'shape'");
    bad("{'descr': '<f4', 'shape': (1,)}", "no key 'fortran_order'");
    bad("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}", "unknown key 'extra'");
    bad("{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}", "'<f4fortran_order'"); /* one string to Python */
    bad("{'fortran_order': False 'descr': '<f4', 'shape': (1,)}", "',' or '}'");
    bad("{'descr' '<f4', 'fortran_order': False, 'shape': (1,)}", "unknown key 'descr<f4'"); /* one string */
    bad("{'descr', 'fortran_order': False, 'shape': (1,)}", "':'");
    bad("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}", "True or False");
    bad("{'descr': '<f4', 'fortran_order': Falsehood, 'shape': (1,)}", "',' or '}'");
    bad("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x", "nothing after");
    bad("{'descr': '<f4', 'fortran_order': False, 'shape': (1,)}}", "nothing after");
    bad("{'des\\x09r': '<f4', 'fortran_order': False, 'shape': (1,)}", "a plain character");
    bad("{'des\\x6': '<f4', 'fortran_order': False, 'shape': (1,)}", "a plain character"); /* no letter */
    bad("{'des\\", "a plain character");
    bad("{r'des\\x63r': '<f4', 'fortran_order': False, 'shape': (1,)}", "a plain character");
    bad("{'''descr'': '<f4'}", "the string's end");
    bad("({'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "')'");
    bad("{'descr': ('<f4', 'fortran_order': False, 'shape': (1,)}", "subarray");
    bad("{'descr': '<f4', 'fortran_order': (False, 'shape': (1,)}", "')'");
    bad("{'descr': '<f4', \\ 'fortran_order': False, 'shape': (1,)}", "a key's string");
    bad("{'d\xc3\xa9scr': '<f4'}", "'\\xc3'");
    bad("{'descr': '<f4", "the string's end");
    bad("{,}", "a key's string");
    bad("{'descr': '<f4' # , 'fortran_order': False, 'shape': (1,)}", "',' or '}'");
    bad("{b'descr': '<f4', 'fortran_order': False, 'shape': (1,)}", "a key's string");
    bad("{'descr': '<f4', 'fortran_order': False, 'shape': (1_,)}", "',' or ')'");
    bad("{'descr': '<f4', 'fortran_order': False, 'shape': (1__0,)}", "',' or ')'");
    bad("{'descr': '<f4',, 'fortran_order': False, 'shape': (1,)}", "a key's string");
}

static void refuses_shapes(void **state)
{
    (void)state;
#define SHAPE(text) "{'descr': '<f4', 'fortran_order': False, 'shape': " text "}"
    bad(SHAPE("(3)"), "an integer, not a tuple");
    bad(SHAPE("3"), "'(' of the shape");
    bad(SHAPE("[3, 4]"), "'(' of the shape");
    bad(SHAPE("(-1,)"), "negative");
    bad(SHAPE("(3, -4)"), "negative");
    bad(SHAPE("(3.0,)"), "',' or ')'");
    bad(SHAPE("(3 4)"), "',' or ')'");
    bad(SHAPE("(,)"), "an integer");
    bad(SHAPE("(3,,4)"), "an integer");
    bad(SHAPE("(0x,)"), "an integer");
    bad(SHAPE("(0xg,)"), "an integer");
    bad(SHAPE("(0b2,)"), "an integer");
    bad(SHAPE("(++3,)"), "an integer");
    bad(SHAPE("((3))"), "an integer, not a tuple");
    bad(SHAPE("((3,), 4)"), "an integer");
    bad(SHAPE("(4, (3,))"), "an integer");
    bad(SHAPE("((3,),)"), "an integer");
    bad(SHAPE("((3,)"), "',' or ')'");
    bad(SHAPE("(0xffffffffffffffffff,)"), "too long for any memory");
    bad(SHAPE("(None,)"), "an integer");
    bad(SHAPE("(3"), "',' or ')'");
    bad(SHAPE("(99999999999999999999999,)"), "too long for any memory");
    bad(SHAPE("(18446744073709551616,)"), "too long for any memory");
    bad(SHAPE("(18446744073709551615,)"), "larger than any memory");
    bad(SHAPE("(4611686018427387904, 4611686018427387904)"), "larger than any memory");
    bad(SHAPE("(0, 4611686018427387904, 4611686018427387904)"), "larger than any memory");
    bad(SHAPE("(2305843009213693952,)"), "larger than any memory");
#undef SHAPE
    struct npy_layout layout;
    struct error error;
    char text[1024] = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (int i = 0; i < NPY_RANK_MAX + 1; i++)
        strcat(text, "1,");
    strcat(text, ")}");
    assert_int_equal(parse(text, &layout, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "more than 64 axes"));
}

static void refuses_types_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *word;
    } rows[] = {
        {"'|O'", "Python objects"},    {"'<U3'", "Unicode strings"},
        {"'|S3'", "byte strings"},     {"'|V8'", "raw bytes"},
        {"'<M8[ns]'", "dates"},        {"'<m8[us]'", "time differences"},
        {"'|T16'", "strings"},         {"[('a', '<f4')]", "records"},
        {"('<f4', (2,))", "subarray"}, {"'<f12'", "unknown item"},
        {"'<c32'", "unknown item"},    {"'<i3'", "unknown item"},
        {"'<f04'", "unknown item"},    {"''", "unknown item"},
        {"'<'", "unknown item"},       {"'float33'", "unknown item"},
        {"'<f4 '", "unknown item"},    {"'f32'", "unknown item"},
        {"'<<f4'", "unknown item"},    {"4", "descr's string"},
        {"None", "descr's string"},    {"'<i99999999999999999999'", "unknown item"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[256];
        snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (1,)}", rows[i].descr);
        bad(text, rows[i].word);
    }
}

/* Brackets nested a million deep cost nothing and overflow nothing. */
static void survives_nesting(void **state)
{
    (void)state;
    static const char openers[] = {'(', '{', '[', '\''};
    size_t length = NPY_HEADER_MAX;
    char *text = malloc(length);
    assert_non_null(text);
    for (size_t i = 0; i < COUNT_OF(openers); i++) {
        struct npy_layout layout;
        struct error error;
        memset(text, openers[i], length);
        assert_int_equal(parse_bytes(text, length, &layout, &error), STATUS_INVALID);
        const char start[] = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
        memcpy(text, start, sizeof start - 1);
        assert_int_equal(parse_bytes(text, length, &layout, &error), STATUS_INVALID);
        memset(text, '9', length);
        memcpy(text, start, sizeof start - 1);
        text[sizeof start - 1] = '(';
        assert_int_equal(parse_bytes(text, length, &layout, &error), STATUS_INVALID);
    }
    free(text);
}

static const char sample[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }";

/* Every true prefix lacks something. */
static void refuses_every_truncation(void **state)
{
    (void)state;
    for (size_t length = 0; length + 1 < sizeof sample; length++) {
        struct npy_layout layout;
        struct error error = {""};
        assert_int_equal(parse_bytes(sample, length, &layout, &error), STATUS_INVALID);
        assert_true(error.text[0] != '\0');
    }
}

/* Any byte anywhere: what is still accepted has a sane layout; a zero byte and bytes beyond ASCII never are. */
static void survives_every_changed_byte(void **state)
{
    (void)state;
    for (size_t at = 0; at + 1 < sizeof sample; at++)
        for (int byte = 0; byte < 256; byte++) {
            char text[sizeof sample];
            struct npy_layout layout;
            struct error error = {""};
            memcpy(text, sample, sizeof sample);
            text[at] = (char)byte;
            enum status status = parse_bytes(text, sizeof sample - 1, &layout, &error);
            if (byte == 0 || byte >= 127)
                assert_int_equal(status, STATUS_INVALID);
            if (status == STATUS_OK)
                assert_int_equal(layout.bytes, layout.count * layout.item_bytes);
            else
                assert_null(strpbrk(error.text, "\n\r\033"));
        }
}

/* Pieces of headers in random order. */
static void survives_random_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "{",     "}", "'descr'", "'shape'", "'fortran_order'", ":",  ",", "(",  ")",  "3", "'<f4'", "True",
        "False", "-", "L",       "'",       "99999",           "\"", " ", "\\", "\n", "0", "[",     "]"};
    struct random random;
    random_seed(&random, 1);
    for (int round = 0; round < 20000; round++) {
        char text[512] = "";
        struct npy_layout layout;
        struct error error = {""};
        int count = (int)(random_u32(&random) % 24);
        for (int i = 0; i < count; i++)
            strcat(text, pieces[random_u32(&random) % COUNT_OF(pieces)]);
        if (parse(text, &layout, &error) != STATUS_OK)
            assert_true(error.text[0] != '\0');
    }
}

static void preamble_bad(const char *bytes, size_t length, const char *word)
{
    struct npy_preamble preamble;
    struct error error = {""};
    assert_int_equal(npy_preamble_parse((const unsigned char *)bytes, length, &preamble, &error), STATUS_INVALID);
    if (!strstr(error.text, word))
        fail_msg("\"%s\" does not say \"%s\"", error.text, word);
}

static void judges_preambles(void **state)
{
    (void)state;
    preamble_bad("", 0, "is empty");
    preamble_bad("\x93NUM", 4, "within the .npy header");
    preamble_bad("\x93NUMPY\1\0\20", 9, "within the .npy header");
    preamble_bad("\x93NUMPY\2\0\20\0", 10, "within the .npy header");
    preamble_bad("\x93NUMPX\1\0\20\0", 10, "not a .npy file");
    preamble_bad("\x89PNG\r\n", 6, "not a .npy file");
    preamble_bad("PK\3\4\0\0", 6, ".npz");
    preamble_bad("\x93NUMPY\0\0\20\0\0\0", 12, "version 0.0");
    preamble_bad("\x93NUMPY\4\0\20\0\0\0", 12, "version 4.0");
    preamble_bad("\x93NUMPY\1\1\20\0\0\0", 12, "version 1.1");
    preamble_bad("\x93NUMPY\2\0\xff\xff\xff\xff", 12, "4294967295");
    struct npy_preamble preamble;
    struct error error;
    assert_int_equal(npy_preamble_parse((const unsigned char *)"\x93NUMPY\3\0\1\2\0\0", 12, &preamble, &error),
                     STATUS_OK);
    assert_int_equal(preamble.major, 3);
    assert_int_equal(preamble.start, 12);
    assert_int_equal(preamble.bytes, 513);
}

/* The longest header fits its buffer, and what is written is read back. */
static void writes_what_it_reads(void **state)
{
    (void)state;
    char buffer[NPY_HEADER_WRITE_MAX];
    struct npy_layout layout = {.kind = 'c', .order = '>', .item_bytes = 16, .fortran = true};
    for (layout.rank = 0; layout.rank <= NPY_RANK_MAX; layout.rank++) {
        struct npy_layout read;
        struct npy_preamble preamble;
        struct error error;
        for (int i = 0; i < layout.rank; i++)
            layout.shape[i] = i == 0 ? 0 : 1234567 % (size_t)(i * i + 1) + 1;
        if (npy_layout_size(&layout, &error) != STATUS_OK)
            break;
        size_t length = npy_header_write(&layout, buffer);
        assert_int_equal(length % 64, 0);
        assert_int_equal(npy_preamble_parse((const unsigned char *)buffer, length, &preamble, &error), STATUS_OK);
        assert_int_equal(preamble.start + preamble.bytes, length);
        assert_int_equal(parse_bytes(buffer + preamble.start, preamble.bytes, &read, &error), STATUS_OK);
        assert_true(read.kind == 'c' && read.order == '>' && read.item_bytes == 16 && read.fortran);
        assert_int_equal(read.rank, layout.rank);
        assert_memory_equal(read.shape, layout.shape, sizeof layout.shape);
        assert_int_equal(read.count, layout.count);
        assert_int_equal(read.bytes, layout.bytes);
    }
    assert_true(layout.rank > 8);
    layout.rank = NPY_RANK_MAX;
    for (int i = 0; i < layout.rank; i++)
        layout.shape[i] = SIZE_MAX; /* no such array exists, but its text must still fit */
    assert_true(npy_header_write(&layout, buffer) < NPY_HEADER_WRITE_MAX);
    assert_memory_equal(strstr(buffer + 10, "), }"), "), }", 4);
}

static void names_types(void **state)
{
    (void)state;
    char text[32];
    struct npy_layout layout = {.kind = 'f', .order = '<', .item_bytes = 4};
    bool little = npy_type_is_native(&layout);
    assert_string_equal(npy_type_text(&layout, text, sizeof text), little ? "float32" : "float32 (little-endian)");
    layout.order = '>';
    assert_string_equal(npy_type_text(&layout, text, sizeof text), little ? "float32 (big-endian)" : "float32");
    assert_int_equal(npy_type_element(&layout), ELEMENT_F32);
    layout.item_bytes = 16;
    assert_int_equal(npy_type_element(&layout), ELEMENT_TYPE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_what_python_writes),
        cmocka_unit_test(accepts_what_python_reads),
        cmocka_unit_test(refuses_damage),
        cmocka_unit_test(refuses_shapes),
        cmocka_unit_test(refuses_types_by_name),
        cmocka_unit_test(survives_nesting),
        cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(survives_every_changed_byte),
        cmocka_unit_test(survives_random_pieces),
        cmocka_unit_test(judges_preambles),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(names_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
