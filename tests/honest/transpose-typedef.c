#include <stdint.h>
typedef float real_t;
typedef int32_t index_t;
struct matrix {
    const real_t *data;
    index_t rows, cols;
};
static inline real_t get(const struct matrix *m, index_t r, index_t c)
{
    return m->data[(long)r * m->cols + c];
}
extern void transpose(real_t const *__restrict__ A, real_t *__restrict__ At, index_t M, index_t N);
void transpose(real_t const *__restrict__ A, real_t *__restrict__ At, index_t M, index_t N)
{
    struct matrix m = {A, M, N};
    for (index_t r = 0; r < M; r++)
        for (index_t c = 0; c < N; c++)
            At[(long)c * M + r] = get(&m, r, c);
}
