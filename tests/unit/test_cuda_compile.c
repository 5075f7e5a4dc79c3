/* Every device rung compiles for CUDA, on any machine: NVRTC needs no GPU.
 *
 * Each rung (.cl and .cu), with the default parameters of its kernel's default problem, is compiled for every type on
 * the oldest architecture, the newest, or the one with instructions of its own; CUDA C for the first type on all three.
 * Of types of one size, and of architectures, the first in turn is compiled to machine code, the others to PTX.
 * With USKOR_LONG set, for every type on all: what differs between types is a macro, and what differs between
 * architectures is mostly the machine code. A rung that these three refuse is compiled where it is not refused. Types
 * that give a rung the same macros (transpose sees only sizes) count once. A rung that refuses a device
 * ("require: compute >= 8.0, …") is not compiled for it. The work is shared between the machine's cores, and what did
 * not change since the test began comes from the cache. Without NVRTC the test is skipped with the
 * reason. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/all.h"
#include "backends/cuda/compile.h"
#include "base/size.h"
#include "base/text.h"
#include "kernels/kernel.h"
#include "kernels/rung_header.h"
#include "lab/transfers/overlap.h"

#include <cmocka.h> /* last: it has a macro called fail */

#include "between.h"
#include "problem_of_rung.h"

static const struct {
    int major, minor;
    uint64_t local_kib; /* of a group that asks for it */
    bool is_short;      /* compiled for without USKOR_LONG, too */
} architectures[] = {{7, 5, 64, true},  {8, 0, 163, false},  {8, 6, 99, false}, {8, 9, 99, false},
                     {9, 0, 227, true}, {10, 0, 227, false}, {12, 0, 99, true}};

static void skip_without_nvrtc(void)
{
    struct error error = {""};
    if (cuda_nvrtc_available(&error) == STATUS_OK)
        return;
    print_message("skipped: %s\n", error.text);
    skip();
}

/* ---- every rung ---- */

/* One compilation. */
struct job {
    const struct rung *rung;
    char **defines;
    size_t define_count;
    size_t architecture;
    size_t bytes; /* of an element */
    bool is_ptx;  /* no machine code is made */
    enum status status;
    struct error error;
};

struct jobs {
    struct job *list;
    size_t count, capacity;
    atomic_size_t next;
};

/* The properties of a device of this architecture. */
static struct device device_of(size_t architecture)
{
    struct device device = {
        .backend = &backend_cuda,
        .id = "cuda:0",
        .properties =
            {
                .local_bytes_per_group = 48 << 10,
                .local_bytes_per_group_limit = architectures[architecture].local_kib << 10,
                .warp_items = 32,
                .group_items = 1024,
                .group_size = {1024, 1024, 64},
                .has_double = true,
                .has_images = true,
            },
    };
    snprintf(device.properties.version, sizeof device.properties.version, "%d.%d", architectures[architecture].major,
             architectures[architecture].minor);
    return device;
}

static bool same_macros(const struct job *a, const struct job *b)
{
    if (a->rung != b->rung || a->define_count != b->define_count)
        return false;
    for (size_t i = 0; i < a->define_count; i++)
        if (strcmp(a->defines[i], b->defines[i]) != 0)
            return false;
    return true;
}

/* Unless it is there: for its architecture, or when `everywhere` is false for any. */
static void add_job(struct jobs *jobs, struct job job, bool everywhere)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (same_macros(&jobs->list[i], &job) && (!everywhere || jobs->list[i].architecture == job.architecture)) {
            device_rung_defines_free(job.defines, job.define_count);
            return;
        }
    if (jobs->count == jobs->capacity) {
        jobs->capacity = 2 * jobs->capacity + 64;
        jobs->list = realloc(jobs->list, jobs->capacity * sizeof *jobs->list);
        assert_non_null(jobs->list);
    }
    jobs->list[jobs->count++] = job;
}

/* Of types of one size, the first in turn shows what machine code has beyond PTX: registers and local memory. */
static bool has_its_size(const struct jobs *jobs, const struct job *job)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->list[i].rung == job->rung && jobs->list[i].bytes == job->bytes)
            return true;
    return false;
}

