/* Stores that somebody has made to do harm, names that are no files', rows that were changed: each is refused with a
 * word, or shown harmless. */
#include "store/database.h"
#include "store_fixture.h"

#include <sqlite3.h>
#include <sys/wait.h>

#include "store/transfer.h"

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *database;
    char *why = NULL;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    if (sqlite3_exec(database, sql, NULL, NULL, &why) != SQLITE_OK)
        FAIL_WITH("%s\n", why);
    sqlite3_close(database);
}

static const char *make_store(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s", in_folder(name));
    struct store *store = open_store(path);
    int64_t run = begin(store, NULL);
    add(store, run, "naive", MEASURED_HOST, 1);
    add(store, run, "simd", MEASURED_HOST, 2);
    store_close(store);
    return path;
}

/* Both ways of opening refuse it so. */
static void expect_refusal(const char *path, enum status status, const char *word)
{
    for (int reading = 0; reading < 2; reading++) {
        struct store *store;
        struct error error = {""};
        enum status got = reading ? store_open_to_read(path, &store, &error) : store_open(path, &store, &error);
        if (got != status || !strstr(error.text, word))
            FAIL_WITH("%s: %d, '%s' instead of '%s'\n", path, got, error.text, word);
        assert_null(store);
    }
}

/* SQLite's own names for what is no file. */
static void names_that_are_no_files(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file::memory:", "file:x.sqlite?mode=memory", "file:/tmp/x",
                                        "file:x.sqlite?vfs=memdb"};
    assert_int_equal(chdir(folder), 0);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        expect_refusal(names[i], STATUS_INVALID, "a store is a file");
    static const char *const files[] = {"./:memory:", "./file:y?mode=memory", ":memory:.sqlite", "a b%20?c#.sqlite"};
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct store *store = open_store(files[i]);
        add(store, begin(store, NULL), "naive", MEASURED_HOST, 1);
        store_close(store);
        assert_int_equal(access(files[i], R_OK), 0);
        GOOD(store_open_to_read(files[i], &store, &error));
        store_close(store);
    }
    assert_int_equal(chdir("/"), 0);
}

/* Under the address sanitizer a handle that is used after it was closed shows. */
static void links_in_a_circle(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("circle"));
    assert_int_equal(symlink(path, path), 0);
    expect_refusal(path, STATUS_SYSTEM, "Too many levels of symbolic links");
}

/* As someone whom permissions bind: what `call` leaves with. */
static int as_nobody(const char *path, const char *shut, int (*call)(const char *))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chmod(folder, 0755) != 0 || chmod(shut, 0555) != 0)
            _exit(100);
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(101);
        _exit(call(path));
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(chmod(shut, 0755), 0);
    return WIFEXITED(result) ? WEXITSTATUS(result) : 200;
}

static int refused_for_its_log(const char *path)
{
    struct store *store;
    struct error error = {""};
    if (store_open_to_read(path, &store, &error) != STATUS_SYSTEM)
        return 1;
    return strstr(error.text, "-wal") ? 0 : 2;
}

