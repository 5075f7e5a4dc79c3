// rung:    wmma
// idea:    tensor cores multiply 16 × 16 by 16 × 16 for a warp, which holds pieces of unknown order (fragments)
// tune:    GROUPED = 8 in 1 2 4 8 16 32
// group:   128
// groups:  ceil(m / 64) * ceil(n / 64)
// args:    a, b, c, m, n, k * (alpha != 0), alpha, beta, k + lda_pad + (m - k) * transa, n + ldb_pad + (k - n) * transb, n + ldc_pad
// require: element_bytes == 2, multiplies elements of 16 bits
// require: compute >= 7.0 + (epsilon > 0.001), needs tensor cores: from compute capability 7.0 on for f16, 8.0 for bf16
// require: ceil(m / 64) * ceil(n / 64) < 2147483648, counts tiles in 32 bits
// tensor:  1
// takes:   result f16 bf16

// As tiled, but the inner loop is one instruction for a whole warp. Each of four warps has 32 × 32 results: four
// fragments. Which item holds which of their elements is for the compiler to know, so sums go through shared memory.

#if GROUPED == 0
#error "the header defines it"
#endif

#include "kernels/matmul/half.cuh"

#define TILE 64
#define DEPTH 32
#define ITEMS 128
#define PITCH(along) ((along) ? DEPTH + 8 : TILE + 8) // elements from row to row: not all rows in the same banks
#define BYTES (TILE * (DEPTH + 8) * 2)
#define SUM_PITCH (TILE + 4)

#if ELEMENT_HALF == 16
#define WORDS 8 // of a fragment
#define LOAD_LIST "{%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
#define WMMA_TYPES "f32.f32"
#else
#define WORDS 4
#define LOAD_LIST "{%0, %1, %2, %3}, [%4], %5;"
#define WMMA_TYPES "f32.bf16.bf16.f32"
#endif
#if TRANSA
#define LAYOUT_A "col"
#else
#define LAYOUT_A "row"
#endif
#if TRANSB
#define LAYOUT_B "col"
#else
#define LAYOUT_B "row"
#endif

// TILE rows of op(A), or columns of op(B), DEPTH deep; zeros beyond the matrix. ALONG: depth is contiguous.
template <bool ALONG>
static __device__ void fetch(element *to, const element *x, long ld, long line, long lines, long k, long depth)
{
    const int width = ALONG ? DEPTH : TILE;
    for (int i = threadIdx.x; i < TILE * DEPTH; i += ITEMS) {
        const long row = (ALONG ? line : k) + i / width, col = (ALONG ? k : line) + i % width;
        const bool is_there = row < (ALONG ? lines : depth) && col < (ALONG ? depth : lines);
        to[i / width * PITCH(ALONG) + i % width] = is_there ? x[row * ld + col] : 0;
    }
}

#if ELEMENT_HALF == 16
#define FRAGMENT_OUT(to) \
    "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]), "=r"(to[4]), "=r"(to[5]), "=r"(to[6]), "=r"(to[7])
#else
#define FRAGMENT_OUT(to) "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
#endif

static __device__ __forceinline__ void load_a(uint (&to)[WORDS], const element *from)
{
    asm volatile("wmma.load.a.sync.aligned." LAYOUT_A ".m16n16k16.shared." PTX_TYPE " " LOAD_LIST
                 : FRAGMENT_OUT(to)
                 : "r"((uint)__cvta_generic_to_shared(from)), "r"(PITCH(!TRANSA))
                 : "memory");
}

static __device__ __forceinline__ void load_b(uint (&to)[WORDS], const element *from)
{
    asm volatile("wmma.load.b.sync.aligned." LAYOUT_B ".m16n16k16.shared." PTX_TYPE " " LOAD_LIST
                 : FRAGMENT_OUT(to)
                 : "r"((uint)__cvta_generic_to_shared(from)), "r"(PITCH(TRANSB))
                 : "memory");
}

