#include "lab/verification/dataset.h"

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "base/unpredictable.h"

#define LINE ((size_t)64)             /* bytes of a cache line; a multiple of every element's size */
#define DRAWN_ALONE ((size_t)4 << 20) /* bytes of inputs: beside longer runs the start of a few threads is short */
#define PIECE_SHARE 1024              /* a piece is 1/1024 of its array */
#define PIECE_MOST ((size_t)64 << 10)

static void *allocate(size_t bytes)
{
    bytes = bytes ? bytes : 1;
    return bytes > SIZE_MAX - LINE ? NULL : aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
}

static void release(struct host_arrays *arrays)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++) {
        free(arrays->data[i]);
        arrays->data[i] = NULL;
    }
}

static void fill(const struct dataset *dataset, const struct problem *problem, struct host_arrays arrays)
{
    const struct kernel *kernel = problem->kernel;
    kernel->fill(problem, dataset->arrays, arrays);
    if (dataset->unread_is_number && kernel->fill_unread)
        kernel->fill_unread(problem, dataset->arrays, arrays);
}

enum status dataset_create(const struct problem *problem, struct dataset *dataset, struct error *error)
{
    memset(dataset, 0, sizeof *dataset);
    dataset->problem = dataset->filled = *problem;
    dataset->version = 1;
    enum status status = kernel_describe(problem, dataset->arrays, &dataset->array_count, error);
    for (int i = 0; status == STATUS_OK && i < dataset->array_count; i++) {
        const struct array *array = &dataset->arrays[i];
        if (array->direction != ARRAY_OUT)
            dataset->input.data[i] = allocate(array->bytes);
        if (array->direction != ARRAY_IN)
            dataset->output.data[i] = allocate(array->bytes);
        if ((array->direction != ARRAY_OUT && !dataset->input.data[i]) ||
            (array->direction != ARRAY_IN && !dataset->output.data[i]))
            status = fail(error, STATUS_UNAVAILABLE, "no host memory for array '%s' of %zu bytes", array->name,
                          array->bytes);
    }
    if (status == STATUS_OK)
        fill(dataset, problem, dataset->input);
    else
        dataset_destroy(dataset);
    return status;
}

void dataset_destroy(struct dataset *dataset)
{
    release(&dataset->input);
    release(&dataset->output);
    release(&dataset->other);
    memset(dataset, 0, sizeof *dataset);
}

/* A seed other than that of the present inputs. */
static uint32_t another_seed(const struct dataset *dataset)
{
    uint32_t seed;
    do
        seed = (uint32_t)unpredictable();
    while (seed == dataset->problem.seed || seed == dataset->filled.seed);
    return seed;
}

/* Index of the choice with that name; -1 if none. */
static int64_t choice_of(const struct problem_field *field, const char *name)
{
    for (int64_t choice = 0; field->choices[choice]; choice++)
        if (strcmp(field->choices[choice], name) == 0)
            return choice;
    return -1;
}

/* The word of the field "input", which every kernel whose inputs have kinds has. */
static const char *input_of(const struct problem *problem)
{
    const struct kernel *kernel = problem->kernel;
    for (size_t f = 0; f < kernel->field_count; f++)
        if (strcmp(kernel->fields[f].name, "input") == 0)
            return kernel->fields[f].choices[problem->values[f].size];
    return "";
}

