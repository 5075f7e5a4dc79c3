#include "store/database.h"

#include <string.h>

#include "base/message.h"
#include "base/size.h"

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

enum status origins_enter(struct store *store, int64_t id, const struct measurement *measurement, struct error *error)
{
    enum status status = database_write(store, "DELETE FROM attachments WHERE measurement = ? AND kind IN " KINDS,
                                        SQL_VALUES(OF_INTEGER(id)), "cannot keep the attachment", error);
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

static enum status recall(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    const char *kind = (const char *)sqlite3_column_text(row, 0), *origin = (const char *)sqlite3_column_text(row, 1);
    (void)store, (void)error;
    for (size_t i = 0; kind && origin && i < COUNT_OF(messages); i++)
        if (strcmp(messages[i].kind, kind) == 0)
            message_remember(message_of(into, i), origin);
    return STATUS_OK;
}

enum status origins_recall(const struct store *store, struct measurement *measurement, struct error *error)
{
    if (!is_wanted(measurement))
        return STATUS_OK;
    return database_query(store, "SELECT kind, text FROM attachments WHERE measurement = ? AND kind IN " KINDS,
                          SQL_VALUES(OF_INTEGER(measurement->id)), recall, measurement, error);
}
