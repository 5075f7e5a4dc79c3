#include "store/origins.h"

#include <string.h>

#include "base/message.h"
#include "base/size.h"
#include "store/attachments.h"

/* A measurement's messages, and the attachments with the formats and arguments they were made of. */
static const struct {
    const char *kind;
    size_t offset;
} messages[] = {
    {"reason_origin", offsetof(struct measurement, reason)},
    {"warnings_origin", offsetof(struct measurement, warnings)},
    {"detail_origin", offsetof(struct measurement, detail)},
};

#define KINDS "('reason_origin', 'warnings_origin', 'detail_origin')"

static const char *message_of(const struct measurement *measurement, size_t index)
{
    return (const char *)measurement + messages[index].offset;
}

static enum status remove_old(struct store *store, int64_t id, struct error *error)
{
    sqlite3_stmt *statement;
    enum status status = database_prepare(store, "DELETE FROM attachments WHERE measurement = :id AND kind IN " KINDS,
                                          &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":id", id);
    status = database_finish(store, statement, "cannot keep the attachment", error);
    sqlite3_finalize(statement);
    return status;
}

enum status origins_enter(struct store *store, int64_t id, const struct measurement *measurement, struct error *error)
{
    enum status status = remove_old(store, id, error);
    for (size_t i = 0; status == STATUS_OK && i < COUNT_OF(messages); i++) {
        const char *origin = message_origin(message_of(measurement, i));
        if (origin)
            status = attachment_enter(store, id, messages[i].kind, origin, error);
    }
    return status;
}

/* Does the measurement have a message without a recorded origin? */
static bool is_wanted(const struct measurement *measurement)
{
    bool wanted = false;
    for (size_t i = 0; i < COUNT_OF(messages); i++)
        wanted = wanted || (*message_of(measurement, i) && !message_origin(message_of(measurement, i)));
    return wanted;
}

enum status origins_recall(const struct store *store, const struct measurement *measurement, struct error *error)
{
    sqlite3_stmt *statement;
    if (!is_wanted(measurement))
        return STATUS_OK;
    enum status status = database_prepare(
        store, "SELECT kind, text FROM attachments WHERE measurement = :id AND kind IN " KINDS, &statement, error);
    if (status != STATUS_OK)
        return status;
    bind_integer(statement, ":id", measurement->id);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *kind = (const char *)sqlite3_column_text(statement, 0);
        const char *origin = (const char *)sqlite3_column_text(statement, 1);
        for (size_t i = 0; kind && origin && i < COUNT_OF(messages); i++)
            if (strcmp(messages[i].kind, kind) == 0)
                message_remember(message_of(measurement, i), origin);
    }
    if (code != SQLITE_DONE)
        status = database_fail(store, error, "cannot be read");
    sqlite3_finalize(statement);
    return status;
}
