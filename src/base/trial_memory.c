#include "base/trial_memory.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/size.h"
#include "base/starting_environment.h"
#include "base/text.h"
#include "base/under_way.h"

#define PATH_BYTES 512

static uint64_t hash_of(const char *text, uint64_t hash)
{
    while (*text)
        hash = (hash ^ (unsigned char)*text++) * 0x100000001b3u;
    return hash;
}

/* Variables that a loader or a driver heeds; their order is of no matter. */
static uint64_t hash_environment(uint64_t start)
{
    static const char *const heeded[] = {
        "LD_", "CUDA",   "NV",  "OCL_", "OPENCL", "POCL", "USKOR_", "HOME=", "XDG_",    "ROCR",  "HSA", "HIP",
        "ZE_", "ONEAPI", "MKL", "TMP",  "SYCL",   "EGL",  "MESA",   "__EGL", "GALLIUM", "LIBGL", "LP_", "__GL"};
    uint64_t sum = start;
    for (char **variable = starting_environment(); *variable; variable++)
        for (size_t i = 0; i < COUNT_OF(heeded); i++)
            if (strncmp(*variable, heeded[i], strlen(heeded[i])) == 0)
                sum += hash_of(*variable, start);
    return sum;
}

/* What a library finds room for depends on them. */
static uint64_t hash_limits(uint64_t hash)
{
    static const int heeded[] = {RLIMIT_NOFILE, RLIMIT_STACK, RLIMIT_NPROC, RLIMIT_FSIZE, RLIMIT_MEMLOCK};
    for (size_t i = 0; i < COUNT_OF(heeded); i++) {
        struct rlimit limit = {0};
        char text[32];
        getrlimit(heeded[i], &limit);
        snprintf(text, sizeof text, "%llu ", (unsigned long long)limit.rlim_cur);
        hash = hash_of(text, hash);
    }
    return hash;
}

/* What drivers read of the machine: without /sys, and in another container, they find something else or nothing. */
static uint64_t hash_places(uint64_t hash)
{
    static const char *const places[] = {"/",        "/proc",           "/sys",     "/sys/devices/system/cpu",
                                         "/dev",     "/dev/nvidiactl",  "/dev/shm", "/sys/devices/system/node",
                                         "/dev/dri", "/dev/nvidia-uvm", "/dev/kfd", "/sys/class/drm"};
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct stat about = {0};
        char text[64] = "none ";
        if (stat(places[i], &about) == 0)
            snprintf(text, sizeof text, "%llu:%llu ", (unsigned long long)about.st_dev,
                     (unsigned long long)about.st_ino);
        hash = hash_of(text, hash);
    }
    return hash;
}

static uint64_t key_of(const char *title)
{
    char boot[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    if (file && !fgets(boot, sizeof boot, file))
        boot[0] = 0;
    if (file)
        fclose(file);
    return hash_environment(hash_places(hash_limits(hash_of(boot, hash_of(title, 0xcbf29ce484222325u)))));
}

/* The base directory specification: a relative path does not count. */
static bool entry_path(const char *title, char path[PATH_BYTES], bool make)
{
    const char *setting = getenv("USKOR_CACHE"), *base = getenv("XDG_CACHE_HOME"), *below = "";
    if ((setting && strcmp(setting, "off") == 0) || memory_is_limited())
        return false;
    if (!base || base[0] != '/') {
        base = getenv("HOME");
        below = "/.cache";
    }
    if (!base || base[0] != '/' || strlen(base) > PATH_BYTES - 64)
        return false;
    snprintf(path, PATH_BYTES, "%s%s/uskor/", base, below);
    for (char *slash = strchr(path + 1, '/'); make && slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700); /* most folders exist already; opening the entry reports what is missing */
        *slash = '/';
    }
    return text_append(path, PATH_BYTES, "%016" PRIx64 ".trial", key_of(title));
}

/* A file's identity: another one under the same name is another. False when there is none. */
static bool identify(const char *path, char *text, size_t size)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    snprintf(text, size, "%lld.%09ld %lld %llu", (long long)about.st_mtim.tv_sec, about.st_mtim.tv_nsec,
             (long long)about.st_size, (unsigned long long)about.st_ino);
    return true;
}

/* Each line is "identity path". */
static bool is_as_it_was(char *line)
{
    char now[128];
    char *path = strstr(line, " /");
    line[strcspn(line, "\n")] = 0;
    if (!path)
        return false;
    *path++ = 0;
    return identify(path, now, sizeof now) && strcmp(now, line) == 0;
}

bool trial_is_remembered(const char *title)
{
    char path[PATH_BYTES], line[PATH_BYTES + 256];
    if (!entry_path(title, path, false))
        return false;
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool same = true, whole = false;
    while (same && !whole && fgets(line, sizeof line, file)) {
        whole = strcmp(line, "end\n") == 0;
        same = whole || is_as_it_was(line);
    }
    fclose(file);
    if (same && whole)
        under_way_suspect(path);
    return same && whole;
}

static void write_file(FILE *file, const char *path)
{
    char identity[128];
    if (path[0] == '/' && !strchr(path, '\n') && identify(path, identity, sizeof identity))
        fprintf(file, "%s %s\n", identity, path);
}

static int write_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    write_file(context, info->dlpi_name);
    return 0;
}

void trial_remember(const char *title)
{
    char path[PATH_BYTES], temporary[PATH_BYTES + 16];
    if (!entry_path(title, path, true))
        return;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file)
        return;
    const char *vendors = getenv("OCL_ICD_VENDORS");
    write_file(file, "/proc/self/exe"); /* by its target's identity */
    write_file(file, "/etc/OpenCL/vendors");
    if (vendors)
        write_file(file, vendors);
    dl_iterate_phdr(write_library, file);
    bool is_written = fputs("end\n", file) != EOF && !ferror(file);
    is_written = fclose(file) == 0 && is_written;
    if (!is_written || rename(temporary, path) != 0)
        unlink(temporary);
}
