/* A copy of a CPU rung's machine code that records each access to memory and counts each basic block.
 *
 * The copy is executed in place of the original: where a function of the rung begins, a jump to its copy is written
 * (code_copy_enter; in a process of its own, as that is for good). The copy computes what the original computes. Calls
 * of functions that are not copied go to these. */
#pragma once

#include "explain/cache/x86_emit.h"
#include "explain/compiled/compiled.h"
#include "explain/compiled/host_walk.h"

struct copied_instruction {
    uintptr_t address, copy; /* where it is, and its copy */
    unsigned char length;
    bool is_leader; /* a basic block begins here */
    uint32_t block;
    enum x86_flow flow;
    uintptr_t target; /* of a direct branch; 0: there is none */
};

struct copied_function {
    char name[64], file[64];
    uintptr_t address;
    uint64_t bytes;
};

/* An access in the code, or the beginning of a basic block without one: so each block that is executed is recorded.
 * Or an integer division, which is not recorded but has its line. */
struct copied_access {
    size_t instruction;
    bool is_mark;               /* no access: the beginning of a block */
    bool is_division;           /* no access */
    struct x86_operand operand; /* of 0 bytes for a mark */
    /* code_lines_find: */
    int line;      /* of the source; 0: unknown */
    char file[64]; /* … */
    size_t group;  /* accesses of one line and one kind */
};

struct code_copy {
    struct copied_function *functions;
    size_t function_count;
    struct copied_instruction *instructions; /* by address */
    size_t instruction_count;
    struct copied_access *accesses;
    size_t access_count;
    size_t group_count;
    size_t block_count;
    uintptr_t *outside; /* functions that are called and not copied */
    size_t outside_count;
    char path[512]; /* of the object's file */
    uintptr_t base;
    struct x86_code code;
};

/* Copies what the `count` functions at `starts` lead to (host_walk.h). The caller frees it with code_copy_free, also
 * after a failure. STATUS_UNAVAILABLE: as host_walk, or with the instruction that cannot be copied. */
enum status code_copy_make(const void *const *starts, size_t count, const char *folder, struct code_copy *copy,
                           struct error *error);
void code_copy_free(struct code_copy *copy);

/* From now on the rung's functions are their copies. False when the system does not allow code to be changed. */
bool code_copy_enter(const struct code_copy *copy);

/* The index of the instruction at the address; instruction_count if there is none. */
size_t code_copy_find(const struct code_copy *copy, uintptr_t address);

/* Before code_copy_enter, which changes the code. */
struct x86_instruction code_copy_decode(const struct code_copy *copy, size_t index);

/* Where the copy of the instruction at `address` is; `address` where there is none. */
uintptr_t code_copy_translate(const struct code_copy *copy, uintptr_t address);
