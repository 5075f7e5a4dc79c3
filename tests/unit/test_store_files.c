/* Files that are not what they should be: refused with a word, and left as they are, byte by byte. */
#include "store/database.h"
#include "store_fixture.h"

#include <sqlite3.h>
#include <sys/wait.h>

struct content {
    char *bytes;
    size_t size;
};

static struct content read_file(const char *path)
{
    struct content content = {.bytes = malloc(1 << 22)};
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(content.bytes);
    content.size = fread(content.bytes, 1, 1 << 22, file);
    fclose(file);
    return content;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void run_sql(const char *path, const char *sql)
{
    sqlite3 *database;
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(database);
}

/* A store with measurements enough for several pages. */
static void make_store(const char *path)
{
    struct store *store = open_store(path);
    int64_t run = begin(store, NULL);
    for (int i = 0; i < 60; i++)
        add(store, run, i % 2 ? "naive" : "simd", MEASURED_HOST, i);
    store_close(store);
}

/* Both ways of opening refuse the file with this word, and neither changes it. */
static void expect_refusal(const char *path, enum status status, const char *word)
{
    struct content before = read_file(path);
    for (int reading = 0; reading < 2; reading++) {
        struct store *store;
        struct error error = {""};
        enum status got = reading ? store_open_to_read(path, &store, &error) : store_open(path, &store, &error);
        if (got != status || !strstr(error.text, word) || !strstr(error.text, path))
            FAIL_WITH("%d, '%s'\n", got, error.text);
        assert_null(store);
    }
    struct content after = read_file(path);
    assert_int_equal(after.size, before.size);
    assert_memory_equal(after.bytes, before.bytes, before.size);
    free(before.bytes);
    free(after.bytes);
}

static void not_a_database(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("text"));
    static const char words[] = "A letter to somebody, long enough to be mistaken for the header of a database file, "
                                "which has one hundred bytes in the beginning.";
    write_file(path, words, sizeof words);
    expect_refusal(path, STATUS_INVALID, "not an SQLite file");
}

/* What the store's SQL needs came with 3.35. */
static void older_library(void **state)
{
    (void)state;
    struct error error = {""};
    assert_int_equal(database_suits(3035000, "3.35.0", &error), STATUS_OK);
    assert_int_equal(database_suits(sqlite3_libversion_number(), sqlite3_libversion(), &error), STATUS_OK);
    assert_int_equal(database_suits(3034001, "3.34.1", &error), STATUS_UNAVAILABLE);
    assert_string_equal(error.text, "the store needs SQLite 3.35 or newer; this machine's library is 3.34.1");
}

static void somebody_elses(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("other.sqlite"));
    run_sql(path, "CREATE TABLE pictures(name TEXT); PRAGMA user_version = 1");
    expect_refusal(path, STATUS_INVALID, "not a store of Uskor");
}

static void newer(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("newer.sqlite"));
    make_store(path);
    run_sql(path, "PRAGMA journal_mode = DELETE; PRAGMA user_version = 999");
    expect_refusal(path, STATUS_INVALID, "layout 999, made by another version of Uskor");
}

/* Damage in the middle: found before anything is written. */
static void damaged(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("damaged.sqlite"));
    make_store(path);
    struct content content = read_file(path);
    size_t page = 4096, found = 0;
    for (size_t at = page; at + page <= content.size; at += page) {
        struct store *store;
        struct error error = {""};
        char *damage = malloc(content.size);
        assert_non_null(damage);
        memcpy(damage, content.bytes, content.size);
        memset(damage + at, 0xA5, 512);
        write_file(path, damage, content.size);
        if (store_open(path, &store, &error) == STATUS_OK)
            store_close(store);
        else {
            found++;
            assert_non_null(strstr(error.text, "damaged"));
            struct content after = read_file(path);
            assert_int_equal(after.size, content.size);
            assert_memory_equal(after.bytes, damage, content.size);
            free(after.bytes);
        }
        free(damage);
    }
    /* Pages that only hold what is free need not be whole. */
    assert_true(found >= content.size / page - 3);
    write_file(path, content.bytes, content.size / 2 / page * page + 100);
    struct store *store;
    struct error error = {""};
    assert_int_equal(store_open(path, &store, &error), STATUS_INVALID);
    free(content.bytes);
}

static void absent_and_empty(void **state)
{
    (void)state;
    struct store *store;
    struct error error = {""};
    assert_int_equal(store_open_to_read(in_folder("absent"), &store, &error), STATUS_UNAVAILABLE);
    assert_non_null(strstr(error.text, "there is no store yet"));
    assert_int_equal(store_open(in_folder("no/such/folder"), &store, &error), STATUS_SYSTEM);
    assert_int_equal(store_open(folder, &store, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "this is a folder"));
    assert_int_equal(store_open("", &store, &error), STATUS_INVALID);
    write_file(in_folder("empty"), "", 0);
    assert_int_equal(store_open_to_read(in_folder("empty"), &store, &error), STATUS_UNAVAILABLE);
    store = open_store(in_folder("empty"));
    store_close(store);
}

