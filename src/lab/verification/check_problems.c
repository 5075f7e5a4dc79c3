/* The problems of a check: which of a kernel's edge cases, on which types. */
#include <stdlib.h>

#include "base/memory.h"
#include "lab/verification/check.h"
#include "lab/verification/check_changes.h"
#include "lab/verification/check_draws.h"
#include "lab/verification/check_remainders.h"
#include "lab/verification/check_shapes.h"

/* Largest problem beyond the small ones that the cpu device computes in an instant. */
#define LIGHT_BYTES (128 << 10)
#define LIGHT_OPERATIONS 5e7

/* Kernels that only move elements, and simulated devices, are checked once per element size. */
static bool is_repeat(const struct kernel *kernel, enum check_extent extent, size_t type)
{
    bool once = kernel->moves_bits || extent == CHECK_TINY;
    for (size_t before = 0; once && before < type; before++)
        if (element_info(kernel->types[before])->bytes == element_info(kernel->types[type])->bytes)
            return true;
    return false;
}

static size_t small_count(const struct kernel *kernel, enum check_extent extent)
{
    return extent == CHECK_TINY && kernel->edge_cases_tiny > 0 ? kernel->edge_cases_tiny : kernel->edge_cases_small;
}

bool check_is_light(const struct problem *problem)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    double bytes = 0;
    if (kernel_describe(problem, arrays, &count, NULL) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        bytes += (double)arrays[i].bytes;
    return bytes <= LIGHT_BYTES && problem->kernel->cost(problem).operations <= LIGHT_OPERATIONS;
}

/* Whether the problem made of the edge case `text` and type `type` is tried. */
static bool is_wanted(const struct problem *problem, enum check_extent extent, bool on_cpu, size_t text, size_t type)
{
    const struct kernel *kernel = problem->kernel;
    bool light = on_cpu && extent != CHECK_TINY && check_is_light(problem);
    if (is_repeat(kernel, extent, type) && !light)
        return false;
    return extent == CHECK_ALL || text < small_count(kernel, extent) || light;
}

static enum status large_problem(const struct kernel *kernel, struct problem *list, size_t *count, struct error *error)
{
    *count = kernel->large ? 1 : 0;
    return kernel->large ? problem_parse(kernel->large, list, error) : STATUS_OK;
}

/* How many problems are drawn at random. A device compiles some of its rungs for each. */
#define DRAWS_MOST 48

static size_t draw(const struct kernel *kernel, enum check_extent extent, bool on_cpu, uint32_t seed,
                   struct problem *list)
{
    size_t light = extent == CHECK_ALL ? (on_cpu ? 36 : 12) : extent == CHECK_SMALL && on_cpu ? 4 : 0;
    size_t medium = extent == CHECK_ALL ? (on_cpu ? 12 : 4) : 0, made = 0;
    for (size_t i = 0; seed != 0 && i < light + medium; i++)
        made += check_draw(kernel, seed, i, i < light ? DRAW_LIGHT : DRAW_MEDIUM, &list[made]);
    const size_t common = kernel->common_types, optional = common ? kernel->type_count - common : 0;
    size_t more = 0;
    for (size_t i = 0; i < optional * made / 6; i++) { /* as the first of those, in types that most rungs do not know */
        struct problem *problem = &list[made + more];
        *problem = list[i];
        problem->type = kernel->types[common + i % optional];
        for (size_t f = 0; f < kernel->field_count; f++)
            if (kernel->fields[f].kind == FIELD_CHOICE && kernel->fields[f].unless_taken)
                problem->values[f].size = (int64_t)(i / optional % 2);
        more += !kernel->imply || kernel->imply(problem, NULL, NULL) == STATUS_OK;
    }
    return made + more;
}

/* Every remainder of every side, on every type, or once per element size where elements only move. A device has fewer:
 * of its first type those of a whole line, of the others those modulo CHECK_REMAINDERS. */
