#include "cli/commands/exercise_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum status exercise_path(const char *folder, const char *name, char path[EXERCISE_PATH_MAX], struct error *error)
{
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    if (snprintf(path, EXERCISE_PATH_MAX, "%s%s%s", folder, slash, name) >= EXERCISE_PATH_MAX)
        return fail(error, STATUS_INVALID, "%.100s…: the path is too long", folder);
    return STATUS_OK;
}

/* At most the file's first line. */
static enum status read_line(const char *path, char *line, size_t size, struct error *error)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return fail(error, STATUS_INVALID, "%s: cannot be opened: %s; 'uskor exercise NAME -o FOLDER' makes it", path,
                    strerror(errno));
    int file = S_ISREG(facts.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t got = file >= 0 ? read(file, line, size - 1) : -1;
    if (file >= 0)
        close(file);
    if (got < 0)
        return fail(error, STATUS_INVALID, "%s: cannot be read", path);
    line[got] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    return STATUS_OK;
}

enum status exercise_of_folder(const char *folder, const struct exercise **exercise, struct error *error)
{
    static const char key[] = "exercise:";
    char path[EXERCISE_PATH_MAX], line[128];
    struct stat facts;
    bool is_folder = stat(folder, &facts) == 0 && S_ISDIR(facts.st_mode);
    enum status status = exercise_path(folder, is_folder ? EXERCISE_FILE : "", path, error);
    if (status == STATUS_OK && !is_folder)
        path[strlen(folder)] = '\0';
    if (status == STATUS_OK)
        status = read_line(path, line, sizeof line, error);
    if (status != STATUS_OK)
        return status;
    const char *text = text_after_mark(line);
    if (strncmp(text, key, sizeof key - 1) != 0)
        return fail(error, STATUS_INVALID, "%s: does not begin with 'exercise: NAME'", path);
    const char *name = text + sizeof key - 1;
    *exercise = exercise_by_name(name + strspn(name, " \t"), error);
    return *exercise ? STATUS_OK : fail_in(error, STATUS_INVALID, "%s", path);
}