/* A log of writes beside a file, and nothing that can be written there to take it in. */
static void read_only_with_a_log(void **state)
{
    (void)state;
    char path[256], log[300], shut[256];
    strcpy(shut, in_folder("shut"));
    assert_int_equal(mkdir(shut, 0755), 0);
    strcpy(path, make_store("shut/log.sqlite"));
    snprintf(log, sizeof log, "%s-wal", path);
    FILE *file = fopen(log, "w");
    assert_non_null(file);
    fputs("a log that is longer than its header of thirty-two bytes", file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(as_nobody(path, shut, refused_for_its_log), 0);
}

static void foreign_things(void **state)
{
    (void)state;
    static const struct {
        const char *sql, *word;
    } cases[] = {
        {"CREATE TRIGGER t AFTER INSERT ON samples BEGIN DELETE FROM measurements; END", "has a trigger t"},
        {"CREATE TEMP TABLE x(a); CREATE VIEW v AS SELECT * FROM runs", "has a view v"},
        {"ALTER TABLE samples RENAME TO hidden; CREATE VIEW samples AS SELECT * FROM hidden", "has a view samples"},
        {"DROP TABLE attachments", "its table attachments is not as"},
        {"ALTER TABLE runs ADD COLUMN more TEXT DEFAULT 'x'", "its table runs is not as"},
        {"CREATE UNIQUE INDEX one ON measurements(kernel, rung)", "other indices"},
        {"DROP INDEX probes", "its index probes is not as"},
        {"DROP INDEX probes; CREATE INDEX probes ON measurements(abs(-9223372036854775807 - 1 + id))",
         "its index probes"},
        {"DROP TABLE device_facts; CREATE TABLE device_facts(device, key, value CHECK(0))", "its table device_facts"},
        {"CREATE VIRTUAL TABLE f USING fts5(a)", "has a table f"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *path = make_store("foreign.sqlite");
        run_sql(path, cases[i].sql);
        expect_refusal(path, STATUS_INVALID, cases[i].word);
        assert_int_equal(unlink(path), 0);
    }
    /* A table of somebody else's, and SQLite's own figures, do no harm. */
    const char *path = make_store("foreign.sqlite");
    run_sql(path, "CREATE TABLE lost_and_found(a); ANALYZE");
    struct store *store = open_store(path);
    store_close(store);
}

/* An index that disagrees with its table: quick_check does not see it. */
static void index_that_disagrees(void **state)
{
    (void)state;
    const char *path = make_store("index.sqlite");
    run_sql(path, "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'runs_by_label';"
                  "PRAGMA writable_schema=ON; DELETE FROM sqlite_schema WHERE name = 'runs_by_label'");
    run_sql(path, "UPDATE runs SET label = 'other'; PRAGMA writable_schema=ON;"
                  "INSERT INTO sqlite_schema SELECT * FROM kept");
    struct store *store;
    struct error error = {""};
    assert_int_equal(store_open(path, &store, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "damaged"));
}

/* Each column of a row of samples, changed behind the program's back. */
static void changed_samples(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "count = count + 1",     "median = median * 2",
        "quartile1 = NULL",      "quartile3 = 'x'",
        "phase = 'whole'",       "times = x'0000000000005940'||substr(times, 9)",
        "rounds = zeroblob(12)", "checksum = ''",
        "measurement = 2",       "times = substr(times, 1, 8), rounds = substr(rounds, 1, 4)",
    };
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        char sql[256];
        const char *path = make_store("changed.sqlite");
        struct store *store;
        struct measurement_list list = {0};
        snprintf(sql, sizeof sql, "DELETE FROM samples WHERE measurement = 2; UPDATE samples SET %s", changes[i]);
        run_sql(path, sql);
        GOOD(store_open_to_read(path, &store, &error));
        struct error error = {""};
        enum status status = store_measurements(store, &(struct store_filter){.all = true}, &list, &error);
        if (status != STATUS_INVALID || !strstr(error.text, "do not agree with their checksum"))
            FAIL_WITH("%s: %d, '%s'\n", changes[i], status, error.text);
        measurement_list_free(&list);
        store_close(store);
        assert_int_equal(unlink(path), 0);
    }
}

/* What a terminal would obey, letters turned round, bytes that are no letters: in every text that is kept. */
static void texts_are_shown_harmless(void **state)
{
    (void)state;
    const char *path = make_store("texts.sqlite");
    run_sql(path, "CREATE TEMP TABLE bad(t); INSERT INTO bad VALUES(CAST(x'411b5b33316dc29be280ae0a0dff42' AS TEXT));"
                  "UPDATE runs SET command = (SELECT t FROM bad), label = (SELECT t FROM bad), code_version = (SELECT "
                  "t FROM bad);"
                  "UPDATE measurements SET reason = (SELECT t FROM bad), idea = (SELECT t FROM bad), problem = (SELECT "
                  "t FROM bad),"
                  " rung = (SELECT t FROM bad), device_name = (SELECT t FROM bad), warnings = (SELECT t FROM bad);"
                  "UPDATE machines SET cpu = (SELECT t FROM bad), os = (SELECT t FROM bad);"
                  "INSERT INTO ceilings(machine, device, device_name, driver, threads, what, rate, unit, made_at)"
                  " SELECT 1, t, t, t, 1, t, 1.0, 'GB/s', 1 FROM bad");
    static const char shown[] = "A\\x1b[31m\\x9b\\u202e\\x0a\\x0d\\xffB";
    struct store *store = open_store(path);
    struct store_run_list runs;
    struct machine machine;
    struct ceiling_list ceilings;
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    GOOD(store_runs(store, NULL, &runs, &error));
    GOOD(store_machine(store, 1, &machine, &error));
    GOOD(store_ceilings(store, 0, NULL, &ceilings, &error));
    const char *const texts[] = {runs.items[0].command,
                                 runs.items[0].label,
                                 runs.items[0].code_version,
                                 list.items[0].reason,
                                 list.items[0].idea,
                                 list.items[0].problem,
                                 list.items[0].rung,
                                 list.items[0].device_name,
                                 list.items[0].warnings,
                                 machine.cpu,
                                 machine.os,
                                 ceilings.items[0].what,
                                 ceilings.items[0].driver};
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        assert_string_equal(texts[i], shown);
    measurement_list_free(&list);
    store_run_list_free(&runs);
    machine_free(&machine);
    ceiling_list_free(&ceilings);
    store_close(store);
}