static size_t leave_remainders(const struct kernel *kernel, enum check_extent extent, bool on_cpu, struct problem *list)
{
    size_t made = 0;
    for (size_t type = 0; extent == CHECK_ALL && type < kernel->type_count; type++) {
        const size_t count = on_cpu      ? check_remainder_count(kernel)
                             : type == 0 ? check_remainder_few(kernel)
                                         : CHECK_REMAINDERS;
        for (size_t i = 0; i < count && !is_repeat(kernel, extent, type); i++)
            made += check_remainder(kernel, kernel->types[type], i, &list[made]);
    }
    return made;
}

/* Special shapes, likewise. A device has those of a few programs. */
static size_t shape(const struct kernel *kernel, enum check_extent extent, bool on_cpu, struct problem *list)
{
    const size_t count = check_shape_count(kernel);
    size_t made = 0;
    for (size_t type = 0; extent == CHECK_ALL && type < kernel->type_count; type++)
        for (size_t i = 0; i < count && !is_repeat(kernel, extent, type); i++)
            if (on_cpu || check_shape_is_for_devices(kernel, i, type == 0))
                made += check_shape(kernel, kernel->types[type], i, &list[made]);
    return made;
}

/* On the CPU, where a rung's process goes on from problem to problem, on every type. */
static size_t change_fields(const struct kernel *kernel, enum check_extent extent, bool on_cpu, struct problem *list)
{
    size_t made = 0;
    for (size_t type = 0; extent == CHECK_ALL && on_cpu && type < kernel->type_count; type++)
        if (!is_repeat(kernel, extent, type))
            made += check_changes(kernel, kernel->types[type], &list[made]);
    return made;
}

enum status check_problems(const struct kernel *kernel, enum check_extent extent, const struct device *device,
                           uint32_t seed, struct problem **problems, size_t *count, struct error *error)
{
    bool on_cpu = device && device->backend->kind == BACKEND_CPU;
    size_t texts = 0, made = 0;
    enum status status = STATUS_OK;
    while (kernel->edge_cases[texts])
        texts++;
    struct problem *list = calloc(
        (texts + CHECK_REMAINDERS_MOST + CHECK_SHAPES_MOST + CHECK_CHANGES_MOST + DRAWS_MOST) * kernel->type_count + 1,
        sizeof *list);
    if (!list)
        return fail(error, STATUS_UNAVAILABLE, "no memory for the problems to check");
    if (extent == CHECK_LARGE)
        status = large_problem(kernel, list, &made, error);
    for (size_t type = 0; extent != CHECK_LARGE && type < kernel->type_count; type++)
        for (size_t text = 0; status == STATUS_OK && text < texts; text++) {
            status = problem_parse(kernel->edge_cases[text], &list[made], error);
            list[made].type = kernel->types[type];
            if (status == STATUS_OK && kernel->imply && kernel->imply(&list[made], NULL, NULL) != STATUS_OK)
                continue; /* a field that this type does not have */
            made += status == STATUS_OK && is_wanted(&list[made], extent, on_cpu, text, type);
        }
    if (status != STATUS_OK) {
        free(list);
        return status;
    }
    made += leave_remainders(kernel, extent, on_cpu, &list[made]);
    made += shape(kernel, extent, on_cpu, &list[made]);
    made += change_fields(kernel, extent, on_cpu, &list[made]);
    made += draw(kernel, extent, on_cpu, seed, &list[made]);
    *problems = list;
    *count = made;
    return STATUS_OK;
}

/* Each array counts as filled, as the rung left it, on the device, and once more where it is restored. Scratch memory
 * counts as the largest array; the judge's memory is added. */
enum status check_memory(const struct problem *problem, struct error *error)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    int count;
    double bytes = 0, available = (double)memory_available(NULL);
    enum status status = kernel_describe(problem, arrays, &count, error);
    for (int i = 0; status == STATUS_OK && i < count; i++)
        bytes += 4 * (double)arrays[i].bytes;
    if (status == STATUS_OK && bytes > available)
        status = fail(error, STATUS_UNAVAILABLE, "it takes %.3g GB of memory, and %.3g GB are available", bytes / 1e9,
                      available / 1e9);
    return status;
}
