// CUB's order of floats is not ours: its radix sort takes -0 and +0 for equal and puts NaNs with the sign bit first.
// So CUB sorts unsigned keys, and two small kernels map elements to keys and back; unsigned elements need neither.
#include "vendor_shims/cub/cub.h"

#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace
{

template <typename Key> struct Order {
    Key negative, always, below;
};

template <typename Key> Order<Key> order_of(const uskor_cub_sort &sort)
{
    return {(Key)sort.order[0], (Key)sort.order[1], (Key)sort.order[2]};
}

template <typename Key> bool is_identity(const Order<Key> &order)
{
    return order.negative == 0 && order.always == 0 && order.below == 0;
}

template <bool TO_KEYS, typename Key>
__global__ void map_order(const Key *source, Key *target, size_t count, Order<Key> order)
{
    constexpr int SIGN = 8 * sizeof(Key) - 1;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        Key value = source[i];
        if (TO_KEYS) {
            target[i] = (value ^ order.always ^ (value >> SIGN ? order.negative : 0)) - order.below;
        } else {
            Key flipped = (value + order.below) ^ order.always;
            target[i] = flipped ^ (flipped >> SIGN ? order.negative : 0);
        }
    }
}

template <bool TO_KEYS, typename Key>
cudaError_t map(const Key *source, Key *target, const uskor_cub_sort &sort, Order<Key> order)
{
    constexpr unsigned THREADS = 256, PER_THREAD = 8;
    size_t blocks = (sort.count + THREADS * PER_THREAD - 1) / (THREADS * PER_THREAD);
    if (blocks > 0x7fffffff)
        blocks = 0x7fffffff;
    map_order<TO_KEYS><<<(unsigned)blocks, THREADS, 0, (cudaStream_t)sort.stream>>>(source, target, sort.count, order);
    return cudaGetLastError();
}

size_t keys_bytes(size_t count, size_t bytes)
{
    return (count * bytes + 255) / 256 * 256;
}

template <typename Key> size_t radix_bytes(size_t count)
{
    size_t bytes = 0;
    cub::DoubleBuffer<Key> keys(nullptr, nullptr);
    if (cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, count) != cudaSuccess)
        return 0;
    return keys_bytes(count, sizeof(Key)) + bytes;
}

template <typename Key> int radix_sort(const uskor_cub_sort &sort)
{
    auto stream = (cudaStream_t)sort.stream;
    Key *data = (Key *)sort.data, *other = (Key *)sort.scratch;
    size_t at = keys_bytes(sort.count, sizeof(Key)), bytes = sort.scratch_bytes - at;
    Order<Key> order = order_of<Key>(sort);
    bool mapped = !is_identity(order);
    cudaError_t error = mapped ? map<true>(data, data, sort, order) : cudaSuccess;
    cub::DoubleBuffer<Key> keys(data, other);
    if (error == cudaSuccess)
        error = cub::DeviceRadixSort::SortKeys((char *)sort.scratch + at, bytes, keys, sort.count, 0,
                                               8 * (int)sizeof(Key), stream);
    if (error == cudaSuccess && mapped)
        error = map<false>(keys.Current(), data, sort, order);
    else if (error == cudaSuccess && keys.Current() != data)
        error = cudaMemcpyAsync(data, other, sort.count * sizeof(Key), cudaMemcpyDeviceToDevice, stream);
    return error;
}

// The first buffer of a pair of them is the caller's or, where its elements stay, in scratch memory.
template <typename Key, typename Value> struct PairsLayout {
    size_t keys, values, own; // bytes of one buffer, and of CUB's own
    PairsLayout(size_t count) : keys(keys_bytes(count, sizeof(Key))), values(keys_bytes(count, sizeof(Value))), own(0)
    {
        cub::DoubleBuffer<Key> no_keys(nullptr, nullptr);
        cub::DoubleBuffer<Value> no_values(nullptr, nullptr);
        if (cub::DeviceRadixSort::SortPairs(nullptr, own, no_keys, no_values, count) != cudaSuccess)
            own = 0;
    }
    size_t bytes(bool is_order) const
    {
        return own == 0 ? 0 : (is_order ? 2 : 1) * keys + values + own;
    }
};

template <typename Key, typename Value>
__global__ void begin_order(const Key *source, Key *keys, Value *indices, size_t count, Order<Key> order, Key most)
{
    constexpr int SIGN = 8 * sizeof(Key) - 1;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        Key key = (source[i] ^ order.always ^ (source[i] >> SIGN ? order.negative : 0)) - order.below;
        keys[i] = key < most ? key : most;
        indices[i] = (Value)i;
    }
}

