/* Textures: what is refused, and what a kernel reads between, on and beyond the pixels' centres. */
#include "opencl_device.h"

#include "base/size.h"

/* Two by two pixels; channels tell columns and rows apart. */
static const unsigned char corners[4][4] = {{0, 0, 10, 255}, {200, 0, 10, 255}, {0, 100, 10, 255}, {200, 100, 10, 255}};

static const char reading[] = "__kernel void look(texture_argument picture, __global float *out, float x, float y)\n"
                              "{\n"
                              "    float4 value = texture_linear(picture, x, y) * 255.0f;\n"
                              "    out[0] = value.x, out[1] = value.y, out[2] = value.z, out[3] = value.w;\n"
                              "}\n";

static void expect_at(struct program *program, const struct texture *texture, const struct buffer *out, float x,
                      float y, float red, float green)
{
    const struct argument_value arguments[] = {
        {ARGUMENT_TEXTURE, {.texture = texture}},
        {ARGUMENT_BUFFER, {.buffer = out}},
        {ARGUMENT_FLOAT, {.float_value = x}},
        {ARGUMENT_FLOAT, {.float_value = y}},
    };
    const struct launch launch = {
        .entry = "look",
        .rank = 1,
        .group = {1, 1, 1},
        .groups = {1, 1, 1},
        .arguments = arguments,
        .argument_count = COUNT_OF(arguments),
    };
    float value[4];
    expect_ok(program_launch(program, &launch, &error));
    expect_ok(buffer_read(out, 0, value, sizeof value, &error));
    assert_float_equal(value[0], red, 0.01);
    assert_float_equal(value[1], green, 0.01);
    assert_float_equal(value[2], 10, 0.01);
    assert_float_equal(value[3], 255, 0.01);
}

static void pixels_are_interpolated(void **state)
{
    NEEDS_DEVICE();
    if (!device->properties.has_images)
        skip();
    struct buffer pixels, out;
    struct texture *texture;
    struct program *program = build(reading, NULL, 0);
    expect_ok(buffer_allocate(device, sizeof corners, &pixels, &error));
    expect_ok(buffer_allocate(device, 4 * sizeof(float), &out, &error));
    expect_ok(buffer_write(&pixels, 0, corners, sizeof corners, &error));
    expect_ok(texture_create(device, 2, 2, &texture, &error));
    expect_ok(texture_load(texture, &pixels, &error));
    expect_at(program, texture, &out, 0.5F, 0.5F, 0, 0);
    expect_at(program, texture, &out, 1.5F, 0.5F, 200, 0);
    expect_at(program, texture, &out, 1.0F, 1.0F, 100, 50);
    expect_at(program, texture, &out, 0.75F, 1.25F, 50, 75);
    expect_at(program, texture, &out, -3.0F, 9.0F, 0, 100);
    texture_destroy(texture);
    program_discard(program);
    buffer_release(&out);
    buffer_release(&pixels);
}

static void wrong_textures_are_refused(void **state)
{
    NEEDS_DEVICE();
    if (!device->properties.has_images)
        skip();
    struct texture *texture;
    struct buffer small;
    expect_words(texture_create(device, 0, 3, &texture, &error), STATUS_INVALID, "at least 1");
    assert_null(texture);
    expect_words(texture_create(device, (size_t)1 << 30, 1, &texture, &error), STATUS_UNAVAILABLE, "at most");
    expect_ok(texture_create(device, 3, 3, &texture, &error));
    expect_ok(buffer_allocate(device, 35, &small, &error));
    expect_words(texture_load(texture, &small, &error), STATUS_INVALID, "3 x 3 pixels");
    buffer_release(&small);
    struct device *cpu;
    expect_ok(device_open("cpu", &cpu, &error));
    expect_ok(buffer_allocate(cpu, 36, &small, &error));
    expect_words(texture_load(texture, &small, &error), STATUS_INVALID, "not its own");
    buffer_release(&small);
    texture_destroy(texture);
    expect_words(texture_create(cpu, 3, 3, &texture, &error), STATUS_UNAVAILABLE, "cpu has no textures");
    device_close(cpu);
    texture_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_interpolated),
        cmocka_unit_test(wrong_textures_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
