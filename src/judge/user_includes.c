#include "judge/user_includes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/line_directive.h"
#include "base/size.h"
#include "judge/user_code.h"
#include "judge/user_file.h"

#define DEPTH_MOST 16
#define ONCE_MOST 64
#define PATH_MOST USER_INCLUDE_PATH

struct files {
    char root[PATH_MOST];            /* the folder of the first one */
    char once[ONCE_MOST][PATH_MOST]; /* with #pragma once */
    size_t once_count;
    char *made; /* malloc'ed */
    size_t length, capacity;
};

static bool append(struct files *files, const char *text, size_t length)
{
    if (!files->made || files->length + length + 1 > files->capacity) {
        size_t wanted = 2 * (files->length + length) + 4096;
        char *more = wanted <= 4 * USER_FILE_MOST ? realloc(files->made, wanted) : NULL;
        if (!more)
            return false;
        files->made = more;
        files->capacity = wanted;
    }
    memcpy(files->made + files->length, text, length);
    files->length += length;
    files->made[files->length] = '\0';
    return true;
}

/* The name in `#include "name"`, or `#include </name>`, at the line's begin; false where the line is another. */
static bool read_include(const char *line, char name[PATH_MOST])
{
    line += strspn(line, " \t");
    if (*line++ != '#')
        return false;
    line += strspn(line, " \t");
    if (strncmp(line, "include", 7) != 0)
        return false;
    line += 7 + strspn(line + 7, " \t");
    const char end = *line == '<' ? '>' : '"';
    size_t length = *line == '<' || *line == '"' ? strcspn(line + 1, end == '>' ? ">\n" : "\"\n") : 0;
    if (!length || line[1 + length] != end || length >= PATH_MOST || (end == '>' && line[1] != '/'))
        return false;
    snprintf(name, PATH_MOST, "%.*s", (int)length, line + 1);
    return true;
}

/* Beside the file that includes it. False where that is not in the folder `root` or below: the file is another's. */
static bool join(const char *root, const char *path, const char *name, char joined[PATH_MOST])
{
    const char *slash = strrchr(path, '/');
    if (name[0] == '/' ||
        snprintf(joined, PATH_MOST, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name) >= PATH_MOST)
        return false;
    char *own = realpath(joined, NULL);
    const size_t length = strlen(root);
    const bool is_below = own && length && strncmp(own, root, length) == 0 && own[length] == '/';
    free(own);
    return is_below;
}

/* The folder of a file, without links; "" where there is none. */
static void find_root(const char *path, char root[PATH_MOST])
{
    char folder[PATH_MOST];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash + 1 - path) : 1, slash ? path : ".");
    char *own = realpath(folder, NULL);
    snprintf(root, PATH_MOST, "%s", own ? own : "");
    free(own);
}

static bool is_once(struct files *files, const char *path, const char *text)
{
    for (size_t i = 0; i < files->once_count; i++)
        if (strcmp(files->once[i], path) == 0)
            return true;
    if (strstr(text, "#pragma once") && files->once_count < ONCE_MOST)
        snprintf(files->once[files->once_count++], PATH_MOST, "%s", path);
    return false;
}

/* Where the lines that follow come from. */
static bool append_mark(struct files *files, size_t line, const char *path)
{
    char *mark = line_directive(line, path);
    const bool is_there = mark && append(files, mark, strlen(mark));
    free(mark);
    return is_there;
}

static enum status put(struct files *files, const char *text, const char *path, int depth, struct error *error);

/* One line that includes a file; false where that is not there. */
static bool put_file(struct files *files, const char *path, const char *name, size_t line, int depth,
                     enum status *status, struct error *error)
{
    char joined[PATH_MOST], *text;
    struct error unused;
    if (!join(files->root, path, name, joined) || user_file_read(joined, &text, &unused) != STATUS_OK)
        return false;
    if (!is_once(files, joined, text)) {
        if (!append_mark(files, 1, joined))
            *status = fail(error, STATUS_INVALID, "%s:%zu: what it includes is more than %zu MiB", path, line,
                           4 * USER_FILE_MOST >> 20);
        else
            *status = put(files, text, joined, depth + 1, error);
    }
    append(files, "\n", 1);
    append_mark(files, line + 1, path);
    free(text);
    return true;
}

