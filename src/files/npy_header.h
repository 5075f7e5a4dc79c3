/* The text at the head of a .npy file: what the array is made of.
 * Source of the format: NumPy's documentation, numpy.lib.format ("NPY format", versions 1.0, 2.0 and 3.0). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#define NPY_RANK_MAX 64 /* NumPy 2's own limit */

/* An array as the header describes it. */
struct npy_layout {
    char kind;         /* as in NumPy's descr: 'b' bool, 'i', 'u', 'f', 'c' */
    char order;        /* '<' little-endian, '>' big-endian, '|' one byte */
    size_t item_bytes; /* 1, 2, 4, 8 or 16 */
    bool fortran;      /* the first index runs fastest */
    int rank;          /* 0: a single item */
    size_t shape[NPY_RANK_MAX];
    size_t count; /* items; 0 when an axis is 0 */
    size_t bytes; /* count * item_bytes */
};

/* Where the header's text lies in the file. */
struct npy_preamble {
    int major;    /* format version: 1, 2 or 3 */
    size_t start; /* offset of the text */
    size_t bytes; /* its length */
};

#define NPY_PREAMBLE_MAX 12
/* Longer headers are refused: only structured types, which are refused too, would need them. */
#define NPY_HEADER_MAX ((size_t)1 << 20)
/* Room for any header that npy_header_write makes. */
#define NPY_HEADER_WRITE_MAX 4096

/* Reads the magic bytes, the version and the header's length from the file's first bytes (`available` of them).
 * STATUS_INVALID with the reason, which does not name the file. */
enum status npy_preamble_parse(const unsigned char *data, size_t available, struct npy_preamble *preamble,
                               struct error *error);

/* Reads the header's text: a Python dictionary of exactly descr, fortran_order and shape, in any order. Nothing else
 * that Python would take is understood, so nothing can be smuggled in: no nesting, no escapes, no expressions.
 * The text may hold any bytes and need not be terminated. STATUS_INVALID with the reason and where. */
enum status npy_header_parse(const char *text, size_t length, struct npy_layout *layout, struct error *error);

/* Sets count and bytes from kind, shape and rank; STATUS_INVALID when the array cannot fit in an address space. */
enum status npy_layout_size(struct npy_layout *layout, struct error *error);

/* Writes preamble and header (version 1.0) as NumPy does, byte for byte; returns their length, a multiple of 64. */
size_t npy_header_write(const struct npy_layout *layout, char buffer[NPY_HEADER_WRITE_MAX]);
