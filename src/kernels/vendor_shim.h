/* Shims of vendors' template libraries (src/vendor_shims, cmake/shims.cmake): shared objects of our own that are built
 * where their compilers are, and looked for when a rung wants them: beside the program, in the library folder of its
 * installation, beside libuskor.so; nowhere else, so that nobody plants one. */
#pragma once

#include "base/dynamic_library.h"

/* Static, one per shim; the first four members are given, the others belong to vendor_shim_open. */
struct vendor_shim {
    const char *file;   /* "libuskor_cub.so" */
    const char *title;  /* "the CUB shim" */
    const char *advice; /* what to install, and that Uskor is built again then */
    const struct dynamic_symbol *symbols;
    size_t symbol_count;
    void *functions; /* the struct that the symbols' offsets are in */
    int state;       /* 0: not tried */
    struct error error;
};

/* Opens the shim on the first call and never closes it. STATUS_UNAVAILABLE, on every call, when it is missing. */
enum status vendor_shim_open(struct vendor_shim *shim, struct error *error);

/* As rung->supports: NULL, or the reason why the shim is not there. */
const char *vendor_shim_refuses(struct vendor_shim *shim, char *reason, size_t size);
