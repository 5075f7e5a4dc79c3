/* uskor sort: the numbers of the user's own .npy file, in order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mpi_launcher.h"
#include "base/size.h"
#include "base/translation.h"
#include "cli/command.h"
#include "cli/commands/files_over_ranks.h"
#include "cli/options/file_options.h"
#include "cli/options/options.h"
#include "distributed/ranks/ranks.h"
#include "files/npy.h"
#include "files/npy_header.h"
#include "files/npy_type.h"
#include "kernels/sort/check.h"

/* Sorting of items of one or two bytes, by counting their values. */
#define VALUES 65536

/* The `place`-th item of `bytes` bytes, as a number of this machine. */
static uint16_t item_at(const void *data, size_t place, size_t bytes, bool swapped)
{
    uint16_t item;
    if (bytes == 1)
        return ((const uint8_t *)data)[place];
    memcpy(&item, (const char *)data + 2 * place, 2);
    return swapped ? __builtin_bswap16(item) : item;
}

static void count_items(const void *data, size_t count, size_t bytes, bool swapped, uint64_t counts[VALUES])
{
    memset(counts, 0, VALUES * sizeof *counts);
#pragma omp parallel for schedule(static) reduction(+ : counts[:VALUES])
    for (size_t i = 0; i < count; i++)
        counts[item_at(data, i, bytes, swapped)]++;
}

/* The bits of the value at a place of the ascending order: of signed numbers, unsigned ones, or halves. */
static uint16_t bits_in_order(uint32_t place, char kind, size_t bytes)
{
    const uint32_t values = bytes == 1 ? 256 : VALUES;
    if (kind == 'i')
        return (uint16_t)((place + values / 2) % values);
    if (kind != 'f')
        return (uint16_t)place;
    /* 0xFC00 … 0x8000 are -infinity … -0; then 0 … infinity; then NaNs without and with a sign. */
    if (place <= 0x7C00)
        return (uint16_t)(0xFC00 - place);
    if (place <= 0x7C00 + 0x8000)
        return (uint16_t)(place - 0x7C01);
    return (uint16_t)(0xFC01 + (place - 0x7C01 - 0x8000));
}

static void write_items(void *target, uint64_t from, uint64_t count, size_t bytes, uint16_t bits, bool swapped)
{
    const uint16_t item = swapped ? __builtin_bswap16(bits) : bits;
    if (bytes == 1)
        memset((char *)target + from, bits, count);
    else
        for (uint64_t i = from; i < from + count; i++)
            memcpy((char *)target + 2 * i, &item, 2);
}

/* Writes the layout's items in ascending order: integers, or halves with -0 before +0 and NaNs last; all keep their
 * bits and their byte order. Counts the result again: STATUS_FAILED, without a message, where it differs;
 * STATUS_UNAVAILABLE where memory is out. */
static enum status sort_narrow(const struct npy_layout *layout, const void *source, void *target, struct error *error)
{
    const bool swapped = layout->item_bytes == 2 && !npy_type_is_native(layout);
    const size_t bytes = layout->item_bytes;
    uint64_t *counts = malloc(VALUES * sizeof *counts), *after = malloc(VALUES * sizeof *after), from = 0;
    enum status status = counts && after ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "out of memory");
    if (status == STATUS_OK) {
        count_items(source, layout->count, bytes, swapped, counts);
        for (uint32_t place = 0; place < (bytes == 1 ? 256 : VALUES); place++) {
            const uint16_t bits = bits_in_order(place, layout->kind, bytes);
            write_items(target, from, counts[bits], bytes, bits, swapped);
            from += counts[bits];
        }
        count_items(target, layout->count, bytes, swapped, after);
        if (from != layout->count || memcmp(counts, after, VALUES * sizeof *counts) != 0)
            status = STATUS_FAILED;
    }
    free(counts);
    free(after);
    return status;
}

static const char doc[] =
    N_("Sort the numbers in a file of NumPy's .npy format, ascending.\n\nFor example:\n\n "
       " uskor sort a.npy -o b.npy\n\nIN.npy holds an array with one axis: floats or integers, signed "
       "or unsigned, of 1 to 8 bytes, in either byte order. -0 comes before +0, and every NaN last; "
       "all keep their bits. The result has the same type and byte order.\n\nThe result is checked "
       "before it gets its name: its order, and that it holds what IN.npy holds. Whatever happens, "
       "OUT.npy is whole or is not there. OUT.npy may be IN.npy itself with --force.\n\nExit codes: 0 "
       "done and verified, 1 the check failed, 2 wrong use or input, 3 the device is not there.");

