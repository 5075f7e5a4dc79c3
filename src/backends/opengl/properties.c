/* The properties of an OpenGL device. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "backends/opengl/opengl.h"

/* Mesa's drivers that have no GPU. */
static const char *const cpu_names[] = {"llvmpipe", "softpipe", "swrast", "SWR"};

static const char *text_of(GLenum name)
{
    const char *text = (const char *)gl.GetString(name);
    return text ? text : "";
}

static uint32_t ask(GLenum name)
{
    GLint value = 0;
    gl.GetIntegerv(name, &value);
    return value > 0 ? (uint32_t)value : 0;
}

static bool has_extension(const char *name)
{
    const uint32_t count = ask(GL_NUM_EXTENSIONS);
    for (uint32_t i = 0; i < count; i++) {
        const char *extension = (const char *)gl.GetStringi(GL_EXTENSIONS, i);
        if (extension && strcmp(extension, name) == 0)
            return true;
    }
    return false;
}

static void describe_names(struct device_properties *p)
{
    snprintf(p->name, sizeof p->name, "%s", text_of(GL_RENDERER));
    char *bus = strstr(p->name, "/PCIe"); /* NVIDIA's "NVIDIA H200/PCIe/SSE2": CUDA has the name alone */
    if (bus)
        *bus = 0;
    snprintf(p->vendor, sizeof p->vendor, "%s", text_of(GL_VENDOR));
    snprintf(p->driver, sizeof p->driver, "%s", text_of(GL_VERSION));
    snprintf(p->version, sizeof p->version, "OpenGL %u.%u, GLSL %.*s", ask(GL_MAJOR_VERSION), ask(GL_MINOR_VERSION),
             (int)strcspn(text_of(GL_SHADING_LANGUAGE_VERSION), " "), text_of(GL_SHADING_LANGUAGE_VERSION));
    for (size_t i = 0; i < sizeof cpu_names / sizeof cpu_names[0]; i++)
        p->is_cpu = p->is_cpu || strstr(p->name, cpu_names[i]);
}

static void describe_groups(struct device_properties *p)
{
    p->group_items = ask(GL_MAX_COMPUTE_WORK_GROUP_INVOCATIONS);
    for (GLuint i = 0; i < 3; i++) {
        GLint size = 0, groups = 0;
        gl.GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_SIZE, i, &size);
        gl.GetIntegeri_v(GL_MAX_COMPUTE_WORK_GROUP_COUNT, i, &groups);
        p->group_size[i] = size > 0 ? (uint32_t)size : 0;
        p->grid_groups[i] = (uint64_t)(uint32_t)groups;
    }
}

static void describe_nvidia(struct device_properties *p)
{
    if (has_extension("GL_NVX_gpu_memory_info"))
        p->memory_bytes = (uint64_t)ask(GL_GPU_MEMORY_INFO_TOTAL_AVAILABLE_MEMORY_NVX) << 10;
    if (has_extension("GL_NV_shader_thread_group")) {
        p->warp_items = ask(GL_WARP_SIZE_NV);
        p->units = ask(GL_SM_COUNT_NV);
        p->items_per_unit = ask(GL_WARPS_PER_SM_NV) * p->warp_items;
    }
}

static void describe_cpu(struct device_properties *p)
{
    const long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE), cores = sysconf(_SC_NPROCESSORS_ONLN);
    p->memory_bytes = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes : 0;
    p->units = cores > 0 ? (uint32_t)cores : 0;
    p->unified_memory = true;
}

void opengl_describe(struct opengl_device *device)
{
    struct device_properties *p = &device->base.properties;
    int64_t block_bytes = 0;
    describe_names(p);
    describe_groups(p);
    p->local_bytes_per_group = p->local_bytes_per_group_limit = ask(GL_MAX_COMPUTE_SHARED_MEMORY_SIZE);
    p->constant_bytes = ask(GL_MAX_UNIFORM_BLOCK_SIZE);
    p->has_double = true; /* since OpenGL 4.0 */
    if (p->is_cpu)
        describe_cpu(p);
    else
        describe_nvidia(p);
    gl.GetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &block_bytes);
    /* Indices have 32 bits; some drivers tell a size that no index reaches. */
    device->block_bytes = block_bytes > 0 && block_bytes < INT32_MAX ? (uint64_t)block_bytes : (uint64_t)INT32_MAX + 1;
    device->storage_blocks = (int)ask(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    /* An unknown query sets a GL error; a lost context returns one on every call. */
    for (int i = 0; i < 8 && gl.GetError() != GL_NO_ERROR; i++) {
    }
}
