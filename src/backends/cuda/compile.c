#include "backends/cuda/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/host_headers.h"
#include "backends/cuda/nvrtc.h"
#include "base/compile_cache.h"
#include "base/embedded.h"

#define PRELUDE "backends/cuda/prelude.cuh"
#define HEADERS_MAX                                                                                  \
    (32 + CUDA_EMPTY_HEADERS) /* embedded .cuh files: a source includes them by their path below src \
                               */

enum status cuda_nvrtc_available(struct error *error)
{
    const struct nvrtc_library *library;
    return nvrtc_load(&library, error);
}

enum status cuda_architecture(int major, int minor, enum language language, char name[CUDA_ARCHITECTURE_MAX],
                              struct error *error)
{
    const struct nvrtc_library *library;
    enum status status = nvrtc_load(&library, error);
    if (status != STATUS_OK)
        return status;
    int wanted = major * 10 + minor, nearest = 0;
    for (int i = 0; i < library->architecture_count; i++)
        if (library->architectures[i] <= wanted)
            nearest = library->architectures[i];
    if (nearest == 0)
        return fail(error, STATUS_UNAVAILABLE,
                    "NVRTC %d.%d compiles for compute capability %d.%d and later, the device has %d.%d: name an older "
                    "NVRTC's folder in USKOR_NVRTC",
                    library->major, library->minor, library->architectures[0] / 10, library->architectures[0] % 10,
                    major, minor);
    /* Instructions that only one architecture has came with 9.0 (the tensor cores' wgmma), in NVRTC with 12.0. */
    bool has_own = language == LANGUAGE_CUDA_C && wanted >= 90 && library->major >= 12;
    snprintf(name, CUDA_ARCHITECTURE_MAX, "%s_%d%s", nearest == wanted ? "sm" : "compute", nearest,
             nearest == wanted && has_own ? "a" : "");
    return STATUS_OK;
}

/* The inputs of one compilation. */
struct job {
    const struct program_source *source;
    const struct nvrtc_library *library;
    const struct embedded_file *prelude;
    const char *header_names[HEADERS_MAX], *header_texts[HEADERS_MAX];
    char empty_names[CUDA_EMPTY_HEADERS][CUDA_HEADER_NAME];
    int header_count;
    const char **options; /* malloc'ed */
    int option_count;
    char architecture[CUDA_ARCHITECTURE_MAX + 24];
    char includes[sizeof((struct nvrtc_library *)0)->includes + 24];
    char more_includes[sizeof((struct nvrtc_library *)0)->includes + 32];
};

static void add_language_options(struct job *job)
{
    if (job->source->language == LANGUAGE_OPENCL_C) {
        job->options[job->option_count++] = "--define-macro=USKOR_OPENCL_C";
        job->options[job->option_count++] = "--device-as-default-execution-space"; /* helper functions say nothing */
        return;
    }
    if (cuda_wants_host_words(job->source->text)) /* constexpr functions and members say nothing */
        job->options[job->option_count++] = "--device-as-default-execution-space";
    if (!job->library->includes[0])
        return;
    snprintf(job->includes, sizeof job->includes, "--include-path=%s", job->library->includes);
    snprintf(job->more_includes, sizeof job->more_includes, "--include-path=%s/cccl", job->library->includes);
    job->options[job->option_count++] = job->includes;
    job->options[job->option_count++] = job->more_includes; /* libcu++, since CUDA 13 */
}

/* The prelude, and for CUDA C all other headers too. */
static enum status add_headers(struct job *job, struct error *error)
{
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        size_t length = strlen(file->path);
        if (file != job->prelude &&
            (job->source->language != LANGUAGE_CUDA_C || length < 4 || strcmp(file->path + length - 4, ".cuh") != 0))
            continue;
        if (strcmp(file->path, CUDA_HOST_WORDS) == 0 && !cuda_wants_host_words(job->source->text))
            continue;
        if (job->header_count == HEADERS_MAX - CUDA_EMPTY_HEADERS)
            return fail(error, STATUS_FAILED, "this build has more than %d CUDA headers",
                        HEADERS_MAX - CUDA_EMPTY_HEADERS);
        job->header_names[job->header_count] = file->path;
        job->header_texts[job->header_count++] = file->text;
    }
    size_t empty = cuda_wants_host_words(job->source->text)
                       ? cuda_empty_headers(job->source->text, job->library->includes, job->empty_names)
                       : 0;
    for (size_t i = 0; i < empty; i++) {
        job->header_names[job->header_count] = job->empty_names[i];
        job->header_texts[job->header_count++] = "\n";
    }
    return STATUS_OK;
}