static void add_with(struct jobs *jobs, const struct rung *rung, const struct problem *problem,
                     const struct parameters *parameters, size_t architecture, bool everywhere)
{
    struct error error = {""};
    struct job job = {.rung = rung, .architecture = architecture, .bytes = element_info(problem->type)->bytes};
    if (device_rung_defines(rung, problem, parameters, &job.defines, &job.define_count, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    job.is_ptx = !getenv("USKOR_LONG") && has_its_size(jobs, &job);
    add_job(jobs, job, everywhere);
}

/* Adds the rung for one architecture and one type; false when it refuses that. */
static bool add_rung(struct jobs *jobs, const struct rung *rung, const struct problem *problem, size_t architecture,
                     bool everywhere, char *reason, size_t size)
{
    struct error error = {""};
    struct parameters parameters;
    struct device device = device_of(architecture);
    if (rung_defaults(rung, problem, &parameters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    if (rung_refuses(rung, problem, &device, &parameters, reason, size))
        return false;
    add_with(jobs, rung, problem, &parameters, architecture, everywhere);
    for (size_t t = 0; t < rung->tunable_count; t++)
        if (strcmp(rung->tunables[t].name, OVERLAP_TUNABLE) == 0) {
            parameters.values[t] = 1; /* as uskor overlap sets it */
            add_with(jobs, rung, problem, &parameters, architecture, everywhere);
        }
    return true;
}

/* Without USKOR_LONG: CUDA C, which may know its architecture, in the first type for every short one; all else for the
 * first that takes it, each rung and type beginning with another one. Every type and every architecture is met, not
 * each with each. */
static bool add_in_turn(struct jobs *jobs, const struct kernel *kernel, const struct rung *rung, size_t turn,
                        char *reason, size_t size)
{
    struct problem problem = problem_of_rung(kernel, rung);
    bool is_added = false;
    for (size_t t = 0; t < kernel->type_count; t++) {
        bool all = t == 0 && rung->source->language == LANGUAGE_CUDA_C, is_met = false;
        problem.type = kernel->types[t];
        for (size_t i = 0; i < COUNT_OF(architectures) && (all || !is_met); i++) {
            size_t a = (turn + 3 * t + i) % COUNT_OF(architectures);
            is_met |= architectures[a].is_short && add_rung(jobs, rung, &problem, a, all, reason, size);
        }
        is_added |= is_met;
    }
    return is_added;
}

static bool add_everywhere(struct jobs *jobs, const struct kernel *kernel, const struct rung *rung, char *reason,
                           size_t size)
{
    struct problem problem = problem_of_rung(kernel, rung);
    bool is_added = false;
    for (size_t a = 0; a < COUNT_OF(architectures); a++)
        for (size_t t = 0; t < kernel->type_count; t++) {
            problem.type = kernel->types[t];
            is_added |= add_rung(jobs, rung, &problem, a, true, reason, size);
        }
    return is_added;
}

/* What else a rung computes, such as a sort with values: each further choice of a field that it takes, for one type and
 * the first architecture that takes it; with USKOR_LONG for every type on all. */
static void add_choices(struct jobs *jobs, const struct kernel *kernel, const struct rung *rung)
{
    const struct problem plain = problem_of_rung(kernel, rung);
    char reason[256];
    for (size_t f = 0; f < kernel->field_count; f++) {
        const struct problem_field *field = &kernel->fields[f];
        if (field->kind != FIELD_CHOICE || !field->unless_taken || !takes_field(rung->takes, field->name))
            continue;
        for (size_t v = 0; field->choices[v]; v++)
            for (size_t i = 0; i < COUNT_OF(architectures) * kernel->type_count; i++) {
                const size_t a = i % COUNT_OF(architectures), t = v + i / COUNT_OF(architectures);
                struct problem problem = plain;
                problem.values[f].size = (int64_t)v;
                problem.type = kernel->types[t % kernel->type_count];
                if (add_rung(jobs, rung, &problem, a, getenv("USKOR_LONG") != NULL, reason, sizeof reason) &&
                    !getenv("USKOR_LONG"))
                    break;
            }
    }
}

static void add_kernel(struct jobs *jobs, const struct kernel *kernel)
{
    struct error error = {""};
    const struct rung *const *rungs;
    size_t rung_count;
    if (kernel_rungs(kernel, &rungs, &rung_count, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t r = 0; r < rung_count; r++) {
        if (!rungs[r]->source || !(rungs[r]->backends & BACKEND_CUDA))
            continue;
        char reason[256] = "";
        bool is_added = add_in_turn(jobs, kernel, rungs[r], r, reason, sizeof reason);
        add_choices(jobs, kernel, rungs[r]);
        if (!is_added || getenv("USKOR_LONG"))
            is_added |= add_everywhere(jobs, kernel, rungs[r], reason, sizeof reason);
        /* Images have no CUDA words in the prelude; everything else must run on some GPU. */
        if (!is_added && !rungs[r]->source->needs_images)
            fail_msg("%s:%s is refused by every architecture: %s", kernel->name, rungs[r]->name, reason);
    }
}

static void compile(struct job *job)
{
    const struct device_source *rung_source = job->rung->source;
    const struct program_source source = {
        .name = rung_source->path,
        .text = rung_source->text,
        .language = rung_source->language,
        .defines = (const char *const *)job->defines,
        .define_count = job->define_count,
    };
    char architecture[CUDA_ARCHITECTURE_MAX];
    void *image = NULL;
    size_t bytes = 0;
    job->status = cuda_architecture(architectures[job->architecture].major, architectures[job->architecture].minor,
                                    source.language, architecture, &job->error);
    if (job->is_ptx && strncmp(architecture, "sm_", 3) == 0) {
        char number[CUDA_ARCHITECTURE_MAX];
        snprintf(number, sizeof number, "%s", architecture + 3);
        snprintf(architecture, sizeof architecture, "compute_%.8s", number);
    }
    if (job->status == STATUS_OK)
        job->status = cuda_compile_cached(&source, architecture, 0, &image, &bytes, &job->error);
    /* An older NVRTC gives PTX, which is text, for the newest architectures. */
    bool is_elf = bytes > 64 && memcmp(image, "\177ELF", 4) == 0;
    if (job->status == STATUS_OK && !is_elf && strncmp(architecture, "sm_", 3) == 0) {
        job->status = STATUS_FAILED;
        snprintf(job->error.text, sizeof job->error.text, "%s: no machine code came out", source.name);
    }
    free(image);
}

static void *work(void *context)
{
    struct jobs *jobs = context;
    for (size_t i; (i = atomic_fetch_add(&jobs->next, 1)) < jobs->count;)
        compile(&jobs->list[i]);
    return NULL;
}

static void work_on_all_cores(struct jobs *jobs)
{
    pthread_t threads[16];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t started = 0;
    while (started < COUNT_OF(threads) && (long)started + 1 < cores &&
           pthread_create(&threads[started], NULL, work, jobs) == 0)
        started++;
    work(jobs);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

static void every_rung_compiles(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct jobs jobs = {.list = NULL};
    size_t wrong = 0;
    for (size_t k = 0; kernels[k]; k++)
        add_kernel(&jobs, kernels[k]);
    assert_int_not_equal(jobs.count, 0);
    work_on_all_cores(&jobs);
    for (size_t i = 0; i < jobs.count; i++) {
        struct job *job = &jobs.list[i];
        if (job->status != STATUS_OK) {
            wrong++;
            print_error("compute capability %d.%d: %s\n", architectures[job->architecture].major,
                        architectures[job->architecture].minor, job->error.text);
            for (size_t d = 0; d < job->define_count; d++)
                print_error("    -D %s\n", job->defines[d]);
        }
        device_rung_defines_free(job->defines, job->define_count);
    }
    print_message("%zu programs compiled, %zu wrong\n", jobs.count, wrong);
    free(jobs.list);
    assert_int_equal(wrong, 0);
}

/* ---- the language ---- */

static enum status compile_text(const char *name, const char *text, enum language language, const char *define,
                                const char *architecture, struct error *error)
{
    const struct program_source source = {name, text, language, &define, define ? 1 : 0};
    void *image = NULL;
    size_t bytes = 0;
    enum status status = cuda_compile(&source, architecture, &image, &bytes, error);
    assert_true((status == STATUS_OK) == (image != NULL));
    free(image);
    return status;
}

/* The file uses each word that the preludes know. */
static void every_word_is_known(void **state)
{
    (void)state;
    skip_without_nvrtc();
    static const char *const ranks[] = {NULL, "USKOR_RANK=2", "USKOR_RANK=3"};
    struct error error = {""};
    FILE *file = fopen(USKOR_TEST_DATA "/kernels/every_word.cl", "rb");
    assert_non_null(file);
    char text[8192];
    size_t bytes = fread(text, 1, sizeof text - 1, file);
    assert_between(bytes, 1000, sizeof text - 2);
    text[bytes] = 0;
    fclose(file);
    for (size_t i = 0; i < COUNT_OF(ranks); i++)
        if (compile_text("every_word.cl", text, LANGUAGE_OPENCL_C, ranks[i], i % 2 ? "sm_80" : "sm_75", &error) !=
            STATUS_OK)
            fail_msg("%s", error.text);
}

static void errors_name_the_users_lines(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct error error = {""};
    static const char wrong[] = "// one\n// two\n__kernel void f(__global float *x) { x[0] = nobody; }\n";
    assert_int_equal(compile_text("dir/mine.cl", wrong, LANGUAGE_OPENCL_C, NULL, "sm_90", &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "dir/mine.cl(3): error: identifier \"nobody\" is undefined"));
    static const char local[] = "__kernel void f(__global float *x) { __local float tile[8]; x[0] = tile[1]; }\n";
    assert_int_equal(compile_text("mine.cl", local, LANGUAGE_OPENCL_C, NULL, "sm_90", &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "write_local_array_or_local_pointer"));
    static const char large[] = "__kernel void f(__global float *x) { local_array float tile[99999];\n"
                                "tile[get_local_id(0)] = x[0]; barrier(1); x[0] = tile[1]; }\n";
    assert_int_equal(compile_text("mine.cl", large, LANGUAGE_OPENCL_C, NULL, "sm_90", &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "too much shared data"));
    assert_int_equal(compile_text("mine.cl", wrong, LANGUAGE_OPENCL_C, NULL, "sm_1", &error), STATUS_UNAVAILABLE);
}

/* A .cu file may use what only one architecture has, and brings its own CUDA: the prelude leaves it alone. */
static void cuda_c_has_all_of_its_architecture(void **state)
{
    (void)state;
    skip_without_nvrtc();
    static const char hopper[] = "extern \"C\" __global__ void f(uint *x)\n"
                                 "{ asm volatile(\"wgmma.fence.sync.aligned;\"); x[blockIdx.y] = 1; }\n";
    static const char own_words[] = "struct barrier { int x; };\n"
                                    "__device__ float4 operator+(float4 a, float4 b) { a.x += b.x; return a; }\n"
                                    "__device__ int clamp(int x, int l, int h) { return x < l ? l : x > h ? h : x; }\n"
                                    "extern \"C\" __global__ void f(float4 *x) { x[0] = x[0] + x[clamp(1, 0, 2)]; }\n";
    struct error error = {""};
    char name[CUDA_ARCHITECTURE_MAX];
    assert_int_equal(cuda_architecture(9, 0, LANGUAGE_CUDA_C, name, &error), STATUS_OK);
    if (strcmp(name, "sm_90a") == 0) { /* NVRTC knows it since 12.0 */
        if (compile_text("hopper.cu", hopper, LANGUAGE_CUDA_C, NULL, name, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(compile_text("hopper.cu", hopper, LANGUAGE_CUDA_C, NULL, "sm_90", &error), STATUS_INVALID);
    }
    if (compile_text("own.cu", own_words, LANGUAGE_CUDA_C, NULL, "sm_80", &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* For a device that is newer than NVRTC. */
static void ptx_is_text(void **state)
{
    (void)state;
    skip_without_nvrtc();
    struct error error = {""};
    const struct program_source source = {"f.cl", "__kernel void f(__global int *x) { x[0] = 1; }", LANGUAGE_OPENCL_C,
                                          NULL, 0};
    char name[CUDA_ARCHITECTURE_MAX];
    void *image = NULL;
    size_t bytes;
    assert_int_equal(cuda_architecture(99, 0, LANGUAGE_OPENCL_C, name, &error), STATUS_OK);
    assert_int_equal(strncmp(name, "compute_", 8), 0);
    if (cuda_compile(&source, name, &image, &bytes, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_non_null(strstr(image, ".visible .entry f("));
    free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_known),
        cmocka_unit_test(errors_name_the_users_lines),
        cmocka_unit_test(cuda_c_has_all_of_its_architecture),
        cmocka_unit_test(ptx_is_text),
        cmocka_unit_test(every_rung_compiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
