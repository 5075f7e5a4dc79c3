// A warp's products of tensor_fused.cu: floats of a stage (stages.cuh) in registers, split into two numbers of TF32,
// and multiplied.

// sum = A·B, or sum += A·B: 16 × 8 times 8 × 8. The low 13 bits of the operands do not count.
template <bool FIRST>
static __device__ __forceinline__ void multiply(float (&sum)[4], const float *upper, const float *lower, const float *b)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(__float_as_uint(upper[0])), "r"(__float_as_uint(lower[0])), "r"(__float_as_uint(upper[1])),
          "r"(__float_as_uint(lower[1])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])),
          "f"(FIRST ? 0 : sum[0]), "f"(FIRST ? 0 : sum[1]), "f"(FIRST ? 0 : sum[2]), "f"(FIRST ? 0 : sum[3]));
}

// ---- a warp's part of a stage -------------------------------------------------------------------------------------

// Lines of one load, where they lie across memory.
static __device__ __forceinline__ constexpr int lines_at_once(int octets)
{
    return SHIFTED ? 1 : octets < 4 ? octets : 4;
}

// Which of the warp's lines is number `index` of an octet.
template <int OCTETS, bool ALONG> static __device__ __forceinline__ int line_of(int octet, int index)
{
    const int once = lines_at_once(OCTETS);
    return ALONG ? octet * 8 + index : octet / once * (8 * once) + once * index + octet % once;
}

// 16 deep from `k` on: x[octet][i] is line lane / 4 of the octet at depth k + lane % 4 * 4 + i, or where rows are
// SHIFTED, at k + lane % 4 + i * 4. `turn` is the row length modulo 4: that many floats later each row begins than the
// one before.
template <int LINES, bool ALONG, int OCTETS>
static __device__ __forceinline__ void load(float (&x)[OCTETS][4], const char *stage, int line, int k, int turn)
{
    typedef operand<LINES, ALONG> from;
    const int lane = threadIdx.x % 32, index = lane / 4, deep = k + lane % 4 * (SHIFTED ? 1 : 4);
    const int once = lines_at_once(OCTETS);
    if (SHIFTED) {
        const int shift = (ALONG ? index : lane % 4) * turn & 3; // tiles and stages begin at multiples of eight rows
#pragma unroll
        for (int octet = 0; octet < OCTETS; octet++)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int l = line + octet * 8 + index, d = deep + i * 4;
                x[octet][i] = *(const float *)(stage + from::place_of(ALONG ? l : d, (ALONG ? d : l) + shift));
            }
    } else if (ALONG) {
#pragma unroll
        for (int octet = 0; octet < OCTETS; octet++)
            *(float4 *)x[octet] = *(const float4 *)(stage + from::place_of(line + octet * 8 + index, deep));
    } else {
#pragma unroll
        for (int octet = 0; octet < OCTETS; octet += once)
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const int l = line + line_of<OCTETS, false>(octet, index);
                float v[4];
                if (once == 4)
                    *(float4 *)v = *(const float4 *)(stage + from::place_of(deep + i, l));
                else
                    *(float2 *)v = *(const float2 *)(stage + from::place_of(deep + i, l));
#pragma unroll
                for (int o = 0; o < once; o++)
                    x[octet + o][i] = v[o];
            }
    }
}

// The high part stays, rounded to 11 bits; the low part is what remains.
template <int OCTETS> static __device__ __forceinline__ void split(float (&x)[OCTETS][4], float (&low)[OCTETS][4])
{
#pragma unroll
    for (int octet = 0; octet < OCTETS; octet++)
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const float high = __uint_as_float((__float_as_uint(x[octet][i]) + 0x1000) & 0xffffe000);
            low[octet][i] = x[octet][i] - high;
            x[octet][i] = high;
        }
}

// What of a low part a number of TF32 does not hold.
template <int OCTETS>
static __device__ __forceinline__ void take_rest(float (&rest)[OCTETS][4], float (&low)[OCTETS][4])
{
#pragma unroll
    for (int octet = 0; octet < OCTETS; octet++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            rest[octet][i] = low[octet][i] - __uint_as_float(__float_as_uint(low[octet][i]) & 0xffffe000);
}

template <int OCTETS> static __device__ __forceinline__ void note_largest(float &largest, const float (&x)[OCTETS][4])
{
#pragma unroll
    for (int octet = 0; octet < OCTETS; octet++)
#pragma unroll
        for (int i = 0; i < 4; i++)
            largest = fmaxf(largest, fabsf(x[octet][i]));
}

typedef float sums[OCTETS_M / 2][OCTETS_N][4];

// The tensor core answers after six times as long as it takes to begin: so many sums are under way that it need not
// wait, those of AT_ONCE octets of columns; where a warp has few, each kind of product has its own.
#define PAIRS_M (OCTETS_M / 2)
#define AT_ONCE (PAIRS_M * OCTETS_N <= 8 ? OCTETS_N : PAIRS_M >= 8 ? 1 : 8 / PAIRS_M)
#define CHAINS (PAIRS_M * OCTETS_N <= 4 ? 3 : 1)

// sum[i][j] += A·B, 16 deep, for all i and for `first` <= j < first + AT_ONCE.
template <bool FIRST>
static __device__ __forceinline__ void add_kind(float (&sum)[PAIRS_M][AT_ONCE][4], const float (&a)[OCTETS_M][4],
                                                const float (&b)[OCTETS_N][4], int first)
{
#pragma unroll
    for (int half = 0; half < 2; half++)
#pragma unroll
        for (int i = 0; i < PAIRS_M; i++)
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
                if (FIRST && half == 0)
                    multiply<true>(sum[i][j], &a[2 * i][2 * half], &a[2 * i + 1][2 * half], &b[first + j][2 * half]);
                else
                    multiply<false>(sum[i][j], &a[2 * i][2 * half], &a[2 * i + 1][2 * half], &b[first + j][2 * half]);
}

// 16 deep of the warp's tile, the small products first. REST: the products that the first pass leaves out.
template <bool REST>
static __device__ __forceinline__ void add_products(sums &sum, float (&a)[OCTETS_M][4], float (&b)[OCTETS_N][4])
{
    float a_low[OCTETS_M][4], b_low[OCTETS_N][4], a_rest[OCTETS_M][4], b_rest[OCTETS_N][4];
    split(a, a_low), split(b, b_low);
    if (REST)
        take_rest(a_rest, a_low), take_rest(b_rest, b_low);
#pragma unroll
    for (int first = 0; first < OCTETS_N; first += AT_ONCE) {
        float product[CHAINS][PAIRS_M][AT_ONCE][4];
        add_kind<true>(product[0], REST ? a_rest : a_low, b, first);
        add_kind<CHAINS == 3>(product[CHAINS / 2], a, REST ? b_rest : b_low, first);
        add_kind<CHAINS == 3>(product[CHAINS - 1], REST ? a_low : a, REST ? b_low : b, first);
#pragma unroll
        for (int i = 0; i < PAIRS_M; i++)
#pragma unroll
            for (int j = 0; j < AT_ONCE; j++)
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    float small = product[0][i][j][e];
                    if (CHAINS == 3)
                        small = small + product[1][i][j][e] + product[CHAINS - 1][i][j][e];
                    sum[i][first + j][e] += small;
                }
    }
}
