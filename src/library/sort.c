/* uskor_sort, uskor_sort_pairs, uskor_argsort, uskor_partial_sort, uskor_sort_unique: the caller's own numbers, in
 * order. */
#include <stdint.h>

#include "base/element.h"
#include "base/size.h"
#include "library/call.h"
#include "library/context.h"
#include "library/number.h"
#include "library/overlap.h"

/* The fields of the kernel, in its order, and the values of two of them. */
enum field { N, INPUT, ORDER, VALUES, TOP, UNIQUE, NANS, PARTITION, BATCH, STRIDE, FIELDS };
enum { NO_VALUES, MOVED_32, MOVED_64, INDEX_32, INDEX_64 };

struct arguments {
    size_t count;
    enum uskor_number type;
    unsigned flags;
    enum what { KEYS, PAIRS, INDICES, FIRST_INDICES, FIRST, PART, DISTINCT } what;
    size_t value_bytes;   /* of a value or an index */
    size_t first;         /* of FIRST_INDICES, FIRST and PART */
    size_t batch, stride; /* lines */
};

/* Numbers of all lines. */
static size_t numbers_of(const struct plan_key *key)
{
    return (size_t)key->values[N].size * (size_t)key->values[BATCH].size * (size_t)key->values[STRIDE].size;
}

