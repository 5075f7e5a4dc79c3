constant_array float weights[3] = {1.0f, 2.0f, 3.0f};
typedef VECTOR(float, 4) wide;

float helper(local_pointer const float *p, constant_pointer const float *w, int i)
{
    return p[i] * w[1];
}

__kernel group_shape(64, 2, 1) void everything(__global const float *restrict in, __global float *out,
                                               __global uint *count, __global const uchar4 *pixels,
                                               __global uchar4 *opixels, long n, int m, float f, double d)
{
    local_array float tile[64];
    local_array uint seen[4];
    int x = get_local_id(0);
    size_t g = get_global_id(0) + get_global_id(1) * get_global_size(0);
    uint lid = get_local_id(0);
    if (x < 4)
        seen[x] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&seen[x & 3], 1);
    atomic_inc(&seen[0]);
    atomic_max(&count[1], lid);
    atomic_cmpxchg(&count[2], 0, 1);
    tile[x] = load_evict_first(&in[g]) + load_evict_last(&in[g]);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    wide a = *(__global const wide *)(in + 4 * g);
    wide b = make_float4(1.0f, 2.0f, 3.0f, f);
    a = fma(a, b, b) + a * 2.0f - 3.0f / b;
    a += b;
    a *= 0.5f;
    float4 p = convert_float4(pixels[g]) * 0.25f;
    opixels[g] = convert_uchar4_sat_rte(p);
    int2 i2 = make_int2(1, 2) * 3;
    uint4 u = make_uint4(1, 2, 3, 4) + 1u;
    float s = clamp(f, 0.0f, 1.0f) + mad(f, f, f) + min(f, 3.0f) + max(m, 3) + fabs(f) + rsqrt(f) + floor(f) + rint(f) +
              sqrt(f);
    s += as_float(as_uint(f) ^ 0x80000000u) + as_float(as_int(f)) + popcount(u.x) + clz(u.y) + mul_hi(u.z, u.w) +
         rotate(u.x, 3u);
    s += convert_int_rtn(f) + convert_int_rte(f) + convert_float(i2.x) + convert_int(f) + convert_uchar_sat_rte(f);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#if HAS_SUB_GROUPS
    for (uint delta = get_sub_group_size() / 2; delta > 0; delta /= 2)
        s += sub_group_shuffle_down(s, delta);
    s +=
        sub_group_shuffle_xor(s, 1) + sub_group_shuffle(s, 0) + sub_group_shuffle_up(s, 1u) + sub_group_ballot(x > 3).x;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    s += get_sub_group_local_id() + get_sub_group_id() + get_num_sub_groups();
#endif
    d += as_double(as_ulong(d) + 1ul) + fma(d, d, d) + min(d, 1.0);
#pragma unroll 4
    for (int i = 0; i < 8; i++)
        s += tile[(x + i) & 63];
    if (g < n)
        store_evict_first(&out[g], s + a.x + a.y + a.z + a.w + helper(tile, weights, x) + (float)d + get_num_groups(1) +
                                       get_group_id(1) + get_local_size(0));
}
