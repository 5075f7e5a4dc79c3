#include "base/message.h"

#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/origin.h"
#include "base/text.h"
#include "base/translation.h"
#include "base/visible.h"

#define ARGUMENTS_MOST 16
#define TEXT_MOST 2048   /* bytes of a message in the reader's language */
#define ORIGIN_MOST 4096 /* of an origin; a longer one is not remembered */
#define DEPTH_MOST 8     /* messages in messages */
#define TEXTS_KEPT 4

/* ---- what is remembered ---- */

#define BUCKETS 1024
#define RECORDS_MOST 16384 /* then no more are taken in: messages stay English, and memory bounded */

struct record {
    struct record *next;
    char *origin; /* behind the text, in the same block */
    char text[];
};

static struct record *records[BUCKETS];
static size_t record_count;
static pthread_mutex_t records_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t bucket_of(const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash % BUCKETS;
}

static struct record *find_record(size_t bucket, const char *text)
{
    struct record *record = records[bucket];
    while (record && strcmp(record->text, text) != 0)
        record = record->next;
    return record;
}

const char *message_origin(const char *message)
{
    pthread_mutex_lock(&records_lock);
    const struct record *record = find_record(bucket_of(message), message);
    pthread_mutex_unlock(&records_lock);
    return record ? record->origin : NULL;
}

static struct record *new_record(const char *message, const char *origin)
{
    size_t text_bytes = strlen(message) + 1, origin_bytes = strlen(origin) + 1;
    struct record *record = malloc(sizeof *record + text_bytes + origin_bytes);
    if (record) {
        record->origin = record->text + text_bytes;
        memcpy(record->text, message, text_bytes);
        memcpy(record->origin, origin, origin_bytes);
    }
    return record;
}

static void remember(const char *message, const char *origin)
{
    size_t bucket = bucket_of(message);
    pthread_mutex_lock(&records_lock);
    if (record_count < RECORDS_MOST && !find_record(bucket, message)) {
        struct record *record = new_record(message, origin);
        if (record) {
            record->next = records[bucket];
            records[bucket] = record;
            record_count++;
        }
    }
    pthread_mutex_unlock(&records_lock);
}

void message_remember(const char *message, const char *origin)
{
    const char *end = origin;
    if (*message && *origin == '[' && strlen(origin) < ORIGIN_MOST && origin_skip(&end) && !*end)
        remember(message, origin);
}

void message_pack(const char *message, char origin[MESSAGE_ORIGIN_BYTES])
{
    const char *known = message_origin(message);
    bool fits = known && strlen(known) < MESSAGE_ORIGIN_BYTES;
    strcpy(origin, fits ? known : "");
}

void message_unpack(const char *message, const char origin[MESSAGE_ORIGIN_BYTES])
{
    if (memchr(origin, 0, MESSAGE_ORIGIN_BYTES))
        message_remember(message, origin);
}

/* ---- making a message ---- */

/* One argument as the conversion of the format writes it. */
static void write_argument(char *text, size_t size, const char *format, size_t bytes, va_list *arguments)
{
    char one[64] = "", kind = format[bytes - 1];
    for (size_t i = 0; i < bytes; i++)
        if (format[i] == '*')
            text_append(one, sizeof one, "%d", va_arg(*arguments, int));
        else
            text_append(one, sizeof one, "%c", format[i]);
    if (kind == 's') {
        const char *string = va_arg(*arguments, const char *);
        snprintf(text, size, one, string);
    } else if (strchr("eEfFgGaA", kind)) {
        double real = va_arg(*arguments, double);
        snprintf(text, size, one, real);
    } else if (strpbrk(one, "lzjtp")) { /* of 64 bits, all of them */
        long whole = va_arg(*arguments, long);
        snprintf(text, size, one, whole);
    } else {
        int whole = va_arg(*arguments, int);
        snprintf(text, size, one, whole);
    }
}

/* The origin of a message: its format and its arguments; false when they do not fit. */
static bool compose(char *origin, size_t size, const char *format, va_list *arguments)
{
    bool fits = text_append(origin, size, "[") && origin_append_string(origin, size, format);
    for (const char *at = format; fits && (at = strchr(at, '%'));) {
        char text[TEXT_MOST];
        size_t bytes = origin_conversion(at);
        if (at[1] != '%' && bytes > 1) {
            write_argument(text, sizeof text, at, bytes, arguments);
            const char *inner = message_origin(text);
            fits = text_append(origin, size, ",") &&
                   (inner ? text_append(origin, size, "%s", inner) : origin_append_string(origin, size, text));
        }
        at += at[1] == '%' ? 2 : bytes;
    }
    return fits && text_append(origin, size, "]");
}

