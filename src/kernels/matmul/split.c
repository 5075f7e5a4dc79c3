/* Parts are bands of the rows of op(A) and C. Each part needs all of B, which is copied once. If A is stored
 * transposed, its bands are blocks of columns. Parts of a batch are products. */
#include "base/translation.h"
#include "kernels/matmul/matmul.h"
#include "kernels/part.h"

static const char *split_batch(const struct product *p, size_t index, size_t count, struct job_part *part, char *reason,
                               size_t size)
{
    const size_t bytes = element_info(p->type)->bytes;
    const size_t steps[] = {p->step_a * bytes, p->step_b * bytes, p->step_c * element_info(p->result)->bytes};
    if (part_refuses(p->batch, N_("%zu products make no %zu parts"), count, reason, size))
        return reason;
    size_t from = part_begin(p->batch, count, index), products = part_begin(p->batch, count, index + 1) - from;
    problem_set_size(&part->problem, "batch", (int64_t)products);
    for (int i = 0; i < 3; i++)
        part_add_bytes(part, i, from * steps[i], 0, products * steps[i]);
    return NULL;
}

const char *matmul_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size)
{
    struct product p = product_of(problem, NULL, NULL, NULL);
    size_t bytes = element_info(p.type)->bytes, row_c = p.ldc * element_info(p.result)->bytes;
    for (int i = 0; i < 3; i++) {
        const struct layout layout = product_layout(&p, i);
        if (layout.batch > 1 && layout.step != layout.rows * layout.pitch)
            return part_never(N_("only batches of matrices that follow one another are cut"), reason, size);
    }
    if (p.batch > 1)
        return split_batch(&p, index, count, part, reason, size);
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
    part_add_bytes(part, 2, from * row_c, 0, height * row_c);
    return NULL;
}
