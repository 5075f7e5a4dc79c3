/* Methods over ranks, on forked processes instead of MPI's: every element is right on any number of ranks, a byte that
 * changes on its way is seen, and an operation that fails is told by all ranks. */
#include <math.h>
#include <signal.h>

#include "backends/backend.h"
#include "base/size.h"
#include "base/threads.h"
#include "choice/choose_rung.h"
#include "distributed/ranks/links.h"
#include "distributed/ranks/measure.h"

#include "forked_ranks.h"

struct job_of_ranks {
    const char *problem, *method;
    bool in_parts;
    enum status verdict; /* STATUS_SYSTEM: distributed_measure itself returns it */
    unsigned refused;    /* a bit for each number of ranks that cannot */
};

static const struct method *method_named(const struct kernel *kernel, const char *name)
{
    for (size_t i = 0; methods[i]; i++)
        if (strcmp(methods[i]->kernel, kernel->name) == 0 && strcmp(methods[i]->name, name) == 0)
            return methods[i];
    return NULL;
}

static bool is_as_it_must_be(const struct job_of_ranks *job, const struct ranks *world, enum status status,
                             const struct distributed_result *result, const char *said)
{
    const bool is_right = job->verdict == STATUS_SYSTEM ? status == STATUS_SYSTEM && strstr(said, "code 5")
                                                        : status == STATUS_OK && result->verdict == job->verdict;
    if (is_right && result->verdict == STATUS_OK)
        return result->time.count == 2 && result->time.median > 0 && result->communication >= 0 &&
               result->communication <= 1 && (result->sent > 0) == (world->count > 1) &&
               (result->parts > 0) == (world->count > 1);
    if (!is_right)
        print_error("%s by %s on %d ranks%s: %d, %d: %s%s\n", job->problem, job->method, world->count,
                    job->in_parts ? ", in parts" : "", status, result->verdict, result->reason, said);
    return is_right;
}

static bool measure(const struct ranks *world, void *context)
{
    const struct job_of_ranks *job = context;
    static struct distributed_result result;
    struct problem problem;
    struct device *device = NULL;
    struct error error = {""};
    threads_set(1);
    if (problem_parse(job->problem, &problem, &error) != STATUS_OK || device_open("cpu", &device, &error) != STATUS_OK)
        return false;
    const struct method *method = method_named(problem.kernel, job->method);
    const struct timing timing = {.seconds = 1e-9, .samples = 2, .in_parts = job->in_parts, .seed = 7};
    if (!method)
        return false;
    const enum status status = distributed_measure(method, &problem, world, device, &timing, &result, &error);
    device_close(device);
    return is_as_it_must_be(job, world, status, &result, error.text);
}

static const struct job_of_ranks jobs[] = {
    {"transpose:rows=37,cols=53", "exchange", false, STATUS_OK, 0},
    {"transpose:rows=3,cols=29,f64", "exchange", true, STATUS_OK, 0},
    {"sort:n=1001", "splitters", false, STATUS_OK, 0},
    {"sort:n=1003,f64,input=few", "splitters", true, STATUS_OK, 0},
    {"dot:n=1001", "blocks", false, STATUS_OK, 0},
    {"dot:n=3,f64", "blocks", true, STATUS_OK, 0},
    {"matmul:m=31,n=47,k=29", "summa", false, STATUS_OK, 0},
    {"matmul:m=13,n=5,k=31,alpha=-1,beta=2,f64", "summa", true, STATUS_OK, 0},
    {"matmul:m=31,n=47,k=29,alpha=2,beta=-1", "summa-2.5d", false, STATUS_OK, 1 << 2 | 1 << 3},
    {"wave:nx=9,ny=7,nz=41,steps=3,input=random", "halo", false, STATUS_OK, 0},
    {"wave:nx=9,ny=7,nz=41,steps=2,input=random", "overlapped", true, STATUS_OK, 0},
    {"wave:nx=37,ny=29,nz=23,steps=3,input=random", "halo-3d", false, STATUS_OK, 0},
    {"wave:nx=17,ny=29,nz=13,steps=2,input=random", "overlap-3d", true, STATUS_OK, 0},
};

static void every_element_is_right(void **state)
{
    (void)state;
    static const int counts[] = {1, 3, 4};
    for (size_t i = 0; i < COUNT_OF(jobs); i++)
        for (size_t c = 0; c < COUNT_OF(counts); c++) {
            struct job_of_ranks job = jobs[i];
            job.verdict = job.refused >> counts[c] & 1 ? STATUS_UNAVAILABLE : STATUS_OK;
            assert_true(over_ranks(counts[c], 0, 0, measure, &job));
        }
}

