/* A rank's part of an array in a .npy file: read and written in place, whatever the file's order of axes and bytes. */
#pragma once

#include "distributed/ranks/method.h"
#include "files/npy.h"

/* An input file, and the array of the kernel that it holds. */
struct rank_input {
    struct npy_array file;
    int array;
    bool turned;  /* the file's bytes, taken for a matrix in C order, are the array's transpose */
    bool swapped; /* they are in the other byte order, and the kernel computes with them */
};

/* This rank's rectangle of run->arrays[input->array], into run->parts; in this machine's byte order where `swapped`
 * says that it is not. Not collective. `path` is that of the file. */
enum status rank_part_read(const struct method_run *run, const struct rank_input *input, const char *path,
                           struct error *error);

/* Writes run->parts[array] to an open file whose data begins at `offset`; `swaps`: in the other byte order. */
enum status rank_part_write(const struct method_run *run, int array, void *file, const char *path, size_t offset,
                            bool swaps, struct error *error);

/* The whole array as the kernel has it: the file's own bytes where they serve, else a copy in *memory, which the caller
 * frees. NULL: no memory for one. */
const void *rank_input_whole(const struct method_run *run, const struct rank_input *input, void **memory);

/* Turns `count` items round, of 2, 4, 8 or 16 bytes. */
void items_swap(void *data, size_t count, size_t bytes);