static size_t value_bytes_of(const struct plan_key *key)
{
    static const unsigned char bytes[] = {[MOVED_32] = 4, [MOVED_64] = 8, [INDEX_32] = 4, [INDEX_64] = 8};
    return bytes[key->values[VALUES].size];
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

static enum status check_array(const struct plan_key *key, const void *data, const char *what, size_t element_bytes,
                               struct error *error)
{
    if (numbers_of(key) > 0 && !data)
        return fail(error, STATUS_INVALID, "sort: the array%s is NULL", what);
    if ((uintptr_t)data % element_bytes != 0)
        return fail(error, STATUS_INVALID, "sort: the array%s is not at a multiple of its elements' %zu bytes", what,
                    element_bytes);
    return STATUS_OK;
}

static enum status check_keys(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    return check_array(key, arrays->target, "", element_info((enum element_type)key->type)->bytes, error);
}

static enum status check_two(const struct plan_key *key, const void *keys, const void *others, const char *what,
                             struct error *error)
{
    const size_t bytes = element_info((enum element_type)key->type)->bytes, value_bytes = value_bytes_of(key);
    const size_t count = numbers_of(key);
    enum status status = check_array(key, keys, "", bytes, error);
    if (status == STATUS_OK)
        status = check_array(key, others, what, value_bytes, error);
    const size_t other_count = key->values[TOP].size > 0 ? (size_t)key->values[TOP].size : count;
    if (status == STATUS_OK && count > 0 && overlaps(keys, count * bytes, others, other_count * value_bytes))
        status = fail(error, STATUS_INVALID, "sort: the arrays overlap");
    return status;
}

static enum status check_pairs(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    return check_two(key, arrays->target, arrays->second, " of values", error);
}

static enum status check_argsort(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    return check_two(key, arrays->first, arrays->target, " of indices", error);
}

static enum status check_distinct(const struct plan_key *key, const struct plan_arrays *arrays, struct error *error)
{
    const size_t bytes = (size_t)key->values[N].size * element_info((enum element_type)key->type)->bytes;
    if (!arrays->second)
        return fail(error, STATUS_INVALID, "sort: the place for the number of distinct elements is NULL");
    if ((uintptr_t)arrays->second % sizeof(size_t) != 0 ||
        (bytes > 0 && overlaps(arrays->target, bytes, arrays->second, sizeof(size_t))))
        return fail(error, STATUS_INVALID,
                    "sort: the place for the number of distinct elements is misaligned, or in the array");
    return check_keys(key, arrays, error);
}

static const struct operation sort = {"sort", FIELDS, 1, {PLAN_TARGET}, check_keys, NULL};
static const struct operation pairs = {"sort", FIELDS, 2, {PLAN_TARGET, PLAN_SECOND}, check_pairs, NULL};
static const struct operation argsort = {"sort", FIELDS, 2, {PLAN_FIRST, PLAN_TARGET}, check_argsort, NULL};
static const struct operation distinct = {"sort", FIELDS, 2, {PLAN_TARGET, PLAN_SECOND}, check_distinct, NULL};
_Static_assert(sizeof(size_t) == sizeof(uint64_t), "the kernel counts in 64 bits");

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* Bytes of all lines' elements; false where they fit in no memory. */
static bool measure(const struct arguments *a, size_t element_bytes, size_t *bytes)
{
    return size_multiply(a->count, element_bytes, bytes) && size_multiply(*bytes, a->batch, bytes) &&
           size_multiply(*bytes, a->stride, bytes) && *bytes <= PTRDIFF_MAX;
}

static enum status check_values(const struct arguments *a, struct error *error)
{
    size_t bytes;
    const bool is_order = a->what == INDICES || a->what == FIRST_INDICES;
    if (a->what != PAIRS && !is_order)
        return STATUS_OK;
    if (a->value_bytes != 4 && a->value_bytes != 8)
        return fail(error, STATUS_INVALID, "sort: %s of %zu bytes; 4 and 8 are possible",
                    is_order ? "indices" : "values", a->value_bytes);
    if (!measure(a, a->value_bytes, &bytes))
        return fail(error, STATUS_INVALID, "sort: %zu numbers of %zu bytes fit in no memory", a->count, a->value_bytes);
    if (is_order && a->value_bytes == 4 && a->count > UINT32_MAX)
        return fail(error, STATUS_INVALID, "sort: indices of 4 bytes for %zu numbers", a->count);
    return STATUS_OK;
}

/* All that can be wrong with type, sizes and flags. */
static enum status make_key(const void *arguments, struct plan_key *key, struct error *error)
{
    const struct arguments *a = arguments;
    const enum element_type element = number_element(a->type);
    size_t bytes;
    if (element == ELEMENT_TYPE_COUNT)
        return fail(error, STATUS_INVALID, "sort: no such type of numbers");
    if (a->flags & ~(USKOR_DESCENDING | USKOR_NANS_FIRST))
        return fail(error, STATUS_INVALID,
                    "sort: no such flags: %#x; USKOR_DESCENDING and USKOR_NANS_FIRST are possible", a->flags);
    const size_t element_bytes = element_info(element)->bytes;
    if (!measure(a, element_bytes, &bytes))
        return fail(error, STATUS_INVALID, "sort: %zu numbers of %zu bytes fit in no memory", a->count, element_bytes);
    enum status status = check_values(a, error);
    static const struct operation *const operations[] = {
        [KEYS] = &sort,  [PAIRS] = &pairs, [INDICES] = &argsort,  [FIRST_INDICES] = &argsort,
        [FIRST] = &sort, [PART] = &sort,   [DISTINCT] = &distinct};
    static const int64_t values_of[] = {
        [PAIRS] = MOVED_32, [INDICES] = INDEX_32, [FIRST_INDICES] = INDEX_32, [DISTINCT] = NO_VALUES};
    const size_t first = a->first < a->count ? a->first : a->count;
    const bool is_top = a->what == FIRST || a->what == FIRST_INDICES;
    const bool takes_first = is_top || a->what == PART, is_empty = bytes == 0 || (takes_first && first == 0);
    /* Numbers are alike with either rule. */
    const bool nans_first = a->flags & USKOR_NANS_FIRST && element_kind(element) == 2;
    const union field_value none[FIELDS] = {[BATCH] = {1}, [STRIDE] = {1}, [VALUES] = {values_of[a->what]}};
    const union field_value values[FIELDS] = {
        [N] = {(int64_t)a->count},
        [ORDER] = {a->flags & USKOR_DESCENDING ? 1 : 0},
        [VALUES] = {values_of[a->what] + (a->value_bytes == 8)},
        [TOP] = {is_top && first < a->count ? (int64_t)first : 0},
        [UNIQUE] = {a->what == DISTINCT},
        [NANS] = {nans_first},
        [PARTITION] = {a->what == PART ? (int64_t)first : 0},
        [BATCH] = {(int64_t)a->batch},
        [STRIDE] = {(int64_t)a->stride},
    };
    *key = plan_key(operations[a->what], element, is_empty, is_empty ? none : values);
    return status;
}

/* ---- the functions ----------------------------------------------------------------------------------------------- */

enum uskor_status uskor_sort(struct uskor *context, void *data, size_t count, enum uskor_number type, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, KEYS, 0, 0, 1, 1},
                    (struct plan_arrays){.target = data});
}

enum uskor_status uskor_sort_pairs(struct uskor *context, void *keys, void *values, size_t count,
                                   enum uskor_number type, size_t value_bytes, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, PAIRS, value_bytes, 0, 1, 1},
                    (struct plan_arrays){.target = keys, .second = values});
}

enum uskor_status uskor_partial_sort(struct uskor *context, void *data, size_t count, size_t top,
                                     enum uskor_number type, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, FIRST, 0, top, 1, 1},
                    (struct plan_arrays){.target = data});
}

