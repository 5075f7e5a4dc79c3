#include "backends/cuda/compile_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An entry larger than this is not ours: cubins are some ten or hundred kilobytes. */
#define ENTRY_BYTES_MAX ((uint64_t)1 << 30)
#define PATH_BYTES 4096

/* The header of a cached file. Some field differs in a truncated file, a foreign file, or one of another key. */
struct header {
    char magic[8];
    struct cache_key key;
    uint64_t bytes;
    uint64_t checksum;
};

static const char magic[8] = "uskorC1";

/* Two sums that mix each byte in different ways: FNV-1a (Fowler, Noll, Vo), and a multiply after a rotation. */
void cache_key_add(struct cache_key *key, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t a = key->hash[0] ^ 0xcbf29ce484222325u, b = key->hash[1] + bytes;
    for (size_t i = 0; i < bytes; i++) {
        a = (a ^ at[i]) * 0x100000001b3u;
        b = ((b << 23 | b >> 41) ^ at[i]) * 0x9e3779b97f4a7c15u;
    }
    /* The length ends the part. */
    key->hash[0] = (a ^ bytes) * 0x100000001b3u;
    key->hash[1] = b ^ b >> 29;
    key->bytes += bytes;
}

void cache_key_add_text(struct cache_key *key, const char *text)
{
    cache_key_add(key, text, strlen(text));
}

static uint64_t checksum(const void *data, size_t bytes)
{
    struct cache_key sum = {.bytes = 0};
    cache_key_add(&sum, data, bytes);
    return sum.hash[0] ^ sum.hash[1];
}

/* Writes the folder's path, and makes it on request; false when no folder can be used. */
static bool cache_folder(char path[PATH_BYTES], bool make)
{
    const char *setting = getenv("USKOR_CACHE");
    if (setting && strcmp(setting, "off") == 0)
        return false;
    /* The base directory specification: a relative path does not count. */
    const char *base = getenv("XDG_CACHE_HOME"), *below = "";
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        below = "/.cache";
    }
    if (!base || base[0] != '/')
        return false;
    int length = snprintf(path, PATH_BYTES, "%s%s/uskor", base, below);
    if (length < 0 || length >= PATH_BYTES - 64)
        return false;
    for (char *slash = strchr(path + 1, '/'); make && slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700); /* most folders exist already; the last one reports a failure */
        *slash = '/';
    }
    return !make || mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool entry_path(const struct cache_key *key, char path[PATH_BYTES], bool make)
{
    if (!cache_folder(path, make))
        return false;
    size_t length = strlen(path);
    snprintf(path + length, PATH_BYTES - length, "/%016" PRIx64 "%016" PRIx64 ".code", key->hash[0], key->hash[1]);
    return true;
}

static bool read_entry(FILE *file, const struct cache_key *key, void **data, size_t *bytes)
{
    struct header header;
    if (fread(&header, sizeof header, 1, file) != 1 || memcmp(header.magic, magic, sizeof magic) != 0 ||
        memcmp(&header.key, key, sizeof *key) != 0 || header.bytes > ENTRY_BYTES_MAX)
        return false;
    char *content = malloc(header.bytes + 1);
    if (!content)
        return false;
    if (fread(content, 1, header.bytes, file) != header.bytes || fgetc(file) != EOF ||
        checksum(content, header.bytes) != header.checksum) {
        free(content);
        return false;
    }
    content[header.bytes] = 0;
    *data = content;
    *bytes = header.bytes;
    return true;
}

bool cache_load(const struct cache_key *key, void **data, size_t *bytes)
{
    char path[PATH_BYTES];
    if (!entry_path(key, path, false))
        return false;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    bool is_whole = read_entry(file, key, data, bytes);
    fclose(file);
    return is_whole;
}

void cache_store(const struct cache_key *key, const void *data, size_t bytes)
{
    char path[PATH_BYTES], temporary[PATH_BYTES + 16];
    if (bytes > ENTRY_BYTES_MAX || !entry_path(key, path, true))
        return;
    struct header header = {.key = *key, .bytes = bytes, .checksum = checksum(data, bytes)};
    memcpy(header.magic, magic, sizeof magic);

    /* Written beside and renamed, so that another process sees the whole entry or none. */
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    if (descriptor < 0)
        return;
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        unlink(temporary);
        return;
    }
    bool is_written = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(data, 1, bytes, file) == bytes;
    is_written = fclose(file) == 0 && is_written;
    if (!is_written || rename(temporary, path) != 0)
        unlink(temporary);
}