/* Of the first run, whose results are judged before any is timed. */
static void a_byte_that_changes_is_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(jobs); i++) {
        struct job_of_ranks job = jobs[i];
        job.verdict = STATUS_FAILED;
        if (strcmp(job.method, "blocks") != 0)
            assert_true(over_ranks(4, 2, 0, measure, &job));
    }
}

static void an_operation_that_fails_is_told(void **state)
{
    (void)state;
    struct job_of_ranks job = {"transpose:rows=37,cols=53", "exchange", true, STATUS_SYSTEM, 0};
    assert_true(over_ranks(1, 0, 9, measure, &job));
}

/* ---- the operations themselves ---- */

#define EXPECT(what)                                                             \
    do {                                                                         \
        if (!(what)) {                                                           \
            print_error("rank %d, line %d: %s\n", world->rank, __LINE__, #what); \
            return false;                                                        \
        }                                                                        \
    } while (0)

static bool agree(const struct ranks *world, void *context)
{
    (void)context;
    struct error error = {""};
    const int own = world->rank;
    EXPECT(ranks_agree(world, STATUS_OK, &error) == STATUS_OK);
    /* Of several that fail, the first is named; where all do, nobody. */
    enum status mine = own >= 1 ? fail(&error, own == 1 ? STATUS_INVALID : STATUS_FAILED, "number %d", own) : STATUS_OK;
    EXPECT(ranks_agree(world, mine, &error) == STATUS_INVALID);
    EXPECT(strcmp(error.text, "rank 1: number 1") == 0);
    mine = fail(&error, own ? STATUS_FAILED : STATUS_UNAVAILABLE, "number %d", own);
    EXPECT(ranks_agree(world, mine, &error) == STATUS_UNAVAILABLE);
    EXPECT(strcmp(error.text, "number 0") == 0);
    EXPECT(ranks_same_text(world, "the same", &error) == STATUS_OK);
    EXPECT(ranks_same_text(world, own == 2 ? "another" : "the same", &error) == STATUS_INVALID);
    EXPECT(strcmp(error.text, "rank 2: is told to do something else than rank 0: another") == 0);
    EXPECT(!ranks_are_broken());
    return true;
}

static bool add_up(const struct ranks *world, void *context)
{
    (void)context;
    struct error error = {""};
    struct communication said = {0};
    struct ranks counted = *world;
    counted.communication = &said;
    uint64_t numbers[] = {(uint64_t)world->rank + 1, 10}, before[] = {(uint64_t)world->rank + 1, 10};
    double largest = 7 - world->rank;
    float sums[3] = {1, (float)world->rank, 0.5f};
    EXPECT(ranks_sum_to_all(&counted, numbers, 2, &error) == STATUS_OK && numbers[0] == 6 && numbers[1] == 30);
    EXPECT(said.bytes == 2.0 * 16 * 2 / 3 && said.nanoseconds > 0);
    said = (struct communication){0};
    EXPECT(ranks_sum_before(&counted, before, 2, &error) == STATUS_OK);
    EXPECT(before[0] == (uint64_t)(world->rank * (world->rank + 1) / 2) && before[1] == 10 * (uint64_t)world->rank);
    EXPECT(said.bytes == (world->rank < 2 ? 16 : 0));
    EXPECT(ranks_largest(world, &largest, &error) == STATUS_OK && largest == 7);
    said = (struct communication){0};
    EXPECT(ranks_sum(&counted, sums, 3, false, 1, &error) == STATUS_OK && said.bytes == (world->rank == 1 ? 0 : 12));
    EXPECT(world->rank != 1 || (sums[0] == 3 && sums[1] == 3 && sums[2] == 1.5f));
    said = (struct communication){0};
    EXPECT(ranks_broadcast(&counted, numbers, sizeof numbers, 2, &error) == STATUS_OK);
    EXPECT(said.bytes == (world->rank == 2 ? 16 : 0));
    said = (struct communication){.is_muted = true}; /* nothing travels, and nothing is counted */
    numbers[0] = 5;
    EXPECT(ranks_sum_to_all(&counted, numbers, 2, &error) == STATUS_OK && numbers[0] == 5);
    EXPECT(ranks_gather_to_all(&counted, numbers, 8, NULL, &error) == STATUS_OK);
    EXPECT(ranks_all_to_all(&counted, numbers, 8, NULL, &error) == STATUS_OK);
    EXPECT(ranks_agree(&counted, STATUS_FAILED, &error) == STATUS_FAILED && said.bytes == 0);
    return true;
}

static bool split(const struct ranks *world, void *context)
{
    (void)context;
    struct error error = {""};
    struct ranks part, host;
    struct rank_share share;
    EXPECT(ranks_split(world, world->rank == 3 ? -1 : world->rank % 2, &part, &error) == STATUS_OK);
    EXPECT(part.count == (world->rank == 3 ? 0 : world->rank % 2 ? 1 : 2) && part.rank == (world->rank == 2));
    ranks_free(&part);
    EXPECT(!part.group && part.count == 0);
    EXPECT(ranks_on_host(world, &host, &error) == STATUS_OK && host.count == 2 && host.rank == world->rank % 2);
    EXPECT(ranks_share(&host, &share, &error) == STATUS_OK && share.cores >= 1 && share.sharers == 2);
    EXPECT(rank_share_threads(&(struct rank_share){7, 2}) == 3 && rank_share_threads(&(struct rank_share){1, 4}) == 1);
    ranks_free(&host);
    return true;
}

static bool use_files(const struct ranks *world, void *context)
{
    struct error error = {""};
    const char *path = context;
    void *file = NULL;
    char own = (char)('a' + world->rank), all[3];
    EXPECT(ranks_file_open("/no/such/file", false, &file, &error) == STATUS_INVALID);
    EXPECT(strstr(error.text, "/no/such/file") && strstr(error.text, "every rank must see"));
    EXPECT(ranks_file_open(path, true, &file, &error) == STATUS_OK);
    EXPECT(ranks_file_write(file, path, (size_t)world->rank, &own, 1, &error) == STATUS_OK);
    EXPECT(ranks_barrier(world, &error) == STATUS_OK && ranks_rest(world, &error) == STATUS_OK);
    EXPECT(ranks_file_read(file, path, 0, all, 3, &error) == STATUS_OK && memcmp(all, "abc", 3) == 0);
    EXPECT(ranks_file_read(file, path, 1, all, 3, &error) == STATUS_SYSTEM && strstr(error.text, path));
    EXPECT(!ranks_are_broken()); /* a file says nothing of the ranks */
    EXPECT(ranks_file_close(file, path, &error) == STATUS_OK);
    return true;
}

/* Every time is measured, and between two sizes a line gives the time. */
static bool look_at_links(const struct ranks *world, void *context)
{
    (void)context;
    struct error error = {""};
    struct links links;
    threads_set(1);
    EXPECT(links_measure(world, 1e-3, &links, &error) == STATUS_OK && links.ranks == 2 && links.on_host == 2);
    for (int kind = 0; kind < OPERATION_KINDS; kind++)
        for (int size = 0; size < LINK_SIZES; size++)
            EXPECT(links.ns[kind][size] > 0 && links.ns[kind][size] < 1e11);
    EXPECT(links.progress >= 0 && links.progress <= 1);
    return true;
}

static void operations_do_what_they_say(void **state)
{
    (void)state;
    char path[] = "/tmp/uskor-ranks-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    const bool are_well[] = {over_ranks(3, 0, 0, agree, NULL), over_ranks(3, 0, 0, add_up, NULL),
                             over_ranks(4, 0, 0, split, NULL), over_ranks(3, 0, 0, use_files, path)};
    close(file);
    unlink(path);
    for (size_t i = 0; i < COUNT_OF(are_well); i++)
        assert_true(are_well[i]);
}

