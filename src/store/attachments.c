#include <stdlib.h>
#include <string.h>

#include "store/database.h"

enum status store_put_attachment(struct store *store, int64_t measurement, const char *kind, const char *text,
                                 struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = database_prepare(
        store, "INSERT OR REPLACE INTO attachments(measurement, kind, text) VALUES(:measurement, :kind, :text)",
        &statement, error);
    if (status == STATUS_OK) {
        bind_integer(statement, ":measurement", measurement);
        bind_text(statement, ":kind", kind);
        bind_text(statement, ":text", text);
        status = database_finish(store, statement, "cannot keep the attachment", error);
        sqlite3_finalize(statement);
    }
    return database_end(store, status, error);
}

enum status store_attachment(struct store *store, int64_t measurement, const char *kind, char **text,
                             struct error *error)
{
    sqlite3_stmt *statement;
    *text = NULL;
    enum status status = database_prepare(
        store, "SELECT text FROM attachments WHERE measurement = :measurement AND kind = :kind", &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":measurement", measurement);
    bind_text(statement, ":kind", kind);
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        const char *found = (const char *)sqlite3_column_text(statement, 0);
        *text = strdup(found ? found : "");
        if (!*text)
            status = fail(error, STATUS_UNAVAILABLE, "no memory for an attachment");
    } else if (code != SQLITE_DONE) {
        status = database_fail(store, error, "cannot be read");
    }
    sqlite3_finalize(statement);
    return status;
}