/* A store that is read only, in a folder that is; its name has letters that mean something in a URI. */
static void read_only(void **state)
{
    (void)state;
    char path[256];
    assert_int_equal(mkdir(in_folder("shut"), 0700), 0);
    strcpy(path, in_folder("shut/a%20b?c#d.sqlite"));
    make_store(path);
    assert_int_equal(chmod(path, 0400), 0);
    assert_int_equal(chmod(in_folder("shut"), 0500), 0);
    enum { NOBODY_ELSE = 5 }; /* root where there are no other users: in some containers */
    /* As someone whom permissions bind. */
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct store *store;
        struct error error = {""};
        struct measurement_list list = {0};
        if (geteuid() == 0 && chown(in_folder("shut"), 65534, 65534) != 0)
            _exit(NOBODY_ELSE);
        if (geteuid() == 0 && (chown(path, 65534, 65534) != 0 || chmod(folder, 0755) != 0 || setuid(65534) != 0))
            _exit(1);
        if (store_open(path, &store, &error) != STATUS_SYSTEM)
            _exit(2);
        if (store_open_to_read(path, &store, &error) != STATUS_OK)
            _exit(3);
        if (store_measurements(store, &(struct store_filter){.all = true}, &list, &error) != STATUS_OK ||
            list.count != 60)
            _exit(4);
        _exit(0);
    }
    int result = 0;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(chmod(in_folder("shut"), 0700), 0);
    if (WIFEXITED(result) && WEXITSTATUS(result) == NOBODY_ELSE)
        skip();
    assert_int_equal(result, 0);
}

/* The default: in the user's data folder, made with its folders; a folder that is not absolute does not count. */
static void the_users_own(void **state)
{
    (void)state;
    char expected[512];
    setenv("XDG_DATA_HOME", "relative", 1);
    setenv("HOME", folder, 1);
    struct store *store = open_store(NULL);
    add(store, begin(store, NULL), "naive", MEASURED_HOST, 5);
    snprintf(expected, sizeof expected, "%s/.local/share/uskor/store.sqlite", folder);
    assert_string_equal(store_path(store), expected);
    store_close(store);
    assert_int_equal(access(expected, R_OK), 0);
    setenv("XDG_DATA_HOME", in_folder("data"), 1);
    store = open_store(NULL);
    snprintf(expected, sizeof expected, "%s/data/uskor/store.sqlite", folder);
    assert_string_equal(store_path(store), expected);
    store_close(store);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    struct error error = {""};
    assert_int_equal(store_open(NULL, &store, &error), STATUS_INVALID);
    assert_non_null(strstr(error.text, "--store FILE"));
}

/* Two at once: both writers' measurements are there, each whole. */
static void two_writers(void **state)
{
    (void)state;
    char path[256];
    strcpy(path, in_folder("both.sqlite"));
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            struct store *store = open_store(path);
            int64_t run = begin(store, NULL);
            for (int k = 0; k < 200; k++)
                add(store, run, i ? "naive" : "simd", MEASURED_HOST, k);
            store_close(store);
            _exit(0);
        }
    }
    for (int i = 0; i < 2; i++) {
        int result = 0;
        assert_int_equal(waitpid(children[i], &result, 0), children[i]);
        assert_int_equal(result, 0);
    }
    struct store *store = open_store(path);
    struct measurement_list list = chosen(store, (struct store_filter){.all = true});
    assert_int_equal(list.count, 400);
    for (size_t i = 0; i < list.count; i++)
        assert_int_equal(list.items[i].phases[PHASE_COMPUTE].count, 3);
    measurement_list_free(&list);
    store_close(store);
}

/* Another program sets the file up just when the version of an empty one is asked for. */
static int set_up_meanwhile(unsigned event, void *path, void *statement, void *text)
{
    sqlite3 *other;
    (void)event, (void)statement;
    if (strcmp(text, "PRAGMA user_version") != 0)
        return 0;
    sqlite3_reset_auto_extension();
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    /* What is being looked at may be locked: then the other program would wait, and here it leaves. */
    sqlite3_exec(other, "PRAGMA application_id=1433627506", NULL, NULL, NULL);
    sqlite3_close(other);
    return 0;
}

static char *meanwhile_path;

static int watch(sqlite3 *database)
{
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, set_up_meanwhile, meanwhile_path);
}

static void set_up_at_once(void **state)
{
    (void)state;
    struct store *store = NULL;
    meanwhile_path = strdup(in_folder("at-once.sqlite"));
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch), SQLITE_OK);
    GOOD(store_open(meanwhile_path, &store, &error));
    store_close(store);
    free(meanwhile_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_database), cmocka_unit_test(older_library), cmocka_unit_test(somebody_elses),
        cmocka_unit_test(newer),          cmocka_unit_test(damaged),       cmocka_unit_test(absent_and_empty),
        cmocka_unit_test(read_only),      cmocka_unit_test(the_users_own), cmocka_unit_test(two_writers),
        cmocka_unit_test(set_up_at_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