static void links_have_times(void **state)
{
    (void)state;
    assert_true(over_ranks(2, 0, 0, look_at_links, NULL));
    struct links links = {.ranks = 3};
    for (int size = 0; size < LINK_SIZES; size++)
        links.ns[OPERATION_EXCHANGE][size] = 100 + 2 * (double)link_sizes[size];
    for (int size = 0; size < LINK_SIZES; size++)
        for (int part = 0; part < 4; part++) {
            const double bytes = (double)link_sizes[size] * (1 + part / 4.0);
            assert_true(fabs(links_time(&links, OPERATION_EXCHANGE, bytes) - (100 + 2 * bytes)) < 1e-6 * bytes);
        }
}

/* What the ranks would each read for themselves: which rung serves a problem. */
static int read_once(void **state)
{
    (void)state;
    struct device *device;
    struct problem problem;
    struct rung_choice choice;
    struct error error;
    if (device_open("cpu", &device, &error) != STATUS_OK)
        return -1;
    for (size_t i = 0; i < COUNT_OF(jobs); i++)
        if (problem_parse(jobs[i].problem, &problem, &error) != STATUS_OK ||
            choose_rung(&problem, device, NULL, &choice, &error) != STATUS_OK)
            return -1;
    device_close(device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_element_is_right),
        cmocka_unit_test(a_byte_that_changes_is_seen),
        cmocka_unit_test(an_operation_that_fails_is_told),
        cmocka_unit_test(operations_do_what_they_say),
        cmocka_unit_test(links_have_times),
    };
    return cmocka_run_group_tests(tests, read_once, NULL);
}
