/* The publications' data files: read whole, tied to rungs that exist, and consistent in themselves but where a remark
 * says that the publication is not; and files that do not keep to the form are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#undef fail
#define FAIL_WITH(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#include "kernels/kernel.h"
#include "publications/measured.h"
#include "publications/publication.h"

static void open_publication(const char *name, struct publication *publication)
{
    struct error error = {""};
    if (publication_open(name, publication, &error) != STATUS_OK)
        FAIL_WITH("%s\n", error.text);
    assert_string_equal(publication->name, name);
}

static void for_each(void (*look)(const struct publication *))
{
    for (size_t i = 0; publication_names[i]; i++) {
        struct publication publication;
        open_publication(publication_names[i], &publication);
        look(&publication);
        publication_free(&publication);
    }
}

/* ---- ties ----------------------------------------------------------------------------------------------------- */

static void look_at_choice(const struct publication *publication, const struct publication_run *run,
                           const struct rung *rung, const char *choice, int64_t size)
{
    char text[256], *rest = text, *word;
    assert_true(fill_size(choice, size, text, sizeof text));
    while ((word = strsep(&rest, " ")) != NULL) {
        char name[RUNG_NAME_MAX];
        long long value;
        bool known = false;
        assert_int_equal(sscanf(word, "%31[A-Z_]=%lld", name, &value), 2);
        for (size_t t = 0; t < rung->tunable_count; t++)
            for (size_t v = 0; v < rung->tunables[t].value_count; v++)
                known = known || (strcmp(rung->tunables[t].name, name) == 0 && rung->tunables[t].values[v] == value);
        if (!known)
            FAIL_WITH("%s, run %s: %s does not take %s\n", publication->name, run->id, rung->name, word);
    }
}

static void look_at_runs(const struct publication *publication)
{
    for (size_t r = 0; r < publication->run_count; r++) {
        const struct publication_run *run = &publication->runs[r];
        for (size_t s = 0; s < (run->size_count ? run->size_count : 1); s++) {
            int64_t size = run->size_count ? run->sizes[s] : 0;
            struct problem problem;
            struct error error = {""};
            char text[PROBLEM_TEXT_MAX];
            assert_true(fill_size(run->problem, size, text, sizeof text));
            if (problem_parse(text, &problem, &error) != STATUS_OK)
                FAIL_WITH("%s\n", error.text);
            const struct rung *rung = rung_by_name(problem.kernel, run->rung, &error);
            if (!rung)
                FAIL_WITH("%s\n", error.text);
            for (size_t c = 0; c < run->choice_count && run->form == RUN_RUNG; c++)
                look_at_choice(publication, run, rung, run->choices[c], size);
        }
    }
}

static void test_runs_exist(void **state)
{
    (void)state;
    for_each(look_at_runs);
}

/* A figure of time, rate or ratio that has a run is at one of the run's sizes, with one of its choices. */
static void look_at_ties(const struct publication *publication)
{
    size_t tied = 0;
    for (size_t t = 0; t < publication->table_count; t++)
        for (size_t p = 0; p < publication->tables[t].panel_count; p++) {
            const struct panel *panel = &publication->tables[t].panels[p];
            for (size_t i = 0; i < panel->row_count * panel->column_count; i++) {
                struct tie tie = panel_tie(panel, i / panel->column_count, i % panel->column_count);
                bool known = !tie.size;
                if (!tie.run || !panel->cells[i].text)
                    continue;
                tied++;
                for (size_t s = 0; s < tie.run->size_count; s++)
                    known = known || tie.run->sizes[s] == tie.size;
                if (!known)
                    FAIL_WITH("%s, table %s: run %s has no size %lld\n", publication->name,
                              publication->tables[t].number, tie.run->id, (long long)tie.size);
                assert_true(tie.technology == 0 || (tie.technology & tie.run->technologies));
                if (panel->quantity == QUANTITY_RATIO)
                    assert_non_null(tie.over);
            }
        }
    assert_true(tied > 0 || strcmp(publication->name, "sort-dot-2023") == 0);
}

