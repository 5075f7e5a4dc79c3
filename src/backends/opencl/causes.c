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
    bool is_written = write(descriptor, page, sizeof page) == (ssize_t)sizeof page;
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

/* The function that the loader looks up in a driver. */
typedef void *(*find_function)(const char *name);
typedef cl_int (*list_platforms)(cl_uint capacity, cl_platform_id *platforms, cl_uint *count);

/* As the loader does it; it forgets a driver without a platform, and says nothing. */
static void describe_platforms(void *driver, const char *where, const char *library, char *text, size_t size)
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
        explain_more(text, size, "%s%s names '%s', which is not an OpenCL driver", text[0] ? "; " : "", where, library);
    else if (code != CL_SUCCESS || count == 0)
        explain_more(text, size, "%s%s names '%s', which has no platform (%s)", text[0] ? "; " : "", where, library,
                     opencl_error_name(code));
}

/* Appends the reason why a driver gives no device. */
static void describe_driver(const char *where, const char *library, char *text, size_t size)
{
    void *driver = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (driver)
        describe_platforms(driver, where, library, text, size);
    else
        explain_more(text, size, "%s%s names '%s', which does not load: %s", text[0] ? "; " : "", where, library,
                     dlerror());
}

/* What is wrong with a registration is added to the text. */
static void describe_file(const char *path, char *text, size_t size)
{
    char library[PATH_BYTES];
    FILE *file = fopen(path, "re");
    if (!file) {
        explain_more(text, size, "%s%s cannot be read: %s", text[0] ? "; " : "", path, strerror(errno));
        return;
    }
    errno = 0;
    bool is_read = fgets(library, sizeof library, file) != NULL;
    const int why = errno;
    fclose(file);
    library[is_read ? strcspn(library, "\n") : 0] = 0;
    if (!library[0]) { /* dlopen("") gives the program itself */
        explain_more(text, size, "%s%s names no driver: %s", text[0] ? "; " : "", path,
                     why ? strerror(why) : N_("its first line is empty"));
        return;
    }
    char *carriage_return = strchr(library, '\r');
    if (carriage_return) {
        *carriage_return = 0;
        explain_more(text, size,
                     "%s%s ends its line with a carriage return, which the loader takes for a part of the name '%s': "
                     "save it with Unix line ends",
                     text[0] ? "; " : "", path, library);
        return;
    }
    describe_driver(path, library, text, size);
}

/* OCL_ICD_VENDORS may name a folder, a .icd file, or a driver: its path, or a name that the loader searches for.
 * Whether there is a registration. */
static bool describe_vendors(const char *vendors, char *text, size_t size)
{
    static const char variable[] = "OCL_ICD_VENDORS";
    struct stat facts;
    const bool is_there = stat(vendors, &facts) == 0;
    if (is_there ? !S_ISDIR(facts.st_mode) : !ends_with(vendors, ".icd") && !strchr(vendors, '/')) {
        if (ends_with(vendors, ".icd"))
            describe_file(vendors, text, size);
        else
            describe_driver(variable, vendors, text, size);
        return true;
    }
    DIR *entries = opendir(vendors);
    if (!entries) {
        explain_more(text, size, "%s%s: %s", text[0] ? "; " : "", vendors, strerror(errno));
        return true;
    }
    bool found = false;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        char path[PATH_BYTES + 256];
        if (!ends_with(entry->d_name, ".icd"))
            continue;
        snprintf(path, sizeof path, "%s/%s", vendors, entry->d_name);
        describe_file(path, text, size);
        found = true;
    }
    closedir(entries);
    return found;
}

/* OCL_ICD_FILENAMES=liba.so:libb.so registers drivers, too. From the environment at the start: Khronos's loader cuts
 * the variable off behind the first of them. */
static bool describe_variable(char *text, size_t size)
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
                describe_driver("OCL_ICD_FILENAMES", library, text, size);
            found = found || library[0];
            entry += bytes + (entry[bytes] == ':');
        }
    }
    return found;
}

void describe_registrations(char *text, size_t size)
{
    const char *wish = getenv("OCL_ICD_VENDORS");
    const char *vendors = wish && *wish ? wish : "/etc/OpenCL/vendors";
    struct stat facts;
    text[0] = 0;
    bool found = describe_variable(text, size);
    if (found && stat(vendors, &facts) != 0)
        return;
    if (!describe_vendors(vendors, text, size) && !found)
        explain(text, size, "%s has no .icd file", vendors);
}
