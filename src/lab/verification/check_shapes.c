#include "lab/verification/check_shapes.h"

#include "base/size.h"
#include "kernels/structure.h"
#include "lab/verification/check_draws.h"
#include "lab/verification/check_fields.h"

#define SHORT_MOST 8
#define MULTIPLES 16
#define RATIOS (8 * 8 + 6)
#define REPETITIONS 40

enum kind { KIND_SHORT, KIND_MULTIPLE, KIND_SLENDER, KIND_RATIO, KIND_REPEATED, KINDS };

/* One problem of the list: its kind, its number among those, and its combination of choices. */
struct place {
    enum kind kind;
    size_t index, combination;
};

static bool is_derived(const struct problem_field *field)
{
    return field->derived != NULL;
}

/* Steps: neither a side nor a padding, and no field that most rungs do not know. */
static bool is_repetition(const struct kernel *kernel, const struct problem_field *field)
{
    return field->kind == FIELD_SIZE && field->initial > 0 && !field->unless_taken &&
           !check_draw_is_side(kernel, field);
}

static void count_kinds(const struct kernel *kernel, size_t counts[KINDS])
{
    struct problem problem = problem_default(kernel);
    const size_t sides = check_sides(kernel), combinations = check_combine(kernel, 0, &problem);
    counts[KIND_SHORT] = sides * SHORT_MOST * combinations;
    counts[KIND_MULTIPLE] = MULTIPLES * combinations;
    counts[KIND_SLENDER] = sides * (sides - 1);
    counts[KIND_RATIO] = counts[KIND_REPEATED] = 0;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (is_derived(&kernel->fields[i]))
            counts[KIND_RATIO] = RATIOS;
        else if (is_repetition(kernel, &kernel->fields[i]))
            counts[KIND_REPEATED] = REPETITIONS;
}

size_t check_shape_count(const struct kernel *kernel)
{
    size_t counts[KINDS], sum = 0;
    count_kinds(kernel, counts);
    for (size_t k = 0; k < KINDS; k++)
        sum += counts[k];
    return sum;
}

static struct place place_of(const struct kernel *kernel, size_t index)
{
    size_t counts[KINDS], kind = 0;
    count_kinds(kernel, counts);
    while (kind + 1 < KINDS && index >= counts[kind])
        index -= counts[kind++];
    const size_t alike = kind == KIND_SHORT      ? check_sides(kernel) * SHORT_MOST
                         : kind == KIND_MULTIPLE ? MULTIPLES
                                                 : counts[kind];
    return (struct place){(enum kind)kind, index % alike, index / alike};
}

bool check_shape_is_for_devices(const struct kernel *kernel, size_t index, bool is_first_type)
{
    const struct place place = place_of(kernel, index);
    return place.combination == 0 && (is_first_type || place.kind == KIND_MULTIPLE);
}

/* ---- lengths -------------------------------------------------------------------------------------------------- */

/* Multiples of a tile, whose factors differ from side to side. In the second half sides are a multiple, one more or one
 * less, in all pairs of these that differ. */
static int64_t multiple_length(size_t index, size_t side, size_t sides)
{
    const int64_t beside = index < MULTIPLES / 2 ? 0 : (int64_t)((index + (1 + index % 2) * side) % 3) - 1;
    const size_t tile = sides == 1 ? 4096 : sides == 2 ? 64 : 32, most = sides == 1 ? 8 : 5;
    return (int64_t)(tile * (1 + (index * (side + 1) + 2 * side) % most)) + beside;
}

/* Side `index` / (sides - 1) is long, and one of the others narrow. */
static int64_t slender_length(size_t index, size_t side, size_t sides)
{
    const size_t longer = index / (sides - 1), before = index % (sides - 1), narrow = before + (before >= longer);
    const size_t width = 17 + 2 * index;
    return (int64_t)(side == longer ? 16 * width + 1 : side == narrow ? width : 11 + side);
}

/* The ratio of a side to the one that it follows from. */
static int64_t ratio_length(size_t index, bool is_target, size_t side)
{
    static const int64_t far[3] = {10, 12, 16};
    const int64_t unit = 3 + (int64_t)(side % 2) * 2;
    int64_t to = 1 + (int64_t)(index % 8), from = 1 + (int64_t)(index / 8);
    if (index >= 64) {
        to = index % 2 ? far[index % 3] : 1;
        from = index % 2 ? 1 : far[index % 3];
    }
    return unit * (is_target ? to : from);
}

static int64_t length(const struct place *place, const struct problem_field *field, size_t side, size_t sides)
{
    switch (place->kind) {
    case KIND_SHORT:
        return side == place->index % sides ? (int64_t)(1 + place->index / sides)
                                            : (int64_t)(19 + 4 * side + place->index % 5);
    case KIND_MULTIPLE:
        return multiple_length(place->index, side, sides);
    case KIND_SLENDER:
        return slender_length(place->index, side, sides);
    case KIND_RATIO:
        return ratio_length(place->index, is_derived(field), side);
    default:
        return (int64_t)(10 + 11 * side);
    }
}

/* ---- the other fields ----------------------------------------------------------------------------------------- */

static void set_other(const struct place *place, size_t index, size_t field, struct problem *problem)
{
    static const double first[] = {1, -1, 2, 1, 0.5}, second[] = {0, 1, -1, 0.5};
    const struct kernel *kernel = problem->kernel;
    const struct problem_field *described = &kernel->fields[field];
    const bool is_free = described->kind == FIELD_REAL && described->minimum_real >= described->maximum_real;
    if (is_free)
        problem->values[field].real =
            described->initial_real != 0 ? first[index % COUNT_OF(first)] : second[index % COUNT_OF(second)];
    else if (is_repetition(kernel, described))
        problem->values[field].size = (int64_t)(1 + place->index % (place->kind == KIND_REPEATED ? REPETITIONS : 5));
    else if (described->kind == FIELD_SIZE && described->initial == 0 && !described->unless_taken && index % 2)
        problem->values[field].size = (int64_t)(1 + (index / 2 + field) % 4);
}

static void set_inputs(const struct place *place, struct problem *problem)
{
    int64_t choice;
    const size_t field = check_input(problem->kernel, STRUCTURED, &choice);
    if (place->kind == KIND_SHORT && check_sides(problem->kernel) == 1 && field != SIZE_MAX)
        problem->values[field].size = choice;
    else if (place->index % 2)
        check_set_exact(problem);
}

bool check_shape(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem)
{
    const struct place place = place_of(kernel, index);
    const size_t sides = check_sides(kernel);
    size_t side = 0;
    *problem = problem_default(kernel);
    check_combine(kernel, place.combination, problem);
    problem->type = type;
    problem->seed = (uint32_t)index + 1;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (check_draw_is_side(kernel, &kernel->fields[i]))
            problem->values[i].size = length(&place, &kernel->fields[i], side++, sides);
        else
            set_other(&place, index, i, problem);
    set_inputs(&place, problem);
    return !kernel->imply || kernel->imply(problem, NULL, NULL) == STATUS_OK;
}