static void test_figures_are_tied(void **state)
{
    (void)state;
    for_each(look_at_ties);
}

/* ---- consistency ---------------------------------------------------------------------------------------------- */

struct interval {
    double low, high;
};

/* What a printed figure can stand for, rounded or cut: one unit of its last digit to either side. */
static struct interval interval_of(const struct figure_printed *figure)
{
    return (struct interval){figure->value - figure->unit, figure->value + figure->unit};
}

static bool overlap(struct interval a, struct interval b)
{
    return a.low <= b.high * (1 + 1e-9) && b.low <= a.high * (1 + 1e-9);
}

static bool is_remarked(const struct publication *publication, const char *table, size_t panel, size_t row,
                        size_t column)
{
    for (size_t r = 0; r < publication->remark_count; r++)
        for (size_t c = 0; c < publication->remarks[r].cell_count; c++) {
            const struct doubtful_cell *cell = &publication->remarks[r].cells[c];
            if (strcmp(cell->table, table) == 0 && cell->panel == panel && cell->row == row && cell->column == column)
                return true;
        }
    return false;
}

/* The cell of a quantity in any table with this tie; NULL when there is none. */
static const struct figure_printed *find(const struct publication *publication, enum quantity quantity,
                                         const struct publication_run *run, int64_t size, enum technology technology,
                                         const struct publication_machine *machine)
{
    for (size_t t = 0; t < publication->table_count; t++)
        for (size_t p = 0; p < publication->tables[t].panel_count; p++) {
            const struct panel *panel = &publication->tables[t].panels[p];
            for (size_t i = 0;
                 panel->quantity == quantity && !panel->grid && i < panel->row_count * panel->column_count; i++) {
                struct tie tie = panel_tie(panel, i / panel->column_count, i % panel->column_count);
                if (tie.run == run && tie.size == size && tie.technology == technology && panel->cells[i].text &&
                    (!machine || panel->columns[i % panel->column_count].machine == machine))
                    return &panel->cells[i];
            }
        }
    return NULL;
}

/* Rates against the times beside them: 2 N³ / t. */
static bool rate_fits(const struct publication *publication, const struct tie *tie, const struct figure_printed *cell)
{
    const struct figure_printed *time = find(publication, QUANTITY_TIME, tie->run, tie->size, tie->technology, NULL);
    struct problem problem;
    char text[PROBLEM_TEXT_MAX];
    assert_non_null(time);
    assert_true(fill_size(tie->run->problem, tie->size, text, sizeof text));
    assert_int_equal(problem_parse(text, &problem, NULL), STATUS_OK);
    double work = problem.kernel->work(&problem) / 1e9; /* units of the rate, by seconds */
    struct interval seconds = interval_of(time), rate = {work / seconds.high, work / seconds.low};
    if (seconds.low <= 0)
        rate.high = INFINITY;
    return overlap(rate, interval_of(cell));
}

/* Speed-ups against rates where they are printed, which have more digits, or against times. */
static bool ratio_fits(const struct publication *publication, const struct tie *tie, const struct figure_printed *cell,
                       const struct publication_machine *machine, bool *known)
{
    enum quantity by = QUANTITY_RATE;
    enum technology base = tie->over_technology ? tie->over_technology : tie->technology;
    const struct figure_printed *of = find(publication, by, tie->run, tie->size, tie->technology, machine);
    if (!of)
        of = find(publication, by = QUANTITY_TIME, tie->run, tie->size, tie->technology, machine);
    const struct figure_printed *over = find(publication, by, tie->over, tie->size, base, NULL);
    *known = of && over;
    if (!*known)
        return true;
    struct interval a = interval_of(of), b = interval_of(over);
    struct interval ratio = by == QUANTITY_RATE ? (struct interval){a.low / b.high, a.high / b.low}
                                                : (struct interval){b.low / a.high, b.high / a.low};
    return overlap(ratio, interval_of(cell));
}

static size_t ratios_checked, rates_checked;

