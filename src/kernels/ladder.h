/* Makes a kernel's ladder out of its ladder.def; included once by the kernel's own file, which is why it has no guard:
 *
 *   #define LADDER_KERNEL transpose
 *   #include "kernels/ladder.h"
 *   … .ladder = ladder, .ladder_count = COUNT_OF(ladder) …
 *
 * ladder.def, in the same folder, has one row per rung in teaching order:
 *
 *   HOST_RUNG(serial, "T0")                             serial.c defines `const struct rung transpose_serial`: a rung
 *                                                       in C, on the cpu or through a vendor's library
 *   DEVICE_RUNG("naive.cl", "T1")                       a file that says everything itself (rung_header.h)
 *   HOSTED_RUNG(bitonic_step, "bitonic-step.cl", "S1")  such a file with a host half, sort_bitonic_step
 *
 * Compiled for the C library (USKOR_LIBRARY), the ladder is that of served.def, which has the rungs that the library
 * runs; what only the lab needs of a kernel is written as LAB_ONLY(.fill = transpose_fill, ).
 *
 * The last argument is the rung's row in the catalogue of techniques (docs/rungs.md); it may be left
 * out. */
#include "base/size.h"
#include "kernels/kernel.h"

#ifdef USKOR_LIBRARY
#define LAB_ONLY(...)
#else
#define LAB_ONLY(...) __VA_ARGS__
#endif

#ifndef LADDER_KERNEL
#error "define LADDER_KERNEL as the kernel's name first"
#endif

#define LADDER_PASTE_NOW(kernel, name) kernel##_##name
#define LADDER_PASTE(kernel, name) LADDER_PASTE_NOW(kernel, name)
#define LADDER_STRING_NOW(...) #__VA_ARGS__
#define LADDER_STRING(...) LADDER_STRING_NOW(__VA_ARGS__)
/* Spaces would become part of the path. */
/* clang-format off */
#ifdef USKOR_LIBRARY
#define LADDER_FILE LADDER_STRING(kernels/LADDER_KERNEL/served.def)
#else
#define LADDER_FILE LADDER_STRING(kernels/LADDER_KERNEL/ladder.def)
#endif
/* clang-format on */

#define HOST_RUNG(name, ...) extern const struct rung LADDER_PASTE(LADDER_KERNEL, name);
#define DEVICE_RUNG(file, ...)
#define HOSTED_RUNG(name, file, ...) HOST_RUNG(name)
#include LADDER_FILE
#undef HOST_RUNG
#undef DEVICE_RUNG
#undef HOSTED_RUNG

#define HOST_RUNG(name, ...) {&LADDER_PASTE(LADDER_KERNEL, name), NULL, "" __VA_ARGS__},
#define DEVICE_RUNG(file, ...) {NULL, "kernels/" LADDER_STRING(LADDER_KERNEL) "/" file, "" __VA_ARGS__},
#define HOSTED_RUNG(name, file, ...) \
    {&LADDER_PASTE(LADDER_KERNEL, name), "kernels/" LADDER_STRING(LADDER_KERNEL) "/" file, "" __VA_ARGS__},
static const struct ladder_row ladder[] = {
#include LADDER_FILE
};
#undef HOST_RUNG
#undef DEVICE_RUNG
#undef HOSTED_RUNG
