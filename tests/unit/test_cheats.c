/* Rungs that work when they are looked at, and less when they are timed: each must be found out, in every way it can be
 * timed, and a right one never accused. */
#include "cheats.h"

#include <pthread.h>

#include "base/clock.h"
#include "lab/verification/audit.h"

static int calls;
static uint32_t kept[ELEMENTS_MAX], first_in, last_in;
static const void *kept_for;
static bool are_kept[3]; /* the sets below */

static void forget(void)
{
    calls = 0;
    first_in = last_in = 0;
    kept_for = NULL;
    for (size_t i = 0; i < COUNT_OF(are_kept); i++)
        are_kept[i] = false;
}

static enum status work_and_keep(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    enum status status = right(run, error);
    memcpy(kept, m.out, m.count * sizeof *kept);
    kept_for = m.in;
    first_in = m.in[0];
    last_in = m.in[m.count - 1];
    return status;
}

static enum status replay(struct run *run)
{
    struct matrix m = matrix_of(run);
    memcpy(m.out, kept, m.count * sizeof *kept);
    return STATUS_OK;
}

static enum status replays_the_first_answer(struct run *run, struct error *error)
{
    return calls++ == 0 ? work_and_keep(run, error) : replay(run);
}

static enum status replays_by_pointer(struct run *run, struct error *error)
{
    return kept_for != run->buffers[0].host ? work_and_keep(run, error) : replay(run);
}

static enum status replays_by_ends_of_the_input(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    bool is_known = calls++ > 0 && m.in[0] == first_in && m.in[m.count - 1] == last_in;
    return is_known ? replay(run) : work_and_keep(run, error);
}

/* At four places. */
static enum status replays_by_sample_of_the_input(struct run *run, struct error *error)
{
    static uint32_t sample[4];
    struct matrix m = matrix_of(run);
    bool is_known = calls++ > 0;
    for (size_t i = 0; i < COUNT_OF(sample); i++) {
        uint32_t now = m.in[m.count / COUNT_OF(sample) * i];
        is_known = is_known && sample[i] == now;
        sample[i] = now;
    }
    return is_known ? replay(run) : work_and_keep(run, error);
}

static enum status halves_after_a_few(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    if (calls++ < 4)
        return right(run, error);
    transpose_rows(&m, 0, m.rows / 2);
    return STATUS_OK;
}

static enum status rests_after_some(struct run *run, struct error *error)
{
    return calls++ < 4 ? right(run, error) : STATUS_OK;
}

/* What it left last time is still there, and so is what it made it from: the call before was the same. */
static enum status works_once_a_batch(struct run *run, struct error *error)
{
    static uint32_t first_out;
    struct matrix m = matrix_of(run);
    if (calls++ > 0 && m.in[0] == first_in && m.out[0] == first_out)
        return STATUS_OK;
    enum status status = work_and_keep(run, error);
    first_out = m.out[0];
    return status;
}

/* Poison is one byte over and over. */
static enum status works_where_it_sees_poison(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    return m.out[0] == (m.out[0] & 0xFF) * 0x01010101u ? right(run, error) : STATUS_OK;
}

static int64_t ended;

/* By the time between calls alone: what runs as one of a batch comes at once. */
static enum status works_after_a_pause(struct run *run, struct error *error)
{
    bool is_pause = calls++ == 0 || clock_now() - ended > 5000;
    enum status status = is_pause ? right(run, error) : STATUS_OK;
    ended = clock_now();
    return status;
}

static uint32_t seen_in[ELEMENTS_MAX];

/* Reads all there is, and computes, which takes long, only where something has changed: never wrong. */
static enum status works_where_data_changed(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    if (calls++ > 0 && !memcmp(m.in, seen_in, m.count * sizeof *m.in) && !memcmp(m.out, kept, m.count * sizeof *m.out))
        return STATUS_OK;
    for (int i = 0; i < 8; i++)
        right(run, error);
    memcpy(seen_in, m.in, m.count * sizeof *m.in);
    return work_and_keep(run, error);
}

/* ---- work kept from earlier calls ------------------------------------------------------------------------------- */

/* Its work is heavy, and it keeps its last answers with their inputs: where few columns of `in` differ from one of
 * these, it mends that answer. It is never wrong. */
#define SETS COUNT_OF(are_kept)
#define HEAVY 100 /* transposes in one */
static struct {
    uint32_t in[ELEMENTS_MAX], out[ELEMENTS_MAX];
} sets[SETS];
static size_t next_set;

static void work_heavily(const struct matrix *m)
{
    for (int i = 0; i < HEAVY; i++) {
        transpose_rows(m, 0, m->rows);
        __asm__ volatile("" ::: "memory");
    }
}

