/* Whether the device computes with subnormal floats: OpenGL allows flushing to zero, and no query reports it. */
#include "backends/opengl/opengl.h"
#include "base/size.h"

static const char text[] = "layout(local_size_x = 1) in;\n"
                           "layout(binding = 0) buffer Numbers { float numbers[]; };\n"
                           "void main()\n"
                           "{\n"
                           "    numbers[1] = numbers[0] * numbers[1];\n"
                           "}\n";

enum status opengl_flushes_subnormals(struct device *device, bool *flushes, struct error *error)
{
    const struct program_source source = {.name = "subnormals", .text = text, .language = LANGUAGE_GLSL};
    const float numbers[] = {0x1p-130f, 2};
    float product = 0;
    struct buffer buffer = {0};
    struct program *program = NULL;
    enum status status = buffer_allocate(device, sizeof numbers, &buffer, error);
    if (status == STATUS_OK)
        status = buffer_write(&buffer, 0, numbers, sizeof numbers, error);
    if (status == STATUS_OK)
        status = program_build(device, &source, &program, error);
    const struct argument_value arguments[] = {{.kind = ARGUMENT_BUFFER, .buffer = &buffer}};
    const struct launch launch = {.entry = "main",
                                  .rank = 1,
                                  .group = {1, 1, 1},
                                  .groups = {1, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = COUNT_OF(arguments)};
    if (status == STATUS_OK)
        status = program_launch(program, &launch, error);
    if (status == STATUS_OK)
        status = buffer_read(&buffer, sizeof numbers[0], &product, sizeof product, error);
    program_discard(program);
    buffer_release(&buffer);
    *flushes = product == 0;
    return status;
}
