#include "backends/opencl/causes.h"
#include "backends/opencl/pocl_cache.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "backends/opencl/library.h"
#include "base/message.h"
#include "base/starting_environment.h"
#include "base/translation.h"
#include "base/write_whole.h"

#define PATH_BYTES POCL_CACHE_PATH

/* ---- PoCL's cache --------------------------------------------------------------------------------------------- */

/* Writes a file there: a folder's existence does not show a full disk. */
static bool can_write(const char *folder)
{
    static const char page[4096];
    char file[PATH_BYTES + 32];
    snprintf(file, sizeof file, "%s/uskor-XXXXXX", folder);
    int descriptor = mkstemp(file);
    if (descriptor < 0)
        return false;
    bool is_written = write_whole(descriptor, page, sizeof page);
    int why = is_written ? 0 : errno;
    close(descriptor);
    unlink(file);
    errno = why;
    return is_written;
}

bool pocl_cache_is_shut(char *why, size_t size)
{
    char path[PATH_BYTES];
    pocl_cache_folder(path);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        (void)mkdir(path, 0700); /* most folders exist already; writing reports a failure */
        *slash = '/';
    }
    if ((mkdir(path, 0700) == 0 || errno == EEXIST) && can_write(path))
        return false;
    explain(why, size, "cannot write %s: %s", path, strerror(errno));
    return true;
}

/* PoCL ends the process where a compiled kernel does not fit: one has some hundred KiB, in several forms. */
#define POCL_ROOM ((double)(4 << 20))

bool pocl_cache_is_full(char *why, size_t size)
{
    char path[PATH_BYTES];
    struct statvfs disk;
    pocl_cache_folder(path);
    for (char *slash; statvfs(path, &disk) != 0 && errno == ENOENT && (slash = strrchr(path, '/')) && slash > path;)
        *slash = 0; /* PoCL will make it */
    if (statvfs(path, &disk) != 0 || (double)disk.f_bavail * (double)disk.f_frsize >= POCL_ROOM)
        return false;
    explain(why, size, "has too little room for its cache in %s: %.0f KiB", path,
            (double)disk.f_bavail * (double)disk.f_frsize / 1024);
    return true;
}

/* ---- registrations -------------------------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* What a look at the registrations has found wrong. */
struct faults {
    bool endless_only; /* what the loader would wait for, and nothing else: no driver is loaded */
    char *text;
    size_t size;
};

/* Between this fault and the one before. */
static const char *separator(const struct faults *faults)
{
    return faults->text[0] ? "; " : "";
}

/* A pipe or a device: a loader that opens it waits, or reads without end. /dev/null is an empty file. */
static bool add_endless(struct faults *faults, const char *path)
{
    struct stat facts, null;
    if (stat(path, &facts) != 0 || S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode) ||
        (stat("/dev/null", &null) == 0 && facts.st_rdev == null.st_rdev && S_ISCHR(facts.st_mode)))
        return false;
    explain_more(faults->text, faults->size,
                 "%s%s is a pipe or a device, which OpenCL's loader would wait for: remove it", separator(faults),
                 path);
    return true;
}

/* The function that the loader looks up in a driver. */
typedef void *(*find_function)(const char *name);
typedef cl_int (*list_platforms)(cl_uint capacity, cl_platform_id *platforms, cl_uint *count);

/* As the loader does it; it forgets a driver without a platform, and says nothing. */
static void describe_platforms(void *driver, const char *where, const char *library, struct faults *faults)
{
    find_function find = NULL;
    list_platforms list = NULL;
    cl_uint count = 0;
    /* memcpy, because ISO C has no conversion from void * to a function pointer. */
    void *address = dlsym(driver, "clGetExtensionFunctionAddress");
    memcpy(&find, &address, sizeof find);
    address = find ? find("clIcdGetPlatformIDsKHR") : NULL;
    memcpy(&list, &address, sizeof list);
    cl_int code = list ? list(0, NULL, &count) : CL_SUCCESS;
    if (!list)
        explain_more(faults->text, faults->size, "%s%s names '%s', which is not an OpenCL driver", separator(faults),
                     where, library);
    else if (code != CL_SUCCESS || count == 0)
        explain_more(faults->text, faults->size, "%s%s names '%s', which has no platform (%s)", separator(faults),
                     where, library, opencl_error_name(code));
}

