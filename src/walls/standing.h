/* Which walls stand on this machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct wall {
    const char *name;  /* what it holds back; English, to be translated */
    const char *means; /* of the system */
    bool stands;
    const char *missing; /* what does not hold without it, and what has it */
};

#define WALLS_MOST 10

/* Tries them, each in a process of its own where that must not change this one. Returns their number. */
size_t walls_standing(struct wall walls[WALLS_MOST]);
