/* SQLite, as the store's own files use it. */
#pragma once

#include <sqlite3.h>

#include "store/store.h"

struct store {
    sqlite3 *database;
    char path[4096];
    bool read_only;
    bool in_memory;
    bool made;                  /* the file was not there before */
    bool in_transaction;        /* of an import: what is added inside is not committed by itself */
    bool (*is_cancelled)(void); /* of an import; NULL: never */
    int64_t machine;            /* this machine's number; 0: not looked up yet */
};

/* The oldest SQLite whose SQL the store speaks (RETURNING), as sqlite3_libversion_number() counts. */
#define DATABASE_LEAST 3035000

/* Is a library of this version good enough? The one that runs need not be the one that was compiled against. */
enum status database_suits(int version, const char *version_text, struct error *error);

/* The store's last error as a status and one line: "FILE: what: SQLite's own words". */
enum status database_fail(const struct store *store, struct error *error, const char *what);

/* Prepares one statement; sqlite3_finalize it. */
enum status database_prepare(const struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error);

/* Runs statements that take and give nothing. */
enum status database_run(const struct store *store, const char *sql, struct error *error);

/* Runs a prepared statement that gives no rows to its end, and resets it. */
enum status database_finish(const struct store *store, sqlite3_stmt *statement, const char *what, struct error *error);

/* Values of a statement's parameters ?1, ?2 …; a text lives until the statement has run. */
struct sql_value {
    enum { SQL_END, SQL_TEXT, SQL_INTEGER } kind;
    const char *text;
    int64_t integer;
};
#define SQL_VALUES(...) ((const struct sql_value[]){__VA_ARGS__, {SQL_END, NULL, 0}})
#define OF_TEXT(value)       \
    {                        \
        SQL_TEXT, (value), 0 \
    }
#define OF_INTEGER(value)          \
    {                              \
        SQL_INTEGER, NULL, (value) \
    }

/* As database_prepare, with values; NULL: there are none. */
enum status database_prepare_with(const struct store *store, const char *sql, const struct sql_value *values,
                                  sqlite3_stmt **statement, struct error *error);

/* Runs one statement that gives no rows. */
enum status database_write(const struct store *store, const char *sql, const struct sql_value *values, const char *what,
                           struct error *error);

/* Takes a row of a query, until one fails. */
typedef enum status take_sql_row(const struct store *store, sqlite3_stmt *row, void *into, struct error *error);

/* Each row of a query goes to `take`. */
enum status database_query(const struct store *store, const char *sql, const struct sql_value *values,
                           take_sql_row *take, void *into, struct error *error);

/* The same with a prepared statement that has its values, which is finalized. */
enum status database_rows(const struct store *store, sqlite3_stmt *statement, take_sql_row *take, void *into,
                          struct error *error);

/* Runs such a statement that writes a row and returns its number, *id: 0 where it wrote none. It is finalized. */
enum status database_enter(const struct store *store, sqlite3_stmt *statement, const char *what, int64_t *id,
                           struct error *error);

/* One number: the first column of the only row, or `none` without a row. */
enum status database_number(const struct store *store, const char *sql, const struct sql_value *values, int64_t none,
                            int64_t *number, struct error *error);

/* A transaction around one write (none of its own inside an import's); end it with the write's status: commits or rolls
 * back, and returns what became of it. */
enum status database_begin(struct store *store, struct error *error);
enum status database_end(struct store *store, enum status status, struct error *error);

/* Binds a text by the parameter's name (":problem"); a name that the statement does not have is passed over. The text
 * must live until the statement has run. */
void bind_text(sqlite3_stmt *statement, const char *name, const char *text);
void bind_integer(sqlite3_stmt *statement, const char *name, int64_t value);
void bind_real(sqlite3_stmt *statement, const char *name, double value);

/* A column's text into a bounded string, cut when it is longer, with escapes for what cannot be shown (base/visible.h);
 * NULL is "". */
void column_text(sqlite3_stmt *statement, int column, char *text, size_t size);

/* Sets the fingerprint of a machine's facts. */
void machine_take_fingerprint(struct machine *machine);

/* The number of a machine with these facts, which is entered when it is new. */
enum status machine_enter(struct store *store, const struct machine *machine, int64_t *id, struct error *error);

/* The devices of machine->id, appended. */
enum status devices_read(struct store *store, struct machine *machine, struct error *error);

/* A run as it is, begun at any time on any machine; one with the same key is there already: its number then. */
enum status run_enter(struct store *store, const struct store_run *run, int64_t *id, struct error *error);

/* Whether the store has this ceiling, made at the same second. */
enum status ceiling_is_known(struct store *store, const struct ceiling *ceiling, bool *known, struct error *error);

/* A measurement with its number in the run (0: the next); with a number that the run has already, nothing is added, and
 * *id is 0. */
enum status measurement_enter(struct store *store, int64_t run, int64_t number, const struct measurement *measurement,
                              int64_t *id, struct error *error);

/* Refuses a file whose tables and indices are not those that the SQL text `tables` makes, or that has triggers, views
 * or virtual tables. */
enum status schema_check(const struct store *store, const char *tables, struct error *error);

/* Schema: gives an open file without content the tables, and refuses one with others. */
enum status schema_adopt(struct store *store, struct error *error);
