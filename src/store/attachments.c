#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "store/database.h"

enum status attachment_enter(struct store *store, int64_t measurement, const char *kind, const char *text,
                             struct error *error)
{
    return database_write(store, "INSERT OR REPLACE INTO attachments(measurement, kind, text) VALUES(?, ?, ?)",
                          SQL_VALUES(OF_INTEGER(measurement), OF_TEXT(kind), OF_TEXT(text)),
                          "cannot keep the attachment", error);
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

static enum status take_text(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    const char *found = (const char *)sqlite3_column_text(row, 0);
    char *text = *(char **)into = strdup(found ? found : "");
    (void)store;
    return text ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for an attachment");
}

enum status store_attachment(struct store *store, int64_t measurement, const char *kind, char **text,
                             struct error *error)
{
    *text = NULL;
    return database_query(store, "SELECT text FROM attachments WHERE measurement = ? AND kind = ?",
                          SQL_VALUES(OF_INTEGER(measurement), OF_TEXT(kind)), take_text, text, error);
}

void attachments_free(struct attachment *attachments, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(attachments[i].text);
    free(attachments);
}

struct attachments {
    struct attachment *items;
    size_t count;
};

static enum status add_attachment(const struct store *store, sqlite3_stmt *row, void *into, struct error *error)
{
    struct attachments *all = into;
    if (!array_grow(&all->items, all->count, sizeof *all->items))
        return fail(error, STATUS_UNAVAILABLE, "no memory for an attachment");
    struct attachment *added = &all->items[all->count];
    column_text(row, 1, added->kind, sizeof added->kind);
    enum status status = take_text(store, row, &added->text, error);
    all->count += status == STATUS_OK;
    return status;
}

enum status attachments_read(struct store *store, int64_t measurement, struct attachment **attachments, size_t *count,
                             struct error *error)
{
    struct attachments all = {NULL, 0};
    enum status status = database_query(store, "SELECT text, kind FROM attachments WHERE measurement = ? ORDER BY kind",
                                        SQL_VALUES(OF_INTEGER(measurement)), add_attachment, &all, error);
    if (status != STATUS_OK) {
        attachments_free(all.items, all.count);
        all = (struct attachments){NULL, 0};
    }
    *attachments = all.items;
    *count = all.count;
    return status;
}
