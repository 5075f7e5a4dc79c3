/* How often warps executed each basic block of a traced program: what loops and branches without accesses did. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explain/memory/traced_program.h"

struct block_row {
    unsigned code; /* of its events */
    const struct traced_program *program;
    char entry[64]; /* the kernel function */
    double warps;   /* executions by warps, weighted as the groups are */
};

/* Zeroed: none. */
struct block_counts {
    struct block_row *rows;
    size_t count, capacity;
    uint32_t *slots; /* index + 1 */
};

/* Adds an execution by a warp. False when out of memory; more blocks than there is room for are left out. */
bool block_counts_add(struct block_counts *blocks, unsigned code, const struct traced_program *program,
                      const char *entry, double weight);
void block_counts_free(struct block_counts *blocks);

/* The executions of each source line of the program's kernel functions: of the block that has the line and is executed
 * most often. */
struct explain_line;
enum status block_lines(const struct block_counts *blocks, const struct traced_program *program,
                        struct explain_line **lines, size_t *count, struct error *error);
