/* Export and import: what comes out goes in, once; and a file with one wrong line changes nothing. */
#include "store_fixture.h"

#include <math.h>

#include "store/transfer.h"

/* A store with two runs, a device, and figures that JSON has no numbers for. */
static struct store *make_store(void)
{
    struct store *store = open_store(STORE_IN_MEMORY);
    int64_t machine = 0, first = begin(store, "a \"quoted\" label"), second = begin(store, NULL);
    struct device_fact fact = {"units", "2"};
    struct machine_device device = {.id = "cpu", .name = "A processor", .facts = &fact, .fact_count = 1};
    GOOD(store_this_machine(store, &machine, &error));
    GOOD(store_put_device(store, machine, &device, &error));
    add(store, first, "copy", MEASURED_PROBE, 100);
    int64_t naive = add(store, first, "naive", MEASURED_HOST, 100);
    GOOD(store_put_attachment(store, naive, "timeline", "[1,\n2]", &error));
    struct ceiling ceiling = {.device = "cpu",
                              .device_name = "A processor",
                              .what = "dram-read",
                              .rate = 71.25,
                              .unit = "GB/s",
                              .threads = 2,
                              .made_at = 300};
    GOOD(store_put_ceiling(store, &ceiling, &error));
    struct measurement odd = sampled("simd", MEASURED_VENDOR, 200);
    odd.verdict = VERDICT_FAIL;
    odd.worst_error = INFINITY;
    odd.bytes = NAN;
    odd.phases[PHASE_COMPUTE].items[0].nanoseconds = 1e9 / 3;
    GOOD(store_add(store, second, &odd, NULL, &error));
    forget(&odd);
    return store;
}

static char *exported(struct store *store, size_t *size)
{
    char *text = NULL;
    size_t count;
    FILE *stream = open_memstream(&text, size);
    assert_non_null(stream);
    GOOD(store_export(store, &(struct store_filter){.all = true}, stream, "memory", &count, &error));
    fclose(stream);
    return text;
}

static enum status import(struct store *store, const char *text, size_t size, struct import_counts *counts,
                          struct error *error)
{
    FILE *stream = fmemopen((void *)text, size, "r");
    assert_non_null(stream);
    enum status status = store_import(store, stream, "their.jsonl", counts, error);
    fclose(stream);
    return status;
}

static void there_and_back(void **state)
{
    (void)state;
    struct store *from = make_store(), *to = open_store(STORE_IN_MEMORY);
    size_t size, again_size;
    char *text = exported(from, &size);
    struct import_counts counts;
    GOOD(import(to, text, size, &counts, &error));
    assert_true(counts.added == 3 && counts.known == 0 && counts.ceilings_added == 1);
    char *again = exported(to, &again_size);
    assert_string_equal(again, text);
    GOOD(import(to, text, size, &counts, &error));
    assert_true(counts.added == 0 && counts.known == 3 && counts.ceilings_known == 1);
    free(again);
    again = exported(to, &again_size);
    assert_string_equal(again, text);

    struct machine machine;
    GOOD(store_machine(to, 1, &machine, &error));
    assert_int_equal(machine.device_count, 1);
    assert_string_equal(machine.devices[0].facts[0].value, "2");
    machine_free(&machine);
    free(again);
    free(text);
    store_close(from);
    store_close(to);
}

