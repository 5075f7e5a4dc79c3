/* A main for fuzz targets without a fuzzer: every file of a folder is tried whole, truncated at every length, and with
 * every byte changed in several ways. The inputs are the same every time, and take a second or two. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Longer seeds are cut and changed in their first bytes only: headers are there. */
#define TOUCHED_MAX 320

static size_t inputs;

/* A copy of exactly this size, so a sanitizer detects reads past the end. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
}

static void run_variants(uint8_t *data, size_t size)
{
    static const uint8_t flips[] = {0x01, 0x10, 0x80, 0xff};
    size_t touched = size < TOUCHED_MAX ? size : TOUCHED_MAX;
    run(data, size);
    for (size_t length = 0; length < touched; length++)
        run(data, length);
    for (size_t at = 0; at < touched; at++)
        for (size_t k = 0; k < sizeof flips; k++) {
            data[at] ^= flips[k];
            run(data, size);
            data[at] ^= flips[k];
        }
}

/* False when the file cannot be read. */
static bool run_file(const char *folder, const char *name)
{
    char path[4096];
    static uint8_t data[1 << 20];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    run_variants(data, size);
    return true;
}

int main(int count, char **arguments)
{
    DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
    if (!folder) {
        fprintf(stderr, "usage: %s FOLDER-OF-SEEDS\n", arguments[0]);
        return 2;
    }
    size_t files = 0;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN)
            files += run_file(arguments[1], entry->d_name);
    closedir(folder);
    printf("%zu files, %zu inputs\n", files, inputs);
    return files == 0;
}