#define SUM_LIST "{%0, %1, %2, %3, %4, %5, %6, %7}"
static __device__ __forceinline__ void multiply(float (&s)[8], const uint (&a)[WORDS], const uint (&b)[WORDS])
{
    asm volatile("wmma.mma.sync.aligned." LAYOUT_A "." LAYOUT_B ".m16n16k16." WMMA_TYPES " " SUM_LIST ", "
#if ELEMENT_HALF == 16
                 "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, " SUM_LIST ";"
#else
                 "{%8, %9, %10, %11}, {%12, %13, %14, %15}, " SUM_LIST ";"
#endif
                 : "+f"(s[0]), "+f"(s[1]), "+f"(s[2]), "+f"(s[3]), "+f"(s[4]), "+f"(s[5]), "+f"(s[6]), "+f"(s[7])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
#if ELEMENT_HALF == 16
                   "r"(a[4]), "r"(a[5]), "r"(a[6]), "r"(a[7]),
#endif
                   "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3])
#if ELEMENT_HALF == 16
                                                        ,
                   "r"(b[4]), "r"(b[5]), "r"(b[6]), "r"(b[7])
#endif
    );
}

static __device__ __forceinline__ void store_sums(float *to, const float (&s)[8])
{
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, %9;" ::"r"(
                     (uint)__cvta_generic_to_shared(to)),
                 "f"(s[0]), "f"(s[1]), "f"(s[2]), "f"(s[3]), "f"(s[4]), "f"(s[5]), "f"(s[6]), "f"(s[7]), "r"(SUM_PITCH)
                 : "memory");
}

// A stage of the warp's 32 × 32 results.
static __device__ __forceinline__ void multiply_stage(float (&sum)[2][2][8], const element *a, const element *b)
{
#pragma unroll
    for (int k = 0; k < DEPTH; k += 16) {
        uint left[2][WORDS], right[2][WORDS];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            // begin fragments
            load_a(left[i], a + (TRANSA ? k * PITCH(false) + 16 * i : 16 * i * PITCH(true) + k));
            load_b(right[i], b + (TRANSB ? 16 * i * PITCH(true) + k : k * PITCH(false) + 16 * i));
            // end fragments
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                multiply(sum[i][j], left[i], right[j]);
    }
}

extern "C" __global__ void __launch_bounds__(ITEMS)
    matmul(const element *a, const element *b, outcome *c, long m, long n, long k, float alpha, float beta, long lda,
           long ldb, long ldc)
{
    __shared__ __align__(128) char shared[TILE * SUM_PITCH * 4]; // two stages, and afterwards the results
    element *stage_a = (element *)shared, *stage_b = (element *)(shared + BYTES);
    float *results = (float *)shared;
    const matrices of = {a, b, c, m, n, k, alpha, beta, lda, ldb, ldc};
    const place tile = place_of(blockIdx.x, (m + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    const long first_row = (long)tile.row * TILE, first_col = (long)tile.col * TILE;
    const int warp = threadIdx.x / 32, row = warp / 2 * 32, col = warp % 2 * 32;
    const element *own_a = stage_a + (TRANSA ? row : row * PITCH(true));
    const element *own_b = stage_b + (TRANSB ? col * PITCH(true) : col);
    float sum[2][2][8] = {};
    for (long from = 0; from < k; from += DEPTH) {
        // begin stage
        fetch<!TRANSA>(stage_a, a, lda, first_row, m, from, k);
        fetch<TRANSB>(stage_b, b, ldb, first_col, n, from, k);
        __syncthreads();
        multiply_stage(sum, own_a, own_b);
        __syncthreads();
        // end stage
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            store_sums(results + (row + 16 * i) * SUM_PITCH + col + 16 * j, sum[i][j]);
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE; i += ITEMS)
        put(of, first_row + i / TILE, first_col + i % TILE, results[i / TILE * SUM_PITCH + i % TILE]);
}
