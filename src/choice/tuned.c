#include "choice/tuned.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/planted.h"
#include "base/text.h"

#define FILE_BYTES_MOST (16 << 20)
#define SYSTEMS_FILE "/etc/uskor/tuned.jsonl"

/* A kernel's entries of the cpu, or of all other kinds. */
struct table {
    const struct kernel *kernel;
    bool is_of_cpu;
    struct tuned_entry *items;
    size_t count, room;
    struct table *next;
};

static struct table *tables; /* of the kernels that were asked for */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char complaint[1024], stale[1024]; /* the first of each */
static size_t stale_lines;
static char own_name[1024], named_name[1024]; /* entries refer to them */

const char *tuned_complaint(void)
{
    return complaint;
}

const char *tuned_stale(size_t *count)
{
    *count = stale_lines;
    return stale;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static bool is_same_problem(const struct problem *a, const struct problem *b)
{
    if (a->kernel != b->kernel || a->type != b->type || a->seed != b->seed)
        return false;
    return memcmp(a->values, b->values, a->kernel->field_count * sizeof *a->values) == 0;
}

static bool is_same(const struct tuned_entry *a, const struct tuned_entry *b)
{
    return a->kind == b->kind && a->threads == b->threads && (a->cores == b->cores || !a->cores || !b->cores) &&
           is_same_problem(&a->problem, &b->problem) && strcmp(a->device, b->device) == 0 &&
           strcmp(a->version, b->version) == 0;
}

/* Replaces an earlier entry; one that is shipped stays beside the user's. */
static void add(struct table *table, const struct tuned_entry *entry)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_same(&table->items[i], entry) && table->items[i].is_shipped == entry->is_shipped) {
            table->items[i] = *entry;
            return;
        } else if (is_same(&table->items[i], entry)) {
            table->items[i].is_replaced = true;
        }
    if (table->count == table->room) {
        const size_t room = table->room ? 2 * table->room : 64;
        struct tuned_entry *items = realloc(table->items, room * sizeof *items);
        if (!items)
            return;
        table->items = items;
        table->room = room;
    }
    table->items[table->count++] = *entry;
}

static bool has(const char *line, size_t length, const char *text)
{
    return memmem(line, length, text, strlen(text)) != NULL;
}

/* Whether the line can be the table's: others are not parsed. One of no form at all is every table's, to be named. */
static bool concerns(const struct table *table, const char *line, size_t length)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s:", table->kernel->name);
    if (!has(line, length, wanted))
        return length > 0 && !has(line, length, "\"problem\"") && !has(line, length, "\"transfers\"");
    for (int kind = 0; table->is_of_cpu && kind < TUNED_KIND_COUNT; kind++) {
        snprintf(wanted, sizeof wanted, "\"%s\"", tuned_kind_name((enum tuned_kind)kind));
        if (kind != TUNED_CPU && has(line, length, wanted))
            return false;
    }
    return true;
}

void tuned_complain(const char *file, size_t number, const struct error *why)
{
    if (!*complaint)
        snprintf(complaint, sizeof complaint, "%s:%zu: %s", file, number, why->text);
}

static void note_stale(const char *file, size_t number, const struct error *why)
{
    if (stale_lines++ == 0)
        snprintf(stale, sizeof stale, "%s:%zu: %s", file, number, why->text);
}

