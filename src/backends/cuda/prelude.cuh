// Maps the OpenCL C that device rungs are written in to CUDA C++ (compiled by NVRTC before the rung's own file).
// What a rung may use is what backends/opencl/prelude.clh describes; this file gives each of those words its CUDA
// meaning, so the two files change together. A .cu file brings its own CUDA: it gets these first words alone.

// OpenCL's names of the unsigned types: ELEMENT is spelled with them. Both languages have 64 bits in long here.
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

// The memory of the launch before is complete from here on: prelude.clh.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define wait_for_launch_before() asm volatile("griddepcontrol.wait;" ::: "memory")
#else
#define wait_for_launch_before()
#endif

// The lanes of the warp, all of which take part, whose `bits` are zero or not, as this one's are. From a ballot and a
// conditional complement the compiler makes a third more instructions.
#ifdef __CUDA_ARCH__
static inline __device__ uint lanes_alike(uint bits)
{
    uint lanes;
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
        : "=r"(lanes)
        : "r"(bits));
    return lanes;
}

// One instruction, where the compiler makes two.
static inline __device__ uint and_three(uint a, uint b, uint c)
{
    uint all;
    asm("lop3.b32 %0, %1, %2, %3, 0x80;" : "=r"(all) : "r"(a), "r"(b), "r"(c));
    return all;
}
#endif

#ifdef USKOR_OPENCL_C // set for .cl files only

// ---- address spaces and qualifiers --------------------------------------------------------------------------------

// OpenCL's short forms (kernel, global, local, constant) stay undefined: CUDA's own keywords are made of those words.
#define __kernel extern "C" __global__
#define __global
#define restrict __restrict__

// An array in local memory is declared with __shared__ in CUDA, and a pointer to it is a plain pointer: two words.
#define local_array __shared__
#define local_pointer
#define constant_array __constant__
#define constant_pointer

// OpenCL's one word for both cannot be translated; the compiler's "undefined" then says what to write.
#define __local write_local_array_or_local_pointer_instead_of_local
#define __constant write_constant_array_or_constant_pointer_instead_of_constant

// Numbers that OpenCL C has by itself.
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define MAXFLOAT 3.402823466e+38f
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define M_PI_F 3.14159265358979f
#define M_PI 3.14159265358979323846

// Lets the compiler give an item more registers than the largest group would leave it.
#define group_shape(x, y, z) __launch_bounds__((x) * (y) * (z))

// ---- where an item is ---------------------------------------------------------------------------------------------

// CUDA's grids end at 65535 groups along y and z, OpenCL's index spaces do not. Unless a rung has three dimensions the
// launch therefore folds y over z; a few groups beyond the last may run then, as OpenCL rungs guard their bounds
// anyway.
#define USKOR_INLINE inline __device__ __attribute__((always_inline))

USKOR_INLINE size_t get_local_id(uint dimension)
{
    return dimension == 0 ? threadIdx.x : dimension == 1 ? threadIdx.y : dimension == 2 ? threadIdx.z : 0;
}

USKOR_INLINE size_t get_local_size(uint dimension)
{
    return dimension == 0 ? blockDim.x : dimension == 1 ? blockDim.y : dimension == 2 ? blockDim.z : 1;
}

#if USKOR_RANK < 3
USKOR_INLINE size_t get_group_id(uint dimension)
{
    return dimension == 0 ? blockIdx.x : dimension == 1 ? (size_t)blockIdx.z * gridDim.y + blockIdx.y : 0;
}

USKOR_INLINE size_t get_num_groups(uint dimension)
{
    return dimension == 0 ? gridDim.x : dimension == 1 ? (size_t)gridDim.z * gridDim.y : 1;
}
#else
USKOR_INLINE size_t get_group_id(uint dimension)
{
    return dimension == 0 ? blockIdx.x : dimension == 1 ? blockIdx.y : dimension == 2 ? blockIdx.z : 0;
}

USKOR_INLINE size_t get_num_groups(uint dimension)
{
    return dimension == 0 ? gridDim.x : dimension == 1 ? gridDim.y : dimension == 2 ? gridDim.z : 1;
}
#endif

USKOR_INLINE size_t get_global_id(uint dimension)
{
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension);
}

USKOR_INLINE size_t get_global_size(uint dimension)
{
    return get_num_groups(dimension) * get_local_size(dimension);
}

