#include "base/control_group.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

FILE *control_group_open(const char *root, const char *folder, const char *name)
{
    char path[PATH_MAX + 512];
    if (snprintf(path, sizeof path, "%s%s/%s", root, folder, name) >= (int)sizeof path)
        return NULL;
    return fopen(path, "re");
}

/* The group and all that it lies in. */
static void look_at_groups(const char *mount, const char *group, int version, control_group_look *look, void *context)
{
    char folder[PATH_MAX];
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
        return;
    for (;;) {
        look(context, folder, version);
        char *slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= strlen(mount))
            return;
        *slash = 0;
    }
}

/* Whether "cpu,cpuacct" names "cpu". */
static bool names_it(const char *names, const char *controller)
{
    size_t length = strlen(controller);
    for (; *names; names += strcspn(names, ","), names += *names == ',')
        if (strcspn(names, ",") == length && strncmp(names, controller, length) == 0)
            return true;
    return false;
}

/* Lines "0::/group" (version 2) and "4:memory:/group" (version 1, where a folder is named after its controllers).
 * Beside version 1, systemd mounts version 2 as "unified". */
void control_groups_each(const char *root, const char *controller, control_group_look *look, void *context)
{
    char line[PATH_MAX], mount[PATH_MAX + 32];
    FILE *file = control_group_open(root, "/proc/self", "cgroup");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':'), *group = names ? strchr(names + 1, ':') : NULL;
        if (!group)
            continue;
        *group++ = 0;
        names++;
        snprintf(mount, sizeof mount, "/sys/fs/cgroup%s%s", *names ? "/" : "", names);
        if (*names == 0 || names_it(names, controller))
            look_at_groups(mount, group, *names ? 1 : 2, look, context);
        if (*names == 0)
            look_at_groups("/sys/fs/cgroup/unified", group, 2, look, context);
    }
    if (file)
        fclose(file);
}
