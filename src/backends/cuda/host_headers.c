#include "backends/cuda/host_headers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/size.h"

/* The toolkit has them, too, and they are for the host's compiler. */
static const char *const hosts[] = {
    "cuda_runtime.h",      "cuda_runtime_api.h", "cuda.h",      "device_launch_parameters.h",
    "cuda_profiler_api.h", "curand.h",           "cublas_v2.h", "device_functions.h"};

/* Libraries of both: theirs is taken where the device's code names it. */
static const struct {
    const char *folder, *word;
} libraries[] = {{"thrust/", "thrust::"}, {"cub/", "cub::"}};

bool cuda_wants_host_words(const char *text)
{
    return strstr(text, "#include \"" CUDA_HOST_WORDS "\"") != NULL;
}

static bool is_there(const char *folder, const char *below, const char *name)
{
    char path[4096];
    return folder[0] && snprintf(path, sizeof path, "%s%s/%s", folder, below, name) < (int)sizeof path &&
           access(path, R_OK) == 0;
}

static bool is_empty(const char *text, const char *folder, const char *name)
{
    for (size_t i = 0; i < COUNT_OF(hosts); i++)
        if (strcmp(hosts[i], name) == 0)
            return true;
    for (size_t i = 0; i < COUNT_OF(libraries); i++)
        if (strncmp(name, libraries[i].folder, strlen(libraries[i].folder)) == 0 && !strstr(text, libraries[i].word))
            return true;
    return !embedded_find(name) && !is_there(folder, "", name) && !is_there(folder, "/cccl", name);
}

size_t cuda_empty_headers(const char *text, const char *folder, char names[CUDA_EMPTY_HEADERS][CUDA_HEADER_NAME])
{
    size_t count = 0;
    for (const char *line = text; line && count < CUDA_EMPTY_HEADERS;) {
        const char *at = line + strspn(line, " \t");
        if (*at == '#' && strncmp(at + 1 + strspn(at + 1, " \t"), "include", 7) == 0) {
            at += strcspn(at, "<\"\n");
            size_t length = *at && *at != '\n' ? strcspn(at + 1, ">\"\n") : 0;
            if (length && length < CUDA_HEADER_NAME) {
                snprintf(names[count], CUDA_HEADER_NAME, "%.*s", (int)length, at + 1);
                count += is_empty(text, folder, names[count]);
            }
        }
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return count;
}