/* Appends the reason why a driver gives no device. */
static void describe_driver(const char *where, const char *library, struct faults *faults)
{
    if ((strchr(library, '/') && add_endless(faults, library)) || faults->endless_only)
        return;
    void *driver = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (driver)
        describe_platforms(driver, where, library, faults);
    else
        explain_more(faults->text, faults->size, "%s%s names '%s', which does not load: %s", separator(faults), where,
                     library, dlerror());
}

/* A registration's first line; why it has none is added to the faults. */
static bool read_first_line(const char *path, char line[PATH_BYTES], struct faults *faults)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        if (!faults->endless_only)
            explain_more(faults->text, faults->size, "%s%s cannot be read: %s", separator(faults), path,
                         strerror(errno));
        return false;
    }
    errno = 0;
    bool is_read = fgets(line, PATH_BYTES, file) != NULL;
    const int why = errno;
    fclose(file);
    line[is_read ? strcspn(line, "\n") : 0] = 0;
    if (!line[0] && !faults->endless_only)
        explain_more(faults->text, faults->size, "%s%s names no driver: %s", separator(faults), path,
                     why ? strerror(why) : N_("its first line is empty"));
    return line[0]; /* dlopen("") gives the program itself */
}

/* What is wrong with a registration is added to the faults. */
static void describe_file(const char *path, struct faults *faults)
{
    char library[PATH_BYTES];
    if (add_endless(faults, path) || !read_first_line(path, library, faults))
        return;
    char *carriage_return = strchr(library, '\r');
    if (!carriage_return) {
        describe_driver(path, library, faults);
        return;
    }
    *carriage_return = 0;
    if (!faults->endless_only)
        explain_more(faults->text, faults->size,
                     "%s%s ends its line with a carriage return, which the loader takes for a part of the name '%s': "
                     "save it with Unix line ends",
                     separator(faults), path, library);
}

/* OCL_ICD_VENDORS may name a folder, a .icd file, or a driver: its path, or a name that the loader searches for.
 * Whether there is a registration. */
static bool describe_vendors(const char *vendors, struct faults *faults)
{
    static const char variable[] = "OCL_ICD_VENDORS";
    struct stat facts;
    const bool is_there = stat(vendors, &facts) == 0;
    if (is_there ? !S_ISDIR(facts.st_mode) : !ends_with(vendors, ".icd") && !strchr(vendors, '/')) {
        if (ends_with(vendors, ".icd"))
            describe_file(vendors, faults);
        else
            describe_driver(variable, vendors, faults);
        return true;
    }
    DIR *entries = opendir(vendors);
    if (!entries) {
        if (!faults->endless_only)
            explain_more(faults->text, faults->size, "%s%s: %s", separator(faults), vendors, strerror(errno));
        return true;
    }
    bool found = false;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char path[PATH_BYTES + 256];
        if (!ends_with(entry->d_name, ".icd"))
            continue;
        snprintf(path, sizeof path, "%s/%s", vendors, entry->d_name);
        describe_file(path, faults);
        found = true;
    }
    closedir(entries);
    return found;
}

/* OCL_ICD_FILENAMES=liba.so:libb.so registers drivers, too. From the environment at the start: Khronos's loader cuts
 * the variable off behind the first of them. */
static bool describe_variable(struct faults *faults)
{
    static const char variable[] = "OCL_ICD_FILENAMES=";
    bool found = false;
    for (char **at = starting_environment(); *at; at++) {
        if (strncmp(*at, variable, strlen(variable)) != 0)
            continue;
        for (const char *entry = *at + strlen(variable); *entry;) {
            char library[PATH_BYTES];
            size_t bytes = strcspn(entry, ":");
            snprintf(library, sizeof library, "%.*s", (int)bytes, entry);
            if (library[0])
                describe_driver("OCL_ICD_FILENAMES", library, faults);
            found = found || library[0];
            entry += bytes + (entry[bytes] == ':');
        }
    }
    return found;
}

static void describe(struct faults faults)
{
    const char *wish = getenv("OCL_ICD_VENDORS");
    const char *vendors = wish && *wish ? wish : "/etc/OpenCL/vendors";
    struct stat facts;
    faults.text[0] = 0;
    bool found = describe_variable(&faults);
    if (found && stat(vendors, &facts) != 0)
        return;
    if (!describe_vendors(vendors, &faults) && !found && !faults.endless_only)
        explain(faults.text, faults.size, "%s has no .icd file", vendors);
}

void describe_registrations(char *text, size_t size)
{
    describe((struct faults){false, text, size});
}

bool registrations_are_endless(char *why, size_t size)
{
    describe((struct faults){true, why, size});
    return why[0];
}
