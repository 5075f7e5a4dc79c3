#include "walls/paths.h"

#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/own_program.h"
#include "base/size.h"

#define COMPILE (1u << WALLS_COMPILE)
#define CPU (1u << WALLS_CPU_DRIVER)
#define GPU (1u << WALLS_GPU_DRIVER)
#define DRIVERS (CPU | GPU)
#define ALL (COMPILE | (1u << WALLS_CODE) | DRIVERS | (1u << WALLS_EXPLAIN))

/* The system's own software and what it tells of the machine. No folder of a user, none of services. A name may be a
 * pattern. */
static const struct {
    unsigned stages;
    enum path_right right;
    const char *path;
} named[] = {
    {ALL & ~COMPILE, PATH_READ, "/usr/lib*"},
    {ALL & ~COMPILE, PATH_READ, "/lib*"},
    {COMPILE, PATH_START, "/usr/lib*"}, /* compilers' parts, and the loader */
    {COMPILE, PATH_START, "/lib*"},
    {CPU, PATH_START, "/lib64/ld-linux*"},
    {CPU, PATH_START, "/lib/ld-linux*"},
    {ALL, PATH_READ, "/usr/local/lib*"},
    {ALL, PATH_READ, "/usr/local/cuda*"},
    {ALL, PATH_READ, "/opt"},
    {ALL, PATH_READ, "/usr/include"},
    {ALL, PATH_READ, "/usr/local/include"},
    {ALL, PATH_READ, "/usr/*-linux-gnu*"},
    {ALL, PATH_READ, "/usr/share"},
    {ALL & ~COMPILE, PATH_READ, "/nix/store"}, /* NixOS and Guix have all software there */
    {ALL & ~COMPILE, PATH_READ, "/gnu/store"},
    {COMPILE, PATH_START, "/nix/store"},
    {COMPILE, PATH_START, "/gnu/store"},
    {ALL, PATH_READ, "/etc/ld.so.*"},
    {ALL, PATH_READ, "/etc/alternatives"},
    {ALL, PATH_READ, "/etc/localtime"},
    {DRIVERS, PATH_READ, "/etc/OpenCL"},
    {DRIVERS, PATH_READ, "/etc/glvnd"},
    {DRIVERS, PATH_READ, "/etc/egl"},
    {DRIVERS, PATH_READ, "/etc/drirc"},
    {DRIVERS, PATH_READ, "/etc/nvidia*"},
    {ALL & ~GPU & ~COMPILE, PATH_READ, "/proc"}, /* memory and files of a process outside stay shut: Landlock */
    {GPU, PATH_OPEN, "/proc"},                   /* CUDA does not start where it cannot name its threads */
    {ALL & ~COMPILE, PATH_READ, "/sys"},
    {ALL & ~COMPILE, PATH_READ, "/dev/zero"}, /* a source that includes it has no end */
    {ALL & ~COMPILE, PATH_READ, "/dev/random"},
    {ALL & ~COMPILE, PATH_READ, "/dev/urandom"},
    {ALL, PATH_OPEN, "/dev/null"},
    {GPU, PATH_OPEN, "/dev/nvidia*"},
    {GPU, PATH_OPEN, "/dev/nvidia-caps"},
    {DRIVERS, PATH_OPEN, "/dev/dri"},
    {GPU, PATH_OPEN, "/dev/kfd"},
    {DRIVERS, PATH_OPEN, "/dev/udmabuf"},
    {CPU | COMPILE, PATH_START, "/usr/bin/ld"}, /* PoCL links what it compiled */
    {CPU | COMPILE, PATH_START, "/usr/bin/ld.*"},
    {COMPILE, PATH_START, "/usr/bin/as"},
    {COMPILE, PATH_START, "/usr/bin/*-linux-gnu-as"},
};

/* Libraries, or folders of them, that the user named: their parts lie beside them. */
static const char *const folder_variables[] = {"CUDA_PATH",       "CUDA_HOME",         "OCL_ICD_VENDORS",
                                               "LD_LIBRARY_PATH", "OCL_ICD_FILENAMES", "USKOR_NCCL"};
static const char *const file_variables[] = {"USKOR_CLBLAST", "USKOR_CUBLAS", "USKOR_LIBCUDA", "USKOR_NVRTC"};

void paths_add(struct path_list *list, const char *path, enum path_right right)
{
    void *larger = reallocarray(list->items, list->count + 1, sizeof *list->items);
    char *own = larger ? strdup(path) : NULL;
    list->items = larger ? larger : list->items;
    if (!own)
        return;
    list->items[list->count].path = own;
    list->items[list->count++].right = right;
}

