/* gcc's counters in a file that all processes of one program share: what children count, killed or within the walls, is
 * not lost. Linked into every program of a build with USKOR_COVERAGE.
 *
 * COUNTERS_FOLDER/PROGRAM holds the counters, or PROGRAM in a folder that USKOR_COUNTERS names (tools/mutants). With
 * USKOR_COUNTERS=write in the environment the program only writes gcc's .gcda files from it (tools/coverage). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct gcov_info;
extern char counters_begin[] __attribute__((visibility("hidden"))),
    counters_end[] __attribute__((visibility("hidden")));
void __real___gcov_init(struct gcov_info *object);
void __gcov_dump(void);

static int is_written(void)
{
    const char *wanted = getenv("USKOR_COUNTERS");
    return wanted && strcmp(wanted, "write") == 0;
}

/* Unknown to the run-time library, objects are not written at each process's end. */
__attribute__((visibility("hidden"))) void __wrap___gcov_init(struct gcov_info *object)
{
    if (is_written())
        __real___gcov_init(object);
}

__attribute__((constructor)) static void share(void)
{
    const size_t size = (size_t)(counters_end - counters_begin);
    const char *wanted = getenv("USKOR_COUNTERS");
    char program[PATH_MAX], path[2 * PATH_MAX];
    Dl_info here;
    if (size == 0 || !dladdr(counters_begin, &here) || !realpath(here.dli_fname, program))
        return;
    snprintf(path, sizeof path, "%s%s", wanted && *wanted == '/' ? wanted : COUNTERS_FOLDER, strrchr(program, '/'));
    const int file = open(path, O_RDWR | O_CLOEXEC | (is_written() ? 0 : O_CREAT), 0600);
    if (file >= 0 && (is_written() || ftruncate(file, (off_t)size) == 0))
        (void)!mmap(counters_begin, size, PROT_READ | PROT_WRITE, MAP_FIXED | (is_written() ? MAP_PRIVATE : MAP_SHARED),
                    file, 0);
    if (file >= 0)
        close(file); /* where there is no file, as within a test's walls, the process counts for itself */
    if (is_written()) {
        __gcov_dump();
        _exit(0);
    }
}
