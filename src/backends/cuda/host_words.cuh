// Words of the C and C++ headers that device code in a user's file relies on. NVRTC has no headers of the host; those
// that the file includes are empty (backends/cuda/host_headers.h).

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#ifndef NULL
#define NULL 0
#endif
#ifndef assert
#define assert(condition) ((condition) ? (void)0 : __trap())
#endif

#define CHAR_BIT 8
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LLONG_MAX 9223372036854775807LL
#define UINT32_MAX 4294967295u
#define INT32_MAX 2147483647
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define M_PI 3.14159265358979323846
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif

namespace thrust
{
}
namespace std
{
template <typename T> __device__ constexpr const T &min(const T &a, const T &b)
{
    return b < a ? b : a;
}

template <typename T> __device__ constexpr const T &max(const T &a, const T &b)
{
    return a < b ? b : a;
}

template <typename T> __device__ constexpr void swap(T &a, T &b)
{
    T kept = a;
    a = b;
    b = kept;
}

template <bool condition, typename T, typename F> struct conditional {
    typedef T type;
};
template <typename T, typename F> struct conditional<false, T, F> {
    typedef F type;
};
template <typename T, typename U> struct is_same {
    static constexpr bool value = false;
};
template <typename T> struct is_same<T, T> {
    static constexpr bool value = true;
};

template <typename T> struct numeric_limits;
template <> struct numeric_limits<float> {
    __device__ static constexpr float max()
    {
        return FLT_MAX;
    }
    __device__ static constexpr float lowest()
    {
        return -FLT_MAX;
    }
    __device__ static float infinity()
    {
        return INFINITY;
    }
};
template <> struct numeric_limits<int> {
    __device__ static constexpr int max()
    {
        return INT_MAX;
    }
    __device__ static constexpr int min()
    {
        return INT_MIN;
    }
    __device__ static constexpr int lowest()
    {
        return INT_MIN;
    }
};
} // namespace std