static void look_at_cell(const struct publication *publication, const struct publication_table *table,
                         size_t panel_index, size_t index)
{
    const struct panel *panel = &table->panels[panel_index];
    size_t row = index / panel->column_count, column = index % panel->column_count;
    struct tie tie = panel_tie(panel, row, column);
    const struct figure_printed *cell = &panel->cells[index];
    bool fits = true, known = true;
    if (!cell->text || isnan(cell->value))
        return;
    if (panel->quantity == QUANTITY_RATE) {
        fits = rate_fits(publication, &tie, cell);
        const struct figure_printed *time = find(publication, QUANTITY_TIME, tie.run, tie.size, tie.technology, NULL);
        if (!fits && time) /* the remark names the time: it is the panel before */
            assert_true(is_remarked(publication, table->number, panel_index - 1, row, column));
        rates_checked++;
        return;
    }
    if (panel->quantity == QUANTITY_RATIO) {
        fits = ratio_fits(publication, &tie, cell, panel->columns[column].machine, &known);
        ratios_checked += known;
    }
    if (!fits)
        FAIL_WITH("%s, table %s: %s does not fit the figures it is made of\n", publication->name, table->number,
                  cell->text);
}

static void look_at_figures(const struct publication *publication)
{
    for (size_t t = 0; t < publication->table_count; t++)
        for (size_t p = 0; p < publication->tables[t].panel_count; p++) {
            const struct panel *panel = &publication->tables[t].panels[p];
            for (size_t i = 0; i < panel->row_count * panel->column_count; i++)
                look_at_cell(publication, &publication->tables[t], p, i);
        }
    /* What a remark calls doubtful is so. */
    for (size_t r = 0; r < publication->remark_count; r++)
        for (size_t c = 0; c < publication->remarks[r].cell_count; c++) {
            const struct doubtful_cell *cell = &publication->remarks[r].cells[c];
            for (size_t t = 0; t < publication->table_count; t++) {
                const struct publication_table *table = &publication->tables[t];
                if (strcmp(table->number, cell->table) != 0)
                    continue;
                const struct panel *rates = &table->panels[cell->panel + 1];
                struct tie tie = panel_tie(rates, cell->row, cell->column);
                assert_false(
                    rate_fits(publication, &tie, &rates->cells[cell->row * rates->column_count + cell->column]));
            }
        }
}

static void test_figures_fit_each_other(void **state)
{
    (void)state;
    for_each(look_at_figures);
    assert_true(ratios_checked >= 20);
    assert_true(rates_checked >= 34);
}

/* The publication's own 14.73 ± 0.33, from the five runs of its tables 2 and 3. */
static void test_published_samples(void **state)
{
    (void)state;
    struct publication publication;
    double serial, serial_deviation, device, device_deviation;
    open_publication("sort-dot-2023", &publication);
    struct tie tie = {.run = &publication.runs[0], .size = 4194304, .technology = TECHNOLOGY_CPU};
    assert_true(published_time(&publication, &tie, &serial, &serial_deviation));
    tie = (struct tie){.run = &publication.runs[1], .size = 4194304, .technology = TECHNOLOGY_CUDA};
    assert_true(published_time(&publication, &tie, &device, &device_deviation));
    double error = (serial_deviation * device + serial * device_deviation) / (device * device);
    assert_int_equal(lround(100 * serial / device), 1473);
    assert_int_equal(lround(100 * error), 33);
    publication_free(&publication);
}

/* ---- files that do not keep to the form ----------------------------------------------------------------------- */

/* A whole one, of which each case changes one thing. */
#define RUN "{\"id\": \"r\", \"problem\": \"dot:n=4\", \"rung\": \"serial\", \"technologies\": [\"cpu\"]}"
#define PANEL                                                                                                       \
    "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"s\", \"rows\": [{\"run\": \"r\"}], \"columns\": [{}], " \
    "\"values\": [[\"1.5\"]]}"
#define HEAD                                                                                                \
    "\"name\": \"n\", \"title\": \"t\", \"source\": \"s\", \"protocol\": \"p\", \"repeat\": 0, \"phase\": " \
    "\"kernel\", "
