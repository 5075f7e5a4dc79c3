/* From a program's source to machine code, with NVRTC: no GPU is needed. */
#pragma once

#include <stddef.h>

#include "backends/backend.h"

#define CUDA_ARCHITECTURE_MAX 24

/* STATUS_UNAVAILABLE with the reason, and what to install, where there is no NVRTC. */
enum status cuda_nvrtc_available(struct error *error);

/* The name of what to compile for, for a device of this compute capability: "sm_90" (machine code). For a CUDA C
 * program "sm_90a", with what only this architecture has. "compute_90" (PTX, which the driver finishes) for a device
 * that is newer than NVRTC. STATUS_UNAVAILABLE for a device that is older than what NVRTC still compiles for. */
enum status cuda_architecture(int major, int minor, enum language language, char name[CUDA_ARCHITECTURE_MAX],
                              struct error *error);

/* Compiles for `architecture`, "sm_90" or "compute_90". *image is malloc'ed (the caller frees it) and NULL on failure.
 * STATUS_INVALID with the compiler's words, which name the source's own file and lines, when the source is wrong;
 * STATUS_UNAVAILABLE when there is no NVRTC or it does not know the architecture. Any number of threads may compile at
 * once. */
enum status cuda_compile(const struct program_source *source, const char *architecture, void **image, size_t *bytes,
                         struct error *error);

/* The same, with ptxas's report of each kernel's resources (its option -v): "Compiling entry function 'transpose' for
 * 'sm_90'", then "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads". *log is malloc'ed, and NULL where
 * there is none. Goes through the cache on disk (base/compile_cache.h). */
enum status cuda_compile_described(const struct program_source *source, const char *architecture, void **image,
                                   size_t *bytes, char **log, struct error *error);

/* cuda_compile through that cache; `driver_version` is part of what makes an entry. */
enum status cuda_compile_cached(const struct program_source *source, const char *architecture, int driver_version,
                                void **image, size_t *bytes, struct error *error);
