/* PNG files that were made without libpng (tests/data/make_png.py), damaged ones, and round trips. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/random.h"
#include "base/size.h"
#include "base/text.h"
#include "files/png.h"
#include "own_folder.h"

#include <cmocka.h>

#define DATA USKOR_TEST_DATA "/png/"
#define WIDTH 13
#define HEIGHT 11

/* ---- what the files hold, as make_png.py says ------------------------------------------------------------- */

static unsigned sample(unsigned x, unsigned y, unsigned c, unsigned depth)
{
    if (depth == 16)
        return (x * 3571 + y * 9203 + c * 16127) & 0xffff;
    return (x * 37 + y * 91 + c * 53) & ((1u << depth) - 1);
}

/* A sample spread over, or rounded to, 0 … 255. */
static unsigned char to_8(unsigned value, unsigned depth)
{
    unsigned most = (1u << depth) - 1;
    return (unsigned char)((value * 255 * 2 + most) / (2 * most));
}

struct picture {
    const char *name;
    unsigned depth, channels;
    bool palette, transparent;
};

static void expect_pixel(const struct picture *picture, unsigned x, unsigned y, unsigned char expected[4])
{
    unsigned depth = picture->depth, value[4];
    bool is_first = true;
    for (unsigned c = 0; c < picture->channels; c++) {
        value[c] = sample(x, y, c, depth);
        is_first &= value[c] == sample(0, 0, c, depth);
    }
    if (picture->palette) {
        for (unsigned c = 0; c < 3; c++)
            expected[c] = (unsigned char)(value[0] * (const unsigned[]){3, 5, 11}[c] + 7);
        expected[3] = (const unsigned char[]){40, 200, 255}[picture->transparent ? (value[0] < 2 ? value[0] : 2) : 2];
        return;
    }
    bool colour = picture->channels >= 3, alpha = picture->channels % 2 == 0;
    for (unsigned c = 0; c < 3; c++)
        expected[c] = to_8(value[colour ? c : 0], depth);
    expected[3] = alpha ? to_8(value[picture->channels - 1], depth) : picture->transparent && is_first ? 0 : 255;
}

static const struct picture pictures[] = {
    {"grey-1", 1, 1, false, false},
    {"grey-1-transparent", 1, 1, false, true},
    {"grey-1-interlaced", 1, 1, false, false},
    {"grey-2", 2, 1, false, false},
    {"grey-2-transparent", 2, 1, false, true},
    {"grey-4", 4, 1, false, false},
    {"grey-4-transparent", 4, 1, false, true},
    {"grey-8", 8, 1, false, false},
    {"grey-8-transparent", 8, 1, false, true},
    {"grey-16", 16, 1, false, false},
    {"grey-16-transparent", 16, 1, false, true},
    {"grey-alpha-8", 8, 2, false, false},
    {"grey-alpha-16", 16, 2, false, false},
    {"rgb-8", 8, 3, false, false},
    {"rgb-8-annotated", 8, 3, false, false},
    {"rgb-8-transparent", 8, 3, false, true},
    {"rgb-16", 16, 3, false, false},
    {"rgb-16-transparent", 16, 3, false, true},
    {"rgba-8", 8, 4, false, false},
    {"rgba-8-interlaced", 8, 4, false, false},
    {"rgba-16", 16, 4, false, false},
    {"palette-1", 1, 1, true, false},
    {"palette-1-transparent", 1, 1, true, true},
    {"palette-2", 2, 1, true, false},
    {"palette-2-transparent", 2, 1, true, true},
    {"palette-4", 4, 1, true, false},
    {"palette-4-transparent", 4, 1, true, true},
    {"palette-8", 8, 1, true, false},
    {"palette-8-transparent", 8, 1, true, true},
};

