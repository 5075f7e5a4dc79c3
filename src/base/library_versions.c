#include "base/library_versions.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of two files, one without a path: a longer number is a newer version, also of the same major one. */
static void keep_newer(const char *found, char *newest)
{
    if (strlen(found) < LIBRARY_PATH_BYTES && (!newest[0] || strverscmp(found, newest) > 0))
        strcpy(newest, found);
}

static void search_folder(const char *folder, const char *pattern, bool is_named, char newest[LIBRARY_PATH_BYTES])
{
    char whole[LIBRARY_PATH_BYTES];
    glob_t found;
    int length = snprintf(whole, sizeof whole, "%s/%s", folder, pattern);
    if (length < 0 || (size_t)length >= sizeof whole || glob(whole, GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++)
        keep_newer(is_named ? strrchr(found.gl_pathv[i], '/') + 1 : found.gl_pathv[i], newest);
    globfree(&found);
}

/* The folders in which the loader looks for this program's libraries; free() releases them. NULL: it does not say. */
static Dl_serinfo *loader_folders(void)
{
    Dl_serinfo size, *folders = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0 && (folders = malloc(size.dls_size)) != NULL) {
        *folders = (Dl_serinfo){.dls_size = size.dls_size, .dls_cnt = size.dls_cnt};
        if (dlinfo(program, RTLD_DI_SERINFO, folders) != 0) {
            free(folders);
            folders = NULL;
        }
    }
    if (program)
        dlclose(program);
    return folders;
}

bool library_newest(const char *folder, const char *pattern, char path[LIBRARY_PATH_BYTES])
{
    char newest[LIBRARY_PATH_BYTES] = "";
    Dl_serinfo *folders = folder ? NULL : loader_folders();
    if (folder)
        search_folder(folder, pattern, false, newest);
    for (unsigned i = 0; folders && i < folders->dls_cnt; i++)
        if (folders->dls_serpath[i].dls_name[0] == '/')
            search_folder(folders->dls_serpath[i].dls_name, pattern, true, newest);
    free(folders);
    if (newest[0])
        strcpy(path, newest);
    return newest[0] != '\0';
}
