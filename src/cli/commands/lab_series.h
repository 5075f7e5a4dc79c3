/* The lab's measurements beyond each kernel's ladder: smaller sizes, for rates over size, and the group shapes of
 * transpose. */
#pragma once

#include "cli/options/bench_session.h"

#define LAB_SIZES_MOST 3

/* The kernel's ladder at its `sizes` smallest sizes below its bench's (or as many as it has), on devices that perform
 * (a GPU, the CPU; not a GPU that a CPU plays), `seconds` for each rung. The measurements are added to session->list.
 */
enum status lab_sizes(struct bench_session *session, const struct kernel *kernel, int sizes, double seconds,
                      struct error *error);

/* The group shapes of the naive transpose, every power of two that a device allows, `seconds` for each. With `on_cpu`
 * also on OpenCL on a CPU, where their order says nothing about a GPU, and each is compiled. */
enum status lab_group_shapes(struct bench_session *session, double seconds, bool on_cpu, struct error *error);

/* One problem's ladder on the devices of `selection`, added to session->list. */
enum status lab_bench_text(struct bench_session *session, const struct selection *selection,
                           const struct bench_options *options, const char *text, struct error *error);
