/* Parts are bands of the rows of op(A) and C. Each part needs all of B, which is copied once. If A is stored
 * transposed, its bands are blocks of columns. */
#include "base/translation.h"
#include "kernels/matmul/matmul.h"
#include "kernels/part.h"

const char *matmul_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    size_t bytes = element_info(problem->type)->bytes;
    if (part_refuses(p.m, N_("%zu rows of C make no %zu parts"), count, reason, size))
        return reason;
    size_t from = part_begin(p.m, count, index), height = part_begin(p.m, count, index + 1) - from;
    problem_set_size(&part->problem, "m", (int64_t)height);
    if (p.transa)
        part_add(part, 0,
                 (struct job_piece){.whole_offset = from * bytes,
                                    .whole_pitch = p.lda * bytes,
                                    .part_pitch = (p.lda - p.m + height) * bytes,
                                    .width = height * bytes,
                                    .rows = p.k});
    else
        part_add_bytes(part, 0, from * p.lda * bytes, 0, height * p.lda * bytes);
    size_t whole_b = (p.transb ? p.n : p.k) * p.ldb * bytes;
    part_add_bytes(part, 1, 0, 0, whole_b);
    part->arrays[1].shared = index > 0 ? whole_b : 0;
    part_add_bytes(part, 2, from * p.ldc * bytes, 0, height * p.ldc * bytes);
    return NULL;
}