static void reads_every_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pictures); i++) {
        struct image image;
        struct error error = {""};
        char path[256];
        snprintf(path, sizeof path, DATA "%s.png", pictures[i].name);
        if (png_read_file(path, IMAGE_PIXELS_MOST, &image, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(image.width, WIDTH);
        assert_int_equal(image.height, HEIGHT);
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++) {
                unsigned char expected[4];
                const unsigned char *pixel = image.pixels + (size_t)(y * WIDTH + x) * 4;
                expect_pixel(&pictures[i], x, y, expected);
                if (memcmp(pixel, expected, 4) != 0)
                    fail_msg("%s: pixel (%u, %u) is %d %d %d %d, not %d %d %d %d", pictures[i].name, x, y, pixel[0],
                             pixel[1], pixel[2], pixel[3], expected[0], expected[1], expected[2], expected[3]);
            }
        image_free(&image);
        image_free(&image);
    }
}

static void writes_what_it_reads(void **state)
{
    (void)state;
    static const uint32_t sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {67, 129}};
    struct random random;
    random_seed(&random, 1);
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct image image, read;
        struct error error = {""};
        assert_int_equal(image_allocate(sizes[i][0], sizes[i][1], &image, &error), STATUS_OK);
        size_t bytes = (size_t)image.width * image.height * 4;
        random_bytes(&random, image.pixels, bytes);
        if (png_write_file(in_folder("made.png"), false, &image, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(png_write_file(in_folder("made.png"), false, &image, &error), STATUS_INVALID);
        assert_int_equal(png_write_file(in_folder("made.png"), true, &image, &error), STATUS_OK);
        assert_int_equal(png_read_file(in_folder("made.png"), IMAGE_PIXELS_MOST, &read, &error), STATUS_OK);
        assert_int_equal(read.width, image.width);
        assert_int_equal(read.height, image.height);
        assert_memory_equal(read.pixels, image.pixels, bytes);
        image_free(&image);
        image_free(&read);
        unlink(in_folder("made.png"));
    }
}

static size_t read_bytes(const char *path, unsigned char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    fclose(file);
    return length;
}

/* ---- what is said beside the pixels ------------------------------------------------------------------------- */