static size_t changed_rows(const struct matrix *m, size_t set)
{
    size_t changed = 0;
    for (size_t row = 0; row < m->rows; row++)
        changed += memcmp(&m->in[row * m->cols], &sets[set].in[row * m->cols], m->cols * sizeof *m->in) != 0;
    return changed;
}

/* Among the last `count` sets. */
static enum status use_kept(struct run *run, size_t count)
{
    struct matrix m = matrix_of(run);
    size_t set = 0;
    while (set < count && !(are_kept[set] && changed_rows(&m, set) < m.rows / 3))
        set++;
    if (set == count) {
        set = next_set++ % count;
        work_heavily(&m);
        memcpy(sets[set].out, m.out, m.count * sizeof *m.out);
    } else {
        const struct matrix own = {m.in, sets[set].out, m.rows, m.cols, m.count};
        for (size_t row = 0; row < m.rows; row++)
            if (memcmp(&m.in[row * m.cols], &sets[set].in[row * m.cols], m.cols * sizeof *m.in) != 0)
                transpose_rows(&own, row, row + 1);
        memcpy(m.out, sets[set].out, m.count * sizeof *m.out);
    }
    memcpy(sets[set].in, m.in, m.count * sizeof *m.in);
    are_kept[set] = true;
    return STATUS_OK;
}

static enum status work_in_full(struct run *run)
{
    struct matrix m = matrix_of(run);
    work_heavily(&m);
    return STATUS_OK;
}

static enum status mends_its_last_answer(struct run *run, struct error *error)
{
    (void)error;
    return use_kept(run, 1);
}

static enum status mends_one_of_three(struct run *run, struct error *error)
{
    (void)error;
    return use_kept(run, SETS);
}

static enum status works_in_full_now_and_then(struct run *run, struct error *error)
{
    (void)error;
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % 10 < 3 ? work_in_full(run) : use_kept(run, 1);
}

/* Inputs that are as they were, or wholly others, are what a comparison of paces would bring. */
static enum status mends_pieces_alone(struct run *run, struct error *error)
{
    (void)error;
    struct matrix m = matrix_of(run);
    return are_kept[0] && changed_rows(&m, 0) == 0 ? work_in_full(run) : use_kept(run, 1);
}

static enum status is_honest_later(struct run *run, struct error *error)
{
    (void)error;
    return calls++ < 60 ? use_kept(run, 2) : work_in_full(run);
}

#define WAIT_NS 20000000

static enum status waits_where_inputs_are_new(struct run *run, struct error *error)
{
    (void)error;
    struct matrix m = matrix_of(run);
    const bool are_new = !are_kept[0] || changed_rows(&m, 0) >= m.rows / 3;
    memcpy(sets[0].in, m.in, m.count * sizeof *m.in);
    are_kept[0] = true;
    work_heavily(&m);
    if (are_new)
        clock_sleep(WAIT_NS);
    return STATUS_OK;
}

static enum status works_heavily(struct run *run, struct error *error)
{
    (void)error;
    return work_in_full(run);
}

static enum status rests_every_other_time(struct run *run, struct error *error)
{
    return calls++ % 2 == 0 ? right(run, error) : STATUS_OK;
}

/* In timed runs alone: those whose outputs are as it left them, where it looks. */
static enum status leaves_a_quarter_when_timed(struct run *run, struct error *error)
{
    (void)error;
    struct matrix m = matrix_of(run);
    bool is_watched = m.out[0] == (m.out[0] & 0xFF) * 0x01010101u;
    transpose_rows(&m, 0, is_watched || calls++ < 3 ? m.rows : m.rows * 3 / 4);
    return STATUS_OK;
}

static enum status changes_and_restores(struct run *run, struct error *error)
{
    uint32_t *in = run->buffers[0].host;
    enum status status = right(run, error);
    if (calls++ > 4)
        in[5] ^= 1; /* and back, with the next call */
    return status;
}

static enum status writes_beyond_when_timed(struct run *run, struct error *error)
{
    struct matrix m = matrix_of(run);
    if (calls++ > 4)
        m.out[m.count] = 1;
    return right(run, error);
}

/* ---- a thread that goes on when the call has returned ----------------------------------------------------------- */

static struct matrix handed;
static pthread_t worker;
static bool has_worker;

static void *work_later(void *unused)
{
    struct matrix m = handed;
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* on a busy machine it were done before the call is */
    transpose_rows(&m, 0, m.rows);
    return unused;
}