// ---- waiting for each other ---------------------------------------------------------------------------------------

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2

USKOR_INLINE void barrier(int)
{
    __syncthreads();
}

USKOR_INLINE void mem_fence(int flags)
{
    if (flags & CLK_GLOBAL_MEM_FENCE)
        __threadfence();
    else
        __threadfence_block();
}

// ---- vectors ------------------------------------------------------------------------------------------------------

// CUDA has the types and make_<type>(…); OpenCL has arithmetic by components, between vectors and with a scalar.
// Smaller components than 32 bits have none here: C++ would compute them as int.
#define USKOR_OPERATOR(vector, scalar, op, both, right, left) \
    USKOR_INLINE vector operator op(vector a, vector b)       \
    {                                                         \
        return make_##vector both;                            \
    }                                                         \
    USKOR_INLINE vector operator op(vector a, scalar b)       \
    {                                                         \
        return make_##vector right;                           \
    }                                                         \
    USKOR_INLINE vector operator op(scalar a, vector b)       \
    {                                                         \
        return make_##vector left;                            \
    }                                                         \
    USKOR_INLINE vector &operator op##=(vector &a, vector b)  \
    {                                                         \
        return a = a op b;                                    \
    }                                                         \
    USKOR_INLINE vector &operator op##=(vector &a, scalar b)  \
    {                                                         \
        return a = a op b;                                    \
    }
#define USKOR_OPERATOR_2(scalar, op) \
    USKOR_OPERATOR(scalar##2, scalar, op, (a.x op b.x, a.y op b.y), (a.x op b, a.y op b), (a op b.x, a op b.y))
#define USKOR_OPERATOR_4(scalar, op)                                                        \
    USKOR_OPERATOR(scalar##4, scalar, op, (a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w), \
                   (a.x op b, a.y op b, a.z op b, a.w op b), (a op b.x, a op b.y, a op b.z, a op b.w))
#define USKOR_OPERATORS(with, scalar) with(scalar, +) with(scalar, -) with(scalar, *) with(scalar, /)

USKOR_OPERATORS(USKOR_OPERATOR_2, float)
USKOR_OPERATORS(USKOR_OPERATOR_4, float)
USKOR_OPERATORS(USKOR_OPERATOR_2, double)
USKOR_OPERATORS(USKOR_OPERATOR_2, int)
USKOR_OPERATORS(USKOR_OPERATOR_4, int)
USKOR_OPERATORS(USKOR_OPERATOR_2, uint)
USKOR_OPERATORS(USKOR_OPERATOR_4, uint)

// VECTOR(ELEMENT, 4) is float4 when ELEMENT is float.
#define USKOR_PASTE(type, count) type##count
#define VECTOR(type, count) USKOR_PASTE(type, count)

// WORD_OF(16) is a type of 16 bytes (1, 2, 4, 8), for what is only moved. Its parts are not smaller than elements are,
// so that a compiler takes elements from it without shifting.
#define WORD_OF(bytes) USKOR_PASTE(uskor_word_, bytes)
typedef uchar uskor_word_1;
typedef ushort uskor_word_2;
typedef uint uskor_word_4;
#if ELEMENT_BYTES == 8
typedef ulong uskor_word_8;
typedef ulong2 uskor_word_16;
#else
typedef uint2 uskor_word_8;
typedef uint4 uskor_word_16;
#endif

// ---- arithmetic ---------------------------------------------------------------------------------------------------

// fma, fmin, fmax, fabs, sqrt, rsqrt, floor, rint, min, max … are CUDA's own, with overloads for float and double.
USKOR_INLINE float4 fma(float4 a, float4 b, float4 c)
{
    return make_float4(fma(a.x, b.x, c.x), fma(a.y, b.y, c.y), fma(a.z, b.z, c.z), fma(a.w, b.w, c.w));
}

USKOR_INLINE float2 fma(float2 a, float2 b, float2 c)
{
    return make_float2(fma(a.x, b.x, c.x), fma(a.y, b.y, c.y));
}

template <typename T> USKOR_INLINE T mad(T a, T b, T c)
{
    return fma(a, b, c);
}

template <typename T> USKOR_INLINE T clamp(T value, T low, T high)
{
    return min(max(value, low), high);
}

#define popcount(x) __popc(x)
#define clz(x) __clz(x)
#define mul_hi(a, b) __umulhi(a, b)
#define rotate(x, bits) __funnelshift_l(x, x, bits)

// The same bits as another type.
#define as_int(x) __float_as_int(x)
#define as_uint(x) __float_as_uint(x)
#define as_float(x) uskor_as_float(x)
#define as_long(x) __double_as_longlong(x)
#define as_ulong(x) ((ulong)__double_as_longlong(x))
#define as_double(x) __longlong_as_double(x)

USKOR_INLINE float uskor_as_float(int bits)
{
    return __int_as_float(bits);
}

USKOR_INLINE float uskor_as_float(uint bits)
{
    return __uint_as_float(bits);
}

// Conversions: truncation to integers, unless the name says to the nearest even (rte), down (rtn), saturated (sat).
#define convert_int(x) ((int)(x))
#define convert_uint(x) ((uint)(x))
#define convert_long(x) ((long)(x))
#define convert_float(x) ((float)(x))
#define convert_double(x) ((double)(x))
#define convert_int_rte(x) __float2int_rn(x)
#define convert_int_rtn(x) __float2int_rd(x)

USKOR_INLINE uchar convert_uchar_sat_rte(float value)
{
    uint result;
    asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(result) : "f"(value));
    return (uchar)result;
}