static void copies_colour_density_and_exif(void **state)
{
    (void)state;
    static const struct {
        const char *name, *chunks, *left_out;
        int orientation;
    } rows[] = {
        {"rgb-8-colour", "iCCP 400, gAMA 4, cHRM 32, cICP 4, mDCV 24, cLLI 8, pHYs 9, eXIf 26", "", 6},
        {"grey-8-profile", "eXIf 26", "iCCP", 3},
        {"rgb-8-profile-odd", "iCCP 400", "", 0}, /* libpng warns of it when it reads, and must write it */
        {"rgb-8-standard", "sRGB 1", "", 0},
        {"rgb-8-annotated", "gAMA 4", "", 0},
        {"rgb-8", "", "", 0},
        {"rgb-8-colour-damaged", "", "gAMA, cHRM, sRGB, cICP, pHYs, eXIf, iCCP", 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct image image, copy;
        struct error error = {""};
        char path[256], chunks[256] = "";
        snprintf(path, sizeof path, DATA "%s.png", rows[i].name);
        if (png_read_file(path, IMAGE_PIXELS_MOST, &image, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        for (int k = 0; k < image.extras.count; k++)
            text_append(chunks, sizeof chunks, "%s%s %zu", k > 0 ? ", " : "", image.extras.chunks[k].name,
                        image.extras.chunks[k].bytes);
        assert_string_equal(chunks, rows[i].chunks);
        assert_string_equal(image.extras.left_out, rows[i].left_out);
        assert_int_equal(image.extras.orientation, rows[i].orientation);
        assert_int_equal(png_write_file(in_folder("copy.png"), false, &image, &error), STATUS_OK);
        assert_int_equal(png_read_file(in_folder("copy.png"), IMAGE_PIXELS_MOST, &copy, &error), STATUS_OK);
        assert_int_equal(copy.extras.count, image.extras.count);
        assert_string_equal(copy.extras.profile_name, image.extras.profile_name);
        assert_string_equal(copy.extras.left_out, "");
        for (int k = 0; k < image.extras.count; k++) {
            const struct png_extra *one = &image.extras.chunks[k], *other = &copy.extras.chunks[k];
            assert_string_equal(one->name, other->name);
            assert_int_equal(one->bytes, other->bytes);
            assert_memory_equal(one->data, other->data, one->bytes);
        }
        image_free(&image);
        image_free(&copy);
        unlink(in_folder("copy.png"));
    }
}

/* The checksum of PNG chunks (ISO/IEC 15948, annex D). */
static void seal(unsigned char *chunk, size_t length)
{
    uint32_t sum = 0xffffffff;
    for (size_t i = 4; i < 8 + length; i++) {
        sum ^= chunk[i];
        for (int k = 0; k < 8; k++)
            sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
    for (int k = 0; k < 4; k++)
        chunk[8 + length + (size_t)k] = (unsigned char)(~sum >> (24 - 8 * k));
}

#define LARGE ((size_t)9 << 20) /* more than libpng is allowed to take */

/* Puts a chunk into a file of `length` bytes; returns its new length. */
static size_t put_chunk(unsigned char *file, size_t length, size_t at, const char *name, const char *data, size_t bytes)
{
    memmove(file + at + 12 + bytes, file + at, length - at);
    for (int k = 0; k < 4; k++)
        file[at + (size_t)k] = (unsigned char)(bytes >> (24 - 8 * k));
    memcpy(file + at + 4, name, 4);
    memset(file + at + 8, 0, bytes);
    memcpy(file + at + 8, data, bytes < 32 ? bytes : 32);
    seal(file + at, bytes);
    return length + 12 + bytes;
}

/* A chunk that a decoder ignores does not count after the copy either, and is named. */
static void leaves_out_what_does_not_count(void **state)
{
    (void)state;
    enum { FIRST = 8 + 25, BEHIND_PALETTE = FIRST + 12 + 768, BEHIND = 0 };
    static const char gamma[32] = {0, 0, 1, 1}, density[32] = {0, 0, 1, 1, 0, 0, 1, 1, 1};
    static const char exif[32] = "MM\0*\0\0\0\10\0\1\1\22\0\4\0\0\0\1\0\0\0\6", wide[32] = {9, 16, 0, 1};
    static const char matrix[32] = {9, 16, 1, 1}, range[32] = {9, 16, 0, 2};
    static const struct {
        const char *file, *name, *data;
        size_t at, bytes;
        bool is_damaged;
        const char *kept, *left_out;
        int orientation;
    } rows[] = {
        {"rgb-8", "gAMA", gamma, FIRST, 4, false, "gAMA", "", 0},
        {"rgb-8", "gAMA", gamma, FIRST, 4, true, "", "gAMA", 0},
        {"rgb-8", "pHYs", density, FIRST, 9, true, "", "pHYs", 0},
        {"rgb-8", "eXIf", exif, BEHIND, 26, true, "", "eXIf", 0},
        {"rgb-8", "eXIf", exif, BEHIND, 26, false, "eXIf", "", 6},
        {"rgb-8", "eXIf", exif, FIRST, LARGE, false, "", "eXIf", 0},
        {"rgb-8", "gAMA", gamma, BEHIND, 4, false, "", "gAMA", 0},
        {"rgb-8", "pHYs", density, BEHIND, 9, false, "", "pHYs", 0},
        {"palette-8", "pHYs", density, BEHIND_PALETTE, 9, false, "pHYs", "", 0},
        {"palette-8", "gAMA", gamma, BEHIND_PALETTE, 4, false, "", "gAMA", 0},
        {"rgb-8", "cICP", wide, FIRST, 4, false, "cICP", "", 0},
        {"rgb-8", "cICP", matrix, FIRST, 4, false, "", "cICP", 0},
        {"rgb-8", "cICP", range, FIRST, 4, false, "", "cICP", 0},
    };
    unsigned char *file = malloc(LARGE + 8192);
    assert_non_null(file);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct image image;
        struct error error = {""};
        char path[256];
        snprintf(path, sizeof path, DATA "%s.png", rows[i].file);
        size_t length = read_bytes(path, file, 8192), at = rows[i].at ? rows[i].at : length - 12;
        length = put_chunk(file, length, at, rows[i].name, rows[i].data, rows[i].bytes);
        file[at + 8 + rows[i].bytes] ^= rows[i].is_damaged;
        if (png_decode(file, length, IMAGE_PIXELS_MOST, &image, &error) != STATUS_OK)
            fail_msg("row %zu: %s", i, error.text);
        assert_string_equal(image.extras.count ? image.extras.chunks[0].name : "", rows[i].kept);
        assert_string_equal(image.extras.left_out, rows[i].left_out);
        assert_int_equal(image.extras.orientation, rows[i].orientation);
        image_free(&image);
    }
    free(file);
}

/* ---- damage ----------------------------------------------------------------------------------------------- */

/* Decodes memory that ends where the file ends. */
static enum status decode(const unsigned char *bytes, size_t length, struct error *error)
{
    struct image image = {0};
    unsigned char *exact = malloc(length ? length : 1);
    assert_non_null(exact);
    memcpy(exact, bytes, length);
    enum status status = png_decode(exact, length, IMAGE_PIXELS_MOST, &image, error);
    free(exact);
    if (status != STATUS_OK)
        assert_null(image.pixels);
    image_free(&image);
    return status;
}

static void refuses_every_truncation(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "rgba-16.png", DATA "palette-8-transparent.png",
                                        DATA "rgba-8-interlaced.png", DATA "rgb-8-colour.png"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        unsigned char bytes[4096];
        size_t length = read_bytes(names[i], bytes, sizeof bytes);
        struct error error;
        for (size_t cut = 0; cut < length; cut++)
            assert_int_equal(decode(bytes, cut, &error), STATUS_INVALID);
        assert_int_equal(decode(bytes, length, &error), STATUS_OK);
    }
}

/* Any one byte: what the checksums cover is noticed, and nothing crashes or leaks. */
static void survives_every_changed_byte(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    size_t length = read_bytes(DATA "palette-4-transparent.png", bytes, sizeof bytes);
    size_t refused = 0;
    for (size_t at = 0; at < length; at++)
        for (int bit = 0; bit < 8; bit++) {
            struct error error = {""};
            bytes[at] ^= (unsigned char)(1 << bit);
            if (decode(bytes, length, &error) != STATUS_OK) {
                refused++;
                assert_true(error.text[0] != '\0' && !strchr(error.text, '\n'));
            }
            bytes[at] ^= (unsigned char)(1 << bit);
        }
    assert_true(refused > length * 6); /* most of it; a damaged ancillary chunk may be left out */
}

static void refuses_bombs(void **state)
{
    (void)state;
    static const struct {
        uint32_t width, height;
        const char *word;
    } rows[] = {
        {0, 11, "damaged"},
        {13, 0, "damaged"},
        {1000000, 1000000, "more than its"},
        {100000, 100, "more than its"},
        {1000001, 1, "damaged"},
        {0xffffffff, 1, "damaged"},
        {13, 12, "damaged"},
        {500, 300, "more than its"},
        {200, 300, "damaged"},
    };
    unsigned char bytes[4096];
    size_t length = read_bytes(DATA "rgba-8.png", bytes, sizeof bytes);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct error error = {""};
        for (int k = 0; k < 4; k++) {
            bytes[16 + k] = (unsigned char)(rows[i].width >> (24 - 8 * k));
            bytes[20 + k] = (unsigned char)(rows[i].height >> (24 - 8 * k));
        }
        seal(bytes + 8, 13);
        assert_int_equal(decode(bytes, length, &error), STATUS_INVALID);
        if (!strstr(error.text, rows[i].word))
            fail_msg("%u x %u: \"%s\" does not say \"%s\"", rows[i].width, rows[i].height, error.text, rows[i].word);
    }
}

/* The palette is cut to its first colour. */
static void refuses_colours_beyond_the_palette(void **state)
{
    (void)state;
    static const char *const names[] = {DATA "palette-1.png", DATA "palette-4.png", DATA "palette-8.png"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        unsigned char bytes[4096];
        struct error error = {""};
        size_t length = read_bytes(names[i], bytes, sizeof bytes), at = 8 + 12 + 13;
        assert_memory_equal(bytes + at + 4, "PLTE", 4);
        size_t cut = ((size_t)bytes[at + 2] << 8 | bytes[at + 3]) - 3, rest = at + 8 + 3 + cut;
        bytes[at + 2] = 0, bytes[at + 3] = 3;
        memmove(bytes + rest - cut, bytes + rest, length - rest);
        seal(bytes + at, 3);
        assert_int_equal(decode(bytes, length - cut, &error), STATUS_INVALID);
        if (!strstr(error.text, "beyond its palette"))
            fail_msg("%s: \"%s\"", names[i], error.text);
    }
}

static void refused(const char *path, const char *word)
{
    struct image image;
    struct error error = {""};
    assert_int_not_equal(png_read_file(path, IMAGE_PIXELS_MOST, &image, &error), STATUS_OK);
    if (strncmp(error.text, path, strlen(path)) != 0 || !strstr(error.text, word))
        fail_msg("\"%s\" does not name %s and \"%s\"", error.text, path, word);
}

static void names_what_is_wrong(void **state)
{
    (void)state;
    refused(DATA "absent.png", "No such file");
    refused(DATA, "is a folder");
    refused("/dev/null", "not a regular file");
    refused(USKOR_TEST_DATA "/npy/le-f4.npy", "is not a PNG file");
    refused(DATA "animated.png", "is an animated PNG file");
    FILE *file = fopen(in_folder("empty.png"), "w");
    fclose(file);
    refused(in_folder("empty.png"), "is empty");
    unlink(in_folder("empty.png"));
    struct image image = {0};
    struct error error;
    assert_int_equal(image_allocate(0, 1, &image, &error), STATUS_INVALID);
    assert_int_equal(image_allocate(1, IMAGE_SIDE_MAX + 1, &image, &error), STATUS_INVALID);
    assert_int_equal(image_allocate(IMAGE_SIDE_MAX + 1, 1, &image, &error), STATUS_INVALID);
    assert_int_equal(image_allocate(0, 1, &image, &error), STATUS_INVALID);
    assert_int_equal(image_allocate(1, 0, &image, &error), STATUS_INVALID);
    assert_int_equal(image_allocate(1, 1, &image, &error), STATUS_OK);
    assert_int_equal(png_write_file(in_folder("none/a.png"), false, &image, &error), STATUS_INVALID);
    image_free(&image);
}

/* A full disk (here: a limit on the file's size) in the middle of writing leaves nothing. */
static void leaves_nothing_when_there_is_no_room(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit limit = {.rlim_cur = 5000, .rlim_max = 5000};
        struct random random;
        struct image image;
        struct error error;
        random_seed(&random, 1);
        setrlimit(RLIMIT_FSIZE, &limit);
        if (image_allocate(300, 300, &image, &error) != STATUS_OK)
            _exit(1);
        random_bytes(&random, image.pixels, (size_t)300 * 300 * 4);
        if (png_write_file(in_folder("made.png"), false, &image, &error) != STATUS_SYSTEM)
            _exit(2);
        image_free(&image);
        _exit(strstr(error.text, "ulimit -f") ? 0 : 3);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(writes_what_it_reads),
        cmocka_unit_test(copies_colour_density_and_exif),
        cmocka_unit_test(leaves_out_what_does_not_count),
        cmocka_unit_test(refuses_every_truncation),
        cmocka_unit_test(survives_every_changed_byte),
        cmocka_unit_test(refuses_bombs),
        cmocka_unit_test(refuses_colours_beyond_the_palette),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(leaves_nothing_when_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