static const struct option options[] = {
    {"reverse", 'r', NULL, N_("Descending: NaNs first, -0 after +0"), SETS_FLAG(struct file_options, reverse)}, {0}};
static const struct usage usage = {
    .options = options, .args_doc = "IN.npy -o OUT.npy", .doc = doc, .shared = &data_usage};

/* The element types that can be sorted, and the library's words for them. */
static const struct sortable {
    enum element_type element;
    enum uskor_number number;
} sortables[] = {
    {ELEMENT_F32, USKOR_FLOAT32}, {ELEMENT_F64, USKOR_FLOAT64}, {ELEMENT_I32, USKOR_INT32},
    {ELEMENT_I64, USKOR_INT64},   {ELEMENT_U32, USKOR_UINT32},  {ELEMENT_U64, USKOR_UINT64},
};

static enum status check_array(const struct npy_array *array, const struct sortable **found, struct error *error)
{
    char type[32];
    if (array->layout.rank != 1)
        return fail(error, STATUS_INVALID, "%s: is of rank %d; one axis was expected (a.ravel() has one)", array->path,
                    array->layout.rank);
    enum element_type element = npy_type_element(&array->layout);
    for (size_t i = 0; i < COUNT_OF(sortables); i++)
        if (sortables[i].element == element) {
            *found = &sortables[i];
            return STATUS_OK;
        }
    *found = NULL; /* sorted by counting */
    if (array->layout.item_bytes <= 2 && strchr("iuf", array->layout.kind))
        return STATUS_OK;
    return fail(error, STATUS_INVALID, "%s: holds %s; floats and integers of 1 to 8 bytes can be sorted", array->path,
                npy_type_text(&array->layout, type, sizeof type));
}

/* Copies items, their bytes turned round when `swap` is set; target and source may be
 * the same, and the source of any alignment. */
static void copy_items(void *target, const void *source, size_t count, size_t bytes, bool swap)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++)
        if (bytes == 4) {
            uint32_t item;
            memcpy(&item, (const char *)source + 4 * i, 4);
            ((uint32_t *)target)[i] = swap ? __builtin_bswap32(item) : item;
        } else {
            uint64_t item;
            memcpy(&item, (const char *)source + 8 * i, 8);
            ((uint64_t *)target)[i] = swap ? __builtin_bswap64(item) : item;
        }
}

/* The source's numbers in the target, sorted, and checked against the source. */
/* The first becomes the last. */
static void turn_round(void *data, size_t count, size_t bytes)
{
    char *items = data, item[8];
    for (size_t low = 0, high = count; low + 1 < high; low++) {
        high--;
        memcpy(item, items + low * bytes, bytes);
        memcpy(items + low * bytes, items + high * bytes, bytes);
        memcpy(items + high * bytes, item, bytes);
    }
}

static enum status sort(struct file_options *arguments, const struct npy_array *source, const struct npy_writer *target,
                        const struct sortable *sortable, struct uskor *context, struct error *error)
{
    if (!sortable) {
        enum status status = sort_narrow(&source->layout, source->data, target->data, error);
        file_options_lap(arguments, N_("reading, computing and checking"));
        if (status == STATUS_FAILED)
            return fail(error, status, "%s: the result is wrong; nothing was written", output_path(target->output));
        if (status == STATUS_OK && arguments->reverse)
            turn_round(target->data, source->layout.count, source->layout.item_bytes);
        return status;
    }
    size_t count = source->layout.count, bytes = source->layout.item_bytes;
    bool swapped = !npy_type_is_native(&source->layout);
    copy_items(target->data, source->data, count, bytes, swapped);
    file_options_lap(arguments, N_("reading"));
    enum status status =
        file_options_status(uskor_sort(context, target->data, count, sortable->number, 0), context, error);
    if (status != STATUS_OK)
        return status;
    file_options_lap(arguments, N_("computing"));
    struct multiset before = sort_multiset(sortable->element, source->data, count, swapped);
    struct multiset after = sort_multiset(sortable->element, target->data, count, false);
    if (sort_disorder(sortable->element, false, target->data, count).wrong > 0 || !multiset_equal(&before, &after))
        return fail(error, STATUS_FAILED, "%s: the result is wrong (rung %s on %s); nothing was written",
                    output_path(target->output), uskor_rung(context), uskor_device(context));
    if (arguments->reverse)
        turn_round(target->data, count, bytes);
    if (swapped)
        copy_items(target->data, target->data, count, bytes, true);
    file_options_lap(arguments, N_("checking"));
    return STATUS_OK;
}