/* A pipe, a device or a file of the system's: reading it may never end, and it is no source. */
static bool is_endless(const char *path, const char *name)
{
    static const char *const folders[] = {"/proc/", "/sys/", "/dev/"};
    char joined[2 * PATH_MOST];
    struct stat facts;
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    snprintf(joined, sizeof joined, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
    char *own = realpath(joined, NULL);
    bool is = own && stat(own, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        is = is || strncmp(joined, folders[i], strlen(folders[i])) == 0 ||
             (own && strncmp(own, folders[i], strlen(folders[i])) == 0);
    free(own);
    return is;
}

static enum status refuse(const char *path, size_t line, const char *name, struct error *error)
{
    return fail(error, STATUS_INVALID, "%s:%zu: it includes %s, which is no file with a text", path, line, name);
}

static enum status put(struct files *files, const char *text, const char *path, int depth, struct error *error)
{
    enum status status = STATUS_OK;
    if (depth > DEPTH_MOST)
        return fail(error, STATUS_INVALID, "%s: it is included %d files deep", path, DEPTH_MOST);
    for (size_t line = 1; *text && status == STATUS_OK; line++) {
        size_t length = strcspn(text, "\n");
        char name[PATH_MOST];
        length += text[length] == '\n';
        const bool includes = read_include(text, name);
        if (includes && is_endless(path, name))
            return refuse(path, line, name, error);
        bool is_put = includes && put_file(files, path, name, line, depth, &status, error);
        if (!is_put && !append(files, text, length))
            status = fail(error, STATUS_INVALID, "%s:%zu: what it includes is more than %zu MiB", path, line,
                          4 * USER_FILE_MOST >> 20);
        text += length;
    }
    return status;
}

static const char blanks[] = " \t\v\f\r";

/* The text with lines joined that end in a backslash, as a compiler sees it. malloc'ed; NULL: no memory. */
static char *join_lines(const char *text)
{
    char *joined = strdup(text), *to = joined;
    for (const char *at = text; joined && *at;) {
        const size_t backslash = *at == '\\' ? 1 : strncmp(at, "\?\?/", 3) == 0 ? 3 : 0;
        const size_t end = backslash + strspn(at + backslash, blanks);
        if (backslash && at[end] == '\n')
            at += end + 1;
        else
            *to++ = *at++;
    }
    if (joined)
        *to = '\0';
    return joined;
}

/* Whether the line, without its comments and strings, includes a file whose name a macro gives. */
static bool includes_by_macro(const char *line)
{
    static const char *const begins[] = {"#", "%:", "\?\?="};
    size_t begin = 0;
    line += strspn(line, blanks);
    while (begin < COUNT_OF(begins) && strncmp(line, begins[begin], strlen(begins[begin])) != 0)
        begin++;
    if (begin == COUNT_OF(begins))
        return false;
    line += strlen(begins[begin]);
    line += strspn(line, blanks);
    const size_t length = user_code_word(line);
    if (!user_code_is(line, length, "include") && !user_code_is(line, length, "include_next") &&
        !user_code_is(line, length, "import"))
        return false;
    line += length;
    return user_code_is_word(line[strspn(line, blanks)]);
}

/* A device's compiler reads in the driver's process, where no limit of time ends it: each name must be seen here. */
static enum status check_names(const char *text, const char *path, struct error *error)
{
    char *joined = join_lines(text), *code = joined ? user_code_blank(joined, true) : NULL;
    enum status status = code ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    for (const char *line = code; status == STATUS_OK && line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (includes_by_macro(line))
            status = fail(error, STATUS_INVALID,
                          "%s: an #include takes its file's name from a macro; write the name itself", path);
    }
    free(joined);
    free(code);
    return status;
}

enum status user_includes_put(char **text, const char *path, struct error *error)
{
    struct files *files = calloc(1, sizeof *files);
    if (!files)
        return fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    find_root(path, files->root);
    enum status status = strstr(*text, "include") ? put(files, *text, path, 0, error) : STATUS_OK;
    if (status == STATUS_OK && files->made) {
        free(*text);
        *text = files->made;
    } else {
        free(files->made);
    }
    free(files);
    return status == STATUS_OK ? check_names(*text, path, error) : status;
}

static bool is_known(const struct user_includes *includes, const char *path)
{
    for (size_t i = 0; i < includes->count; i++)
        if (strcmp(includes->paths[i], path) == 0)
            return true;
    return false;
}

static enum status find_in(const char *root, const char *path, int depth, struct user_includes *includes,
                           struct error *error)
{
    char name[PATH_MOST], joined[PATH_MOST], *text;
    enum status status = STATUS_OK;
    struct error unused;
    size_t number = 1;
    if (depth > DEPTH_MOST || user_file_read(path, &text, &unused) != STATUS_OK)
        return STATUS_OK;
    for (const char *line = text; *line && status == STATUS_OK; number++) {
        const bool includes_one = read_include(line, name);
        if (includes_one && is_endless(path, name)) {
            status = refuse(path, number, name, error);
        } else if (includes_one && join(root, path, name, joined) && !is_known(includes, joined) &&
                   includes->count < USER_INCLUDES_MOST) {
            strcpy(includes->paths[includes->count++], joined);
            status = find_in(root, joined, depth + 1, includes, error);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    free(text);
    return status;
}

enum status user_includes_find(const char *path, struct user_includes *includes, struct error *error)
{
    char root[PATH_MOST];
    includes->count = 0;
    find_root(path, root);
    return find_in(root, path, 0, includes, error);
}

enum status user_includes_check(const char *path, struct error *error)
{
    struct user_includes *includes = malloc(sizeof *includes);
    enum status status = includes ? user_includes_find(path, includes, error)
                                  : fail(error, STATUS_UNAVAILABLE, "%s: no memory for it", path);
    free(includes);
    return status;
}