static void read_line(void *context, const char *line, size_t length, const char *file, size_t number)
{
    struct table *table = context;
    struct tuned_entry entry;
    struct error why;
    if (!concerns(table, line, length))
        return;
    const enum status status = tuned_read_line(line, length, file, &entry, &why);
    if (status == STATUS_INVALID)
        tuned_complain(file, number, &why);
    else if (*why.text)
        note_stale(file, number, &why);
    entry.is_shipped = file != own_name && file != named_name && strcmp(file, SYSTEMS_FILE) != 0;
    if (status == STATUS_OK && entry.problem.kernel == table->kernel && (entry.kind == TUNED_CPU) == table->is_of_cpu)
        add(table, &entry);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

struct reading {
    tuned_take *take;
    void *context;
};

static void read_text(const struct reading *reading, const char *text, size_t bytes, const char *file)
{
    size_t number = 1;
    for (const char *line = text, *end; line < text + bytes; line = end + 1, number++) {
        end = memchr(line, '\n', (size_t)(text + bytes - line));
        if (!end)
            end = text + bytes;
        reading->take(reading->context, line, (size_t)(end - line), file, number);
    }
}

/* NULL, and no complaint where there is no such file and it need not be there. The caller frees it. */
static char *read_whole(const char *path, bool must_be, size_t *bytes)
{
    struct stat about;
    struct error why;
    char *text = NULL;
    errno = 0;
    const int file = link_is_planted(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool is_absent = file < 0 && (errno == ENOENT || errno == ENOTDIR);
    if (file < 0 || fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > FILE_BYTES_MOST) {
        fail(&why, STATUS_INVALID, "not a file of at most %d MiB that can be read", FILE_BYTES_MOST >> 20);
        if (must_be || !is_absent)
            tuned_complain(path, 0, &why);
    } else if ((text = malloc((size_t)about.st_size + 1)) != NULL) {
        const ssize_t got = read(file, text, (size_t)about.st_size);
        *bytes = got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    return text;
}

static void read_file(const struct reading *reading, const char *path, bool must_be)
{
    size_t bytes = 0;
    char *text = read_whole(path, must_be, &bytes);
    if (text)
        read_text(reading, text, bytes, path);
    free(text);
}

enum status tuned_own_file(char *path, size_t size, struct error *error)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    bool fits = false;
    *path = 0;
    if (data && data[0] == '/')
        fits = text_append(path, size, "%s/uskor/tuned.jsonl", data);
    else if (home && home[0] == '/')
        fits = text_append(path, size, "%s/.local/share/uskor/tuned.jsonl", home);
    return fits ? STATUS_OK
                : fail(error, STATUS_UNAVAILABLE, "neither XDG_DATA_HOME nor HOME names a folder for tuned.jsonl");
}

static void read_shipped(const struct reading *reading)
{
    for (size_t i = 0; i < embedded_file_count; i++) {
        const struct embedded_file *file = &embedded_files[i];
        const char *end = strrchr(file->path, '.');
        if (end && strcmp(end, ".jsonl") == 0)
            read_text(reading, file->text, file->bytes, file->path + strspn(file->path, "./"));
    }
}

static void read_all(const struct reading *reading)
{
    const char *named = getenv("USKOR_TUNED");
    read_shipped(reading);
    if (named && strcmp(named, "none") == 0)
        return;
    read_file(reading, SYSTEMS_FILE, false);
    if (tuned_own_file(own_name, sizeof own_name, NULL) == STATUS_OK)
        read_file(reading, own_name, false);
    if (named && *named && text_append(memset(named_name, 0, 1), sizeof named_name, "%s", named))
        read_file(reading, named_name, true);
}

static void lock_tables(void)
{
    pthread_mutex_lock(&lock);
}

static void unlock_tables(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child that is forked while another thread reads must find the lock free. */
static void watch_forks(void)
{
    pthread_atfork(lock_tables, unlock_tables, unlock_tables);
}

struct tuned_entries tuned_entries(const struct kernel *kernel, enum tuned_kind kind)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    lock_tables();
    struct table *table = tables;
    while (table && !(table->kernel == kernel && table->is_of_cpu == (kind == TUNED_CPU)))
        table = table->next;
    if (!table && (table = calloc(1, sizeof *table)) != NULL) {
        table->kernel = kernel;
        table->is_of_cpu = kind == TUNED_CPU;
        read_all(&(struct reading){read_line, table});
        table->next = tables;
        tables = table;
    }
    unlock_tables();
    return table ? (struct tuned_entries){table->items, table->count} : (struct tuned_entries){NULL, 0};
}

bool tuned_has_own(const struct kernel *kernel, enum tuned_kind kind)
{
    const struct tuned_entries entries = tuned_entries(kernel, kind);
    for (size_t i = 0; i < entries.count; i++)
        if (!entries.items[i].is_shipped)
            return true;
    return false;
}

void tuned_each_line(tuned_take *take, void *context)
{
    lock_tables();
    read_all(&(struct reading){take, context});
    unlock_tables();
}
