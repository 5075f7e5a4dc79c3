/* Every device rung in OpenCL C of every ladder, traced over a small problem: what it computes passes its kernel's own
 * check, so that what was traced is what the rung does. With USKOR_LONG over every element type, too. */
#include "traced.h"

#include "backends/backend.h"

/* Sizes with edges. */
static const char *const problems[] = {
    "dot:n=70001", "matmul:m=70,n=66,k=35",      "resize:width=50,height=38",
    "sort:n=5000", "transpose:rows=150,cols=70", "wave:nx=44,ny=20,nz=18,steps=4",
    NULL,
};

struct judgement {
    const struct problem *problem;
    const struct rung *rung;
    struct check_result result;
    bool judged;
};

static void judge(void *context, const struct array *arrays, struct host_arrays output)
{
    struct judgement *judgement = context;
    struct host_arrays input = {{NULL}};
    struct array own[KERNEL_ARRAYS_MAX];
    int count;
    assert_int_equal(kernel_describe(judgement->problem, own, &count, &error), STATUS_OK);
    for (int i = 0; i < count; i++)
        input.data[i] = calloc(1, arrays[i].bytes + 1);
    judgement->problem->kernel->fill(judgement->problem, own, input);
    judgement->problem->kernel->check(judgement->problem, arrays, input, output, &judgement->result);
    judgement->judged = true;
    for (int i = 0; i < count; i++)
        free(input.data[i]);
}

/* Host halves that add up on the host (dot's tree) do so in their own memory: they are not looked at here. */
static void trace_one(const struct rung *rung, const struct problem *problem)
{
    struct explain_request request = request_for(rung, problem);
    struct judgement judgement = {.problem = problem, .rung = rung};
    double bound = 0;
    char text[PROBLEM_TEXT_MAX];
    assert_int_equal(rung_bound(rung, problem, &request.parameters, &bound, &error), STATUS_OK);
    judgement.result.bound = bound;
    request.inspect = judge;
    request.context = &judgement;
    explain_trace_free(&trace);
    enum status status = explain_trace_run(&request, &trace, &error);
    if (status == STATUS_UNAVAILABLE && strstr(error.text, "not traced"))
        return;
    if (status != STATUS_OK)
        fail_msg("%s, %s: %s", rung->name, problem_text(problem, text), error.text);
    if (!judgement.judged || !judgement.result.passed)
        fail_msg("%s, %s: %s", rung->name, problem_text(problem, text), judgement.result.reason);
    assert_true(trace.access_count > 0);
    if (trace.race_count > 0)
        fail_msg("%s, %s: a race on %s, lines %d and %d", rung->name, problem_text(problem, text), trace.races[0].array,
                 trace.races[0].lines[0], trace.races[0].lines[1]);
    assert_string_equal(trace.barrier_missed, "");
    for (size_t i = 0; i < trace.access_count; i++) {
        const struct explain_access *access = &trace.accesses[i];
        if (access->line <= 0 || strcmp(access->array, "?") == 0)
            fail_msg("%s: an access to %s on line %d", rung->name, access->array, access->line);
        for (int r = 0; r < RULES; r++)
            assert_true(access->counts[r].transactions >= access->counts[r].requests &&
                        access->counts[r].bytes_used <= access->counts[r].bytes_moved);
    }
}

static void every_rung(void **state)
{
    (void)state;
    if (!has_compiler()) {
        print_message("SKIP: a trace needs a C++ compiler and addr2line\n");
        skip();
    }
    size_t traced = 0;
    for (size_t p = 0; problems[p]; p++) {
        struct problem problem;
        const struct rung *const *rungs;
        size_t count;
        expect_ok(problem_parse(problems[p], &problem, &error));
        expect_ok(kernel_rungs(problem.kernel, &rungs, &count, &error));
        size_t types = getenv("USKOR_LONG") ? problem.kernel->type_count : 1;
        for (size_t t = 0; t < types; t++)
            for (size_t i = 0; i < count; i++) {
                problem.type = problem.kernel->types[t];
                if (rungs[i]->kind != RUNG_DEVICE || !rungs[i]->source)
                    continue;
                trace_one(rungs[i], &problem);
                traced++;
            }
    }
    assert_true(traced > 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_rung)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