static const char *problem_of(const struct npy_array *source, const struct sortable *sortable,
                              char text[PROBLEM_TEXT_MAX])
{
    if (!sortable) /* by counting, on the CPU */
        return NULL;
    snprintf(text, PROBLEM_TEXT_MAX, "sort:n=%zu,%s", source->layout.count, element_info(sortable->element)->name);
    return text;
}

static void report(const struct npy_array *source, int64_t taken)
{
    char type[32], time[32];
    fprintf(stderr, tr("sorted %zu × %s in %s, checked and on the disk\n"), source->layout.count,
            npy_type_text(&source->layout, type, sizeof type), file_options_duration(taken, time, sizeof time));
}

/* The target's file, from its beginning to its end. */
static enum status make(struct file_options *arguments, const struct npy_array *source, const struct sortable *sortable,
                        struct uskor *context, struct error *error)
{
    struct npy_writer target = {0};
    struct npy_layout layout = source->layout;
    layout.fortran = false;
    enum status status = npy_create(arguments->output, arguments->force, &layout, &target, error);
    if (status != STATUS_OK)
        return status;
    status = sort(arguments, source, &target, sortable, context, error);
    status = npy_outcome(source, status, error);
    if (status != STATUS_OK) {
        npy_abandon(&target);
        return status;
    }
    status = npy_finish(&target, error);
    file_options_lap(arguments, N_("writing"));
    return status;
}

static enum status pose(const void *context, struct rank_input *inputs, struct problem *problem,
                        struct npy_layout *result, struct error *error)
{
    (void)context;
    const struct npy_array *file = &inputs[0].file;
    const struct sortable *sortable;
    enum status status = check_array(file, &sortable, error);
    if (status != STATUS_OK)
        return status;
    if (!sortable)
        return fail(error, STATUS_INVALID, "%s: over ranks, items of 4 or 8 bytes are sorted", file->path);
    inputs[0].swapped = !npy_type_is_native(&file->layout);
    *problem = problem_default(kernel_by_name("sort", error));
    problem->type = sortable->element;
    problem_set_size(problem, "n", (int64_t)file->layout.count);
    *result = file->layout;
    result->fortran = false;
    return STATUS_OK;
}

int cmd_sort(int argc, char **argv)
{
    struct file_options arguments = {
        .input_count = 1,
        .piped_end = ".npy",
        .too_many = N_("one input at a time; name the result with -o"),
        .too_few = "an input and a result are needed: uskor sort a.npy -o b.npy",
    };
    struct npy_array source = {0};
    struct uskor *context = NULL;
    const struct sortable *sortable = NULL;
    struct error error;
    char text[PROBLEM_TEXT_MAX];
    options_parse(&usage, argc, argv, &arguments);
    if (started_by_mpi())
        return files_over_ranks(
            &arguments, &(struct files_task){.paths = {arguments.inputs[0]},
                                             .count = 1,
                                             .pose = pose,
                                             .refused = options_beyond(&usage, argc, argv, file_options_over_ranks)});
    int64_t begun = clock_now();
    enum status status = npy_open(arguments.inputs[0], &source, &error);
    if (status == STATUS_OK)
        status = check_array(&source, &sortable, &error);
    if (status == STATUS_OK)
        status = file_options_open(&arguments, problem_of(&source, sortable, text), &context, &error);
    if (status == STATUS_OK)
        status = make(&arguments, &source, sortable, context, &error);
    if (status == STATUS_OK && file_options_tells(&arguments))
        report(&source, clock_now() - begun);
    status = file_options_close(&arguments, context, status, &error);
    npy_close(&source);
    return status == STATUS_OK ? EXIT_DONE : report_error(status, &error);
}