#define WITH(run, panel, claims)                 \
    "{" HEAD "\"machines\": [], \"runs\": [" run \
    "], \"tables\": [{\"number\": \"1\", \"title\": \"t\", \"panels\": [" panel "]}], \"claims\": [" claims "]}"

static void expect_refusal(const char *text, const char *word)
{
    struct publication publication;
    struct error error = {""};
    if (publication_parse(text, strlen(text), "f.json", &publication, &error) == STATUS_OK)
        FAIL_WITH("was taken: %s\n", text);
    if (!strstr(error.text, word) || !strstr(error.text, "f.json"))
        FAIL_WITH("'%s' does not say '%s'\n", error.text, word);
    assert_null(publication.root);
}

static void test_malformed_files(void **state)
{
    (void)state;
    const char *good = WITH(RUN, PANEL, "");
    struct publication publication;
    struct error error = {""};
    if (publication_parse(good, strlen(good), "f.json", &publication, &error) != STATUS_OK)
        FAIL_WITH("%s\n", error.text);
    publication_free(&publication);

    expect_refusal("", "line 1");
    expect_refusal("[]", "not an object");
    expect_refusal("{}", "\"name\" is missing");
    expect_refusal("{\"name\": 3}", "not a text");
    expect_refusal("{\"name\": \"a\\u0007\"}", "control characters");
    expect_refusal("{\"name\": \"a\", \"naem\": 1}", "\"naem\" is none of");
    expect_refusal("{\"name\": \"a\", \"name\": \"b\"}", "duplicate");
    expect_refusal("{" HEAD "\"machines\": {}}", "\"machines\" is not a list");
    expect_refusal("{" HEAD "\"machines\": [{\"id\": \"m\", \"about\": \"a\", \"technology\": \"cpu\"}]}",
                   "\"name\" is missing");
    expect_refusal(WITH("3", PANEL, ""), "runs[0]");
    expect_refusal(WITH("{\"id\": \"r\", \"problem\": \"dot:n={}\", \"rung\": \"serial\", \"technologies\": [\"cpu\"]}",
                        PANEL, ""),
                   "when its problem has {}");
    expect_refusal(WITH("{\"id\": \"r\", \"problem\": \"dot:n={}\", \"rung\": \"serial\", \"technologies\": [\"cpu\"], "
                        "\"sizes\": [8, 4]}",
                        PANEL, ""),
                   "that rise");
    expect_refusal(
        WITH("{\"id\": \"r\", \"problem\": \"dot:n=4\", \"rung\": \"serial\", \"technologies\": [\"gpu\"]}", PANEL, ""),
        "cpu opencl cuda");
    expect_refusal(WITH(RUN, "{\"title\": \"p\", \"quantity\": \"speed\", \"rows\": [], \"columns\": []}", ""),
                   "quantity");
    expect_refusal(WITH(RUN,
                        "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"s\", \"rows\": [{\"run\": \"q\"}], "
                        "\"columns\": [{}], \"values\": [[\"1\"]]}",
                        ""),
                   "no run is called");
    expect_refusal(WITH(RUN,
                        "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"s\", \"rows\": [{\"run\": \"r\"}], "
                        "\"columns\": [{}], \"values\": [[\"nan\"]]}",
                        ""),
                   "not a number above 0");
    expect_refusal(WITH(RUN,
                        "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"s\", \"rows\": [{\"run\": \"r\"}], "
                        "\"columns\": [{}], \"values\": [[\"1\", \"2\"]]}",
                        ""),
                   "has 2 figures, not 1");
    static const struct {
        const char *values, *word; /* of a panel with one row and one column, and what else it has */
    } panels[] = {
        {"\"values\": []", "\"values\" has 0 rows, not 1"},
        {"\"values\": [[1.5]]", "is neither a figure in quotes, nor samples, nor null"},
        {"\"values\": [[\"0\"]]", "not a number above 0"},
        {"\"values\": [[[\"1\"]]]", "samples are 2 to"},
        {"\"values\": [[[\"1\", 2]]]", "sample 1 is not a number above 0 in quotes"},
        {"\"values\": [[[\"0\", \"2\"]]]", "sample 0 is not a number above 0 in quotes"},
        {"\"values\": [[\"1\"]], \"predictions\": [{\"for\": \"x\", \"values\": []}]", "\"values\" has 0 rows, not 1"},
        {"\"values\": [[\"1\"]], \"predictions\": [{\"for\": \"x\", \"values\": [2]}]",
         "figure 0 is neither in quotes nor null"},
        {"\"values\": [[\"1\"]], \"predictions\": [{\"for\": \"x\", \"values\": [\"-2\"]}]", "not a number above 0"},
        {"\"values\": [[\"1\"]], \"predictions\": [{\"values\": [\"2\"]}]", "\"for\" is missing"},
        {"\"computed\": true", "only a ratio can be \"computed\""},
    };
    for (size_t i = 0; i < sizeof panels / sizeof panels[0]; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 WITH(RUN,
                      "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"s\", \"rows\": [{\"run\": \"r\"}], "
                      "\"columns\": [{}], %s}",
                      ""),
                 panels[i].values);
        expect_refusal(text, panels[i].word);
    }
    expect_refusal(WITH(RUN,
                        "{\"title\": \"p\", \"quantity\": \"time\", \"unit\": \"years\", \"rows\": [{}], \"columns\": "
                        "[{}], \"values\": [[null]]}",
                        ""),
                   "unit");
    expect_refusal(WITH(RUN, PANEL, "{\"kind\": \"ratio\", \"text\": \"t\", \"published\": \"1\"}"), "claims[0].of");
    expect_refusal(WITH(RUN, PANEL, "{\"kind\": \"magic\", \"text\": \"t\", \"published\": \"1\"}"), "kind");
    expect_refusal(WITH(RUN, PANEL,
                        "{\"kind\": \"spread\", \"text\": \"t\", \"published\": \"1\", \"of\": {\"run\": \"r\"}, "
                        "\"least\": 3, \"most\": 2}"),
                   "above");
}

