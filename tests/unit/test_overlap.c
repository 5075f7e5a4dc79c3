/* Jobs in parts on several queues of the first OpenCL device: every form is right, and its timeline is in order. */
#include "opencl_device.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/size.h"
#include "lab/transfers/overlap.h"
#include "store/measurement.h"

#include "verdicts.h"

static const struct overrides none;

/* The ladder's first device rung that can run. */
static void choose(const struct problem *problem, struct candidate *candidate)
{
    const struct rung *const *rungs;
    size_t count;
    char reason[512];
    expect_ok(kernel_rungs(problem->kernel, &rungs, &count, &error));
    for (size_t i = 0; i < count; i++) {
        expect_ok(candidate_make(device, rungs[i], problem, &none, candidate, &error));
        if (rungs[i]->kind == RUNG_DEVICE &&
            !rung_refuses(rungs[i], problem, device, &candidate->parameters, reason, sizeof reason))
            return;
    }
    fail_msg("no rung can run");
}

/* What is set by itself is a tunable that some rung has: a name that no rung knows is passed over in silence. */
static void its_tunable_is_some_rungs(void **state)
{
    (void)state;
    const struct rung *const *rungs;
    size_t count, found = 0;
    expect_ok(kernel_rungs(kernel_by_name("transpose", &error), &rungs, &count, &error));
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < rungs[i]->tunable_count; t++)
            found += strcmp(rungs[i]->tunables[t].name, OVERLAP_TUNABLE) == 0;
    assert_true(found > 0);
}

/* On a GPU the rung with the tunable is preferred: others took a fifth longer. A processor has no such cache to spare.
 */
static void the_copies_cache_is_spared_on_a_gpu(void **state)
{
    (void)state;
    struct device gpu = {.id = "gpu"}, processor = {.id = "processor", .properties = {.is_cpu = true}};
    const struct rung *shifted = NULL, *vector = NULL, *const * rungs;
    size_t count;
    expect_ok(kernel_rungs(kernel_by_name("transpose", &error), &rungs, &count, &error));
    for (size_t i = 0; i < count; i++) {
        shifted = strcmp(rungs[i]->name, "shifted") == 0 ? rungs[i] : shifted;
        vector = strcmp(rungs[i]->name, "vector") == 0 ? rungs[i] : vector;
    }
    assert_true(overlap_prefers(shifted, &gpu));
    assert_false(overlap_prefers(vector, &gpu));
    assert_false(overlap_prefers(shifted, &processor));
}

static void overlap(const char *job, size_t parts, enum memory_kind memory, struct measurement_list *list,
                    struct timeline_list *timelines)
{
    static struct problem problem; /* the list outlives this function */
    struct candidate candidate;
    struct overlap_options options = overlap_defaults();
    options.parts = parts;
    options.memory = memory;
    options.seconds = 0.001;
    options.queues[0] = 1;
    options.queues[1] = 3;
    options.queues[2] = OVERLAP_BY_PHASE;
    options.queues_count = 3;
    expect_ok(problem_parse(job, &problem, &error));
    choose(&problem, &candidate);
    expect_ok(lab_overlap(&problem, &candidate, &none, &options, list, timelines, &error));
}

static void forget(struct measurement_list *list, struct timeline_list *timelines)
{
    measurement_list_free(list);
    timeline_list_free(timelines);
}

static void check_order(const struct timeline *timeline)
{
    for (size_t p = 0; p < timeline->count; p++) {
        const struct timeline_part *part = &timeline->parts[p];
        assert_int_equal(part->queue, timeline->by_phase ? 0 : p % timeline->queues);
        assert_true(part->in[0] >= 0 && part->in[0] <= part->in[1]);
        assert_true(part->in[1] <= part->compute[0] && part->compute[0] <= part->compute[1]);
        assert_true(part->compute[1] <= part->out[0] && part->out[0] <= part->out[1]);
        if (!timeline->by_phase && p >= timeline->queues)
            assert_true(timeline->parts[p - timeline->queues].out[1] <= part->in[0]);
    }
}

static void every_form_is_right(void **state)
{
    NEEDS_DEVICE();
    static const char *const jobs[] = {"transpose:rows=40,cols=33", "dot:n=4099", "resize:width=16,height=24",
                                       "wave:nx=32,ny=32,nz=24,steps=2,input=random", "matmul:m=40,n=24,k=16"};
    static const enum memory_kind kinds[] = {MEMORY_PINNED, MEMORY_PAGEABLE};
    for (size_t j = 0; j < COUNT_OF(jobs); j++) {
        struct measurement_list list = {0};
        struct timeline_list timelines = {0};
        overlap(jobs[j], 5, kinds[j % 2], &list, &timelines);
        assert_int_equal(list.count,
                         3 + 1 + 1 + 3); /* ceilings, both ways, serial, two numbers of queues and one a phase */
        assert_int_equal(timelines.count, 3);
        for (size_t i = 0; i < list.count; i++) {
            const struct measurement *measurement = &list.items[i];
            expect_reason(measurement, VERDICT_PASS, "");
            assert_true(measurement->phases[PHASE_END_TO_END].count >= 3);
            assert_string_equal(measurement->kernel, "overlap");
            assert_int_equal(measurement->kind == MEASURED_PROBE, i < 3);
        }
        assert_non_null(strstr(list.items[6].parameters, "queues=3 parts=5"));
        assert_non_null(strstr(list.items[7].parameters, "queues=3 by=phase parts=5"));
        assert_non_null(strstr(list.items[4].parameters, "queues=1 parts=1"));
        if (!is_oclgrind())
            for (size_t i = 0; i < timelines.count; i++)
                check_order(&timelines.items[i]);
        forget(&list, &timelines);
    }
}

static void timelines_are_json(void **state)
{
    NEEDS_DEVICE();
    struct measurement_list list = {0};
    struct timeline_list timelines = {0};
    overlap("transpose:rows=40,cols=33", 0, MEMORY_PINNED, &list, &timelines);
    char *text = timeline_json(&timelines.items[1]);
    json_t *parsed = json_loads(text, 0, NULL);
    assert_non_null(parsed);
    assert_int_equal(json_integer_value(json_object_get(parsed, "queues")), 3);
    json_t *parts = json_object_get(parsed, "parts");
    assert_int_equal(json_array_size(parts), timelines.items[1].count);
    assert_int_equal(json_array_size(json_object_get(json_array_get(parts, 0), "compute")), 2);
    json_decref(parsed);
    free(text);
    forget(&list, &timelines);
}

static void what_cannot_overlap_is_skipped(void **state)
{
    NEEDS_DEVICE();
    struct measurement_list list = {0};
    struct timeline_list timelines = {0};
    overlap("sort:n=100", 0, MEMORY_PINNED, &list, &timelines);
    overlap("transpose:rows=3,cols=3", 7, MEMORY_PINNED, &list, &timelines);
    assert_int_equal(list.count, 2);
    assert_int_equal(timelines.count, 0);
    expect_reason(&list.items[0], VERDICT_SKIP, "nothing can leave before all is there");
    expect_reason(&list.items[1], VERDICT_SKIP, "3 rows and 3 columns make no 7 parts");
    forget(&list, &timelines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_tunable_is_some_rungs),
        cmocka_unit_test(the_copies_cache_is_spared_on_a_gpu),
        cmocka_unit_test(every_form_is_right),
        cmocka_unit_test(timelines_are_json),
        cmocka_unit_test(what_cannot_overlap_is_skipped),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
