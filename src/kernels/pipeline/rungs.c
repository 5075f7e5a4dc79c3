/* The pipeline's rungs: which rung of sort and which of dot each is made of. */
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/dot/dot.h"
#include "kernels/pipeline/pipeline.h"
#include "kernels/prepared_run.h"

enum { PARTS_SERIAL, PARTS_CPU, PARTS_DEVICE_STEP, PARTS_DEVICE, PARTS_COUNT };

static const struct {
    const char *name;
    struct pipeline_parts parts;
} table[PARTS_COUNT] = {
    [PARTS_SERIAL] = {"serial", {{"bitonic"}, "serial"}},
    [PARTS_CPU] = {"cpu", {{"simd", "radix", "parallel", "qsort"}, "parallel-simd"}},
    [PARTS_DEVICE_STEP] = {"device-step", {{"bitonic-step"}, "tree"}},
    [PARTS_DEVICE] = {"device", {{"onesweep", "radix-local", "bitonic-step"}, "wide"}},
};

/* One kernel of the pipeline, on views of the pipeline's own memory. */
struct stage {
    struct problem problem;
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct buffer buffers[KERNEL_ARRAYS_MAX];
    const struct rung *rung;
    struct parameters parameters;
    struct prepared_run prepared;
};

/* The sort is prepared once and run twice, on one vector and on the other. */
enum { STAGE_SORT, STAGE_DOT, STAGES };

static const struct pipeline_parts *parts_of(const struct rung *rung)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        if (strcmp(table[i].name, rung->name) == 0)
            return &table[i].parts;
    abort(); /* a rung that is not in the table above */
}

/* The other kernels are named here, not looked up: what looks kernels up knows this one. */
extern const struct kernel kernel_sort, kernel_dot;

static struct problem sub_problem(const struct kernel *kernel, const struct problem *problem)
{
    struct problem sub = problem_default(kernel);
    problem_set_size(&sub, "n", problem->values[0].size);
    sub.type = ELEMENT_F32;
    return sub;
}

/* The first of the named rungs that runs there; NULL and the last one's reason when none does. */
static const struct rung *choose(const char *const *names, size_t most, const struct problem *sub,
                                 const struct device *device, struct parameters *parameters, char *reason, size_t size)
{
    explain(reason, size, "none of its sorts is built");
    for (size_t i = 0; i < most && names[i]; i++) {
        struct error error = {""};
        const struct rung *rung = rung_by_name(sub->kernel, names[i], &error);
        if (!rung || rung_defaults(rung, sub, parameters, &error) != STATUS_OK)
            continue;
        char why[256];
        const char *refusal = rung_refuses(rung, sub, device, parameters, why, sizeof why);
        if (!refusal)
            return rung;
        explain(reason, size, "%s: %s", names[i], refusal);
    }
    return NULL;
}

/* Finds the rungs of a pipeline's rung on this device. */
static const char *find_parts(const struct pipeline_parts *parts, const struct problem *problem,
                              const struct device *device, struct stage stages[STAGES], char *reason, size_t size)
{
    for (int s = 0; s < STAGES; s++) {
        bool is_sort = s != STAGE_DOT;
        struct stage *stage = &stages[s];
        stage->problem = sub_problem(is_sort ? &kernel_sort : &kernel_dot, problem);
        stage->rung = choose(is_sort ? parts->sorts : &parts->dot, is_sort ? COUNT_OF(parts->sorts) : 1,
                             &stage->problem, device, &stage->parameters, reason, size);
        if (!stage->rung)
            return reason;
    }
    return NULL;
}

static const char *supports_parts(const struct pipeline_parts *parts, const struct problem *problem,
                                  const struct device *device, char *reason, size_t size)
{
    struct stage stages[STAGES] = {0};
    return find_parts(parts, problem, device, stages, reason, size);
}

/* The stages run one after the other, so they share one piece of scratch memory. */
static size_t scratch_parts(const struct pipeline_parts *parts, const struct problem *problem,
                            const struct device *device)
{
    struct stage stages[STAGES] = {0};
    char reason[256];
    size_t most = 0;
    if (find_parts(parts, problem, device, stages, reason, sizeof reason))
        return 0;
    for (int s = 0; s < STAGES; s++) {
        size_t bytes = 0;
        struct error error;
        if (rung_scratch(stages[s].rung, &stages[s].problem, device, &stages[s].parameters, &bytes, &error) ==
                STATUS_OK &&
            bytes > most)
            most = bytes;
    }
    return most;
}

static void finish(struct run *run)
{
    struct stage *stages = run->state;
    for (int s = 0; stages && s < STAGES; s++)
        prepared_run_finish(&stages[s].prepared);
    free(stages);
    run->state = NULL;
}