template <typename Value> cudaError_t copy_back(cub::DoubleBuffer<Value> &buffer, Value *to, size_t count, void *stream)
{
    return buffer.Current() == to ? cudaSuccess
                                  : cudaMemcpyAsync(to, buffer.Current(), count * sizeof(Value),
                                                    cudaMemcpyDeviceToDevice, (cudaStream_t)stream);
}

template <typename Key, typename Value> int sort_pairs(const uskor_cub_sort &sort)
{
    const PairsLayout<Key, Value> layout(sort.count);
    char *scratch = (char *)sort.scratch;
    Key *first = sort.is_order ? (Key *)(scratch + layout.keys) : (Key *)sort.data;
    Value *other = (Value *)(scratch + (sort.is_order ? 2 : 1) * layout.keys), *values = (Value *)sort.values;
    size_t own = layout.own;
    cub::DoubleBuffer<Key> keys(first, (Key *)scratch);
    cub::DoubleBuffer<Value> moved(values, other);
    const Order<Key> order = order_of<Key>(sort);
    cudaError_t error = cudaSuccess;
    if (sort.is_order) {
        begin_order<<<8192, 256, 0, (cudaStream_t)sort.stream>>>((const Key *)sort.data, first, values, sort.count,
                                                                 order, (Key)sort.most);
        error = cudaGetLastError();
    } else if (!is_identity(order)) {
        error = map<true>(first, first, sort, order);
    }
    if (error == cudaSuccess)
        error = cub::DeviceRadixSort::SortPairs((char *)other + layout.values, own, keys, moved, sort.count, 0,
                                                8 * (int)sizeof(Key), (cudaStream_t)sort.stream);
    if (error == cudaSuccess)
        error = copy_back(moved, values, sort.count, sort.stream);
    if (error == cudaSuccess && !sort.is_order)
        error = is_identity(order) ? copy_back(keys, first, sort.count, sort.stream)
                                   : map<false>((const Key *)keys.Current(), first, sort, order);
    return error;
}

template <typename Key> size_t pairs_bytes(size_t count, size_t value_bytes, bool is_order)
{
    return value_bytes == 4 ? PairsLayout<Key, uint32_t>(count).bytes(is_order)
                            : PairsLayout<Key, uint64_t>(count).bytes(is_order);
}

template <typename Key> int sort_pairs_of(const uskor_cub_sort &sort)
{
    return sort.value_bytes == 4 ? sort_pairs<Key, uint32_t>(sort) : sort_pairs<Key, uint64_t>(sort);
}

struct Less {
    template <typename Key> __device__ bool operator()(const Key &a, const Key &b) const
    {
        return a < b;
    }
};

template <typename Key> size_t merge_bytes(size_t count)
{
    size_t bytes = 0;
    if (cub::DeviceMergeSort::SortKeys(nullptr, bytes, (Key *)nullptr, count, Less()) != cudaSuccess)
        return 0;
    return bytes;
}

template <typename Key> int merge_sort(const uskor_cub_sort &sort)
{
    Key *data = (Key *)sort.data;
    size_t bytes = sort.scratch_bytes;
    Order<Key> order = order_of<Key>(sort);
    bool mapped = !is_identity(order);
    cudaError_t error = mapped ? map<true>(data, data, sort, order) : cudaSuccess;
    if (error == cudaSuccess)
        error =
            cub::DeviceMergeSort::SortKeys(sort.scratch, bytes, data, sort.count, Less(), (cudaStream_t)sort.stream);
    if (error == cudaSuccess && mapped)
        error = map<false>(data, data, sort, order);
    return error;
}

} // namespace

EXPORT size_t uskor_cub_radix_bytes(size_t count, size_t bytes, size_t value_bytes, int is_order)
{
    if (value_bytes)
        return bytes == 4 ? pairs_bytes<uint32_t>(count, value_bytes, is_order)
                          : pairs_bytes<uint64_t>(count, value_bytes, is_order);
    return bytes == 4 ? radix_bytes<uint32_t>(count) : radix_bytes<uint64_t>(count);
}

EXPORT size_t uskor_cub_merge_bytes(size_t count, size_t bytes)
{
    return bytes == 4 ? merge_bytes<uint32_t>(count) : merge_bytes<uint64_t>(count);
}

EXPORT int uskor_cub_radix_sort(const uskor_cub_sort *sort)
{
    if (sort->value_bytes)
        return sort->bytes == 4 ? sort_pairs_of<uint32_t>(*sort) : sort_pairs_of<uint64_t>(*sort);
    return sort->bytes == 4 ? radix_sort<uint32_t>(*sort) : radix_sort<uint64_t>(*sort);
}

EXPORT int uskor_cub_merge_sort(const uskor_cub_sort *sort)
{
    return sort->bytes == 4 ? merge_sort<uint32_t>(*sort) : merge_sort<uint64_t>(*sort);
}

EXPORT const char *uskor_cub_error(int code)
{
    return cudaGetErrorString((cudaError_t)code);
}
