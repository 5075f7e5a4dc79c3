/* NVRTC's code of a device rung for a CUDA architecture. */
#pragma once

#include "explain/compiled/compiled.h"
#include "explain/compiled/recorder.h"

/* Compiles what was recorded and counts its instructions: one kernel for each launch, in the order of the programs. */
enum status cuda_code_add(const struct recording *recording, const struct problem *problem,
                          const struct explain_target *target, char architecture[EXPLAIN_ARCHITECTURE_MAX],
                          struct explain_compiled *compiled, struct error *error);

/* Registers, local memory and instructions of one kernel of a compiled image. `log` is ptxas's (may be NULL), `text`
 * nvdisasm's (may be NULL). kernel->name and kernel->file are given. */
enum status cuda_code_read(const void *image, size_t bytes, const char *log, const char *text,
                           struct explain_kernel *kernel, struct error *error);