static enum status leaves_it_to_a_thread(struct run *run, struct error *error)
{
    if (has_worker)
        pthread_join(worker, NULL);
    handed = matrix_of(run);
    has_worker = pthread_create(&worker, NULL, work_later, NULL) == 0;
    return has_worker ? STATUS_OK : fail(error, STATUS_SYSTEM, "no thread");
}

/* ---- the tests -------------------------------------------------------------------------------------------------- */

static void expect_refused(const char *name, enqueue_function *cheat, const char *text, bool cold, const char *word)
{
    struct rung rung = host_rung(name, cheat), honest = host_rung("honest", right);
    const struct rung *rungs[] = {&rung, &honest};
    forget();
    struct measurement_list list = bench_rungs("cpu", rungs, COUNT_OF(rungs), text, cold);
    expect_reason(&list.items[0], VERDICT_FAIL, word);
    expect_reason(&list.items[1], VERDICT_PASS, "");
    measurement_list_free(&list);
}

/* Which of the two sees it first is drawn: an audit between timed runs, or the comparison of paces behind them. */
#define LESS_WORK "elements are wrong|where data have changed"

#define REFUSED(cheat, word)                               \
    do {                                                   \
        expect_refused(#cheat, cheat, SMALL, false, word); \
        expect_refused(#cheat, cheat, LARGE, false, word); \
    } while (0)

static void test_replays(void **state)
{
    (void)state;
    REFUSED(replays_the_first_answer, LESS_WORK);
    REFUSED(replays_by_pointer, LESS_WORK);
    REFUSED(replays_by_ends_of_the_input, LESS_WORK);
    expect_refused("by sample", replays_by_sample_of_the_input, LARGE, false, LESS_WORK);
}

static void test_less_work(void **state)
{
    (void)state;
    REFUSED(halves_after_a_few, "elements are wrong");
    REFUSED(rests_after_some, "elements are wrong");
    REFUSED(works_once_a_batch, LESS_WORK);
    REFUSED(works_where_it_sees_poison, LESS_WORK);
    REFUSED(leaves_a_quarter_when_timed, LESS_WORK);
}

/* For a cheat that goes by time: on a machine that is out of breath, its own pace may hide it once. */
static void expect_found(const char *name, enqueue_function *cheat, const char *text, const char *word)
{
    bool is_found = false;
    for (int i = 0; i < 5 && !is_found; i++) {
        struct rung rung = host_rung(name, cheat);
        const struct rung *rungs[] = {&rung};
        forget();
        struct measurement_list list = bench_once("cpu", rungs, 1, text, false);
        is_found = list.items[0].verdict == VERDICT_FAIL && has_one_of(list.items[0].reason, word);
        if (!is_found)
            print_message("%s on %s: %s: %s\n", name, text, verdict_name(list.items[0].verdict), list.items[0].reason);
        measurement_list_free(&list);
    }
    if (!is_found)
        FAIL_WITH("%s was not found", name);
}

static void test_once_a_batch(void **state)
{
    (void)state;
    expect_found("works_after_a_pause", works_after_a_pause, SMALL, LESS_WORK);
    expect_found("works_where_data_changed", works_where_data_changed, "transpose:rows=32,cols=48",
                 "where data have changed");
}

/* Whether it gets a figure, in the best of five benches: on a busy machine its own pace may hide it, and the reason may
 * be that no figure can be had. */
static void expect_no_figure(const char *name, enqueue_function *cheat, const char *text)
{
    bool has_none = false;
    for (int i = 0; i < 5 && !has_none; i++) {
        struct rung rung = host_rung(name, cheat);
        const struct rung *rungs[] = {&rung};
        forget();
        struct measurement_list list = bench_once("cpu", rungs, 1, text, false);
        has_none = list.items[0].verdict != VERDICT_PASS && list.items[0].phases[PHASE_COMPUTE].count == 0;
        measurement_list_free(&list);
    }
    if (!has_none)
        FAIL_WITH("%s was not found", name);
}

static void test_kept_work(void **state)
{
    (void)state;
    expect_found("mends_its_last_answer", mends_its_last_answer, LARGE, "a run takes");
    expect_found("mends_its_last_answer", mends_its_last_answer, "transpose:rows=128,cols=96", "a run takes");
    expect_found("mends_one_of_three", mends_one_of_three, LARGE, "a run takes");
    expect_no_figure("works_in_full_now_and_then", works_in_full_now_and_then, LARGE);
    expect_no_figure("mends_pieces_alone", mends_pieces_alone, LARGE);
}

/* Its calls on new inputs are slow by the clock alone, as where other programs have the cores. A call that wakes up
 * finds cold caches: tens of microseconds of processor time on a busy machine, little beside these runs. One bench in
 * three may find too much. */
static void test_waits_accuse_nobody(void **state)
{
    (void)state;
    static const char *const texts[] = {"transpose:rows=128,cols=96", LARGE};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        bool is_accused = true;
        for (int bench = 0; bench < 3 && is_accused; bench++) {
            const struct rung rung = host_rung("waits", waits_where_inputs_are_new);
            const struct rung *rungs[] = {&rung};
            forget();
            struct measurement_list list = bench_once("cpu", rungs, 1, texts[i], false);
            const struct measurement *first = &list.items[0];
            is_accused = first->verdict == VERDICT_FAIL;
            if (is_accused)
                print_message("%s: %s\n", texts[i], first->reason);
            else if (first->verdict != VERDICT_PASS) /* as where the samples waited as long */
                expect_reason(first, VERDICT_ERROR, "disturbed: ");
            measurement_list_free(&list);
        }
        assert_false(is_accused);
    }
}

/* Its timed samples are those of no later run. */
static void test_honest_later(void **state)
{
    (void)state;
    expect_no_figure("is_honest_later", is_honest_later, LARGE);
}

static void test_heavy_work_passes(void **state)
{
    (void)state;
    static const char *const texts[] = {"transpose:rows=16,cols=24", SMALL, "transpose:rows=128,cols=96", LARGE};
    for (size_t i = 0; i < 2 * COUNT_OF(texts); i++) {
        struct rung rung = host_rung("works_heavily", works_heavily);
        const struct rung *rungs[] = {&rung};
        struct measurement_list list = bench_rungs("cpu", rungs, 1, texts[i / 2], false);
        expect_reason(&list.items[0], VERDICT_PASS, "");
        measurement_list_free(&list);
    }
}

/* Times made up: of an honest rung, now and then disturbed, and of one that works once in a batch of forty. */
static void test_pace(void **state)
{
    (void)state;
    const double honest[] = {5000, 90000, 5100, 4900}, changing[] = {70000, 9500, 60000, 80000};
    const double lazy[] = {400, 390, 9000, 410}, at_work[] = {16000, 15000, 15500, 400000};
    assert_false(pace_differs(honest, changing, COUNT_OF(honest)));
    assert_true(pace_differs(lazy, at_work, COUNT_OF(lazy)));
    assert_false(pace_differs(lazy, at_work, 0));
}

/* The last two calls that are looked at follow each other. */
static void test_now_and_then(void **state)
{
    (void)state;
    expect_refused("rests_every_other_time", rests_every_other_time, SMALL, false, LESS_WORK);
}

static void test_what_is_not_its_own(void **state)
{
    (void)state;
    REFUSED(changes_and_restores, ""); /* seen where it did it, or in what the next call made of it */
    REFUSED(writes_beyond_when_timed, "wrote past the end of array 'out'");
}

static void test_cold(void **state)
{
    (void)state;
    expect_refused("cold", replays_by_ends_of_the_input, SMALL, true, LESS_WORK);
}

static void test_work_after_the_clock(void **state)
{
    (void)state;
    expect_refused("leaves_it_to_a_thread", leaves_it_to_a_thread, "transpose:rows=300,cols=411", false, "");
    pthread_join(worker, NULL);
}

static void test_the_honest_pass(void **state)
{
    (void)state;
    struct rung honest = host_rung("honest", right);
    const struct rung *rungs[] = {&honest, &honest, &honest};
    static const char *const texts[] = {"transpose:rows=1,cols=1", "transpose:rows=0,cols=5", SMALL, LARGE};
    for (size_t i = 0; i < 4 * COUNT_OF(texts); i++) {
        struct measurement_list list = bench_rungs("cpu", rungs, COUNT_OF(rungs), texts[i / 4], false);
        for (size_t k = 0; k < list.count; k++) {
            expect_reason(&list.items[k], VERDICT_PASS, "");
            assert_true(list.items[k].phases[PHASE_COMPUTE].count > 0);
        }
        measurement_list_free(&list);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replays),
        cmocka_unit_test(test_less_work),
        cmocka_unit_test(test_once_a_batch),
        cmocka_unit_test(test_kept_work),
        cmocka_unit_test(test_waits_accuse_nobody),
        cmocka_unit_test(test_honest_later),
        cmocka_unit_test(test_heavy_work_passes),
        cmocka_unit_test(test_pace),
        cmocka_unit_test(test_now_and_then),
        cmocka_unit_test(test_what_is_not_its_own),
        cmocka_unit_test(test_cold),
        cmocka_unit_test(test_work_after_the_clock),
        cmocka_unit_test(test_the_honest_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