USKOR_INLINE uchar4 convert_uchar4_sat_rte(float4 v)
{
    return make_uchar4(convert_uchar_sat_rte(v.x), convert_uchar_sat_rte(v.y), convert_uchar_sat_rte(v.z),
                       convert_uchar_sat_rte(v.w));
}

template <typename V> USKOR_INLINE float4 convert_float4(V v)
{
    return make_float4(v.x, v.y, v.z, v.w);
}

// Elements of 16 bits (f16, bf16), stored as such and computed as floats.
#if ELEMENT_HALF
typedef ushort half, bfloat16; // their bits
#define SUM float
#define load_element(array, index) uskor_widen((array)[index])
#define store_element(array, index, sum) ((array)[index] = uskor_narrow(sum))
#else
#define SUM ELEMENT
#define load_element(array, index) ((array)[index])
#define store_element(array, index, sum) ((array)[index] = (sum))
#endif
#if ELEMENT_HALF == 16
USKOR_INLINE float uskor_widen(ushort number)
{
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(number));
    return value;
}

USKOR_INLINE ushort uskor_narrow(float value)
{
    ushort number;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(number) : "f"(value));
    return number;
}
#elif ELEMENT_HALF == 8
USKOR_INLINE float uskor_widen(ushort number)
{
    return as_float((uint)number << 16);
}

