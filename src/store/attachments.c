#include <stdlib.h>
#include <string.h>

#include "store/attachments.h"
#include "store/database.h"

enum status attachment_enter(struct store *store, int64_t measurement, const char *kind, const char *text,
                             struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(
        store, "INSERT OR REPLACE INTO attachments(measurement, kind, text) VALUES(:measurement, :kind, :text)",
        &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":measurement", measurement);
    bind_text(statement, ":kind", kind);
    bind_text(statement, ":text", text);
    status = database_finish(store, statement, "cannot keep the attachment", error);
    sqlite3_finalize(statement);
    return status;
}

enum status store_put_attachment(struct store *store, int64_t measurement, const char *kind, const char *text,
                                 struct error *error)
{
    enum status status = database_begin(store, error);
    if (status != STATUS_OK)
        return status;
    status = attachment_enter(store, measurement, kind, text, error);
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

void attachments_free(struct attachment *attachments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(attachments[i].text);
    free(attachments);
}

static enum status add_attachment(sqlite3_stmt *statement, struct attachment **attachments, size_t *count,
                                  struct error *error)
{
    struct attachment *more = reallocarray(*attachments, *count + 1, sizeof *more);
    if (!more)
        return fail(error, STATUS_UNAVAILABLE, "no memory for attachments");
    *attachments = more;
    const char *text = (const char *)sqlite3_column_text(statement, 1);
    column_text(statement, 0, more[*count].kind, sizeof more->kind);
    more[*count].text = strdup(text ? text : "");
    if (!more[*count].text)
        return fail(error, STATUS_UNAVAILABLE, "no memory for attachments");
    ++*count;
    return STATUS_OK;
}

enum status attachments_read(struct store *store, int64_t measurement, struct attachment **attachments, size_t *count,
                             struct error *error)
{
    sqlite3_stmt *statement;
    *attachments = NULL;
    *count = 0;
    enum status status = database_prepare(
        store, "SELECT kind, text FROM attachments WHERE measurement = :measurement ORDER BY kind", &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":measurement", measurement);
    int code = SQLITE_DONE;
    while (status == STATUS_OK && (code = sqlite3_step(statement)) == SQLITE_ROW)
        status = add_attachment(statement, attachments, count, error);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    if (status != STATUS_OK) {
        attachments_free(*attachments, *count);
        *attachments = NULL;
        *count = 0;
    }
    return status;
}