/* A store in which nothing came to be kept is not left behind; one that was there, or that another has open, is. */
static void nothing_kept(void **state)
{
    (void)state;
    char path[256], log[300];
    strcpy(path, in_folder("nothing.sqlite"));
    snprintf(log, sizeof log, "%s-wal", path);
    int64_t machine;
    struct store *store = open_store(path), *other = NULL;
    GOOD(store_this_machine(store, &machine, &error));
    begin(store, NULL);
    store_close(store);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(log, F_OK), -1);

    store = open_store(path);
    GOOD(store_open(path, &other, &error));
    store_close(store);
    assert_int_equal(access(path, F_OK), 0);
    add(other, begin(other, NULL), "naive", MEASURED_HOST, 1);
    store_close(other);
    store = open_store(path);
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    assert_int_equal(list.count, 1);
    measurement_list_free(&list);
    store_close(store);
    assert_int_equal(access(path, F_OK), 0);
}

static void put_number(unsigned char *at, uint32_t number)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(number >> (24 - 8 * i));
}

/* A journal that is to be rolled back, of a transaction over several databases: it names the file that ends it. */
static void write_journal(const char *path, const char *named)
{
    static const unsigned char mark[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
    unsigned char bytes[1024] = {0};
    const size_t length = strlen(named);
    uint32_t sum = 0;
    char journal[300];
    memcpy(bytes, mark, sizeof mark);
    put_number(bytes + 16, 1); /* pages before */
    put_number(bytes + 20, 512);
    put_number(bytes + 24, 4096);
    unsigned char *at = bytes + 512;
    put_number(at, 0x40000000 / 4096 + 1); /* the page of the lock, which is never written */
    memcpy(at + 4, named, length);
    for (size_t i = 0; i < length; i++)
        sum += (unsigned char)named[i];
    put_number(at + 4 + length, (uint32_t)length);
    put_number(at + 8 + length, sum);
    memcpy(at + 12 + length, mark, sizeof mark);
    snprintf(journal, sizeof journal, "%s-journal", path);
    FILE *file = fopen(journal, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, 512 + 20 + length, file), 512 + 20 + length);
    assert_int_equal(fclose(file), 0);
}

/* SQLite would delete it, whatever it is: neither who reads nor who writes lets it. */
static void journals_that_name_a_file(void **state)
{
    (void)state;
    char victim[256];
    strcpy(victim, in_folder("victim"));
    FILE *file = fopen(victim, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    for (int has_log = 0; has_log < 2; has_log++) {
        const char *path = make_store(has_log ? "named-log.sqlite" : "named.sqlite");
        if (!has_log)
            run_sql(path, "PRAGMA journal_mode=DELETE");
        write_journal(path, victim);
        expect_refusal(path, STATUS_INVALID, "it names another file");
        assert_int_equal(access(victim, F_OK), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_no_files),   cmocka_unit_test(links_in_a_circle),
        cmocka_unit_test(read_only_with_a_log),      cmocka_unit_test(foreign_things),
        cmocka_unit_test(index_that_disagrees),      cmocka_unit_test(changed_samples),
        cmocka_unit_test(texts_are_shown_harmless),  cmocka_unit_test(nothing_kept),
        cmocka_unit_test(journals_that_name_a_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
