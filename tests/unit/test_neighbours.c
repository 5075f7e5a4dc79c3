/* The rungs that a user's rung is timed with: the first that runs, those next to it, the fastest, libraries, and
 * itself. */
#include "base/size.h"
#include "lab/bench/neighbours.h"
#include "tables.h"

static const struct rung rungs[] = {{.name = "absent"},
                                    {.name = "serial"},
                                    {.name = "slowest"},
                                    {.name = "slower"},
                                    {.name = "faster"},
                                    {.name = "fast"},
                                    {.name = "fastest"},
                                    {.name = "library", .kind = RUNG_VENDOR},
                                    {.name = "missing", .kind = RUNG_VENDOR},
                                    {.name = "mine"}};
static const double times[] = {0, 800, 1000, 600, 400, 300, 100, 200, 0, 500};

static void expect(const struct measurement_list *look, const struct rung *mine, const char *names)
{
    struct candidate all[COUNT_OF(rungs)] = {0}, chosen[NEIGHBOURS_MOST];
    char found[256] = "";
    for (size_t i = 0; i < COUNT_OF(rungs); i++)
        all[i].rung = &rungs[i];
    const size_t count = neighbours_choose(mine, look, all, COUNT_OF(rungs), chosen);
    for (size_t i = 0; i < count; i++)
        sprintf(found + strlen(found), "%s ", chosen[i].rung->name);
    assert_string_equal(found, names);
}

static void are_chosen_by_their_times(void **state)
{
    (void)state;
    struct measurement_list look = {0};
    for (size_t i = 0; i < COUNT_OF(rungs); i++)
        if (times[i] > 0)
            add(&look, "dot:n=1000,f32", rungs[i].name, MEASURED_HOST, times[i]);
        else
            judged(add(&look, "dot:n=1000,f32", rungs[i].name, MEASURED_HOST, 0), VERDICT_SKIP, "no room");
    expect(&look, &rungs[9], "serial slower faster fastest library mine ");
    expect(&look, &rungs[6], "serial fastest library ");         /* nothing is faster */
    expect(&look, &rungs[2], "serial slowest fastest library "); /* nothing is slower */
    expect(&look, &rungs[7], "serial fast fastest library ");    /* between these two */
    expect(&look, &rungs[8], "serial fastest library missing "); /* it does not run: all are slower */
    measurement_list_free(&look);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(are_chosen_by_their_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
