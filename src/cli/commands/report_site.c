#include "cli/commands/report_site.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/own_program.h"

#define PATH_BYTES 4096

extern char **environ;

/* tools/site of the tree whose build folder has this program: its own, so it may be trusted as this program is. */
static enum status find_tool(char tool[PATH_BYTES], char program[PATH_BYTES], struct error *error)
{
    static const char name[] = "/../tools/site";
    if (!own_program_name(program, PATH_BYTES))
        program[0] = '\0';
    const char *slash = strrchr(program, '/');
    const size_t folder = slash ? (size_t)(slash - program) : 0;
    if (slash && folder + sizeof name <= PATH_BYTES) {
        memcpy(tool, program, folder);
        memcpy(tool + folder, name, sizeof name);
        if (access(tool, X_OK) == 0)
            return STATUS_OK;
    }
    return fail(error, STATUS_UNAVAILABLE,
                "a site has the source tree's pages, and this program is installed: use build/uskor in a clone");
}

enum status report_site(const char *folder, const char *store, struct error *error)
{
    char tool[PATH_BYTES], program[PATH_BYTES];
    enum status status = find_tool(tool, program, error);
    if (status != STATUS_OK)
        return status;
    const char *const arguments[] = {tool, "--uskor", program, "--store", store, "--", folder, NULL};
    const char *const without[] = {tool, "--uskor", program, "--", folder, NULL};
    pid_t child;
    int ended = 0;
    fflush(stdout);
    errno = posix_spawn(&child, tool, NULL, NULL, (char *const *)(store ? arguments : without), environ);
    if (errno != 0)
        return fail(error, STATUS_SYSTEM, "%s: cannot be started: %s", tool, strerror(errno));
    while (waitpid(child, &ended, 0) < 0)
        if (errno != EINTR)
            return fail(error, STATUS_SYSTEM, "%s: %s", tool, strerror(errno));
    if (!WIFEXITED(ended))
        return fail(error, STATUS_FAILED, "%s was ended by a signal", tool);
    switch (WEXITSTATUS(ended)) {
    case 0:
        return STATUS_OK;
    case 2:
        return fail(error, STATUS_INVALID, "%s: no folder can be made there, or it is not a site: name another one",
                    folder);
    case 3:
        return fail(
            error, STATUS_UNAVAILABLE,
            "no generator of sites is here: 'tools/setup site' fetches mkdocs-material; Debian has python3-markdown");
    default:
        return fail(error, STATUS_FAILED, "tools/site failed; its reason is above");
    }
}
