/* SQLite, as the store's own files use it. */
#pragma once

#include <sqlite3.h>

#include "store/measurement.h"
#include "store/store.h"
#include "store/transfer.h"

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

/* All that a measurement has beside its samples. */

/* Inside the caller's transaction. */
enum status attachment_enter(struct store *store, int64_t measurement, const char *kind, const char *text,
                             struct error *error);

/* New memory, which the caller frees with attachments_free; on failure there is none. */
enum status attachments_read(struct store *store, int64_t measurement, struct attachment **attachments, size_t *count,
                             struct error *error);
void attachments_free(struct attachment *attachments, size_t count);

/* How a measurement's messages were made (base/message.h), kept as attachments beside the English text, so that a
 * report of another day and another language shows them. */

/* Writes the origins of the measurement's messages, in place of those that were there. */
enum status origins_enter(struct store *store, int64_t id, const struct measurement *measurement, struct error *error);

/* Remembers those of a measurement that was read. */
enum status origins_recall(const struct store *store, struct measurement *measurement, struct error *error);

/* A filter as SQL, on measurements called `m`. */

/* Appends " AND …" for each condition; false when that does not fit. The numbers of runs are written out. */
bool filter_conditions(const struct store_filter *filter, char *sql, size_t size);

/* Binds the parameters of filter_conditions; the filter must live until the statement has run. */
void filter_bind(const struct store_filter *filter, sqlite3_stmt *statement);

/* The checksum of a row of samples, as an SQL function of its columns: the same when it is written, migrated and read.
 */

/* The function's call with the columns of `samples`, and with the parameters that an INSERT binds. */
#define CHECKSUM_OF_COLUMNS "uskor_checksum(measurement, phase, count, median, quartile1, quartile3, times, rounds)"
#define CHECKSUM_OF_PARAMETERS "uskor_checksum(:id, :phase, :count, :median, :quartile1, :quartile3, :times, :rounds)"

/* Makes uskor_checksum(…) known to the connection; SQLITE_OK or SQLite's code. It is FNV-1a of 64 bits over its
 * arguments, as 16 hexadecimal digits; docs/store.md says how each is counted. A single wrong byte is always seen. */
int checksum_register(sqlite3 *database);

/* The store's file, and the connection to it. */

/* Gives the store its file's name; `path` as store_open takes it. A name that SQLite would take for something else than
 * a file (":memory:", "file:…") is refused. `make`: the default's folders are made. */
enum status connection_name(struct store *store, const char *path, bool make, struct error *error);

/* Opens the file, makes it where it is missing (store->made), and settles the connection: nothing that stands in the
 * file can make SQLite do more than read and write tables. */
enum status connection_open(struct store *store, struct error *error);

/* Closes it; a file that this store made and that holds no measurement or ceiling is removed. */
void connection_close(struct store *store);

/* Samples as the file has them: times as IEEE doubles of 8 bytes, rounds as integers of 4 bytes, both little-endian
 * whatever the machine, so that a file may travel. */

/* New memory of *bytes (never of 0), to be freed by the caller; NULL when there is none. */
unsigned char *blob_of_times(const struct samples *samples, size_t *bytes);
unsigned char *blob_of_rounds(const struct samples *samples, size_t *bytes);

/* Samples (an empty list) from both; false when they do not fit together, a time is not a finite number of at least 0,
 * or memory is out. */
bool samples_of_blobs(const unsigned char *times, size_t times_bytes, const unsigned char *rounds, size_t rounds_bytes,
                      struct samples *samples);
