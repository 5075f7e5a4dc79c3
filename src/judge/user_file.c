#include "judge/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sha256.h"

enum status user_file_read(const char *path, char **text, struct error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat facts;
    if (!file)
        return fail(error, STATUS_INVALID, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(fileno(file), &facts) != 0 || !(S_ISREG(facts.st_mode) || strncmp(path, "/proc/", 6) == 0)) {
        fclose(file);
        return fail(error, STATUS_INVALID, "%s: is not a file", path);
    }
    *text = malloc(USER_FILE_MOST + 1);
    size_t length = *text ? fread(*text, 1, USER_FILE_MOST + 1, file) : 0;
    fclose(file);
    if (!*text)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    (*text)[length <= USER_FILE_MOST ? length : 0] = '\0';
    if (length >= 2 && (memcmp(*text, "\xff\xfe", 2) == 0 || memcmp(*text, "\xfe\xff", 2) == 0)) {
        free(*text);
        return fail(error, STATUS_INVALID, "%s: is in UTF-16, which no compiler here reads: save it in UTF-8", path);
    }
    if (length > USER_FILE_MOST || memchr(*text, '\0', length)) {
        free(*text);
        return fail(error, STATUS_INVALID, "%s: is no source text of at most %zu MiB", path, USER_FILE_MOST >> 20);
    }
    if (length == 0 && S_ISREG(facts.st_mode)) {
        free(*text);
        return fail(error, STATUS_INVALID, "%s: is empty", path);
    }
    return STATUS_OK;
}

bool user_file_seal(int descriptor)
{
    return fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

void user_file_hash(const char *text, char hash[65])
{
    uint8_t bytes[SHA256_BYTES];
    sha256(text, strlen(text), bytes);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        snprintf(hash + 2 * i, 3, "%02x", bytes[i]);
}