USKOR_INLINE ushort uskor_narrow(float value)
{
    const uint bits = __float_as_uint(value);
    return (ushort)((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u
                                                       : (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
#endif

// ---- atomics: int and uint, in global and local memory ------------------------------------------------------------

// The value's type is not deduced, so that atomic_add(counter, 1) is fine for a counter of uint.
template <typename T> struct uskor_same {
    typedef T type;
};
#define USKOR_ATOMIC(name, cuda_name)                                                                  \
    template <typename T> USKOR_INLINE T name(volatile T *address, typename uskor_same<T>::type value) \
    {                                                                                                  \
        return cuda_name((T *)address, value);                                                         \
    }
USKOR_ATOMIC(atomic_add, atomicAdd)
USKOR_ATOMIC(atomic_sub, atomicSub)
USKOR_ATOMIC(atomic_min, atomicMin)
USKOR_ATOMIC(atomic_max, atomicMax)
USKOR_ATOMIC(atomic_and, atomicAnd)
USKOR_ATOMIC(atomic_or, atomicOr)
USKOR_ATOMIC(atomic_xor, atomicXor)
USKOR_ATOMIC(atomic_xchg, atomicExch)
// Between kernels of several devices: stores before the fence are seen by whoever sees what follows it.
USKOR_INLINE void fence_devices()
{
    __threadfence_system();
}
#if __CUDA_ARCH__ >= 600
USKOR_ATOMIC(atomic_add_devices, atomicAdd_system)
#else
USKOR_ATOMIC(atomic_add_devices, atomicAdd)
#endif
#define atomic_inc(address) atomic_add(address, 1)
#define atomic_dec(address) atomic_sub(address, 1)

template <typename T>
USKOR_INLINE T atomic_cmpxchg(volatile T *address, typename uskor_same<T>::type expected,
                              typename uskor_same<T>::type value)
{
    return atomicCAS((T *)address, expected, value);
}

// ---- textures -----------------------------------------------------------------------------------------------------

#define texture_argument cudaTextureObject_t
#define texture_linear(texture, x, y) tex2D<float4>(texture, x, y)

// ---- sub-groups: CUDA's warps -------------------------------------------------------------------------------------

#define HAS_SUB_GROUPS 1
#define USKOR_WARP 32
#define USKOR_ALL 0xffffffffu

USKOR_INLINE uint get_sub_group_size()
{
    return USKOR_WARP;
}

USKOR_INLINE uint get_sub_group_local_id()
{
    uint lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

USKOR_INLINE uint get_sub_group_id()
{
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / USKOR_WARP;
}

USKOR_INLINE uint get_num_sub_groups()
{
    return (blockDim.x * blockDim.y * blockDim.z + USKOR_WARP - 1) / USKOR_WARP;
}

#define sub_group_barrier(flags) __syncwarp()
#define sub_group_shuffle(value, item) __shfl_sync(USKOR_ALL, value, item)
#define sub_group_shuffle_xor(value, mask) __shfl_xor_sync(USKOR_ALL, value, mask)
#define sub_group_shuffle_down(value, delta) __shfl_down_sync(USKOR_ALL, value, delta)
#define sub_group_shuffle_up(value, delta) __shfl_up_sync(USKOR_ALL, value, delta)
#define sub_group_ballot(predicate) make_uint4(__ballot_sync(USKOR_ALL, predicate), 0, 0, 0)

// ---- hints --------------------------------------------------------------------------------------------------------

// For data that is read, or written, once: it leaves the caches first.
template <typename T> USKOR_INLINE T uskor_load_evict_first(const T *address)
{
    return __ldcs(address);
}
USKOR_INLINE ulong2 uskor_load_evict_first(const ulong2 *address) // CUDA has none for it
{
    const ulonglong2 value = __ldcs((const ulonglong2 *)address);
    return make_ulong2(value.x, value.y);
}
template <typename T, typename V> USKOR_INLINE void uskor_store_evict_first(T *address, V value)
{
    __stcs(address, (T)value);
}
USKOR_INLINE void uskor_store_evict_first(ulong2 *address, ulong2 value)
{
    __stcs((ulonglong2 *)address, make_ulonglong2(value.x, value.y));
}
#define load_evict_first(address) uskor_load_evict_first(address)
#define store_evict_first(address, value) uskor_store_evict_first(address, value)

// For data that comes to the second-level cache by whole lines and leaves it last. Older devices load as always.
#if __CUDA_ARCH__ >= 800
#define USKOR_LOAD_EVICT_LAST(type, constraint)                             \
    asm volatile("ld.global.L2::cache_hint.L2::128B." type " %0, [%1], %2;" \
                 : constraint(value)                                        \
                 : "l"(address), "l"(policy))
template <typename T> USKOR_INLINE T load_evict_last(const T *address)
{
    ulong policy;
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    if constexpr (sizeof(T) == 16) {
        ulong2 value;
        asm volatile("ld.global.L2::cache_hint.L2::128B.v2.b64 {%0, %1}, [%2], %3;"
                     : "=l"(value.x), "=l"(value.y)
                     : "l"(address), "l"(policy));
        return *(T *)&value;
    } else if constexpr (sizeof(T) == 8) {
        ulong value;
        USKOR_LOAD_EVICT_LAST("b64", "=l");
        return *(T *)&value;
    } else if constexpr (sizeof(T) == 4) {
        uint value;
        USKOR_LOAD_EVICT_LAST("b32", "=r");
        return *(T *)&value;
    } else if constexpr (sizeof(T) == 2) {
        ushort value;
        USKOR_LOAD_EVICT_LAST("b16", "=h");
        return *(T *)&value;
    } else {
        uint value;
        USKOR_LOAD_EVICT_LAST("u8", "=r");
        return *(T *)&value;
    }
}
#else
#define load_evict_last(address) (*(address))
#endif

#endif