bool paths_have(const struct path_list *list, const char *path, enum path_right right)
{
    char real[PATH_MAX];
    const char *name = strstr(path, "/..") && realpath(path, real) ? real : path;
    for (size_t i = 0; i < list->count; i++) {
        const size_t length = strlen(list->items[i].path);
        if (strncmp(name, list->items[i].path, length) == 0 && (!name[length] || name[length] == '/') &&
            (right != PATH_START || list->items[i].right == PATH_START))
            return true;
    }
    return false;
}

static void add_pattern(struct path_list *list, const char *pattern, enum path_right right)
{
    glob_t found;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        paths_add(list, found.gl_pathv[i], right);
    globfree(&found);
}

/* The folder of a file. */
static void add_beside(struct path_list *list, const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash || slash == folder)
        return;
    *slash = '\0';
    paths_add(list, folder, PATH_READ);
}

/* Each absolute path of a list that colons part. */
static void add_listed(struct path_list *list, const char *names)
{
    char path[PATH_MAX];
    while (names && *names) {
        const size_t length = strcspn(names, ":");
        snprintf(path, sizeof path, "%.*s", (int)length, names);
        if (path[0] == '/' && path[1])
            paths_add(list, path, PATH_READ);
        names += length + (names[length] == ':');
    }
}

/* What a driver's registration names, and what lies beside that. */
static void add_registered(struct path_list *list, const char *pattern)
{
    glob_t found;
    char line[PATH_MAX];
    if (glob(pattern, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "re");
        if (file && fgets(line, sizeof line, file)) {
            line[strcspn(line, "\r\n")] = '\0';
            if (line[0] == '/')
                add_beside(list, line);
        }
        if (file)
            fclose(file);
    }
    globfree(&found);
}

static void add_drivers(struct path_list *list)
{
    char pattern[PATH_MAX];
    const char *vendors = getenv("OCL_ICD_VENDORS");
    if (!vendors || !*vendors)
        vendors = "/etc/OpenCL/vendors";
    snprintf(pattern, sizeof pattern, "%s/*.icd", vendors);
    add_registered(list, pattern);
    add_registered(list, vendors);
}

/* The folders that the system's loader is told to look in. */
static void add_loader_folders(struct path_list *list)
{
    glob_t found;
    char line[PATH_MAX];
    if (glob("/etc/ld.so.conf.d/*.conf", GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "re");
        while (file && fgets(line, sizeof line, file)) {
            line[strcspn(line, " \t\r\n#")] = '\0';
            if (line[0] == '/' && line[1])
                paths_add(list, line, PATH_READ);
        }
        if (file)
            fclose(file);
    }
    globfree(&found);
}

/* This program, its shims, and the compiler of CUDA C that set-up fetched: not all that lies beside them. */
static void add_own(struct path_list *list)
{
    static const char *const beside[] = {"/libuskor*.so*", "/nvrtc", "/../nvrtc", "/../lib*/libuskor*.so*",
                                         "/../lib*/*/libuskor*.so*"};
    char program[PATH_MAX], pattern[PATH_MAX + 64];
    if (!own_program_name(program, sizeof program))
        return;
    paths_add(list, program, PATH_READ);
    char *slash = strrchr(program, '/');
    if (!slash)
        return;
    *slash = '\0';
    for (size_t i = 0; i < COUNT_OF(beside); i++) {
        snprintf(pattern, sizeof pattern, "%s%s", program, beside[i]);
        add_pattern(list, pattern, PATH_READ);
    }
}

static void add_given(struct path_list *list, const struct walls *walls)
{
    for (size_t i = 0; walls->readable && walls->readable[i]; i++)
        paths_add(list, walls->readable[i], PATH_READ);
    for (size_t i = 0; walls->others && i < walls->others->count; i++)
        paths_add(list, walls->others->items[i].path, walls->others->items[i].right);
    if (walls->folder)
        paths_add(list, walls->folder, PATH_WRITE);
}

void paths_collect(const struct walls *walls, struct path_list *list)
{
    *list = (struct path_list){.count = 0};
    for (size_t i = 0; i < COUNT_OF(named); i++)
        if (named[i].stages & (1u << walls->stage))
            add_pattern(list, named[i].path, named[i].right);
    for (size_t i = 0; i < COUNT_OF(folder_variables); i++)
        add_listed(list, getenv(folder_variables[i]));
    for (size_t i = 0; i < COUNT_OF(file_variables); i++)
        if (getenv(file_variables[i]))
            add_beside(list, getenv(file_variables[i]));
    add_drivers(list);
    add_loader_folders(list);
    add_own(list);
    add_given(list, walls);
}

void paths_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].path);
    free(list->items);
    *list = (struct path_list){.count = 0};
}