static void test_unknown_name(void **state)
{
    (void)state;
    struct publication publication;
    struct error error = {""};
    assert_int_equal(publication_open("transpose-2031", &publication, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "did you mean 'transpose-2013'"));
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-12;
}

/* Means of 100 ns and 300 ns, of 4 and 9 samples: two standard errors are 2 sqrt((0.2^2)/4 + (0.3^2)/9). */
static void test_ratios(void **state)
{
    (void)state;
    struct mean of = {.value = 100, .deviation = 20, .count = 4}, over = {.value = 300, .deviation = 90, .count = 9};
    struct ratio ratio = ratio_of(&of, &over);
    assert_true(is_near(ratio.value, 3));
    assert_true(is_near(ratio.error, (90 * 100 + 300 * 20) / 1e4));
    assert_true(is_near(ratio.doubt, 2 * sqrt(0.01 + 0.01)));
    of.deviation = over.deviation = 0;
    assert_true(is_near(ratio_of(&of, &over).doubt, 0.01)); /* never less */
    of.count = 2;
    assert_true(is_near(ratio_of(&of, &over).doubt, 0.10)); /* nor less than this of few samples */
    of.count = 3, over.count = 2;
    assert_true(is_near(ratio_of(&of, &over).doubt, 0.10));
    over.count = 0, over.deviation = 300; /* a published mean: of one sample */
    assert_true(is_near(ratio_of(&of, &over).doubt, 2));
    over.value = 0; /* not timed */
    assert_true(ratio_of(&of, &over).value == 0 && ratio_of(&over, &of).value == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_exist),
        cmocka_unit_test(test_figures_are_tied),
        cmocka_unit_test(test_figures_fit_each_other),
        cmocka_unit_test(test_published_samples),
        cmocka_unit_test(test_malformed_files),
        cmocka_unit_test(test_ratios),
        cmocka_unit_test(test_unknown_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