/* Multiplications and additions are fused as the source's contraction rules allow in OpenCL too; no fast-math. */
static enum status job_prepare(struct job *job, const struct program_source *source, const char *architecture,
                               struct error *error)
{
    *job = (struct job){.source = source, .prelude = embedded_find(PRELUDE)};
    enum status status = nvrtc_load(&job->library, error);
    if (status != STATUS_OK)
        return status;
    if (!job->prelude)
        return fail(error, STATUS_UNAVAILABLE, "this build has no %s", PRELUDE);
    if (strlen(architecture) >= CUDA_ARCHITECTURE_MAX)
        return fail(error, STATUS_INVALID, "%s: not an architecture's name, such as sm_90", architecture);
    job->options = calloc(source->define_count + 16, 2 * sizeof *job->options);
    if (!job->options)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for the compiler's options", source->name);
    status = add_headers(job, error);
    snprintf(job->architecture, sizeof job->architecture, "--gpu-architecture=%s", architecture);
    job->options[job->option_count++] = job->architecture;
    job->options[job->option_count++] = "--std=c++17";
    job->options[job->option_count++] = "--generate-line-info"; /* for profilers; the code is the same */
    job->options[job->option_count++] = "--disable-warnings";   /* the log is for errors */
    job->options[job->option_count++] = "--pre-include=" PRELUDE;
    add_language_options(job);
    for (size_t i = 0; i < source->define_count; i++) {
        job->options[job->option_count++] = "-D";
        job->options[job->option_count++] = source->defines[i];
    }
    return status;
}

static struct cache_key job_key(const struct job *job, int driver_version)
{
    struct cache_key key = {.bytes = 0};
    int versions[] = {job->library->major, job->library->minor, driver_version};
    cache_key_add(&key, versions, sizeof versions);
    cache_key_add_file(&key, job->library->path);
    for (int i = 0; i < job->header_count; i++)
        cache_key_add_text(&key, job->header_texts[i]);
    cache_key_add_text(&key, job->source->name); /* it is in the line information */
    cache_key_add_text(&key, job->source->text);
    for (int i = 0; i < job->option_count; i++)
        cache_key_add_text(&key, job->options[i]);
    return key;
}

static enum status fail_compile(const struct job *job, nvrtcProgram program, nvrtcResult result, struct error *error)
{
    const char *name = job->source->name;
    size_t bytes = 0;
    char *log = nvrtc.GetProgramLogSize(program, &bytes) == NVRTC_SUCCESS ? calloc(1, bytes + 1) : NULL;
    bool has_log = log && nvrtc.GetProgramLog(program, log) == NVRTC_SUCCESS && *log;
    const char *words = has_log ? log : nvrtc.GetErrorString(result);
    enum status status;
    if (result == NVRTC_ERROR_COMPILATION)
        status = fail(error, STATUS_INVALID, "%s does not compile for CUDA: %s", name, words);
    else /* an architecture that this NVRTC does not know, or no memory */
        status = fail(error, STATUS_UNAVAILABLE, "%s: NVRTC %d.%d does not compile with %s: %s", name,
                      job->library->major, job->library->minor, job->architecture, words);
    free(log);
    return status;
}

static enum status take_image(const struct job *job, nvrtcProgram program, void **image, size_t *bytes,
                              struct error *error)
{
    bool is_ptx = strstr(job->architecture, "=compute_") != NULL;
    nvrtcResult result = is_ptx ? nvrtc.GetPTXSize(program, bytes) : nvrtc.GetCUBINSize(program, bytes);
    if (result == NVRTC_SUCCESS) {
        *image = calloc(1, *bytes + 1);
        if (!*image)
            return fail(error, STATUS_UNAVAILABLE, "%s: no memory for %zu bytes of machine code", job->source->name,
                        *bytes);
        result = is_ptx ? nvrtc.GetPTX(program, *image) : nvrtc.GetCUBIN(program, *image);
    }
    if (result == NVRTC_SUCCESS && *bytes > 0)
        return STATUS_OK;
    free(*image);
    *image = NULL;
    return fail(error, STATUS_UNAVAILABLE, "%s: NVRTC compiled it and gives no code: %s", job->source->name,
                nvrtc.GetErrorString(result));
}

