#include "choice/code_hash.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "kernels/rung_header.h"

#define START 2166136261u /* FNV-1a */
#define FACTOR 16777619u

static uint32_t mix(uint32_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * FACTOR;
    return hash;
}

static uint32_t compute(const struct kernel *kernel, const struct rung *rung)
{
    char stem[SOURCE_PATH_MAX];
    uint32_t hash = START;
    const size_t folder = strlen(kernel->name) + 1;
    snprintf(stem, sizeof stem, "%s/%s", kernel->name, rung->name);
    for (char *at = stem + folder; *at; at++)
        *at = *at == '-' ? '_' : *at;
    if (rung->source)
        hash = mix(hash, rung->source->text, strlen(rung->source->text));
    for (const struct code_file *file = code_files; file->path; file++)
        if (strncmp(file->path, stem, strlen(stem)) == 0)
            hash = mix(hash, &file->hash, sizeof file->hash);
    return hash == START ? 0 : hash;
}

/* A tuned file asks for a few rungs a few hundred times. */
#define KEPT 64

uint32_t code_hash(const struct kernel *kernel, const struct rung *rung)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct {
        const struct rung *rung;
        uint32_t hash;
    } kept[KEPT];
    const size_t place = (uintptr_t)rung / 16 % KEPT;
    pthread_mutex_lock(&lock);
    if (kept[place].rung != rung) {
        kept[place].rung = rung;
        kept[place].hash = compute(kernel, rung);
    }
    const uint32_t hash = kept[place].hash;
    pthread_mutex_unlock(&lock);
    return hash;
}
