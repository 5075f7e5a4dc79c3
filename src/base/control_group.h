/* The control groups (cgroup) that this process lies in: its own and all above it, as each of them may set a limit. */
#pragma once

#include <stdio.h>

/* `folder` is a group's folder, such as "/sys/fs/cgroup/user.slice"; `version` is 1 or 2. */
typedef void control_group_look(void *context, const char *folder, int version);

/* Calls `look` for each group that may limit `controller` ("memory", "cpu"), innermost first. `root` is put before
 * every path: "" for this machine; a test has a folder of its own. */
void control_groups_each(const char *root, const char *controller, control_group_look *look, void *context);

/* root/folder/name, opened for reading; NULL where there is none. */
FILE *control_group_open(const char *root, const char *folder, const char *name);