/* The compiler's log of a program that compiles; NULL when it is empty. */
static char *take_log(nvrtcProgram program)
{
    size_t bytes = 0;
    char *log = nvrtc.GetProgramLogSize(program, &bytes) == NVRTC_SUCCESS ? calloc(1, bytes + 1) : NULL;
    if (log && nvrtc.GetProgramLog(program, log) == NVRTC_SUCCESS)
        return log;
    free(log);
    return NULL;
}

/* `log` may be NULL. */
static enum status job_compile(const struct job *job, void **image, size_t *bytes, char **log, struct error *error)
{
    const struct program_source *source = job->source;
    nvrtcProgram program = NULL;
    nvrtcResult result = nvrtc.CreateProgram(&program, source->text, source->name, job->header_count, job->header_texts,
                                             job->header_names);
    if (result != NVRTC_SUCCESS)
        return fail(error, STATUS_UNAVAILABLE, "%s: NVRTC does not take it: %s", source->name,
                    nvrtc.GetErrorString(result));
    result = nvrtc.CompileProgram(program, job->option_count, job->options);
    enum status status = result == NVRTC_SUCCESS ? take_image(job, program, image, bytes, error)
                                                 : fail_compile(job, program, result, error);
    if (status == STATUS_OK && log)
        *log = take_log(program);
    nvrtc.DestroyProgram(&program);
    return status;
}

enum status cuda_compile(const struct program_source *source, const char *architecture, void **image, size_t *bytes,
                         struct error *error)
{
    struct job job;
    *image = NULL;
    *bytes = 0;
    enum status status = job_prepare(&job, source, architecture, error);
    if (status == STATUS_OK)
        status = job_compile(&job, image, bytes, NULL, error);
    free(job.options);
    return status;
}

/* An entry of the cache: the image's size, the image, the log. */
static bool load_described(const struct cache_key *key, void **image, size_t *bytes, char **log)
{
    void *entry = NULL;
    size_t all = 0;
    uint64_t size = 0;
    if (!cache_load(key, &entry, &all))
        return false;
    if (all >= sizeof size)
        memcpy(&size, entry, sizeof size);
    if (all < sizeof size || size == 0 || size > all - sizeof size) {
        free(entry);
        return false;
    }
    const char *words = (char *)entry + sizeof size + size;
    *log = *words ? strdup(words) : NULL;
    memmove(entry, (char *)entry + sizeof size, size);
    *image = entry;
    *bytes = size;
    return true;
}

static void store_described(const struct cache_key *key, const void *image, size_t bytes, const char *log)
{
    const uint64_t size = bytes;
    size_t length = log ? strlen(log) : 0;
    char *entry = malloc(sizeof size + bytes + length + 1);
    if (!entry)
        return;
    memcpy(entry, &size, sizeof size);
    memcpy(entry + sizeof size, image, bytes);
    memcpy(entry + sizeof size + bytes, log ? log : "", length);
    cache_store(key, entry, sizeof size + bytes + length);
    free(entry);
}

enum status cuda_compile_described(const struct program_source *source, const char *architecture, void **image,
                                   size_t *bytes, char **log, struct error *error)
{
    struct job job;
    *image = NULL;
    *bytes = 0;
    *log = NULL;
    enum status status = job_prepare(&job, source, architecture, error);
    if (status == STATUS_OK) {
        job.options[job.option_count++] = "--ptxas-options=-v"; /* the code is the same */
        struct cache_key key = job_key(&job, 0);
        cache_key_add_text(&key, "described");
        if (!load_described(&key, image, bytes, log)) {
            status = job_compile(&job, image, bytes, log, error);
            if (status == STATUS_OK)
                store_described(&key, *image, *bytes, *log);
        }
    }
    free(job.options);
    return status;
}

enum status cuda_compile_cached(const struct program_source *source, const char *architecture, int driver_version,
                                void **image, size_t *bytes, struct error *error)
{
    struct job job;
    *image = NULL;
    *bytes = 0;
    enum status status = job_prepare(&job, source, architecture, error);
    if (status == STATUS_OK) {
        struct cache_key key = job_key(&job, driver_version);
        if (!cache_load(&key, image, bytes)) {
            status = job_compile(&job, image, bytes, NULL, error);
            if (status == STATUS_OK)
                cache_store(&key, *image, *bytes);
        }
    }
    free(job.options);
    return status;
}