enum uskor_status uskor_sort_unique(struct uskor *context, void *data, size_t count, size_t *distinct_count,
                                    enum uskor_number type, unsigned flags)
{
    if (count == 0 && distinct_count)
        *distinct_count = 0;
    return call_run(context, make_key, &(const struct arguments){count, type, flags, DISTINCT, 0, 0, 1, 1},
                    (struct plan_arrays){.target = data, .second = distinct_count});
}

enum uskor_status uskor_argsort(struct uskor *context, void *indices, const void *data, size_t count,
                                enum uskor_number type, size_t index_bytes, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, INDICES, index_bytes, 0, 1, 1},
                    (struct plan_arrays){.target = indices, .first = data});
}

enum uskor_status uskor_partial_argsort(struct uskor *context, void *indices, const void *data, size_t count,
                                        size_t top, enum uskor_number type, size_t index_bytes, unsigned flags)
{
    return call_run(context, make_key,
                    &(const struct arguments){count, type, flags, FIRST_INDICES, index_bytes, top, 1, 1},
                    (struct plan_arrays){.target = indices, .first = data});
}

enum uskor_status uskor_plan_partial_argsort(struct uskor *context, struct uskor_plan **plan, size_t count, size_t top,
                                             enum uskor_number type, size_t index_bytes, unsigned flags)
{
    return call_plan(context, plan, make_key,
                     &(const struct arguments){count, type, flags, FIRST_INDICES, index_bytes, top, 1, 1});
}

enum uskor_status uskor_plan_sort(struct uskor *context, struct uskor_plan **plan, size_t count, enum uskor_number type,
                                  unsigned flags)
{
    return call_plan(context, plan, make_key, &(const struct arguments){count, type, flags, KEYS, 0, 0, 1, 1});
}

enum uskor_status uskor_plan_sort_unique(struct uskor *context, struct uskor_plan **plan, size_t count,
                                         enum uskor_number type, unsigned flags)
{
    return call_plan(context, plan, make_key, &(const struct arguments){count, type, flags, DISTINCT, 0, 0, 1, 1});
}

enum uskor_status uskor_plan_argsort(struct uskor *context, struct uskor_plan **plan, size_t count,
                                     enum uskor_number type, size_t index_bytes, unsigned flags)
{
    return call_plan(context, plan, make_key,
                     &(const struct arguments){count, type, flags, INDICES, index_bytes, 0, 1, 1});
}

enum uskor_status uskor_partition(struct uskor *context, void *data, size_t count, size_t first, enum uskor_number type,
                                  unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, PART, 0, first, 1, 1},
                    (struct plan_arrays){.target = data});
}

/* ---- lines ------------------------------------------------------------------------------------------------------- */

enum uskor_status uskor_sort_lines(struct uskor *context, void *data, size_t count, size_t batch, size_t stride,
                                   enum uskor_number type, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, KEYS, 0, 0, batch, stride},
                    (struct plan_arrays){.target = data});
}

enum uskor_status uskor_sort_pairs_lines(struct uskor *context, void *keys, void *values, size_t count, size_t batch,
                                         size_t stride, enum uskor_number type, size_t value_bytes, unsigned flags)
{
    return call_run(context, make_key,
                    &(const struct arguments){count, type, flags, PAIRS, value_bytes, 0, batch, stride},
                    (struct plan_arrays){.target = keys, .second = values});
}

enum uskor_status uskor_argsort_lines(struct uskor *context, void *indices, const void *data, size_t count,
                                      size_t batch, size_t stride, enum uskor_number type, size_t index_bytes,
                                      unsigned flags)
{
    return call_run(context, make_key,
                    &(const struct arguments){count, type, flags, INDICES, index_bytes, 0, batch, stride},
                    (struct plan_arrays){.target = indices, .first = data});
}

enum uskor_status uskor_partition_lines(struct uskor *context, void *data, size_t count, size_t first, size_t batch,
                                        size_t stride, enum uskor_number type, unsigned flags)
{
    return call_run(context, make_key, &(const struct arguments){count, type, flags, PART, 0, first, batch, stride},
                    (struct plan_arrays){.target = data});
}

enum uskor_status uskor_plan_sort_lines(struct uskor *context, struct uskor_plan **plan, size_t count, size_t batch,
                                        size_t stride, enum uskor_number type, unsigned flags)
{
    return call_plan(context, plan, make_key, &(const struct arguments){count, type, flags, KEYS, 0, 0, batch, stride});
}