bool dataset_exact_problem(const struct dataset *dataset, struct problem *problem, bool *is_same_run)
{
    /* The most telling kind of a kernel's inputs: with one right answer; else with all bits, or the extremes. */
    static const char *const names[] = {"integers", "dyadic", "bits", "special", "checkerboard"};
    const struct kernel *kernel = dataset->problem.kernel;
    *problem = dataset->problem;
    for (size_t f = 0; f < kernel->field_count; f++)
        for (size_t i = 0; kernel->fields[f].kind == FIELD_CHOICE && i < COUNT_OF(names); i++) {
            int64_t choice = choice_of(&kernel->fields[f], names[i]);
            if (choice < 0 || strcmp(kernel->fields[f].name, "input") != 0 || problem->values[f].size == choice)
                continue;
            problem->values[f].size = choice;
            struct problem chosen = *problem;
            if (kernel->imply && kernel->imply(problem, NULL, NULL) != STATUS_OK)
                return false;
            /* The same bits are the same field.
             * NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
            *is_same_run = memcmp(chosen.values, problem->values, sizeof chosen.values) == 0;
            return true;
        }
    return false;
}

static void fill_as(struct dataset *dataset, const struct problem *problem, uint32_t seed)
{
    dataset->filled = *problem;
    dataset->filled.seed = seed;
    fill(dataset, &dataset->filled, dataset->input);
    dataset->is_mixed = false;
    dataset->version++;
}

static size_t input_bytes(const struct dataset *dataset)
{
    size_t bytes = 0;
    for (int i = 0; i < dataset->array_count; i++)
        bytes += dataset->input.data[i] ? dataset->arrays[i].bytes : 0;
    return bytes;
}

/* Inputs of short runs are drawn by the calling thread alone. A team of another size than the rung's would end threads
 * of the rung's team, and the next call would start them anew, as if fresh inputs took longer. */
static int team_for(const struct dataset *dataset)
{
    return input_bytes(dataset) <= DRAWN_ALONE ? 1 : omp_get_max_threads();
}

void dataset_renew_as(struct dataset *dataset, const struct problem *problem)
{
    const int team = omp_get_max_threads();
    omp_set_num_threads(team_for(dataset));
    fill_as(dataset, problem, another_seed(dataset));
    omp_set_num_threads(team);
}

void dataset_fill_from(struct dataset *dataset, uint32_t seed)
{
    fill_as(dataset, &dataset->problem, seed);
}

void dataset_renew(struct dataset *dataset)
{
    dataset_renew_as(dataset, &dataset->problem);
}

/* ---- a second set --------------------------------------------------------------------------------------------- */

static bool has_other(const struct dataset *dataset)
{
    for (int i = 0; i < dataset->array_count; i++)
        if (dataset->other.data[i])
            return true;
    return false;
}

/* The second set is optional, so it is made only where memory is free: writing to overcommitted memory can end the
 * process. */
static bool has_room(size_t bytes)
{
    const size_t always = (size_t)64 << 20;
    char line[128];
    unsigned long long available = 0;
    FILE *file = bytes <= always ? NULL : fopen("/proc/meminfo", "r");
    if (!file)
        return bytes <= always;
    while (fgets(line, sizeof line, file) && sscanf(line, "MemAvailable: %llu kB", &available) != 1)
        continue;
    fclose(file);
    return bytes / 1024 < available / 4;
}

static void fill_other(struct dataset *dataset)
{
    struct problem problem = dataset->problem;
    problem.seed = dataset->other_seed = another_seed(dataset);
    fill(dataset, &problem, dataset->other);
    dataset->other_is_mixed = false;
}

static bool make_other(struct dataset *dataset)
{
    size_t bytes = 0;
    if (has_other(dataset))
        return true;
    for (int i = 0; i < dataset->array_count; i++)
        bytes += dataset->input.data[i] ? dataset->arrays[i].bytes : 0;
    if (!has_room(bytes))
        return false;
    for (int i = 0; i < dataset->array_count; i++)
        if (dataset->input.data[i] && !(dataset->other.data[i] = allocate(dataset->arrays[i].bytes))) {
            release(&dataset->other);
            return false;
        }
    fill_other(dataset);
    return true;
}

void dataset_renew_other(struct dataset *dataset)
{
    const int team = omp_get_max_threads();
    omp_set_num_threads(team_for(dataset));
    if (make_other(dataset))
        fill_other(dataset);
    else if (!dataset->is_mixed)
        dataset_fill_from(dataset, dataset->filled.seed);
    omp_set_num_threads(team);
}

void dataset_number_unread(struct dataset *dataset)
{
    const struct kernel *kernel = dataset->problem.kernel;
    if (dataset->unread_is_number || !kernel->fill_unread)
        return;
    dataset->unread_is_number = true;
    kernel->fill_unread(&dataset->filled, dataset->arrays, dataset->input);
    if (has_other(dataset))
        kernel->fill_unread(&dataset->filled, dataset->arrays, dataset->other);
    dataset->version++;
}

void dataset_exchange(struct dataset *dataset)
{
    if (!make_other(dataset)) {
        dataset_renew(dataset);
        return;
    }
    struct host_arrays input = dataset->input;
    uint32_t seed = dataset->filled.seed;
    bool is_mixed = dataset->is_mixed;
    dataset->input = dataset->other;
    dataset->filled.seed = dataset->other_seed;
    dataset->is_mixed = dataset->other_is_mixed;
    dataset->other = input;
    dataset->other_seed = seed;
    dataset->other_is_mixed = is_mixed;
    dataset->version++;
}

/* ---- mixing ----------------------------------------------------------------------------------------------------- */

size_t pieces_choose(size_t bytes, struct piece pieces[PIECES_MAX])
{
    size_t lines = bytes / LINE + (bytes % LINE != 0);
    size_t length = bytes / PIECE_SHARE / LINE * LINE;
    length = length < LINE ? LINE : length > PIECE_MOST ? PIECE_MOST : length;
    if (unpredictable_below(2) == 0)
        length = LINE; /* who looks at every fourth line finds all longer pieces */
    size_t count = lines < PIECES_MAX ? lines : PIECES_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t offset = unpredictable_below(lines) * LINE;
        pieces[i] = (struct piece){offset, bytes - offset < length ? bytes - offset : length};
    }
    return count;
}

static bool mixes(const struct dataset *dataset)
{
    const struct kernel *kernel = dataset->problem.kernel;
    return kernel->mixes && kernel->mixes(&dataset->problem);
}

static void exchange_bytes(unsigned char *a, unsigned char *b, size_t bytes)
{
    unsigned char line[LINE];
    for (size_t at = 0; at < bytes; at += LINE) {
        size_t part = bytes - at < LINE ? bytes - at : LINE;
        memcpy(line, a + at, part);
        memcpy(a + at, b + at, part);
        memcpy(b + at, line, part);
    }
}

bool dataset_exchange_piece(struct dataset *dataset, int array, size_t offset, size_t bytes)
{
    unsigned char *input = dataset->input.data[array], *other = dataset->other.data[array];
    if (!input || !other || !mixes(dataset))
        return false;
    exchange_bytes(input + offset, other + offset, bytes);
    dataset->is_mixed = dataset->other_is_mixed = true;
    dataset->version++;
    return true;
}

enum status dataset_mix(struct dataset *dataset, dataset_changed *changed, void *context, struct error *error)
{
    if (!mixes(dataset) || !make_other(dataset))
        return STATUS_OK;
    enum status status = STATUS_OK;
    size_t most = (size_t)1 << (2 * unpredictable_below(3)); /* few: a rung that samples its inputs finds no change */
    for (int i = 0; status == STATUS_OK && i < dataset->array_count; i++) {
        struct piece pieces[PIECES_MAX];
        size_t count = dataset->input.data[i] ? pieces_choose(dataset->arrays[i].bytes, pieces) : 0;
        count = count > most ? most : count;
        for (size_t p = 0; p < count; p++)
            exchange_bytes((unsigned char *)dataset->input.data[i] + pieces[p].offset,
                           (unsigned char *)dataset->other.data[i] + pieces[p].offset, pieces[p].bytes);
        for (size_t p = 0; status == STATUS_OK && p < count; p++)
            status = changed(context, i, pieces[p].offset, pieces[p].bytes, error);
    }
    dataset->is_mixed = dataset->other_is_mixed = true;
    dataset->version++;
    return status;
}

static bool same_fields(const struct problem *a, const struct problem *b)
{
    /* Bits, not values. NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    return memcmp(a->values, b->values, sizeof a->values) == 0;
}

enum status dataset_tell_seed(const struct dataset *dataset, enum status status, struct error *error)
{
    if (status == STATUS_OK || dataset->is_mixed || dataset->filled.seed == dataset->problem.seed)
        return status;
    if (!same_fields(&dataset->filled, &dataset->problem))
        return fail_in(error, status, "with input=%s,seed=%u", input_of(&dataset->filled), dataset->filled.seed);
    return fail_in(error, status, "with seed=%u", dataset->filled.seed);
}
