#include "kernels/structure.h"

#include <string.h>

#include "base/random.h"

/* The purposes of random words, each with a range of its own. */
enum purpose { ELEMENTS, DEPARTURE = 1, PLACE_ROW, PLACE_COL, SINGLE };

static uint64_t word_for(const struct structure *structure, enum purpose purpose, uint64_t index)
{
    const uint64_t word = random_word(structure->stream, (uint64_t)purpose << 56 | index);
    return word > STRUCTURE_WORD_1 ? word : 2;
}

bool problem_is_structured(const struct problem *problem)
{
    const struct kernel *kernel = problem->kernel;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (strcmp(kernel->fields[i].name, "input") == 0)
            return strcmp(kernel->fields[i].choices[problem->values[i].size], STRUCTURED) == 0;
    return false;
}

uint32_t problem_structures(const struct problem *problem)
{
    return problem->kernel->structures ? problem->kernel->structures(problem) : STRUCTURE_SEEDS;
}

struct structure structure_of(uint32_t seed, unsigned array, size_t rows, size_t cols)
{
    const uint32_t other = seed / STRUCTURE_SEEDS * 7 + seed * 3; /* pairs of arrays do not always agree */
    const uint32_t turn = array == 0 ? seed : other + array;
    struct structure structure = {
        .stream = (uint64_t)seed << 8 | array,
        .kind = (enum structure_kind)(turn % STRUCTURE_KINDS),
        .row = SIZE_MAX,
        .col = SIZE_MAX,
        .cols = cols,
    };
    const bool departs = (turn / STRUCTURE_KINDS + turn) % 2 == 0;
    if (rows > 0 && cols > 0)
        structure.single =
            (size_t)(word_for(&structure, SINGLE, 0) % rows * cols + word_for(&structure, SINGLE, 1) % cols);
    if (departs && rows > 0 && cols > 0) {
        structure.row = (size_t)(word_for(&structure, PLACE_ROW, 0) % rows);
        structure.col = (size_t)(word_for(&structure, PLACE_COL, 0) % cols);
    }
    return structure;
}

uint64_t structure_word(const struct structure *structure, size_t row, size_t col)
{
    if (row == structure->row && col == structure->col)
        return word_for(structure, DEPARTURE, 0);
    const uint64_t at = (uint64_t)row * structure->cols + col;
    const uint64_t one_or_none = row == col ? STRUCTURE_WORD_1 : STRUCTURE_WORD_0;
    switch (structure->kind) {
    case STRUCTURE_EQUAL:
        return word_for(structure, ELEMENTS, 0);
    case STRUCTURE_UNIT:
        return one_or_none;
    case STRUCTURE_DIAGONAL:
        return row > 0 && row == col ? word_for(structure, ELEMENTS, row) : one_or_none;
    case STRUCTURE_SYMMETRIC:
        return word_for(structure, ELEMENTS,
                        row < col ? (uint64_t)col * (col + 1) / 2 + row : (uint64_t)row * (row + 1) / 2 + col);
    case STRUCTURE_ROWS:
        return word_for(structure, ELEMENTS, row);
    case STRUCTURE_COLUMNS:
        return word_for(structure, ELEMENTS, col);
    case STRUCTURE_TRIANGULAR:
        return row > col ? word_for(structure, ELEMENTS, at) : one_or_none;
    case STRUCTURE_SPARSE: {
        const uint64_t word = word_for(structure, ELEMENTS, at);
        return word % 16 == 5 ? word >> 4 | 2 : STRUCTURE_WORD_0;
    }
    case STRUCTURE_SINGLE:
        return at == structure->single ? word_for(structure, ELEMENTS, 0) : STRUCTURE_WORD_0;
    default:
        return STRUCTURE_WORD_0;
    }
}
