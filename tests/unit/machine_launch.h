/* A launch of a SASS listing's kernel, counted. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "explain/compiled/compiled.h"
#include "explain/compiled/sass.h"
#include "explain/machine/count.h"

#include <cmocka.h> /* last: it has a macro called fail */

#define FUNCTION "\n.text.k:\n" /* the line before a listing */

/* Counts a launch of `groups` groups of `items` items with these arguments. */
static inline enum status try_count(const char *listing, size_t items, size_t groups, bool is_fallback,
                                    const struct recorded_argument *arguments, size_t argument_count,
                                    struct explain_kernel *kernel, struct error *error)
{
    struct recorded_launch launch = {.entry = "k",
                                     .group = {items, 1, 1},
                                     .groups = {groups, 1, 1},
                                     .count = 1,
                                     .is_fallback = is_fallback,
                                     .argument_count = argument_count};
    for (size_t i = 0; i < argument_count; i++)
        launch.arguments[i] = arguments[i];
    struct machine_request request = {.listing = listing,
                                      .source = "__global__ void k(const float *values) {}",
                                      .launch = &launch,
                                      .constant_offset = 0x210,
                                      .compute = 90};
    *kernel = (struct explain_kernel){
        .name = "k", .file = "k.cu", .launches = 1, .group = {items, 1, 1}, .groups = {groups, 1, 1}};
    assert_int_equal(sass_read(listing, "k.cu", kernel, error), STATUS_OK);
    return machine_count(&request, kernel, error);
}

static inline void count_with(const char *listing, size_t items, size_t groups, bool is_fallback,
                              const struct recorded_argument *arguments, size_t argument_count,
                              struct explain_kernel *kernel)
{
    struct error error;
    if (try_count(listing, items, groups, is_fallback, arguments, argument_count, kernel, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* Its argument is an array of 4096 bytes. */
static inline void count_launch(const char *listing, size_t items, size_t groups, bool is_fallback,
                                struct explain_kernel *kernel)
{
    const struct recorded_argument array = {.value = (uint64_t)1 << 32, .bytes = 8, .array_bytes = 4096};
    count_with(listing, items, groups, is_fallback, &array, 1, kernel);
}

static inline void forget(struct explain_kernel *kernel)
{
    free(kernel->executed);
    free(kernel->longest);
    free(kernel->accesses);
    free(kernel->instructions);
    free(kernel->loops);
    free(kernel->skips);
}
