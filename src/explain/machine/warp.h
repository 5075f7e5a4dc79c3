/* A warp of a kernel, executed from its SASS: 32 lanes side by side, with what they load. Meanings of the
 * instructions: "CUDA Binary Utilities" names them; their arithmetic is that of the PTX instructions they are made
 * from. A word is known or not: what nobody stored, what a texture or a matrix product gives, is not, and neither is
 * what follows from it. A branch that depends on such a word goes where `is_taken_unknown` says, and `hit_unknown` is
 * set.
 *
 * Lanes that take different branches are fragments of the warp. One runs until it meets the others (BSYNC, WARPSYNC), a
 * barrier or its end; then the next one does. */
#pragma once

#include "explain/machine/instruction.h"
#include "explain/machine/memory.h"

#define MACHINE_LANES 32
#define EACH_LANE(l) for (unsigned l = 0; l < MACHINE_LANES; l++)
#define MACHINE_ALL 0xffffffffu
#define MACHINE_REGISTERS 256
#define MACHINE_UNIFORMS 64
#define MACHINE_PREDICATES 8
#define MACHINE_BARRIERS 16
#define MACHINE_CONSTANT_BYTES 4096
#define MACHINE_CALLS_MAX 24

/* The first constant bank: shapes, stack and arguments of a launch. */
struct machine_constants {
    unsigned char bytes[MACHINE_CONSTANT_BYTES];
};

/* A word of each lane; `known` has a bit for each. Operators work on all lanes at once. */
typedef uint32_t machine_words __attribute__((vector_size(4 * MACHINE_LANES), aligned(16)));

struct machine_register {
    machine_words words;
    uint32_t known;
};

/* A bit of each lane. */
struct machine_predicate {
    uint32_t value, known;
};

/* Memory of a group (shared), or of the lanes of a warp (their stacks, a word of each lane side by side). */
struct machine_store {
    uint32_t *words;
    bool *is_known;
    size_t count;
};

enum fragment_state {
    FRAGMENT_RUNS,
    FRAGMENT_MEETS,   /* waits for lanes of its warp */
    FRAGMENT_BARRIER, /* waits for warps of its group */
};

struct machine_fragment {
    size_t next; /* instruction */
    uint32_t lanes;
    enum fragment_state state;
    uint32_t meets;                     /* the lanes that it waits for */
    unsigned barrier;                   /* that it waits at */
    unsigned turns;                     /* backward branches since it was chosen */
    uint32_t meeting[MACHINE_BARRIERS]; /* B0 …: lanes that meet again */
    size_t calls[MACHINE_CALLS_MAX], call_count;
};

struct machine_warp {
    const struct machine_code *code;
    const struct machine_constants *constants;
    struct machine_memory *memory; /* global; NULL: nothing is known of it */
    struct machine_store *shared;  /* … */
    struct machine_store stacks;
    machine_words item[3];
    uint32_t group[3];
    unsigned number; /* in the group */

    struct machine_register registers[MACHINE_REGISTERS];
    uint32_t bits[MACHINE_REGISTERS]; /* of words that are not known: bits that are, in all lanes (LOP3 alone knows) */
    struct machine_register uniforms[MACHINE_UNIFORMS]; /* the same word for all lanes */
    struct machine_predicate predicates[MACHINE_PREDICATES], uniform_predicates[MACHINE_PREDICATES];
    struct machine_fragment fragments[MACHINE_LANES];
    size_t fragment_count, current;
    uint32_t left; /* lanes that have not ended */

    /* Of the instruction that is executed: */
    uint32_t lanes;      /* its guard let these through */
    machine_words mask;  /* … all bits of theirs */
    uint32_t mask_lanes; /* that `mask` was made for */
    bool hit_unknown;
    bool is_doubtful; /* whether these lanes execute it is not known: what they store is not known either */
};

/* Sets all but the memories for a warp of `lanes` items; code, constants, memories, item and group are the caller's. */
void machine_warp_begin(struct machine_warp *warp, uint32_t lanes);

/* Whether a fragment can run; it becomes the current one. */
bool machine_warp_can_run(struct machine_warp *warp);
/* The next instruction of the current fragment. */
size_t machine_warp_next(const struct machine_warp *warp);
/* The lanes that would execute it: those whose guard is not known do. */
uint32_t machine_warp_lanes(const struct machine_warp *warp, const struct machine_instruction *instruction,
                            uint32_t *unknown);
/* Runs one instruction of the current fragment. */
void machine_step(struct machine_warp *warp);
/* Lanes that wait at a barrier of the group; `barrier` receives one of theirs. */
uint32_t machine_warp_waiting(const struct machine_warp *warp, unsigned *barrier);
/* Lets fragments at this barrier go on. */
void machine_warp_release(struct machine_warp *warp, unsigned barrier);

/* ---- for actions (explain/machine/actions.h) ---- */

/* The operand's word of each lane, with its negation and inversion. `room` may hold the result. */
const struct machine_register *machine_read(const struct machine_warp *warp, const struct operand *operand,
                                            struct machine_register *room);
/* The second word of a pair, or of a number that is extended: with its sign where `is_signed`. Not negated. */
const struct machine_register *machine_read_high(const struct machine_warp *warp, const struct operand *operand,
                                                 bool is_signed, struct machine_register *room);
/* 64 bits of each lane, negated or inverted as a whole; returns the lanes that know them. */
uint32_t machine_read_wide(const struct machine_warp *warp, const struct operand *operand, bool is_signed,
                           uint64_t values[MACHINE_LANES]);
/* `more`: the register behind it, for pairs and fours. */
void machine_write(struct machine_warp *warp, const struct operand *operand, int more,
                   const struct machine_register *value);
void machine_write_wide(struct machine_warp *warp, const struct operand *operand, const uint64_t values[MACHINE_LANES],
                        uint32_t known);
struct machine_predicate machine_predicate_of(const struct machine_warp *warp, const struct operand *operand);
void machine_write_predicate(struct machine_warp *warp, const struct operand *operand, struct machine_predicate value);
/* The addresses that an operand of memory names; returns the lanes that know theirs. */
uint32_t machine_addresses(const struct machine_warp *warp, const struct operand *operand,
                           uint64_t addresses[MACHINE_LANES]);
/* Results are unknown. */
void machine_forget(struct machine_warp *warp, const struct machine_instruction *instruction);

static inline bool is_predicate(const struct operand *operand)
{
    return operand->kind == OPERAND_PREDICATE || operand->kind == OPERAND_UNIFORM_PREDICATE;
}

/* The current fragment's lanes go to `to`; the others of it go on behind the branch. */
void machine_branch(struct machine_warp *warp, uint32_t lanes, size_t to);
void machine_end(struct machine_warp *warp, uint32_t lanes);
/* The current fragment waits until all of `lanes` that have not ended came here. */
void machine_meet(struct machine_warp *warp, uint32_t lanes);
