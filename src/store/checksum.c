#include "store/database.h"

#include <endian.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    word = htole64(word);
    return add_bytes(hash, &word, sizeof word);
}

/* Each value begins with its type, and what has a length with that: so no byte can wander to its neighbour. */
static uint64_t add_value(uint64_t hash, sqlite3_value *value)
{
    const unsigned char type = (unsigned char)sqlite3_value_type(value);
    double real = sqlite3_value_double(value);
    uint64_t bits;
    memcpy(&bits, &real, sizeof bits);
    hash = add_bytes(hash, &type, 1);
    switch (type) {
    case SQLITE_INTEGER:
        return add_word(hash, (uint64_t)sqlite3_value_int64(value));
    case SQLITE_FLOAT:
        return add_word(hash, bits);
    case SQLITE_NULL:
        return hash;
    default: {
        const void *bytes = sqlite3_value_blob(value);
        size_t count = (size_t)sqlite3_value_bytes(value);
        return add_bytes(add_word(hash, count), bytes, count);
    }
    }
}

static void checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
    char text[17];
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < count; i++)
        hash = add_value(hash, values[i]);
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

int checksum_register(sqlite3 *database)
{
    return sqlite3_create_function_v2(database, "uskor_checksum", -1,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, NULL, checksum, NULL,
                                      NULL, NULL);
}
