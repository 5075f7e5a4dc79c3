/* Elements that several writers, in no order, give different values: any of these may be the one that stays. Writers
 * are a group's items between two barriers, or a launch's groups. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct write; /* of one writer to one element */

struct clashes {
    struct write *writes;
    size_t count, settled; /* what the writer that runs has written lies behind the `settled` first ones */
    bool is_ordered;       /* … and it has used an atomic operation: others that have may be ordered by it */
};

void clashes_free(struct clashes *clashes); /* zeroed is fine, and what is left */

/* The writer that runs writes `bytes` bytes, up to 16, at that address. False when memory is out. */
bool clashes_add(struct clashes *clashes, uintptr_t address, unsigned bytes);
/* It has run: its values are those in memory. */
void clashes_settle(struct clashes *clashes, size_t writer);
/* All have run: gives each such element another writer's value, and forgets all. */
void clashes_swap(struct clashes *clashes);
