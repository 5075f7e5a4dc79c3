/* Namespaces of a process's own: users, mounts, network, IPC, processes. */
#pragma once

#include <stdbool.h>

#include "walls/paths.h"

struct namespaces {
    bool are_entered;
    bool have_processes; /* no other process is seen */
    bool have_user;      /* root only: a user id that no other process has */
};

/* The process that returns is another one, a child of the one that called, which waits for it and ends as it does. It
 * has the room of `paths` (walls/room.h), no network, and nobody else's IPC; of the system's processes it sees those
 * that it starts. Where the system allows less, or this process has several threads, the caller itself returns, with
 * what it has.
 *
 * Returns: STATUS_SYSTEM, in either process, when it has lost what it had: it can only end. */
enum status namespaces_enter(const struct path_list *paths, struct namespaces *entered, struct error *error);
