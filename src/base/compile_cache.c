#include "base/compile_cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cache_folder.h"

/* An entry larger than this is not ours: cubins are some ten or hundred kilobytes. */
#define ENTRY_BYTES_MAX ((uint64_t)1 << 30)

/* The header of a cached file. Some field differs in a truncated file, a foreign file, or one of another key. */
struct header {
    char magic[8];
    struct cache_key key;
    uint64_t bytes;
    uint64_t checksum;
};

static const char magic[8] = "uskorC1", suffix[] = ".code";

/* A process checks the folder's size when it stores its first entry, and after every 64 further ones. */
enum { STORES_A_CHECK = 64 };

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

void cache_key_add_file(struct cache_key *key, const char *path)
{
    struct stat about;
    cache_key_add_text(key, path);
    if (stat(path, &about) != 0)
        return;
    const int64_t facts[] = {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec};
    cache_key_add(key, facts, sizeof facts);
}

/* ---- within the process ---------------------------------------------------------------------------------------------
 */

enum { KEPT = 32 };

static struct {
    atomic_bool is_wanted;
    pthread_mutex_t lock;
    struct {
        struct cache_key key;
        void *data;
        size_t bytes;
    } items[KEPT];
    size_t next;
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

void cache_keep_within(void)
{
    atomic_store(&kept.is_wanted, true);
}

static char *copy_of(const void *data, size_t bytes)
{
    char *copy = malloc(bytes + 1);
    if (copy) {
        memcpy(copy, data, bytes);
        copy[bytes] = 0;
    }
    return copy;
}

/* The newest one of this key. */
static bool recall(const struct cache_key *key, void **data, size_t *bytes)
{
    char *found = NULL;
    pthread_mutex_lock(&kept.lock);
    for (size_t i = kept.next; !found && i > 0 && i + KEPT > kept.next; i--) {
        const size_t at = (i - 1) % KEPT;
        if (memcmp(&kept.items[at].key, key, sizeof *key) != 0)
            continue;
        *bytes = kept.items[at].bytes;
        *data = found = copy_of(kept.items[at].data, *bytes);
    }
    pthread_mutex_unlock(&kept.lock);
    return found != NULL;
}

static void remember(const struct cache_key *key, const void *data, size_t bytes)
{
    char *copy = copy_of(data, bytes);
    if (!copy)
        return;
    pthread_mutex_lock(&kept.lock);
    const size_t at = kept.next++ % KEPT;
    free(kept.items[at].data);
    kept.items[at].key = *key;
    kept.items[at].data = copy;
    kept.items[at].bytes = bytes;
    pthread_mutex_unlock(&kept.lock);
}

/* ---- on disk --------------------------------------------------------------------------------------------------------
 */

static uint64_t checksum(const void *data, size_t bytes)
{
    struct cache_key sum = {.bytes = 0};
    cache_key_add(&sum, data, bytes);
    return sum.hash[0] ^ sum.hash[1];
}

enum { NAME_BYTES = 48 };

static void name_entry(const struct cache_key *key, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%016" PRIx64 "%016" PRIx64 "%s", key->hash[0], key->hash[1], suffix);
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

static bool load(const struct cache_key *key, void **data, size_t *bytes)
{
    char name[NAME_BYTES];
    int folder = cache_folder_open(false);
    if (folder < 0)
        return false;
    name_entry(key, name);
    int descriptor = cache_folder_file(folder, name);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "rb");
    bool is_whole = file && read_entry(file, key, data, bytes);
    if (is_whole) /* the last to be deleted */
        (void)futimens(descriptor, NULL);
    if (file)
        fclose(file);
    else if (descriptor >= 0)
        close(descriptor);
    close(folder);
    return is_whole;
}

bool cache_load(const struct cache_key *key, void **data, size_t *bytes)
{
    return atomic_load(&kept.is_wanted) ? recall(key, data, bytes) : load(key, data, bytes);
}

static bool write_entry(int descriptor, const struct cache_key *key, const void *data, size_t bytes)
{
    struct header header = {.key = *key, .bytes = bytes, .checksum = checksum(data, bytes)};
    memcpy(header.magic, magic, sizeof magic);
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        return false;
    }
    bool is_written = fwrite(&header, sizeof header, 1, file) == 1 && fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && is_written;
}

static void store(const struct cache_key *key, const void *data, size_t bytes)
{
    static atomic_uint stored; /* by this process */
    char name[NAME_BYTES], temporary[NAME_BYTES + 32];
    int folder = bytes > ENTRY_BYTES_MAX ? -1 : cache_folder_open(true);
    if (folder < 0)
        return;
    /* Written beside and renamed, so that another process sees the whole entry or none. */
    unsigned count = atomic_fetch_add(&stored, 1);
    name_entry(key, name);
    snprintf(temporary, sizeof temporary, ".%lld.%u.%s", (long long)getpid(), count, name);
    int descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor >= 0 &&
        (!write_entry(descriptor, key, data, bytes) || renameat(folder, temporary, folder, name) != 0))
        unlinkat(folder, temporary, 0);
    if (count % STORES_A_CHECK == 0)
        cache_folder_bound(folder, suffix, COMPILE_CACHE_BYTES);
    close(folder);
}

void cache_store(const struct cache_key *key, const void *data, size_t bytes)
{
    if (atomic_load(&kept.is_wanted))
        remember(key, data, bytes);
    else
        store(key, data, bytes);
}