/* Replaces the first `old` in the text with `new`: new memory. */
static char *changed(const char *text, const char *old, const char *new)
{
    const char *at = strstr(text, old);
    char *made = malloc(strlen(text) + strlen(new) + 1);
    assert_non_null(at);
    assert_non_null(made);
    sprintf(made, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return made;
}

static void wrong_lines(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *word;
    } cases[] = {
        {"{\"uskor\":1", "{\"uskor\":2", "a form that this version knows"},
        {"{\"uskor\":1", "[\"uskor\":1", "not JSON"},
        {"{\"uskor\":1", "{\"kernel\":\"a\",\"uskor\":1", "not JSON"}, /* twice */
        {"\"machine\":{", "\"machin\":{", "'machine' is not an object"},
        {"\"fingerprint\":\"", "\"fingerprint\":\"0", "fingerprint"},
        {"\"cores\":", "\"cores\":-", "'cores' is not an integer"},
        {"\"cores\":", "\"cores\":1", "not that of its facts"},
        {"\"key\":\"", "\"key\":\"x", "key"},
        {"\"started\":", "\"started\":\"x\",\"s\":", "'started' is not an integer"},
        {"\"number\":1", "\"number\":0", "'number' is not an integer"},
        {"\"rung\":\"copy\"", "\"rung\":7", "'rung' is not a text of at most 47 bytes"},
        {"\"rung\":\"copy\"", "\"rang\":\"copy\"", "'rung' is missing"},
        {"\"rung\":\"copy\"", "\"rung\":\"\\u001b[31m\"", "'rung' is not a text of at most 47 bytes"},
        {"\"rung\":\"copy\"", "\"rung\":\"\\u009b31m\"", "'rung' is not a text of at most 47 bytes"},
        {"\"rung\":\"copy\"", "\"rung\":\"0123456789012345678901234567890123456789012345678\"",
         "'rung' is not a text of at most 47 bytes"},
        {"\"kind\":\"probe\"", "\"kind\":\"ceilings\"", "'kind' is not a kind"},
        {"\"verdict\":\"PASS\"", "\"verdict\":\"pass\"", "'verdict' is not a verdict"},
        {"\"cold\":false", "\"cold\":0", "'cold' is not true or false"},
        {"\"batch\":3", "\"batch\":-3", "'batch' is not an integer from 0 to 4294967295"},
        {"\"batch\":3", "\"batch\":4294967296", "'batch' is not an integer from 0 to 4294967295"},
        {"\"ns\":[100.5", "\"ns\":[-100.5", "sample 0"},
        {"\"ns\":[100.5", "\"ns\":[1e999", "not JSON"},
        {"\"ns\":[100.5,", "\"ns\":[", "lists of one length"},
        {"\"rounds\":[0", "\"rounds\":[0.5", "sample 0"},
        {"\"compute\":", "\"compote\":", "no such phase"},
        {"\"attachments\":{", "\"attachments\":{\"a\":1,", "attachments"},
        {"\"ceiling\":{", "\"ceiling\":{\"rat\":1,\"x\":{", "not JSON"},
        {"\"rate\":71.25", "\"rate\":\"71.25\"", "ceiling: 'rate' is not a number"},
        {"\"what\":\"dram-read\"", "\"what\":[]", "ceiling: 'what' is not a text"},
        {"\"device_facts\":{", "\"device_facts\":{\"a\":1,", "'a' is not a text"},
    };
    struct store *from = make_store();
    size_t size;
    char *text = exported(from, &size);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        /* The second line is one of the good ones, changed: the good one before it must not stay either. */
        char *line = strndup(text, strcspn(text, "\n") + 1);
        const char *changeable = strstr(text, cases[i].old);
        if (!changeable)
            FAIL_WITH("case %zu: there is no %s in the export\n", i, cases[i].old);
        while (changeable > text && changeable[-1] != '\n')
            changeable--;
        char *whole = strndup(changeable, strcspn(changeable, "\n") + 1);
        char *wrong = changed(whole, cases[i].old, cases[i].new);
        free(whole);
        char *file = malloc(strlen(line) + strlen(wrong) + 1);
        assert_non_null(file);
        sprintf(file, "%s%s", line, wrong);
        struct store *to = open_store(STORE_IN_MEMORY);
        struct import_counts counts;
        struct error why = {""};
        enum status status = import(to, file, strlen(file), &counts, &why);
        if (status != STATUS_INVALID || !strstr(why.text, cases[i].word) ||
            strncmp(why.text, "their.jsonl, line 2: ", 21) != 0)
            FAIL_WITH("case %zu: %d, '%s'\n", i, status, why.text);
        struct store_run_list runs;
        GOOD(store_runs(to, NULL, &runs, &error));
        assert_int_equal(runs.count, 0);
        int64_t machine;
        GOOD(store_this_machine(to, &machine, &error));
        store_close(to);
        free(file);
        free(wrong);
        free(line);
    }
    free(text);
    store_close(from);
}

/* A clock that stood still measured 0 ns. */
static void a_time_of_nothing(void **state)
{
    (void)state;
    struct store *from = make_store(), *to = open_store(STORE_IN_MEMORY);
    size_t size;
    char *text = exported(from, &size), *still = changed(text, "\"ns\":[100.5", "\"ns\":[0");
    struct import_counts counts;
    struct error why = {""};
    enum status status = import(to, still, strlen(still), &counts, &why);
    if (status != STATUS_OK)
        FAIL_WITH("%s\n", why.text);
    free(still);
    free(text);
    store_close(from);
    store_close(to);
}

static void nothing_in_it(void **state)
{
    (void)state;
    struct store *to = open_store(STORE_IN_MEMORY);
    struct import_counts counts;
    struct error error = {""};
    assert_int_equal(import(to, "\n\n", 2, &counts, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "there is no measurement in it"));
    store_close(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(wrong_lines),
        cmocka_unit_test(a_time_of_nothing),
        cmocka_unit_test(nothing_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
