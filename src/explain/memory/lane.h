/* Shared by a traced kernel and the program that traces it: a lane's record of its accesses. This header is compiled
 * twice: into the program, and, embedded, as C++ beside every kernel that is traced. So it includes nothing. */
#ifndef USKOR_EXPLAIN_MEMORY_LANE_H
#define USKOR_EXPLAIN_MEMORY_LANE_H

enum {
    LANE_EVENTS = 512, /* that a lane records before its warp takes them */
    ARENA_SLOTS = 32,  /* buffers that live at one time */
    SLOT_BITS = 35,    /* of the bytes of address space that each has for itself */
    WARP_LANES = 32,
};

/* What `outside` is given: the address is not an offset in the arena, as it lies in no array at all. */
#define NO_SLOT (1ul << 63)

/* An event is `code << EVENT_FLAG_BITS | flags`: where in the program it happened, so that of two events in one
 * function the smaller comes first in the source, and what it was. */
enum {
    EVENT_SIZE = 7,    /* log2 of an access's bytes */
    EVENT_KIND = 24,   /* … */
    EVENT_LOAD = 0,    /* … */
    EVENT_STORE = 8,   /* … */
    EVENT_ATOMIC = 16, /* … */
    EVENT_BLOCK = 24,  /* no access: a basic block begins */
    EVENT_GLOBAL = 32,
    EVENT_FLAG_BITS = 6,
};

/* One work-item. */
struct lane {
    unsigned count;                /* of events recorded */
    unsigned code[LANE_EVENTS];    /* … */
    unsigned long at[LANE_EVENTS]; /* offset in the arena, or in local memory */
};

/* An item's position, for its queries. */
struct place {
    unsigned long local[3];
    unsigned item; /* in its group */
};
struct group_place {
    unsigned long group[3], local_size[3], groups[3];
};

/* The program's functions for the kernel's side; one set for each loaded kernel. */
struct trace_link {
    struct lane *lane;         /* of the item that runs */
    const struct place *place; /* … */
    const struct group_place *group;
    int recording;
    unsigned long scramble; /* not 0: loads from global memory find random bits, of which this is the state */
    unsigned long arena;    /* address of the first slot */
    unsigned long slot_bytes[ARENA_SLOTS]; /* how much of each slot may be touched */
    unsigned long local, local_bytes;      /* local memory of the group */
    unsigned long stacks, stacks_bytes;    /* of the group's items */
    unsigned long slots, slots_bytes;      /* the kernel function's arguments */
    unsigned long code;                    /* events' codes count from here */
    void (*full)(void);                    /* the lane's record is: returns when it is empty */
    void (*outside)(unsigned long at);     /* an offset in the arena, or NO_SLOT and an address; does not return */
    void (*barrier)(void);                 /* returns when all items of the group are there */
    /* Returns what `lane` of the warp brought; ballot: a bit for each lane that brought something else than 0. */
    unsigned long (*exchange)(unsigned long value, unsigned lane);
    unsigned (*ballot)(unsigned long value);
};

#endif