const char *explain_from(char *text, size_t size, const char *format, va_list arguments)
{
    char made[TEXT_MOST], origin[ORIGIN_MOST] = "";
    va_list again;
    va_copy(again, arguments);
    vsnprintf(made, size < sizeof made ? size : sizeof made, format, arguments);
    if (compose(origin, sizeof origin, format, &again))
        remember(made, origin);
    va_end(again);
    snprintf(text, size, "%s", made);
    return text;
}

/* ---- telling it ---- */

/* The text being composed; it is cut where it does not fit. */
struct told {
    char *text;
    size_t size, length;
};

static void append(struct told *told, const char *text, size_t length)
{
    size_t room = told->size - 1 - told->length;
    length = length < room ? length : room;
    memcpy(told->text + told->length, text, length);
    told->length += length;
    told->text[told->length] = 0;
}

/* The C library's words for errors of files and memory, which come as arguments: here so that they are collected. */
__attribute__((unused)) static const char *const system_words[] = {
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("No space left on device"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("Read-only file system"),
    N_("File exists"),
    N_("Input/output error"),
    N_("Disk quota exceeded"),
    N_("File too large"),
    N_("Cannot allocate memory"),
    N_("Too many open files"),
    N_("Operation not permitted"),
    N_("Broken pipe"),
};

/* "1.5 GiB", with a unit of ours. */
static bool is_quantity(const char *text)
{
    const char *space = strchr(text, ' ');
    return isdigit((unsigned char)*text) && space && say_unit(space + 1) != space + 1;
}

static bool tell_origin(struct told *told, const char *origin, int depth);

/* A number has the language's point; a text of several words may be one of ours, a single one is a name. */
static void tell_argument(struct told *told, const char *origin, bool is_number, int depth)
{
    char text[TEXT_MOST + 16]; /* room for a unit's other name */
    if (*origin == '[') {
        tell_origin(told, origin, depth + 1);
        return;
    }
    if (!origin_read_string(&origin, text, TEXT_MOST))
        return;
    visible_make(text, TEXT_MOST);
    if (is_number || is_quantity(text))
        say_quantity(text, sizeof text);
    const char *said = strchr(text, ' ') ? tr(text) : text;
    append(told, said, strlen(said));
}

/* The arguments of an origin: the start of each, and which are numbers. False when the text is not an origin. */
struct arguments {
    char format[TEXT_MOST];
    const char *at[ARGUMENTS_MOST];
    bool is_number[ARGUMENTS_MOST];
    size_t count;
};

static bool read_arguments(const char *origin, struct arguments *arguments)
{
    if (*origin++ != '[' || !origin_read_string(&origin, arguments->format, sizeof arguments->format))
        return false;
    arguments->count = 0;
    for (const char *at = arguments->format; (at = strchr(at, '%')) && arguments->count < ARGUMENTS_MOST;) {
        size_t bytes = origin_conversion(at);
        if (at[1] != '%' && bytes > 1) {
            if (*origin++ != ',')
                return false;
            arguments->at[arguments->count] = origin;
            arguments->is_number[arguments->count++] = !strchr("sc", at[bytes - 1]);
            if (!origin_skip(&origin))
                return false;
        }
        at += at[1] == '%' ? 2 : bytes;
    }
    return *origin == ']';
}

/* Which argument a conversion takes: "%2$s" the second, others the next. */
static size_t argument_of(const char *conversion, size_t *next)
{
    char *end;
    unsigned long place = strtoul(conversion + 1, &end, 10);
    return *end == '$' && place > 0 ? place - 1 : (*next)++;
}

static bool tell_origin(struct told *told, const char *origin, int depth)
{
    struct arguments arguments;
    size_t next = 0;
    if (depth > DEPTH_MOST || !read_arguments(origin, &arguments))
        return false;
    for (const char *format = tr(arguments.format); *format;) {
        size_t bytes = *format == '%' ? origin_conversion(format) : 1;
        if (strncmp(format, "%%", 2) == 0) {
            append(told, "%", 1);
            bytes = 2;
        } else if (bytes == 1) {
            append(told, format, 1);
        } else {
            size_t index = argument_of(format, &next);
            bool is_left_out = strncmp(format, "%.0s", 4) == 0;
            if (index < arguments.count && !is_left_out)
                tell_argument(told, arguments.at[index], arguments.is_number[index], depth);
        }
        format += bytes;
    }
    return true;
}

const char *say_message(const char *message)
{
    static _Thread_local char texts[TEXTS_KEPT][TEXT_MOST];
    static _Thread_local unsigned next;
    if (language_now() == LANGUAGE_ENGLISH)
        return message;
    const char *origin = message_origin(message);
    struct told told = {texts[next++ % TEXTS_KEPT], TEXT_MOST, 0};
    told.text[0] = 0;
    return origin && tell_origin(&told, origin, 0) ? told.text : tr(message);
}
