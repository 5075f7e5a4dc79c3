/* The part of a CUDA C++ file that a device runs. Engineers keep a kernel, the host's functions that launch it and
 * main() in one file. NVRTC compiles no host code, so that is left out; the kernel's lines keep their numbers. */
#pragma once

#include "base/status.h"
#include "judge/user_kernel.h"

struct user_device_part {
    char left_out[160]; /* the host's functions, for people: "main, check"; "" where there are none */
};

/* Replaces *text, which is malloc'ed, by its device part: what `kernel` refers to, and every declaration of the device
 * but other kernels; all kernels where `kernel` is NULL. A template's parameters get the values of its first launch in
 * the file, or else their defaults, or for a type ELEMENT. The words of the standard headers that device code uses are
 * there (backends/cuda/host_words.cuh). A file without host code, templates and headers of the host stays as it is.
 *
 * STATUS_INVALID: a template's parameter has no value, or the host fills a variable of the device. */
enum status user_device_part_take(char **text, const char *path, const struct user_kernel *kernel,
                                  struct user_device_part *part, struct error *error);