/* The pipeline's buffers as the stage's kernel knows them. */
static void wire(const struct run *run, int s, struct stage *stage)
{
    const struct buffer *buffers = run->buffers;
    if (s == STAGE_DOT) {
        const struct buffer wired[] = {buffers[PIPELINE_A], buffers[PIPELINE_B], buffers[PIPELINE_RESULT],
                                       buffers[PIPELINE_RESULT]};
        memcpy(stage->buffers, wired, sizeof wired);
    } else {
        stage->buffers[0] = buffers[PIPELINE_A];
    }
}

static enum status prepare_stage(struct run *run, int s, struct stage *stage, struct error *error)
{
    int array_count;
    enum status status = kernel_describe(&stage->problem, stage->arrays, &array_count, error);
    if (status == STATUS_OK)
        status =
            prepared_run_plan(&stage->prepared, stage->rung, &stage->problem, run->device, &stage->parameters, error);
    if (status != STATUS_OK)
        return status;
    wire(run, s, stage);
    return prepared_run_make(&stage->prepared, stage->arrays, array_count, stage->buffers, run->scratch, error);
}

static enum status prepare(struct run *run, struct error *error)
{
    struct stage *stages = run->state = calloc(STAGES, sizeof *stages);
    char reason[256];
    if (!stages)
        return fail(error, STATUS_UNAVAILABLE, "no memory");
    const char *refusal = find_parts(parts_of(run->rung), run->problem, run->device, stages, reason, sizeof reason);
    enum status status = refusal ? fail(error, STATUS_UNAVAILABLE, "%s", refusal) : STATUS_OK;
    for (int s = 0; status == STATUS_OK && s < STAGES; s++)
        status = prepare_stage(run, s, &stages[s], error);
    if (status != STATUS_OK)
        finish(run);
    return status;
}

static enum status enqueue(struct run *run, struct error *error)
{
    struct stage *stages = run->state, *sort = &stages[STAGE_SORT], *dot = &stages[STAGE_DOT];
    enum status status = STATUS_OK;
    for (int v = PIPELINE_A; status == STATUS_OK && v <= PIPELINE_B; v++) {
        sort->buffers[0] = run->buffers[v];
        status = prepared_run_enqueue(&sort->prepared, error);
    }
    return status == STATUS_OK ? prepared_run_enqueue(&dot->prepared, error) : status;
}

/* The lab asks for a rung's needs before there is a run, so each rung has functions that know its row of the table. */
#define DEFINE_RUNG(index, symbol, label, kind_of_rung, where, words, stated)                            \
    static const char *supports_##symbol(const struct problem *problem, const struct device *device,     \
                                         const struct parameters *parameters, char *reason, size_t size) \
    {                                                                                                    \
        (void)parameters;                                                                                \
        return supports_parts(&table[index].parts, problem, device, reason, size);                       \
    }                                                                                                    \
    static size_t scratch_##symbol(const struct problem *problem, const struct device *device,           \
                                   const struct parameters *parameters)                                  \
    {                                                                                                    \
        (void)parameters;                                                                                \
        return scratch_parts(&table[index].parts, problem, device);                                      \
    }                                                                                                    \
    const struct rung pipeline_##symbol = {                                                              \
        .name = label,                                                                                   \
        .idea = words,                                                                                   \
        .kind = kind_of_rung,                                                                            \
        .backends = where,                                                                               \
        .bound = stated,                                                                                 \
        .supports = supports_##symbol,                                                                   \
        .scratch = scratch_##symbol,                                                                     \
        .prepare = prepare,                                                                              \
        .finish = finish,                                                                                \
        .enqueue = enqueue,                                                                              \
    };

DEFINE_RUNG(PARTS_SERIAL, serial, "serial", RUNG_HOST, BACKEND_CPU,
            N_("the publication's program on the host: the iterative bitonic sort and one accumulator, one thread"),
            DOT_ONE_ACCUMULATOR)
DEFINE_RUNG(PARTS_CPU, cpu, "cpu", RUNG_HOST, BACKEND_CPU,
            N_("the CPU's best: the fastest sort here, and dot's parallel-simd"),
            "(n / 8 + 1088) * 0.00000000000000011102230246251565")
DEFINE_RUNG(PARTS_DEVICE_STEP, device_step, "device-step", RUNG_DEVICE, BACKEND_OPENCL | BACKEND_CUDA,
            N_("the publication's program on a device: bitonic-step, and tree, which finishes on the host"),
            "(ceil(n / 262144) + 12) * epsilon * 1.01")
DEFINE_RUNG(PARTS_DEVICE, device, "device", RUNG_DEVICE, BACKEND_OPENCL | BACKEND_CUDA,
            N_("the device's best: radix sort, and wide, which finishes on the device"),
            "(n / 264 + 11000) * 0.00000000000000011102230246251565")
